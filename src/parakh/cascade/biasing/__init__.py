"""Leading a recogniser: language models and hot words while it decodes, or among its best texts afterwards.

    ARPA file, list of hot words -> Fusion -> CTC beam search    (``ctc``)
                                           -> logits processor   (``tokens``, for transformers)
                                           -> choice of n-best   (``Fusion.best``)

``Fusion`` scores text as it grows, whatever tokens it comes in; what it gives a text does not depend on the way it came.
"""

from __future__ import annotations

from parakh.cascade.biasing.fusion import Fusion
from parakh.cascade.biasing.hot_words import HotWord, read_hot_words
from parakh.cascade.biasing.options import BiasOptions

__all__ = ["BiasOptions", "Fusion", "HotWord", "read_hot_words"]

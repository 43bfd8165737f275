"""Statistical language models: counted from transcripts, kept in ARPA files, asked word by word.

    texts -> Preparation -> counts -> estimate (modified Kneser-Ney) -> Model <-> ARPA
                                        several Models -> mix -> Model

``Model`` is the one type: sorted arrays an order, so that a million n-grams take megabytes and whole texts are scored at once;
a decoder asks it a word at a time, with a state.
"""

from __future__ import annotations

from parakh.ngram.arpa import read_arpa, write_arpa
from parakh.ngram.counts import Counts, count
from parakh.ngram.estimate import Estimate, estimate
from parakh.ngram.mix import mix, mixing_weights
from parakh.ngram.model import Level, Model, State
from parakh.ngram.perplexity import Perplexity, perplexity
from parakh.ngram.preparation import Preparation

__all__ = [
    "Counts",
    "Estimate",
    "Level",
    "Model",
    "Perplexity",
    "Preparation",
    "State",
    "count",
    "estimate",
    "mix",
    "mixing_weights",
    "perplexity",
    "read_arpa",
    "write_arpa",
]

"""BERTScore: how alike the pieces of two texts are in a language model's eyes; needs ``parakh[torch]`` and a model.

Every piece of one text is matched to the piece of the other whose contextual embedding has the greatest cosine with its own.
Precision is the mean of these over the hypothesis, recall over the reference, F1 their harmonic mean. There is no default
model: the number means nothing without it, and so nothing is fetched unasked. No idf weights and no rescaling with a
baseline, which is bert-score's default. An empty text scores 0. The score over several texts is the mean of their F1.

Formula:
    2 P R / (P + R), with P the mean over the pieces of the hypothesis of the greatest cosine to a piece of the reference,
    and R the same with sides exchanged

Choices:
    ``model`` and ``layer`` make the number: name both wherever you print one.

Equal to:
    The definition of bert-score 0.3.13 without idf and rescaling, by a slow twin on a tiny model
    (tests/contract/test_bertscore.py); the package itself is not run.

Pitfalls:
    Values of different models or layers do not compare, and most lie in a narrow band near 1. A denied finding is close to
    an affirmed one in it. What is beyond the model's greatest length is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from parakh.errors import Fault, InputError, MissingPackageError
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._references import Texts, best, texts
from parakh.metrics.rouge import parts, score
from parakh.results import Stats
from parakh.types import Finding

_LONGEST = 100_000  # a tokenizer that knows no limit says 10^30


@dataclass(frozen=True, eq=False)
class _Encoder:
    """A model with its tokenizer, as they were loaded."""

    model: Any
    tokenizer: Any
    limit: int

    def pieces(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text.strip(), add_special_tokens=True))


def bertscore(reference: Texts, hypothesis: str, *, model: str | None = None, layer: int | None = None) -> Stats:
    """BERTScore of one text.

    Args:
        reference: The reference text, or several accepted ones, of which the one with the greatest F1 counts.
        hypothesis: The system's text.
        model: The folder of a transformers model, or its id on a hub, from where it is then fetched.
        layer: Which layer's output is taken, counted from 1; 0 is the embeddings before the first, None the last layer.

    Returns:
        ``precision``, ``recall`` and ``f1`` of this text, cosines in [-1, 1], and ``items`` = 1. Text beyond the model's
        greatest length does not count (``findings`` tells of it).

    Raises:
        InputError: No model was named, it cannot be loaded, or it has no such layer.
        MissingPackageError: torch or transformers is not installed.

    Source: Zhang et al., 2020; bert-score 0.3.13, ``idf=False``, ``rescale_with_baseline=False``.

    >>> bertscore("no fever", "no fever")
    Traceback (most recent call last):
    parakh.errors.InputError: options: --model: found none, expected a model for bertscore. Give the folder of ...
    """
    encoder = _load(_named(model))
    return best(texts(reference), lambda text: _compare(encoder, text, hypothesis, layer), lambda found: found["f1"])


def findings(reference: Texts, hypothesis: str, *, model: str | None = None, layer: int | None = None) -> list[Finding]:
    """A warning for each text of which the model saw only the beginning."""
    encoder = _load(_named(model))
    sides = [*(("reference", text) for text in texts(reference)), ("hypothesis", hypothesis)]
    counts = [(side, len(encoder.pieces(text))) for side, text in sides]
    message = "bertscore looked at the first {} of the {} pieces of the {}: the model takes no more"
    return [Finding("text-cut", message.format(encoder.limit, count, side)) for side, count in counts if count > encoder.limit]


def _named(model: str | None) -> str:
    if model is None:
        action = "Give the folder of a transformers model, or its id on a hub."
        raise InputError(Fault("options", "--model", "none", "a model for bertscore", action))
    return model


@lru_cache(maxsize=2)
def _load(name: str) -> _Encoder:
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise MissingPackageError(error.name or "torch", "torch", "metric 'bertscore'") from error
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model = transformers.AutoModel.from_pretrained(name)
    except (OSError, ValueError, KeyError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        action = f"Check the name ({reason.rstrip('.')})."
        raise InputError(Fault("options", "--model", repr(name), "a folder or id of a transformers model", action)) from error
    model = getattr(model, "encoder", model) if hasattr(model, "decoder") else model
    return _Encoder(model.eval(), tokenizer, min(tokenizer.model_max_length, _LONGEST))


def _compare(encoder: _Encoder, reference: str, hypothesis: str, layer: int | None) -> Stats:
    if not reference.strip() or not hypothesis.strip():
        return Stats(precision=0.0, recall=0.0, f1=0.0, items=1)
    said, said_counts = _embed(encoder, reference, layer)
    heard, heard_counts = _embed(encoder, hypothesis, layer)
    alike = heard @ said.T
    precision = float(alike.max(dim=1).values[heard_counts].mean())
    recall = float(alike.max(dim=0).values[said_counts].mean())
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Stats(precision=precision, recall=recall, f1=f1, items=1)


def _embed(encoder: _Encoder, text: str, layer: int | None) -> tuple[Any, Any]:
    """The unit embedding of every piece, and which count: all but the marks of beginning and end."""
    import torch

    pieces = torch.tensor(encoder.tokenizer.encode(text.strip(), truncation=True, max_length=encoder.limit))
    with torch.no_grad():
        layers = encoder.model(pieces[None], output_hidden_states=True).hidden_states
    if layer is not None and not 0 <= layer < len(layers):
        raise InputError(Fault("options", "--layer", str(layer), f"a layer from 0 to {len(layers) - 1} of that model"))
    found = layers[-1 if layer is None else layer][0].double()
    marks = torch.tensor([mark for mark in (encoder.tokenizer.cls_token_id, encoder.tokenizer.sep_token_id) if mark is not None])
    return found / found.norm(dim=1, keepdim=True), ~torch.isin(pieces, marks)


METRICS = (
    Metric(
        name="bertscore",
        title="BERTScore F1",
        payload=Payload.TEXT,
        better=Better.HIGHER,
        source="Zhang et al., BERTScore: evaluating text generation with BERT, 2020; bert-score 0.3.13",
        version=1,
        stats=bertscore,
        score=score,
        parts=parts,
        options=("model", "layer"),
        findings=findings,
        counts=("items",),
        required=("model",),
    ),
)

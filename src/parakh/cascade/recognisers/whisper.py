"""What both engines of Whisper share: how text is decoded, and tokens as words with times.

The seam for biasing is ``Decoding``: ``choose`` picks among the best hypotheses of each window, and ``processors`` change the
scores of tokens while they are searched (the engine on torch only).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from parakh.cascade.biasing import Fusion
from parakh.cascade.whisper.tokens import Vocabulary
from parakh.cascade.windows import Word

FRAME_S = 0.02
"""Seconds that a frame of the encoder stands for."""

SILENCE_S = 1.0
"""Seconds of silence after the speech of the longest window, which the model needs to end its text."""

STRICT = {"no_repeat_ngram_size": 3, "repetition_penalty": 1.2}
"""How a window whose text loops is decoded again, in the names that both libraries use."""


@dataclass(frozen=True)
class Candidate:
    """One of the best texts of a window.

    Args:
        text: The text.
        score: Mean log probability of its tokens.
        tokens: How many, the end of the text among them.
    """

    text: str
    score: float
    tokens: int = 1


Choice = Callable[[Sequence[Candidate]], int]
"""The index of the text to take among the best ones of a window, which come best first."""


def first(candidates: Sequence[Candidate]) -> int:
    """What the search holds to be best.

    >>> first([Candidate("दवा", -0.2), Candidate("दावा", -0.3)])
    0
    """
    return 0


def chosen_by(fusion: Fusion) -> Choice:
    """The choice that a bias makes.

    >>> from parakh.cascade.biasing import HotWord
    >>> chosen_by(Fusion(hot_words=[HotWord("दवा")]))([Candidate("दावा", -0.2, 4), Candidate("दवा", -0.3, 4)])
    1
    """
    return lambda candidates: fusion.best([one.text for one in candidates], [one.score * one.tokens for one in candidates])


@dataclass(frozen=True)
class Decoding:
    """How text is searched.

    Args:
        task: ``transcribe`` or ``translate``.
        beam: Beam width.
        prompt: Text that is taken to have been said before; it leads spelling and vocabulary.
        candidates: Number of best texts of each window that ``choose`` sees, at most ``beam``.
        choose: Picks among them.
        processors: Logits processors of transformers, for the engine on torch.
    """

    task: str = "transcribe"
    beam: int = 5
    prompt: str = ""
    candidates: int = 1
    choose: Choice = first
    processors: tuple[Any, ...] = ()


def start_tokens(decoding: Decoding, language: str) -> list[str]:
    """The special tokens that a text starts with."""
    return ["<|startoftranscript|>", f"<|{language}|>", f"<|{decoding.task}|>", "<|notimestamps|>"]


def timed_words(
    vocabulary: Vocabulary, tokens: Sequence[int], alignment: Sequence[tuple[int, int]], length: float
) -> tuple[Word, ...]:
    """The words of some text tokens.

    Args:
        vocabulary: The tokens.
        tokens: Ids of the text.
        alignment: (token, frame) pairs in order of time; the token after the last ends it.
        length: Seconds of the window, which no time exceeds.
    """
    frames: dict[int, int] = {}
    for token, frame in alignment:
        frames.setdefault(token, frame)
    starts = [min(frames[i] * FRAME_S, length) if i in frames else length for i in range(len(tokens) + 1)]
    return tuple(Word(text, starts[a], starts[b]) for text, a, b in vocabulary.words(tokens))


def alignment_heads(model: Any) -> list[tuple[int, int]]:
    """The (layer, head) pairs that follow time in the decoder; without names in the checkpoint, those of its upper layers.

    Args:
        model: A Whisper of transformers.
    """
    known = getattr(model.generation_config, "alignment_heads", None)
    if known:
        return [(int(layer), int(head)) for layer, head in known]
    layers, heads = model.config.decoder_layers, model.config.decoder_attention_heads
    return [(layer, head) for layer in range(layers // 2, layers) for head in range(heads)]

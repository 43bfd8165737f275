"""CTC decoding with a bias, and when each token was said.

    score(text) = ln sum over alignments exp(sum of log-probabilities) + bias(text)

Prefix beam search: alignments of one prefix are added up, the bias of a prefix is what ``Fusion`` gives its text so far.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.biasing.fusion import Fusion, Position

Floats = NDArray[np.float32] | NDArray[np.float64]

SPACE = "▁"
"""What stands before the first piece of a word in the vocabularies of sentencepiece."""


@dataclass(frozen=True)
class Decoded:
    """One of the best texts.

    Args:
        text: Its words with one space between them.
        score: Natural logarithm, with the bias.
        tokens: Ids of its tokens.
    """

    text: str
    score: float
    tokens: tuple[int, ...]


class _Prefix:
    """A text so far, with what it gained, and the probability of its alignments that end in a blank or not."""

    __slots__ = ("bias", "blank", "children", "next_blank", "next_token", "parent", "position", "token", "tokened")

    def __init__(self, parent: _Prefix | None, token: int, bias: float, position: Position) -> None:
        self.parent, self.token, self.bias, self.position = parent, token, bias, position
        self.children: dict[int, _Prefix] = {}
        self.blank = self.tokened = self.next_blank = self.next_token = -math.inf

    def total(self) -> float:
        return _add(self.blank, self.tokened)

    def tokens(self) -> list[int]:
        found, prefix = [], self
        while prefix.parent:
            found.append(prefix.token)
            prefix = prefix.parent
        return found[::-1]


def decode(
    logprobs: Floats,
    vocabulary: Sequence[str],
    blank: int,
    fusion: Fusion | None = None,
    *,
    beam: int = 50,
    floor: float = -6.0,
    count: int = 1,
) -> list[Decoded]:
    """The best texts of a CTC model's output.

    Args:
        logprobs: Natural log-probabilities, shape (frames, tokens).
        vocabulary: The text of each token, "▁" at the start of a word; whatever the blank's is.
        blank: Id of the blank.
        fusion: What leads the search; None lets the model alone.
        beam: Prefixes kept after each frame.
        floor: Log-probability below which a token of a frame is passed over; the likeliest never is.
        count: How many texts.

    Returns:
        At most ``count`` of them, the best first; texts that differ only in how they are cut into tokens stand by themselves.

    Source: Graves (2012) and Hannun et al., "First-Pass Large Vocabulary Continuous Speech Recognition using Bi-Directional
        Recurrent DNNs" (2014), algorithm 1.

    >>> frames = np.log([[0.6, 0.3, 0.1], [0.6, 0.3, 0.1]])
    >>> [(one.text, round(math.exp(one.score), 2)) for one in decode(frames, ["", "▁a", "▁b"], 0, count=2)]
    [('a', 0.45), ('', 0.36)]
    """
    fusion = fusion or Fusion()
    pieces = [text.replace(SPACE, " ").encode() for text in vocabulary]
    root = _Prefix(None, -1, 0.0, fusion.start())
    root.blank = 0.0
    beams = [root]
    for row in np.asarray(logprobs, np.float64):
        likely = np.flatnonzero(row >= min(floor, row.max()))
        tokens = [(int(token), float(row[token])) for token in likely if token != blank]
        touched = _step(beams, tokens, float(row[blank]), pieces, fusion)
        for prefix in touched:
            prefix.blank, prefix.tokened = prefix.next_blank, prefix.next_token
            prefix.next_blank = prefix.next_token = -math.inf
        beams = sorted(touched, key=lambda prefix: -(prefix.total() + prefix.bias))[:beam]
    ended = sorted(((one.total() + one.bias + fusion.finish(one.position), one) for one in beams), key=lambda pair: -pair[0])
    return [_decoded(prefix, score, vocabulary) for score, prefix in ended[:count]]


def _step(
    beams: Sequence[_Prefix], tokens: Sequence[tuple[int, float]], blank: float, pieces: Sequence[bytes], fusion: Fusion
) -> list[_Prefix]:
    """Lead every prefix on by a frame; the prefixes that it comes to."""
    touched: dict[int, _Prefix] = {}
    for prefix in beams:
        total = prefix.total()
        prefix.next_blank = _add(prefix.next_blank, total + blank)
        touched[id(prefix)] = prefix
        for token, logprob in tokens:
            if token == prefix.token:
                prefix.next_token = _add(prefix.next_token, prefix.tokened + logprob)
                before = prefix.blank  # only a blank makes the same token two
            else:
                before = total
            if before == -math.inf:
                continue
            child = prefix.children.get(token)
            if child is None:
                gain, position = fusion.advance(prefix.position, _piece(prefix, pieces[token]))
                child = prefix.children[token] = _Prefix(prefix, token, prefix.bias + gain, position)
            child.next_token = _add(child.next_token, before + logprob)
            touched[id(child)] = child
    return list(touched.values())


def _piece(prefix: _Prefix, piece: bytes) -> bytes:
    """What a token adds to the text: no space at its start."""
    return piece if prefix.parent else piece.lstrip(b" ")


def _decoded(prefix: _Prefix, score: float, vocabulary: Sequence[str]) -> Decoded:
    tokens = tuple(prefix.tokens())
    text = "".join(vocabulary[token] for token in tokens).replace(SPACE, " ")
    return Decoded(" ".join(text.split()), score, tokens)


def _add(one: float, other: float) -> float:
    """ln(exp(one) + exp(other))."""
    if one < other:
        one, other = other, one
    return one if other == -math.inf else one + math.log1p(math.exp(other - one))


def align(logprobs: Floats, tokens: Sequence[int], blank: int) -> list[tuple[int, int]]:
    """When each token of a text was said: the most probable alignment.

    Args:
        logprobs: Shape (frames, tokens).
        tokens: Ids of the text, which the frames can hold.
        blank: Id of the blank.

    Returns:
        (first, last + 1) frame of each token.

    >>> frames = np.log([[0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])
    >>> align(frames, [1, 2], 0)
    [(0, 1), (2, 3)]
    """
    labels = np.full(2 * len(tokens) + 1, blank)
    labels[1::2] = tokens
    skips = np.zeros(len(labels), bool)
    skips[3::2] = labels[3::2] != labels[1:-2:2]
    costs = np.asarray(logprobs, np.float64)[:, labels]
    best = np.full(len(labels), -np.inf)
    best[:2] = costs[0, :2]
    steps = np.zeros((len(costs), len(labels)), np.int64)
    for frame in range(1, len(costs)):
        by_two = np.where(skips, np.concatenate([[-np.inf] * 2, best])[: len(labels)], -np.inf)
        ways = np.stack([best, np.concatenate([[-np.inf], best[:-1]]), by_two])
        steps[frame] = ways.argmax(axis=0)
        best = ways.max(axis=0) + costs[frame]
    at = len(labels) - 1 if len(labels) == 1 or best[-1] >= best[-2] else len(labels) - 2
    frames: dict[int, list[int]] = {}
    for frame in range(len(costs) - 1, -1, -1):
        frames.setdefault(at, []).append(frame)
        at -= int(steps[frame, at])
    return [(frames[2 * i + 1][-1], frames[2 * i + 1][0] + 1) for i in range(len(tokens))]

"""A bias for recognisers that write token by token: what each token of a vocabulary gains, and a logits processor of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.biasing.fusion import Fusion, Position
from parakh.cascade.biasing.trie import STARTS, Active

_KEPT = 50_000
"""Most positions that are remembered; a long recording forgets and begins anew."""
_STATES = 200
"""Most gains of whole vocabularies that are remembered, 0.2 MB each."""


class TokenBias:
    """What each token of a vocabulary gains after a text.

    Args:
        fusion: What leads.
        vocabulary: The bytes of each token; None for a special one, which gains nothing.
        end: Id of the token that ends a text.
    """

    def __init__(self, fusion: Fusion, vocabulary: Sequence[bytes | None], end: int) -> None:
        self._fusion = fusion
        self._vocabulary = vocabulary
        self._end = end
        self._text = np.array([piece is not None for piece in vocabulary])
        self._spaced = np.array([piece is not None and piece.startswith(b" ") for piece in vocabulary])
        self._several = [token for token, piece in enumerate(vocabulary) if piece and b" " in piece[1:]]
        self._groups, self._late = _sorted(vocabulary)
        self._hot: dict[Active, NDArray[np.float32]] = {}
        self._positions: dict[tuple[int, ...], Position] = {(): fusion.start()}

    def position(self, tokens: tuple[int, ...]) -> Position:
        """The position after tokens; special ones among them do not count."""
        known = len(tokens)
        while tokens[:known] not in self._positions:
            known -= 1
        position = self._positions[tokens[:known]]
        for at in range(known, len(tokens)):
            piece = self._vocabulary[tokens[at]] if tokens[at] < len(self._vocabulary) else None
            if piece is not None:
                position = self._fusion.advance(position, piece)[1]
            if len(self._positions) > _KEPT:
                self._positions = {(): self._fusion.start()}
            self._positions[tokens[: at + 1]] = position
        return position

    def gains(self, position: Position) -> NDArray[np.float32]:
        """What each token gains at a position, in nats, shape (tokens,)."""
        gains = self._of_hot_words(position.hot).copy()
        gains[self._spaced] += self._fusion.word(position.words, position.begun)[0]
        for token in self._several:  # they end several words
            gains[token] = self._fusion.advance(position, self._vocabulary[token] or b"")[0]
        gains[self._end] = self._fusion.finish(position)
        return gains

    def _of_hot_words(self, active: Active) -> NDArray[np.float32]:
        """What each token gains by hot words, once for all texts in which the same ones have begun."""
        if active not in self._hot:
            if len(self._hot) >= _STATES:
                self._hot.clear()
            self._hot[active] = self._computed(active)
        return self._hot[active]

    def _computed(self, active: Active) -> NDArray[np.float32]:
        trie = self._fusion.trie
        gains = np.zeros(len(self._vocabulary), np.float32)
        gains[self._text] = trie.advance(active, _NOTHING)[0]  # every promise is taken back
        alone = list(self._late)
        for key, tokens in self._groups.items():
            gain, after = trie.advance(active, key[:1])
            if trie.alive(after, key[1]) if len(key) == 2 else key[0] in STARTS or trie.alive(active, key[0]):
                alone += tokens
            elif len(key) == 2:
                gains[tokens] = gain + trie.advance(after, _NOTHING)[0]
        gains[alone] = [trie.advance(active, self._vocabulary[token] or b"")[0] for token in alone]
        return gains


_NOTHING = b"\xff"
"""A byte that is in no text."""


def _sorted(vocabulary: Sequence[bytes | None]) -> tuple[dict[bytes, list[int]], list[int]]:
    """Tokens by their first byte, or two if a word may begin with the second: most fall off every hot word there.

    The others are those within which a word may begin later.
    """
    groups: dict[bytes, list[int]] = {}
    late: list[int] = []
    for token, piece in enumerate(vocabulary):
        if not piece:
            continue
        if any(byte in STARTS for byte in piece[1:]):
            late.append(token)
        else:
            groups.setdefault(piece[: 1 + (piece[0] in STARTS)], []).append(token)
    return groups, late


class BiasProcessor:
    """A logits processor of transformers: adds what each token gains to the scores of every beam.

    Args:
        bias: The gains.
        begin: Id of the last special token before the text; what stands before it (a prompt) is no part of the text.
    """

    def __init__(self, bias: TokenBias, begin: int) -> None:
        self._bias = bias
        self._begin = begin

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Scores of shape (beams, tokens) with the gains."""
        import torch

        gains = np.stack([self._bias.gains(self._bias.position(self._spoken(row))) for row in input_ids.tolist()])
        width = min(gains.shape[1], scores.shape[1])
        scores = scores.clone()
        scores[:, :width] += torch.from_numpy(gains[:, :width]).to(scores.device, scores.dtype)
        return scores

    def _spoken(self, row: list[int]) -> tuple[int, ...]:
        """The tokens after the last one that begins a text."""
        start = next((at for at in range(len(row) - 1, -1, -1) if row[at] == self._begin), -1)
        return tuple(row[start + 1 :])


def byte_level(tokens: Sequence[str], special: int) -> list[bytes | None]:
    r"""The bytes of the tokens of a byte-level BPE vocabulary (GPT-2, Whisper).

    Args:
        tokens: The text of each token as the vocabulary writes it.
        special: Id of the first special token; those from there on have no bytes.

    >>> byte_level(["Ġthe", "à¤", "<|end|>"], 2)
    [b' the', b'\xe0\xa4', None]
    """
    bytes_of = _byte_signs()
    return [bytes(bytes_of[sign] for sign in token) if at < special else None for at, token in enumerate(tokens)]


def _byte_signs() -> dict[str, int]:
    """The sign that stands for each byte: itself where it can be seen, else the next one from 256 on."""
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {**{chr(byte): byte for byte in seen}, **{chr(256 + at): byte for at, byte in enumerate(hidden)}}

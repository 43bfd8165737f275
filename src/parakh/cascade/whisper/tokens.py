"""Whisper's tokens as words, through the model's own ``tokenizer.json``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.packages import imported

_SPACE = "Ġ"
"""How the byte-level vocabulary writes the space that starts a word."""


class Vocabulary:
    """The tokens of one model."""

    def __init__(self, path: Path) -> None:
        tokenizers = imported("tokenizers", "cascade", "Whisper")
        self._tokenizer = tokenizers.Tokenizer.from_file(str(path))
        self._first_special = self.id("<|endoftext|>")

    def id(self, token: str) -> int:
        """Number of a token."""
        return int(self._tokenizer.token_to_id(token) or 0)

    def written(self) -> list[str]:
        """Every token as the vocabulary writes it, by number; "" where there is none."""
        known = {number: token for token, number in self._tokenizer.get_vocab().items()}
        return [known.get(number, "") for number in range(max(known) + 1)]

    def text_only(self, ids: Sequence[int]) -> list[int]:
        """The ids without the special ones."""
        return [number for number in ids if number < self._first_special]

    def words(self, ids: Sequence[int]) -> list[tuple[str, int, int]]:
        """The words of text tokens: ``(word, first, last)`` with the range [first, last) of its tokens."""
        if not ids:
            return []
        starts = [i for i, number in enumerate(ids) if i == 0 or str(self._tokenizer.id_to_token(number)).startswith(_SPACE)]
        spans = zip(starts, [*starts[1:], len(ids)], strict=True)
        words = ((self._tokenizer.decode(list(ids[a:b])).replace("\ufffd", "").strip(), a, b) for a, b in spans)
        return [span for span in words if span[0]]

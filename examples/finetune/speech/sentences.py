"""Sentences from a grammar of slots and lists, and the words that they never use."""

from __future__ import annotations

import random
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path

_SLOT = re.compile(r"{(\w+)}")


class Grammar:
    """The sentences of one language.

    Args:
        path: A TOML file with ``lists`` (choices parted by ``|``) and ``sentences`` (groups, one sentence a line).
    """

    def __init__(self, path: Path) -> None:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        self._lists = {name: _choices(text) for name, text in table["lists"].items()}
        self._groups = {
            name: _choices(text) if "|" in text else text.strip().splitlines() for name, text in table["sentences"].items()
        }

    def sentence(self, group: str, source: random.Random) -> str:
        """One sentence of a group, its slots filled."""
        text = source.choice(self._groups[group])
        while _SLOT.search(text):
            text = _SLOT.sub(lambda slot: source.choice(self._lists[slot[1]]), text)
        return unicodedata.normalize("NFC", text)

    def vocabulary(self) -> set[str]:
        """Every word that a sentence can hold."""
        texts = [
            *(entry for entries in self._lists.values() for entry in entries),
            *(s for g in self._groups.values() for s in g),
        ]
        return {word for text in texts for word in re.findall(r"[^\s,.?।{}|_a-z]+", unicodedata.normalize("NFC", text))}


def missing(known: set[str], frequent: Sequence[str]) -> list[str]:
    """The frequent words that the grammar lacks, in their order."""
    return [word for word in frequent if word not in known and len(word) > 2]


def _choices(text: str) -> list[str]:
    return [choice.strip() for choice in text.replace("\n", "").split("|") if choice.strip()]

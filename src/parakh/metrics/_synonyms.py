"""What topics are compared by: their folded spelling, and names that a user's file declares to mean the same."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import regex

from parakh.errors import Fault, InputError
from parakh.files import read_text

_BETWEEN = regex.compile(r"[\s\p{Pd}]+")
_POSSESSIVE = regex.compile(r"['\u2019]s?$")
_SHORT = 3
_HASH_SIGNS = 8


@lru_cache(maxsize=65536)
def fold(topic: str) -> str:
    """A topic without what writers vary freely: case, white space, hyphens, English plural, composition, digit script.

    >>> fold(" Loose-Motions "), fold("Type २ Diabetes"), fold("Parkinson's disease")
    ('loose motion', 'type 2 diabetes', 'parkinson disease')
    """
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", topic).casefold())
    plain = "".join(str(unicodedata.digit(sign)) if sign.isdigit() else sign for sign in plain)
    return " ".join(map(_singular, _BETWEEN.sub(" ", plain).split()))


def _singular(word: str) -> str:
    word = _POSSESSIVE.sub("", word)
    if len(word) <= _SHORT or not word.isascii():
        return word
    words, endings = _plurals()
    if word in words:
        return words[word]
    return next((word.removesuffix(old) + new for old, new in endings if word.endswith(old)), word)


@cache
def _plurals() -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    lines = (files("parakh.metrics") / "plurals.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    words = {old: new for rule, old, new in rows if rule == "word"}
    return words, tuple((old, new) for rule, old, new in rows if rule == "end")


@dataclass(frozen=True)
class Synonyms:
    """Names of topics that mean the same, as a user's file declares them.

    A line of the file holds the name to keep and, after tabs, one or more others; ``#`` begins a comment line.

    Args:
        name: The file's name.
        digest: The beginning of the SHA-256 of its bytes, for the signature.
        canonical_of: The folded name kept, by each folded other name.

    >>> str(Synonyms("names.tsv", "3f2a9c01", {"high bp": "hypertension"}))
    'names.tsv:3f2a9c01'
    """

    name: str
    digest: str
    canonical_of: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Synonyms:
        """Synonyms of a file.

        Raises:
            InputError: The file is not readable text, a line has no other name, or a name has two meanings.
        """
        text = read_text(path)
        kept: set[str] = set()
        table: dict[str, str] = {}
        faults: list[Fault] = []
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            canonical, *others = (fold(name) for name in line.rstrip("\r").split("\t"))
            faults += _faults(str(path), number, canonical, others, table, kept)
            kept.add(canonical)
            table.update((other, canonical) for other in others if other and other != canonical)
        if faults:
            raise InputError(faults)
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:_HASH_SIGNS]
        return cls(path.name, digest, table)

    def canonical(self, topic: str) -> str:
        """What a topic is compared by.

        >>> Synonyms("names.tsv", "3f2a9c01", {"high bp": "hypertension"}).canonical("High BP")
        'hypertension'
        """
        folded = fold(topic)
        return self.canonical_of.get(folded, folded)

    def __str__(self) -> str:
        return f"{self.name}:{self.digest}"

    def __hash__(self) -> int:
        return hash((self.name, self.digest))


def _faults(path: str, line: int, canonical: str, others: list[str], table: Mapping[str, str], kept: set[str]) -> list[Fault]:
    """What is wrong with one line, given those before it."""
    if not canonical or not any(others):
        return [Fault(path, "", "one name", "the name to keep, a tab, and another name", "Add it, or # before a comment.", line)]
    faults = []
    if canonical in table:
        found = f"{canonical!r}, which is already another name of {table[canonical]!r}"
        faults.append(Fault(path, "name to keep", found, "a name that stands for itself", "Keep one of the two.", line))
    for other in others:
        meaning = table.get(other, other if other in kept else canonical)
        if canonical not in (meaning, other):
            found = f"{other!r}, which already means {meaning!r}"
            faults.append(Fault(path, "other name", found, "a name with one meaning", "Remove one of the two.", line))
    return faults

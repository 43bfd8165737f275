"""Which medicines a text names: generic and brand names in English, Hindi and Kannada, as doctors and recognisers spell them.

``data/medicines.tsv`` holds one medicine a line. A brand stands for what is in it, so that "Crocin" is paracetamol and
"Combiflam" ibuprofen and paracetamol. Groups ("antibiotic", "BP tablets") name no medicine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import Levenshtein

from parakh.clinical.folding import Word, loose, tight
from parakh.clinical.lexicon import DATA

_STEM_SIGNS = 4
_FUZZY_SIGNS = 6
_FUZZY_LETTERS = 8  # shorter English words are too often one letter from a brand ("mental", "Meftal")
_FAR_SIGNS = 10


@dataclass(frozen=True, slots=True)
class Medicine:
    """A medicine named in a row of words.

    Args:
        parts: What is in it ("paracetamol"); one substance, or several for a combination.
        start: Index of its first word.
        end: Index after its last word.
    """

    parts: tuple[str, ...]
    start: int
    end: int


def medicines(words: Sequence[Word]) -> Iterator[Medicine]:
    """Every medicine named in a row of words, in order; the longest name wins.

    >>> from parakh.clinical.folding import words_of
    >>> text = "मेटफार्मिन और डोलो, ಅಮ್ಲೋಡಿಪಿನ್ ಮಾತ್ರೆ, Combiflam"
    >>> [one.parts for one in medicines(words_of(text))]
    [('metformin',), ('paracetamol',), ('amlodipine',), ('ibuprofen', 'paracetamol')]
    """
    at = 0
    while at < len(words):
        found = _longest(words, at)
        if found is None:
            at += 1
            continue
        yield found
        at = found.end


def substances() -> frozenset[str]:
    """Every substance of the list.

    >>> "paracetamol" in substances()
    True
    """
    return frozenset(part for parts, _ in _rows() for part in parts)


def _longest(words: Sequence[Word], at: int) -> Medicine | None:
    best: Medicine | None = None
    for name in _spellings(words[at].tight):
        for rest, parts in _by_first()[name]:
            end = at + 1 + len(rest)
            if end > len(words) or (best is not None and end <= best.end):
                continue
            following = words[at + 1 : end]
            if all(name in _spellings(word.tight) for name, word in zip(rest, following, strict=True)):
                best = Medicine(parts, at, end)
    return best


@lru_cache(maxsize=65536)
def _spellings(word: str) -> frozenset[str]:
    """The words of the list that a tight word may be: itself; else by its loose spelling or stem; else nearly so."""
    known = _vocabulary()
    if word in known:
        return frozenset((word,))
    plural = word.removesuffix("s")
    if plural in known and len(plural) >= _STEM_SIGNS:
        return frozenset((plural,))
    if len(word) < _STEM_SIGNS or word[0].isdigit():
        return frozenset()
    plain = loose(word)
    same = _loosened().get(plain, frozenset())
    if same:
        return same
    if not word.isascii():
        for length in range(len(plain) - 1, _STEM_SIGNS, -1):
            stems = frozenset(name for name in _loosened().get(plain[:length], ()) if not name.isascii())
            if stems and "\u0c80" <= word[0] <= "\u0cff":  # Kannada endings follow the name
                return stems
    return _near(plain)


def _near(plain: str) -> frozenset[str]:
    least = _FUZZY_LETTERS if plain.isascii() else _FUZZY_SIGNS
    found: set[str] = set()
    for other, names in _by_letter().get(plain[:1], ()):
        shorter = min(len(other), len(plain))
        allowed = 2 if shorter >= _FAR_SIGNS else 1
        if shorter >= least and Levenshtein.distance(other, plain, score_cutoff=allowed) <= allowed:
            found |= names
    return frozenset(found)


@cache
def _by_letter() -> dict[str, list[tuple[str, frozenset[str]]]]:
    """The loose spellings by their first letter: the one that a near miss has right."""
    groups: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for other, names in _loosened().items():
        groups.setdefault(other[:1], []).append((other, names))
    return groups


@cache
def _rows() -> tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...]:
    """What is in each medicine, and its names as rows of tight words."""
    lines = (DATA / "medicines.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return tuple(
        (
            tuple(name.split("+")),
            tuple(tuple(map(tight, one.split())) for column in columns for one in column.split(";") if one.strip()),
        )
        for name, *columns in rows
    )


@cache
def _by_first() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    table: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = defaultdict(list)
    for parts, names in _rows():
        for first, *rest in names:
            table[first].append((tuple(rest), parts))
    for word in _vocabulary():
        table.setdefault(word, [])
    return table


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(word for _, names in _rows() for name in names for word in name)


@cache
def _loosened() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = defaultdict(set)
    for word in sorted(_vocabulary()):
        if len(word) >= _STEM_SIGNS:
            table[loose(word)].add(word)
    return {plain: frozenset(words) for plain, words in table.items()}

"""English suffix stripping, for ROUGE as it is often published.

M. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the changes that nltk's stemmer makes by default.
Its rules are rows of ``porter.tsv``: in each step the first suffix that fits decides. It is applied only if the rest of the
word has at least that measure and, where ``before`` is given, ends in one of those letters.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

_VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class _Rule:
    suffix: str
    replacement: str
    measure: int
    before: str


@cache
def _rules() -> dict[str, list[_Rule]]:
    steps: dict[str, list[_Rule]] = {}
    with files("parakh.text").joinpath("porter.tsv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            rule = _Rule(row["suffix"], row["replacement"], int(row["measure"] or 0), row["before"])
            steps.setdefault(row["step"], []).append(rule)
    return steps


@lru_cache(maxsize=32768)
def porter_stem(word: str) -> str:
    """The stem of an English word.

    Args:
        word: One word in lower case.

    Returns:
        Its stem; a word of one or two letters is its own.

    Source: nltk 3.10 ``PorterStemmer``.

    >>> [porter_stem(word) for word in ("headaches", "hypertension", "relational", "sky")]
    ['headach', 'hypertens', 'relat', 'sky']
    """
    for rule in _rules()["whole"]:
        if word == rule.suffix:
            return rule.replacement
    if len(word) <= 2:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and len(word) > 2 and _kinds(word[:-1])[-1] == "c":
        word = word[:-1] + "i"
    if word.endswith("alli") and _measure(word[:-4]):
        word = word[:-2]
    for step in ("2", "3", "4"):
        word = _apply(step, word)
    return _final(word)


def _plural(word: str) -> str:
    """Step 1a; "dies" becomes "die"."""
    return word[:-1] if word.endswith("ies") and len(word) == 4 else _apply("1a", word)


def _past(word: str) -> str:
    """Step 1b: -eed, -ed and -ing; "died" becomes "die"."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and "v" in _kinds(stem):
            return _mend(stem)
    return word


def _mend(stem: str) -> str:
    """What is left without -ed or -ing: "conflat" gets its e back, "hopp" loses a p, "fil" becomes "file"."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and _kinds(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _is_short(stem) else stem


def _final(word: str) -> str:
    """Step 5: a final e, and the second l of -ll, of long enough words."""
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _apply(step: str, word: str) -> str:
    for rule in _rules()[step]:
        if word.endswith(rule.suffix):
            rest = word[: len(word) - len(rule.suffix)]
            fits = _measure(rest) >= rule.measure and (not rule.before or rest.endswith(tuple(rule.before)))
            return rest + rule.replacement if fits else word
    return word


def _kinds(word: str) -> str:
    """One letter a letter: "v" for a vowel, "c" for a consonant; y is a vowel after a consonant."""
    kinds = ""
    for letter in word:
        vowel = letter in _VOWELS or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def _measure(word: str) -> int:
    """How often a consonant follows a vowel: m in [C](VC)^m[V]."""
    return _kinds(word).count("vc")


def _is_short(word: str) -> bool:
    """Whether it ends consonant, vowel, consonant (not w, x, y), or is a vowel and a consonant."""
    kinds = _kinds(word)
    return kinds == "vc" or (kinds.endswith("cvc") and word[-1] not in "wxy")

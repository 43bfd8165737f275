"""How alike the two words of a substitution are: same consonants, vowel length only, one sign apart, another script.

A substitution may be of several sorts at once; none of them makes it less of an error.

- Same consonants: the consonant skeletons are equal (``parakh.text.tiers``), so that only vowel signs and viramas differ, as
  between spoken and written forms (ಅಂದ್ರೆ, ಅಂದರೆ).
- Vowel length: equal once every long vowel is its short one, in the scripts that descend from Brahmi.
- One sign: one code point is inserted, left out or replaced.
- Another script: the letters of both words are of known scripts, and of none in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from parakh.results import ratio
from parakh.text.folds import canonical
from parakh.text.scripts import script_of
from parakh.text.tiers import skeleton, skeleton_direction

_BLOCKS = range(0x900, 0xE00, 0x80)
_SHORT_OF: dict[int, int | None] = {0x06: 0x05, 0x08: 0x07, 0x0A: 0x09, 0x60: 0x0B, 0x0F: 0x0E, 0x13: 0x12}
_SHORT_OF |= {0x3E: None, 0x40: 0x3F, 0x42: 0x41, 0x44: 0x43, 0x47: 0x46, 0x4B: 0x4A}
_SHORTENED = {block + long: None if short is None else block + short for block in _BLOCKS for long, short in _SHORT_OF.items()}
"""Long vowels and vowel signs -> short ones; the blocks of these scripts have the same layout (from ISCII). The sign of aa goes,
because short a has none."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Two words that are alike.

    Args:
        reference: What was said.
        hypothesis: What the system wrote.
        count: How often.
    """

    reference: str
    hypothesis: str
    count: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """The substitutions of one sort.

    Args:
        count: How many.
        share: Of all substitutions, in [0, 1]; None without substitutions.
        directions: Where consonants are the same: how many by whether the hypothesis is "contracted", "expanded" or "level".
        rows: The most frequent pairs of words.
    """

    count: int
    share: float | None
    directions: Mapping[str, int]
    rows: tuple[Alike, ...]


def likenesses(substituted: Mapping[tuple[str, str], int], top: int) -> dict[str, Likeness]:
    """The sorts of likeness of a corpus's substitutions.

    Args:
        substituted: (reference, hypothesis) -> how often one became the other.
        top: Pairs of words shown of each sort.

    Returns:
        "skeleton", "vowel_length", "one_sign" and "other_script" -> its substitutions.

    >>> [(name, one.count) for name, one in likenesses({("ಅಂದ್ರೆ", "ಅಂದರೆ"): 3, ("दिन", "दीन"): 1}, 10).items()]
    [('skeleton', 4), ('vowel_length', 1), ('one_sign', 4), ('other_script', 0)]
    """
    everything = sum(substituted.values())
    found: dict[str, Likeness] = {}
    for name, alike in _SORTS.items():
        counts = {pair: count for pair, count in substituted.items() if alike(*pair)}
        ways: Counter[str] = Counter()
        for pair, count in counts.items() if name == "skeleton" else ():
            ways[skeleton_direction(*pair) or "level"] += count
        directions = {way: ways[way] for way in ("contracted", "expanded", "level")} if name == "skeleton" else {}
        rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
        total = sum(counts.values())
        found[name] = Likeness(total, ratio(total, everything), directions, tuple(Alike(*pair, count) for pair, count in rows))
    return found


def same_skeleton(reference: str, hypothesis: str) -> bool:
    """Whether two words of an Indian script have the same consonants.

    >>> same_skeleton("ಮಾಡಿ", "ಮಾಡು"), same_skeleton("दिल", "दिन")
    (True, False)
    """
    return not reference.isascii() and skeleton(reference) == skeleton(hypothesis)


def same_but_length(reference: str, hypothesis: str) -> bool:
    """Whether two words differ in the length of vowels only.

    >>> same_but_length("पिता", "पीता"), same_but_length("है", "हैं")
    (True, False)
    """
    return _shortened(reference) == _shortened(hypothesis)


def one_sign_apart(reference: str, hypothesis: str) -> bool:
    """Whether one code point more, less or another makes one word the other.

    >>> one_sign_apart("है", "हैं"), one_sign_apart("नहीं", "कहीं"), one_sign_apart("सिर", "पेट")
    (True, True, False)
    """
    return Levenshtein.distance(canonical(reference), canonical(hypothesis), score_cutoff=1) == 1


def of_other_scripts(reference: str, hypothesis: str) -> bool:
    """Whether two words have letters of known scripts, and of none in common.

    >>> of_other_scripts("doctor", "डॉक्टर"), of_other_scripts("doctor", "12")
    (True, False)
    """
    one, other = scripts_in(reference), scripts_in(hypothesis)
    return bool(one and other and not one & other)


@lru_cache(maxsize=65536)
def scripts_in(text: str) -> frozenset[str]:
    """The known scripts that a text has letters of."""
    return frozenset(script for script in map(script_of, text) if script is not None)


_SORTS: Mapping[str, Callable[[str, str], bool]] = {
    "skeleton": same_skeleton,
    "vowel_length": same_but_length,
    "one_sign": one_sign_apart,
    "other_script": of_other_scripts,
}


@lru_cache(maxsize=65536)
def _shortened(word: str) -> str:
    return canonical(word).translate(_SHORTENED)

"""A segment has more words than can be said in its time, or hardly any for its length.

What it does:
    Counts syllables (aksharas of Indian scripts, groups of vowels in Latin letters) without tags, and divides them by the length
    of the segment.

Why it matters:
    Too fast: the end of the segment is cut, or its words belong to a longer stretch. Too slow: words are missing, or the segment
    is far too long. Both make training data and time-constrained scores wrong.

How to mend:
    Listen to the segment; mend its times or its words.

Limits:
    `max-speaking-rate` (12) and `min-speaking-rate` (0.2) in syllables a second; with a language's tag for that language only
    (`max-speaking-rate-kn`). `rate-seconds` (1.0): shorter segments are not looked at. In the 5,681 such segments of PriMock57
    the fastest has 9.0 and the slowest 0.28; conversations in Hindi and Kannada have 3 to 10.

Example:
    It says: "60 syllables in 3.2 s, 18.8 a second".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import counted
from parakh.qc import Check, Material, Settings
from parakh.qc._speech import syllables
from parakh.types import Finding, Severity

_RATES = ("max-speaking-rate", "min-speaking-rate")


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    source = material.transcript
    if source is None:
        return
    most, least = (settings.limit(name, material.language) for name in _RATES)
    shortest = settings.limit("rate-seconds")
    for index, one in enumerate(source.items):
        length = one.duration
        if length < shortest or _is_plausible(one.words, most * length, least * length):
            continue
        count = syllables(one.words)
        if count and not least <= count / length <= most:
            message = f"{counted(count, 'syllable')} in {length:.1f} s, {count / length:.1f} a second"
            yield CHECK.at(material, message, source, index)


def _is_plausible(words: str, most: float, least: float) -> bool:
    """What can be told fast: a syllable has a letter or digit of its own, a word at least one syllable."""
    if "<" in words:
        return False
    return words.count(" ") >= least and (len(words) <= most or sum(map(str.isalnum, words)) <= most)


CHECK = Check(
    "QC404",
    "implausible-speaking-rate",
    "A segment has too many or too few words",
    Severity.WARNING,
    recording=_recording,
    limits={"max-speaking-rate": 12.0, "min-speaking-rate": 0.2, "rate-seconds": 1.0},
    by_language=_RATES,
)

"""What of a transcript is spoken: its words without tags and marks, and how long they take to say."""

from __future__ import annotations

import re

from parakh.qc._texts import without_tags
from parakh.text.graphemes import aksharas

_MARKS = re.compile(r"""[.,;:?!"'()\[\]{}…‘’“”।॥|/\\–—_*#~+=-]+""")
_VOWELS = re.compile(r"[aeiouy]+", re.IGNORECASE)
_LATIN = re.compile(r"[A-Za-z]")


def spoken(text: str) -> str:
    """A text without its tags in angle brackets and without marks.

    >>> spoken("<noise> BP 140/90 है।").split()
    ['BP', '140', '90', 'है']
    """
    return _MARKS.sub(" ", without_tags(text))


def syllables(text: str) -> int:
    """About how many syllables it takes to say a text: aksharas, and groups of vowels in Latin letters.

    >>> syllables("नमस्ते दीदी"), syllables("blood pressure 140")
    (5, 7)
    """
    return sum(map(_of_word, spoken(text).split()))


def _of_word(word: str) -> int:
    if _LATIN.search(word):
        return max(1, len(_VOWELS.findall(word)))
    return sum(piece[0].isalnum() for piece in aksharas(word))

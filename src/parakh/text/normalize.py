"""Normalisation profiles: the named, versioned ways of preparing text before it is scored.

A profile is a sequence of steps, applied in order to reference and hypothesis alike, once, by ``evaluate``.
Metrics never normalise. The profile and its version are part of every signature. Nothing here is ever written
back to a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from parakh.errors import UnknownNameError
from parakh.text.folds import ascii_digits, atomic_letters, canonical, lower_case

if TYPE_CHECKING:
    import regex

__all__ = ["PROFILES", "Profile", "ascii_digits", "atomic_letters", "canonical", "get_profile"]

Step = Callable[[str], str]

_TAG = re.compile(r"<[^<>]*>")
_CHALLENGE_MARKS = ".?!,।"
_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_STOP = re.compile(r"[।॥۔]")


@dataclass(frozen=True)
class Profile:
    """A named normalisation.

    Args:
        name: As given to ``--normalize``.
        version: Raised whenever it gives another text for some input.
        title: What it does, for people.
        steps: The functions it applies, in order.
    """

    name: str
    version: int
    title: str
    steps: tuple[Step, ...] = ()

    def __call__(self, text: str) -> str:
        """The normalised text."""
        for step in self.steps:
            text = step(text)
        return text

    def __str__(self) -> str:
        return f"{self.name}.v{self.version}"


def strip_tags(text: str) -> str:
    """Remove annotation tags such as ``<overlap>``.

    >>> strip_tags("<noise> जी हाँ")
    ' जी हाँ'
    """
    return _TAG.sub("", text) if "<" in text else text


def strip_challenge_punctuation(text: str) -> str:
    """Remove ``. ? ! , ।``, the marks that the DISPLACE-M scorer removes.

    >>> strip_challenge_punctuation("बुखार है? हाँ।")
    'बुखार है हाँ'
    """
    for mark in _CHALLENGE_MARKS:
        text = text.replace(mark, "")
    return text


def collapse_spaces(text: str) -> str:
    """One space between words, none at the ends."""
    return " ".join(text.split())


def blank_non_ascii(text: str) -> str:
    """A space for every character outside ASCII: what rouge_score leaves of a text.

    >>> blank_non_ascii("BP 140 है")
    'BP 140   '
    """
    return _NON_ASCII.sub(" ", text)


def strip_punctuation(text: str) -> str:
    """A space for punctuation that is not between two letters or digits, danda and Urdu full stop included.

    >>> collapse_spaces(strip_punctuation("“भाई-साहब”, BP 140/90 है।"))
    'भाई-साहब BP 140/90 है'
    """
    return _outer_punctuation().sub(" ", _STOP.sub(" ", text))


@cache
def _outer_punctuation() -> regex.Pattern[str]:
    import regex  # only the indic profile needs it, and it takes a while to load

    return regex.compile(r"(?<![\p{L}\p{M}\p{N}])\p{P}+|\p{P}+(?![\p{L}\p{M}\p{N}])")


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("none", 1, "the text as it stands"),
        Profile(
            "displace-2026",
            1,
            "the challenge's: lower case, <tags> and . ? ! , । removed, spaces collapsed, no Unicode normalisation",
            (lower_case, strip_tags, strip_challenge_punctuation, collapse_spaces),
        ),
        Profile(
            "indic",
            1,
            "canonical letters (NFC, chillu, khanda ta), ASCII digits, lower case, tags and outer punctuation removed",
            (canonical, atomic_letters, ascii_digits, lower_case, strip_tags, strip_punctuation, collapse_spaces),
        ),
        Profile("ascii", 1, "only ASCII, all else a space: ROUGE figures as rouge_score gives them", (blank_non_ascii,)),
    )
}
"""Every profile by name."""


def get_profile(name: str) -> Profile:
    """The profile called ``name``.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> str(get_profile("indic"))
    'indic.v1'
    """
    if name not in PROFILES:
        raise UnknownNameError("normalisation profile", name, list(PROFILES))
    return PROFILES[name]

"""Which language a script stands for in a recording, where its results say so: Marathi and not Hindi, Sindhi and not Urdu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from parakh import languages
from parakh.markup import language

Tongues = Mapping[str | None, str]
"""From the language that a script is usually taken for (``markup.language``) to the one that is known."""
_LETTERS = {
    "Deva": "क",
    "Beng": "ক",
    "Guru": "ਕ",
    "Gujr": "ક",
    "Orya": "କ",
    "Taml": "க",
    "Telu": "క",
    "Knda": "ಕ",
    "Mlym": "ക",
    "Arab": "ک",
    "Olck": "ᱠ",
    "Mtei": "ꯀ",
}
"""A letter of each script."""


def tongues(tag: str | None, *sides: Sequence[Mapping[str, Any]]) -> dict[str | None, str]:
    """What is known of the languages of a recording.

    Args:
        tag: BCP-47 primary tag of the recording; None if unknown.
        sides: Turns with ``words`` and perhaps their ``language``, which wins; later sides win over earlier ones.

    >>> tongues("mr"), tongues("hi", [{"words": "خبر", "language": "sd"}])
    ({'hi': 'mr'}, {'hi': 'hi', 'ur': 'sd'})
    """
    spoken = ((turn["words"] or "", turn["language"]) for side in sides for turn in side if turn.get("language"))
    return {**_written(tag), **{language(str(words)): str(own) for words, own in spoken}}


@cache
def _written(tag: str | None) -> dict[str | None, str]:
    scripts = languages.get(tag).scripts if tag else ()
    return {language(_LETTERS[script]): tag for script in scripts if tag and script in _LETTERS}

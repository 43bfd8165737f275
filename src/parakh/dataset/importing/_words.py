"""Words of other data sets for what this one has words of its own for: languages, sex, conditions."""

from __future__ import annotations

from parakh import languages
from parakh.languages.tags import is_language, primary_language

_SEX = {"f": "f", "female": "f", "woman": "f", "w": "f", "m": "m", "male": "m", "man": "m", "o": "o", "other": "o"}
_CONDITIONS = {"nf": "near-field", "ff": "far-field", "itw": "in-the-wild"}


_NAMES = {"oriya": "or", "sindhi": "sd", "bodo": "brx", "manipuri": "mni", "meitei": "mni", "kashmiri": "ks"}
"""Further English names of languages."""


def _named(text: str) -> str | None:
    return languages.named(text) or _NAMES.get(text.strip().lower())


def language(text: str | None) -> str | None:
    """The BCP-47 primary tag of a language, from its tag or its English name; what is neither stays as it is.

    >>> language("Hindi"), language("hi-IN"), language("kan"), language(None)
    ('hi', 'hi', 'kn', None)
    """
    if not text or not text.strip():
        return None
    name = text.strip().lower().partition(" (")[0]
    known = _named(name) or languages.get(name).tag
    if known != "und":
        return known
    return primary_language(name) if is_language(name) else text.strip()


def is_named_language(text: str) -> bool:
    """Whether a folder is called after a language.

    >>> is_named_language("Kannada"), is_named_language("data")
    (True, False)
    """
    return _named(text) is not None


def sex(text: str | None) -> str | None:
    """``f``, ``m`` or ``o``; what is neither stays as it is.

    >>> sex("Female"), sex("m"), sex(None)
    ('f', 'm', None)
    """
    return _SEX.get(text.strip().lower(), text.strip()) if text and text.strip() else None


def condition(text: str | None) -> str | None:
    """How a recording was made, in words.

    >>> condition("ff"), condition("studio")
    ('far-field', 'studio')
    """
    return _CONDITIONS.get(text.strip().lower(), text.strip()) if text and text.strip() else None

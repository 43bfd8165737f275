"""The categories that come with the package."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from parakh.diagnostics._term_lists import Category, parse_terms
from parakh.errors import UnknownNameError

BUNDLED = ("FILLER", "MEDICAL", "NEGATION", "NUMBER", "ENGLISH")
"""Names of the categories that come with the package."""


def bundled(name: str, languages: Iterable[str] | None = None) -> Category:
    """A category that comes with the package.

    Args:
        name: One of ``BUNDLED``.
        languages: BCP-47 primary tags; English is always among them, as every conversation may switch to it. None takes the
            terms of all languages.

    Raises:
        UnknownNameError: There is no such category.

    >>> [term.name for term in bundled("FILLER", ["hi"]).terms if term.name in ("हम्म", "ಅ", "um")]
    ['हम्म', 'um']
    """
    if name not in BUNDLED:
        raise UnknownNameError("category", name, BUNDLED)
    return _selected(name, None if languages is None else frozenset(languages))


@cache
def _selected(name: str, languages: frozenset[str] | None) -> Category:
    whole = _whole(name)
    if languages is None:
        return whole
    taken = languages | {"en"}
    return Category(name, tuple(term for term in whole.terms if term.language is None or term.language in taken))


@cache
def _whole(name: str) -> Category:
    lines = (files("parakh.diagnostics") / "lists" / f"{name.lower()}.txt").read_text("utf-8").split("\n")
    return parse_terms(name, lines, f"{name.lower()}.txt")

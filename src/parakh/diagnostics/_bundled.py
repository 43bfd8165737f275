"""The categories that come with the package.

Their words stand in ``lists/<name>.txt``. MEDICAL takes further words from the clinical lists: forms of one word of every
concept that is no advice, the medicines, the units of a dose and what is measured, without those of ``lists/medical_not.txt``.
NUMBER is made of the number words of the languages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Set
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any

from parakh.diagnostics._term_lists import Category, Term, parse_terms
from parakh.errors import UnknownNameError

BUNDLED = ("FILLER", "MEDICAL", "NEGATION", "NUMBER", "ENGLISH")
"""Names of the categories that come with the package."""

_LISTS = files("parakh.diagnostics") / "lists"
_CLINICAL = files("parakh") / "clinical" / "data"  # as a folder: importing the package takes longer than reading all of it
_NUMBERS = files("parakh") / "languages" / "numbers"
_NO_TERMS = frozenset({"advice.toml", "decoys.toml"})
_COLUMNS = {"en": "en", "roman": "hi", "hi": "hi", "kn": "kn"}
_DOSES = frozenset({"grams", "litres", "units", "tablets", "drops", "puffs", "injections", "doses", "pressure"})
_MEASURES = ("blood-pressure", "hemoglobin", "blood-sugar", "temperature", "pulse", "oxygen", "weight")
_NUMBER_SECTIONS = ("values", "before", "scales", "fractions")


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
    """Only what is asked for is read: all languages take many times as long."""
    taken = None if languages is None else languages | {"en"}
    if name == "NUMBER":
        return Category(name, _once(parse_terms(name, _number_lines(taken), "languages/numbers").terms))
    terms = parse_terms(name, _of(taken, _list_lines(name.lower())), f"{name.lower()}.txt").terms
    if name == "MEDICAL":
        terms += parse_terms(name, _of(taken, _clinical_lines()), "clinical/data").terms
    return Category(name, _once(terms))


def _once(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple({(term.name, term.language): term for term in terms}.values())


def _of(languages: Set[str] | None, lines: Iterable[str]) -> Iterator[str]:
    """The lines with those of other languages left blank, so that each keeps its number."""
    taken = True
    for line in lines:
        if line.startswith("@language:"):
            taken = languages is None or line.partition(":")[2].strip() in languages
        yield line if taken or line.startswith("@") else ""


def _list_lines(name: str) -> list[str]:
    return (_LISTS / f"{name}.txt").read_text("utf-8").split("\n")


# --- Clinical lists ---------------------------------------------------------------------------------------------------------


def _clinical_lines() -> Iterator[str]:
    left_out = frozenset(_list_lines("medical_not"))
    words: dict[str, dict[str, None]] = {}
    for language, form in chain(_concept_forms(), _medicine_names(), _unit_names(), _measure_names()):
        words.setdefault(language, {})[form.strip()] = None
    for language, forms in words.items():
        yield f"@language: {language}"
        yield from (form for form in forms if form not in left_out)


def _concept_forms() -> Iterator[tuple[str, str]]:
    """Forms of one word; a row of words with gaps between them is a clause, no term."""
    for path in sorted((_CLINICAL / "concepts").iterdir(), key=lambda entry: entry.name):
        if path.name in _NO_TERMS:
            continue
        rows = tomllib.loads(path.read_text("utf-8")).values()
        for row in (row for row in rows if isinstance(row, dict)):
            for column, language in _COLUMNS.items():
                forms = (form.strip() for form in row.get(column, "").split(";"))
                yield from ((language, form) for form in forms if form and not set(form) & set(" |{"))


def _medicine_names() -> Iterator[tuple[str, str]]:
    for _, *columns in _rows("medicines.tsv"):
        for language, names in zip(("en", "hi", "kn"), columns, strict=False):
            yield from ((language, f"{name}*" if language == "kn" else name) for name in names.split(";") if name.strip())


def _unit_names() -> Iterator[tuple[str, str]]:
    for _, dimension, _, names in _rows("units.tsv"):
        if dimension in _DOSES or dimension.endswith("in blood"):
            yield from ((_language(name), name) for name in names.split(";"))


def _measure_names() -> Iterator[tuple[str, str]]:
    table = tomllib.loads((_CLINICAL / "measures.toml").read_text("utf-8"))
    for measure in _MEASURES:
        yield from ((_language(name), name) for name in table[measure]["words"].split(";"))


def _rows(name: str) -> list[list[str]]:
    """The rows of a table, without its comments and header."""
    lines = (_CLINICAL / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")][1:]


def _language(name: str) -> str:
    first = name.strip()[:1]
    return "hi" if "\u0900" <= first < "\u0980" else "kn" if "\u0c80" <= first < "\u0d00" else "en"


# --- Number words -----------------------------------------------------------------------------------------------------------


def _number_lines(languages: Set[str] | None) -> Iterator[str]:
    for path in sorted(_NUMBERS.iterdir(), key=lambda entry: entry.name):
        if languages is not None and path.name.removesuffix(".toml") not in languages:
            continue
        table = tomllib.loads(path.read_text("utf-8"))
        yield f"@language: {path.name.removesuffix('.toml')}"
        for section in _NUMBER_SECTIONS:
            yield from _texts(table.get(section, {}))


def _texts(value: Any) -> Iterator[str]:
    """Every text within tables and lists; parts that are only written joined to a number are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not key.startswith("joined"):
                yield from _texts(item)

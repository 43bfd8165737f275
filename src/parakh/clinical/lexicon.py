"""The concept list: what the health problems, medicines, tests and pieces of advice are called and how people say them.

``data/concepts/*.toml`` holds one table a concept. ``term`` is the English name; ``en``, ``roman`` (Hindi in Latin
letters), ``hi`` and ``kn`` are spoken forms separated by ``;``; ``normal`` forms say the healthy opposite ("sleeps well"),
so that denying them asserts the concept. A form is a row of words: ``a|b`` alternatives, ``x*`` any ending, ``..`` up
to three words between, ``{name}`` a row of ``data/macros.toml``, ``a_b`` a two-word alternative.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from parakh.clinical.folding import tight

DATA = files("parakh.clinical") / "data"
PROBLEM_KINDS = frozenset({"symptom", "disease", "condition", "immunisation", "family-planning", "nutrition"})
"""Kinds of concept that can be a health problem or the reason of a visit."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One entry of the list.

    Args:
        id: Stable name ("knee-pain").
        term: English name as a topic ("Knee pain"); a noun or verb phrase for medicines, tests and advice.
        kind: "symptom", "disease", "condition", "immunisation", "family-planning", "nutrition", "history",
            "medicine", "procedure", "advice" or "decoy" (a phrase that only looks like a concept).
        broader: Id of the concept this one makes superfluous; None if there is none.
        chronic: Once begun it stays, so "last year" tells when it began, not that it is over.
    """

    id: str
    term: str
    kind: str
    broader: str | None = None
    chronic: bool = False

    @property
    def is_problem(self) -> bool:
        """Whether it can be a topic."""
        return self.kind in PROBLEM_KINDS


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of a form: the words that fill it."""

    exact: frozenset[str]
    prefixes: frozenset[str]
    after_gap: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One way of saying a concept.

    Args:
        concept: What it says.
        slots: Its words in order.
        column: "en", "roman", "hi" or "kn"; "normal" for the healthy opposite.
    """

    concept: Concept
    slots: tuple[Slot, ...]
    column: str


def in_sentence(term: str) -> str:
    """A term as it stands within a sentence; abbreviations keep their capitals.

    >>> in_sentence("Knee pain"), in_sentence("COPD"), in_sentence("an ECG")
    ('knee pain', 'COPD', 'an ECG')
    """
    return term if term[:2].isupper() else term[0].lower() + term[1:]


@cache
def concepts() -> Mapping[str, Concept]:
    """Every concept by id, in the order of the list.

    >>> concepts()["knee-pain"].term
    'Knee pain'
    """
    return {
        name: Concept(name, row["term"], row.get("kind", kind), row.get("broader"), row.get("chronic", False))
        for kind, name, row in _rows()
    }


@cache
def forms() -> tuple[Form, ...]:
    """Every spoken form of every concept."""
    macros = tomllib.loads((DATA / "macros.toml").read_text("utf-8"))
    return tuple(
        Form(concepts()[name], _slots(pieces), column)
        for _, name, row in _rows()
        for column in ("en", "roman", "hi", "kn", "normal")
        for form in row.get(column, "").split(";")
        if form.strip()
        for pieces in _expand(form, macros)
    )


@cache
def composites() -> tuple[tuple[str, str, str], ...]:
    """Problems that two concepts make together: (term, one id, other id)."""
    lines = (DATA / "composites.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return tuple((term, part, other) for term, part, other in rows[1:])


@cache
def read_table(name: str) -> dict[str, Any]:
    """One TOML file of the data folder."""
    return tomllib.loads((DATA / name).read_text("utf-8"))


@cache
def _rows() -> tuple[tuple[str, str, Mapping[str, Any]], ...]:
    return tuple(_read_rows())


def _read_rows() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path in sorted((DATA / "concepts").iterdir(), key=lambda p: p.name):
        table = tomllib.loads(path.read_text("utf-8"))
        kind = table.pop("kind")
        for name, row in table.items():
            yield kind, name, row


def _expand(form: str, macros: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """The pieces of a form, once for every alternative of more than one word."""
    for name, words in macros.items():
        form = form.replace(f"{{{name}}}", words)
    choices = []
    for piece in form.replace("-", " ").split():
        options = piece.split("|")
        single = "|".join(option for option in options if "_" not in option)
        choices.append([pick.split("_") for pick in (single, *(option for option in options if "_" in option)) if pick])
    for picks in product(*choices):
        yield tuple(piece for pick in picks for piece in pick)


def _slots(pieces: Sequence[str]) -> tuple[Slot, ...]:
    slots: list[Slot] = []
    gap = False
    for piece in pieces:
        if piece == "..":
            gap = True
            continue
        words = [tight(word) for word in piece.split("|")]
        exact = frozenset(word for word in words if not word.endswith("*"))
        slots.append(Slot(exact, frozenset(word[:-1] for word in words if word.endswith("*")), gap))
        gap = False
    return tuple(slots)

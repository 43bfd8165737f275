"""Pairs of texts, one JSON object a line, and what a diagnosis counts in each: the interface for programs.

A line has ``id``, ``language``, ``reference``, ``hypothesis`` and ``config``, all texts; only the two are needed, and they may be
called ``text`` and ``pred_text``, as in manifests of recognisers. ``config`` is empty, or one or more of these, separated by
semicolons: ``NAME: a | b`` (terms of a category that is charged), ``bundled NAME list`` (a built-in one), ``tier: NAME`` (one
that is off by default), ``variants: word=spelling | ...``. Without it only words, numerals and marks are charged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parakh.diagnostics import EventKind, Pair
from parakh.diagnostics.alignment import align_texts
from parakh.diagnostics.breakdown import Counts, breakdown
from parakh.diagnostics.categories import BUNDLED, bundled, parse_terms
from parakh.diagnostics.setup import Setup
from parakh.errors import Fault, InputError, UnknownNameError
from parakh.formats._json import name_of, parse, text_of
from parakh.formats._text import Reader, shown
from parakh.text.tiers import TIERS
from parakh.text.tokens import Kind

_BUNDLED = re.compile(r"bundled\s+(\w+)\s+list", re.IGNORECASE)
_EXPECTED = "'NAME: a | b', 'bundled NAME list', 'tier: NAME' or 'variants: word=spelling | ...'"
_SIDES = (("reference", "text"), ("hypothesis", "pred_text"))
_COUNTED = ("n", "substitutions", "deletions", "insertions")
_NOTHING = Counts(0, 0, 0, 0, None)
_SHOWN = (EventKind.BOUNDARY, EventKind.ORTHOGRAPHIC, EventKind.FORMAT)


@dataclass(frozen=True)
class TextPair:
    """One line of a file of pairs."""

    id: str
    reference: str
    hypothesis: str
    setup: Setup


def read_pairs(path: Path) -> list[TextPair]:
    """Read a file of pairs; ``-`` is standard input.

    Raises:
        InputError: A line is no JSON object, lacks a text, or has a config that cannot be read.
    """
    reader = Reader(path)
    pairs: list[TextPair] = []
    for line, text in reader.records():
        values = parse(reader, line, text)
        if not isinstance(values, dict):
            if values is not None:
                reader.fault(line, "", shown(values), "a JSON object")
            continue
        keys = [next((key for key in names if key in values), names[0]) for names in _SIDES]
        for key in keys:
            if key not in values:
                reader.fault(line, key, "nothing", "a text, which may be empty")
        texts = [text_of(reader, line, values, key) for key in (*keys, "config")]
        name = name_of(reader, line, values, "id") or str(line)
        language = name_of(reader, line, values, "language")
        try:
            setup = read_config(texts[2], Setup(language), str(path), line)
        except InputError as error:
            for fault in error.faults:
                reader.fault(line, fault.field or "config", fault.found, fault.expected)
            continue
        pairs.append(TextPair(name, texts[0], texts[1], setup))
    return list(reader.loaded(pairs).items)


def read_config(config: str, setup: Setup, path: str = "config", line: int | None = None) -> Setup:
    """A setup with the changes that a config names.

    Args:
        config: As the module says.
        setup: What to change.
        path: Where the config stands, for faults.
        line: The line it stands in.

    Raises:
        InputError: A part of it cannot be read.

    >>> read_config("tier: colloquial", Setup("kn")).add
    ('colloquial',)
    """
    for part in filter(None, map(str.strip, config.split(";"))):
        listed = _BUNDLED.fullmatch(part)
        name, colon, rest = (one.strip() for one in part.partition(":"))
        if listed:
            name = listed[1].upper()
            if name not in BUNDLED:
                raise InputError(Fault(path, "config", repr(part), f"one of the lists {', '.join(BUNDLED)}", line=line))
            setup = replace(setup, categories=(*setup.categories, bundled(name)))
        elif not colon or not name or not rest:
            raise InputError(Fault(path, "config", repr(part), _EXPECTED, line=line))
        elif name == "tier":
            setup = _with_tier(setup, rest, path, line)
        elif name == "variants":
            setup = replace(setup, variants={**setup.variants, **_variants(rest, path, line)})
        else:
            terms = [term.strip() for term in rest.split(" | ")]
            setup = replace(setup, categories=(*setup.categories, parse_terms(name, terms, path)))
    return setup


def _with_tier(setup: Setup, name: str, path: str, line: int | None) -> Setup:
    try:
        return replace(setup, add=(*setup.add, name))
    except UnknownNameError:
        raise InputError(Fault(path, "config", repr(name), f"a tier: {', '.join(TIERS)}", line=line)) from None


def _variants(text: str, path: str, line: int | None) -> dict[str, str]:
    found = {}
    for part in text.split("|"):
        word, equals, spelling = (one.strip() for one in part.partition("="))
        if not equals or not word or not spelling:
            raise InputError(Fault(path, "config", repr(part), "word=spelling", line=line))
        found[spelling] = word
    return found


def answer(pairs: Sequence[TextPair]) -> dict[str, Any]:
    """What is counted in each pair, and in all of them.

    Args:
        pairs: The pairs.

    Returns:
        ``pairs``: for each its id, counts by category and number of events of each kind; ``total``: the same over all, with
        the number of errors and the rate, None where the references are empty.
    """
    rows, corpus, every = [], [], dict.fromkeys(map(str, Kind))
    for one in pairs:
        names = [*map(str, Kind), *(category.name for category in one.setup.categories)]
        every |= dict.fromkeys(names)
        aligned = [(one.id, pair) for pair in align_texts(one.reference, one.hypothesis, one.setup)]
        rows.append({"id": one.id, **_counted(aligned, names)})
        corpus += aligned
    total = breakdown(corpus).total
    return {"pairs": rows, "total": {"n": total.n, "errors": total.errors, "rate": total.rate, **_counted(corpus, list(every))}}


def _counted(corpus: Sequence[tuple[str, Pair]], names: Sequence[str]) -> dict[str, Any]:
    """Counts of each category and the number of events of each kind."""
    found = breakdown(corpus).categories
    counts = {name: found.get(name, _NOTHING) for name in dict.fromkeys([*names, *found])}
    kinds = Counter(event.kind for _, pair in corpus for event in pair.events)
    return {
        "categories": {name: {key: getattr(count, key) for key in _COUNTED} for name, count in counts.items()},
        "events": {str(kind): kinds[kind] for kind in _SHOWN},
    }

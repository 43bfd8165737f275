"""The folder listing is the registry: every module of a plug-in package is a plug-in, named after its file.

Outside packages add plug-ins through the entry-point group ``parakh.<kind>``.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from parakh.errors import UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

KINDS = {
    "metric": "parakh.metrics",
    "format": "parakh.formats",
    "check": "parakh.qc",
    "track": "parakh.tracks",
    "fusion": "parakh.fusion",
    "importer": "parakh.dataset.importing",
    "exporter": "parakh.dataset.exporting",
    "diarizer": "parakh.cascade.diarizers",
    "transcriber": "parakh.cascade.transcribers",
    "correction": "parakh.cascade.corrections",
    "translator": "parakh.cascade.translators",
    "llm": "parakh.cascade.llms",
    "topics": "parakh.cascade.topics",
    "summary": "parakh.cascade.summaries",
    "recipe": "parakh.finetuning.recipes",
    "figure": "parakh.report.figures",
    "table": "parakh.report.tables",
}
"""Every kind of plug-in and the package whose modules are its plug-ins."""


def names(kind: str) -> list[str]:
    """Names of all plug-ins of a kind, sorted; a file ``open_ai.py`` is called ``open-ai``.

    Raises:
        UnknownNameError: There is no such kind.

    >>> "der" in names("metric")
    True
    """
    return sorted({*_own(kind), *_outside(kind)})


def load(kind: str, name: str) -> ModuleType:
    """Import the plug-in ``name`` of a kind and return its module.

    Raises:
        UnknownNameError: No plug-in of that kind has that name; close matches are listed.

    >>> load("metric", "der").__name__
    'parakh.metrics.der'
    """
    entry = _outside(kind).get(name)
    if entry is not None:
        module: ModuleType = entry.load()
        return module
    if name not in _own(kind):
        raise UnknownNameError(kind, name, names(kind))
    return importlib.import_module(f"{_package(kind)}.{name.replace('-', '_')}")


def package(kind: str) -> ModuleType:
    """The package of a kind: it declares the form of its plug-ins and finds one by what it is called.

    Raises:
        UnknownNameError: There is no such kind.

    >>> package("metric").get("der").unit
    '%'
    """
    return importlib.import_module(_package(kind))


@cache
def _own(kind: str) -> frozenset[str]:
    return frozenset(_to_name(m.name) for m in pkgutil.iter_modules(package(kind).__path__) if not m.name.startswith("_"))


@cache
def _outside(kind: str) -> dict[str, EntryPoint]:
    """Entry points of other packages, read once."""
    group = f"parakh.{kind}"
    declared = _declared(tuple(sys.path))
    if declared is not None and group not in declared:
        return {}
    from importlib.metadata import entry_points  # loads slowly

    return {entry.name: entry for entry in entry_points(group=group)}


@cache
def _declared(path: tuple[str, ...]) -> str | None:
    """What installed packages declare as entry points; None where that takes more than looking into their folders."""
    places = [Path(place) for place in path]
    if any(place.is_file() for place in places):
        return None
    files = [file for place in places for file in place.glob("*-info/entry_points.txt")]
    return "".join(file.read_text(encoding="utf-8", errors="replace") for file in files)


def _package(kind: str) -> str:
    if kind not in KINDS:
        raise UnknownNameError("kind of plug-in", kind, list(KINDS))
    return KINDS[kind]


def _to_name(module: str) -> str:
    return module.replace("_", "-")

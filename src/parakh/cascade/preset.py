"""A preset names the backend of each stage and its options: a TOML file, bundled or the user's own."""

from __future__ import annotations

import dataclasses
import hashlib
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from parakh import registry
from parakh.cascade import assembly, environments
from parakh.cascade.isolated import Isolated
from parakh.cascade.options import did_you_mean, shown, type_faults, value_of
from parakh.errors import Fault, InputError, UnknownNameError
from parakh.files import read_text

STAGES = ("diarizer", "transcriber", "correction", "translator", "topics", "summary")
"""The stages of the cascade in order; each is a table of a preset and a kind of backend."""

PRESETS = Path(__file__).parent / "presets"

_OF_STAGE = ("name", "python")
"""Keys of a stage's table that are no options of its backend."""


@dataclass(frozen=True)
class Stage:
    """One stage of a cascade.

    Args:
        kind: Which question it answers ("diarizer" ...).
        name: The backend's name.
        backend: The backend, built with the preset's options.
        models: Names of the models it needs from the store.
        endpoint: The network address it sends data to; None when it works on this machine alone.
    """

    kind: str
    name: str
    backend: Any
    models: tuple[str, ...]
    endpoint: str | None


@dataclass(frozen=True)
class Preset:
    """A cascade, ready to run: its stages in order and a digest of everything that defines it."""

    name: str
    title: str
    stages: tuple[Stage, ...]
    digest: str


def preset_names() -> list[str]:
    """Names of the bundled presets.

    >>> "embedded" in preset_names()
    True
    """
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def load_preset(name: str, settings: Sequence[str] = ()) -> Preset:
    """Read a bundled preset by name, or any preset by path, and build its backends.

    Args:
        name: A bundled preset's name, or a path that ends in ``.toml``.
        settings: Changes to single options, each ``stage.option=value`` with the value as TOML writes it.

    Raises:
        UnknownNameError: No such preset or backend.
        InputError: The file is no TOML, or a table, option or value of it is wrong; one line a fault.
    """
    path = Path(name) if name.endswith(".toml") else PRESETS / f"{name}.toml"
    if not path.is_file():
        if name.endswith(".toml"):
            raise InputError(Fault(name, "", "no such file", "a preset in TOML"))
        raise UnknownNameError("preset", name, preset_names())
    try:
        text = read_text(path)
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(str(path), "", f"no TOML ({error})", "a preset in TOML")) from error
    places = _Places(str(path), frozenset(_change(document, setting) for setting in settings))
    faults = _table_faults(document, places)
    if faults:
        raise InputError(faults)
    stages = _build_all(document, places)
    inputs = [path for stage in stages for path in getattr(stage.backend, "inputs", ())]
    contents = [hashlib.sha256(path.read_bytes()).hexdigest() for path in inputs]
    digest = hashlib.sha256("\n".join([text, *settings, *contents]).encode()).hexdigest()
    return Preset(path.stem, str(document.get("title", path.stem)), stages, digest)


@dataclass(frozen=True)
class _Places:
    """Where each option was given: by ``--set``, or else in the preset's file."""

    path: str
    changed: frozenset[tuple[str, str]]

    def of(self, kind: str, option: str) -> str:
        return "--set" if (kind, option) in self.changed else self.path


def _change(document: dict[str, Any], setting: str) -> tuple[str, str]:
    """Apply one ``stage.option=value`` to a preset's document; returns its stage and option."""
    key, equals, value = setting.partition("=")
    kind, dot, option = (part.strip() for part in key.partition("."))
    if not (equals and dot and option):
        raise InputError(Fault("--set", "", shown(setting), "STAGE.OPTION=VALUE, as diarizer.num_speakers=2"))
    if kind not in STAGES:
        found = f"no stage {kind!r} in {shown(setting)}"
        raise InputError(Fault("--set", "", found, f"one of the stages {', '.join(STAGES)}", did_you_mean(kind, STAGES)))
    table = document.setdefault(kind, {})
    if isinstance(table, dict):  # what is no table is told with the other faults of the file
        table[option] = value_of(value)
    return kind, option


def _table_faults(document: Mapping[str, Any], places: _Places) -> list[Fault]:
    known = {"title", *STAGES}
    faults = [
        Fault(places.path, key, "an unknown key", f"one of {', '.join(sorted(known))}", did_you_mean(key, known))
        for key in document
        if key not in known
    ]
    if not isinstance(document.get("title", ""), str):
        faults.append(Fault(places.path, "title", shown(document["title"]), "text"))
    if "diarizer" not in document:
        faults.append(Fault(places.path, "diarizer", "no such table", "[diarizer] with a name", "Every later stage needs turns."))
    for kind in STAGES:
        table = document.get(kind, {"name": ""})
        if not isinstance(table, dict) or not isinstance(table.get("name"), str):
            faults.append(Fault(places.of(kind, "name"), kind, shown(table), f'a table [{kind}] with name = "..."'))
    return faults


def _build_all(document: Mapping[str, Any], places: _Places) -> tuple[Stage, ...]:
    """Every stage's backend; the faults of all of them at once."""
    stages: list[Stage] = []
    faults: list[Fault] = []
    for kind in STAGES:
        if kind not in document:
            continue
        try:
            stages.append(_build(kind, document[kind], places))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return tuple(stages)


def _build(kind: str, table: Mapping[str, Any], places: _Places) -> Stage:
    name = table["name"]
    options = {key: value for key, value in table.items() if key not in _OF_STAGE}
    faults = [*_inner_faults(kind, name, options, places), *_python_faults(kind, table, places)]
    modules: list[ModuleType] = []
    if not faults:
        modules = list(assembly.modules(kind, name, options).values())
        faults = _option_faults(kind, modules, options, places)
    if faults:
        raise InputError(faults)
    try:
        backend = assembly.assembled(kind, name, options)
    except InputError as error:
        raise InputError([_located(fault, kind, modules, places) for fault in error.faults], error.more) from error
    except (TypeError, ValueError) as error:
        raise InputError(Fault(places.path, kind, str(error), f"the options of {name}")) from error
    endpoint = getattr(backend, "endpoint", None)
    if "python" in table:  # the one that was built here has checked the options
        backend = Isolated(kind, name, options, table["python"], endpoint, tuple(getattr(backend, "inputs", ())))
    models = dict.fromkeys(model for module in modules for model in getattr(module, "MODELS", ()))
    return Stage(kind, name, backend, tuple(models), endpoint)


def _python_faults(kind: str, table: Mapping[str, Any], places: _Places) -> list[Fault]:
    """The faults of the interpreter that a stage is to run in."""
    python = table.get("python", sys.executable)
    if isinstance(python, str) and environments.is_interpreter(python):
        return []
    known = environments.names()
    expected = f"the path of an interpreter, or an environment: {', '.join(known)}"
    return [Fault(places.of(kind, "python"), f"{kind}.python", shown(python), expected, did_you_mean(str(python), known))]


def _inner_faults(kind: str, name: str, options: Mapping[str, Any], places: _Places) -> list[Fault]:
    """Options that should name a backend inside this one and are no text."""
    return [
        Fault(
            places.of(kind, key),
            f"{kind}.{key}",
            shown(options[key]),
            f"one of {', '.join(registry.names(field.metadata['kind']))}",
        )
        for key, field in assembly.inner(registry.load(kind, name)).items()
        if not isinstance(options.get(key, ""), str)
    ]


def _located(fault: Fault, kind: str, modules: Sequence[ModuleType], places: _Places) -> Fault:
    """A fault that a backend found in an option, with the place where the option was given."""
    if fault.field not in _fields(modules):
        return fault
    return dataclasses.replace(fault, path=places.of(kind, fault.field), field=f"{kind}.{fault.field}")


def _option_faults(kind: str, modules: Sequence[ModuleType], options: Mapping[str, Any], places: _Places) -> list[Fault]:
    """Options that no module has, options that are missing, and values of the wrong type."""
    fields = _fields(modules)
    faults = [
        Fault(
            places.of(kind, key),
            f"{kind}.{key}",
            "an unknown option",
            f"one of {', '.join([*fields, 'python'])}",
            did_you_mean(key, [*fields, "python"]),
        )
        for key in options
        if key not in fields
    ]
    required = (name for name, field in fields.items() if _is_required(field) and name not in options)
    faults += [Fault(places.path, f"{kind}.{name}", "nothing", "a value", "This backend needs it.") for name in required]
    given = {key: places.of(kind, key) for key in options}
    return faults + [fault for module in modules for fault in type_faults(module.Backend, given, kind, options)]


def _fields(modules: Sequence[ModuleType]) -> dict[str, dataclasses.Field[Any]]:
    return {name: field for module in modules for name, field in assembly.fields(module).items()}


def _is_required(field: dataclasses.Field[Any]) -> bool:
    has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    return not has_default and "kind" not in field.metadata

"""A preset names the backend of each stage and its options: a TOML file, bundled or the user's own."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from parakh import registry
from parakh.errors import Fault, InputError, UnknownNameError
from parakh.files import read_text

STAGES = ("diarizer", "transcriber", "translator", "topics", "summary")
"""The stages of the cascade in order; each is a table of a preset and a kind of backend."""

PRESETS = Path(__file__).parent / "presets"


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
    except tomllib.TOMLDecodeError as error:
        raise InputError(Fault(str(path), "", f"no TOML ({error})", "a preset in TOML")) from error
    for setting in settings:
        _change(document, setting)
    faults = _table_faults(path, document)
    if faults:
        raise InputError(faults)
    stages = tuple(_build(path, kind, document[kind]) for kind in STAGES if kind in document)
    digest = hashlib.sha256("\n".join([text, *settings]).encode()).hexdigest()
    return Preset(path.stem, str(document.get("title", path.stem)), stages, digest)


def _change(document: dict[str, Any], setting: str) -> None:
    """Apply one ``stage.option=value`` to a preset's document."""
    key, equals, value = setting.partition("=")
    kind, dot, option = key.strip().partition(".")
    if not (equals and dot and option and kind in STAGES):
        raise InputError(Fault("--set", "", repr(setting), "STAGE.OPTION=VALUE, as diarizer.num_speakers=2"))
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    document.setdefault(kind, {})[option] = parsed


def _table_faults(path: Path, document: Mapping[str, Any]) -> list[Fault]:
    known = {"title", *STAGES}
    faults = [
        Fault(str(path), key, "an unknown key", f"one of {', '.join(sorted(known))}", _close(key, known))
        for key in document
        if key not in known
    ]
    if "diarizer" not in document:
        faults.append(Fault(str(path), "diarizer", "no such table", "[diarizer] with a name", "Every later stage needs turns."))
    for kind in STAGES:
        table = document.get(kind, {"name": ""})
        if not isinstance(table, dict) or not isinstance(table.get("name"), str):
            faults.append(Fault(str(path), kind, repr(table), f'a table [{kind}] with name = "..."'))
    return faults


def _build(path: Path, kind: str, table: Mapping[str, Any]) -> Stage:
    module = registry.load(kind, table["name"])
    options = {key: value for key, value in table.items() if key != "name"}
    faults = _option_faults(path, kind, module, options)
    if faults:
        raise InputError(faults)
    try:
        backend = module.Backend(**options)
    except (TypeError, ValueError) as error:
        raise InputError(Fault(str(path), kind, str(error), f"the options of {table['name']}")) from error
    return Stage(kind, table["name"], backend, tuple(getattr(module, "MODELS", ())), getattr(backend, "endpoint", None))


def _option_faults(path: Path, kind: str, module: ModuleType, options: Mapping[str, Any]) -> list[Fault]:
    fields = {field.name: field for field in dataclasses.fields(module.Backend)}
    faults = [
        Fault(str(path), f"{kind}.{key}", "an unknown option", f"one of {', '.join(fields) or 'none'}", _close(key, fields))
        for key in options
        if key not in fields
    ]
    required = (name for name, field in fields.items() if _is_required(field) and name not in options)
    return faults + [Fault(str(path), f"{kind}.{name}", "nothing", "a value", "This backend needs it.") for name in required]


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _close(key: str, known: Any) -> str:
    close = difflib.get_close_matches(key, list(known), n=1)
    return f"Did you mean {close[0]!r}?" if close else ""

"""A backend made of the options of its table, with the backends inside it: their options stand in the same table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from parakh import registry
from parakh.errors import Fault, InputError


def modules(kind: str, name: str, options: Mapping[str, Any]) -> dict[str, ModuleType]:
    """The backend's module under "", and those of the backends inside it under the fields that hold them.

    Args:
        kind: "diarizer", "topics" and so on.
        name: The backend's name.
        options: The options of its table; those that name a backend inside are text.

    Raises:
        UnknownNameError: There is no such backend.

    >>> list(modules("topics", "llm", {})), list(modules("topics", "concepts", {}))
    (['', 'llm'], [''])
    """
    outer = registry.load(kind, name)
    chosen = {key: (field.metadata["kind"], options.get(key, field.metadata["default"])) for key, field in inner(outer).items()}
    return {"": outer, **{key: registry.load(of, one) for key, (of, one) in chosen.items()}}


def assembled(kind: str, name: str, options: Mapping[str, Any]) -> Any:
    """The backend, ready to work.

    Args:
        kind: "diarizer", "topics" and so on.
        name: The backend's name.
        options: The options of its table, those of the backends inside it among them; each belongs to one of them.

    Raises:
        UnknownNameError: There is no such backend.
        TypeError: An option belongs to none of them.
        InputError: The faults that the backend and those inside it find in their options, all at once.
    """
    outer, *_ = made_of = modules(kind, name, options)
    for stray in options.keys() - {key for module in made_of.values() for key in fields(module)}:
        raise TypeError(f"{kind} {name} got an unexpected keyword argument {stray!r}")
    faults: list[Fault] = []
    parts = {key: _made(module, {}, options, faults) for key, module in made_of.items() if key != outer}
    backend = _made(made_of[outer], parts, options, faults)
    if faults:
        raise InputError(faults)
    return backend


def inner(module: ModuleType) -> dict[str, dataclasses.Field[Any]]:
    """The fields of a module's backend that hold another backend, by name."""
    return {key: field for key, field in fields(module).items() if "kind" in field.metadata}


def fields(module: ModuleType) -> dict[str, dataclasses.Field[Any]]:
    """The fields of a module's backend by name: its options."""
    return {field.name: field for field in dataclasses.fields(module.Backend)}


def _made(module: ModuleType, parts: Mapping[str, Any], options: Mapping[str, Any], faults: list[Fault]) -> Any:
    """A module's backend with the options that are its own; None where it finds faults in them, which are gathered."""
    own = {key: value for key, value in options.items() if key in fields(module) and key not in parts}
    try:
        return module.Backend(**parts, **own)
    except InputError as error:
        faults += error.faults
    return None

"""Options with their defaults and what docstrings say of them, as a table."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docs.generate.docstrings import cell, of
from docs.generate.page import table

_COLUMNS = ("option", "default", "what it does")


def of_function(function: Callable[..., Any], names: Sequence[str]) -> str:
    """The options ``names`` of a function."""
    parameters = inspect.signature(function).parameters
    said = of(function).items("Args")
    defaults = {name: parameters[name].default if name in parameters else inspect.Parameter.empty for name in names}
    return table(_COLUMNS, ((f"`{name}`", _default(defaults[name]), cell(said.get(name, ""))) for name in names))


def of_dataclass(kind: type[Any]) -> str:
    """The fields of a dataclass, those of its bases among them."""
    said = described(kind)
    rows = ((f"`{one.name}`", _of_field(one), cell(said.get(one.name, ""))) for one in dataclasses.fields(kind))
    return table(_COLUMNS, rows)


def described(kind: type[Any]) -> Mapping[str, str]:
    """What the docstrings of a dataclass and its bases say of each field."""
    said: dict[str, str] = {}
    for one in reversed([kind, *(base for base in kind.__mro__[1:] if dataclasses.is_dataclass(base))]):
        said |= of(one).items("Args")
    return said


def _of_field(one: dataclasses.Field[Any]) -> str:
    if "kind" in one.metadata:
        return f"`{one.metadata['default']!r}`"
    if one.default_factory is not dataclasses.MISSING:
        return f"`{one.default_factory()!r}`"
    return _default(one.default)


def _default(value: object) -> str:
    if value is inspect.Parameter.empty or value is dataclasses.MISSING:
        return "required"
    return f"`{str(value) if hasattr(value, 'value') else repr(value)}`"

"""What the options of a backend may be: types from its annotations, ranges from its own rules."""

from __future__ import annotations

import difflib
import importlib.util
import math
import tomllib
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

from parakh.errors import Fault, InputError, MissingPackageError

THREADS = "a whole number from 1 to 256"

_SHOWN = 80
_NAMES: dict[Any, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def require(backend: str, options: object, rules: Mapping[str, tuple[bool, str]]) -> None:
    """Refuse options out of range, all of them at once.

    Args:
        backend: The backend's name, for messages.
        options: The backend.
        rules: ``{option: (whether it is right, what is expected)}``.

    Raises:
        InputError: One fault an option that is wrong.
    """
    wrong = {name: expected for name, (right, expected) in rules.items() if not right}
    if wrong:
        raise InputError(Fault(backend, name, _found(name, getattr(options, name)), expected) for name, expected in wrong.items())


def require_packages(backend: str, extra: str, *packages: str) -> None:
    """Refuse to begin without packages that are imported later, at the first recording.

    Args:
        backend: Who needs them, for the message.
        extra: The extra that brings them.
        packages: Names of modules.

    Raises:
        MissingPackageError: The first that is not installed.

    >>> require_packages("transcriber 'x'", "cascade", "json")
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise MissingPackageError(package, extra, backend)


def check_all(*checks: Callable[[], object]) -> None:
    """Make several checks, and raise the faults of all of them at once.

    Raises:
        InputError: Any of them did.
    """
    faults: list[Fault] = []
    for check in checks:
        try:
            check()
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)


def type_faults(backend: Any, place: Mapping[str, str], stage: str, options: Mapping[str, Any]) -> list[Fault]:
    """Options whose value has not the type of the backend's field.

    Args:
        backend: The backend's dataclass.
        place: Where each option was given: the preset's path, or ``--set``.
        stage: The stage, for messages.
        options: Values by name; names that are no field are passed over.
    """
    hints = get_type_hints(backend)
    wrong = {name: hints[name] for name, value in options.items() if name in hints and not matches(value, hints[name])}
    return [
        Fault(place[name], f"{stage}.{name}", shown(options[name]), described(hint), _quote(options[name], hint))
        for name, hint in wrong.items()
    ]


def matches(value: object, hint: Any) -> bool:
    """Whether a TOML value has the type of an annotation; an annotation that TOML has no type for takes anything.

    >>> matches(2, float), matches(2.5, int), matches(True, int), matches("x", str | None)
    (True, False, False, True)
    """
    if get_origin(hint) in (Union, types.UnionType):
        return any(matches(value, one) for one in get_args(hint))
    if hint is None or hint is types.NoneType:
        return value is None
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint) if hint in (bool, str) else True


def described(hint: Any) -> str:
    """The type of an annotation in words.

    >>> described(int | None), described(float)
    ('a whole number', 'a number')
    """
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return " or ".join(_NAMES.get(one, str(one)) for one in parts if one is not types.NoneType)


def shown(value: object) -> str:
    """A value as messages show it: on one line, and not longer than a message bears.

    >>> shown("abc"), shown(True)
    ("'abc'", 'true')
    """
    text = "true" if value is True else "false" if value is False else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _found(option: str, value: object) -> str:
    """A wrong value in a message; what stands where the name of a key's variable belongs may be the key itself."""
    return "something that is none" if option == "api_key_env" and value else shown(value)


def value_of(text: str) -> object:
    """The value of a setting given on the command line, as TOML writes it; what TOML cannot read is text as it stands.

    >>> value_of("5"), value_of("true"), value_of(" hi ")
    (5, True, 'hi')
    """
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        parsed = {}
    return parsed["value"] if len(parsed) == 1 else text.strip()


def did_you_mean(key: str, known: Iterable[str]) -> str:
    """What to do about an unknown name, for messages; "" where no known one is near.

    >>> did_you_mean("treshold", ["threshold", "step"])
    "Did you mean 'threshold'?"
    """
    close = difflib.get_close_matches(key, list(known), n=1)
    return f"Did you mean {close[0]!r}?" if close else ""


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond every float
        return False


def _quote(value: object, hint: Any) -> str:
    """What to do where text is wanted and something else stands."""
    return f"""Write it in quotes: '"{value}"'.""" if matches("", hint) and isinstance(value, int | float) else ""

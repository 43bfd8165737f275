"""What several verbs read from the command line: ``--set``, ``--metadata``, the plan of a bootstrap, where ``--json`` goes."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from parakh import metrics as metric_registry
from parakh.choices import ALL, option_kinds
from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.tracks import Track

if TYPE_CHECKING:
    from parakh.resample import Bootstrap

_SWITCH = {"yes": True, "true": True, "no": False, "false": False}


def _switch(text: str) -> bool:
    try:
        return _SWITCH[text.lower()]
    except KeyError as error:
        raise ValueError(text) from error


_KINDS: Mapping[str, tuple[Callable[[str], object], str]] = {
    "bool": (_switch, "yes or no"),
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "str": (str, "text"),
}
"""How a value is read, and what was expected where it cannot be."""


def metric_settings(track: Track, metrics: Sequence[str] | None, settings: Sequence[str]) -> dict[str, object]:
    """The options that ``--set`` gives.

    Args:
        track: The track, for its metrics where none are named.
        metrics: The metrics asked for.
        settings: ``NAME=VALUE`` texts.

    Raises:
        InputError: No ``=``, a name that no metric has, or a value of another type.

    >>> from parakh import tracks
    >>> metric_settings(tracks.get("asr"), ["tcpwer"], ["collar=3"])
    {'collar': 3.0}
    """
    if not settings:
        return {}
    every = not metrics or ALL in metrics
    known = metric_registry.all_metrics().values() if every else [metric_registry.get(name) for name in metrics or ()]
    kinds = option_kinds([metric for metric in known if metric.payload in track.payloads])
    return dict(setting(text, kinds, "the metrics") for text in settings)


def setting(text: str, kinds: Mapping[str, str], owner: str) -> tuple[str, object]:
    """The name and value of one ``--set``.

    Args:
        text: ``NAME=VALUE``.
        kinds: "bool", "int", "float" or "str" of every option.
        owner: Whose options they are, for messages.

    Raises:
        InputError: No ``=``, no such option, or a value of another type.

    >>> setting("smoothing=0.1", {"smoothing": "float"}, "dover-lap")
    ('smoothing', 0.1)
    """
    name, equals, value = text.partition("=")
    if not equals or name not in kinds:
        expected = f"NAME=VALUE with an option of {owner}: {', '.join(sorted(kinds)) or 'there are none'}"
        raise InputError(Fault("--set", "", repr(text), expected))
    if kinds[name] not in _KINDS:
        raise InputError(Fault("--set", name, repr(value), f"--{name} FILE, as it is no number or text"))
    read, expected = _KINDS[kinds[name]]
    try:
        return name, read(value)
    except ValueError:
        raise InputError(Fault("--set", name, repr(value), expected)) from None


def check_output(option: str, out: str, inputs: Sequence[str]) -> None:
    """See that writing a file does not take away one that is read.

    Args:
        option: The option that names the file.
        out: The file.
        inputs: Files, folders and patterns that are read.

    Raises:
        InputError: The file is one of them, or lies in a folder of them.
    """
    place = Path(out).resolve()
    if not place.is_file():
        return
    for one in inputs:
        named = [Path(match).resolve() for match in glob.glob(one, recursive=True)] or [Path(one).resolve()]
        if place in named or place.parent in named:
            raise InputError(Fault(option, "", f"{out}, which is read", "another file", "It would be lost."))


def check_json(out: str | None, inputs: Sequence[str]) -> None:
    """See that what ``--json`` names, if it was given, can be written and is not among what is read.

    Raises:
        InputError: The name is empty, or the file is read.
    """
    if out == "":
        raise InputError(Fault("--json", "", "an empty name", "a file, or - for standard output"))
    if out and out != "-":
        check_output("--json", out, inputs)


def put_json(out: str | None, to_json: Callable[[], str]) -> bool:
    """Write where ``--json`` says; whether standard output is left for people to read."""
    if out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(to_json().encode())  # JSON is UTF-8 whatever the terminal speaks
        return False
    if out:
        write_atomic(Path(out), to_json())
    return True


def bootstrap(method: str, percent: float, samples: int, seed: int) -> Bootstrap:
    """The plan of a bootstrap as the command line gives it, with the level in percent.

    Raises:
        InputError: A choice is out of range.

    >>> bootstrap("bca", 95.0, 1000, 1).level
    0.95
    """
    from parakh.resample import Bootstrap

    if not 0 < percent < 100:
        raise InputError(Fault("--interval", "", f"{percent:g}", "a percentage between 0 and 100, as 95"))
    return Bootstrap(method, percent / 100, samples, seed)


def time_given(text: str | None) -> datetime | None:
    """The time that ``--at`` gives, in UTC unless it names a zone; None is now.

    Raises:
        InputError: It is no date and time.

    >>> time_given("2026-03-31T09:30")
    datetime.datetime(2026, 3, 31, 9, 30, tzinfo=datetime.timezone.utc)
    """
    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(Fault("--at", "", repr(text), "a date and time, as 2026-03-31T09:30")) from None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def bytes_of(flag: str, text: str) -> int:
    """A size as people write it, in bytes.

    Raises:
        InputError: It is none.

    >>> bytes_of("--max-memory", "1.5GB"), bytes_of("--max-memory", "800 MiB")
    (1500000000, 838860800)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(k|m|g|t)(i?)b?", text.strip().lower())
    size = int(float(match[1]) * (1024 if match[3] else 1000) ** (1 + "kmgt".index(match[2]))) if match else 0
    if not size:
        raise InputError(Fault(flag, "", repr(text), "a size, as 2GB or 800MB"))
    return size

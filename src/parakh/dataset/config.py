"""``parakh.toml``: what a data set is called, under which licence it stands, and how it is checked.

[dataset]
name = "displace-m"
version = "1.0"
licence = "CC-BY-4.0"
description = "Conversations of health workers with people at home."

[check]
select = ["QC1", "QC2"]
ignore = ["QC204"]
fail-on = "warning"
severity = {QC104 = "error"}

[check.vocabulary]
tags = ["<noise>", "<laugh>"]

[check.limits]
max-pause = 0.3
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from parakh.errors import Fault, InputError
from parakh.files import read_text
from parakh.formats._text import Faults, shown
from parakh.qc import Settings, Vocabulary
from parakh.types import Severity

CONFIG = "parakh.toml"


@dataclass(frozen=True)
class Config:
    """The settings of a data set.

    Args:
        name: What it is called; "" for the folder's name.
        version: Of the data set.
        licence: SPDX identifier ("CC-BY-4.0"); "" where none is stated.
        description: A sentence or two.
        template: The template it was made from.
        check: Which checks run, with which vocabulary and limits.
        fail_on: The severity from which findings make ``parakh check`` end with 1.
    """

    name: str = ""
    version: str = ""
    licence: str = ""
    description: str = ""
    template: str = ""
    check: Settings = field(default_factory=Settings)
    fail_on: Severity = Severity.WARNING


_TEXTS = ("name", "version", "licence", "description", "template")
_CHECK = ("select", "ignore", "fail-on", "severity", "vocabulary", "limits")


def read_config(path: Path) -> Config:
    r"""Read a ``parakh.toml``.

    Raises:
        InputError: It is no TOML, or holds a table, key or value that is not known here.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / CONFIG).write_text('[check]\nignore = ["QC104"]\n')
    ...     read_config(Path(folder) / CONFIG).check.ignore
    ('QC104',)
    """
    try:
        values = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = "values nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(Fault(str(path), "", found, "TOML", "Mend the file.")) from error
    faults = Faults(path)
    _known(faults, "", values, ("dataset", "check"))
    about = _table(faults, "dataset", values.get("dataset", {}), _TEXTS)
    check = _table(faults, "check", values.get("check", {}), _CHECK)
    texts = {name: _text(faults, f"dataset.{name}", about.get(name, "")) for name in _TEXTS}
    vocabulary = _table(faults, "check.vocabulary", check.get("vocabulary", {}), tuple(one.name for one in fields(Vocabulary)))
    lists = {name: _list(faults, f"check.vocabulary.{name}", value) for name, value in vocabulary.items() if name != "metadata"}
    own = _table(faults, "check.vocabulary.metadata", vocabulary.get("metadata", {}), None)
    allowed = {name: _list(faults, f"check.vocabulary.metadata.{name}", value) for name, value in own.items()}
    limits = _table(faults, "check.limits", check.get("limits", {}), None)
    severity = _table(faults, "check.severity", check.get("severity", {}), None)
    settings = Settings(
        _list(faults, "check.select", check.get("select", [])),
        _list(faults, "check.ignore", check.get("ignore", [])),
        {code: _severity(faults, f"check.severity.{code}", value) for code, value in severity.items()},
        Vocabulary(**lists, metadata=allowed),
        {name: _number(faults, f"check.limits.{name}", value) for name, value in limits.items()},
    )
    fail_on = _severity(faults, "check.fail-on", check.get("fail-on", "warning"))
    faults.check()
    return Config(**texts, check=settings, fail_on=fail_on)


def _known(faults: Faults, where: str, values: Mapping[str, object], names: tuple[str, ...]) -> None:
    for name in values:
        if name not in names:
            faults.fault(None, where, shown(name), f"one of {', '.join(names)}", "Take it out, or mend its name.")


def _table(faults: Faults, where: str, value: object, names: tuple[str, ...] | None) -> Mapping[str, object]:
    if not isinstance(value, dict):
        faults.fault(None, where, shown(value), "a table")
        return {}
    if names is not None:
        _known(faults, where, value, names)
        return {name: value[name] for name in value if name in names}
    return value


def _text(faults: Faults, where: str, value: object) -> str:
    if isinstance(value, str):
        faults.names(None, {where: value})
        return value
    faults.fault(None, where, shown(value), "a text", "Put it in quotes.")
    return ""


def _list(faults: Faults, where: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    faults.fault(None, where, shown(value), "a list of texts")
    return ()


def _number(faults: Faults, where: str, value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    faults.fault(None, where, shown(value), "a number")
    return 0.0


def _severity(faults: Faults, where: str, value: object) -> Severity:
    try:
        return Severity(str(value))
    except ValueError:
        faults.fault(None, where, shown(value), f"one of {', '.join(Severity)}")
        return Severity.WARNING

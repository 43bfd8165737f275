"""What a report takes of a diagnosis file: what mending each kind of error would buy, and what may hurt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from parakh.diagnosis import SCHEMA
from parakh.diagnostics.alarms import Alarm
from parakh.diagnostics.ledger import Item, Ledger
from parakh.diagnostics.passages import Context
from parakh.errors import Fault, InputError
from parakh.types import Severity


@dataclass(frozen=True)
class Diagnosed:
    """The part of one system's diagnosis that a report shows.

    Args:
        system: The system's name; results of the same name belong to it.
        ledger: What mending each kind of error would buy; its accounts are left out.
        alarms: Changes of meaning that may hurt a patient or a record, the certain ones first.
    """

    system: str
    ledger: Ledger
    alarms: tuple[Alarm, ...] = ()


def is_diagnosis(document: object) -> bool:
    """Whether a JSON document is a diagnosis.

    >>> is_diagnosis({"schema": "parakh.diagnosis/1"}), is_diagnosis([])
    (True, False)
    """
    return isinstance(document, dict) and document.get("schema") == SCHEMA


def read_diagnosed(document: Mapping[str, Any], path: str) -> list[Diagnosed]:
    """The systems of a diagnosis document, as ``parakh diagnose ... --json FILE`` writes it.

    Args:
        document: The parsed JSON.
        path: The file, for messages.

    Raises:
        InputError: It lacks something, or holds something of another kind.

    >>> import json
    >>> from parakh.diagnosis import Choices, diagnose
    >>> from parakh.diagnostics.setup import Setup
    >>> from parakh.types import Segment
    >>> found = diagnose([Segment("v1", words="दवा ली")], {"ours": [Segment("v1", words="दवा")]}, Choices(Setup("hi")))
    >>> [(one.system, one.ledger.errors) for one in read_diagnosed(json.loads(found.to_json()), "why.json")]
    [('ours', 1)]
    """
    try:
        return [
            Diagnosed(str(one["system"]), _ledger(one["ledger"]), tuple(map(_alarm, one["alarms"])))
            for one in document["systems"]
        ]
    except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError) as error:
        action = "Make it again with `parakh diagnose ... --json FILE`."
        raise InputError(Fault(path, "systems", repr(error)[:80], f"a {SCHEMA} document", action)) from error


def _ledger(held: Mapping[str, Any]) -> Ledger:
    return Ledger(
        metric=str(held["metric"]),
        options=dict(held["options"]),
        errors=int(held["errors"]),
        length=int(held["length"]),
        rate=_number(held["rate"]),
        items=tuple(map(_item, held["items"])),
        accounts=(),
    )


def _item(held: Mapping[str, Any]) -> Item:
    return Item(
        name=str(held["name"]),
        marginal=int(held["marginal"]),
        step=int(held["step"]),
        marginal_points=_number(held["marginal_points"]),
        points=_number(held["points"]),
        marginal_interval=_ends(held.get("marginal_interval")),
        interval=_ends(held.get("interval")),
    )


def _alarm(held: Mapping[str, Any]) -> Alarm:
    return Alarm(
        kind=str(held["kind"]),
        severity=Severity(held["severity"]),
        session_id=str(held["session_id"]),
        speaker=None if held["speaker"] is None else str(held["speaker"]),
        time=_ends(held["time"]),
        reference=Context(**held["reference"]),
        hypothesis=Context(**held["hypothesis"]),
        message=str(held["message"]),
        factor=_number(held.get("factor")),
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _ends(value: Any) -> tuple[float, float] | None:
    return None if value is None else (float(value[0]), float(value[1]))

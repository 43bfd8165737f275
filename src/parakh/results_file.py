"""The ``parakh.results/1`` document: Results as JSON and back, every field of the type it has to have."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from parakh.collection import uncollected
from parakh.cost import Cost
from parakh.detail_shapes import wrong_detail
from parakh.errors import Fault, InputError
from parakh.results import SCHEMA, RecordingResult, Results, Score, Signature, Stats, Unscored
from parakh.types import Finding, Severity


def text_of(results: Results) -> str:
    """The document as text with a final newline.

    >>> from parakh.results import Results, Signature
    >>> text_of(Results("asr", "s", Signature({}), {}, ())).splitlines()[1]
    ' "schema": "parakh.results/1",'
    """
    return json.dumps(_results_to_dict(results), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read(text: str, path: str) -> Results:
    """The results that a document holds.

    Args:
        text: The document.
        path: Where it stands, for messages.

    Raises:
        InputError: It is not JSON, not of this schema, or lacks a field.

    >>> read(text_of(Results("asr", "s", Signature({}), {}, ())), "r.json").system
    's'
    """
    try:
        with uncollected():  # millions of words and times that all stay
            document = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InputError(Fault(path, "", f"no JSON ({error.msg})", f"a {SCHEMA} document", line=error.lineno)) from error
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(path, "", "numbers or nesting beyond JSON's", f"a {SCHEMA} document")) from error
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        action = _OTHERS.get(schema if isinstance(schema, str) else "", "Make it with `parakh score ... --json FILE`.")
        raise InputError(Fault(path, "schema", repr(schema), repr(SCHEMA), action))
    try:
        if _PERHAPS_LARGE.search(text):
            _refuse_large(document)
        return _results_from_dict(document, path)
    except _BrokenFieldError as broken:
        found = broken.found if isinstance(broken.found, str) else f"{broken.found!r:.60}"
        raise InputError(Fault(path, broken.field, found, broken.expected, "Make it again with `parakh score`.")) from broken


_OTHERS = {
    "parakh.diagnosis/1": "It is a diagnosis: `parakh report` shows it, beside results or alone; leave it out here.",
    "parakh.comparison/1": "It is a comparison that was made of results; give those.",
}
"""What else is written as JSON, and what to do with it where results are asked for."""


def _results_to_dict(results: Results) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "track": results.track,
        "system": results.system,
        "signature": dict(results.signature.choices),
        "metrics": {name: _score_to_dict(score) for name, score in results.metrics.items()},
        "recordings": [_recording_to_dict(recording) for recording in results.recordings],
        "unscored": [{"id": one.id, "reason": one.reason} for one in results.unscored],
        "findings": [_finding_to_dict(finding) for finding in results.findings],
        "slices": {
            name: {value: {m: _score_to_dict(s) for m, s in scores.items()} for value, scores in values.items()}
            for name, values in results.slices.items()
        },
        **({"cost": results.cost.to_dict()} if results.cost else {}),
    }


def _score_to_dict(score: Score) -> dict[str, Any]:
    return {
        "value": score.value,
        "interval": list(score.interval) if score.interval else None,
        "macro": score.macro,
        "by_duration": score.by_duration,
        "parts": dict(score.parts),
        "stats": dict(score.stats),
    }


def _recording_to_dict(recording: RecordingResult) -> dict[str, Any]:
    return {
        "id": recording.id,
        "metrics": dict(recording.metrics),
        "stats": {name: dict(stats) for name, stats in recording.stats.items()},
        "findings": [_finding_to_dict(finding) for finding in recording.findings],
        **{
            key: {name: list(values) for name, values in held.items()}
            for key, held in (("slices", recording.slices), ("speaker_slices", recording.speaker_slices))
            if held
        },
        **({} if recording.overlap is None else {"overlap": recording.overlap}),
        **({} if recording.seconds is None else {"seconds": recording.seconds}),
        **({"contents": dict(recording.contents)} if recording.contents else {}),
        **({"detail": recording.detail} if recording.detail else {}),
    }


def _finding_to_dict(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": str(finding.severity),
        "message": finding.message,
        "session_id": finding.session_id,
        "path": finding.path,
        "line": finding.line,
    }


def _refuse_large(document: Any) -> None:
    """See that no number, wherever it stands, is too large to be added or shown."""
    for place, value in _large(document):
        raise _BrokenFieldError(place.lstrip("."), value, f"a number of at most {LARGEST:g}")


def _large(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, (int, float)):
        if abs(value) > LARGEST:
            yield place, value
    elif isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _large(one, f"{place}.{key}" if isinstance(value, dict) else f"{place}[{key}]")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


class _BrokenFieldError(Exception):
    """A field of a results document that is not what it has to be."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        super().__init__(field)
        self.field, self.found, self.expected = field, found, expected


def _take(record: Any, field: str, expected: type | tuple[type, ...], place: str) -> Any:
    """A field of a record, of the type it has to have."""
    if not isinstance(record, dict) or field not in record:
        raise _BrokenFieldError(f"{place}{field}", "nothing", "a value")
    value = record[field]
    if not isinstance(value, expected) or isinstance(value, bool):
        kinds = expected if isinstance(expected, tuple) else (expected,)
        raise _BrokenFieldError(f"{place}{field}", value, " or ".join(_KINDS[kind] for kind in kinds))
    return value


_KINDS: dict[type, str] = {
    str: "text",
    int: "a number",
    float: "a decimal number",
    dict: "an object",
    list: "a list",
    type(None): "null",
}
_NUMBER = (int, float, type(None))
LARGEST = 1e15
"""Of any number: no count and no number of seconds comes near, and below it counts add without loss."""
_PERHAPS_LARGE = re.compile(r"(?<![\d.])\d{16}|\d[eE]\+?\d")
"""What a number above that has in it, and little else: the values are gone through only where it stands."""
_TEXT = (str, type(None))


def _results_from_dict(document: dict[str, Any], path: str) -> Results:
    ids = [one.get("id") for one in _take(document, "recordings", list, "") if isinstance(one, dict)]
    twice = next((name for name, count in Counter(map(repr, ids)).items() if count > 1), None)
    if twice is not None:
        raise _BrokenFieldError("recordings.id", twice, "each recording once")
    track = _take(document, "track", str, "")
    signature = _take(document, "signature", dict, "")
    slices = _take(document, "slices", dict, "")
    return Results(
        track=track,
        system=_take(document, "system", str, ""),
        signature=Signature({name: _take(signature, name, str, "signature.") for name in signature}),
        metrics=_scores(_take(document, "metrics", dict, ""), "metrics."),
        recordings=tuple(_recording_from_dict(one, track) for one in _take(document, "recordings", list, "")),
        unscored=tuple(
            Unscored(_take(one, "id", str, "unscored."), _take(one, "reason", str, "unscored."))
            for one in _take(document, "unscored", list, "")
        ),
        findings=tuple(map(_finding_from_dict, _take(document, "findings", list, ""))),
        slices={
            name: {
                value: _scores(_take(slices[name], value, dict, f"slices.{name}."), f"slices.{name}.{value}.")
                for value in slices[name]
            }
            for name in slices
            if _take(slices, name, dict, "slices.") is not None
        },
        cost=Cost.from_dict(document["cost"], path) if "cost" in document else None,
    )


def _scores(record: dict[str, Any], place: str) -> dict[str, Score]:
    return {name: _score_from_dict(_take(record, name, dict, place), f"{place}{name}.") for name in record}


def _numbers(record: Any, field: str, place: str) -> dict[str, Any]:
    values = _take(record, field, dict, place)
    return {name: _take(values, name, _NUMBER, f"{place}{field}.") for name in values}


def _counts(record: Any, field: str, place: str) -> dict[str, Any]:
    values = _numbers(record, field, place)
    for name, value in values.items():
        if value is None or value < 0:
            raise _BrokenFieldError(f"{place}{field}.{name}", value, "a number >= 0")
    return values


def _score_from_dict(score: dict[str, Any], place: str) -> Score:
    interval = _take(score, "interval", (list, type(None)), place)
    if interval is not None and not _is_interval(interval):
        raise _BrokenFieldError(f"{place}interval", interval, "two numbers, the lower first")
    return Score(
        value=_take(score, "value", _NUMBER, place),
        stats=Stats(_counts(score, "stats", place)),
        parts=_numbers(score, "parts", place),
        macro=_take(score, "macro", _NUMBER, place),
        by_duration=_take(score, "by_duration", _NUMBER, place),
        interval=(float(interval[0]), float(interval[1])) if interval else None,
    )


def _is_interval(ends: list[Any]) -> bool:
    return len(ends) == 2 and all(type(end) in {int, float} for end in ends) and ends[0] <= ends[1]


def _recording_from_dict(recording: Any, track: str) -> RecordingResult:
    place = f"recordings.{recording.get('id') if isinstance(recording, dict) else '?'}."
    stats = _take(recording, "stats", dict, place)
    return RecordingResult(
        id=_take(recording, "id", str, place),
        metrics=_numbers(recording, "metrics", place),
        stats={name: Stats(_counts(stats, name, f"{place}stats.")) for name in stats},
        findings=tuple(map(_finding_from_dict, _take(recording, "findings", list, place))),
        detail=_detail_of(recording, track, place),
        slices=_slices_of(recording, "slices", place),
        speaker_slices=_slices_of(recording, "speaker_slices", place),
        overlap=_take(recording, "overlap", _NUMBER, place) if "overlap" in recording else None,
        contents=_texts(recording, "contents", place),
        seconds=_take(recording, "seconds", _NUMBER, place) if "seconds" in recording else None,
    )


def _detail_of(recording: Any, track: str, place: str) -> dict[str, Any]:
    detail: dict[str, Any] = _take(recording, "detail", dict, place) if "detail" in recording else {}
    if wrong := wrong_detail(track, detail):
        raise _BrokenFieldError(f"{place}detail{wrong[0]}", *wrong[1:])
    return detail


def _texts(recording: Any, key: str, place: str) -> dict[str, str]:
    held = _take(recording, key, dict, place) if key in recording else {}
    return {name: _take(held, name, str, f"{place}{key}.") for name in held}


def _slices_of(recording: Any, key: str, place: str) -> dict[str, tuple[str, ...]]:
    slices = _take(recording, key, dict, place) if key in recording else {}
    values = {name: _take(slices, name, list, f"{place}{key}.") for name in slices}
    for name, names in values.items():
        if not all(isinstance(one, str) for one in names):
            raise _BrokenFieldError(f"{place}{key}.{name}", names, "a list of text")
    return {name: tuple(names) for name, names in values.items()}


def _finding_from_dict(finding: Any) -> Finding:
    severity = _take(finding, "severity", str, "findings.")
    if severity not in set(Severity):
        raise _BrokenFieldError("findings.severity", severity, f"one of {', '.join(Severity)}")
    return Finding(
        code=_take(finding, "code", str, "findings."),
        message=_take(finding, "message", str, "findings."),
        severity=Severity(severity),
        session_id=_take(finding, "session_id", _TEXT, "findings."),
        path=_take(finding, "path", _TEXT, "findings."),
        line=_take(finding, "line", (int, type(None)), "findings."),
    )

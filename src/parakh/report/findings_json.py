"""Findings for programs: ``parakh.findings/1``, and SARIF 2.1.0, which code hosts show beside the lines.

``parakh.findings/1``: ``name``, ``recordings`` (their ids), ``audio`` (how closely it was looked at), ``counts`` by severity,
``known`` (left out, as the baseline has them), ``checks`` (code, name, title, severity, stage, findings) and ``findings``: code,
check, severity, message, session_id, path, line. What is unknown is null.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import parakh
from parakh.dataset import baseline
from parakh.dataset.checking import Checked
from parakh.qc import Check, about
from parakh.qc._about import MEND
from parakh.types import Finding, Severity

SCHEMA = "parakh.findings/1"
SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME = Path()


def to_json(found: Checked, known: int = 0) -> str:
    """The findings as ``parakh.findings/1``.

    Args:
        found: What checking found.
        known: How many findings a baseline took away.

    >>> json.loads(to_json(Checked((), (), ("v1",), "visits")))["recordings"]
    ['v1']
    """
    names = {check.code: check.name for check in found.checks}
    counts = Counter(finding.code for finding in found.findings)
    value = {
        "schema": SCHEMA,
        "name": found.name,
        "recordings": list(found.recordings),
        "audio": str(found.audio),
        "counts": {str(severity): found.count(severity) for severity in Severity},
        "known": known,
        "checks": [_check(one, counts[one.code]) for one in found.checks],
        "findings": [_finding(one, names.get(one.code)) for one in found.findings],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _check(check: Check, count: int) -> dict[str, Any]:
    return {
        "code": check.code,
        "name": check.name,
        "title": check.title,
        "severity": str(check.severity),
        "stage": check.stage,
        "findings": count,
    }


def _finding(finding: Finding, name: str | None) -> dict[str, Any]:
    return {
        "code": finding.code,
        "check": name,
        "severity": str(finding.severity),
        "message": finding.message,
        "session_id": finding.session_id,
        "path": Path(finding.path).as_posix() if finding.path else None,
        "line": finding.line,
    }


def said(finding: Finding) -> str:
    """The message, after the recording where the file's name does not tell it.

    >>> said(Finding("QC509", "no topics", session_id="v1", path="topics.csv"))
    'v1: no topics'
    """
    session = finding.session_id
    told = not session or not finding.path or session in Path(finding.path).name
    return finding.message if told else f"{session}: {finding.message}"


def to_sarif(found: Checked) -> str:
    """The findings as SARIF 2.1.0: a rule for every check that ran, and a fingerprint that shifted lines do not change.

    Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, errata 01.

    >>> json.loads(to_sarif(Checked((), (), ("v1",))))["runs"][0]["results"]
    []
    """
    codes = [check.code for check in found.checks]
    extra = sorted({finding.code for finding in found.findings} - set(codes))
    rules = [_rule(check) for check in found.checks] + [{"id": code} for code in extra]
    places = {code: place for place, code in enumerate([*codes, *extra])}
    seen: Counter[baseline.Key] = Counter()
    driver = {"name": "Parakh", "version": parakh.__version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, places[finding.code], seen) for finding in found.findings],
    }
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _rule(check: Check) -> dict[str, Any]:
    told = about(check)
    help_text = "\n\n".join(f"{name}\n{text}" for name, text in told.sections.items())
    markdown = "\n\n".join(f"## {name}\n{text}" for name, text in told.sections.items())
    return {
        "id": check.code,
        "name": check.name,
        "shortDescription": {"text": check.title},
        "fullDescription": {"text": told.problem},
        "help": {"text": help_text or told.problem, "markdown": markdown or told.problem},
        "defaultConfiguration": {"level": str(check.severity)},
        "properties": {"tags": [f"QC{check.stage}"], "mend": told.sections.get(MEND, "")},
    }


def _result(finding: Finding, place: int, seen: Counter[baseline.Key]) -> dict[str, Any]:
    own = baseline.key(finding, _HOME)
    seen[own] += 1
    print_of = hashlib.sha256("\0".join([*own, str(seen[own])]).encode("utf-8", "replace")).hexdigest()
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": place,
        "level": str(finding.severity),
        "message": {"text": said(finding)},
        "locations": [_location(finding)],
        "partialFingerprints": {"parakhFinding/v1": print_of},
    }
    return result


def _location(finding: Finding) -> dict[str, Any]:
    """The line of a file, which code hosts ask for, and the recording; a finding of no file is about the folder."""
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.path or ".")}}
    if finding.path:
        physical["region"] = {"startLine": finding.line or 1}
    logical = [{"name": finding.session_id, "kind": "resource"}] if finding.session_id else []
    return {"physicalLocation": physical, **({"logicalLocations": logical} if logical else {})}


def _uri(path: str) -> str:
    """A path as a URI reference: relative ones stay so.

    >>> _uri("rttm/visit 1.rttm"), _uri("/data/v1.rttm")
    ('rttm/visit%201.rttm', 'file:///data/v1.rttm')
    """
    absolute = Path(path).is_absolute()
    return Path(path).as_uri() if absolute else quote(Path(path).as_posix(), safe="/")


def per_code(found: Checked) -> Sequence[tuple[str, Severity, int]]:
    """How often each code was found, with its gravest severity; the most frequent first.

    >>> per_code(Checked((Finding("QC404", "too fast"), Finding("QC404", "too slow")), (), ()))
    [('QC404', <Severity.WARNING: 'warning'>, 2)]
    """
    order = list(Severity)
    counts = Counter(finding.code for finding in found.findings)
    gravest = {code: min((one.severity for one in found.findings if one.code == code), key=order.index) for code in counts}
    return [(code, gravest[code], count) for code, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]

"""The page of ``parakh check``: how many findings of which stage, what each check is about, and every finding by recording.

It is one offline file, complete without its script, which filters. A content security policy forbids every request and every
script but its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import Template

from parakh.dataset.checking import Audio, Checked
from parakh.errors import counted
from parakh.markup import Html, escape, join, tag
from parakh.qc import STAGES, Check
from parakh.report.diagnosis_parts import Cell, Column, Figure, table
from parakh.report.findings_parts import about, matrix, of_recordings, sign
from parakh.report.resources import resource, scripts, styles
from parakh.types import Severity


def page(found: Checked, known: int = 0) -> str:
    """The page of what checking found.

    Args:
        found: The findings, and the checks that ran.
        known: How many findings a baseline took away.

    Returns:
        A complete HTML document that needs no other file and no network.

    >>> "Nothing found" in page(Checked((), (), ("v1",), "visits"))
    True
    """
    fired = _fired(found)
    sections = [_header(found, known), _stages(found)]
    if found.findings:
        sections += [_checks(found, fired), matrix(found, [code for code, _ in fired]), of_recordings(found)]
    return Template(resource("page/findings.html")).substitute(
        title=escape(f"Findings: {found.name}"),
        style=styles("page", "diagnosis", "findings"),
        body=join(sections),
        ran=_ran(found),
        **scripts("findings"),
    )


def _fired(found: Checked) -> list[tuple[str, Check | None]]:
    """Codes of the findings in order, with their checks; a note about the installation has none."""
    checks = {check.code: check for check in found.checks}
    return [(code, checks.get(code)) for code in sorted({finding.code for finding in found.findings})]


def _header(found: Checked, known: int) -> Html:
    concerned = len({finding.session_id for finding in found.findings if finding.session_id})
    looked = f"{counted(len(found.recordings), 'recording')} by {counted(len(found.checks), 'check')}"
    if found.findings:
        lead = f"{counted(len(found.findings), 'finding')}, in {concerned} of {looked}."
    else:
        lead = f"Nothing found in {looked}."
    told = tag("p", {"class": "note"}, f"{counted(known, 'further finding')} the baseline knows.") if known else ""
    totals = [tag("li", {}, *_total(severity, found.count(severity))) for severity in Severity]
    links = {"stages": "Stages", "checks": "Checks", "matrix": "Recordings and checks", "recordings": "Findings"}
    toc = [tag("li", {}, tag("a", {"href": f"#{name}"}, title)) for name, title in links.items()] if found.findings else []
    return tag(
        "header",
        {"class": "page"},
        tag("h1", {}, "Findings ", tag("small", {}, tag("bdi", {}, found.name))),
        tag("p", {"class": "lead"}, lead),
        told,
        tag("ul", {"class": "totals"}, *totals),
        tag("nav", {"aria-label": "Parts"}, tag("ul", {}, *toc)) if toc else "",
    )


def _total(severity: Severity, count: int) -> tuple[Html, Html]:
    word = counted(count, str(severity)).partition(" ")[2]
    return tag("b", {}, str(count)), tag("span", {"class": f"sign is-{severity}"}, word)


def _stages(found: Checked) -> Html:
    heads = [
        Column("stage"),
        Column("checks", number=True),
        *(Column(f"{one}s", number=True) for one in Severity),
    ]
    counts = Counter((finding.code[:3], finding.severity) for finding in found.findings)
    rows: list[list[Cell]] = []
    for stage, title in STAGES.items():
        ran = sum(check.stage == stage for check in found.checks)
        found_here = [counts[f"QC{stage}", severity] for severity in Severity]
        shown = [Figure(str(count) if count else "–", count) for count in found_here]
        clean = ran and not any(found_here)
        nothing = tag("span", {"class": "sign is-clean"}, "nothing found") if clean else ""
        rows.append([join([tag("span", {"class": "code"}, f"QC{stage}"), f" {title.capitalize()} ", nothing]), ran, *shown])
    return tag("section", {"id": "stages"}, table("By stage of quality control", heads, rows))


def _checks(found: Checked, fired: Sequence[tuple[str, Check | None]]) -> Html:
    heads = [
        Column("check"),
        Column("what, and how to mend it"),
        Column("gravest"),
        Column("findings", number=True),
    ]
    order = list(Severity)
    rows: list[list[Cell]] = []
    for code, check in fired:
        own = [finding for finding in found.findings if finding.code == code]
        gravest = min((finding.severity for finding in own), key=order.index)
        recordings = len({finding.session_id for finding in own if finding.session_id})
        count = f"{len(own)} in {counted(recordings, 'recording')}" if recordings else str(len(own))
        rows.append([tag("span", {"class": "code"}, code), about(check, code), sign(gravest), Figure(count, len(own))])
    body = table("By check", heads, rows, kind="rows stack")
    return _section("checks", "What was found", "", body)


def _section(name: str, title: str, note: str, *content: str) -> Html:
    said = tag("p", {"class": "note"}, note) if note else ""
    return tag("section", {"id": name, "class": "part"}, tag("h2", {}, title), said, *content)


def _ran(found: Checked) -> Html:
    """What ran, so that a clean page says what it is clean of."""
    names = [join([tag("span", {"class": "code"}, check.code), f" {check.name}"]) for check in found.checks]
    heard = {
        Audio.FULL: "Audio was decoded and heard.",
        Audio.HEADER: "Of audio only the headers were read.",
        Audio.NONE: "Audio was not looked at.",
    }[found.audio]
    listed = [part for name in names for part in (name, ", ")][:-1]
    return tag("p", {}, f"{heard} Checks that ran: ", *(listed or ["none"]), ".")

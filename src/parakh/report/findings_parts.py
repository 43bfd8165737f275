"""What the page of findings is made of: signs, what checks say of themselves, the matrix, and the findings of a recording."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from parakh import qc
from parakh.dataset.checking import Checked
from parakh.errors import counted, printable
from parakh.markup import Html, join, language, spoken, tag, wide
from parakh.qc import Check
from parakh.qc._about import HEADINGS, MEND
from parakh.types import Finding, Severity

MOST_FINDINGS = 5000
"""Findings on a page; more would make it slow to open."""
MOST_ROWS = 200
"""Recordings of the matrix."""
OPEN = 12
"""With no more recordings than this, all are unfolded."""
_ANOTHER_SCRIPT = re.compile(r"[^\x00-\x7f]+(?:[ \u200c\u200d]+[^\x00-\x7f]+)*")
_CODE = re.compile(r"`([^`]+)`")
_SET = "The whole set"


def sign(severity: Severity) -> Html:
    """A severity as a word with its sign.

    >>> sign(Severity.ERROR)
    '<span class="sign is-error">error</span>'
    """
    return tag("span", {"class": f"sign is-{severity}"}, str(severity))


def about(check: Check | None, code: str) -> Html:
    """What a check looks for, how to mend it, and the rest of its docstring folded."""
    if check is None:
        return tag("b", {}, code)
    told = qc.about(check)
    mend = told.sections.get(MEND)
    rest = [part for name in HEADINGS if name != MEND and name in told.sections for part in _titled(name, told.sections[name])]
    more = tag("details", {}, tag("summary", {}, "What it does, and why"), *rest) if rest else ""
    head = tag("p", {}, tag("b", {}, check.title), " ", tag("small", {}, check.name))
    return tag("div", {"class": "told"}, head, *(prose(mend) if mend else [tag("p", {}, told.problem)]), more)


def _titled(name: str, text: str) -> list[Html]:
    return [tag("h4", {}, name), *prose(text)]


def prose(text: str) -> list[Html]:
    r"""The paragraphs and lists of a docstring.

    >>> prose("Write `NFC`.\n\n- one\n- two\n  more")
    ['<p>Write <code>NFC</code>.</p>', '<ul><li>one</li><li>two more</li></ul>']
    """
    parts = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in block.split("\n")]
        if lines[0].startswith("- "):
            items = re.split(r"(?:^| )- ", " ".join(lines))[1:]
            parts.append(tag("ul", {}, *(tag("li", {}, _inline(item)) for item in items)))
        else:
            parts.append(tag("p", {}, _inline(" ".join(lines))))
    return parts


def _inline(text: str) -> Html:
    pieces = _CODE.split(text)
    return join(tag("code", {}, piece) if place % 2 else marked(piece) for place, piece in enumerate(pieces))


def marked(text: str) -> Html:
    """A text whose stretches in another script are marked with their language, for fonts and voices.

    >>> marked("the word बुखार है is odd")
    'the word <span lang="hi" dir="auto">बुखार है</span> is odd'
    """
    parts: list[str] = []
    end = 0
    for stretch in _ANOTHER_SCRIPT.finditer(text):
        if language(stretch.group()) is None:
            continue
        parts += [text[end : stretch.start()], spoken("span", {}, stretch.group())]
        end = stretch.end()
    return join([*parts, text[end:]])


def matrix(found: Checked, codes: Sequence[str]) -> Html:
    """How many findings of each check each recording has; those with most first."""
    counts = Counter((finding.session_id or "", finding.code) for finding in found.findings)
    gravest: dict[tuple[str, str], Severity] = {}
    order = list(Severity)
    for finding in found.findings:
        key = finding.session_id or "", finding.code
        gravest[key] = min(gravest.get(key, finding.severity), finding.severity, key=order.index)
    names = _ranked(found.findings)
    listed = set(_listed(found.findings))
    rows = []
    for place, name in enumerate(names[:MOST_ROWS]):
        shown = tag("bdi", {}, _shown_name(name))
        link = tag("a", {"href": f"#r{place}"}, shown) if name in listed else shown
        cells = [_cell(counts[name, code], gravest.get((name, code))) for code in codes]
        rows.append(tag("tr", {}, tag("th", {"scope": "row"}, link), *cells))
    titles = {check.code: check.title for check in found.checks}
    heads = [tag("th", {"scope": "col", "title": titles.get(code)}, tag("span", {"class": "code"}, code)) for code in codes]
    clean = len(set(found.recordings) - set(names))
    left = len(names) - len(rows)
    note = f"{counted(clean, 'recording')} without findings {'is' if clean == 1 else 'are'} not shown." if clean else ""
    more = f" {left} more with fewer findings are not shown{' either' if note else ''}." if left else ""
    body = tag(
        "table",
        {"class": "matrix"},
        tag("caption", {}, note + more),
        tag("thead", {}, tag("tr", {}, tag("th", {"scope": "col"}, "recording"), *heads)),
        tag("tbody", {}, *rows),
    )
    title = tag("h2", {}, "Recordings and checks")
    return tag("section", {"id": "matrix", "class": "part"}, title, wide(body))


def _cell(count: int, severity: Severity | None) -> Html:
    return tag("td", {"class": f"is-{severity}" if severity else None}, str(count) if count else "")


def _ranked(findings: Sequence[Finding]) -> list[str]:
    """Recordings, "" for the whole set first, then those with most findings."""
    counts = Counter(finding.session_id or "" for finding in findings)
    return sorted(counts, key=lambda name: (name != "", -counts[name], name))


def _shown_name(name: str) -> str:
    return printable(name) if name else _SET


def of_recordings(found: Checked) -> Html:
    """Every finding, by recording; those with most first."""
    listed = _listed(found.findings)
    groups = [_group(name, *own, f"r{place}", is_open=len(listed) <= OPEN) for place, (name, own) in enumerate(listed.items())]
    shown = sum(len(own) for own, _ in listed.values())
    more = f"{shown} of {len(found.findings)} findings are on this page; --json holds all." if shown < len(found.findings) else ""
    parts = [tag("h2", {}, "Findings, by recording"), tag("p", {"class": "note"}, more) if more else ""]
    box = tag("div", {"id": "filter", "class": "filter tools", "hidden": ""})
    return tag("section", {"id": "recordings", "class": "part"}, *parts, box, *groups)


def _listed(findings: Sequence[Finding]) -> dict[str, tuple[list[Finding], int]]:
    """The findings of each recording that a page has room for, and how many it has in all."""
    by_name: dict[str, list[Finding]] = {}
    for finding in findings:
        by_name.setdefault(finding.session_id or "", []).append(finding)
    listed: dict[str, tuple[list[Finding], int]] = {}
    left = MOST_FINDINGS
    for name in _ranked(findings):
        if left > 0:
            listed[name] = by_name[name][:left], len(by_name[name])
            left -= len(by_name[name])
    return listed


def _group(name: str, findings: Sequence[Finding], count: int, anchor: str, *, is_open: bool) -> Html:
    head = tag("summary", {}, tag("h3", {}, tag("bdi", {}, _shown_name(name))), tag("small", {}, _counts(findings, count)))
    titles = ("severity", "check", "where", "what")
    columns = tag("colgroup", {}, *(tag("col", {"class": title}) for title in titles))
    heads = tag("thead", {}, tag("tr", {}, *(tag("th", {"scope": "col"}, title) for title in titles)))
    body = tag("table", {"class": "rows stack"}, columns, heads, tag("tbody", {}, *map(_row, findings)))
    given = {"class": "of-recording", "id": anchor, "data-name": _shown_name(name), "open": "" if is_open else None}
    return tag("details", given, head, wide(body))


def _counts(findings: Sequence[Finding], count: int) -> str:
    if count > len(findings):
        return f"the first {len(findings)} of {count}"
    several = Counter(finding.severity for finding in findings)
    return ", ".join(counted(several[severity], str(severity)) for severity in Severity if several[severity])


def _row(finding: Finding) -> Html:
    return tag(
        "tr",
        {"data-severity": str(finding.severity), "data-code": finding.code},
        tag("td", {}, sign(finding.severity)),
        tag("td", {}, tag("span", {"class": "code"}, finding.code)),
        tag("td", {}, *_where(finding)),
        tag("td", {}, marked(printable(finding.message))),
    )


def _where(finding: Finding) -> Iterator[str]:
    """The file and line; a path may break after its folders."""
    if finding.path is None:
        return
    *folders, name = printable(Path(finding.path).as_posix()).split("/")
    for folder in folders:
        yield from (f"{folder}/", tag("wbr"))
    yield name if finding.line is None else f"{name}:{finding.line}"

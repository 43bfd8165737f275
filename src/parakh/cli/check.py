"""``parakh check``: findings as lines a person or an editor reads, as JSON or SARIF a program reads, or as a page."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parakh.cli.progress import bar
from parakh.cli.settings import check_json, check_output, put_json
from parakh.dataset import baseline
from parakh.dataset.checking import Checked, check
from parakh.errors import Fault, InputError, counted, printable
from parakh.files import write_atomic
from parakh.formats import detect
from parakh.types import Finding, Severity

_NEVER = "never"
_COLOUR = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "2"}
_FORMATS = ("text", "json", "sarif")


@dataclass(frozen=True)
class Request:
    """Everything ``parakh check`` was asked for; the fields are its options."""

    paths: Sequence[str]
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    fail_on: str | None = None
    config: str | None = None
    audio: str = "full"
    jobs: int = 1
    known: str | None = None
    write_known: str | None = None
    format: str = "text"
    skip_unknown: bool = False
    statistics: bool = False
    json_out: str | None = None
    sarif_out: str | None = None
    html_out: str | None = None


def run(request: Request) -> int:
    """Check, write what was asked for, and return the exit code: 1 if there are findings that fail the check."""
    json_out, sarif_out = _outputs(request)
    fail_on = _fail_on(request.fail_on)
    paths = [path for path in request.paths if not request.skip_unknown or _is_known(path)]
    if not paths:
        return 0
    with bar("looking at recordings") as progress:
        found = check(
            paths,
            config=request.config,
            select=_listed(request.select),
            ignore=_listed(request.ignore),
            audio=request.audio,
            jobs=request.jobs,
            progress=progress,
        )
    if request.write_known is not None:
        baseline.write(found.findings, request.write_known)
        print(f"{counted(len(found.findings), 'known finding')} written to {printable(request.write_known)}")
        return 0
    sifted = baseline.sift(found.findings, request.known) if request.known else baseline.Sifted(found.findings, 0, 0)
    found = replace(found, findings=sifted.new)
    if request.html_out is not None:
        from parakh.report.findings import page

        write_atomic(request.html_out, page(found, sifted.known))
    from parakh.report.findings_json import to_json, to_sarif

    free = put_json(json_out, lambda: to_json(found, sifted.known))
    free = put_json(sarif_out, lambda: to_sarif(found)) and free
    if free:
        _print(found, sifted, statistics=request.statistics)
    if fail_on == _NEVER:
        return 0
    return int(bool(found.failing(Severity(fail_on) if fail_on else None)))


def _is_known(path: str) -> bool:
    """Whether a path is more than a file that no format reads; of one that is not, it is told that it was left out."""
    try:
        if Path(path).is_file():
            detect(path)
    except InputError:
        print(printable(f"{path}: left out, no format reads it"), file=sys.stderr)
        return False
    return True


def _outputs(request: Request) -> tuple[str | None, str | None]:
    """Where JSON and SARIF go.

    Raises:
        InputError: Two go to the same place, or one to a file that is read.
    """
    if request.format not in _FORMATS:
        raise InputError(Fault("--format", "", repr(request.format), f"one of {', '.join(_FORMATS)}"))
    json_out = "-" if request.format == "json" and request.json_out is None else request.json_out
    sarif_out = "-" if request.format == "sarif" and request.sarif_out is None else request.sarif_out
    read = [*request.paths, *(path for path in (request.config, request.known) if path)]
    files = {"--json": json_out, "--sarif": sarif_out, "--html": request.html_out, "--write-baseline": request.write_known}
    named = [out for out in files.values() if out is not None]
    if len(set(named)) < len(named):
        raise InputError(Fault("check", "", f"two outputs to {max(named, key=named.count)}", "a file of its own for each"))
    check_json(json_out, read)
    for option in ("--sarif", "--html"):
        out = files[option]
        if out == "" or (out == "-" and option == "--html"):
            raise InputError(Fault(option, "", repr(out), "a file"))
        if out and out != "-":
            check_output(option, out, read)
    if request.write_known is not None and Path(request.write_known).exists():
        baseline.read(request.write_known)  # nothing but a baseline is written over
    return json_out, sarif_out


def _fail_on(text: str | None) -> str | None:
    known = [*map(str, Severity), _NEVER]
    if text is not None and text not in known:
        raise InputError(Fault("--fail-on", "", repr(text), f"one of {', '.join(known)}"))
    return text


def _listed(texts: Sequence[str]) -> list[str]:
    """What an option that is given several times, or with commas, lists."""
    return [name.strip() for text in texts for name in text.split(",")]


def _print(found: Checked, sifted: baseline.Sifted, *, statistics: bool) -> None:
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    lines = _statistics(found, coloured) if statistics else (line(finding, coloured) for finding in found.findings)
    sys.stdout.write("".join(f"{text}\n" for text in [*lines, _summary(found, sifted)]))


def _statistics(found: Checked, coloured: bool) -> Iterator[str]:
    from parakh.report.findings_json import per_code

    titles = {one.code: one.title for one in found.checks}
    rows = per_code(found)
    width = max((len(str(count)) for *_, count in rows), default=0)
    for code, severity, count in rows:
        yield f"{count:{width}} {_coloured(code, severity, coloured)} {titles.get(code, '')}".rstrip()


def line(finding: Finding, coloured: bool = False) -> str:
    """A finding as ``path:line: CODE message``.

    >>> line(Finding("QC403", "a pause of 0.20 s splits a turn", path="v1.rttm", line=4))
    'v1.rttm:4: QC403 a pause of 0.20 s splits a turn'
    """
    from parakh.report.findings_json import said

    place = finding.path or finding.session_id or "."
    if finding.path and finding.line is not None:
        place = f"{place}:{finding.line}"
    return f"{_clean(place)}: {_coloured(finding.code, finding.severity, coloured)} {_clean(said(finding))}"


def _clean(text: str) -> str:
    return text if text.isprintable() else printable(text)


def _coloured(text: str, severity: Severity, coloured: bool) -> str:
    return f"\x1b[{_COLOUR[severity]}m{text}\x1b[0m" if coloured else text


def _summary(found: Checked, sifted: baseline.Sifted) -> str:
    """One line: how many findings of each severity, in how many recordings, by how many checks.

    >>> _summary(Checked((), (), ("v1", "v2")), baseline.Sifted((), 3, 1))
    'nothing found in 2 recordings by 0 checks; 3 known findings not told; 1 of the baseline no longer there'
    """
    counts = [counted(count, str(severity)) for severity in Severity if (count := found.count(severity))]
    told = ", ".join(counts) or "nothing found"
    known = f"; {counted(sifted.known, 'known finding')} not told" if sifted.known else ""
    gone = f"; {sifted.gone} of the baseline no longer there" if sifted.gone else ""
    where = counted(len(found.recordings), "recording")
    return f"{told} in {where} by {counted(len(found.checks), 'check')}{known}{gone}"

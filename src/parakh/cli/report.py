"""``parakh report``: results files to one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.cli.settings import check_output
from parakh.report import html
from parakh.results import Results


def report(results: Sequence[str], out: Path, title: str) -> None:
    """Write the page and say where it is."""
    check_output("--out", str(out), results)
    html.write([Results.load(path) for path in results], out, title=title)
    print(out)

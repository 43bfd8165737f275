"""``parakh dataset release``: a data set that can be given away, or what stands in its way."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from parakh.cli.check import line
from parakh.cli.progress import bar
from parakh.dataset import release as releases
from parakh.dataset.card import outside
from parakh.dataset.workflow import code_faults
from parakh.errors import InputError, counted, printable


def run(folder: Path, by: str, *, known: str | None, jobs: int, dry_run: bool, at: datetime | None) -> int:
    """Release a data set, or say what stands in its way and return 1; nothing is written then.

    Raises:
        InputError: The data set cannot be read, or nobody is named.
    """
    if faults := code_faults(by):
        raise InputError(faults)
    with bar("looking at recordings") as progress:
        release = releases.prepare(folder, known=known, jobs=jobs, progress=progress)
    for finding in release.open:
        print(line(finding))
    for session, why in release.unfinished.items():
        print(printable(f"{session}: {why}"))
    about = f"{release.dataset.config.name} {release.dataset.config.version}"
    if not release.is_ready:
        ways = [counted(len(release.open), "open finding"), counted(len(release.unfinished), "unfinished recording")]
        print(f"{about} is not released: {' and '.join(way for way in ways if not way.startswith('0 '))}; nothing was written")
        return 1
    if told := outside(release.dataset):
        print(f"note: {told}")
    if dry_run:
        print(f"{about} is ready: {counted(len(release.dataset.entries), 'recording')}, nothing open; nothing was written")
        return 0
    written = releases.publish(release, by, at or datetime.now(UTC))
    print(f"{about} released: {counted(len(release.dataset.entries), 'recording')}; {', '.join(map(str, written))}")
    return 0

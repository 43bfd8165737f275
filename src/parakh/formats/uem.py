"""UEM: the stretches of each recording that are scored (NIST un-partitioned evaluation map).

``<recording> <channel> <start> <end>``, separated by blanks or tabs, seconds; several lines a recording are fine.
Comments start with ``;`` or ``#``. The channel is not kept. Regions of one recording that overlap are merged, with a
finding, so that no stretch is scored twice; regions that only touch stay apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._text import Reader, Writer, first_fields, number
from parakh.types import Loaded, Region

_COMMENTS = (";", "#")


def read(path: Path) -> Loaded[Region]:
    """Read the scored regions of a UEM file.

    Args:
        path: The file.

    Returns:
        Regions in file order (those of one recording sorted by start where some overlapped); findings
        ``overlapping-regions``, ``duplicate-line``, ``zero-duration``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Region("v1", 0.0, 5.0), Region("v1", 4.0, 9.0)], Path(folder) / "all.uem")
    ...     read(Path(folder) / "all.uem").items
    (Region(session_id='v1', start_time=0.0, end_time=9.0),)
    """
    reader = Reader(path)
    regions: list[tuple[int, Region]] = []
    for line, record in reader.records(_COMMENTS):
        fields = record.split()
        if len(fields) != 4:
            reader.fault(line, "", counted(len(fields), "field"), "4 fields: recording channel start end")
            continue
        start, end = reader.seconds(line, "start", fields[2]), reader.seconds(line, "end", fields[3])
        if start is None or end is None:
            continue
        if end < start:
            reader.fault(line, "end", repr(fields[3]), f"seconds >= start ({fields[2]})", "Swap or mend the times.")
        if end == start:
            reader.zero_duration(line)
        reader.names(line, {"recording": fields[0]})
        regions.append((line, Region(fields[0], start, end)))
    return reader.loaded(_merged(reader, regions))


def _merged(reader: Reader, regions: list[tuple[int, Region]]) -> list[Region]:
    sessions: dict[str, list[tuple[int, Region]]] = {}
    for line, region in regions:
        sessions.setdefault(region.session_id, []).append((line, region))
    overlapping = False
    merged: list[Region] = []
    for found in sessions.values():
        last: Region | None = None
        for line, region in sorted(found, key=lambda pair: (pair[1].start_time, pair[1].end_time)):
            if last is not None and region.start_time < last.end_time:
                overlapping = True
                reader.notice("overlapping-regions", line, "the region overlaps another one; they were merged")
                merged[-1] = last = Region(region.session_id, last.start_time, max(last.end_time, region.end_time))
            else:
                last = region
                merged.append(region)
    return merged if overlapping else [region for _, region in regions]


def write(items: Sequence[Region], path: Path) -> None:
    """Write regions as UEM, channel 1, in the order given.

    Args:
        items: The regions.
        path: Where to.

    Raises:
        InputError: A name has a blank or the times are not 0 <= start <= end.
    """
    writer = Writer(path)
    lines = []
    for entry, region in enumerate(items, 1):
        session = writer.token(entry, "session_id", region.session_id, _COMMENTS)
        start, end = writer.span(entry, region.start_time, region.end_time)
        lines.append(f"{session} 1 {start} {end}\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _sniff(head: str, path: Path) -> bool:
    fields = first_fields(head, _COMMENTS)
    return len(fields) == 4 and number(fields[2]) is not None and number(fields[3]) is not None


FORMAT = Format(
    name="uem",
    title="UEM: the stretches of each recording that are scored",
    item=Region,
    suffixes=(".uem",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The channel; regions that overlap come back merged.",
)

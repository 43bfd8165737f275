"""Whole public sets of annotations: every file reads, and counts are those of a plain count of its lines."""

import math
from collections import defaultdict
from pathlib import Path

import pytest

from parakh import formats
from parakh.metrics import der
from parakh.results import total
from parakh.selection import by_session
from parakh.types import Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
VOXCONVERSE = DATA / "voxconverse"
pytestmark = pytest.mark.skipif(not VOXCONVERSE.is_dir(), reason="the folder of public data is not beside this checkout")


def plain(part: str) -> list[tuple[str, float, float, str]]:
    """(recording, start, end, speaker) of every line, split at blanks."""
    rows = []
    for path in sorted((VOXCONVERSE / part).glob("*.rttm")):
        for line in path.read_text().splitlines():
            fields = line.split()
            rows.append((fields[1], float(fields[3]), float(fields[3]) + float(fields[4]), fields[7]))
    return rows


@pytest.mark.parametrize(("part", "files"), [("dev", 216), ("test", 232)])
def test_voxconverse(part: str, files: int) -> None:
    """216 and 232 recordings, as the data set's page says."""
    loaded = formats.load(VOXCONVERSE / part, Segment)
    rows = plain(part)
    assert len(loaded.items) == len(rows)
    assert len(by_session(loaded.items)) == files
    speakers: dict[str, set[str]] = defaultdict(set)
    for session, _, _, speaker in rows:
        speakers[session].add(speaker)
    found = {session: {one.speaker for one in items} for session, items in by_session(loaded.items).items()}
    assert found == speakers
    assert math.isclose(sum(one.duration for one in loaded.items), sum(end - start for _, start, end, _ in rows), rel_tol=1e-9)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_overlap_of_voxconverse_on_a_grid(part: str) -> None:
    """Speech and overlapped speech, against a grid of 10 ms frames."""
    grid: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for session, start, end, speaker in plain(part):
        grid[session][speaker].update(range(round(start * 100), round(end * 100)))
    speech = overlap = 0
    for speakers in grid.values():
        counts: dict[int, int] = defaultdict(int)
        for frames in speakers.values():
            for frame in frames:
                counts[frame] += 1
        speech += len(counts)
        overlap += sum(count > 1 for count in counts.values())
    loaded = by_session(formats.load(VOXCONVERSE / part, Segment).items)
    figures = total([der.stats(turns, []) for turns in loaded.values()])
    assert figures["speech"] == pytest.approx(speech / 100, rel=1e-3)
    assert figures["overlap"] == pytest.approx(overlap / 100, rel=1e-2)

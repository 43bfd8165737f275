"""Published files read as meeteval 0.4.3 reads them."""

from pathlib import Path
from typing import Any

import pytest

from parakh import formats
from parakh.types import Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public test data is not beside this checkout")
meeteval_io = pytest.importorskip("meeteval.io")

EXAMPLES = "meeteval/example_files"


def ours(path: Path) -> list[tuple[Any, ...]]:
    return [(one.session_id, one.speaker, one.start_time, one.end_time, one.words) for one in formats.load(path, Segment).items]


def theirs(line: dict[str, Any]) -> tuple[Any, ...]:
    times = [None if line.get(key) is None else float(line[key]) for key in ("start_time", "end_time")]
    return (line["session_id"], line.get("speaker"), *times, line.get("words") or "")


@pytest.mark.parametrize("name", ["ref.stm", "hyp.stm", "refA.stm", "hypB.stm", "ref_siso.stm"])
def test_transcripts(name: str) -> None:
    path = DATA / EXAMPLES / name
    assert ours(path) == [theirs(line) for line in meeteval_io.load(path).to_seglst()]


@pytest.mark.parametrize(
    "name", [f"{EXAMPLES}/ref.rttm", f"{EXAMPLES}/hyp.rttm", "spyder/test/fixtures/ref.rttm", "voxconverse/dev/afjiv.rttm"]
)
def test_turns(name: str) -> None:
    path = DATA / name
    read = [theirs(line) for line in meeteval_io.load(path, parse_float=float).to_seglst()]
    assert [one[:3] for one in ours(path)] == [one[:3] for one in read]
    assert [one[3] for one in ours(path)] == pytest.approx([one[3] for one in read], abs=1e-12)


def test_words() -> None:
    path = DATA / "lhotse/test/fixtures/supervision_with_scores.ctm"
    read = meeteval_io.CTM.load(path, parse_float=float)
    assert [(one[0], one[2], one[4]) for one in ours(path)] == [(line.filename, line.begin_time, line.word) for line in read]
    assert [one.confidence for one in formats.load(path, Segment).items] == [float(line.confidence) for line in read]

"""The log of annotation: what may follow what, nothing added by halves, nobody's line lost."""

import contextlib
import json
import multiprocessing
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.dataset import workflow
from parakh.dataset.workflow import LOG, STEPS, Status, Step, append, changed_since, checksums, read_log, rejections, statuses
from parakh.errors import InputError
from parakh.types import Entry, Recording

DAY = datetime(2026, 3, 31, 9, 30, tzinfo=UTC)
ALL_THE_WAY = [one for one in Status if one is not Status.REVISE]


def walk(folder: Path, session: str, *steps: Status, by: str = "ann01") -> None:
    for status in steps:
        append(folder, [session], status, by, reason="overlap" if status is Status.REVISE else "", at=DAY)


def test_the_way_from_draft_to_release(tmp_path: Path) -> None:
    walk(tmp_path, "v1", *ALL_THE_WAY)
    steps = read_log(tmp_path)
    assert [step.status for step in steps] == ALL_THE_WAY
    assert steps[0] == Step(DAY, "v1", "ann01", Status.DRAFT)
    assert statuses(steps)["v1"].status is Status.RELEASED


@pytest.mark.parametrize("before", [None, *Status])
@pytest.mark.parametrize("after", list(Status))
def test_every_step_that_is_not_declared_is_refused(before: Status | None, after: Status, tmp_path: Path) -> None:
    if before is Status.REVISE:
        walk(tmp_path, "v1", Status.DRAFT, Status.SEGMENTED, Status.REVISE)
    elif before is not None:
        walk(tmp_path, "v1", *ALL_THE_WAY[: ALL_THE_WAY.index(before) + 1])
    lines = (tmp_path / LOG).read_text() if before else None
    if after in STEPS[before]:
        walk(tmp_path, "v1", after)
        return
    with pytest.raises(InputError, match=rf"v1: status: found '{after}', expected .*, as it is"):
        walk(tmp_path, "v1", after)
    assert ((tmp_path / LOG).read_text() if (tmp_path / LOG).exists() else None) == lines


def test_a_released_recording_goes_nowhere_but_back() -> None:
    assert STEPS[Status.RELEASED] == (Status.REVISE,)
    assert STEPS[Status.QC5] == (Status.RELEASED, Status.REVISE)
    assert all(Status.REVISE in STEPS[one] for one in ALL_THE_WAY[1:])


def test_all_recordings_of_a_call_or_none(tmp_path: Path) -> None:
    walk(tmp_path, "v1", Status.DRAFT)
    before = (tmp_path / LOG).read_bytes()
    with pytest.raises(InputError) as caught:
        append(tmp_path, ["v1", "v2", "v3"], Status.SEGMENTED, " ")
    assert [fault.path for fault in caught.value.faults] == ["--by", "v2", "v3"]
    assert (tmp_path / LOG).read_bytes() == before


def test_a_rejection_needs_a_reason(tmp_path: Path) -> None:
    walk(tmp_path, "v1", Status.DRAFT, Status.SEGMENTED)
    with pytest.raises(InputError, match="--reason: found nothing"):
        append(tmp_path, ["v1"], Status.REVISE, "qc01", reason=" ")


GOOD = {"time": "2026-03-31T09:30:00Z", "session_id": "v1", "status": "draft", "by": "ann01"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"time": "yesterday"}, ":1: time: found 'yesterday', expected a time in UTC"),
        ({"session_id": ""}, ":1: session_id: found nothing, expected a name"),
        ({"by": None}, ":1: by: found nothing, expected a name"),
        ({"status": "done"}, ":1: status: found 'done', expected one of draft, segmented"),
        ({"status": "qc1"}, ":1: status: found 'qc1', expected draft, as it is not in the log yet"),
        ({"sha256": [1]}, ":1: sha256: found [1], expected an object of checksums by kind"),
        ({"who": "me"}, ":1: who: found an unknown key"),
    ],
)
def test_a_broken_line_is_told(change: dict[str, object], message: str, tmp_path: Path) -> None:
    (tmp_path / LOG).write_text(json.dumps({**GOOD, **change}) + "\n")
    with pytest.raises(InputError) as caught:
        read_log(tmp_path)
    assert message in str(caught.value)


def test_a_line_cut_short_is_told_and_nothing_is_added_to_it(tmp_path: Path) -> None:
    walk(tmp_path, "v1", Status.DRAFT)
    with (tmp_path / LOG).open("a") as log:
        log.write('{"time": "2026')
    with pytest.raises(InputError, match=r":2: found a line that was not written to its end, .* Take it out"):
        append(tmp_path, ["v1"], Status.SEGMENTED, "ann01")


@given(st.text())
def test_any_log_is_read_or_refused(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / LOG).write_bytes(text.encode("utf-8", "surrogatepass"))
        with contextlib.suppress(InputError):
            read_log(folder)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a data set's folder"):
        append(tmp_path / "none", ["v1"], Status.DRAFT, "ann01")
    assert not (tmp_path / "none").exists()


def _one(folder: str, session: str) -> None:
    append(folder, [session], Status.DRAFT, session)


def test_many_at_once_lose_no_line(tmp_path: Path) -> None:
    names = [f"v{k}" for k in range(24)]
    with multiprocessing.get_context("fork").Pool(8) as pool:
        pool.starmap(_one, [(str(tmp_path), name) for name in names])
    assert sorted(step.session_id for step in read_log(tmp_path)) == sorted(names)


def test_two_who_take_the_same_step_are_told_apart(tmp_path: Path) -> None:
    walk(tmp_path, "v1", Status.DRAFT)
    with pytest.raises(InputError, match="expected segmented, as it is draft"):
        walk(tmp_path, "v1", Status.DRAFT, by="ann02")


def test_a_file_changed_after_a_check_comes_to_light(tmp_path: Path) -> None:
    (tmp_path / "v1.rttm").write_text("one")
    entry = Entry(Recording("v1"), {"rttm": str(tmp_path / "v1.rttm"), "transcript": str(tmp_path / "v1.txt")})
    append(tmp_path, ["v1"], Status.DRAFT, "ann01", sha256={"v1": checksums(entry)})
    (step,) = read_log(tmp_path)
    assert changed_since(step, entry) == []
    (tmp_path / "v1.rttm").write_text("two")
    assert changed_since(step, entry) == ["rttm"]


def test_rejections_belong_to_who_handed_in_last() -> None:
    way = [
        ("v1", "ann01", Status.SEGMENTED),
        ("v1", "ann02", Status.TRANSCRIBED),
        ("v1", "qc01", Status.REVISE),
        ("v1", "ann02", Status.TRANSCRIBED),
        ("v2", "ann01", Status.SEGMENTED),
        ("v2", "ann01", Status.TRANSCRIBED),
    ]
    assert rejections([Step(DAY, session, by, status) for session, by, status in way]) == {"ann01": (2, 0), "ann02": (2, 1)}


def test_an_audit_changes_no_status(tmp_path: Path) -> None:
    walk(tmp_path, "v1", Status.DRAFT)
    workflow.note_audit(tmp_path, ["v1"], "qc01", "10% of 10, seed 1", at=DAY)
    steps = read_log(tmp_path)
    assert steps[-1] == Step(DAY, "v1", "qc01", None, "10% of 10, seed 1")
    assert statuses(steps)["v1"].status is Status.DRAFT


def test_topics_of_another_recording_in_the_same_file_change_nothing(tmp_path: Path) -> None:
    table = tmp_path / "topics.csv"
    table.write_text('rec_id,topics\nv1,"Fever, Cough"\nv2,Fever\n')
    one, other = (Entry(Recording(name), {"topics": str(table)}) for name in ("v1", "v2"))
    steps = {entry.session_id: Step(DAY, entry.session_id, "qc01", Status.QC1, sha256=checksums(entry)) for entry in (one, other)}
    table.write_text('rec_id,topics\nv0,Anaemia\nv1,"Fever, Cough"\nv2,Diarrhoea\n')
    assert changed_since(steps["v1"], one) == []
    assert changed_since(steps["v2"], other) == ["topics"]
    table.write_text("rec_id,topics\nv1\n")  # does not read
    assert changed_since(steps["v1"], one) == ["topics"]

"""The verbs of annotation from the outside: status, advance, reject, audit, agreement, anchoring."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from parakh import formats
from parakh.dataset import manifest
from parakh.types import Entry, Recording, Segment

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "visits"
    shutil.copytree(EXAMPLES / "transcripts", folder / "transcripts")
    names = sorted(path.stem for path in (folder / "transcripts").iterdir())
    entries = [
        Entry(Recording(name, language=name[:2], metadata={"snr_db": "12"}), {"transcript": f"{folder}/transcripts/{name}.txt"})
        for name in names
    ]
    manifest.save(manifest.Dataset(folder, tuple(entries)))
    return folder


def parakh(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "parakh.cli.main", "dataset", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


EARLIER = ("--at", "2026-03-31T09:00")


def test_a_recording_is_followed_from_draft_to_rejection(dataset: Path) -> None:
    assert parakh("status", dataset).stdout.startswith("4 not begun\n")
    for status in ("draft", "segmented", "transcribed"):
        done = parakh("advance", dataset, "hi_anc_01", "hi_child_02", "--to", status, "--by", "ann01", *EARLIER)
        assert (done.returncode, done.stdout) == (0, f"2 recordings now {status}\n")
    done = parakh("reject", dataset, "hi_anc_01", "--by", "qc01", "--reason", "overlap not marked", "--at", "2026-03-31T09:30")
    assert done.stdout == "1 recording now revise\n"
    (dataset / "transcripts" / "hi_child_02.txt").write_text("changed")
    shown = parakh("status", dataset).stdout
    assert shown.startswith("1 transcribed, 1 revise, 2 not begun\n")
    assert [line.split()[-1] for line in shown.splitlines() if line.startswith("hi_child_02")] == ["transcript"]
    history = parakh("status", dataset, "hi_anc_01", "--history").stdout
    assert "2026-03-31 09:30  hi_anc_01  revise" in history
    assert "overlap not marked" in history
    document = json.loads(parakh("status", dataset, "--json", "-").stdout)
    assert [row["status"] for row in document["recordings"]] == ["revise", "transcribed", None, None]
    assert len(document["steps"]) == 7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["advance", "hi_anc_01", "--to", "qc1", "--by", "a"], "hi_anc_01: status: found 'qc1', expected draft, as it is not in"),
        (["advance", "nobody", "--to", "draft", "--by", "a"], "nobody: found no such recording, expected one of "),
        (["advance", "hi_anc_01", "--to", "darft", "--by", "a"], "there is no status 'darft'; did you mean 'draft'?"),
        (["advance", "hi_anc_01", "--to", "draft", "--by", " "], "--by: found ' ', expected a code of who does it"),
        (["advance", "hi_anc_01", "--to", "draft", "--by", "a", "--at", "noon"], "--at: found 'noon', expected a date and time"),
        (["reject", "hi_anc_01", "--by", "a", "--reason", ""], "--reason: found nothing, expected why"),
        (["audit", "--size", "9", "--by", "a"], "--size: found '9', expected a number up to 4, or a percentage"),
        (["anchoring", "--draft", "nowhere"], "nowhere: found no such file"),
        (["anchoring", "--draft", "nowhere", "--limit", "0"], "--limit: found 0, expected a percentage above 0"),
    ],
)
def test_what_cannot_be_is_one_line_and_no_log(arguments: list[str], message: str, dataset: Path) -> None:
    done = parakh(arguments[0], dataset, *arguments[1:])
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (dataset / "annotation-log.jsonl").exists()


def test_an_audit_is_drawn_again_the_same_and_logged(dataset: Path) -> None:
    first = parakh("audit", dataset, "--size", "50%", "--by", "qc01", "--stratify", "language", "--json", "-")
    again = parakh("audit", dataset, "--size", "50%", "--by", "qc01", "--stratify", "language", "--json", "-", "--no-log")
    assert first.stdout == again.stdout
    drawn = json.loads(first.stdout)["recordings"]
    assert len(drawn) == 2
    assert all(row["noise"] == pytest.approx(0.4) for row in drawn)
    log = [json.loads(line) for line in (dataset / "annotation-log.jsonl").read_text().splitlines()]
    assert {step["session_id"] for step in log} == {row["session_id"] for row in drawn}
    assert all(step["audited"] == "50% of 4, stratified by language, seed 1" for step in log)


def test_agreement_of_two_files(dataset: Path, tmp_path: Path) -> None:
    heard = formats.load(dataset / "transcripts" / "hi_anc_01.txt", Segment).items
    later = [replace(one, end_time=one.end_time and one.end_time + 0.08, speaker=f"x{one.speaker}") for one in heard]
    formats.get("seglst").write(later, tmp_path / "second.json")
    done = parakh("agreement", f"ann01={dataset}/transcripts", f"ann02={tmp_path}/second.json", "--interval", "95")
    assert done.returncode == 0
    assert done.stdout.startswith("ann01 and ann02, 1 recording in common\nonly ann01 has 3 recordings: hi_child_02, ")
    lines = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    assert " 50.00 %" in lines["boundary F1 within 50 ms"]
    assert " 100.00 %" in lines["boundary F1 within 100 ms"]
    assert " 0.00 %" in lines["WER as written, ann01 as reference"]


def test_who_left_the_draft_as_it_was_is_flagged(dataset: Path) -> None:
    done = parakh("anchoring", dataset, "--draft", dataset / "transcripts")
    assert done.returncode == 1
    assert "listened?" in done.stdout
    assert parakh("anchoring", dataset, "--draft", dataset / "transcripts", "--limit", "100").returncode == 0


def test_all_recordings_that_may_take_the_step(dataset: Path) -> None:
    assert parakh("advance", dataset, "hi_anc_01", "--to", "draft", "--by", "ann01").returncode == 0
    assert parakh("advance", dataset, "--all", "--to", "draft", "--by", "ann01").stdout == "3 recordings now draft\n"
    assert parakh("advance", dataset, "--all", "--to", "segmented", "--by", "ann01").stdout == "4 recordings now segmented\n"
    none = parakh("advance", dataset, "--all", "--to", "draft", "--by", "ann01")
    assert (none.returncode, none.stderr.split(", expected")[0]) == (2, "--all: found no recording that may become draft")
    both = parakh("advance", dataset, "hi_anc_01", "--all", "--to", "transcribed", "--by", "ann01")
    assert (both.returncode, both.stderr.split(", expected")[0]) == (2, "advance: found ids beside --all")
    neither = parakh("advance", dataset, "--to", "transcribed", "--by", "ann01")
    assert (neither.returncode, neither.stderr.split(", expected")[0]) == (2, "advance: found no recording")

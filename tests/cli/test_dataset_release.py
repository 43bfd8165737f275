"""A release from the outside: refused while anything is open, then whole, verifiable and repeatable."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parakh.dataset import manifest, workflow
from parakh.dataset.workflow import Status
from parakh.errors import InputError
from tests import planted

pytest.importorskip("av", reason="the cascade extra, which decodes the bundled conversations, is not installed")

WAY = tuple(Status)[:8]
"""From draft to the last stage of quality control."""
AT = ("--at", "2026-03-31T09:30")


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("release") / "visits"
    planted.build(root)
    return root


@pytest.fixture
def dataset(clean: Path, tmp_path: Path) -> Path:
    shutil.copytree(clean, tmp_path / "visits")
    return tmp_path / "visits"


def parakh(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "parakh.cli.main", "dataset", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_clean_data_set_is_released_and_can_be_verified(dataset: Path) -> None:
    before = contents(dataset)
    ready = parakh("release", dataset, "--by", "rel01", "--dry-run")
    assert ready.returncode == 0, ready.stdout + ready.stderr
    assert "is ready: 7 recordings, nothing open; nothing was written" in ready.stdout
    assert contents(dataset) == before
    done = parakh("release", dataset, "--by", "rel01", *AT)
    assert done.returncode == 0, done.stdout + done.stderr
    verified = subprocess.run(
        ["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=dataset, capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0
    listed = {line.split("  ", 1)[1] for line in (dataset / "SHA256SUMS").read_text().splitlines()}
    loaded = manifest.load(dataset)
    named = {path for one in loaded.entries for path in (one.recording.audio, *one.files.values()) if path}
    assert {Path(path).relative_to(dataset).as_posix() for path in named} <= listed
    assert {"recordings.jsonl", "metadata.csv", "parakh.toml", "DATACARD.md"} <= listed
    assert all(set(one.sha256) == {"audio", *one.files} for one in loaded.entries)
    card = (dataset / "DATACARD.md").read_text()
    for text in ("- licence: CC-BY-4.0", "- released: 2026-03-31", "- recordings: 7 (", "Nothing stays open.", "| hours |"):
        assert text in card
    first = contents(dataset)
    again = parakh("release", dataset, "--by", "rel01", *AT)
    assert again.returncode == 0, again.stdout
    assert contents(dataset) == first


def test_nothing_is_written_while_a_finding_is_open(dataset: Path) -> None:
    with (dataset / "topics.csv").open("a") as file:
        file.write('ghost,"fever"\n')
    before = contents(dataset)
    done = parakh("release", dataset, "--by", "rel01")
    assert done.returncode == 1
    assert " is not released: " in done.stdout
    assert "open finding" in done.stdout
    assert contents(dataset) == before


def test_a_file_that_changed_after_the_release_is_found(dataset: Path) -> None:
    assert parakh("release", dataset, "--by", "rel01").returncode == 0
    transcript = next(path for path in sorted((dataset / "transcripts").iterdir()))
    transcript.write_text(transcript.read_text() + "\n")
    done = parakh("release", dataset, "--by", "rel01")
    assert done.returncode == 1
    assert "QC507" in done.stdout


def test_a_recording_that_has_not_gone_all_the_way_holds_the_release_up(dataset: Path) -> None:
    entries = manifest.load(dataset).entries
    for step in WAY:
        sums = {one.session_id: workflow.checksums(one) for one in entries}
        workflow.append(dataset, list(sums), step, "qc01", sha256=sums)
    first = entries[0].session_id
    assert parakh("reject", dataset, first, "--by", "qc02", "--reason", "overlap").returncode == 0
    held = parakh("release", dataset, "--by", "rel01")
    assert held.returncode == 1
    assert f"{first}: is revise, not qc5" in held.stdout
    for step in WAY[2:]:
        workflow.append(dataset, [first], step, "qc01", sha256=sums)
    assert parakh("release", dataset, "--by", "rel01").returncode == 0
    latest = workflow.statuses(workflow.read_log(dataset))
    assert {step.status for step in latest.values()} == {Status.RELEASED}
    assert "1 recording sent back to be revised" in (dataset / "DATACARD.md").read_text()
    log = [json.loads(line) for line in (dataset / "annotation-log.jsonl").read_text().splitlines()]
    assert log[-1]["reason"].startswith("version ")


def test_a_stage_is_not_passed_with_findings_of_it(dataset: Path) -> None:
    entry = manifest.load(dataset).entries[0]
    for step in WAY[:3]:
        workflow.append(dataset, [entry.session_id], step, "ann01")
    Path(entry.files["transcript"]).write_bytes(b"\xff")
    refused = parakh("advance", dataset, entry.session_id, "--to", "qc1", "--by", "qc01")
    assert refused.returncode == 1
    assert "QC130" in refused.stdout
    assert "nothing was noted" in refused.stdout
    assert workflow.statuses(workflow.read_log(dataset))[entry.session_id].status is Status.TRANSCRIBED
    passed = parakh("advance", dataset, entry.session_id, "--to", "qc1", "--by", "qc01", "--despite", "lost, kept for its turns")
    assert passed.returncode == 0
    assert workflow.read_log(dataset)[-1].reason == "lost, kept for its turns"


def test_a_release_needs_a_name_a_version_and_a_licence(dataset: Path) -> None:
    (dataset / "parakh.toml").write_text("")
    done = parakh("release", dataset, "--by", "rel01")
    assert done.returncode == 2
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == ["dataset.name", "dataset.version", "dataset.licence"]
    assert "Traceback" not in done.stderr


def test_a_release_that_is_not_ready_cannot_be_published(dataset: Path) -> None:
    from datetime import UTC, datetime

    from parakh.dataset.release import prepare, publish

    (dataset / "rttm" / "orphan.rttm").write_text("SPEAKER orphan 1 0 1 <NA> <NA> a <NA> <NA>\n")
    release = prepare(dataset)
    assert not release.is_ready
    with pytest.raises(InputError, match="not ready"):
        publish(release, "rel01", datetime(2026, 3, 31, tzinfo=UTC))

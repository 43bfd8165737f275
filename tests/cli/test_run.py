"""``parakh run`` as a command: progress, faults, an interrupt, and the cost beside the scores."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("av", reason="the cascade extra is not installed")

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PRESET = f"""
[diarizer]
name = "external"
path = "{EXAMPLES / "rttm"}"

[transcriber]
name = "external"
path = "{EXAMPLES / "transcripts"}"

[topics]
name = "concepts"
"""


def parakh(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parakh.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def preset(tmp_path: Path) -> Path:
    path = tmp_path / "given.toml"
    path.write_text(PRESET, encoding="utf-8")
    return path


def test_annotations_are_not_overwritten(preset: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "set")
    done = parakh("run", tmp_path / "set", "--preset", preset, "--out", tmp_path / "set", "--overwrite")
    assert done.returncode == 2
    assert "--out: found a data set, expected a folder for answers alone." in done.stderr
    mine = tmp_path / "plain" / "rttm" / "hi_anc_01.rttm"
    mine.parent.mkdir(parents=True)
    mine.write_text("by hand")
    call = "run", EXAMPLES / "audio" / "hi_anc_01.flac", "--preset", preset, "--out", tmp_path / "plain", "--jobs", 0
    done = parakh(*call)
    assert done.returncode == 2
    assert "found files named like the answers of 1 of these recordings" in done.stderr
    assert mine.read_text() == "by hand"
    assert parakh(*call, "--resume").returncode == 0


def test_a_number_in_a_file_that_is_no_language_model_is_masked(tmp_path: Path) -> None:
    (tmp_path / "hi.arpa").write_text("call 9876543210")
    recording = EXAMPLES / "audio" / "hi_anc_01.flac"
    done = parakh("run", recording, "--set", f"transcriber.lm={tmp_path}/hi.arpa", "--out", tmp_path / "out", "--jobs", 0)
    assert done.returncode == 2
    assert "found 'call ••••••••10', expected" in done.stderr


def test_a_batch_with_a_bad_recording_is_told_line_by_line_and_scored_with_its_cost(preset: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"no sound")
    out = tmp_path / "out"
    done = parakh("run", EXAMPLES / "recordings.jsonl", bad, "--preset", preset, "--out", out, "--jobs", 2)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert sorted(line.split(" ")[0] for line in lines[:-1]) == [f"{k}/5" for k in range(1, 6)]
    assert all("left" in line for line in lines[:-1])
    assert "real-time factor" in lines[-2]
    assert f"{bad}: audio: found data that is no audio" in lines[-1]
    assert json.loads((out / "run.json").read_text())["recordings"] == 4
    scored = parakh("score", "topics", "-r", EXAMPLES / "topics.csv", "-h", out / "topics", "--skip-missing")
    assert "RTF" in scored.stdout
    assert "peak MB" in scored.stdout
    resumed = parakh("run", EXAMPLES / "recordings.jsonl", "--preset", preset, "--out", out, "--resume")
    assert resumed.returncode == 0
    assert "done already" in resumed.stdout


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_says_how_to_go_on_and_leaves_no_worker(preset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["run", str(EXAMPLES / "recordings.jsonl"), "--preset", str(preset), "--out", str(out)]
    command = [sys.executable, "-m", "parakh.cli.main", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not out.is_dir() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode in (130, 0), told
    assert process.returncode == 0 or "--resume" in told
    assert "Traceback" not in told
    assert ended(process.pid)


def ended(group: int) -> bool:
    """Whether every process of a group is gone; workers see that their parent is, which may take them a moment."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("size", ["2", "lots", "0GB", "-1GB"])
def test_a_size_that_is_none_is_refused(size: str, preset: Path, tmp_path: Path) -> None:
    done = parakh("run", EXAMPLES / "audio", "--preset", preset, "--out", tmp_path / "out", f"--max-memory={size}")
    assert done.returncode == 2
    assert done.stderr.startswith("--max-memory: found ")


def test_a_refused_run_leaves_no_folder(preset: Path, tmp_path: Path) -> None:
    call = "run", EXAMPLES / "audio" / "hi_anc_01.flac", "--out", tmp_path / "answers"
    done = parakh(*call, "--preset", preset, "--language", "xx")
    assert (done.returncode, done.stderr.startswith("there is no language 'xx'. Known: as, bn,")) == (2, True)
    lacking = tmp_path / "lacking.toml"
    lacking.write_text(PRESET.replace(str(EXAMPLES / "rttm"), str(tmp_path / "nowhere")), encoding="utf-8")
    assert parakh(*call, "--preset", lacking).returncode == 2
    assert not (tmp_path / "answers").exists()

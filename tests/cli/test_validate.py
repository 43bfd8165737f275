"""``parakh validate`` and ``parakh export codabench``, as they are called."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from parakh.leaderboard.challenge_file import load_challenge
from parakh.leaderboard.kit import Kit

EXAMPLES = Path(__file__).parents[2] / "examples"
CHALLENGE = EXAMPLES / "challenge" / "challenge.toml"


def parakh(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parakh.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kit") / "kit.json"
    path.write_text(Kit.of(load_challenge(CHALLENGE), CHALLENGE.parent, "eval", "topics").to_json(), encoding="utf-8")
    return path


def test_a_good_submission_ends_with_0(kit: Path) -> None:
    done = parakh("validate", EXAMPLES / "topics.csv", "--kit", kit)
    line = "Fine: an answer to each of the 4 recordings of parakh-example, phase eval, track topics.\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, line, "")


def test_a_challenge_stands_in_for_a_kit() -> None:
    done = parakh("validate", EXAMPLES / "summaries.csv", "--challenge", CHALLENGE, "--phase", "dev", "--track", "summarization")
    assert (done.returncode, done.stderr) == (0, "")


def test_faults_end_with_1_and_stand_on_standard_error(kit: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("topics.csv", "rec_id,gt_topics\nhi_anc_01,Fever\nhi_anc_1,Fever\n")
    done = parakh("validate", tmp_path / "a.zip", "--kit", kit)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("topics.csv:3: session_id: found 'hi_anc_1', expected a recording of the phase eval.")
    assert len(done.stderr.splitlines()) == 4


def test_json_says_the_same_to_programs(kit: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("rec_id,gt_topics\n", encoding="utf-8")
    done = parakh("validate", tmp_path / "empty.csv", "--kit", kit, "--json", "-")
    document = json.loads(done.stdout)
    assert (done.returncode, document["schema"], document["is_valid"]) == (1, "parakh.validation/1", False)
    assert [one["found"] for one in document["faults"]] == [
        f"no answer to {name!r}" for name in ("hi_anc_01", "hi_child_02", "hi_elder_03", "kn_fever_04")
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kit", "none.json"], "none.json: found no such file"),
        ([], "--kit: found nothing, expected a kit, or --challenge with --phase and --track."),
        (["--kit", "a", "--challenge", "b"], "--kit: found it and --challenge"),
        (["--kit", "a", "--phase", "dev"], "--phase: found 'dev', expected nothing: the kit says it."),
        (["--challenge", CHALLENGE, "--phase", "dv", "--track", "asr"], "--phase: found 'dv', expected dev, eval, after."),
        (["--challenge", CHALLENGE, "--phase", "dev"], "--track: found '', expected diarization, asr, topics, summarization."),
        (["--kit", EXAMPLES / "recordings.jsonl"], "recordings.jsonl: found no JSON, expected a parakh.kit/1 document."),
        (["--kit", EXAMPLES / "topics.csv", "--json", EXAMPLES / "topics.csv"], "which is read, expected another file"),
    ],
)
def test_a_wrong_call_ends_with_2(arguments: list[object], words: str) -> None:
    done = parakh("validate", EXAMPLES / "topics.csv", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


@pytest.mark.parametrize("path", ["no.zip", EXAMPLES])
def test_what_is_no_file_is_a_wrong_call(path: object, kit: Path) -> None:
    done = parakh("validate", path, "--kit", kit)
    assert done.returncode == 2
    assert "expected a zip, a tar.gz or a single file" in done.stderr


def test_a_bundle_of_codabench_is_written(tmp_path: Path) -> None:
    done = parakh(
        "export", "codabench", CHALLENGE, "--track", "asr", "--image", "a/b:1", "--out", tmp_path / "a.zip", "--phase", "eval"
    )
    assert done.returncode == 0
    assert done.stderr == "note: The leaderboard does not freeze: Codabench has no freeze.\n"
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert "reference_data/eval.zip" in archive.namelist()
        assert "reference_data/dev.zip" not in archive.namelist()
    wrong = parakh("export", "codabench", CHALLENGE, "--track", "asrr", "--image", "a/b:1", "--out", tmp_path / "b.zip")
    assert (wrong.returncode, (tmp_path / "b.zip").exists()) == (2, False)
    assert wrong.stderr == "--track: found 'asrr', expected one of diarization, asr, topics, summarization.\n"

"""The bundle for Codabench: its form as documented, and scores as Codabench gets them from its scoring program."""

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from parakh.dataset.exporting._bundles import yaml
from parakh.errors import InputError
from parakh.leaderboard.challenge import Challenge, Sight
from parakh.leaderboard.challenge_file import load_challenge, load_references
from parakh.leaderboard.codabench import export
from parakh.leaderboard.references import measure
from parakh.results import Results

parser = pytest.importorskip("yaml")
EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDER = EXAMPLES / "challenge"
ANSWERS = {"diarization": "rttm", "asr": "transcripts", "topics": "topics.csv", "summarization": "summaries.csv"}

TEXT, NUMBER, SWITCH = str, int, bool
COMPETITION = {
    "version": NUMBER, "title": TEXT, "description": TEXT, "image": TEXT, "terms": TEXT, "registration_auto_approve": SWITCH,
    "docker_image": TEXT, "make_programs_available": SWITCH, "make_input_data_available": SWITCH, "queue": TEXT,
    "enable_detailed_results": SWITCH, "show_detailed_results_in_submission_panel": SWITCH,
    "show_detailed_results_in_leaderboard": SWITCH, "contact_email": TEXT, "reward": TEXT, "auto_run_submissions": SWITCH,
    "can_participants_make_submissions_public": SWITCH, "forum_enabled": SWITCH, "pages": list, "phases": list, "tasks": list,
    "solutions": list, "fact_sheet": dict, "leaderboards": list,
}  # fmt: skip
PAGE = {"title": TEXT, "file": TEXT}
PHASE = {
    "index": NUMBER, "name": TEXT, "description": TEXT, "start": TEXT, "end": TEXT, "tasks": list, "max_submissions": NUMBER,
    "max_submissions_per_day": NUMBER, "auto_migrate_to_this_phase": SWITCH, "execution_time_limit": NUMBER, "hide_output": SWITCH,
    "hide_prediction_output": SWITCH, "hide_score_output": SWITCH, "starting_kit": TEXT, "public_data": TEXT,
    "accepts_only_result_submissions": SWITCH,
}  # fmt: skip
TASK = {
    "index": NUMBER, "name": TEXT, "description": TEXT, "scoring_program": TEXT, "reference_data": TEXT, "input_data": TEXT,
    "ingestion_program": TEXT, "ingestion_only_during_scoring": SWITCH, "key": TEXT,
}  # fmt: skip
LEADERBOARD = {"title": TEXT, "key": TEXT, "columns": list, "submission_rule": TEXT, "hidden": SWITCH}
COLUMN = {
    "title": TEXT, "key": TEXT, "index": NUMBER, "sorting": TEXT, "computation": TEXT, "computation_indexes": list,
    "precision": NUMBER, "hidden": SWITCH,
}  # fmt: skip
REQUIRED = {
    "competition": ("version", "title", "image", "terms", "pages", "phases", "tasks", "leaderboards"),
    "page": ("title", "file"),
    "phase": ("name", "start", "tasks"),
    "task": ("index", "name", "scoring_program"),
    "leaderboard": ("title", "key", "columns"),
    "column": ("title", "key", "index"),
}
RULES = {"Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple", "Force_Best"}


@pytest.fixture(scope="module")
def challenge() -> Challenge:
    return load_challenge(FOLDER / "challenge.toml")


@pytest.fixture(scope="module", params=list(ANSWERS))
def bundle(request: pytest.FixtureRequest, challenge: Challenge, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    place = tmp_path_factory.mktemp("bundle")
    export(challenge, FOLDER, place / "a.zip", request.param, "example/parakh:1")
    with zipfile.ZipFile(place / "a.zip") as archive:
        archive.extractall(place / "open")
    return request.param, place / "open"


def fits(record: dict[str, Any], known: dict[str, type], kind: str) -> None:
    for key, value in record.items():
        assert key in known, f"{kind} has no key {key}"
        assert type(value) is known[key], f"{kind}.{key}"
    assert set(REQUIRED[kind]) <= set(record)


def test_every_key_is_one_that_codabench_documents(bundle: tuple[str, Path]) -> None:
    _, place = bundle
    document = parser.safe_load((place / "competition.yaml").read_text(encoding="utf-8"))
    fits(document, COMPETITION, "competition")
    for name, known, kind in (("pages", PAGE, "page"), ("phases", PHASE, "phase"), ("tasks", TASK, "task")):
        for record in document[name]:
            fits(record, known, kind)
    (board,) = document["leaderboards"]
    fits(board, LEADERBOARD, "leaderboard")
    assert board["submission_rule"] in RULES
    assert len(board["title"]) <= 64
    for column in board["columns"]:
        fits(column, COLUMN, "column")
        assert len(column["title"]) <= 36
        assert column["sorting"] in {"asc", "desc"}
    assert [column["index"] for column in board["columns"]] == list(range(len(board["columns"])))
    assert len({column["key"] for column in board["columns"]}) == len(board["columns"])


def test_every_file_that_is_named_is_there_and_not_empty(bundle: tuple[str, Path]) -> None:
    _, place = bundle
    document = parser.safe_load((place / "competition.yaml").read_text(encoding="utf-8"))
    named = [document["image"], document["terms"], *(page["file"] for page in document["pages"])]
    named += [task[key] for task in document["tasks"] for key in ("scoring_program", "reference_data")]
    named += [phase["starting_kit"] for phase in document["phases"]]
    assert all((place / name).stat().st_size for name in named)
    assert {index for phase in document["phases"] for index in phase["tasks"]} == {task["index"] for task in document["tasks"]}


def test_phases_follow_each_other_in_utc(bundle: tuple[str, Path]) -> None:
    _, place = bundle
    phases = parser.safe_load((place / "competition.yaml").read_text(encoding="utf-8"))["phases"]
    starts = [datetime.fromisoformat(one["start"]).replace(tzinfo=UTC) for one in phases]
    ends = [datetime.fromisoformat(one["end"]).replace(tzinfo=UTC) for one in phases[:-1]]
    assert all(start < end < following for start, end, following in zip(starts, ends, starts[1:], strict=False))
    assert "end" not in phases[-1]
    assert starts[1] == datetime(2026, 1, 31, 18, 30, tzinfo=UTC)  # midnight in Asia/Kolkata
    assert [(one["max_submissions_per_day"], one["max_submissions"]) for one in phases] == [(20, 10_000), (3, 20), (3, 10_000)]


def test_nothing_that_participants_get_holds_a_reference(bundle: tuple[str, Path]) -> None:
    _, place = bundle
    for path in place.glob("starting_kit/*.zip"):
        with zipfile.ZipFile(path) as archive:
            assert sorted(archive.namelist()) == ["README.md", "kit.json"]
            assert set(json.loads(archive.read("kit.json"))["recordings"][0]) == {"session_id", "duration", "language"}


def test_the_logo_is_a_picture(bundle: tuple[str, Path]) -> None:
    data = (bundle[1] / "logo.png").read_bytes()
    assert data[:16] == b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    width, height = struct.unpack(">2L", data[16:24])
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">L", data[start - 4 : start])
    assert len(zlib.decompress(data[start + 4 : start + 4 + length])) == height * (1 + 3 * width)


def laid_out(place: Path, bundle: Path, phase: str, answers: dict[str, bytes]) -> Path:
    """The folders as Codabench lays them out in its container."""
    for source, target in (
        (bundle / "reference_data" / f"{phase}.zip", "input/ref"),
        (bundle / "scoring_program.zip", "program"),
    ):
        with zipfile.ZipFile(source) as archive:
            archive.extractall(place / target)
    (place / "output").mkdir()
    for name, data in answers.items():
        path = place / "input" / "res" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return place


def run(place: Path) -> subprocess.CompletedProcess[str]:
    """Run the command of ``metadata.yaml`` where ``/app`` is a folder of the test."""
    command = parser.safe_load((place / "program" / "metadata.yaml").read_text())["command"]
    assert command.startswith("python3 /app/program/scoring.py ")
    words = [sys.executable, *command.replace("/app/", f"{place}/").split()[1:]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(words, cwd=place / "program", capture_output=True, text=True, check=False, env=environment)


def answers_of(track: str) -> dict[str, bytes]:
    source = EXAMPLES / ANSWERS[track]
    return {path.name: path.read_bytes() for path in (sorted(source.iterdir()) if source.is_dir() else [source])}


def test_a_perfect_submission_gets_perfect_scores(bundle: tuple[str, Path], challenge: Challenge, tmp_path: Path) -> None:
    track, place = bundle
    done = run(laid_out(tmp_path, place, "eval", answers_of(track)))
    assert done.returncode == 0, done.stderr
    scores = json.loads((tmp_path / "output" / "scores.json").read_text())
    assert list(scores) == list(challenge.track(track).metric_set.metrics)
    assert set(scores.values()) == {0.0 if track in ("diarization", "asr") else 100.0}
    columns = parser.safe_load((place / "competition.yaml").read_text(encoding="utf-8"))["leaderboards"][0]["columns"]
    assert {column["key"] for column in columns} == set(scores)


def worse(track: str) -> dict[str, bytes]:
    """Answers with a stated defect: the first line of each file is lost, or half of every text."""
    if track in ("topics", "summarization"):
        return {name: data.replace(b", ", b" and ").replace(b"pain", b"ache") for name, data in answers_of(track).items()}
    return {name: b"\n".join([*data.split(b"\n")[:1], *data.split(b"\n")[3:]]) for name, data in answers_of(track).items()}


def evaluated(track: str, challenge: Challenge, place: Path) -> Results:
    from parakh import formats, tracks

    items = formats.load(place / "input" / "res", tracks.get(track).item).items
    return measure(challenge.track(track).metric_set, load_references(challenge, FOLDER, "eval", track), items, "worse")


def test_a_worse_submission_gets_the_scores_of_evaluate(bundle: tuple[str, Path], challenge: Challenge, tmp_path: Path) -> None:
    track, place = bundle
    done = run(laid_out(tmp_path, place, "eval", worse(track)))
    assert done.returncode == 0, done.stderr
    scores = json.loads((tmp_path / "output" / "scores.json").read_text())
    wanted = {name: 100 * (one.value or 0.0) for name, one in evaluated(track, challenge, tmp_path).metrics.items()}
    assert scores == pytest.approx(wanted, abs=1e-8)
    assert 0 < scores[challenge.track(track).metric_set.rank_by] < 100
    assert all(len(str(value).partition(".")[2]) <= 10 for value in scores.values())


def test_a_bad_submission_gets_its_faults_and_no_score(bundle: tuple[str, Path], tmp_path: Path) -> None:
    track, place = bundle
    answers = {f"top/{name}": data.replace(b"kn_fever_04", b"kn_fever_4") for name, data in answers_of(track).items()}
    done = run(laid_out(tmp_path, place, "eval", {**answers, "__MACOSX/._x": b"\0"}))
    assert done.returncode == 1
    assert "Did you mean 'kn_fever_04'?" in done.stderr
    assert str(tmp_path) not in done.stderr
    assert not (tmp_path / "output" / "scores.json").exists()


def test_the_same_challenge_gives_the_same_bytes(challenge: Challenge, tmp_path: Path) -> None:
    made = [export(challenge, FOLDER, tmp_path / name, "topics", "example/parakh:1").read_bytes() for name in ("a.zip", "b.zip")]
    assert made[0] == made[1]


def test_nobody_else_reads_a_bundle(challenge: Challenge, tmp_path: Path) -> None:
    made = export(challenge, FOLDER, tmp_path / "asr.zip", "asr", "example/parakh:1")
    assert made.stat().st_mode & 0o777 == 0o600


def test_what_codabench_cannot_do_is_said(challenge: Challenge, tmp_path: Path) -> None:
    blind = replace(challenge, phases=tuple(replace(one, shows=Sight.NOTHING) for one in challenge.phases))
    lines: list[str] = []
    export(blind, FOLDER, tmp_path / "a.zip", "asr", "example/parakh:1", notice=lines.append)
    assert len(lines) == 3
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        document = parser.safe_load(archive.read("competition.yaml"))
    assert document["leaderboards"][0]["hidden"] is True
    same = replace(challenge, phases=tuple(replace(one, opens=None) for one in challenge.phases))
    with pytest.raises(InputError, match="one phase follows another"):
        export(same, FOLDER, tmp_path / "b.zip", "asr", "example/parakh:1")
    with pytest.raises(InputError, match="found 'none', expected a phase of the track: dev, eval, after"):
        export(challenge, FOLDER, tmp_path / "b.zip", "asr", "example/parakh:1", ["none"])
    with pytest.raises(InputError, match="found 'x', expected one of diarization"):
        export(challenge, FOLDER, tmp_path / "b.zip", "x", "example/parakh:1")


def test_a_track_that_checks_facts_brings_the_transcripts_along(challenge: Challenge, tmp_path: Path) -> None:
    own = challenge.track("summarization")
    metric_set = replace(own.metric_set, metrics=("rougeL", "summary_numbers"))
    facts = replace(
        challenge, tracks=tuple(replace(one, metric_set=metric_set) if one == own else one for one in challenge.tracks)
    )
    assert load_references(facts, FOLDER, "dev", "summarization").transcripts
    export(facts, FOLDER, tmp_path / "a.zip", "summarization", "example/parakh:1", ["dev"])
    with (
        zipfile.ZipFile(tmp_path / "a.zip") as archive,
        zipfile.ZipFile(io.BytesIO(archive.read("reference_data/dev.zip"))) as data,
    ):
        assert "dev/references/asr/hi_anc_01.txt" in data.namelist()


@pytest.mark.parametrize("value", ["yes", "no: #", "- x", "2026-01-01 00:00:00", 'नमस्ते\n"x" \\ \t', "null", "{a}", "1.0", ""])
def test_texts_stay_texts_in_yaml(value: str) -> None:
    assert parser.safe_load(yaml({"key": value, "list": [value, {"deep": [value]}]})) == {
        "key": value,
        "list": [value, {"deep": [value]}],
    }

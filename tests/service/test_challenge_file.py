"""The challenge file: what is read from it, and every fault of it at once."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from parakh.errors import InputError
from parakh.leaderboard import references
from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.challenge_file import from_dict, load_challenge, load_references, to_dict
from parakh.leaderboard.kit import Kit

EXAMPLE = Path(__file__).parents[2] / "examples" / "challenge"


def test_the_example_has_four_tracks_and_three_phases() -> None:
    challenge = load_challenge(EXAMPLE / "challenge.toml")
    assert [one.key for one in challenge.tracks] == ["diarization", "asr", "topics", "summarization"]
    assert [(one.key, one.shows, one.open_book) for one in challenge.phases] == [
        ("dev", Sight.DIAGNOSIS, True),
        ("eval", Sight.SCORE, False),
        ("after", Sight.RECORDINGS, False),
    ]
    closes = challenge.phase("eval").closes
    assert closes is not None
    assert closes.astimezone(UTC) == datetime(2026, 3, 1, 18, 29, tzinfo=UTC)  # of Asia/Kolkata
    assert challenge.terms is not None
    assert from_dict(json.loads(json.dumps(to_dict(challenge)))) == challenge


def test_a_copy_stands_for_itself_and_has_the_same_references(tmp_path: Path) -> None:
    challenge = load_challenge(EXAMPLE / "challenge.toml")
    copied = references.copy_files(challenge, EXAMPLE, tmp_path / "copy", audio=False)
    paths = [path for phase in copied.phases for path in (*phase.references.values(), phase.recordings)]
    assert all((tmp_path / "copy" / path).exists() and ".." not in path for path in paths)
    for phase in challenge.phases:
        for track in phase.tracks:
            here, there = (load_references(*one, phase.key, track) for one in ((challenge, EXAMPLE), (copied, tmp_path / "copy")))
            assert here.digest == there.digest
    assert Kit.of(copied, tmp_path / "copy", "eval", "asr") == Kit.of(challenge, EXAMPLE, "eval", "asr")


def test_a_kit_holds_no_path_and_nothing_of_the_metadata() -> None:
    text = Kit.of(load_challenge(EXAMPLE / "challenge.toml"), EXAMPLE, "eval", "diarization").to_json()
    assert {"session_id", "duration", "language"} == set(json.loads(text)["recordings"][0])
    assert ".flac" not in text
    assert "Sonpura" not in text


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    (tmp_path / "challenge.toml").write_text(BROKEN, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_challenge(tmp_path / "challenge.toml")
    text = str(caught.value).replace(str(tmp_path), "X")
    for line in BROKEN_LINES:
        assert line in text, f"{line!r} is not in\n{text}"


BROKEN = """
name = "Bad Name"
title = "Bad"
contact = "x@example.org"
time_zone = "Mars/Base"
reprsents = "best"
[tracks.asr]
metric = ["wer"]
rank_by = "der"
level = 95
formats = ["nemo"]
[tracks.asr.options]
collar = "three"
[tracks.asr2]
track = "asrr"
[tracks.lonely]
track = "topics"
[phases.dev]
title = "Dev"
tracks = ["asr", "topics"]
recordings = "none.jsonl"
opens = "2026-01-01"
closes = 2026-01-01
shows = "everything"
[phases.dev.references]
asr = "/etc/passwd"
[phases.dev.limits]
day = 0
"""

BROKEN_LINES = [
    "X/challenge.toml: name: found 'Bad Name', expected a name: lower-case letters",
    "time_zone: found 'Mars/Base', expected the IANA name of a time zone",
    "reprsents: found a key that nothing reads",
    "Did you mean 'represents'?",
    "tracks.asr.metric: found a key that nothing reads",
    "Did you mean 'metrics'?",
    "tracks.asr.rank_by: found 'der', expected one of the track's metrics: tcpwer, cpwer, wer, cer",
    "tracks.asr.level: found 95, expected a share between 0 and 1",
    "tracks.asr.formats: found 'nemo', expected a format of asr that stands for itself",
    "tracks.asr.options.collar: found 'three', expected a number",
    "tracks.asr2.track: found 'asrr', expected one of asr, diarization, summarization, topics",
    "tracks.lonely: found a track of no phase",
    "phases.dev.tracks: found 'topics', expected a track: asr, asr2, lonely",
    "phases.dev.opens: found '2026-01-01', expected a date and time",
    "phases.dev.closes: found 2026-01-01, expected a date and time",
    "phases.dev.shows: found 'everything', expected one of nothing, score, recordings, diagnosis",
    "phases.dev.references.asr: found '/etc/passwd', expected a path that starts from the folder of this file",
    "phases.dev.references.topics: found nothing, expected a text on one line. Add it.",
    "phases.dev.limits.day: found 0, expected a whole number >= 1",
]

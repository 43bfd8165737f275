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


def world(place: Path, toml: str = "", **files: str) -> Path:
    """A small challenge of one track in a folder; "__" in names stands for a dot."""
    usual = {"recordings__jsonl": '{"session_id": "v1", "duration": 10}\n{"session_id": "v2", "duration": 10}\n'}
    usual["ref__rttm"] = "".join(f"SPEAKER {one} 1 0 2 <NA> <NA> a <NA> <NA>\n" for one in ("v1", "v2"))
    for name, content in {**usual, **files}.items():
        (place / name.replace("__", ".")).write_text(content, encoding="utf-8")
    (place / "challenge.toml").write_text(toml or SMALL, encoding="utf-8")
    return place / "challenge.toml"


SMALL = """
name = "small"
title = "Small"
contact = "x@example.org"
time_zone = "Asia/Kolkata"
[tracks.diarization]
[phases.dev]
title = "Dev"
tracks = ["diarization"]
recordings = "recordings.jsonl"
[phases.dev.references]
diarization = "ref.rttm"
"""


def faults(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_challenge(path)
    return str(caught.value).replace(str(path.parent), "X")


def test_a_small_challenge_takes_what_the_track_usually_has(tmp_path: Path) -> None:
    (rules,) = load_challenge(world(tmp_path)).tracks
    assert (rules.title, rules.metric_set.metrics, rules.metric_set.rank_by) == ("Who spoke when", ("der", "jer"), "der")
    assert (rules.metric_set.level, rules.metric_set.samples, rules.metric_set.options) == (0.95, 1000, {})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"ref.rttm"', '"none.rttm"', "X/none.rttm: found no such file or folder, expected what the challenge names."),
        ('"recordings.jsonl"', '"none.jsonl"', "X/none.jsonl: found no such file or folder"),
        ('[tracks.diarization]', '[tracks.diarization]\nslice_by = ["dialect"]', "tracks.diarization: --slice: found 'dialect'"),
        ('[tracks.diarization]', '[tracks.diarization]\noptions = {collar = -1}', "collar"),
        ('[tracks.diarization]', '[tracks.diarization]\noptions = {collr = 1}', "Did you mean 'collar'?"),
        ('[tracks.diarization]', '[tracks.diarization]\nmetrics = ["wer"]', "expected a metric of the diarization track"),
        ('[tracks.diarization]', '[tracks.diarization]\nmetrics = ["dre"]', "did you mean 'der'?"),
        ('[tracks.diarization]', '[tracks.diarization]\nmetrics = []', "found an empty list, expected at least one"),
        ('[tracks.diarization]', '[tracks.diarization]\nsamples = 5', "tracks.diarization.samples: found 5, expected a number from 100"),
        ('[tracks.diarization]', '[tracks.diarization]\nnormalization = "indick"', "did you mean 'indic'?"),
        ('title = "Dev"', 'title = "Dev"\nopens = 2026-01-02T00:00:00\ncloses = 2026-01-01T23:00:00', "phases.dev.closes"),
        ('title = "Dev"', 'title = "Dev"\nfreezes = 2026-01-02T00:00:00\ncloses = 2026-01-01T23:00:00', "phases.dev.freezes"),
        ('title = "Dev"', 'title = "Dev"\nshows = "diagnosis"\nshows_revealed = "score"', "which it shows before the reveal"),
        ('title = "Dev"', 'title = "Dev"\nopens = 10:00:00', "phases.dev.opens: found 10:00:00"),
        ('title = "Dev"', 'title = "Dev"\nuem = "ref.uem"', "X/ref.uem: found no such file"),
        ('title = "Small"', 'title = "Sm\\u001b[2Jall"', "title: found 'Sm\\x1b[2Jall', expected a text on one line"),
        ('name = "small"', 'name = "../up"', "name: found '../up'"),
        ('[phases.dev]', '[phases.Dev_1]', "Rename the table."),
        ('[phases.dev]', '[phases]\nx = 1\n[phases.dev]', "phases.x: found 1, expected a table."),
        ('name = "small"', 'name = ', "found Invalid value (at line 2"),
        ('name = "small"', 'name = "small"\nterms = {version = "1", file = "no.md"}', "X/no.md: found no such file"),
    ],
)  # fmt: skip
def test_faults_of_the_file(old: str, new: str, words: str, tmp_path: Path) -> None:
    assert old in SMALL
    assert words in faults(world(tmp_path, SMALL.replace(old, new, 1)))


def test_missing_files_and_moments_out_of_order_are_told_with_all_else(tmp_path: Path) -> None:
    toml = SMALL.replace("Asia/Kolkata", "Asia/Kolkatta").replace("ref.rttm", "rttms").replace("recordings.jsonl", "nope.jsonl")
    toml = toml.replace("[tracks.diarization]", '[tracks.diarization]\nmetrics = ["dre"]')
    toml = toml.replace('"Dev"', '"Dev"\nopens = 2026-01-02T00:00:00\ncloses = 2026-01-01T00:00:00')
    told = faults(world(tmp_path, toml))
    for words in (
        "time_zone: found 'Asia/Kolkatta'",
        "tracks.diarization.metrics: found 'dre'",
        "X/nope.jsonl: found no such file or folder",
        "X/rttms: found no such file or folder",
        "phases.dev.closes: found 2026-01-01T00:00:00+00:00, expected a moment after it opens",
    ):
        assert told.count(words) == 1, told


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"ref__rttm": "SPEAKER v1 1 0 2 <NA> <NA> a <NA> <NA>\n"}, "ref.rttm: session_id: found nothing of 'v2', expected a reference of each"),
        ({"recordings__jsonl": '{"session_id": "v1"}\n'}, "ref.rttm: session_id: found 'v2', expected a recording of recordings.jsonl."),
        ({"ref__rttm": "SPEAKER v1 1 x 2 <NA> <NA> a <NA> <NA>\n"}, "X/ref.rttm:1: onset"),
        ({"recordings__jsonl": "{}\n"}, "X/recordings.jsonl:1: session_id"),
        ({"recordings__jsonl": ""}, "recordings.jsonl"),
        ({"ref__rttm": "v1 hello\nv2 hello\n"}, "no speaker in 2 of 2 segments, expected it in every one: der needs it."),
        (
            {"ref__rttm": '{"audio_filepath": "v1.wav", "label": "infer", "text": "-", "rttm_filepath": "x.rttm"}\n'},
            "nemo, which names further files, expected a format that stands for itself",
        ),
    ],
)  # fmt: skip
def test_faults_of_the_references(files: dict[str, str], words: str, tmp_path: Path) -> None:
    toml = SMALL.replace(
        "ref.rttm", "ref.json" if '"audio' in next(iter(files.values())) else "ref.txt" if "hello" in str(files) else "ref.rttm"
    )
    if toml != SMALL:
        files = {toml.partition('diarization = "')[2].partition('"')[0].replace(".", "__"): files["ref__rttm"]}
    assert words in faults(world(tmp_path, toml, **files))


def test_a_recording_without_speech_needs_a_region_and_no_turn(tmp_path: Path) -> None:
    turn = "SPEAKER v1 1 0 2 <NA> <NA> a <NA> <NA>\n"
    toml = SMALL.replace('title = "Dev"', 'title = "Dev"\nuem = "all.uem"')
    challenge = load_challenge(world(tmp_path, toml, all__uem="v1 1 0 10\nv2 1 0 10\n", ref__rttm=turn))
    assert len(load_references(challenge, tmp_path, "dev", "diarization").regions or ()) == 2
    assert "all.uem: session_id: found nothing of 'v2', expected a region of each." in faults(
        world(tmp_path, toml, all__uem="v1 1 0 9\n")
    )


def test_the_digest_is_of_the_content_and_not_of_where_it_lies(tmp_path: Path) -> None:
    def digest(name: str, **files: str) -> str:
        (tmp_path / name).mkdir()
        return load_references(load_challenge(world(tmp_path / name, **files)), tmp_path / name, "dev", "diarization").digest

    turns = ["SPEAKER v1 1 0 2 <NA> <NA> a <NA> <NA>\n", "SPEAKER v2 1 0 2 <NA> <NA> a <NA> <NA>\n"]
    assert digest("a") == digest("b", ref__rttm="".join(reversed(turns)))
    assert digest("c", ref__rttm="".join(turns).replace(" 0 2 ", " 0 3 ")) != digest("d")
    assert digest("e", recordings__jsonl='{"session_id": "v1"}\n{"session_id": "v2", "duration": 10}\n') != digest("f")

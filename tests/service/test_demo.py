"""The demo's systems and history, and what the guide says of settings."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from parakh import tracks
from parakh.bundled import examples_path
from parakh.evaluate import evaluate
from parakh.leaderboard.challenge_file import load_challenge
from parakh.leaderboard.demo_history import ORGANISERS, PHASES, TEAMS, history
from parakh.leaderboard.demo_systems import Embedded, Faulty, Made, embedded, references
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.validation import check

GUIDE = Path(__file__).parents[2] / "docs" / "leaderboard.md"
CHALLENGE = examples_path() / "challenge" / "challenge.toml"


def kit(track: str) -> Kit:
    return Kit.of(load_challenge(CHALLENGE), CHALLENGE.parent, "dev", track)


@pytest.mark.parametrize("track", ["diarization", "asr", "topics", "summarization"])
def test_the_cascades_own_answers_are_handed_in_as_they_are(track: str, tmp_path: Path) -> None:
    checked = check(Embedded(track).write(tmp_path), kit(track))
    assert checked.faults == ()
    assert sorted(map(repr, checked.items)) == sorted(map(repr, embedded(track)))


@pytest.mark.parametrize("made", [made for series in TEAMS.values() for made in series], ids=lambda made: made.name)
def test_made_answers_pass_the_check_and_are_as_wrong_as_they_say(made: Made, tmp_path: Path) -> None:
    checked = check(made.write(tmp_path), kit(made.track))
    assert checked.faults == ()
    assert made.name.startswith("made: ")
    track = tracks.get(made.track)
    source = references(made.track) if made.source == "reference" else embedded(made.track)
    scores = [evaluate(track, references(made.track), items).metrics[track.metrics[0]].value for items in (source, checked.items)]
    assert scores[0] != scores[1]


def test_a_faulty_file_is_refused(tmp_path: Path) -> None:
    assert [str(fault)[:24] for fault in check(Faulty().write(tmp_path), kit("diarization")).faults] == [
        "answers.rttm:1: duration",
        "answers.rttm:2: duration",
    ]


def test_history_goes_forward_within_the_phases() -> None:
    moments = list(history())
    assert all(one.days_ago >= other.days_ago for one, other in pairwise(moments))
    for one in moments:
        opens, closes, _ = PHASES[one.phase]
        assert opens is not None
        assert closes is not None
        assert opens > one.days_ago > 0 > closes
    assert {one.team for one in moments} == {*TEAMS, ORGANISERS}
    freeze = PHASES["eval"][2]
    assert freeze is not None
    after = {one.phase == "eval" and one.days_ago < freeze for one in moments}
    assert after == {True, False}  # the organiser's board differs from the public one


def test_the_settings_of_the_guide_are_read(tmp_path: Path) -> None:
    path = tmp_path / "parakh.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.S)[0], "utf-8")
    made = Settings.load(path)
    assert (made.workers, made.secure, made.job.cpu) == (2, True, 900.0)
    assert made.oidc is not None

"""Challenges loaded from files, loaded again, and changed while they run."""

from __future__ import annotations

import os
import shutil
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from parakh.errors import InputError, ParakhError
from parakh.leaderboard import audit, challenges
from parakh.leaderboard.backup import backup, restore
from parakh.leaderboard.challenge import Limits, Sight
from parakh.leaderboard.challenge_file import from_dict, load_references
from parakh.leaderboard.clock import now
from parakh.leaderboard.database.tables import ChallengeRow, Contest, PhaseRow, Rescoring
from parakh.leaderboard.quotas import quota
from parakh.leaderboard.references import contents_digest
from parakh.leaderboard.refusals import NotThere, Refused
from parakh.leaderboard.settings import Settings
from parakh.text.masking import private
from tests.service.worlds import CHALLENGE, EXAMPLES, NAME, World


def phase(world: World, key: str = "eval") -> PhaseRow:
    with world.database.read() as session:
        return session.scalars(select(PhaseRow).where(PhaseRow.key == key)).one()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the example challenge that a test may change; the folder of the challenge."""
    for name in ("challenge", "rttm", "transcripts", "audio", "recordings.jsonl", "metadata.csv", "topics.csv", "summaries.csv"):
        source, target = EXAMPLES / name, tmp_path / "files" / name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
    return tmp_path / "files" / "challenge"


def reload(world: World, folder: Path, old: str = "", new: str = "", file: str = "challenge.toml") -> list[str]:
    """Load the challenge again after a change; what is told to have changed, without what is told every time."""
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
    lines: list[str] = []
    challenges.load(world.database, world.settings.data, folder / "challenge.toml", "test", lines.append)
    return [line for line in lines if "to organisers alone" not in line]


def test_a_challenge_is_copied_whole_and_stands_for_itself(world: World, folder: Path) -> None:
    reload(world, folder)
    shutil.rmtree(folder.parent)
    with world.database.read() as session:
        row = session.scalars(select(ChallengeRow)).one()
        contests = session.scalars(select(Contest)).all()
    rules, place = challenges.rules_of(row), challenges.folder_of(world.settings.data, row)
    assert place.is_relative_to(world.settings.data / "challenges" / NAME)
    assert {(one.phase.key, one.track) for one in contests} == {(one.key, track) for one in rules.phases for track in one.tracks}
    for contest in contests:
        assert contest.references == load_references(rules, place, contest.phase.key, contest.track).digest
        assert contest.metric_set_id == rules.track(contest.track).metric_set.digest
    assert not list(place.parent.glob(".*"))


def test_what_a_killed_load_left_is_taken_away(world: World, folder: Path) -> None:
    place = world.settings.data / "challenges" / NAME
    for name, age in ((".old.new", 2 * 24 * 3600), (".young.new", 60)):
        (place / name).mkdir()
        (place / name / "loaded.json").write_text("half")
        os.utime(place / name, times=(time.time() - age,) * 2)
    reload(world, folder)
    assert sorted(path.name for path in place.glob(".*")) == [".young.new"]


def test_a_load_names_the_slices_that_are_withheld(world: World, folder: Path) -> None:
    lines: list[str] = []
    challenges.load(world.database, world.settings.data, folder / "challenge.toml", "test", lines.append)
    assert [line.partition(" are shown")[0] for line in lines] == [
        "phase eval, track diarization: slices by language, environment",
        "phase eval, track asr: slices by language, role",
        "phase eval, track topics: slices by language",
        "phase eval, track summarization: slices by language",
    ]
    assert lines[1].endswith("to organisers alone while the phase shows score: a value has fewer than 3 recordings")


def test_the_same_loaded_again_changes_nothing(world: World, folder: Path) -> None:
    assert reload(world, folder) == []
    assert len(list((world.settings.data / "challenges" / NAME).iterdir())) == 1


def test_texts_limits_and_dates_follow_the_file_but_what_the_organiser_set_stays(world: World, folder: Path) -> None:
    opens = phase(world).opens
    lines = reload(world, folder, 'title = "Parakh example challenge"', 'title = "Another title"')
    assert lines == ["title changed"]
    assert phase(world).opens == opens
    lines = reload(world, folder, "closes = 2026-03-01T23:59:00", "closes = 2126-03-01T23:59:00")
    assert lines == ["phase eval: closes is now 2126-03-01T23:59:00+05:30"]
    assert phase(world).closes == datetime(2126, 3, 1, 18, 29, tzinfo=UTC)
    assert phase(world).opens == opens
    event = audit.read(world.database, audit.Filter(action="challenge.reloaded"), limit=1)[0]
    assert event.detail["changes"] == lines


def test_new_references_open_a_rescoring_where_something_was_handed_in(world: World, folder: Path) -> None:
    submission = world.submit(track="topics")
    before = {track: world.contest(track).references for track in ("topics", "diarization")}
    lines = reload(world, folder, "hi_anc_01,", "hi_anc_01,", "../topics.csv")
    assert lines == []
    rttm = folder.parent / "rttm" / "hi_anc_01.rttm"
    rttm.write_text(rttm.read_text().rsplit("\n", 2)[0] + "\n")
    topics = folder.parent / "topics.csv"
    topics.write_text(topics.read_text(encoding="utf-8").replace("Anemia in pregnancy", "Malaria", 1), encoding="utf-8")
    told = [line for line in reload(world, folder) if line.startswith("phase eval")]
    assert told == [
        "phase eval, track diarization: other references, in force at once as nothing is scored or waits",
        "phase eval, track topics: other references; a rescoring of 1 submission is open; look at it and apply it",
    ]
    with world.database.read() as session:
        tried = session.scalars(select(Rescoring)).one()
    assert audit.read(world.database, audit.Filter(action="rescoring"))[0].subject == tried.id
    contest = world.contest("topics")
    assert contest.references == before["topics"] != tried.references
    assert world.contest("diarization").references != before["diarization"]
    assert (tried.contest_id, tried.submissions, tried.state) == (contest.id, [submission.id], "running")
    row = contest.phase.challenge
    for references in (contest.references, tried.references):
        rules, place = challenges.material(world.settings.data, row, "eval", "topics", references)
        assert load_references(from_dict(rules), place, "eval", "topics").digest == references
    with pytest.raises(ParakhError, match="the references 0123 of parakh-example, eval, topics are not in"):
        challenges.material(world.settings.data, row, "eval", "topics", "0123")
    reload(world, folder)
    with world.database.read() as session:
        assert len(session.scalars(select(Rescoring)).all()) == 1


def test_another_metric_set_opens_a_rescoring_where_something_was_handed_in(world: World, folder: Path) -> None:
    world.submit()
    in_force = world.contest().metric_set_id
    lines = reload(world, folder, 'metrics = ["der", "jer"]', 'metrics = ["jer", "der"]')
    assert (
        "phase eval, track diarization: another metric set; a rescoring of 1 submission is open; look at it and apply it" in lines
    )
    assert world.contest().metric_set_id == in_force != world.contest(phase="dev").metric_set_id


def test_a_load_takes_the_place_of_what_an_earlier_one_opened(world: World, folder: Path) -> None:
    world.submit()
    reload(world, folder, 'metrics = ["der", "jer"]', 'metrics = ["jer", "der"]')
    reload(world, folder, 'metrics = ["jer", "der"]', 'metrics = ["jer", "der"]\nsamples = 200')

    def states() -> list[str]:
        with world.database.read() as session:
            return [one.state for one in session.scalars(select(Rescoring).order_by(Rescoring.made_at))]

    assert states() == ["dropped", "running"]
    (noted,) = audit.read(world.database, audit.Filter(action="rescoring.dropped"))
    assert noted.detail["reason"] == "the challenge was loaded anew"
    reload(world, folder, 'metrics = ["jer", "der"]\nsamples = 200', 'metrics = ["der", "jer"]')
    assert states() == ["dropped", "dropped"]  # the file is what is in force again


def test_what_has_submissions_is_not_taken_away(world: World, folder: Path) -> None:
    world.submit(phase="after", track="topics")
    with pytest.raises(InputError) as error:
        reload(world, folder, (folder / "challenge.toml").read_text(encoding="utf-8").partition("[phases.after]")[2], "")
    assert "after" in str(error.value)
    text = CHALLENGE.read_text(encoding="utf-8")
    (folder / "challenge.toml").write_text(text.partition("[phases.after]")[0], encoding="utf-8")
    with pytest.raises(InputError, match=r"phases\.after: found no after any more, which has 1 submission, expected it to stay"):
        reload(world, folder)
    assert phase(world, "after")


def test_what_has_none_is(world: World, folder: Path) -> None:
    text = CHALLENGE.read_text(encoding="utf-8")
    (folder / "challenge.toml").write_text(text.partition("[phases.after]")[0], encoding="utf-8")
    assert "after of phases.after is gone" in reload(world, folder)
    with pytest.raises(NotThere):
        world.contest(phase="after")


def test_a_faulty_challenge_leaves_everything_as_it_was(world: World, folder: Path) -> None:
    events = len(audit.read(world.database))
    with pytest.raises(InputError):
        reload(world, folder, 'rank_by = "der"', 'rank_by = "dre"')
    assert len(audit.read(world.database)) == events
    assert len(list((world.settings.data / "challenges" / NAME).iterdir())) == 1


def test_an_organiser_changes_dates_and_sights(world: World) -> None:
    version = world.contest().version
    closes = now() + timedelta(days=3)
    challenges.set_phase(world.database, world.organiser, NAME, "eval", closes=closes, shows=Sight.NOTHING)
    assert (phase(world).closes, phase(world).shows) == (closes, Sight.NOTHING)
    assert world.contest().version > version
    event = audit.read(world.database, limit=1)[0]
    assert (event.actor, event.action, event.subject, event.challenge) == ("organiser@example.org", "phase.changed", "eval", NAME)
    assert event.detail == {"closes": closes.isoformat(), "shows": "nothing"}
    challenges.set_phase(world.database, world.organiser, NAME, "eval", closes=closes)
    assert audit.read(world.database, limit=1)[0].number == event.number


def test_moments_and_sights_have_an_order(world: World) -> None:
    with pytest.raises(InputError) as error:
        challenges.set_phase(
            world.database,
            world.organiser,
            NAME,
            "eval",
            closes=now() - timedelta(days=9),
            shows=Sight.DIAGNOSIS,
            shows_revealed=Sight.SCORE,
        )
    assert "eval: closes: found" in str(error.value)
    assert "eval: shows_revealed: found score, expected diagnosis or more." in str(error.value)
    with pytest.raises(InputError, match="a moment with a time zone"):
        challenges.set_phase(world.database, world.organiser, NAME, "eval", closes=datetime(2100, 1, 1))


def test_reveal_and_hide(world: World) -> None:
    challenges.reveal(world.database, world.organiser, NAME, "eval")
    first = phase(world).revealed_at
    challenges.reveal(world.database, world.organiser, NAME, "eval")
    assert phase(world).revealed_at == first is not None
    challenges.hide(world.database, world.organiser, NAME, "eval")
    assert phase(world).revealed_at is None
    assert [event.action for event in audit.read(world.database, limit=2)] == ["phase.hidden", "phase.revealed"]


def test_only_organisers_change_a_challenge(world: World) -> None:
    asha, contest = world.members["asha"], world.contest()
    for change in (
        lambda: challenges.set_phase(world.database, asha, NAME, "eval", closes=None),
        lambda: challenges.reveal(world.database, asha, NAME, "eval"),
        lambda: challenges.hide(world.database, asha, NAME, "eval"),
        lambda: challenges.set_public(world.database, asha, NAME, False),
        lambda: challenges.set_override(world.database, asha, world.teams["Team A"].id, contest.id, Limits(day=100)),
    ):
        with pytest.raises(Refused, match="only organisers"):
            change()


def test_a_team_gets_other_limits(world: World) -> None:
    team, contest = world.teams["Team A"].id, world.contest()
    challenges.set_override(world.database, world.organiser, team, contest.id, Limits(day=50))
    assert quota(world.database, team, contest.id).limits == Limits(50, 20, 1)
    assert quota(world.database, world.teams["Team B"].id, contest.id).limits == Limits(3, 20, 1)
    challenges.set_override(world.database, world.organiser, team, contest.id, Limits(total=0))
    assert quota(world.database, team, contest.id).limits == Limits(3, 0, 1)
    challenges.set_override(world.database, world.organiser, team, contest.id, Limits())
    assert quota(world.database, team, contest.id).limits == Limits(3, 20, 1)
    with pytest.raises(InputError) as error:
        challenges.set_override(world.database, world.organiser, team, contest.id, Limits(day=2_000_000))
    assert str(private(error.value)).endswith("expected a number from 0 to 1 million.")
    with pytest.raises(InputError, match="limits: day: found -1"):
        challenges.set_override(world.database, world.organiser, team, contest.id, Limits(day=-1))
    with pytest.raises(NotThere):
        challenges.set_override(world.database, world.organiser, "nobody", contest.id, Limits(day=1))


def test_audio_takes_room_once_for_all_phases_and_states(world: World, folder: Path, tmp_path: Path) -> None:
    reload(world, folder, 'title = "Parakh example challenge"', 'title = "Another title"')
    audio = folder.parent / "audio" / "hi_anc_01.flac"
    audio.write_bytes(audio.read_bytes() + b"more")
    reload(world, folder)
    places = sorted((world.settings.data / "challenges" / NAME).iterdir(), key=lambda path: path.stat().st_mtime)
    files = [sorted(path.relative_to(place) for path in place.rglob("*.flac")) for place in places]
    assert files[0] == files[1] == files[2]
    assert {path.parts[0] for path in files[0]} == {"dev"}
    nodes = [{path.name: (place / path).stat().st_ino for path in files[0]} for place in places]
    assert nodes[0] == nodes[1]
    assert {name for name in nodes[1] if nodes[1][name] != nodes[2][name]} == {audio.name}
    backup(world.settings, tmp_path / "backup.tar")
    restore(Settings(tmp_path / "new"), tmp_path / "backup.tar")
    for one in places:
        other = tmp_path / "new" / one.relative_to(world.settings.data)
        assert contents_digest(other) == contents_digest(one) == one.name

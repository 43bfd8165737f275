"""Handing in: rights, dates, quotas, and what a team does with what it handed in."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import func, select, update

from parakh.errors import InputError
from parakh.leaderboard import audit, challenges, clock, quotas, store_housekeeping, submissions, teams
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.database.tables import Acceptance, ChallengeRow, Kind, State, Submission
from parakh.leaderboard.queue import Queue
from parakh.leaderboard.refusals import Conflict, NotThere, Refused, TooMany
from tests.service.quota_race import hand_in_at_once
from tests.service.worlds import NAME, World


def set_state(world: World, submission: Submission, state: State, **values: object) -> None:
    with world.database.write() as session:
        session.execute(update(Submission).where(Submission.id == submission.id).values(state=state.value, **values))


def limit(world: World, day: int | None = None, total: int | None = None, concurrent: int | None = None) -> None:
    challenges.set_override(
        world.database,
        world.organiser,
        world.teams["Team A"].id,
        world.contest().id,
        Limits(day or 1000, total or 1000, concurrent or 1000),
    )


def handed_in(world: World) -> int:
    with world.database.read() as session:
        return session.scalar(select(func.count()).select_from(Submission)) or 0


def files(world: World) -> list[Path]:
    return [path for path in world.settings.store.rglob("*") if path.is_file()]


def test_a_file_is_kept_as_it_came_and_waits(world: World) -> None:
    submission = world.submit(content=[b"SPEAKER ", b"one\n"])
    assert world.store.path(submission.file).read_bytes() == b"SPEAKER one\n"
    assert (submission.size, submission.state, submission.kind, submission.file_name) == (
        12,
        "queued",
        "submission",
        "answers.rttm",
    )
    assert submission.contest.phase.challenge.name == NAME
    event = audit.read(world.database, limit=1)[0]
    assert (event.actor, event.action, event.subject) == ("asha@example.org", "submission.made", submission.id)
    assert event.detail == {"contest": "eval/diarization", "team": submission.team_id, "kind": "submission", "bytes": 12}


def test_the_queue_is_asked_and_may_fail(world: World) -> None:
    asha, contest = world.members["asha"], world.contest()
    settings = dataclasses.replace(world.settings, queue_url="sqlite:////nowhere/at/all.sqlite")
    submission = submissions.make(
        world.database,
        world.store,
        asha,
        contest.id,
        world.teams["Team A"].id,
        [b"x"],
        "a.rttm",
        queue=Queue(world.database, settings),
    )
    assert world.submission(submission.id).state == "queued"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"system": "a" * 81}, "submission: system: found 81 characters, expected at most 80."),
        ({"system": "a\nb"}, "submission: system: found the character U\\+000A"),
        ({"description": "a" * 10_001}, "submission: description: found 10001 characters"),
        ({"tags": ["a"] * 2}, "submission: tags: found 'a' twice, expected each tag once."),
        ({"tags": [str(number) for number in range(21)]}, "submission: tags: found 21 tags, expected at most 20."),
        ({"tags": [""]}, "submission: tags: found '', expected a name."),
        ({"paper": "javascript:alert(1)"}, "submission: paper: found 'javascript:alert\\(1\\)', expected an address"),
        (
            {"paper": "https://a b"},
            "submission: paper: found the character ' ', expected an address without it. Write %20 for it.",
        ),
        ({"paper": "https://["}, "submission: paper"),
        ({"file_name": ""}, "submission: file name: found none"),
    ],
)
def test_what_is_wrong_with_the_words_is_told_and_nothing_is_read(world: World, words: dict[str, object], message: str) -> None:
    def never() -> Iterator[bytes]:
        raise AssertionError("the file was read")
        yield b""

    arguments: dict[str, object] = {"file_name": "a.rttm"} | words
    with pytest.raises(InputError, match=message):
        submissions.make(
            world.database,
            world.store,
            world.members["asha"],
            world.contest().id,
            world.teams["Team A"].id,
            never(),
            **arguments,  # type: ignore[arg-type]
        )


def test_all_faults_at_once(world: World) -> None:
    with pytest.raises(InputError) as error:
        submissions.check_words("\x00", "\x00", ["\x00"], "x", "\x00")
    assert len(error.value.faults) == 5


def test_an_empty_file_or_one_that_breaks_off_leaves_no_row(world: World) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise ConnectionResetError("gone")

    with pytest.raises(InputError, match="submission: file: found an empty file"):
        world.submit(content=b"")
    with pytest.raises(ConnectionResetError):
        world.submit(content=broken())
    assert handed_in(world) == 0
    assert not [path for path in files(world) if path.stat().st_size]


def test_strangers_and_other_teams_hand_in_nothing(world: World) -> None:
    contest, team = world.contest(), world.teams["Team A"]
    for viewer, error in (
        (world.members["binod"], NotThere),
        (dataclasses.replace(world.members["asha"], user_id=None, teams=frozenset()), Refused),
        (dataclasses.replace(world.members["asha"], scopes=frozenset({"read"})), Refused),
        (dataclasses.replace(world.members["binod"], teams=frozenset({team.id})), NotThere),  # as one who was in it a moment ago
    ):
        with pytest.raises(error):
            submissions.make(world.database, world.store, viewer, contest.id, team.id, [b"x"], "a.rttm")
    assert handed_in(world) == 0


def test_terms_come_first_and_again_in_a_new_version(world: World) -> None:
    with world.database.write() as session:
        session.execute(update(ChallengeRow).values(terms_version="2"))
    with pytest.raises(Refused, match="first accept the terms of"):
        world.submit()
    with pytest.raises(Conflict, match="the terms are now version 2"):
        teams.accept_terms(world.database, world.members["asha"], NAME, "1")
    teams.accept_terms(world.database, world.members["asha"], NAME, "2")
    teams.accept_terms(world.database, world.members["asha"], NAME, "2")
    assert world.submit()
    with world.database.read() as session:
        versions = session.scalars(select(Acceptance.version).where(Acceptance.user_id == world.members["asha"].user_id))
        assert sorted(versions) == ["1", "2"]


def test_a_phase_takes_submissions_between_its_dates(world: World) -> None:
    opens, closes = clock.now() + timedelta(days=1), clock.now() + timedelta(days=2)
    challenges.set_phase(world.database, world.organiser, NAME, "eval", opens=opens, closes=closes)
    with pytest.raises(Refused, match=r"this phase opens 20\d\d-\d\d-\d\d \d\d:\d\d IST\."):
        world.submit()
    challenges.set_phase(world.database, world.organiser, NAME, "eval", opens=None, closes=clock.now() - timedelta(seconds=1))
    with pytest.raises(Refused, match="this phase closed"):
        world.submit()
    assert world.submit(phase="dev")


def test_refused_and_failed_submissions_cost_nothing(world: World) -> None:
    limit(world, day=1)
    for state in (State.REFUSED, State.FAILED):
        set_state(world, world.submit(), state)
    world.submit()
    with pytest.raises(TooMany, match="this team has used its 1 submissions of today; the next day begins 20") as error:
        world.submit()
    assert 0 < error.value.seconds <= 24 * 3600


@pytest.mark.parametrize("state", [State.QUEUED, State.SCORING, State.SCORED])
def test_others_do_whether_withdrawn_or_not(world: World, state: State) -> None:
    limit(world, total=1)
    set_state(world, world.submit(), state, is_withdrawn=True)
    with pytest.raises(Refused, match="has used all its 1 submissions"):
        world.submit()
    assert world.submit(track="topics")
    assert world.submit("binod")


def test_only_so_many_run_at_a_time(world: World) -> None:
    limit(world, concurrent=1)
    first = world.submit()
    with pytest.raises(TooMany, match="this team has 1 submission not scored yet, and may have 1: wait for one"):
        world.submit()
    set_state(world, first, State.SCORED)
    assert world.submit()


def test_the_day_is_that_of_the_challenge(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(world, day=1)
    before_midnight = datetime(2126, 3, 1, 18, 29, tzinfo=UTC)  # 23:59 in Kolkata
    monkeypatch.setattr(quotas, "now", lambda: before_midnight)
    first = world.submit()
    set_state(world, first, State.SCORED, made_at=before_midnight)
    with pytest.raises(TooMany) as error:
        world.submit()
    assert error.value.seconds == 60
    monkeypatch.setattr(quotas, "now", lambda: before_midnight + timedelta(minutes=2))
    assert world.submit()


def test_what_is_left_is_told(world: World) -> None:
    limit(world, day=3, total=9, concurrent=2)
    set_state(world, world.submit(), State.SCORED)
    set_state(world, world.submit(), State.SCORED, made_at=clock.now() - timedelta(days=2))
    world.submit()
    quota = quotas.quota(world.database, world.teams["Team A"].id, world.contest().id)
    assert (quota.used_today, quota.used, quota.running, quota.left) == (2, 3, 1, 1)


def test_baselines_are_the_organisers_and_free(world: World) -> None:
    challenges.set_phase(world.database, world.organiser, NAME, "eval", closes=clock.now() - timedelta(seconds=1))
    contest, team = world.contest(), world.teams["Team A"]
    limit(world, total=1)
    for _ in range(2):
        submissions.make(
            world.database, world.store, world.organiser, contest.id, team.id, [b"x"], "a.rttm", "embedded", kind=Kind.BASELINE
        )
    with pytest.raises(Refused, match="only organisers hand in baselines"):
        submissions.make(
            world.database, world.store, world.members["asha"], contest.id, team.id, [b"x"], "a.rttm", kind=Kind.BASELINE
        )
    assert quotas.quota(world.database, team.id, contest.id).used == 0


def test_two_at_the_same_moment_never_both_take_the_last_place(world: World) -> None:
    limit(world, total=3)
    taken, refused = hand_in_at_once(world, 12)
    assert (taken, refused) == (3, 9)
    assert handed_in(world) == 3


def test_a_place_that_was_there_when_the_upload_began_may_be_gone_when_it_ends(world: World) -> None:
    limit(world, total=1)
    both = Barrier(2, timeout=20)

    def slow() -> Iterator[bytes]:
        yield b"SPEAKER\n"
        both.wait()

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(world.submit, content=slow()) for _ in range(2)]
        outcomes = [future.exception() for future in futures]
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "Refused"]
    assert handed_in(world) == 1


def test_a_team_withdraws_until_the_phase_closes(world: World) -> None:
    submission, version = world.submit(), world.contest().version
    with pytest.raises(NotThere):
        submissions.withdraw(world.database, world.members["binod"], submission.id)
    submissions.withdraw(world.database, world.members["anil"], submission.id)
    submissions.withdraw(world.database, world.members["anil"], submission.id)
    assert world.submission(submission.id).is_withdrawn
    assert world.contest().version == version + 1
    assert [event.action for event in audit.read(world.database, limit=2)] == ["submission.withdrawn", "submission.made"]
    limit(world, concurrent=9)
    other = world.submit()
    challenges.set_phase(world.database, world.organiser, NAME, "eval", closes=clock.now() - timedelta(seconds=1))
    with pytest.raises(Refused, match="this phase is over: ask the organiser to withdraw it"):
        submissions.withdraw(world.database, world.members["asha"], other.id)
    submissions.withdraw(world.database, world.organiser, other.id)
    assert world.submission(other.id).is_withdrawn


def test_a_team_chooses_one_where_the_rule_says_so(world: World) -> None:
    limit(world, concurrent=9)
    first, second = world.submit(), world.submit()
    set_state(world, first, State.SCORED)
    with pytest.raises(Conflict, match="the organiser's rule picks"):
        submissions.choose(world.database, world.members["asha"], first.id)
    with world.database.write() as session:
        row = session.scalars(select(ChallengeRow)).one()
        row.rules = {**row.rules, "represents": "chosen"}
    with pytest.raises(Conflict, match="only a submission that is scored"):
        submissions.choose(world.database, world.members["asha"], second.id)
    set_state(world, second, State.SCORED)
    for one in (first, second):
        submissions.choose(world.database, world.members["asha"], one.id)
    assert [world.submission(one.id).is_chosen for one in (first, second)] == [False, True]


def test_words_are_changed_and_the_log_knows(world: World) -> None:
    submission = world.submit()
    submissions.edit(
        world.database, world.members["anil"], submission.id, system="New", tags=["x"], paper="https://example.org/p"
    )
    now = world.submission(submission.id)
    assert (now.system, now.description, now.tags, now.paper) == ("New", "", ["x"], "https://example.org/p")
    event = audit.read(world.database, limit=1)[0]
    assert (event.action, event.detail) == (
        "submission.edited",
        {"system": "New", "tags": ["x"], "paper": "https://example.org/p"},
    )
    submissions.edit(world.database, world.members["anil"], submission.id, system="New")
    assert audit.read(world.database, limit=1)[0].number == event.number
    with pytest.raises(NotThere):
        submissions.edit(world.database, world.members["binod"], submission.id, system="Mine")


def test_files_that_no_row_names_go_after_a_day(world: World) -> None:
    kept = world.submit()
    orphan, young = world.store.put([b"orphan"]), world.store.put([b"young"])
    left = world.settings.store / "incoming" / "left"
    left.write_bytes(b"of a process that was killed")
    for path in (world.store.path(kept.file), world.store.path(orphan), left):
        import os

        os.utime(path, (0, 0))
    assert store_housekeeping.sweep(world.database, world.store) == 2
    assert world.store.is_whole(kept.file)
    assert world.store.is_whole(young)
    assert not world.store.path(orphan).exists()
    assert not left.exists()


def test_a_file_that_is_brought_back_just_when_it_is_to_go_stays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    key = world.store.put([b"again"])
    os.utime(world.store.path(key), (0, 0))
    names = store_housekeeping.names

    def brought_back(database: object) -> set[str]:
        found = names(world.database)
        world.store.put([b"again"])
        return found

    monkeypatch.setattr(store_housekeeping, "names", brought_back)
    assert store_housekeeping.sweep(world.database, world.store) == 0
    assert world.store.is_whole(key)
    assert not list((world.settings.store / "leaving").iterdir())

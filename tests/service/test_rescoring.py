"""Scoring again under other rules: a trial first, then in force; nothing in force changes before."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, update

from parakh.cli import admin
from parakh.errors import InputError
from parakh.formats import load as load_items
from parakh.leaderboard import audit, challenges, outcomes, processes, queue, rescoring, views_rescoring
from parakh.leaderboard.boards import refresh
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.challenge_file import from_dict, load_references
from parakh.leaderboard.database.tables import (
    BoardRow,
    Contest,
    MetricSetRow,
    Rescoring,
    ScoreRow,
    State,
    Submission,
    Team,
    Worker,
)
from parakh.leaderboard.queue import LATER, SCORING, Queue
from parakh.leaderboard.references import measure
from parakh.leaderboard.refusals import Conflict, NotThere, Refused
from parakh.leaderboard.rights import COMMAND_LINE
from parakh.leaderboard.scoring import Ending, Outcome
from parakh.leaderboard.tending import Tender
from parakh.leaderboard.visibility import ANYBODY
from parakh.results import Results
from parakh.types import Segment
from tests.service import jobs


@pytest.fixture
def small(small: jobs.Small, tmp_path: Path) -> jobs.Small:
    """Three teams: the first finds all speech and mixes the speakers up, the second misses some, the third does as the second."""
    mixed = b"".join(jobs.rttm(one, ((0.0, 8.0), (10.0, 6.0), (20.0, 9.0))).replace("s1", "s0").encode() for one in jobs.SESSIONS)
    short = b"".join(jobs.rttm(one, ((0.0, 8.0), (10.0, 6.0), (20.0, 1.0))).encode() for one in jobs.SESSIONS)
    for name, content in (("Mixed", mixed), ("Short", short), ("Short too", short)):
        with small.database.write() as session:
            team = Team(challenge_id=small.contest.phase.challenge_id, name=name)
            session.add(team)
        score(small, replace(small, team_id=team.id).hand_in(content).id, contest(small).metric_set_id, tmp_path)
    return small


def score(small: jobs.Small, submission_id: str, metric_set: str, tmp: Path, references: str | None = None) -> None:
    """As a worker does, in this process."""
    digest = references or contest(small).references
    begun = outcomes.begin(small.database, submission_id, digest, metric_set)
    if begun is None:
        return
    submission, row = begun
    rules, folder = challenges.material(small.settings.data, small.contest.phase.challenge, jobs.PHASE, jobs.TRACK, digest)
    path = tmp / "answer.rttm"
    path.write_bytes(small.store.path(submission.file).read_bytes())
    chosen = MetricSet.from_dict(row.rules)
    against = load_references(from_dict(rules), folder, jobs.PHASE, jobs.TRACK)
    results = measure(chosen, against, load_items(path, Segment).items, "here")
    (tmp / "results.json").write_text(results.to_json())
    value = results.metrics[chosen.rank_by].value
    outcome = Outcome(Ending.SCORED, results=tmp / "results.json", detail=tmp / "results.json", value=value)
    outcomes.record(small.database, small.store, submission_id, metric_set, digest, outcome)


def contest(small: jobs.Small) -> Contest:
    with small.database.read() as session:
        return session.get_one(Contest, small.contest.id)


def submissions(small: jobs.Small) -> list[Submission]:
    with small.database.read() as session:
        return list(session.scalars(select(Submission).order_by(Submission.number)))


def scores(small: jobs.Small) -> set[tuple[str, str]]:
    with small.database.read() as session:
        return {(one.submission_id, one.metric_set_id) for one in session.scalars(select(ScoreRow))}


def score_rows(small: jobs.Small, metric_set: str) -> list[ScoreRow]:
    with small.database.read() as session:
        return list(session.scalars(select(ScoreRow).where(ScoreRow.metric_set_id == metric_set)))


def again(small: jobs.Small, begun: Rescoring) -> Rescoring:
    with small.database.read() as session:
        return session.get_one(Rescoring, begun.id)


def other(small: jobs.Small) -> MetricSet:
    """Ranks by the ratio of Jaccard errors, which weighs speakers alike."""
    return replace(MetricSet.from_dict(contest(small).metric_set.rules), version="2", metrics=("der", "jer"), rank_by="jer")


def tender(small: jobs.Small, line: Queue) -> Tender:
    with small.database.write() as session:
        row = session.scalars(select(Worker)).one_or_none() or Worker(id=processes.new_id(), host=processes.host(), pid=1)
        session.add(row)
    return Tender(small.database, small.store, line, row.id, frozenset)


def ready(small: jobs.Small, line: Queue, tmp: Path) -> Rescoring:
    begun = rescoring.start(small.database, line, COMMAND_LINE, small.contest.id, other(small))
    for one in begun.submissions:
        score(small, one, begun.metric_set_id, tmp)
    tender(small, line).tick()
    return again(small, begun)


def test_a_trial_changes_nothing_that_is_in_force(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    before, version, there = contest(small).metric_set_id, contest(small).version, scores(small)
    begun = rescoring.start(small.database, line, COMMAND_LINE, small.contest.id, other(small))
    assert begun.submissions == [one.id for one in submissions(small)]
    looking = tender(small, line)
    looking.tick()
    live = [one for one in line.live() if one.queue_name == SCORING]
    assert {one.workflow_id.partition(".")[0] for one in live} == {
        queue.key_of(one, begun.references, begun.metric_set_id) for one in begun.submissions
    }
    assert {one.priority for one in live} == {LATER}
    score(small, begun.submissions[0], begun.metric_set_id, tmp_path)
    looking.tick()
    assert again(small, begun).state == "running"
    for one in begun.submissions[1:]:
        score(small, one, begun.metric_set_id, tmp_path)
    looking.tick()
    assert again(small, begun).state == "ready"
    assert (contest(small).metric_set_id, contest(small).version) == (before, version)
    assert {one.state for one in submissions(small)} == {State.SCORED}
    assert scores(small) == there | {(one, begun.metric_set_id) for one in begun.submissions}


def test_the_difference_tells_who_moves(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    found = rescoring.difference(ready(small, line, tmp_path))
    assert found is not None
    ranks = {one.team: (one.before and one.before.rank, one.after and one.after.rank, one.moved) for one in found.changes}
    assert ranks == {"Mixed": (1, 3, -2), "Short": (2, 1, 1), "Short too": (2, 1, 1)}
    assert [one.team for one in found.changes] == ["Short", "Short too", "Mixed"]
    assert {one.team for one in found.moved} == set(ranks)
    assert found.ties == ()
    assert (found.rank_by_before, found.rank_by) == ("der", "jer")
    results = {
        one.submission_id: Results.load(small.store.path(one.results)).metrics
        for one in score_rows(small, contest(small).metric_set_id)
    }
    for change in found.changes:
        assert change.before is not None
        old = results[change.before.submission]
        assert (change.before.value, change.before.ranked_by) == (old["jer"].value, old["der"].value)
        assert change.after is not None
        assert change.after.value == change.after.ranked_by == change.before.value  # the same jer, whichever metric ranks
        for side in (change.before, change.after):
            assert side is not None
            assert side.value is not None


def test_new_ties_are_told(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    first, *_ = submissions(small)
    lenient = replace(MetricSet.from_dict(contest(small).metric_set.rules), version="3", options={"collar": 0.25})
    begun = rescoring.start(small.database, line, COMMAND_LINE, small.contest.id, lenient, None, [first.id])
    assert begun.submissions == [first.id]
    score(small, first.id, begun.metric_set_id, tmp_path)
    tender(small, line).tick()
    found = rescoring.difference(again(small, begun))
    assert found is not None
    assert [(one.team, one.moved) for one in found.changes] == [("Mixed", 0)]


def test_applied_it_is_in_force_and_the_board_follows(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    tried, old = ready(small, line, tmp_path), contest(small).metric_set_id
    kept = scores(small)
    rescoring.apply(small.database, COMMAND_LINE, tried.id)
    assert contest(small).metric_set_id == tried.metric_set_id
    assert again(small, tried).state == "applied"
    assert scores(small) == kept
    refresh(small.database, small.store, small.contest.id)
    with small.database.read() as session:
        document = session.get_one(BoardRow, (small.contest.id, False)).document
    assert [(row["team"], row["rank"]) for row in document["rows"]] == [("Short", 1), ("Short too", 1), ("Mixed", 3)]
    with pytest.raises(Conflict, match="applied"):
        rescoring.apply(small.database, COMMAND_LINE, tried.id)
    (noted,) = audit.read(small.database, audit.Filter(action="rescoring.applied"))
    assert noted.detail["metric_set_before"] == old
    with small.database.read() as session:
        rules = MetricSet.from_dict(session.get_one(MetricSetRow, old).rules)
    back = rescoring.start(small.database, line, COMMAND_LINE, small.contest.id, rules)
    tender(small, line).tick()
    assert again(small, back).state == "ready"  # every score is there still
    rescoring.apply(small.database, COMMAND_LINE, back.id)
    assert contest(small).metric_set_id == old


def test_what_came_meanwhile_is_scored_before_it_is_applied(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    tried = ready(small, line, tmp_path)
    late = small.hand_in(jobs.answer(3))
    score(small, late.id, contest(small).metric_set_id, tmp_path)
    name = contest(small).phase.challenge.name
    assert views_rescoring.rescoring_view(small.database, COMMAND_LINE, name, tried.id).absent == (late.id,)
    with pytest.raises(Conflict, match="1 submission came since"):
        rescoring.apply(small.database, COMMAND_LINE, tried.id)
    running = again(small, tried)
    assert (running.state, running.submissions[-1]) == ("running", late.id)
    score(small, late.id, tried.metric_set_id, tmp_path)
    tender(small, line).tick()
    rescoring.apply(small.database, COMMAND_LINE, tried.id)
    assert contest(small).metric_set_id == tried.metric_set_id


def test_what_waits_when_it_is_applied_is_scored_by_the_new_rules(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    tried, waiting = ready(small, line, tmp_path), small.hand_in(jobs.answer(3))
    queue.submit(line, waiting)
    rescoring.apply(small.database, COMMAND_LINE, tried.id)
    tender(small, line).tick()
    keys = {one.workflow_id.partition(".")[0] for one in line.live()}
    assert queue.key_of(waiting.id, tried.references, tried.metric_set_id) in keys


def test_what_cannot_be_scored_again_is_told_and_fails_when_it_is_applied(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    begun = rescoring.start(small.database, line, COMMAND_LINE, small.contest.id, other(small))
    lost, *others = begun.submissions
    for _ in range(queue.MOST_FAILURES):
        assert outcomes.begin(small.database, lost, begun.references, begun.metric_set_id) is not None
        crash = Outcome(Ending.FAILED, reason="it crashed")
        outcomes.record(small.database, small.store, lost, begun.metric_set_id, begun.references, crash)
    for one in others:
        score(small, one, begun.metric_set_id, tmp_path)
    tender(small, line).tick()
    found = rescoring.difference(again(small, begun))
    assert found is not None
    assert found.failures == {lost: "it crashed"}
    assert [one.team for one in found.changes if one.after is None] == ["Mixed"]
    assert small.again(lost).state == State.SCORED
    rescoring.apply(small.database, COMMAND_LINE, begun.id)
    assert (small.again(lost).state, small.again(lost).reason) == (State.FAILED, "it crashed")


def test_references_that_changed_are_tried_too(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    challenges.load(small.database, small.settings.data, jobs.write_challenge(tmp_path / "challenge", end=7.0), "test")
    with small.database.read() as session:
        begun = session.scalars(select(Rescoring)).one()
    assert begun.references != contest(small).references
    for one in begun.submissions:
        score(small, one, begun.metric_set_id, tmp_path, begun.references)
    tender(small, line).tick()
    rescoring.apply(small.database, COMMAND_LINE, begun.id)
    assert contest(small).references == begun.references


def test_dropped_it_is_forgotten_and_its_scores_are_kept(small: jobs.Small, line: Queue, tmp_path: Path) -> None:
    tried = ready(small, line, tmp_path)
    kept = scores(small)
    rescoring.drop(small.database, COMMAND_LINE, tried.id)
    assert (again(small, tried).state, scores(small)) == ("dropped", kept)
    with pytest.raises(Conflict):
        rescoring.apply(small.database, COMMAND_LINE, tried.id)
    with pytest.raises(Conflict):
        rescoring.drop(small.database, COMMAND_LINE, tried.id)


def test_what_cannot_be_tried(small: jobs.Small, line: Queue) -> None:
    def start(metric_set: MetricSet | None = None, references: str | None = None, chosen: list[str] | None = None) -> Rescoring:
        return rescoring.start(small.database, line, COMMAND_LINE, small.contest.id, metric_set, references, chosen)

    with pytest.raises(Conflict, match="in force"):
        start()
    with pytest.raises(NotThere):
        start(other(small), None, ["nothing"])
    with pytest.raises(Refused):
        rescoring.start(small.database, line, ANYBODY, small.contest.id, other(small))
    with pytest.raises(NotThere):
        rescoring.start(small.database, line, COMMAND_LINE, 999, other(small))
    with pytest.raises(Exception, match="are not in"):
        start(None, "0" * 16)
    bad = replace(other(small), metrics=("der", "jxr", "wer"), rank_by="no", options={"kollar": 1.0}, normalization="none such")
    with pytest.raises(InputError) as told:
        start(bad)
    lines = str(told.value).splitlines()
    assert len(lines) == 5
    for words in ("'jxr'", "'wer'", "rank_by", "kollar", "normalization"):
        assert any(words in line for line in lines)
    with small.database.write() as session:
        session.execute(update(Submission).values(state=State.FAILED.value))
    with pytest.raises(Conflict, match="no scored submission"):
        start(other(small))


def test_at_the_command_line_it_is_looked_at_and_applied(
    small: jobs.Small, line: Queue, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str) -> str:
        capsys.readouterr()
        admin.app([*arguments, "--data", str(small.settings.data)], standalone_mode=False)
        return capsys.readouterr().out

    name = contest(small).phase.challenge.name
    begun = rescoring.start(small.database, line, COMMAND_LINE, small.contest.id, other(small))
    assert run("rescoring", name, begun.id) == f"{begun.id} is running: 0 of 3 are scored\n"
    for one in begun.submissions:
        score(small, one, begun.metric_set_id, tmp_path)
    tender(small, line).tick()
    assert [row["scored"] for row in json.loads(run("rescorings", name, "--json"))] == ["3 of 3"]
    rows = json.loads(run("rescoring", name, begun.id, "--json"))
    assert list(rows[0]) == ["team", "kind", "rank", "rank_then", "jer", "jer_then", "ranked_by_der"]
    assert all(row["jer"] == row["jer_then"] != row["ranked_by_der"] for row in rows if row["team"] != "Mixed")
    assert [(row["team"], row["rank"], row["rank_then"]) for row in rows] == [
        ("Short", 2, 1),
        ("Short too", 2, 1),
        ("Mixed", 1, 3),
    ]
    with pytest.raises(InputError, match=r"--apply: found --drop beside it"):
        run("rescoring", name, begun.id, "--apply", "--drop")
    assert run("rescoring", name, begun.id, "--apply") == f"{begun.id} is in force now\n"
    assert contest(small).metric_set_id == begun.metric_set_id
    with pytest.raises(Conflict):
        run("rescoring", name, begun.id, "--drop")
    with pytest.raises(NotThere):
        run("rescoring", name, "nothing")

"""Scoring again under other rules, as a trial first: what would change is seen before anybody else sees it.

    start -> running -> ready, with a difference -> apply, or drop

Scores of either side are kept. Whatever is in force until ``apply`` stays so, and can be gone back to by another trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from parakh import metrics, tracks
from parakh.choices import check_options
from parakh.errors import Fault, InputError, UnknownNameError, counted
from parakh.leaderboard import audit
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.challenges import material
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import contest_held, metric_set_row
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, MetricSetRow, Rescoring, ScoreRow, State, Submission
from parakh.leaderboard.queue import Queue
from parakh.leaderboard.refusals import Conflict, NotThere
from parakh.leaderboard.rights import account_id, needs_organiser
from parakh.leaderboard.standings import Standing, standings
from parakh.leaderboard.store import Store
from parakh.leaderboard.visibility import Viewer
from parakh.resample import Bootstrap
from parakh.text.normalize import get_profile


@dataclass(frozen=True)
class Side:
    """Where a team stands under one set of rules.

    Args:
        submission: Which of its submissions stands for it.
        system: Name of the system.
        value: Of the metric that ranks under the rules that are tried; None where undefined, or not among the old ones.
        ranked_by: Of the metric that ranks on this side; None where undefined.
        rank: From 1, equals share it; None for a row that is not ranked.
    """

    submission: str
    system: str
    value: float | None
    ranked_by: float | None
    rank: int | None


@dataclass(frozen=True)
class Change:
    """One row of a board under both sets of rules.

    Args:
        team: Its name.
        kind: What the row is.
        before: Under the rules in force; None where it has no row.
        after: Under those that are tried; None where it has no row.
    """

    team: str
    kind: str
    before: Side | None
    after: Side | None

    @property
    def moved(self) -> int | None:
        """Ranks it gains, below 0 what it loses; None where it has no rank on either side."""
        if self.before is None or self.after is None or self.before.rank is None or self.after.rank is None:
            return None
        return self.before.rank - self.after.rank


@dataclass(frozen=True)
class Difference:
    """What a re-scoring would change.

    Args:
        changes: A row each, in the order of the ranks after it.
        ties: Teams that would share a rank and do not now.
        failures: Why there is no score, by submission.
        rank_by: The metric that ranks under the rules that are tried.
        rank_by_before: The one that ranked before.
    """

    changes: tuple[Change, ...]
    ties: tuple[tuple[str, ...], ...]
    failures: dict[str, str]
    rank_by: str
    rank_by_before: str

    @property
    def moved(self) -> tuple[Change, ...]:
        """The rows whose rank changes, come or go."""
        return tuple(one for one in self.changes if one.moved or (one.before is None) != (one.after is None))


def start(
    database: Database,
    queue: Queue,
    viewer: Viewer,
    contest_id: int,
    metric_set: MetricSet | None = None,
    references: str | None = None,
    submissions: Sequence[str] | None = None,
) -> Rescoring:
    """Begin to score submissions of a contest by other rules.

    Args:
        database: Where they are.
        queue: What carries the jobs.
        viewer: Who asks for it.
        contest_id: Of which contest.
        metric_set: The rules to try; None for those in force.
        references: Digest of the references to try; None for those in force.
        submissions: Ids of submissions; None for all that are scored.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such contest, or no such submission that is scored, or no such references.
        InputError: The metric set cannot be used.
        Conflict: There is nothing to try.
    """
    needs_organiser(viewer)
    with database.write() as session:
        contest = session.get(Contest, contest_id)
        if contest is None:
            raise NotThere("contest", contest_id)
        tried = (references or contest.references, contest.metric_set_id if metric_set is None else metric_set.digest)
        if tried == (contest.references, contest.metric_set_id):
            raise Conflict("these rules are in force already.")
        phase = contest.phase
        material(queue.settings.data, phase.challenge, phase.key, contest.track, tried[0])
        if metric_set is not None:
            _check(metric_set, MetricSet.from_dict(contest.metric_set.rules))
            metric_set_row(session, metric_set)
        row = Rescoring(
            contest_id=contest_id,
            references=tried[0],
            metric_set_id=tried[1],
            submissions=_chosen(session, contest_id, submissions),
            by_id=account_id(viewer),
        )
        session.add(row)
        session.flush()
        _note(session, viewer.name, "rescoring.started", row, {"submissions": len(row.submissions)})
    return row


def _check(tried: MetricSet, present: MetricSet) -> None:
    """See that a metric set can be used on what was handed in.

    Raises:
        InputError: It cannot; one line a fault.
    """
    if tried.track != present.track:
        expected = f"{present.track!r}, which the submissions answer"
        raise InputError(Fault("metric set", "track", repr(tried.track), expected))
    track, faults, chosen = tracks.get(tried.track), [], []
    for name in tried.metrics:
        try:
            chosen.append(metrics.get(name))
        except UnknownNameError as error:
            faults.append(Fault("metric set", "metrics", repr(name), "a metric that there is", str(error)))
    unfit = [one.name for one in chosen if one.payload not in track.payloads]
    faults += [Fault("metric set", "metrics", repr(name), f"a metric of the {track.name} track") for name in unfit]
    for key, names in (("rank_by", (tried.rank_by,)), ("tie_break", tried.tie_break)):
        expected = f"one of its metrics: {', '.join(tried.metrics)}"
        faults += [Fault("metric set", key, repr(name), expected) for name in names if name not in tried.metrics]
    for look in (
        lambda: check_options(track, [one for one in chosen if one.name not in unfit], dict(tried.options)),
        lambda: get_profile(tried.normalization),
        lambda: tried.level is not None and Bootstrap(level=tried.level, samples=tried.samples),
    ):
        faults += _faults(look)
    if faults:
        raise InputError(faults)


def _faults(look: Callable[[], object]) -> list[Fault]:
    try:
        look()
    except InputError as error:
        return list(error.faults)
    except UnknownNameError as error:
        return [Fault("metric set", "normalization", "no profile that there is", "one of them", str(error))]
    return []


def _chosen(session: Session, contest_id: int, submissions: Sequence[str] | None) -> list[str]:
    scored = list(session.scalars(_scored(contest_id)))
    for one in submissions or ():
        if one not in scored:
            raise NotThere("scored submission of this contest", one)
    chosen = scored if submissions is None else [one for one in scored if one in set(submissions)]
    if not chosen:
        raise Conflict("there is no scored submission to score again.")
    return chosen


def _note(session: Session, actor: str, action: str, row: Rescoring, detail: dict[str, Any]) -> None:
    contest = session.get_one(Contest, row.contest_id)
    phase = contest.phase
    told = {"phase": phase.key, "track": contest.track, "metric_set": row.metric_set_id, "references": row.references}
    audit.record(session, actor, action, row.id, phase.challenge.name, told | detail)


def outstanding(database: Database, rescoring_id: str) -> list[str]:
    """Ids of the submissions that a re-scoring still waits for."""
    with database.read() as session:
        row = session.get_one(Rescoring, rescoring_id)
        missing = set(_missing(session, row)) - set(row.difference.get("failures", {}))
        return [one for one in row.submissions if one in missing]


def _missing(session: Session, row: Rescoring) -> list[str]:
    """Ids of submissions of the contest that are scored, and not under the rules that are tried."""
    under = ScoreRow.metric_set_id == row.metric_set_id, ScoreRow.references == row.references
    there = select(ScoreRow.submission_id).where(*under)
    return list(session.scalars(_scored(row.contest_id).where(Submission.id.not_in(there))))


def _scored(contest_id: int) -> Select[str]:
    """The ids of the submissions of a contest that are scored, in the order they came in."""
    query = select(Submission.id).where(Submission.contest_id == contest_id, Submission.state == State.SCORED)
    return query.order_by(Submission.number)


def finish(database: Database, store: Store, rescoring_id: str) -> None:
    """Work out the difference of a re-scoring whose scores are all there, and make it ready."""
    with database.read() as session:
        row = session.get_one(Rescoring, rescoring_id)
        contest = session.get_one(Contest, row.contest_id)
        rules = ((contest.metric_set_id, contest.references), (row.metric_set_id, row.references))
        old, new = (standings(session, store, contest, *one, frozenset(row.submissions)) for one in rules)
        rank_by_before, rank_by = (session.get_one(MetricSetRow, one).rules["rank_by"] for one, _ in rules)
    found = _changes(old, new, rank_by) | {"rank_by": rank_by, "rank_by_before": rank_by_before}
    with database.write() as session:
        row = session.get_one(Rescoring, rescoring_id, with_for_update=True)
        if row.state == "running":
            row.difference = {**row.difference, **found}
            row.state = "ready"
            _note(session, audit.SYSTEM, "rescoring.ready", row, {"failures": len(row.difference.get("failures", {}))})


def _changes(before: Sequence[Standing], after: Sequence[Standing], metric: str) -> dict[str, Any]:
    """Both sides as JSON, a row for each team and each marked system; ``metric`` is the one that ranks under the rules tried."""
    old, new = ({one.row: one for one in side} for side in (before, after))
    order = [*new, *(row for row in old if row not in new)]
    rows = [
        {
            "team": (new.get(row) or old[row]).team,
            "kind": (new.get(row) or old[row]).kind,
            "before": asdict(_side(old[row], metric)) if row in old else None,
            "after": asdict(_side(new[row], metric)) if row in new else None,
        }
        for row in order
    ]
    return {"changes": rows, "ties": [list(one) for one in _tied(after) if one not in _tied(before)]}


def _side(standing: Standing, metric: str) -> Side:
    return Side(standing.submission, standing.system, standing.values.get(metric), standing.value, standing.rank)


def _tied(side: Sequence[Standing]) -> list[tuple[str, ...]]:
    """The teams of each rank that several share."""
    by_rank: dict[int, list[str]] = {}
    for one in side:
        if one.rank is not None:
            by_rank.setdefault(one.rank, []).append(one.team)
    return [tuple(sorted(teams)) for teams in by_rank.values() if len(teams) > 1]


def difference(rescoring: Rescoring) -> Difference | None:
    """What a re-scoring would change; None until its scores are all there."""
    found = rescoring.difference
    if "changes" not in found:
        return None
    changes = [
        Change(one["team"], one["kind"], *(one[side] and Side(**one[side]) for side in ("before", "after")))
        for one in found["changes"]
    ]
    ties, failures = tuple(map(tuple, found["ties"])), dict(found.get("failures", {}))
    return Difference(tuple(changes), ties, failures, found["rank_by"], found["rank_by_before"])


def absent(session: Session, row: Rescoring) -> list[str]:
    """Ids of scored submissions that are not in a re-scoring, and that applying it scores first."""
    return [one for one in _missing(session, row) if one not in row.submissions]


def apply(database: Database, viewer: Viewer, rescoring_id: str) -> None:
    """Put the rules of a re-scoring in force; the scores under the old ones are kept.

    Args:
        database: Where it is.
        viewer: Who asks for it.
        rescoring_id: Which.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such re-scoring.
        Conflict: It is not ready, or submissions were scored since it began: these are scored first.
    """
    needs_organiser(viewer)
    with database.write() as session:
        row, contest = _held(session, rescoring_id)
        if row.state != "ready":
            raise Conflict(f"the re-scoring is {row.state}, not ready.")
        failures = row.difference.get("failures", {})
        _chosen(session, contest.id, None)  # there has to be a scored one
        late = [one for one in _missing(session, row) if one not in failures]
        if late:
            row.submissions, row.state = [*row.submissions, *(one for one in late if one not in row.submissions)], "running"
        else:
            _put_in_force(session, viewer, row, contest)
    if late:
        raise Conflict(f"{counted(len(late), 'submission')} came since it began: scored first. Apply it when it is ready again.")


def drop(database: Database, viewer: Viewer, rescoring_id: str) -> None:
    """Give a re-scoring up; scores that it made are kept.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such re-scoring.
        Conflict: It is applied already, or dropped.
    """
    needs_organiser(viewer)
    with database.write() as session:
        row, _ = _held(session, rescoring_id)
        if row.state not in {"running", "ready"}:
            raise Conflict(f"the re-scoring is {row.state}.")
        row.state = "dropped"
        _note(session, viewer.name, "rescoring.dropped", row, {})


def _held(session: Session, rescoring_id: str) -> tuple[Rescoring, Contest]:
    """A re-scoring and its contest, held until the transaction ends; the contest first, as everywhere."""
    contest_id = session.scalar(select(Rescoring.contest_id).where(Rescoring.id == rescoring_id))
    if contest_id is None:
        raise NotThere("re-scoring", rescoring_id)
    contest = contest_held(session, contest_id)
    return session.get_one(Rescoring, rescoring_id, with_for_update=True, populate_existing=True), contest


def _put_in_force(session: Session, viewer: Viewer, row: Rescoring, contest: Contest) -> None:
    before = {"metric_set_before": contest.metric_set_id, "references_before": contest.references}
    contest.metric_set_id, contest.references = row.metric_set_id, row.references
    contest.version += 1
    row.state, row.applied_at = "applied", now()
    for submission_id, reason in row.difference.get("failures", {}).items():
        submission = session.scalars(select(Submission).where(Submission.id == submission_id)).one_or_none()
        if submission is not None and submission.state == State.SCORED:
            submission.state, submission.reason = State.FAILED.value, reason
    others = Rescoring.contest_id == contest.id, Rescoring.state == "ready"
    session.execute(update(Rescoring).where(*others).values(state="running"))  # their differences are to what was in force
    _note(session, viewer.name, "rescoring.applied", row, before)

"""Submissions as far as a viewer may see them: where each stands, its faults, its figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from parakh.leaderboard import challenges, small_slices
from parakh.leaderboard.challenge import MetricSet, Sight
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import UNDER_WAY, Contest, Kind, ScoreRow, State, Submission
from parakh.leaderboard.store import Store
from parakh.leaderboard.views import sight_name
from parakh.leaderboard.visibility import Viewer, knows_of, sees_small_slices, sight
from parakh.results import Results, Score

_IN_FORCE = and_(
    ScoreRow.submission_id == Submission.id,
    ScoreRow.metric_set_id == Contest.metric_set_id,
    ScoreRow.references == Contest.references,
)
WITH_VALUES = (
    select(Submission, ScoreRow.value)
    .select_from(Submission)
    .join(Contest, Contest.id == Submission.contest_id)
    .outerjoin(ScoreRow, _IN_FORCE)
)
"""Every submission, and what its contest ranks by under the rules in force; None where it has no score under them."""


@dataclass(frozen=True)
class ScoreView:
    """One figure, a ratio, with its confidence interval where one was computed; None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class RecordingView:
    """The figures of one recording."""

    id: str
    values: Mapping[str, float | None]


@dataclass(frozen=True)
class SubmissionLine:
    """A submission in a list of its own team's."""

    id: str
    challenge: str
    phase: str
    track: str
    system: str
    file_name: str
    state: str
    made_at: datetime
    value: float | None
    """Of the ranking metric, where the phase shows it."""
    rank_by: str
    is_chosen: bool
    is_withdrawn: bool


@dataclass(frozen=True)
class SubmissionView:
    """A submission as far as the viewer may see it; what they may not is None or empty."""

    id: str
    challenge: str
    challenge_title: str
    time_zone: str
    phase: str
    track: str
    team: str
    system: str
    description: str
    tags: tuple[str, ...]
    paper: str
    kind: str
    state: str
    made_at: datetime
    is_own: bool
    """Whether the viewer may change it: its team, or an organiser."""
    sight: str
    metric_set: str
    rank_by: str
    is_withdrawn: bool = False
    is_chosen: bool = False
    can_be_chosen: bool = False
    """Whether the viewer may have it stand for its team."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    file_name: str | None = None
    size: int | None = None
    """Bytes."""
    faults: tuple[str, ...] = ()
    reason: str | None = None
    """Why scoring failed, for organisers."""
    metrics: tuple[str, ...] = ()
    scores: Mapping[str, ScoreView] = field(default_factory=dict)
    slices: Mapping[str, Mapping[str, Mapping[str, ScoreView]]] = field(default_factory=dict)
    """Scores by field, value and metric."""
    recordings: tuple[RecordingView, ...] | None = None
    shows_alignments: bool = False
    """Whether single recordings can be opened."""
    has_diagnosis: bool = False
    """Whether kinds of errors can be told: for what was said, where alignments may be seen."""

    @property
    def is_running(self) -> bool:
        """Whether its state will still change by itself."""
        return self.state in UNDER_WAY


def submission_view(database: Database, store: Store, viewer: Viewer, submission_id: str, at: datetime) -> SubmissionView | None:
    """A submission; None where there is none that the viewer may know of.

    Raises:
        InputError: Its results are damaged.
    """
    with database.read() as session:
        row = submission_row(session, submission_id)
        if row is None or not knows_of(viewer, row, at):
            return None
        contest, seen = row.contest, sight(viewer, row.contest.phase, row.team_id, at)
        score = score_of(session, row)
        every_slice = sees_small_slices(viewer, contest.phase, at)
    rules = MetricSet.from_dict(contest.metric_set.rules)
    results = Results.load(store.path(score.results)) if score is not None and seen >= Sight.SCORE else None
    return _submission(row, rules, viewer, seen, results if results is None or every_slice else _without_small(results))


def own_submissions(database: Database, viewer: Viewer, at: datetime) -> list[SubmissionLine]:
    """The submissions of the teams that a viewer is in, the newest first."""
    with database.read() as session:
        return lines(session, viewer, viewer.teams, at)


def submission_row(session: Session, submission_id: str) -> Submission | None:
    """The submission of a key, whoever asks; None where there is none."""
    return session.scalar(select(Submission).where(Submission.id == submission_id))


def score_of(session: Session, row: Submission) -> ScoreRow | None:
    """The score of a submission under the rules in force; None where there is none yet."""
    return session.get(ScoreRow, (row.id, row.contest.metric_set_id, row.contest.references))


def is_own(viewer: Viewer, row: Submission) -> bool:
    """Whether a submission is of somebody's team, or they organise."""
    return viewer.organises or row.team_id in viewer.teams


def lines(session: Session, viewer: Viewer, team_ids: Collection[str], at: datetime) -> list[SubmissionLine]:
    """The submissions of some teams, the newest first."""
    made = WITH_VALUES.where(Submission.team_id.in_(team_ids)).order_by(Submission.number.desc())
    return [_line(viewer, one, value, at) for one, value in session.execute(made)]


def _submission(row: Submission, chosen: MetricSet, viewer: Viewer, seen: Sight, results: Results | None) -> SubmissionView:
    own = is_own(viewer, row)
    challenge = row.contest.phase.challenge
    rules = challenges.rules_of(challenge)
    return SubmissionView(
        id=row.id,
        challenge=challenge.name,
        challenge_title=challenge.title,
        time_zone=rules.time_zone,
        phase=row.contest.phase.key,
        track=row.contest.track,
        team=row.team.name,
        system=row.system,
        description=row.description,
        tags=tuple(row.tags),
        paper=row.paper,
        kind=Kind(row.kind).value,
        state=State(row.state).value,
        made_at=row.made_at,
        is_own=own,
        sight=sight_name(seen),
        metric_set=chosen.version,
        rank_by=chosen.rank_by,
        is_withdrawn=row.is_withdrawn,
        is_chosen=row.is_chosen and own,
        can_be_chosen=own and rules.represents == "chosen" and _stands(row) and not row.is_chosen,
        started_at=row.started_at if own else None,
        ended_at=row.ended_at if own else None,
        file_name=row.file_name if own else None,
        size=row.size if own else None,
        faults=tuple(row.faults) if own else (),
        reason=row.reason if viewer.organises else None,
        metrics=chosen.metrics,
        scores=_scores(results.metrics) if results else {},
        slices=_slices(results) if results else {},
        recordings=_recordings(results) if results and seen >= Sight.RECORDINGS else None,
        shows_alignments=results is not None and seen >= Sight.DIAGNOSIS,
        has_diagnosis=results is not None and seen >= Sight.DIAGNOSIS and chosen.track == "asr",
    )


def _stands(row: Submission) -> bool:
    return row.state == State.SCORED and not row.is_withdrawn


def _scores(metrics: Mapping[str, Score]) -> dict[str, ScoreView]:
    return {name: ScoreView(one.value, *(one.interval or (None, None))) for name, one in metrics.items()}


def _without_small(results: Results) -> Results:
    small = small_slices.in_results(results)
    return replace(results, slices={field: held for field, held in results.slices.items() if field not in small})


def _slices(results: Results) -> dict[str, dict[str, dict[str, ScoreView]]]:
    return {field: {value: _scores(scores) for value, scores in held.items()} for field, held in results.slices.items()}


def _recordings(results: Results) -> tuple[RecordingView, ...]:
    return tuple(RecordingView(one.id, dict(one.metrics)) for one in results.recordings)


def _line(viewer: Viewer, row: Submission, value: float | None, at: datetime) -> SubmissionLine:
    contest = row.contest
    seen = sight(viewer, contest.phase, row.team_id, at) >= Sight.SCORE
    return SubmissionLine(
        id=row.id,
        challenge=contest.phase.challenge.name,
        phase=contest.phase.key,
        track=contest.track,
        system=row.system,
        file_name=row.file_name,
        state=State(row.state).value,
        made_at=row.made_at,
        value=value if seen else None,
        rank_by=contest.metric_set.rules["rank_by"],
        is_chosen=row.is_chosen,
        is_withdrawn=row.is_withdrawn,
    )

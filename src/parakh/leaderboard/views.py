"""What a viewer gets to see, already reduced by ``visibility``: pages and API show these values and never look at a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.leaderboard import challenges, submissions
from parakh.leaderboard.challenge import Challenge, Limits, MetricSet, Sight
from parakh.leaderboard.challenge_file import from_dict
from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import (
    Acceptance,
    ChallengeRow,
    Contest,
    Kind,
    Membership,
    PhaseRow,
    ScoreRow,
    State,
    Submission,
    Team,
)
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.store import Store
from parakh.leaderboard.visibility import Viewer, is_frozen, is_revealed, knows_of, sight
from parakh.results import Results, Score


@dataclass(frozen=True)
class TrackView:
    """One track of a challenge, and how it is scored."""

    key: str
    title: str
    track: str
    formats: tuple[str, ...]
    metrics: tuple[str, ...]
    rank_by: str
    metric_set: str
    """Version of the metric set that the challenge's file names."""


@dataclass(frozen=True)
class PhaseView:
    """One phase as it stands at a moment."""

    key: str
    title: str
    tracks: tuple[str, ...]
    opens: datetime | None
    closes: datetime | None
    freezes: datetime | None
    is_open: bool
    is_frozen: bool
    is_revealed: bool
    open_book: bool
    has_audio: bool
    shows: str
    """What a team sees of its own submissions now: "nothing", "score", "recordings" or "diagnosis"."""
    shows_revealed: str
    limits: Limits


@dataclass(frozen=True)
class ContestView:
    """One track of one phase."""

    id: int
    phase: str
    track: str
    version: int
    metric_set: str
    rank_by: str
    is_open: bool


@dataclass(frozen=True)
class ChallengeView:
    """A challenge, its rules, and how the viewer stands to it."""

    name: str
    title: str
    description: str
    contact: str
    time_zone: str
    represents: str
    tracks: tuple[TrackView, ...]
    phases: tuple[PhaseView, ...]
    contests: tuple[ContestView, ...]
    terms_version: str | None
    terms: str | None
    accepted: bool
    """Whether the viewer accepted the terms in force; True where there are none."""
    team_id: str | None
    team_name: str | None

    def track(self, key: str) -> TrackView:
        """The track of a key.

        Raises:
            KeyError: There is none.
        """
        return {one.key: one for one in self.tracks}[key]

    def phase(self, key: str) -> PhaseView:
        """The phase of a key.

        Raises:
            KeyError: There is none.
        """
        return {one.key: one for one in self.phases}[key]

    def contest(self, phase: str, track: str) -> ContestView | None:
        """The contest of a phase and a track; None where there is none."""
        return next((one for one in self.contests if (one.phase, one.track) == (phase, track)), None)


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
        return self.state in {State.QUEUED, State.SCORING}


@dataclass(frozen=True)
class QuotaView:
    """What is left of a team's submissions in one contest."""

    phase: str
    track: str
    limits: Limits
    used_today: int
    used: int
    running: int
    is_open: bool
    left: int | None
    """How many more may be made now; None for any number."""


@dataclass(frozen=True)
class MemberView:
    """Somebody in a team."""

    user_id: int
    name: str
    leads: bool
    joined_at: datetime


@dataclass(frozen=True)
class TeamView:
    """A team, for those who are in it."""

    id: str
    name: str
    challenge: str
    invite: str
    leads: bool
    """Whether the viewer leads it."""
    members: tuple[MemberView, ...]
    quotas: tuple[QuotaView, ...]
    submissions: tuple[SubmissionLine, ...]


def challenge_views(database: Database, viewer: Viewer, at: datetime) -> list[ChallengeView]:
    """Every challenge that a viewer may know of, the newest first."""
    with database.read() as session:
        rows = session.scalars(select(ChallengeRow).order_by(ChallengeRow.id.desc()))
        return [_challenge(session, viewer, row, at) for row in rows if _may_enter(session, viewer, row)]


def challenge_view(database: Database, viewer: Viewer, name: str, at: datetime) -> ChallengeView | None:
    """A challenge; None where there is none that the viewer may know of."""
    with database.read() as session:
        row = session.scalar(select(ChallengeRow).where(ChallengeRow.name == name))
        return _challenge(session, viewer, row, at) if row is not None and _may_enter(session, viewer, row) else None


def submission_view(database: Database, store: Store, viewer: Viewer, submission_id: str, at: datetime) -> SubmissionView | None:
    """A submission; None where there is none that the viewer may know of.

    Raises:
        InputError: Its results are damaged.
    """
    with database.read() as session:
        row = session.scalar(select(Submission).where(Submission.id == submission_id))
        if row is None or not knows_of(viewer, row, at):
            return None
        contest, seen = row.contest, sight(viewer, row.contest.phase, row.team_id, at)
        score = session.get(ScoreRow, (row.id, contest.metric_set_id, contest.references))
    rules = MetricSet.from_dict(contest.metric_set.rules)
    results = Results.load(store.path(score.results)) if score is not None and seen >= Sight.SCORE else None
    return _submission(row, rules, viewer, seen, results)


def submission_file(
    database: Database, store: Store, viewer: Viewer, submission_id: str, at: datetime
) -> tuple[Path, str] | None:
    """Where the file of a submission lies and what it was called; None for all but its team and organisers."""
    with database.read() as session:
        row = session.scalar(select(Submission).where(Submission.id == submission_id))
        if row is None or not _is_own(viewer, row) or not knows_of(viewer, row, at):
            return None
        return store.path(row.file), row.file_name


def own_submissions(database: Database, viewer: Viewer, at: datetime) -> list[SubmissionLine]:
    """The submissions of the teams that a viewer is in, the newest first."""
    with database.read() as session:
        return _lines(session, viewer, viewer.teams, at)


def kit(database: Database, data: Path, viewer: Viewer, challenge: str, phase: str, track: str) -> Kit | None:
    """What is needed to check a submission offline; None where there is no such contest.

    Raises:
        InputError: The challenge's files are damaged.
    """
    with database.read() as session:
        row = session.scalar(select(ChallengeRow).where(ChallengeRow.name == challenge))
        if row is None or not _may_enter(session, viewer, row):
            return None
        try:
            contest = contest_named(session, challenge, phase, track)
        except NotThere:
            return None
    rules, folder = challenges.material(data, row, phase, track, contest.references)  # as they are in force
    return Kit.of(from_dict(rules), folder, phase, track)


def touch(database: Database) -> None:
    """Ask the database for something, to see that it is there."""
    with database.read() as session:
        session.scalar(select(ChallengeRow.id).limit(1))


def quota_views(database: Database, challenge: ChallengeView) -> tuple[QuotaView, ...]:
    """What is left for the viewer's team in each contest of a challenge; empty where they have none."""
    team_id = challenge.team_id
    return () if team_id is None else tuple(_quota(database, team_id, one) for one in challenge.contests)


def team_view(database: Database, viewer: Viewer, challenge: str, at: datetime) -> TeamView | None:
    """The viewer's team in a challenge; None where they are in none."""
    shown = challenge_view(database, viewer, challenge, at)
    if shown is None or shown.team_id is None:
        return None
    with database.read() as session:
        found = session.get_one(Team, shown.team_id)
        members = tuple(MemberView(one.user_id, one.user.name, one.leads, one.joined_at) for one in found.members)
        lines = tuple(_lines(session, viewer, [found.id], at))
    leads = any(one.leads and one.user_id == viewer.user_id for one in members)
    return TeamView(found.id, found.name, challenge, found.invite, leads, members, quota_views(database, shown), lines)


def is_open(phase: PhaseRow, at: datetime) -> bool:
    """Whether a phase takes submissions."""
    return (phase.opens is None or phase.opens <= at) and (phase.closes is None or at < phase.closes)


def _may_enter(session: Session, viewer: Viewer, row: ChallengeRow) -> bool:
    return row.is_public or viewer.organises or _team_of(session, viewer, row) is not None


def _is_own(viewer: Viewer, row: Submission) -> bool:
    return viewer.organises or row.team_id in viewer.teams


def _team_of(session: Session, viewer: Viewer, row: ChallengeRow) -> Team | None:
    if viewer.user_id is None:
        return None
    joined = select(Team).join(Membership, Membership.team_id == Team.id)
    return session.scalar(joined.where(Team.challenge_id == row.id, Membership.user_id == viewer.user_id))


def _contests(session: Session, challenge_id: int) -> list[Contest]:
    found = select(Contest).join(PhaseRow, PhaseRow.id == Contest.phase_id).where(PhaseRow.challenge_id == challenge_id)
    return list(session.scalars(found.order_by(Contest.phase_id, Contest.id)))


def _challenge(session: Session, viewer: Viewer, row: ChallengeRow, at: datetime) -> ChallengeView:
    rules = challenges.rules_of(row)
    team = _team_of(session, viewer, row)
    accepted = row.terms_version is None or (
        viewer.user_id is not None and session.get(Acceptance, (viewer.user_id, row.id, row.terms_version)) is not None
    )
    contests = [one for one in _contests(session, row.id) if _is_current(rules, one)]
    return ChallengeView(
        name=row.name,
        title=rules.title,
        description=rules.description,
        contact=rules.contact,
        time_zone=rules.time_zone,
        represents=rules.represents,
        tracks=tuple(_track(rules, one.key) for one in rules.tracks),
        phases=tuple(_phase(rules, one, at) for one in row.phases if one.key in {held.key for held in rules.phases}),
        contests=tuple(_contest(one, at) for one in contests),
        terms_version=row.terms_version,
        terms=rules.terms.text if rules.terms else None,
        accepted=accepted,
        team_id=team.id if team else None,
        team_name=team.name if team else None,
    )


def _is_current(rules: Challenge, contest: Contest) -> bool:
    """Whether the challenge's file still has it: a reload may have dropped a phase, whose submissions stay."""
    return any(one.key == contest.phase.key and contest.track in one.tracks for one in rules.phases)


def _track(rules: Challenge, key: str) -> TrackView:
    track = rules.track(key)
    chosen = track.metric_set
    return TrackView(key, track.title, chosen.track, track.formats, chosen.metrics, chosen.rank_by, chosen.version)


def _phase(rules: Challenge, row: PhaseRow, at: datetime) -> PhaseView:
    phase = rules.phase(row.key)
    revealed = is_revealed(row, at)
    return PhaseView(
        key=row.key,
        title=phase.title,
        tracks=phase.tracks,
        opens=row.opens,
        closes=row.closes,
        freezes=row.freezes,
        is_open=is_open(row, at),
        is_frozen=is_frozen(row, at),
        is_revealed=revealed,
        open_book=phase.open_book,
        has_audio=phase.audio is not None,
        shows=_name(row.shows_revealed if revealed else row.shows),
        shows_revealed=_name(row.shows_revealed),
        limits=phase.limits,
    )


def _name(seen: int) -> str:
    return Sight(seen).name.lower()


def _contest(row: Contest, at: datetime) -> ContestView:
    rules = MetricSet.from_dict(row.metric_set.rules)
    return ContestView(row.id, row.phase.key, row.track, row.version, rules.version, rules.rank_by, is_open(row.phase, at))


def _submission(row: Submission, chosen: MetricSet, viewer: Viewer, seen: Sight, results: Results | None) -> SubmissionView:
    own = _is_own(viewer, row)
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
        sight=_name(seen),
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


def _slices(results: Results) -> dict[str, dict[str, dict[str, ScoreView]]]:
    return {field: {value: _scores(scores) for value, scores in held.items()} for field, held in results.slices.items()}


def _recordings(results: Results) -> tuple[RecordingView, ...]:
    return tuple(RecordingView(one.id, dict(one.metrics)) for one in results.recordings)


def _lines(session: Session, viewer: Viewer, team_ids: Collection[str], at: datetime) -> list[SubmissionLine]:
    made = select(Submission).where(Submission.team_id.in_(team_ids)).order_by(Submission.number.desc())
    keys = (ScoreRow.submission_id, ScoreRow.metric_set_id, ScoreRow.references)
    scores = select(*keys, ScoreRow.value).join(Submission, Submission.id == ScoreRow.submission_id)
    values = {tuple(row[:3]): row[3] for row in session.execute(scores.where(Submission.team_id.in_(team_ids)))}
    return [_line(viewer, one, values, at) for one in session.scalars(made)]


def _line(viewer: Viewer, row: Submission, values: Mapping[tuple[str, ...], float | None], at: datetime) -> SubmissionLine:
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
        value=values.get((row.id, contest.metric_set_id, contest.references)) if seen else None,
        rank_by=MetricSet.from_dict(contest.metric_set.rules).rank_by,
        is_chosen=row.is_chosen,
        is_withdrawn=row.is_withdrawn,
    )


def _quota(database: Database, team_id: str, contest: ContestView) -> QuotaView:
    quota = submissions.quota(database, team_id, contest.id)
    used = (quota.limits, quota.used_today, quota.used, quota.running)
    return QuotaView(contest.phase, contest.track, *used, contest.is_open, quota.left)

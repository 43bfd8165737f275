"""What a viewer gets to see, already reduced by ``visibility``: pages and API show these values and never look at a table.

Here are challenges; ``views_submission``, ``views_team``, ``views_board`` and others go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.leaderboard import challenges
from parakh.leaderboard.challenge import Challenge, Limits, MetricSet, Sight
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Acceptance, ChallengeRow, Contest, Membership, PhaseRow, Team
from parakh.leaderboard.visibility import Viewer, is_frozen, is_revealed


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

    def phase_title(self, key: str) -> str:
        """The title of a phase; its key where a reload dropped it, whose submissions stay."""
        return next((one.title for one in self.phases if one.key == key), key)

    def track_title(self, key: str) -> str:
        """The title of a track; its key where a reload dropped it."""
        return next((one.title for one in self.tracks if one.key == key), key)

    def contest(self, phase: str, track: str) -> ContestView | None:
        """The contest of a phase and a track; None where there is none."""
        return next((one for one in self.contests if (one.phase, one.track) == (phase, track)), None)


def challenge_views(database: Database, viewer: Viewer, at: datetime) -> list[ChallengeView]:
    """Every challenge that a viewer may know of, the newest first."""
    with database.read() as session:
        rows = session.scalars(select(ChallengeRow).order_by(ChallengeRow.id.desc()))
        return [_challenge(session, viewer, row, at) for row in rows if may_enter(session, viewer, row.id, row.is_public)]


def challenge_view(database: Database, viewer: Viewer, name: str, at: datetime) -> ChallengeView | None:
    """A challenge; None where there is none that the viewer may know of."""
    with database.read() as session:
        row = session.scalar(select(ChallengeRow).where(ChallengeRow.name == name))
        if row is None or not may_enter(session, viewer, row.id, row.is_public):
            return None
        return _challenge(session, viewer, row, at)


def touch(database: Database) -> None:
    """Ask the database for something, to see that it is there."""
    with database.read() as session:
        session.scalar(select(ChallengeRow.id).limit(1))


def is_open(phase: PhaseRow, at: datetime) -> bool:
    """Whether a phase takes submissions."""
    return (phase.opens is None or phase.opens <= at) and (phase.closes is None or at < phase.closes)


def may_enter(session: Session, viewer: Viewer, challenge_id: int, is_public: bool) -> bool:
    """Whether somebody may know of a challenge: everybody of a public one, else its organisers and teams."""
    return is_public or viewer.organises or _team(session, viewer, challenge_id) is not None


def _team(session: Session, viewer: Viewer, challenge_id: int) -> Team | None:
    """The team that somebody has in a challenge; None for none."""
    if viewer.user_id is None:
        return None
    joined = select(Team).join(Membership, Membership.team_id == Team.id)
    return session.scalar(joined.where(Membership.challenge_id == challenge_id, Membership.user_id == viewer.user_id))


def sight_name(seen: int) -> str:
    """A sight as pages and API call it."""
    return Sight(seen).name.lower()


def _contests(session: Session, challenge_id: int) -> list[Contest]:
    found = select(Contest).join(PhaseRow, PhaseRow.id == Contest.phase_id).where(PhaseRow.challenge_id == challenge_id)
    return list(session.scalars(found.order_by(Contest.phase_id, Contest.id)))


def _challenge(session: Session, viewer: Viewer, row: ChallengeRow, at: datetime) -> ChallengeView:
    rules = challenges.rules_of(row)
    team = _team(session, viewer, row.id)
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
        shows=sight_name(row.shows_revealed if revealed else row.shows),
        shows_revealed=sight_name(row.shows_revealed),
        limits=phase.limits,
    )


def _contest(row: Contest, at: datetime) -> ContestView:
    rules = MetricSet.from_dict(row.metric_set.rules)
    return ContestView(row.id, row.phase.key, row.track, row.version, rules.version, rules.rank_by, is_open(row.phase, at))

"""A team for those who are in it: members, what is left of each quota, what it handed in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Team
from parakh.leaderboard.quotas import quota
from parakh.leaderboard.views import ChallengeView, ContestView, challenge_view
from parakh.leaderboard.views_submission import SubmissionLine, lines
from parakh.leaderboard.visibility import Viewer


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
        handed_in = tuple(lines(session, viewer, [found.id], at))
    leads = any(one.leads and one.user_id == viewer.user_id for one in members)
    return TeamView(found.id, found.name, challenge, found.invite, leads, members, quota_views(database, shown), handed_in)


def _quota(database: Database, team_id: str, contest: ContestView) -> QuotaView:
    found = quota(database, team_id, contest.id)
    used = (found.limits, found.used_today, found.used, found.running)
    return QuotaView(contest.phase, contest.track, *used, contest.is_open, found.left)

"""Who may see what: every page, every answer of the API and every file goes through here.

| viewer | of a submission, before the reveal | after it |
|---|---|---|
| its team | what the phase shows | what the phase shows then |
| anybody else | the scores of every one that was scored and not withdrawn, where the phase shows scores at all | the same |
| organiser, admin | everything | everything |

While single recordings are not shown, neither are slices that come down to them (``small_slices``).
A board that is frozen holds, for everybody but organisers, what came in before the freeze.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.database.tables import PhaseRow, Role, State, Submission


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks.

    Args:
        user_id: None for somebody without an account.
        name: For messages and the audit log: the e-mail address; "" without an account.
        role: Over the whole service.
        teams: Ids of the teams they are in.
        scopes: What their token allows; None for a browser, which may do all that its user may.
    """

    user_id: int | None = None
    name: str = ""
    role: Role = Role.MEMBER
    teams: frozenset[str] = frozenset()
    scopes: frozenset[str] | None = None

    @property
    def organises(self) -> bool:
        """Whether they see and may change everything of a challenge."""
        allowed = self.scopes is None or "organise" in self.scopes
        return self.user_id is not None and allowed and self.role in {Role.ORGANISER, Role.ADMIN}


ANYBODY = Viewer()
"""Somebody without an account."""


def is_revealed(phase: PhaseRow, at: datetime) -> bool:
    """Whether the outcome of a phase was made public."""
    return phase.revealed_at is not None and phase.revealed_at <= at


def is_frozen(phase: PhaseRow, at: datetime) -> bool:
    """Whether the public board of a phase stands still."""
    return phase.freezes is not None and phase.freezes <= at and not is_revealed(phase, at)


def shown_now(phase: PhaseRow, at: datetime) -> Sight:
    """What a phase shows a team of its own submissions."""
    return Sight(phase.shows_revealed if is_revealed(phase, at) else phase.shows)


def sees_small_slices(viewer: Viewer, phase: PhaseRow, at: datetime) -> bool:
    """Whether somebody may see slices of so few recordings that they tell of single ones."""
    return viewer.organises or shown_now(phase, at) >= Sight.RECORDINGS


def sight(viewer: Viewer, phase: PhaseRow, team_id: str, at: datetime) -> Sight:
    """How much of the outcome of a team's submissions somebody may see."""
    if viewer.organises:
        return Sight.DIAGNOSIS
    own = shown_now(phase, at)
    return own if team_id in viewer.teams else min(own, Sight.SCORE)


def knows_of(viewer: Viewer, submission: Submission, at: datetime) -> bool:
    """Whether somebody may know that a submission was made: its team, organisers, and anybody once it may stand on a board."""
    if viewer.organises or submission.team_id in viewer.teams:
        return True
    phase = submission.contest.phase
    late = is_frozen(phase, at) and phase.freezes is not None and submission.made_at >= phase.freezes
    shown = phase.challenge.is_public and sight(viewer, phase, submission.team_id, at) >= Sight.SCORE
    return shown and not late and not submission.is_withdrawn and submission.state == State.SCORED


def knows_of_waiting(viewer: Viewer, phase: PhaseRow, team_id: str, at: datetime) -> bool:
    """Whether somebody may know that a submission of a team waits: its team, organisers, all where scores show."""
    if viewer.organises or team_id in viewer.teams:
        return True
    return shown_now(phase, at) >= Sight.SCORE and not is_frozen(phase, at)


def sees_frozen(viewer: Viewer, phase: PhaseRow, at: datetime) -> bool:
    """Whether somebody is shown the board as it was at the freeze."""
    return is_frozen(phase, at) and not viewer.organises

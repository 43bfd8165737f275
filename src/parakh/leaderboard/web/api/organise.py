"""What organisers see and change, with a token that organises."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from parakh.leaderboard import audit, challenges, queue, rescoring, views_console, views_contests, views_rescoring
from parakh.leaderboard.challenge import Limits, MetricSet, Sight
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.web.caller import Caller, ThisCaller

router = APIRouter(prefix="/organise", tags=["organisers"])

_Name = Annotated[str, Field(max_length=200, pattern="^[^\\x00]*$")]
_Shown = Annotated[str, Field(pattern="^(nothing|score|recordings|diagnosis)$")]


class PhaseChange(BaseModel):
    """What changes of a phase; what is left out stays, null takes a date away."""

    model_config = ConfigDict(extra="forbid")
    opens: AwareDatetime | None = None
    closes: AwareDatetime | None = None
    freezes: AwareDatetime | None = None
    shows: _Shown | None = None
    shows_revealed: _Shown | None = None


class Quota(BaseModel):
    """Limits of one team in one contest; null leaves what the phase says."""

    model_config = ConfigDict(extra="forbid")
    phase: _Name
    track: _Name
    day: Annotated[int, Field(ge=0, le=10**6)] | None = None
    total: Annotated[int, Field(ge=0, le=10**6)] | None = None
    concurrent: Annotated[int, Field(ge=0, le=10**6)] | None = None


class Trial(BaseModel):
    """A re-scoring to begin: of one contest, under another metric set; of some submissions or all."""

    model_config = ConfigDict(extra="forbid")
    phase: _Name
    track: _Name
    metric_set: _Name
    """Digest of a metric set that the service knows."""
    submissions: Annotated[list[_Name], Field(max_length=10_000)] | None = None


@dataclass(frozen=True)
class AuditLine:
    """A line of the audit log."""

    number: int
    at: datetime
    actor: str
    action: str
    subject: str
    challenge: str | None
    detail: dict[str, Any]


@router.get("/challenges/{challenge}/phases")
def phases(caller: ThisCaller, challenge: str) -> list[views_console.PhaseDates]:
    """The phases of a challenge with their dates and what they show."""
    caller.organiser()
    return views_console.phases(caller.service.database, caller.viewer, challenge, caller.at)


@router.patch("/challenges/{challenge}/phases/{phase}")
def change_phase(caller: ThisCaller, challenge: str, phase: str, change: PhaseChange) -> list[views_console.PhaseDates]:
    """Change dates of a phase, or what it shows; the answer is all phases."""
    caller.organiser()
    given = change.model_fields_set
    challenges.set_phase(
        caller.service.database,
        caller.viewer,
        challenge,
        phase,
        opens=change.opens if "opens" in given else challenges.KEEP,
        closes=change.closes if "closes" in given else challenges.KEEP,
        freezes=change.freezes if "freezes" in given else challenges.KEEP,
        shows=Sight[change.shows.upper()] if change.shows else challenges.KEEP,
        shows_revealed=Sight[change.shows_revealed.upper()] if change.shows_revealed else challenges.KEEP,
    )
    return phases(caller, challenge)


@router.post("/challenges/{challenge}/phases/{phase}/reveal")
def reveal(caller: ThisCaller, challenge: str, phase: str) -> list[views_console.PhaseDates]:
    """Make the outcome of a phase public; the answer is all phases."""
    caller.organiser()
    challenges.reveal(caller.service.database, caller.viewer, challenge, phase)
    return phases(caller, challenge)


@router.post("/challenges/{challenge}/phases/{phase}/hide")
def hide(caller: ThisCaller, challenge: str, phase: str) -> list[views_console.PhaseDates]:
    """Take a reveal back; the answer is all phases."""
    caller.organiser()
    challenges.hide(caller.service.database, caller.viewer, challenge, phase)
    return phases(caller, challenge)


@router.get("/challenges/{challenge}/contests")
def contests(caller: ThisCaller, challenge: str) -> list[views_contests.ContestLine]:
    """The contests of a challenge with the metric sets that were ever in force or tried."""
    caller.organiser()
    return views_contests.contests(caller.service.database, caller.viewer, challenge)


@router.get("/challenges/{challenge}/teams")
def teams(caller: ThisCaller, challenge: str) -> list[views_console.TeamLine]:
    """The teams of a challenge with their members and their own limits."""
    caller.organiser()
    return views_console.teams(caller.service.database, caller.viewer, challenge)


@router.put("/challenges/{challenge}/teams/{team_id}/quota")
def set_quota(caller: ThisCaller, challenge: str, team_id: str, quota: Quota) -> list[views_console.TeamLine]:
    """Give a team other limits in one contest; the answer is all teams."""
    caller.organiser()
    limits = Limits(quota.day, quota.total, quota.concurrent)
    contest_id = _contest(caller, challenge, quota.phase, quota.track).id
    challenges.set_override(caller.service.database, caller.viewer, team_id, contest_id, limits)
    return teams(caller, challenge)


@router.get("/submissions")
def submissions(
    caller: ThisCaller,
    challenge: str | None = None,
    state: Annotated[str | None, Query(pattern="^(queued|scoring|scored|refused|failed)$")] = None,
    before: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[views_console.SubmissionRow]:
    """Submissions, the newest first; `before` is the number of the last one of the page before."""
    caller.organiser()
    return views_console.submissions(
        caller.service.database, caller.viewer, challenge=challenge, state=state, before=before, limit=limit
    )


@router.get("/jobs")
def jobs(caller: ThisCaller) -> list[queue.RunningJob]:
    """What waits and what is being scored, by which worker."""
    caller.organiser()
    return queue.jobs(caller.service.queue)


@router.post("/submissions/{submission_id}/retry", status_code=HTTPStatus.NO_CONTENT)
def retry(caller: ThisCaller, submission_id: str) -> None:
    """Have a submission whose scoring failed scored once more."""
    caller.organiser()
    queue.retry(caller.service.database, caller.viewer, submission_id)


@router.get("/challenges/{challenge}/rescorings")
def rescorings(caller: ThisCaller, challenge: str) -> list[views_rescoring.RescoringView]:
    """The re-scorings of a challenge, the newest first, each with what it would change."""
    caller.organiser()
    return views_rescoring.rescorings(caller.service.database, caller.viewer, challenge)


@router.post("/challenges/{challenge}/rescorings", status_code=HTTPStatus.CREATED)
def start_rescoring(caller: ThisCaller, challenge: str, trial: Trial) -> views_rescoring.RescoringView:
    """Score again under another metric set, as a trial that changes no board until it is applied."""
    caller.organiser()
    service = caller.service
    contest = _contest(caller, challenge, trial.phase, trial.track)
    metric_set: MetricSet = views_contests.metric_set(service.database, caller.viewer, trial.metric_set)
    made = rescoring.start(service.database, service.queue, caller.viewer, contest.id, metric_set, None, trial.submissions)
    return views_rescoring.rescoring_view(service.database, caller.viewer, challenge, made.id)


@router.get("/challenges/{challenge}/rescorings/{rescoring_id}")
def one_rescoring(caller: ThisCaller, challenge: str, rescoring_id: str) -> views_rescoring.RescoringView:
    """One re-scoring: how far it is, and what it would change."""
    caller.organiser()
    return views_rescoring.rescoring_view(caller.service.database, caller.viewer, challenge, rescoring_id)


@router.post("/challenges/{challenge}/rescorings/{rescoring_id}/apply")
def apply_rescoring(caller: ThisCaller, challenge: str, rescoring_id: str) -> views_rescoring.RescoringView:
    """Put the rules of a re-scoring in force."""
    one_rescoring(caller, challenge, rescoring_id)
    rescoring.apply(caller.service.database, caller.viewer, rescoring_id)
    return one_rescoring(caller, challenge, rescoring_id)


@router.post("/challenges/{challenge}/rescorings/{rescoring_id}/drop")
def drop_rescoring(caller: ThisCaller, challenge: str, rescoring_id: str) -> views_rescoring.RescoringView:
    """Forget a re-scoring; its scores are kept."""
    one_rescoring(caller, challenge, rescoring_id)
    rescoring.drop(caller.service.database, caller.viewer, rescoring_id)
    return one_rescoring(caller, challenge, rescoring_id)


@router.get("/audit")
def audit_log(
    caller: ThisCaller,
    challenge: str | None = None,
    action: str | None = None,
    actor: str | None = None,
    before: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[AuditLine]:
    """The audit log, the newest line first; `before` is the number of the last line of the page before."""
    caller.organiser()
    which = audit.Filter(challenge=challenge, action=action, actor=actor)
    lines = audit.read(caller.service.database, which, before=before, limit=limit)
    return [AuditLine(one.number, one.at, one.actor, one.action, one.subject, one.challenge, one.detail) for one in lines]


def _contest(caller: Caller, challenge: str, phase: str, track: str) -> views_contests.ContestLine:
    found = views_contests.contests(caller.service.database, caller.viewer, challenge)
    contest = next((one for one in found if (one.phase, one.track) == (phase, track)), None)
    if contest is None:
        raise NotThere("contest", f"{phase}/{track}")
    return contest

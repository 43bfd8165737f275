"""The form that a submission comes by."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from parakh.errors import Fault, InputError
from parakh.leaderboard import views, views_team
from parakh.leaderboard.refusals import RefusalError
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.uploads import count_upload, receive
from parakh.leaderboard.web.visit import ThisVisit, Visit

router = APIRouter()


@router.get("/c/{challenge}/submit")
def submit_form(visit: ThisVisit, challenge: str) -> Response:
    """The form for a submission, with what is left of each quota."""
    shown = lookup.challenge(visit, challenge)
    visit.member()
    if shown.team_id is None:
        return visit.redirect(f"/c/{challenge}/team")
    if not shown.accepted:
        return visit.redirect(f"/c/{challenge}/terms")
    return visit.page("submit.html", _values(visit, shown))


@router.post("/c/{challenge}/submit")
async def submit(visit: ThisVisit, challenge: str) -> Response:
    """Take a submission."""
    visit.member()
    shown = await run_in_threadpool(lookup.challenge, visit, challenge)
    try:
        await run_in_threadpool(count_upload, visit.service, visit.viewer)
        contest = _chosen(visit, shown)
        made = await receive(visit.service, visit.viewer, contest.id, shown.team_id, visit.form)
    except (InputError, RefusalError) as error:
        return await run_in_threadpool(_again, visit, shown, error)
    return visit.redirect(f"/s/{made.id}", "uploaded")


def _again(visit: Visit, shown: views.ChallengeView, error: InputError | RefusalError) -> Response:
    return visit.again("submit.html", _values(visit, shown), error)


def _chosen(visit: Visit, shown: views.ChallengeView) -> views.ContestView:
    """The contest that the form names as ``phase/track``."""
    named = visit.form.text("contest")
    phase, _, track = named.partition("/")
    found = shown.contest(phase, track)
    if found is None:
        raise InputError(Fault("contest", "", f"'{named}'", "a phase and a track of the list", "Choose one."))
    return found


def _values(visit: Visit, shown: views.ChallengeView) -> dict[str, object]:
    asked = visit.request.query_params
    chosen = f"{asked.get('phase', '')}/{asked.get('track', '')}"
    quotas = views_team.quota_views(visit.service.database, shown)
    return {"challenge": shown, "quotas": quotas, "chosen": chosen, "most": visit.service.settings.upload_bytes}

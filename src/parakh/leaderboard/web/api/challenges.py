"""Challenges, what is needed to take part in them, and how the caller's team stands."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from parakh.leaderboard import views
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.web.caller import Caller, ThisCaller

router = APIRouter(tags=["challenges"])


@router.get("/challenges")
def challenges(caller: ThisCaller) -> list[views.ChallengeView]:
    """Every challenge, the newest first."""
    return views.challenge_views(caller.service.database, caller.viewer, caller.at)


@router.get("/challenges/{challenge}")
def challenge(caller: ThisCaller, challenge: str) -> views.ChallengeView:
    """One challenge: its phases, tracks, dates, limits and terms."""
    return _found(caller, challenge)


@router.get("/challenges/{challenge}/team")
def team(caller: ThisCaller, challenge: str) -> views.TeamView:
    """Your team: members, invite code, what is left of each quota, submissions."""
    caller.member("read")
    found = views.team_view(caller.service.database, caller.viewer, challenge, caller.at)
    if found is None:
        raise NotThere("team", challenge)
    return found


@router.get(
    "/challenges/{challenge}/{phase}/{track}/kit",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}, "description": "A parakh.kit/1 document."}},
)
def kit(caller: ThisCaller, challenge: str, phase: str, track: str) -> Response:
    """What `parakh validate` needs to check a submission offline; it holds no reference."""
    found = views.kit(caller.service.database, caller.service.settings.data, caller.viewer, challenge, phase, track)
    if found is None:
        raise NotThere("kit", track)
    return Response(found.to_json(), media_type="application/json")


def _found(caller: Caller, challenge: str) -> views.ChallengeView:
    found = views.challenge_view(caller.service.database, caller.viewer, challenge, caller.at)
    if found is None:
        raise NotThere("challenge", challenge)
    return found

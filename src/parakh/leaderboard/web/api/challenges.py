"""Challenges, what is needed to take part in them, and how the caller's team stands."""

from __future__ import annotations

import io
import zipfile

from fastapi import APIRouter
from starlette.responses import Response

from parakh.leaderboard import views, views_files, views_team
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.caller import AnyCaller, ThisCaller

router = APIRouter(tags=["challenges"])


@router.get("/challenges")
def challenges(caller: ThisCaller) -> list[views.ChallengeView]:
    """Every challenge, the newest first."""
    return views.challenge_views(caller.service.database, caller.viewer, caller.at)


@router.get("/challenges/{challenge}")
def challenge(caller: ThisCaller, challenge: str) -> views.ChallengeView:
    """One challenge: its phases, tracks, dates, limits and terms."""
    return lookup.challenge(caller, challenge)


@router.get("/challenges/{challenge}/team")
def team(caller: ThisCaller, challenge: str) -> views_team.TeamView:
    """Your team: members, invite code, what is left of each quota, submissions."""
    caller.member("read")
    found = views_team.team_view(caller.service.database, caller.viewer, challenge, caller.at)
    if found is None:
        raise NotThere("team", challenge)
    return found


@router.get(
    "/challenges/{challenge}/{phase}/{track}/kit",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}, "description": "A parakh.kit/1 document."}},
)
def kit(caller: AnyCaller, challenge: str, phase: str, track: str) -> Response:
    """What `parakh validate` needs to check a submission offline; it holds no reference, and any token will do."""
    found = views_files.kit(caller.service.database, caller.service.settings.data, caller.viewer, challenge, phase, track)
    if found is None:
        raise NotThere("kit", track)
    return Response(found.to_json(), media_type="application/json")


@router.get(
    "/challenges/{challenge}/{phase}/{track}/references",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "A zip."}},
)
def references(caller: ThisCaller, challenge: str, phase: str, track: str) -> Response:
    """The references of a phase whose book is open, as a zip; of any other there are none to be had."""
    service = caller.service
    found = views_files.open_references(service.database, service.settings.data, caller.viewer, challenge, phase, track)
    if found is None:
        raise NotThere("references", track)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in found:
            archive.write(path, path.name)
    headers = lookup.saved_as(f"{challenge}-{phase}-{track}.zip")
    return Response(made.getvalue(), media_type="application/zip", headers=headers)

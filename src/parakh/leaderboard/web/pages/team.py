"""Terms and teams: what somebody accepts, whom they take part with, and what the team has handed in."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter
from starlette.responses import Response

from parakh.errors import InputError
from parakh.leaderboard import teams, views_team
from parakh.leaderboard.refusals import NotThere, RefusalError
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.security import inner_path
from parakh.leaderboard.web.visit import ThisVisit, Visit

router = APIRouter()


@router.get("/c/{challenge}/terms")
def terms(visit: ThisVisit, challenge: str) -> Response:
    """The terms of a challenge, to be accepted."""
    shown = lookup.challenge(visit, challenge)
    if shown.terms is None:
        raise NotThere("page", "terms")
    return visit.page("terms.html", {"challenge": shown, "next": inner_path(visit.request.query_params.get("next", ""))})


@router.post("/c/{challenge}/terms")
def accept_terms(visit: ThisVisit, challenge: str) -> Response:
    """Accept the terms in the version that was shown."""
    visit.member()
    wanted = inner_path(visit.form.secret("next"))
    try:
        teams.accept_terms(visit.service.database, visit.viewer, challenge, visit.form.text("version"))
    except (InputError, RefusalError) as error:
        return visit.again("terms.html", {"challenge": lookup.challenge(visit, challenge), "next": wanted}, error)
    return visit.redirect(wanted if wanted != "/" else f"/c/{challenge}/team", "accepted")


@router.get("/c/{challenge}/team")
def team(visit: ThisVisit, challenge: str) -> Response:
    """The team's own page; for somebody without one, the forms to make or join one."""
    shown = lookup.challenge(visit, challenge)
    visit.member()
    found = views_team.team_view(visit.service.database, visit.viewer, challenge, visit.at)
    if found is None and not shown.accepted:
        return visit.redirect(f"/c/{challenge}/terms")
    return visit.page(
        "team.html", {"challenge": shown, "team": found, "invite": visit.request.query_params.get("invite", "")[:80]}
    )


@router.post("/c/{challenge}/team")
def make_team(visit: ThisVisit, challenge: str) -> Response:
    """Make a team."""
    visit.member()
    database = visit.service.database
    return _done(
        visit, challenge, "team-made", lambda: teams.make_team(database, visit.viewer, challenge, visit.form.text("name"))
    )


@router.post("/c/{challenge}/team/join")
def join(visit: ThisVisit, challenge: str) -> Response:
    """Join a team by its invite code."""
    visit.member()
    visit.allow("invite", 30, 600.0, visit.viewer.name)
    return _done(visit, challenge, "joined", lambda: teams.join(visit.service.database, visit.viewer, visit.form.text("invite")))


@router.post("/c/{challenge}/team/leave")
def leave(visit: ThisVisit, challenge: str) -> Response:
    """Leave the team."""
    team_id = _own(visit, challenge)
    return _done(visit, challenge, "left", lambda: teams.leave(visit.service.database, visit.viewer, team_id))


@router.post("/c/{challenge}/team/invite")
def new_invite(visit: ThisVisit, challenge: str) -> Response:
    """Make a new invite code."""
    team_id = _own(visit, challenge)
    return _done(visit, challenge, "invite", lambda: teams.new_invite(visit.service.database, visit.viewer, team_id))


@router.post("/c/{challenge}/team/rename")
def rename(visit: ThisVisit, challenge: str) -> Response:
    """Give the team another name."""
    team_id = _own(visit, challenge)
    database = visit.service.database
    return _done(visit, challenge, "renamed", lambda: teams.rename(database, visit.viewer, team_id, visit.form.text("name")))


@router.post("/c/{challenge}/team/remove")
def remove_member(visit: ThisVisit, challenge: str) -> Response:
    """Take somebody out of the team."""
    team_id = _own(visit, challenge)
    member = visit.form.number("member", 2**31 - 1)
    database = visit.service.database
    return _done(visit, challenge, "removed", lambda: teams.remove_member(database, visit.viewer, team_id, member or 0))


def _done(visit: Visit, challenge: str, notice: str, change: Callable[[], object]) -> Response:
    """Make a change and show the team's page with it, or the page again with what is wrong."""
    try:
        change()
    except (InputError, RefusalError) as error:
        found = views_team.team_view(visit.service.database, visit.viewer, challenge, visit.at)
        return visit.again("team.html", {"challenge": lookup.challenge(visit, challenge), "team": found, "invite": ""}, error)
    return visit.redirect(f"/c/{challenge}/team", notice)


def _own(visit: Visit, challenge: str) -> str:
    visit.member()
    found = lookup.challenge(visit, challenge).team_id
    if found is None:
        raise NotThere("team", challenge)
    return found

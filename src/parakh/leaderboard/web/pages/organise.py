"""The organisers' console: an overview, and of each challenge its phases, teams and submissions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from starlette.responses import Response

from parakh.errors import Fault, InputError
from parakh.leaderboard import audit, challenges, views_console, views_contests
from parakh.leaderboard.challenge import Limits, Sight
from parakh.leaderboard.database.tables import State
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.views import ChallengeView
from parakh.leaderboard.views_console import PhaseDates, TeamLine
from parakh.leaderboard.views_contests import ContestLine
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.visit import ThisVisit, Visit
from parakh.leaderboard.web.wording import SHOWS, STATES, limits_said, standing

router = APIRouter()
_PAGE = 100
"""Lines of a list."""
_MOMENTS = ("opens", "closes", "freezes")


@router.get("/organise")
def home(visit: ThisVisit) -> Response:
    """The service at a glance."""
    visit.organiser()
    database = visit.service.database
    values = {"home": views_console.overview(database, visit.viewer, visit.at), "events": audit.read(database, limit=10)}
    return visit.page("organise/home.html", values)


@router.get("/organise/c/{challenge}")
def phases(visit: ThisVisit, challenge: str) -> Response:
    """The phases of a challenge: dates, what they show, the reveal."""
    return visit.page("organise/phases.html", _phases_page(visit, challenge))


@router.post("/organise/c/{challenge}/phases/{phase}")
def change_phase(visit: ThisVisit, challenge: str, phase: str) -> Response:
    """Change dates of a phase, or what it shows."""
    found, held = challenge_of(visit, challenge), _phase(visit, challenge, phase)
    try:
        moments = {name: _moment(visit, name, found.time_zone, getattr(held, name)) for name in _MOMENTS}
        challenges.set_phase(
            visit.service.database,
            visit.viewer,
            challenge,
            phase,
            opens=moments["opens"],
            closes=moments["closes"],
            freezes=moments["freezes"],
            shows=_sight(visit, "shows"),
            shows_revealed=_sight(visit, "shows_revealed"),
        )
    except InputError as error:
        return visit.again("organise/phases.html", _phases_page(visit, challenge), error)
    return visit.redirect(f"/organise/c/{challenge}", "phase-changed")


@router.get("/organise/c/{challenge}/phases/{phase}/reveal")
def ask_reveal(visit: ThisVisit, challenge: str, phase: str) -> Response:
    """Ask whether the outcome of a phase is to be made public, and say what that means."""
    found = challenge_of(visit, challenge)
    held = _phase(visit, challenge, phase)
    shown = _shown_phase(held, found.time_zone, visit.at)
    values = {"challenge": found, "phase": shown, "then": SHOWS[held.shows_revealed], "running": held.running}
    return visit.page("organise/reveal.html", values)


@router.post("/organise/c/{challenge}/phases/{phase}/reveal")
def reveal(visit: ThisVisit, challenge: str, phase: str) -> Response:
    """Make the outcome of a phase public."""
    visit.organiser()
    challenges.reveal(visit.service.database, visit.viewer, challenge, phase)
    return visit.redirect(f"/organise/c/{challenge}", "revealed")


@router.post("/organise/c/{challenge}/phases/{phase}/hide")
def hide(visit: ThisVisit, challenge: str, phase: str) -> Response:
    """Take a reveal back."""
    visit.organiser()
    challenges.hide(visit.service.database, visit.viewer, challenge, phase)
    return visit.redirect(f"/organise/c/{challenge}", "hidden")


@router.post("/organise/c/{challenge}/shown")
def show(visit: ThisVisit, challenge: str) -> Response:
    """Show a challenge to everybody, or to organisers alone."""
    visit.organiser()
    challenges.set_public(visit.service.database, visit.viewer, challenge, visit.form.text("to") == "everybody")
    return visit.redirect(f"/organise/c/{challenge}", "shown")


@router.get("/organise/c/{challenge}/teams")
def teams(visit: ThisVisit, challenge: str) -> Response:
    """The teams of a challenge and their quotas."""
    return visit.page("organise/teams.html", _teams_page(visit, challenge))


@router.post("/organise/c/{challenge}/teams/{team_id}/quota")
def override(visit: ThisVisit, challenge: str, team_id: str) -> Response:
    """Give a team other limits in one contest."""
    visit.organiser()
    form = visit.form
    try:
        contest = form.number("contest")
        limits = Limits(form.number("day"), form.number("total"), form.number("concurrent"))
        challenges.set_override(visit.service.database, visit.viewer, team_id, contest or 0, limits)
    except InputError as error:
        return visit.again("organise/teams.html", _teams_page(visit, challenge), error)
    return visit.redirect(f"/organise/c/{challenge}/teams", "quota")


@router.get("/organise/c/{challenge}/submissions")
def submissions(
    visit: ThisVisit, challenge: str, state: str = "", contest: str = "", team: str = "", before: int | None = None
) -> Response:
    """The submissions to a challenge, the newest first."""
    found = challenge_of(visit, challenge)
    lines = views_console.submissions(
        visit.service.database,
        visit.viewer,
        challenge=challenge,
        state=state or None,
        contest_id=int(contest) if contest.isascii() and contest.isdecimal() else None,
        team_id=team or None,
        before=before,
        limit=_PAGE + 1,
    )
    chosen = {"state": state, "contest": contest, "team": team}
    values = {
        "challenge": found,
        "chosen": chosen,
        "states": [(one.value, STATES[one.value]) for one in State],
        "contests": contests_of(visit, challenge),
        "lines": lines[:_PAGE],
        "older": older(visit, chosen, lines[_PAGE - 1].number) if len(lines) > _PAGE else "",
    }
    return visit.page("organise/submissions.html", values)


def challenge_of(visit: Visit, name: str) -> ChallengeView:
    """The challenge that a page of the console is about; for anybody but organisers there is none."""
    visit.organiser()
    return lookup.challenge(visit, name)


def contests_of(visit: Visit, challenge: str) -> list[ContestLine]:
    """Every track of every phase of a challenge."""
    return views_contests.contests(visit.service.database, visit.viewer, challenge)


def older(visit: Visit, chosen: Mapping[str, str], number: int) -> str:
    """The address of a list's next page, which begins before a number."""
    query = {name: value for name, value in chosen.items() if value} | {"before": str(number)}
    return f"{visit.request.url.path}?{urlencode(query)}"


def _phases_page(visit: Visit, challenge: str) -> dict[str, Any]:
    found = challenge_of(visit, challenge)
    held = views_console.phases(visit.service.database, visit.viewer, challenge, visit.at)
    return {
        "challenge": found,
        "phases": [_shown_phase(one, found.time_zone, visit.at) for one in held],
        "sights": list(SHOWS.items()),
        "is_public": views_console.is_public(visit.service.database, visit.viewer, challenge),
    }


def _shown_phase(one: PhaseDates, zone: str, at: datetime) -> dict[str, Any]:
    state, left = standing(one.opens, one.closes, at)
    local = {name: _local(getattr(one, name), zone) for name in _MOMENTS}
    return {
        "key": one.key,
        "title": one.title,
        "state": state,
        "left": left,
        "is_frozen": one.is_frozen,
        "revealed_at": one.revealed_at,
        "local": local | {"shows": one.shows, "shows_revealed": one.shows_revealed},
    }


def _phase(visit: Visit, challenge: str, key: str) -> PhaseDates:
    held = views_console.phases(visit.service.database, visit.viewer, challenge, visit.at)
    found = next((one for one in held if one.key == key), None)
    if found is None:
        raise NotThere("phase", key)
    return found


def _local(at: datetime | None, zone: str) -> str:
    """A moment as a field for dates and times holds it: in the challenge's zone, without naming it."""
    return "" if at is None else at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M:%S" if at.second else "%Y-%m-%dT%H:%M")


def _moment(visit: Visit, name: str, zone: str, present: datetime | None) -> datetime | None:
    """What a field says; a moment that was not changed keeps what the field cannot hold."""
    text = visit.form.text(name)
    if not text or text == _local(present, zone):
        return present if text else None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
    except ValueError as error:
        raise InputError(Fault(name, "", f"'{text[:40]}'", "a day and a time, as 2026-11-30T23:59")) from error


def _sight(visit: Visit, name: str) -> Sight:
    given = visit.form.text(name)
    if given not in SHOWS:
        raise InputError(Fault(name, "", f"'{given[:40]}'", f"one of {', '.join(SHOWS)}"))
    return Sight[given.upper()]


def _teams_page(visit: Visit, challenge: str) -> dict[str, Any]:
    found = challenge_of(visit, challenge)
    contests = contests_of(visit, challenge)
    by_id = {one.id: one for one in contests}
    shown = [_team(one, by_id) for one in views_console.teams(visit.service.database, visit.viewer, challenge)]
    choices = [{"id": one.id, "title": one.title, "limits": limits_said(one.limits)} for one in contests]
    return {"challenge": found, "teams": shown, "contests": choices}


def _team(one: TeamLine, contests: Mapping[int, ContestLine]) -> dict[str, Any]:
    overrides = [
        {"title": contest.title, "limits": limits_said(held.limits), "usual": limits_said(contest.limits)}
        for held in one.overrides
        if (contest := contests.get(held.contest_id)) is not None
    ]
    return {"id": one.id, "name": one.name, "members": one.members, "submissions": one.submissions, "overrides": overrides}

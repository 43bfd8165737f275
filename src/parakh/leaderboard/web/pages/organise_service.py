"""The organisers' console: users and roles, the audit log, webhooks, downloads."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from starlette.responses import Response, StreamingResponse

from parakh.errors import Fault, InputError
from parakh.leaderboard import account_admin, audit, challenge_archive, webhook_admin
from parakh.leaderboard.database.tables import Role, User
from parakh.leaderboard.refusals import Conflict, NotThere
from parakh.leaderboard.web.lookup import saved_as
from parakh.leaderboard.web.pages.front import board_address
from parakh.leaderboard.web.pages.organise import challenge_of, contests_of, older
from parakh.leaderboard.web.visit import ThisVisit, Visit

router = APIRouter()
_PAGE = 100
"""Lines of a list."""
_FORMS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}
_FIELDS = ("actor", "action", "subject", "since", "until")


@router.get("/organise/users")
def users(visit: ThisVisit, q: str = "") -> Response:
    """Accounts and their roles."""
    return visit.page("organise/users.html", _users_page(visit, q))


@router.post("/organise/users/role")
def set_role(visit: ThisVisit) -> Response:
    """Give somebody another role."""
    visit.organiser()
    role = visit.form.text("role")
    try:
        if role not in set(Role):
            raise InputError(Fault("role", "", f"'{role[:40]}'", f"one of {', '.join(Role)}"))
        account_admin.set_role(visit.service.database, visit.viewer, visit.form.text("email"), Role(role))
    except (InputError, Conflict) as error:
        return visit.again("organise/users.html", _users_page(visit, ""), error)
    return visit.redirect("/organise/users", "role")


@router.post("/organise/users/account")
def change_account(visit: ThisVisit) -> Response:
    """Shut an account, open it again, or unlock it."""
    visit.organiser()
    database, viewer, email, what = visit.service.database, visit.viewer, visit.form.text("email"), visit.form.text("do")
    try:
        if what == "unlock":
            account_admin.unlock(database, viewer, email)
        elif what in {"disable", "enable"}:
            account_admin.set_disabled(database, viewer, email, what == "disable")
        else:
            raise InputError(Fault("do", "", f"'{what[:40]}'", "disable, enable or unlock"))
    except (InputError, Conflict) as error:
        return visit.again("organise/users.html", _users_page(visit, ""), error)
    return visit.redirect("/organise/users", "account")


@router.get("/organise/audit")
def service_audit(visit: ThisVisit) -> Response:
    """The audit log of the whole service."""
    visit.organiser()
    return visit.page("organise/audit.html", _audit_page(visit, None, "UTC"))


@router.get("/organise/audit/export")
def export_service_audit(visit: ThisVisit) -> Response:
    """The same as a file."""
    visit.organiser()
    return _audit_file(visit, None, "UTC")


@router.get("/organise/c/{challenge}/audit")
def challenge_audit(visit: ThisVisit, challenge: str) -> Response:
    """The audit log of one challenge."""
    found = challenge_of(visit, challenge)
    return visit.page("organise/audit.html", {"challenge": found, **_audit_page(visit, challenge, found.time_zone)})


@router.get("/organise/c/{challenge}/audit/export")
def export_challenge_audit(visit: ThisVisit, challenge: str) -> Response:
    """The same as a file."""
    return _audit_file(visit, challenge, challenge_of(visit, challenge).time_zone)


@router.get("/organise/c/{challenge}/webhooks")
def webhooks(visit: ThisVisit, challenge: str) -> Response:
    """The addresses that are told of new bests."""
    return visit.page("organise/webhooks.html", _webhooks_page(visit, challenge))


@router.post("/organise/c/{challenge}/webhooks")
def add_webhook(visit: ThisVisit, challenge: str) -> Response:
    """Have one more address told."""
    page = _webhooks_page(visit, challenge)
    try:
        is_private = visit.service.settings.private_webhooks
        address = visit.form.text("address", 500)
        webhook_admin.add(visit.service.database, visit.viewer, challenge, address, allow_private=is_private)
    except (InputError, Conflict) as error:
        return visit.again("organise/webhooks.html", page, error)
    return visit.redirect(f"/organise/c/{challenge}/webhooks", "webhook-added")


@router.post("/organise/c/{challenge}/webhooks/{webhook_id}/remove")
def remove_webhook(visit: ThisVisit, challenge: str, webhook_id: str) -> Response:
    """Tell an address nothing more."""
    visit.organiser()
    webhook_admin.remove(visit.service.database, visit.viewer, challenge, webhook_id)
    return visit.redirect(f"/organise/c/{challenge}/webhooks", "webhook-removed")


@router.get("/organise/c/{challenge}/downloads")
def downloads(visit: ThisVisit, challenge: str) -> Response:
    """What can be taken away of a challenge."""
    found = challenge_of(visit, challenge)
    boards = [
        {"title": one.title, "base": board_address(challenge, one.phase, one.track)} for one in contests_of(visit, challenge)
    ]
    return visit.page("organise/downloads.html", {"challenge": found, "contests": boards})


@router.get("/organise/c/{challenge}/submissions.csv")
def submissions_file(visit: ThisVisit, challenge: str) -> Response:
    """Every submission as CSV."""
    challenge_of(visit, challenge)
    text = challenge_archive.submissions_csv(visit.service.database, visit.viewer, challenge)
    return Response(text, media_type=_FORMS["csv"], headers=saved_as(f"{challenge}-submissions.csv"))


@router.get("/organise/c/{challenge}/everything.zip")
def everything(visit: ThisVisit, challenge: str) -> Response:
    """All of a challenge as a zip."""
    challenge_of(visit, challenge)
    pieces = challenge_archive.everything(visit.service.database, visit.service.store, visit.viewer, challenge)
    return StreamingResponse(pieces, media_type="application/zip", headers=saved_as(f"{challenge}.zip"))


def _users_page(visit: Visit, q: str) -> dict[str, Any]:
    visit.organiser()
    every = account_admin.users(visit.service.database, visit.viewer)
    wanted = q.strip().casefold()
    found = [one for one in every if wanted in one.email.casefold() or wanted in one.name.casefold()]
    return {
        "q": q,
        "users": [_user(one, visit.at) for one in found[: 5 * _PAGE]],
        "shown": min(len(found), 5 * _PAGE),
        "of": len(every),
        "roles": [role.value for role in Role],
        "is_admin": visit.viewer.role == Role.ADMIN,
    }


def _user(one: User, at: datetime) -> dict[str, Any]:
    locked = one.locked_until is not None and one.locked_until > at
    told = {name: getattr(one, name) for name in ("email", "name", "role", "is_disabled", "made_at")}
    return told | {"is_locked": locked}


def _asked(visit: Visit) -> dict[str, str]:
    """What the log is to be narrowed to, as it was typed."""
    return {name: visit.request.query_params.get(name, "").strip()[:200] for name in _FIELDS}


def _filter(asked: Mapping[str, str], challenge: str | None, zone: str) -> audit.Filter:
    return audit.Filter(
        challenge=challenge,
        actor=asked["actor"] or None,
        action=asked["action"] or None,
        subject=asked["subject"] or None,
        since=_day(asked["since"], "since", zone),
        until=_day(asked["until"], "until", zone, after=1),
    )


def _day(text: str, name: str, zone: str, after: int = 0) -> datetime | None:
    """The beginning of a day, or of a day after it."""
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=ZoneInfo(zone)) + timedelta(days=after)
    except (ValueError, OverflowError) as error:
        raise InputError(Fault(name, "", f"'{text[:40]}'", "a day, as 2026-11-30")) from error


def _audit_page(visit: Visit, challenge: str | None, zone: str) -> dict[str, Any]:
    asked = _asked(visit)
    before = visit.request.query_params.get("before", "")
    number = int(before) if before.isascii() and before.isdecimal() and len(before) < 12 else None
    events = audit.read(visit.service.database, _filter(asked, challenge, zone), before=number, limit=_PAGE + 1)
    query = {name: value for name, value in asked.items() if value}
    return {
        "chosen": asked,
        "zone": zone,
        "events": events[:_PAGE],
        "older": older(visit, asked, events[_PAGE - 1].number) if len(events) > _PAGE else "",
        "export": f"{visit.request.url.path}/export?{urlencode(query)}",
    }


def _audit_file(visit: Visit, challenge: str | None, zone: str) -> Response:
    form = visit.request.query_params.get("form", "csv")
    if form not in _FORMS:
        raise NotThere("file", form)
    lines = audit.export(visit.service.database, form, _filter(_asked(visit), challenge, zone))
    return StreamingResponse(lines, media_type=_FORMS[form], headers=saved_as(f"{challenge or 'service'}-audit.{form}"))


def _webhooks_page(visit: Visit, challenge: str) -> dict[str, Any]:
    found = challenge_of(visit, challenge)
    hooks = webhook_admin.webhooks(visit.service.database, visit.viewer, challenge)
    return {"challenge": found, "hooks": hooks, "header": "webhook-signature"}

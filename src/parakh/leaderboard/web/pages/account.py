"""Sign up, log in and out; the account's own page with its password and tokens."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from parakh.errors import InputError
from parakh.leaderboard import accounts
from parakh.leaderboard.refusals import NotThere, RefusalError
from parakh.leaderboard.rights import SCOPES
from parakh.leaderboard.web.security import drop_cookie, inner_path, set_cookie
from parakh.leaderboard.web.visit import ThisVisit, Visit

router = APIRouter()

MOST_LOG_INS = 100
"""From one place in ten minutes: a room full of people may share it; what is tried on one account is counted elsewhere."""
_TEN_MINUTES, _HOUR = 600.0, 3600.0


@router.get("/sign-up")
def sign_up_form(visit: ThisVisit) -> Response:
    """The form for a new account."""
    if visit.viewer.user_id is not None:
        return visit.redirect("/me")
    return visit.page("sign_up.html", _sign_up(visit))


@router.post("/sign-up")
def sign_up(visit: ThisVisit) -> Response:
    """Make an account, and log in with it."""
    values = _sign_up(visit)
    form, database = visit.form, visit.service.database
    try:
        visit.allow("sign-up", 60, _HOUR)
        email, password = form.text("email", 254), form.secret("password")
        accounts.sign_up(database, email, form.text("name"), password)
        cookie = accounts.log_in(database, email, password)
    except (InputError, RefusalError) as error:
        return visit.again("sign_up.html", values, error)
    return logged_in(visit, cookie, _next(visit), "signed-up")


@router.get("/log-in")
def log_in_form(visit: ThisVisit) -> Response:
    """The form to log in with."""
    if visit.viewer.user_id is not None:
        return visit.redirect(_next(visit))
    return visit.page("log_in.html", log_in_values(visit))


@router.post("/log-in")
def log_in(visit: ThisVisit) -> Response:
    """Open a session, and go on to the page that was wanted."""
    form = visit.form
    try:
        visit.allow("log-in", MOST_LOG_INS, _TEN_MINUTES)
        before = visit.secret if visit.viewer.user_id is not None else None
        cookie = accounts.log_in(visit.service.database, form.text("email", 254), form.secret("password"), before)
    except (InputError, RefusalError) as error:
        return visit.again("log_in.html", log_in_values(visit), error)
    return logged_in(visit, cookie, _next(visit))


@router.post("/log-out")
def log_out(visit: ThisVisit) -> Response:
    """End the session."""
    if visit.viewer.user_id is not None:
        accounts.log_out(visit.service.database, visit.secret)
    response = visit.redirect("/", "logged-out")
    drop_cookie(visit.service.settings, response, "session")
    return response


@router.get("/me")
def account(visit: ThisVisit) -> Response:
    """The account's own page."""
    visit.member()
    return visit.page("account.html", _account(visit))


@router.post("/me/password")
def change_password(visit: ThisVisit) -> Response:
    """Take another password."""
    visit.member()
    form = visit.form
    try:
        old, new = form.secret("old_password"), form.secret("new_password")
        accounts.change_password(visit.service.database, visit.viewer, old, new, visit.secret)
    except (InputError, RefusalError) as error:
        return visit.again("account.html", _account(visit), error)
    return visit.redirect("/me", "password")


@router.post("/me/tokens")
def make_token(visit: ThisVisit) -> Response:
    """Make a token; its text is shown this once."""
    visit.member()
    form = visit.form
    try:
        made = (form.text("name"), form.texts("scopes"), form.number("days"))
        token, text = accounts.make_token(visit.service.database, visit.viewer, *made)
    except (InputError, RefusalError) as error:
        return visit.again("account.html", _account(visit), error)
    return visit.page("account.html", {**_account(visit), "made": token, "text": text})


@router.post("/me/tokens/{token_id}/revoke")
def revoke_token(visit: ThisVisit, token_id: str) -> Response:
    """End a token."""
    visit.member()
    accounts.revoke_token(visit.service.database, visit.viewer, token_id)
    return visit.redirect("/me", "token-revoked")


def logged_in(visit: Visit, cookie: str, path: str, notice: str = "") -> Response:
    """Where a log-in leads, with the new session's cookie and without the one of before.

    Args:
        visit: The request.
        cookie: Value of the new session's cookie.
        path: Where to.
        notice: Name of a sentence for the page there.
    """
    response = visit.redirect(path, notice)
    settings = visit.service.settings
    set_cookie(settings, response, "session", cookie, accounts.SESSION_DAYS * 24 * 3600)
    drop_cookie(settings, response, "visit")
    return response


def _next(visit: Visit) -> str:
    return inner_path(visit.form.secret("next") or visit.request.query_params.get("next", "/"))


def log_in_values(visit: Visit) -> dict[str, object]:
    """What the page to log in with is filled with."""
    return {"next": _next(visit), "oidc": visit.service.settings.oidc, "sign_up": visit.service.settings.sign_up}


def _sign_up(visit: Visit) -> dict[str, object]:
    if not visit.service.settings.sign_up:
        raise NotThere("page", "sign-up")
    return log_in_values(visit)


def _account(visit: Visit) -> dict[str, object]:
    scopes = [one for one in SCOPES if one != "organise" or visit.viewer.organises]
    tokens = accounts.tokens(visit.service.database, visit.viewer)
    return {"tokens": tokens, "scopes": scopes, "made": None, "text": "", "address": visit.service.settings.address}

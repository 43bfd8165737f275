"""Logging in by OpenID Connect: to the provider and back, with what has to match kept in a cookie in between."""

from __future__ import annotations

import base64
import binascii
import json
from http import HTTPStatus

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from parakh.errors import UnavailableError
from parakh.leaderboard import accounts, accounts_oidc
from parakh.leaderboard.refusals import NotThere, RefusalError, Refused
from parakh.leaderboard.web.pages.account import MOST_LOG_INS, log_in_values, logged_in
from parakh.leaderboard.web.security import cookie_name, drop_cookie, inner_path, set_cookie
from parakh.leaderboard.web.visit import ThisVisit, Visit

router = APIRouter()

_TEN_MINUTES = 600.0


@router.get("/log-in/oidc")
def begin(visit: ThisVisit) -> Response:
    """Send the browser to the provider."""
    _check_configured(visit)
    settings = visit.service.settings
    try:
        visit.allow("log-in", MOST_LOG_INS, _TEN_MINUTES)
        address, kept = accounts_oidc.begin(settings)
    except (RefusalError, UnavailableError) as error:
        return visit.again("log_in.html", log_in_values(visit), error)
    response = RedirectResponse(address, HTTPStatus.SEE_OTHER)
    wanted = inner_path(visit.request.query_params.get("next", "/"))
    value = base64.urlsafe_b64encode(json.dumps([kept, wanted]).encode()).decode()
    set_cookie(settings, response, "oidc", value, accounts_oidc.MINUTES * 60)
    return response


@router.get(accounts_oidc.CALLBACK)
def back(visit: ThisVisit, state: str = "", code: str = "") -> Response:
    """Take the browser that comes back from the provider."""
    _check_configured(visit)
    service = visit.service
    try:
        visit.allow("log-in", MOST_LOG_INS, _TEN_MINUTES)
        kept, wanted = _kept(visit)
        user = accounts_oidc.finish(service.database, service.settings, kept, state, code)
        before = visit.secret if visit.viewer.user_id is not None else None
        cookie = accounts.open_session(service.database, user, before)
    except (RefusalError, UnavailableError) as error:
        response = visit.again("log_in.html", log_in_values(visit), error)
    else:
        response = logged_in(visit, cookie, wanted)
    drop_cookie(service.settings, response, "oidc")
    return response


def _check_configured(visit: Visit) -> None:
    if visit.service.settings.oidc is None:
        raise NotThere("page", visit.request.url.path)


def _kept(visit: Visit) -> tuple[str, str]:
    """What ``begin`` put into the cookie: what has to match, and where to go on to."""
    value = visit.request.cookies.get(cookie_name(visit.service.settings, "oidc"), "")
    try:
        kept, wanted = json.loads(base64.urlsafe_b64decode(value.encode()))
        return str(kept), inner_path(str(wanted))
    except (binascii.Error, ValueError, TypeError):
        raise Refused("this browser did not ask to log in: begin again.") from None

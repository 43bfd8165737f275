"""One request of a browser: who it is, what it sent, and how it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from math import ceil
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from parakh.errors import InputError, UnavailableError
from parakh.leaderboard import accounts, limits
from parakh.leaderboard.clock import now
from parakh.leaderboard.refusals import NotThere, RefusalError, TooMany
from parakh.leaderboard.visibility import ANYBODY, Viewer
from parakh.leaderboard.web.forms import Form, read_form
from parakh.leaderboard.web.rendering import NOTICES, Typed, rendered
from parakh.leaderboard.web.security import cookie_name, form_token, is_form_token, new_secret, origin_of, set_cookie
from parakh.leaderboard.web.service import Service


class LogInFirst(Exception):  # noqa: N818 - no mistake: it leads to the page where one logs in
    """The page is for somebody with an account."""


@dataclass
class Visit:
    """A request of a browser, and what its answer is made with.

    Args:
        request: As it came.
        service: What serves it.
        viewer: Who it is.
        at: When it came.
        form: What was sent, its token checked; empty for a page that is only looked at.
        secret: The cookie that forms are bound to: the session's, or of somebody without one the visit's.
        is_new: Whether the answer has to bring that cookie.
    """

    request: Request
    service: Service
    viewer: Viewer
    at: datetime
    form: Form
    secret: str
    is_new: bool = False
    _has_form: bool = field(default=False, init=False)

    def csrf(self) -> Markup:
        """The hidden field that every form of a page holds."""
        self._has_form = True
        return Markup('<input type="hidden" name="csrf" value="{}">').format(form_token(self.secret))

    def page(self, template: str, values: Mapping[str, Any] | None = None, status: int = HTTPStatus.OK) -> Response:
        """A page made from a template, which also finds ``viewer``, ``at``, ``csrf()``, ``path`` and ``parakh`` in it."""
        shared = {"viewer": self.viewer, "at": self.at, "csrf": self.csrf, "path": self.request.url.path, "notice": self.notice()}
        response = HTMLResponse(rendered(template, {**shared, **(values or {})}), status)
        if self.is_new and self._has_form:
            set_cookie(self.service.settings, response, "visit", self.secret)
        return response

    def again(self, template: str, values: Mapping[str, Any], error: InputError | RefusalError | UnavailableError) -> Response:
        """A form once more, with what is wrong about it and what was typed but secrets."""
        typed = Typed({name: given[0] for name, given in self.form.fields.items() if given and "password" not in name})
        shown = {**values, "faults": str(error).splitlines(), "typed": typed}
        away = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, UnavailableError) else HTTPStatus.UNPROCESSABLE_ENTITY
        response = self.page(template, shown, error.status if isinstance(error, RefusalError) else away)
        if isinstance(error, TooMany):
            response.headers["Retry-After"] = str(ceil(error.seconds))
        return response

    def redirect(self, path: str, notice: str = "") -> Response:
        """To another page of this site, to be looked at.

        Args:
            path: Of the page.
            notice: Name of a sentence for it, one of ``rendering.NOTICES``.
        """
        mark = "&" if "?" in path else "?"
        return RedirectResponse(f"{path}{mark}said={notice}" if notice else path, HTTPStatus.SEE_OTHER)

    def notice(self) -> str:
        """The sentence that the page before left for this one; "" for none."""
        return NOTICES.get(self.request.query_params.get("said", ""), "")

    def allow(self, purpose: str, most: int, seconds: float, who: str = "") -> None:
        """Count a request against a limit of somebody, or of where it comes from.

        Raises:
            TooMany: There were too many.
        """
        limits.demand(self.service.database, f"{purpose}:{who or origin_of(self.request)}", most, seconds)

    def member(self) -> int:
        """The id of somebody with an account.

        Raises:
            LogInFirst: They have none, or are not logged in.
        """
        if self.viewer.user_id is None:
            raise LogInFirst
        return self.viewer.user_id

    def organiser(self) -> int:
        """The id of an organiser; for anybody else there is no such page.

        Raises:
            LogInFirst: They are not logged in.
            NotThere: They do not organise.
        """
        user_id = self.member()
        if not self.viewer.organises:
            raise NotThere("page", self.request.url.path)
        return user_id


def log_in_path(request: Request) -> str:
    """The page where one logs in, which leads back to the one that was wanted."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return f"/log-in?next={quote(wanted, safe='/')}" if request.method == "GET" else "/log-in"


def secret_of(request: Request, service: Service) -> tuple[str, str]:
    """The cookies of a session and of a visit without one; "" where there is none."""
    held = request.cookies
    return held.get(cookie_name(service.settings, "session"), ""), held.get(cookie_name(service.settings, "visit"), "")


async def _form(request: Request) -> Form:
    """What was sent, after its token was checked: no page is ever asked to change something without one."""
    if request.method in {"GET", "HEAD"}:
        return Form({})
    form = await read_form(request)
    token = form.secret("csrf")
    if not any(is_form_token(token, secret) for secret in secret_of(request, request.app.state.service)):
        if form.upload is not None:
            await form.upload.drain(1 << 22, 3)
        raise HTTPException(HTTPStatus.FORBIDDEN, "This form is no longer valid. Load its page again, and send it once more.")
    return form


def _visit(request: Request, form: Annotated[Form, Depends(_form)]) -> Visit:
    service: Service = request.app.state.service
    session, before = secret_of(request, service)
    viewer = accounts.viewer_of_session(service.database, session) if session else None
    if viewer is not None:
        return Visit(request, service, viewer, now(), form, session)
    return Visit(request, service, ANYBODY, now(), form, before or new_secret(), is_new=not before)


ThisVisit = Annotated[Visit, Depends(_visit)]
"""The parameter of every page."""

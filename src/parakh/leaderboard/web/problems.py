"""How what goes wrong is answered: a page in plain words, or for the API a problem document. Never a traceback."""

from __future__ import annotations

import errno
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DataError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from parakh.errors import InputError, ParakhError
from parakh.leaderboard.database import said
from parakh.leaderboard.refusals import NotThere, RefusalError, TooMany
from parakh.leaderboard.visibility import ANYBODY
from parakh.leaderboard.web.rendering import rendered
from parakh.leaderboard.web.security import HEADERS, add_headers
from parakh.leaderboard.web.visit import LogInFirst, log_in_path

_LOG = logging.getLogger("parakh.leaderboard")
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What the system says of a full disk, or of a full share of it."""
_DOWN_SECONDS, _FULL_SECONDS = 5, 300
"""After which it is worth trying again."""
_WORDS = {
    HTTPStatus.BAD_REQUEST: "This request cannot be understood.",
    HTTPStatus.UNAUTHORIZED: "A token is needed.",
    HTTPStatus.FORBIDDEN: "This is not allowed.",
    HTTPStatus.NOT_FOUND: "There is no such page, or it is not for you.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address is not for that.",
    HTTPStatus.REQUEST_TIMEOUT: "Nothing more arrived.",
    HTTPStatus.CONFLICT: "Something else stands in the way.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "This is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "This kind of content is not taken here.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Something about it is not right.",
    HTTPStatus.TOO_MANY_REQUESTS: "That was too often.",
    HTTPStatus.INSUFFICIENT_STORAGE: "There is no room left here: nothing was taken. Try again later.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The service cannot reach its database. Try again in a moment.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong here. The organisers can read what it was in the log of the service.",
}


@dataclass(frozen=True)
class Problem:
    """What the API answers with when it cannot do what was asked (RFC 9457).

    Args:
        title: What happened, the same for every case of its status.
        status: Of the answer.
        detail: What happened in this case.
        faults: What is wrong with what was sent, one line a fault.
    """

    title: str
    status: int
    detail: str = ""
    faults: Sequence[str] = ()


def add_handlers(app: FastAPI) -> None:
    """Have an application answer every error in these words."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(ParakhError, _mendable)
    app.add_exception_handler(LogInFirst, _log_in)
    app.add_exception_handler(ClientDisconnect, _gone)
    for error in (DataError, UnicodeEncodeError, OverflowError):
        app.add_exception_handler(error, _unheld)
    for gone in (OperationalError, InterfaceError, PoolTimeoutError):
        app.add_exception_handler(gone, _unreachable)
    app.add_exception_handler(OSError, _full)
    app.add_exception_handler(Exception, _unexpected)


def answer(request: Request, status: int, faults: Sequence[str] = (), headers: Mapping[str, str] | None = None) -> Response:
    """The answer for a status, as the asker can read it."""
    words = _WORDS.get(HTTPStatus(status), HTTPStatus(status).phrase)
    if request.url.path.startswith("/api/"):
        problem = {"title": words, "status": int(status), "detail": "\n".join(faults), "faults": list(faults)}
        return JSONResponse(problem, status, headers, media_type="application/problem+json")
    log_in = log_in_path(request) if status == HTTPStatus.NOT_FOUND else ""
    values = {"viewer": ANYBODY, "words": words, "status": int(status), "faults": faults, "log_in": log_in}
    return HTMLResponse(rendered("problem.html", values), status, headers)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    plain = error.detail in {HTTPStatus(error.status_code).phrase, ""} or error.status_code == HTTPStatus.NOT_FOUND
    return answer(request, error.status_code, [] if plain else [error.detail], error.headers)


async def _unfit(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    return answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, faults)


async def _mendable(request: Request, error: Exception) -> Response:
    if isinstance(error, NotThere):
        return answer(request, HTTPStatus.NOT_FOUND)
    if isinstance(error, TooMany):
        return answer(request, error.status, str(error).splitlines(), {"Retry-After": str(ceil(error.seconds))})
    status = error.status if isinstance(error, RefusalError) else HTTPStatus.UNPROCESSABLE_ENTITY
    if not isinstance(error, (RefusalError, InputError)):  # a package that is missing, a file that is damaged: not for everybody
        return await _unexpected(request, error)
    return answer(request, status, str(error).splitlines())


async def _log_in(request: Request, error: Exception) -> Response:
    return RedirectResponse(log_in_path(request), HTTPStatus.SEE_OTHER)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def _unheld(request: Request, error: Exception) -> Response:
    """A value that no database holds, as a NUL or a number of thirty digits, names nothing, and cannot be kept."""
    return answer(request, HTTPStatus.NOT_FOUND if request.method in {"GET", "HEAD"} else HTTPStatus.UNPROCESSABLE_ENTITY)


async def _full(request: Request, error: Exception) -> Response:
    if not isinstance(error, OSError) or error.errno not in NO_ROOM:
        return await _unexpected(request, error)
    _LOG.error("%s %s: %s", request.method, request.url.path, error)
    return answer(request, HTTPStatus.INSUFFICIENT_STORAGE, headers={"Retry-After": str(_FULL_SECONDS)})


async def _unreachable(request: Request, error: Exception) -> Response:
    """The database is stopped, busy beyond patience, or its disk is full."""
    reason = said(error)
    if "disk is full" in reason or "No space left" in reason:
        return await _full(request, OSError(errno.ENOSPC, reason))
    _LOG.error("%s %s: %s", request.method, request.url.path, reason)
    return answer(request, HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": str(_DOWN_SECONDS)})


async def _unexpected(request: Request, error: Exception) -> Response:
    """This one is made outside the layer that adds the headers."""
    _LOG.error("%s %s", request.method, request.url.path, exc_info=error)
    response = answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)
    add_headers(MutableHeaders(raw=response.raw_headers), HEADERS)
    return response

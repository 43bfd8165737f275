"""One request of a program: whose token it brings, and what that allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from parakh.leaderboard import accounts, limits
from parakh.leaderboard.clock import now
from parakh.leaderboard.rights import needs_account, needs_organiser
from parakh.leaderboard.visibility import ANYBODY, Viewer
from parakh.leaderboard.web.security import origin_of
from parakh.leaderboard.web.service import Service

_MINUTE = 60.0
_MOST_A_MINUTE, _MOST_WRONG = 600, 30
_bearer = HTTPBearer(auto_error=False, description="A token, made on your account's page.")


@dataclass(frozen=True)
class Caller:
    """A request of a program.

    Args:
        service: What serves it.
        viewer: Whose token it brings; anybody without one.
        at: When it came.
    """

    service: Service
    viewer: Viewer
    at: datetime

    def member(self, scope: str) -> int:
        """The id of whose token it is, which has to allow something.

        Raises:
            HTTPException: There is no token.
            Refused: It does not allow that.
        """
        if self.viewer.user_id is None:
            raise _unauthorized("found no token, expected the header 'Authorization: Bearer parakh_...'")
        return needs_account(self.viewer, scope)

    def organiser(self) -> None:
        """See that the token is an organiser's, and allows to organise.

        Raises:
            HTTPException: There is no token.
            Refused: It does not allow that.
        """
        self.member("organise")
        needs_organiser(self.viewer)


def _any_caller(request: Request, given: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]) -> Caller:
    service: Service = request.app.state.service
    if given is None:
        if "authorization" in request.headers:
            raise _unauthorized("found another kind of authorization, expected 'Bearer parakh_...'")
        return Caller(service, ANYBODY, now())
    viewer = accounts.viewer_of_token(service.database, given.credentials)
    if viewer is None:
        limits.demand(service.database, f"wrong token:{origin_of(request)}", _MOST_WRONG, _MINUTE)
        raise _unauthorized("this token is none, or was revoked, or has ended")
    limits.demand(service.database, f"token:{viewer.user_id}", _MOST_A_MINUTE, _MINUTE)
    return Caller(service, viewer, now())


def _caller(request: Request, caller: Annotated[Caller, Depends(_any_caller)]) -> Caller:
    if request.method == "GET" and caller.viewer.user_id is not None:
        needs_account(caller.viewer, "read")  # else a token for something else would see what its user sees
    return caller


def _unauthorized(words: str) -> HTTPException:
    return HTTPException(HTTPStatus.UNAUTHORIZED, words, {"WWW-Authenticate": "Bearer"})


ThisCaller = Annotated[Caller, Depends(_caller)]
"""The parameter of operations of the API: to look at something a token has to allow to read."""
AnyCaller = Annotated[Caller, Depends(_any_caller)]
"""The parameter of those that ask themselves what a token has to allow."""

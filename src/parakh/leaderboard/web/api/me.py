"""Whose token it is."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter

from parakh.leaderboard.web.caller import ThisCaller

router = APIRouter(tags=["account"])


@dataclass(frozen=True)
class Account:
    """Whose token it is, and what it allows."""

    email: str
    role: str
    scopes: list[str]


@router.get("/me")
def me(caller: ThisCaller) -> Account:
    """Whose token it is, and what it allows."""
    caller.member("read")
    return Account(caller.viewer.name, caller.viewer.role.value, sorted(caller.viewer.scopes or ()))

"""Boards, scores over time, single recordings and comparisons, as far as the caller may see them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Query
from pydantic.dataclasses import dataclass
from starlette.responses import Response

from parakh.leaderboard import views_board
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.caller import ThisCaller

router = APIRouter(tags=["boards"])
_DOCUMENT: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}


@dataclass(frozen=True)
class Score:
    """One submission on the plot of scores over time; values are ratios, None where undefined."""

    made_at: datetime
    submission: str
    team: str
    value: float | None
    best: float | None


@router.get("/challenges/{challenge}/{phase}/{track}/board")
def board(
    caller: ThisCaller, challenge: str, phase: str, track: str, by: str = Query("", description="language:hi")
) -> dict[str, Any]:
    """A board, ranked by a slice where one is asked for; rates are ratios."""
    return lookup.board(caller, challenge, phase, track, by).to_dict()


@router.get("/challenges/{challenge}/{phase}/{track}/history")
def history(caller: ThisCaller, challenge: str, phase: str, track: str) -> Sequence[Score]:
    """The scores of a board over time."""
    now = lookup.stamp(caller, challenge, phase, track)
    points = views_board.history(caller.service.database, now.contest_id, caller.viewer, caller.at)
    return [Score(*one) for one in points]


@router.get("/submissions/{submission_id}/recordings/{session_id}", response_class=Response, responses=_DOCUMENT)
def recording(caller: ThisCaller, submission_id: str, session_id: str) -> Response:
    """One recording with its alignment, as a `parakh.results/1` document."""
    caller.member("read")
    return Response(lookup.recording(caller, submission_id, session_id).to_json(), media_type="application/json")


@router.get("/compare", response_class=Response, responses=_DOCUMENT)
def compare(caller: ThisCaller, a: str, b: str) -> Response:
    """Two submissions of yours side by side, as a `parakh.comparison/1` document; the systems are called "first" and "second"."""
    caller.member("read")
    return Response(lookup.compared(caller, a, b).comparison.to_json(), media_type="application/json")

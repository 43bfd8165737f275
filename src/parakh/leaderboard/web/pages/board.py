"""Boards, the scores behind them over time, and both as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import Response

from parakh.errors import counted
from parakh.leaderboard import views_board
from parakh.leaderboard.boards import Board, Point
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.views import ChallengeView
from parakh.leaderboard.views_board import Stamp
from parakh.leaderboard.web import board_table, lookup, plots
from parakh.leaderboard.web.kept import Kept
from parakh.leaderboard.web.pages.front import board_address, phase_line
from parakh.leaderboard.web.rendering import rendered
from parakh.leaderboard.web.visit import ThisVisit, Visit
from parakh.leaderboard.web.wording import better, figure, metric_title, moment
from parakh.markup import Html, join

router = APIRouter()
MOST_LINES = 300
"""Scores that the table below the plot holds."""


@dataclass(frozen=True)
class BoardPage:
    """What the frame around a board is filled with."""

    title: str
    challenge: str
    challenge_title: str
    body: Html


@dataclass(frozen=True)
class Tab:
    """A link among others of its kind."""

    address: str
    title: str
    note: str = ""
    is_here: bool = False


_kept: Kept[BoardPage] = Kept(256)


@router.get("/c/{challenge}/{phase}/{track}")
def board(visit: ThisVisit, challenge: str, phase: str, track: str, by: str = "") -> Response:
    """The board of one track of one phase, of all recordings or one slice."""
    now = lookup.stamp(visit, challenge, phase, track)
    page = _kept.get((now, "board", by), lambda: _board_page(visit, now, (challenge, phase, track), by))
    return _unless_known(visit, visit.page("board.html", {"page": page}))


@router.get("/c/{challenge}/{phase}/{track}/history")
def history(visit: ThisVisit, challenge: str, phase: str, track: str) -> Response:
    """The scores over time."""
    now = lookup.stamp(visit, challenge, phase, track)
    page = _kept.get((now, "history"), lambda: _history_page(visit, now, (challenge, phase, track)))
    return _unless_known(visit, visit.page("board.html", {"page": page}))


def _unless_known(visit: Visit, response: Response) -> Response:
    """The page, or that it is the one which the browser has already."""
    tag = f'"{sha256(bytes(response.body)).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in visit.request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    response.headers.update(headers)
    return response


def _board_page(visit: Visit, now: Stamp, place: tuple[str, str, str], by: str) -> BoardPage:
    challenge, phase, track = place
    found = lookup.challenge(visit, challenge)
    if found.contest(phase, track) is None:
        raise NotThere("board", track)
    board = views_board.board(visit.service.database, now.contest_id, visit.viewer, visit.at, by)
    if board is None and by:
        raise NotThere("slice", by)
    shown = board_table.table(board, now.teams, found.time_zone) if board else None
    base = board_address(challenge, phase, track)
    line = phase_line(found, found.phase(phase), visit.at)
    at = {
        "challenge": challenge,
        "challenge_title": found.title,
        "phase_title": found.phase(phase).title,
        "track_title": found.track(track).title,
        "standing": line.left,
        "until": line.until,
        "base": base,
        "query": f"?by={quote(by)}" if by else "",
        "phases": _phase_tabs(found, phase, track),
        "tracks": [
            Tab(board_address(challenge, phase, key), found.track(key).title, is_here=key == track)
            for key in found.phase(phase).tracks
        ],
        "slices": _slice_tabs(board, base, by),
        "notices": [*_notices(now, board, found.time_zone), *_waiting(visit, now)],
    }
    title = f"{found.track(track).title}, {found.phase(phase).title}"
    return BoardPage(title, challenge, found.title, Html(rendered("_board.html", {"at": at, "table": shown})))


def _history_page(visit: Visit, now: Stamp, place: tuple[str, str, str]) -> BoardPage:
    challenge, phase, track = place
    found = lookup.challenge(visit, challenge)
    contest = found.contest(phase, track)
    if contest is None:
        raise NotThere("board", track)
    metric, zone = contest.rank_by, found.time_zone
    points = views_board.history(visit.service.database, now.contest_id, visit.viewer, visit.at)
    rows = _history_rows(points, metric, zone)
    own = frozenset([found.team_name] if found.team_name else [])
    title = f"{found.track(track).title}, {found.phase(phase).title}"
    page = {
        "title": title,
        "challenge": challenge,
        "challenge_title": found.title,
        "base": board_address(challenge, phase, track),
        "rank_by": metric,
        "rank_title": metric_title(metric),
        "better": better(metric),
        "plot": plots.over_time(metric, _points(points, own), zone),
        "rows": rows,
        "left_out": len(points) - len(rows),
    }
    return BoardPage(f"Scores over time: {title}", challenge, found.title, Html(rendered("_history.html", {"page": page})))


def _phase_tabs(found: ChallengeView, here: str, track: str) -> list[Tab]:
    tabs = []
    for phase in found.phases:
        if phase.tracks:
            key = track if track in phase.tracks else phase.tracks[0]
            note = "frozen" if phase.is_frozen else "open" if phase.is_open else ""
            tabs.append(Tab(board_address(found.name, phase.key, key), phase.title, note, phase.key == here))
    return tabs


def _slice_tabs(board: Board | None, base: str, by: str) -> list[Tab]:
    tabs = [Tab(base, "all recordings", is_here=not by)]
    for field, values in board.slices.items() if board and not board.is_blind else ():
        for place, value in enumerate(values):
            key = f"{field}:{value}"
            tabs.append(Tab(f"{base}?by={quote(key)}", value, field if place == 0 else "", key == by))
    return tabs


def _notices(now: Stamp, board: Board | None, zone: str) -> list[dict[str, Any]]:
    notices: list[dict[str, Any]] = []
    if now.is_frozen:
        when = moment(now.moments[2], zone)
        which = "The public board" if now.organises else "This board"
        rest = "; you see everything." if now.organises else ", and stands still until the reveal."
        told = join([f"{which} holds what came in before ", when, rest])
        notices.append({"kind": "warn", "word": "Frozen", "text": told})
    if board is not None and board.is_blind:
        notices.append({"kind": "", "word": "Blind", "text": "Scores of this phase are not shown yet. It lists who takes part."})
    return notices


def _waiting(visit: Visit, now: Stamp) -> list[dict[str, Any]]:
    count = views_board.being_scored(visit.service.database, now.contest_id, visit.viewer, visit.at) if now.waiting else 0
    text = f"{counted(count, 'submission')} {'is' if count == 1 else 'are'} being scored, and not on the board yet."
    return [{"kind": "", "word": "Scoring", "text": text}] if count else []


def _points(points: Sequence[Point], own: frozenset[str]) -> list[plots.Point]:
    """What can be drawn: points with a value."""
    drawn, before = [], None
    for one in points:
        if one.value is not None and one.best is not None:
            name = f"{one.team}, {one.moment:%Y-%m-%d}"
            drawn.append(plots.Point(one.moment, name, one.value, one.best, one.best != before, one.team in own))
            before = one.best
    return drawn


def _history_rows(points: Sequence[Point], metric: str, zone: str) -> list[dict[str, Any]]:
    """A line of words for each point, the newest first."""
    before = [None, *(one.best for one in points)]
    rows = [
        {
            "id": one.submission,
            "made": moment(one.moment, zone),
            "team": one.team,
            "value": figure(metric, one.value),
            "best": figure(metric, one.best),
            "is_new": one.best is not None and one.best != last,
        }
        for one, last in zip(points, before, strict=False)
    ]
    return rows[::-1][:MOST_LINES]

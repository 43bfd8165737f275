"""The front page, which lists challenges, and the page of one challenge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from parakh.leaderboard import views
from parakh.leaderboard.views import ChallengeView, PhaseView, TrackView
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.visit import ThisVisit
from parakh.leaderboard.web.wording import (
    REPRESENTS,
    SHOWS,
    better,
    limits_said,
    metric_title,
    moment,
    paragraphs,
    standing,
)
from parakh.markup import Html
from parakh.report.summary import tasks

router = APIRouter()


@dataclass(frozen=True)
class Link:
    """An address and what it is called."""

    address: str
    title: str


@dataclass(frozen=True)
class PhaseLine:
    """A phase in words.

    Args:
        key: Its name in addresses.
        title: Its name for people.
        state: "open", "coming" or "closed".
        left: For how long.
        until: When that ends, or "".
        opens: When it opens.
        closes: When it closes.
        freezes: When its board stands still; None for never.
        limits: How many submissions a team may make.
        shows: What a team may see now.
        then: What it may see after the reveal, where that differs; "" else.
        boards: Links to its boards.
        is_frozen: Whether its board stands still.
        is_revealed: Whether its outcome is public.
        open_book: Whether its references are.
    """

    key: str
    title: str
    state: str
    left: str
    until: Html
    opens: Html
    closes: Html
    freezes: Html | None
    limits: str
    shows: str
    then: str
    boards: tuple[Link, ...]
    is_frozen: bool
    is_revealed: bool
    open_book: bool


@router.get("/")
def front(visit: ThisVisit) -> Response:
    """Every challenge with its phases."""
    found = views.challenge_views(visit.service.database, visit.viewer, visit.at)
    return visit.page("front.html", {"cards": [_card(one, visit.at) for one in found]})


@router.get("/c/{challenge}")
def challenge(visit: ThisVisit, challenge: str) -> Response:
    """One challenge: phases, tracks, rules, how to take part."""
    found = lookup.challenge(visit, challenge)
    values = {
        "challenge": found,
        "description": paragraphs(found.description),
        "phases": [phase_line(found, one, visit.at) for one in found.phases],
        "tracks": [_track(found, one) for one in found.tracks],
        "represents": REPRESENTS[found.represents],
        "address": visit.service.settings.address,
    }
    return visit.page("challenge.html", values)


def phase_line(challenge: ChallengeView, phase: PhaseView, at: datetime) -> PhaseLine:
    """A phase in words, its moments in the challenge's time zone."""
    zone = challenge.time_zone
    state, left = standing(phase.opens, phase.closes, at)
    next_change = phase.opens if state == "coming" else phase.closes if state == "open" else None
    links = (Link(board_address(challenge.name, phase.key, key), challenge.track(key).title) for key in phase.tracks)
    return PhaseLine(
        key=phase.key,
        title=phase.title,
        state=state,
        left=left,
        until=moment(next_change, zone) if next_change else Html(""),
        opens=moment(phase.opens, zone) if phase.opens else Html("any time"),
        closes=moment(phase.closes, zone) if phase.closes else Html("no end"),
        freezes=moment(phase.freezes, zone) if phase.freezes and not phase.is_revealed else None,
        limits=limits_said(phase.limits),
        shows=SHOWS[phase.shows],
        then=SHOWS[phase.shows_revealed] if phase.shows_revealed != phase.shows and not phase.is_revealed else "",
        boards=tuple(links),
        is_frozen=phase.is_frozen,
        is_revealed=phase.is_revealed,
        open_book=phase.open_book,
    )


def board_address(challenge: str, phase: str, track: str) -> str:
    """The path of a board's page."""
    return f"/c/{challenge}/{phase}/{track}"


def _card(one: ChallengeView, at: datetime) -> dict[str, Any]:
    lines = [phase_line(one, phase, at) for phase in one.phases]
    return {
        "name": one.name,
        "title": one.title,
        "summary": paragraphs(one.description.strip().split("\n\n")[0]),
        "phases": lines,
    }


def _track(challenge: ChallengeView, track: TrackView) -> dict[str, Any]:
    return {
        "key": track.key,
        "title": track.title,
        "asks": tasks()[track.track].asks,
        "rank_by": track.rank_by,
        "rank_title": metric_title(track.rank_by),
        "better": better(track.rank_by),
        "others": [name for name in track.metrics if name != track.rank_by],
        "metric_set": track.metric_set,
        "formats": ", ".join(track.formats) or "every one that the track reads",
        "kits": list(_kits(challenge, track.key)),
    }


def _kits(challenge: ChallengeView, track: str) -> Iterator[Link]:
    for phase in challenge.phases:
        if track in phase.tracks:
            yield Link(f"/api/v1/challenges/{challenge.name}/{phase.key}/{track}/kit", phase.title)

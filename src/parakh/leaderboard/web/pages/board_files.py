"""Boards as files, and the newest bests as a feed."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from parakh.leaderboard import feeds, tables
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.visit import ThisVisit

router = APIRouter()
_FILES = {
    "csv": (tables.to_csv, "text/csv; charset=utf-8"),
    "json": (tables.to_json, "application/json"),
    "md": (tables.to_markdown, "text/markdown; charset=utf-8"),
    "tex": (tables.to_latex, "application/x-tex; charset=utf-8"),
}


@router.get("/c/{challenge}/{phase}/{track}/table.{form}")
def table_file(visit: ThisVisit, challenge: str, phase: str, track: str, form: str, by: str = "") -> Response:
    """The board as a file."""
    if form not in _FILES:
        raise NotThere("table", form)
    found = lookup.board(visit, challenge, phase, track, by)
    write, kind = _FILES[form]
    rules = lookup.challenge(visit, challenge)
    title = f"{rules.title}: {rules.track(track).title}, {rules.phase(phase).title}"
    name = f"{challenge}-{phase}-{track}{'-' + by.replace(':', '-') if by else ''}.{form}"
    return Response(write(found, title), media_type=kind, headers=lookup.saved_as(name))


@router.get("/c/{challenge}/feed.xml")
def feed(visit: ThisVisit, challenge: str) -> Response:
    """The newest bests that everybody may see, as RSS."""
    text = feeds.rss(visit.service.database, challenge, visit.service.settings.address)
    return Response(text, media_type="application/rss+xml; charset=utf-8")

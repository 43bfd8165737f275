"""What lies behind a submission's scores: its recordings, one recording with its alignment and sound, its diagnosis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import FileResponse, HTMLResponse, Response

from parakh.leaderboard import views_detail
from parakh.leaderboard.diagnoses import Place, Stage
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.views_submission import RecordingView
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.board_table import column
from parakh.leaderboard.web.visit import ThisVisit, Visit
from parakh.leaderboard.web.wording import better, figure
from parakh.markup import Html, tag
from parakh.report import recording as report
from parakh.report.audio import TYPES
from parakh.report.resources import resource
from parakh.report.summary import summarise

router = APIRouter()
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


@router.get("/s/{submission_id}/recordings")
def recordings(visit: ThisVisit, submission_id: str, by: str = "") -> Response:
    """The figures of each recording, the worst first."""
    view = lookup.submission(visit, submission_id)
    if view.recordings is None:
        raise NotThere("page", submission_id)
    chosen = by if by in view.metrics else view.rank_by
    rows = [
        {"id": one.id, "shown": [figure(name, one.values.get(name)) for name in view.metrics]}
        for one in worst_first(view.recordings, chosen)
    ]
    values = {
        "view": view,
        "by": chosen,
        "columns": [column(name, view.rank_by) for name in view.metrics],
        "rows": rows,
        "can_open": view.shows_alignments,
    }
    return visit.page("recordings.html", values)


@router.get("/s/{submission_id}/recordings/{session_id}")
def recording(visit: ThisVisit, submission_id: str, session_id: str) -> Response:
    """One recording: what was right and wrong in it, with its sound where the phase has it."""
    view = lookup.submission(visit, submission_id)
    service = visit.service
    results = lookup.recording(visit, submission_id, session_id)
    if view.recordings is None:
        raise NotThere("recording", session_id)
    order = [one.id for one in worst_first(view.recordings, view.rank_by)]
    here = order.index(session_id) if session_id in order else None
    sound = views_detail.audio(service.database, service.settings.data, visit.viewer, submission_id, session_id, visit.at)
    values: dict[str, Any] = {
        "view": view,
        "session_id": session_id,
        "blocks": report.blocks(session_id, [summarise(results)], "r"),
        "patterns": Html(resource("page/patterns.html")),
        "audio": f"{recording_address(view.id, session_id)}/audio" if sound else "",
        "before": recording_address(view.id, order[here - 1]) if here else "",
        "after": recording_address(view.id, order[here + 1]) if here is not None and here + 1 < len(order) else "",
    }
    return visit.page("recording.html", values)


@router.get("/s/{submission_id}/recordings/{session_id}/audio")
def audio(visit: ThisVisit, submission_id: str, session_id: str) -> Response:
    """The sound of a recording, whole or a part of it."""
    service = visit.service
    path = views_detail.audio(service.database, service.settings.data, visit.viewer, submission_id, session_id, visit.at)
    if path is None:
        raise NotThere("recording", session_id)
    headers = {"Cache-Control": "private, max-age=3600"}
    return FileResponse(path, media_type=TYPES.get(path.suffix.lower(), "application/octet-stream"), headers=headers)


@router.get("/s/{submission_id}/diagnosis")
def diagnosis(visit: ThisVisit, submission_id: str) -> Response:
    """The diagnosis of a submission, or a form that asks a worker for it."""
    place = _diagnosis(visit, submission_id)
    stage = place.stage
    if stage is Stage.READY:
        return _diagnosis_page(place.page.read_text(encoding="utf-8"), submission_id)
    values = {"view": lookup.submission(visit, submission_id), "state": stage.value, "reason": _reason(visit, place)}
    return visit.page("diagnosis.html", values)


@router.post("/s/{submission_id}/diagnosis")
def ask_diagnosis(visit: ThisVisit, submission_id: str) -> Response:
    """Ask a worker for the diagnosis of a submission."""
    visit.member()
    place = _diagnosis(visit, submission_id)
    visit.allow("diagnosis", 60, 3600, visit.viewer.name)
    if place.stage in {Stage.UNASKED, Stage.FAILED}:
        place.ask(submission_id)
    return visit.redirect(f"/s/{submission_id}/diagnosis")


def _diagnosis(visit: Visit, submission_id: str) -> Place:
    service = visit.service
    place = views_detail.diagnosis(service.database, service.settings.data, visit.viewer, submission_id, visit.at)
    if place is None:
        raise NotThere("diagnosis", submission_id)
    return place


def _reason(visit: Visit, place: Place) -> str:
    """Why there is none: for organisers all of it, which may name files of the service."""
    return place.reason if visit.viewer.organises else ""


def _diagnosis_page(page: str, submission_id: str) -> Response:
    """The page with a way back; its own policy, which lets it run its one script and nothing else, stands for the site's."""
    policy = _POLICY.search(page)
    headers = (
        {"Content-Security-Policy": f"{unescape(policy.group(1))}; frame-ancestors 'none'; sandbox allow-scripts"}
        if policy
        else {}
    )
    back = tag("p", {"class": "note"}, tag("a", {"href": f"/s/{submission_id}"}, "To the submission"))
    return HTMLResponse(page.replace("<main>", f"<main>{back}", 1), headers=headers)


def worst_first(recordings: Sequence[RecordingView], metric: str) -> list[RecordingView]:
    """Recordings by a metric, the worst first; those without a value come before all, by id among equals."""
    sign = -1 if better(metric) == "lower" else 1

    def key(one: RecordingView) -> tuple[bool, float, str]:
        value = one.values.get(metric)
        return value is not None, sign * (value or 0.0), one.id

    return sorted(recordings, key=key)


def recording_address(submission_id: str, session_id: str) -> str:
    """The path of the page of one recording."""
    return f"/s/{submission_id}/recordings/{quote(session_id, safe='')}"

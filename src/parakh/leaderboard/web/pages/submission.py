"""A submission's own page: where it stands, its faults or its figures, and what its team may do with it."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from parakh.errors import InputError
from parakh.leaderboard import submissions, views_submission
from parakh.leaderboard.refusals import NotThere, RefusalError
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.board_table import column
from parakh.leaderboard.web.uploads import entry_of
from parakh.leaderboard.web.visit import ThisVisit, Visit

router = APIRouter()


@router.get("/s/{submission_id}")
def submission(visit: ThisVisit, submission_id: str) -> Response:
    """The page of a submission."""
    return visit.page("submission.html", _values(lookup.submission(visit, submission_id)))


@router.get("/s/{submission_id}/state")
def state(visit: ThisVisit, submission_id: str) -> Response:
    """Where it stands, for the page that waits."""
    found = lookup.submission(visit, submission_id)
    return JSONResponse({"state": found.state, "is_running": found.is_running})


@router.get("/s/{submission_id}/file")
def file(visit: ThisVisit, submission_id: str) -> Response:
    """The file as it was handed in, for its team and organisers."""
    return lookup.submission_file(visit, submission_id)


@router.post("/s/{submission_id}/edit")
def edit(visit: ThisVisit, submission_id: str) -> Response:
    """Describe it anew."""

    def change() -> None:
        entry = entry_of(visit.form)
        told = {"system": entry.system, "description": entry.description, "paper": entry.paper}
        submissions.edit(visit.service.database, visit.viewer, submission_id, tags=entry.tags, **told)

    return _done(visit, submission_id, "edited", change)


@router.post("/s/{submission_id}/withdraw")
def withdraw(visit: ThisVisit, submission_id: str) -> Response:
    """Take it off the board."""
    database = visit.service.database
    return _done(visit, submission_id, "withdrawn", lambda: submissions.withdraw(database, visit.viewer, submission_id))


@router.post("/s/{submission_id}/choose")
def choose(visit: ThisVisit, submission_id: str) -> Response:
    """Have it stand for the team."""
    database = visit.service.database
    return _done(visit, submission_id, "chosen", lambda: submissions.choose(database, visit.viewer, submission_id))


def _done(visit: Visit, submission_id: str, notice: str, change: Callable[[], None]) -> Response:
    visit.member()
    found = lookup.submission(visit, submission_id)
    if not found.is_own:
        raise NotThere("submission", submission_id)
    try:
        change()
    except (InputError, RefusalError) as error:
        return visit.again("submission.html", _values(found), error)
    return visit.redirect(f"/s/{submission_id}", notice)


def _values(found: views_submission.SubmissionView) -> dict[str, object]:
    return {"submission": found, "columns": [column(name, found.rank_by) for name in found.metrics]}

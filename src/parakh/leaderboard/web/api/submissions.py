"""Submissions: handed in, looked at, described anew, withdrawn, chosen."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from parakh.leaderboard import submissions, views_submission
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.caller import AnyCaller, Caller, ThisCaller
from parakh.leaderboard.web.forms import read_form
from parakh.leaderboard.web.uploads import count_upload, receive

router = APIRouter(tags=["submissions"])

_TEXT = {"type": "string"}
_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "system": _TEXT,
                        "description": _TEXT,
                        "tags": {"type": "array", "items": _TEXT},
                        "paper": _TEXT,
                        "team": {"type": "string", "description": "For organisers: another team than their own."},
                        "kind": {"type": "string", "enum": ["submission", "baseline", "closed"]},
                        "file": {"type": "string", "format": "binary", "description": "A zip or a single file; the last part."},
                    },
                }
            }
        },
    }
}


class Description(BaseModel):
    """What is said of a submission; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    system: Annotated[str, Field(max_length=80)] | None = None
    description: Annotated[str, Field(max_length=10_000)] | None = None
    tags: Annotated[list[str], Field(max_length=20)] | None = None
    paper: Annotated[str, Field(max_length=500)] | None = None


@router.post("/challenges/{challenge}/{phase}/{track}/submissions", status_code=HTTPStatus.CREATED, openapi_extra=_FORM)
async def submit(request: Request, caller: ThisCaller, challenge: str, phase: str, track: str) -> views_submission.SubmissionView:
    """Hand in a zip or a single file for your team. The fields come before the file."""
    contest_id, team_id = await run_in_threadpool(_place, caller, challenge, phase, track)
    made = await receive(caller.service, caller.viewer, contest_id, team_id, await read_form(request))
    return await run_in_threadpool(lookup.submission, caller, made.id)


@router.get("/submissions")
def own(caller: ThisCaller) -> list[views_submission.SubmissionLine]:
    """The submissions of your teams, the newest first."""
    caller.member("read")
    return views_submission.own_submissions(caller.service.database, caller.viewer, caller.at)


@router.get("/submissions/{submission_id}")
def submission(caller: AnyCaller, submission_id: str) -> views_submission.SubmissionView:
    """A submission as far as you may see it; its `state` becomes "scored", "refused" or "failed".

    A token that allows to submit sees those of its own team.
    """
    scopes = caller.viewer.scopes
    if scopes is None or "read" in scopes:
        return lookup.submission(caller, submission_id)
    return _own(caller, submission_id)


@router.get(
    "/submissions/{submission_id}/file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "The file as it was handed in."}},
)
def file(caller: ThisCaller, submission_id: str) -> Response:
    """The file as it was handed in, for its team and organisers."""
    return lookup.submission_file(caller, submission_id)


@router.patch("/submissions/{submission_id}")
def edit(caller: ThisCaller, submission_id: str, told: Description) -> views_submission.SubmissionView:
    """Describe a submission anew."""
    _own(caller, submission_id)
    submissions.edit(caller.service.database, caller.viewer, submission_id, **told.model_dump())
    return lookup.submission(caller, submission_id)


@router.post("/submissions/{submission_id}/withdraw")
def withdraw(caller: ThisCaller, submission_id: str) -> views_submission.SubmissionView:
    """Take a submission off the board."""
    _own(caller, submission_id)
    submissions.withdraw(caller.service.database, caller.viewer, submission_id)
    return lookup.submission(caller, submission_id)


@router.post("/submissions/{submission_id}/choose")
def choose(caller: ThisCaller, submission_id: str) -> views_submission.SubmissionView:
    """Have a submission stand for its team."""
    _own(caller, submission_id)
    submissions.choose(caller.service.database, caller.viewer, submission_id)
    return lookup.submission(caller, submission_id)


def _place(caller: Caller, challenge: str, phase: str, track: str) -> tuple[int, str | None]:
    """The contest and the caller's team in it, before a byte of the file is read."""
    caller.member("submit")
    count_upload(caller.service, caller.viewer)
    shown = lookup.challenge(caller, challenge)
    contest = shown.contest(phase, track)
    if contest is None:
        raise NotThere("contest", f"{challenge}/{phase}/{track}")
    return contest.id, shown.team_id


def _own(caller: Caller, submission_id: str) -> views_submission.SubmissionView:
    caller.member("submit")
    found = lookup.submission(caller, submission_id)
    if not found.is_own:
        raise NotThere("submission", submission_id)
    return found

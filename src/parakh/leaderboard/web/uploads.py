"""A submission on its way in: its file goes piece by piece into the store, in a thread that pages do not need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import anyio.to_thread
from anyio import CapacityLimiter

from parakh.errors import Fault, InputError, ParakhError
from parakh.leaderboard import limits, submissions
from parakh.leaderboard.database.tables import Kind, Submission
from parakh.leaderboard.refusals import Refused
from parakh.leaderboard.visibility import Viewer
from parakh.leaderboard.web.forms import Form, Upload
from parakh.leaderboard.web.service import Service

AT_ONCE = 24
"""Uploads that are received at the same time; more wait for their turn."""
_MOST_AN_HOUR = 120
_PATIENT_BYTES, _PATIENT_SECONDS = 1 << 23, 5.0


@dataclass(frozen=True)
class Entry:
    """What a form says of a submission.

    Args:
        system: What the system is called.
        description: What it is.
        tags: Words to find it by.
        paper: Address of a paper.
        kind: What row of the board it becomes.
    """

    system: str
    description: str
    tags: Sequence[str]
    paper: str
    kind: Kind = Kind.SUBMISSION


def entry_of(form: Form) -> Entry:
    """What a form says of a submission; tags come one a field or with commas between them.

    Raises:
        InputError: A field is too long, or holds control characters.

    >>> entry_of(Form({"system": ["Ours"], "tags": ["open, small", "new"]})).tags
    ('open', 'small', 'new')
    """
    tags = tuple(tag.strip() for one in form.texts("tags", 2000) for tag in one.split(",") if tag.strip())
    kind = form.text("kind") or Kind.SUBMISSION.value
    if kind not in set(Kind):
        raise InputError(Fault("kind", "", f"'{kind[:40]}'", f"one of {', '.join(Kind)}"))
    return Entry(form.text("system"), form.text("description", 10_000), tags, form.text("paper", 500), Kind(kind))


def count_upload(service: Service, viewer: Viewer) -> None:
    """Count an upload against what somebody may send in an hour, whether by a page or by a program.

    Raises:
        TooMany: There were too many.
    """
    limits.demand(service.database, f"upload:{viewer.name}", _MOST_AN_HOUR, 3600.0)


async def receive(service: Service, viewer: Viewer, contest_id: int, own_team: str | None, form: Form) -> Submission:
    """Take a submission; whether it may be made is asked before its file is read, and again before it counts.

    Args:
        service: What takes it.
        viewer: Who makes it.
        contest_id: What it is made to.
        own_team: The team of theirs that it is for; an organiser's form may name another.
        form: Its fields, with the file still to be read.

    Raises:
        InputError: There is no file, or a field is not right.
        RefusalError: It may not be made.
    """
    upload = form.upload
    try:
        entry, team_id = entry_of(form), form.text("team") or own_team
        if team_id is None:
            raise Refused("first make or join a team of this challenge.")
        if upload is None or not upload.file_name:
            raise InputError(Fault("file", "", "none", "a zip or a single file", "Choose one."))
        return await anyio.to_thread.run_sync(
            _make, service, viewer, contest_id, team_id, upload, entry, limiter=_limiter(), abandon_on_cancel=False
        )
    except (ParakhError, OSError):  # a browser that still sends would not read the answer
        if upload is not None:
            await upload.drain(_PATIENT_BYTES, _PATIENT_SECONDS)
        raise


def _make(service: Service, viewer: Viewer, contest_id: int, team_id: str, upload: Upload, entry: Entry) -> Submission:
    return submissions.make(
        service.database,
        service.store,
        viewer,
        contest_id,
        team_id,
        upload.pieces(),
        upload.file_name or "",
        system=entry.system,
        description=entry.description,
        tags=entry.tags,
        paper=entry.paper,
        kind=entry.kind,
        queue=service.queue,
    )


@cache
def _limiter() -> CapacityLimiter:
    return CapacityLimiter(AT_ONCE)

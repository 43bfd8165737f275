"""What a request names, as far as whoever asks may see it: a page and the API find the same, or the same nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol
from urllib.parse import quote

from starlette.responses import FileResponse

from parakh.leaderboard import views, views_board, views_detail, views_files, views_submission
from parakh.leaderboard.boards import Board
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.views import ChallengeView
from parakh.leaderboard.views_board import Stamp
from parakh.leaderboard.views_detail import Compared
from parakh.leaderboard.views_submission import SubmissionView
from parakh.leaderboard.visibility import Viewer
from parakh.leaderboard.web.service import Service
from parakh.results import Results


class Asker(Protocol):
    """A request of a browser or of a program."""

    @property
    def service(self) -> Service:
        """What serves it."""

    @property
    def viewer(self) -> Viewer:
        """Who it is."""

    @property
    def at(self) -> datetime:
        """When it came."""


def challenge(asker: Asker, name: str) -> ChallengeView:
    """The challenge of a name.

    Raises:
        NotThere: There is none that they may know of.
    """
    found = views.challenge_view(asker.service.database, asker.viewer, name, asker.at)
    if found is None:
        raise NotThere("challenge", name)
    return found


def stamp(asker: Asker, challenge: str, phase: str, track: str) -> Stamp:
    """The stamp of a contest.

    Raises:
        NotThere: There is none that they may know of.
    """
    found = views_board.stamp(asker.service.database, asker.viewer, challenge, phase, track, asker.at)
    if found is None:
        raise NotThere("board", track)
    return found


def board(asker: Asker, challenge: str, phase: str, track: str, by: str) -> Board:
    """The board of a contest, ranked by a slice where one is asked for.

    Raises:
        NotThere: There is none that they may know of, none yet, or no such slice.
    """
    contest_id = stamp(asker, challenge, phase, track).contest_id
    found = views_board.board(asker.service.database, contest_id, asker.viewer, asker.at, by)
    if found is None:
        raise NotThere("board", by or track)
    return found


def submission(asker: Asker, submission_id: str) -> SubmissionView:
    """A submission.

    Raises:
        NotThere: There is none that they may know of.
    """
    service = asker.service
    found = views_submission.submission_view(service.database, service.store, asker.viewer, submission_id, asker.at)
    if found is None:
        raise NotThere("submission", submission_id)
    return found


def submission_file(asker: Asker, submission_id: str) -> FileResponse:
    """The file of a submission as it was handed in.

    Raises:
        NotThere: There is none that they may have.
    """
    found = views_files.submission_file(asker.service.database, asker.service.store, asker.viewer, submission_id, asker.at)
    if found is None:
        raise NotThere("submission", submission_id)
    path, name = found
    return FileResponse(path, media_type="application/octet-stream", filename=name or "submission")


def recording(asker: Asker, submission_id: str, session_id: str) -> Results:
    """The results of one recording with its detail.

    Raises:
        NotThere: There is none that they may see.
    """
    service = asker.service
    found = views_detail.recording(service.database, service.store, asker.viewer, submission_id, session_id, asker.at)
    if found is None:
        raise NotThere("recording", session_id)
    return found


def compared(asker: Asker, a: str, b: str) -> Compared:
    """Two submissions side by side.

    Raises:
        NotThere: There is one that they may not compare.
    """
    service = asker.service
    found = views_detail.compared(service.database, service.store, asker.viewer, a, b, asker.at)
    if found is None:
        raise NotThere("submission", f"{a} or {b}")
    return found


def saved_as(name: str) -> dict[str, str]:
    """The header of an answer that a browser keeps as a file of a name."""
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}

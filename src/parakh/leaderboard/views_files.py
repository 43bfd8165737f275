"""Files that a viewer may have: what was handed in, kits, references of phases whose book is open."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from sqlalchemy import select

from parakh.leaderboard import challenge_file, challenges
from parakh.leaderboard.challenge import Challenge
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import ChallengeRow, Contest, PhaseRow
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.store import Store
from parakh.leaderboard.views import may_enter
from parakh.leaderboard.views_submission import is_own, submission_row
from parakh.leaderboard.visibility import Viewer, knows_of


def submission_file(
    database: Database, store: Store, viewer: Viewer, submission_id: str, at: datetime
) -> tuple[Path, str] | None:
    """Where the file of a submission lies and what it was called; None for all but its team and organisers."""
    with database.read() as session:
        row = submission_row(session, submission_id)
        if row is None or not is_own(viewer, row) or not knows_of(viewer, row, at):
            return None
        return store.path(row.file), row.file_name


def kit(database: Database, data: Path, viewer: Viewer, challenge: str, phase: str, track: str) -> Kit | None:
    """What is needed to check a submission offline; None where there is no such contest.

    Raises:
        ParakhError: The challenge's files are not there, or damaged.
    """
    found = _material(database, data, viewer, challenge, phase, track)
    return None if found is None else Kit.of(*found, phase, track)


def open_references(database: Database, data: Path, viewer: Viewer, challenge: str, phase: str, track: str) -> list[Path] | None:
    """The files of a contest's references where its book is open; None where it is not, or there is no such contest.

    Raises:
        ParakhError: The challenge's files are not there.
    """
    found = _material(database, data, viewer, challenge, phase, track)
    if found is None or not found[0].phase(phase).open_book:
        return None
    rules, folder = found[0].phase(phase), found[1]
    named = [folder / one for one in (rules.references[track], rules.uem) if one is not None]
    files = [sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place] for place in named]
    return [path for some in files for path in some]


def _material(
    database: Database, data: Path, viewer: Viewer, challenge: str, phase: str, track: str
) -> tuple[Challenge, Path] | None:
    """The rules of a contest and the folder that they go with, as they are in force."""
    with database.read() as session:
        row = session.scalar(select(ChallengeRow).where(ChallengeRow.name == challenge))
        if row is None or not may_enter(session, viewer, row.id, row.is_public):
            return None
        wanted = select(Contest).join(PhaseRow, PhaseRow.id == Contest.phase_id)
        contest = session.scalar(wanted.where(PhaseRow.challenge_id == row.id, PhaseRow.key == phase, Contest.track == track))
        if contest is None:
            return None
    rules, folder = challenges.material(data, row, phase, track, contest.references)
    return challenge_file.from_dict(rules), folder

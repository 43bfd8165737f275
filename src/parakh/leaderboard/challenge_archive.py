"""All of a challenge as files for its organisers: lists, boards, what was handed in and what came of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from sqlalchemy import select

from parakh.csv_lines import line
from parakh.leaderboard import audit
from parakh.leaderboard.contests import row_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import BoardRow, Contest, PhaseRow, ScoreRow, Submission
from parakh.leaderboard.rights import needs_organiser
from parakh.leaderboard.store import Store
from parakh.leaderboard.views_console import SubmissionRow, submissions
from parakh.leaderboard.visibility import Viewer

_COLUMNS = ("id", "made_at", "contest", "team", "system", "file_name", "kind", "state", "is_withdrawn", "rank_by", "value")
_PIECE = 1 << 18
_EPOCH = (1980, 1, 1, 0, 0, 0)


def submissions_csv(database: Database, viewer: Viewer, challenge: str) -> str:
    """Every submission to a challenge as CSV, the newest first.

    Raises:
        Refused: They do not organise.
    """
    rows = submissions(database, viewer, challenge=challenge, limit=None)
    lines = (line([_plain(one, name) for name in _COLUMNS]) for one in rows)
    return line(_COLUMNS) + "".join(lines)


def everything(database: Database, store: Store, viewer: Viewer, challenge: str) -> Iterator[bytes]:
    """A zip of all of a challenge in pieces; however large it is, little of it is in memory.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = row_named(session, challenge)
        rules = json.dumps(row.rules, ensure_ascii=False, indent=1)
    return _zipped(database, store, viewer, challenge, rules)


def _zipped(database: Database, store: Store, viewer: Viewer, challenge: str, rules: str) -> Iterator[bytes]:
    sink = _Sink()
    with ZipFile(sink, "w", allowZip64=True) as archive:
        _put(archive, "challenge.json", rules)
        _put(archive, "submissions.csv", submissions_csv(database, viewer, challenge))
        _put(archive, "audit.jsonl", "".join(audit.export(database, "jsonl", audit.Filter(challenge=challenge))))
        for name, document in _boards(database, challenge):
            _put(archive, f"boards/{name}.json", json.dumps(document, ensure_ascii=False, indent=1))
        yield sink.taken()
        for name, path in _files(database, store, challenge):
            for _ in _copy(archive, name, path):
                yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """What a zip is written to: it keeps what came since it was last asked."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        taken, self._pieces = b"".join(self._pieces), []
        return taken


def _put(archive: ZipFile, name: str, text: str) -> None:
    info = ZipInfo(name, _EPOCH)
    info.compress_type = ZIP_DEFLATED
    archive.writestr(info, text)


def _copy(archive: ZipFile, name: str, path: Path) -> Iterator[None]:
    info = ZipInfo(name, _EPOCH)
    info.compress_type = ZIP_STORED if name.startswith("files/") else ZIP_DEFLATED
    with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as target:
        while piece := source.read(_PIECE):
            target.write(piece)
            yield


def _boards(database: Database, challenge: str) -> Iterator[tuple[str, object]]:
    query = select(PhaseRow.key, Contest.track, BoardRow.document).join(Contest, Contest.id == BoardRow.contest_id)
    query = query.join(PhaseRow, PhaseRow.id == Contest.phase_id).where(BoardRow.is_frozen.is_(False))
    with database.read() as session:
        for phase, track, document in session.execute(query.where(PhaseRow.challenge_id == row_named(session, challenge).id)):
            yield f"{phase}-{track}", document


def _files(database: Database, store: Store, challenge: str) -> Iterator[tuple[str, Path]]:
    """Every file as it was handed in and every result, by the name it has in the zip; those of a damaged store are left out."""
    with database.read() as session:
        row = row_named(session, challenge)
        mine = select(Contest.id).join(PhaseRow, PhaseRow.id == Contest.phase_id).where(PhaseRow.challenge_id == row.id)
        made = (
            session.scalars(select(Submission).where(Submission.contest_id.in_(mine)).order_by(Submission.number)).unique().all()
        )
        held = select(ScoreRow).join(Submission, Submission.id == ScoreRow.submission_id).where(Submission.contest_id.in_(mine))
        scores = session.scalars(held).all()
    named = [(f"files/{one.id}/{Path(one.file_name).name or 'submission'}", one.file) for one in made]
    for score in scores:
        base = f"results/{score.submission_id}/{score.metric_set_id}-{score.references}"
        named.append((f"{base}.json", score.results))
        named += [(f"{base}-detail.json", score.detail)] if score.detail else []
    for name, key in named:
        if store.path(key).is_file():
            yield name, store.path(key)


def _plain(one: SubmissionRow, name: str) -> str:
    value = getattr(one, name)
    return value.isoformat() if isinstance(value, datetime) else "" if value is None else str(value)

"""Challenges in the database: loaded from files, and what an organiser changes of them while they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.errors import Fault, ParakhError
from parakh.leaderboard import _loading, audit, challenge_file, entries
from parakh.leaderboard.challenge import Challenge, Limits, Sight
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import phase_faults, phase_named, row_named, touch
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import ChallengeRow, Contest, Override, PhaseRow, Team
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.rights import needs_organiser
from parakh.leaderboard.visibility import Viewer


class Unchanged(Enum):
    """What stands for a value that stays."""

    VALUE = "unchanged"


KEEP: Final = Unchanged.VALUE
"""In place of a value that stays as it is; None is a value."""


def rules_of(row: ChallengeRow) -> Challenge:
    """The rules of a challenge as they were last loaded; dates and sights of a phase are in its ``PhaseRow``."""
    return challenge_file.from_dict(row.rules)


def _no_notice(line: str) -> None:
    """Where nobody wants to know."""


def load(
    database: Database, data: Path, toml: str | Path, by: str, notice: Callable[[str], None] = _no_notice, is_public: bool = True
) -> ChallengeRow:
    """Bring a challenge into the service, or a new state of one that is there.

    Submissions stay. What an organiser changed of a phase since stays, unless the file changed the same. Where a contest has
    submissions already, other references or another metric set do not change it: a rescoring is opened, to be looked at first.

    Args:
        database: Where.
        data: The data folder.
        toml: The ``challenge.toml``.
        by: Who does it, for the audit log.
        notice: Takes a line for each thing that changed, and for slices that are withheld.
        is_public: Whether a new challenge is shown to everybody.

    Raises:
        InputError: Faults of the file or the references, or it takes away what has submissions; one line a fault.
    """
    challenge = challenge_file.load_challenge(toml)
    revision, stored = _loading.copied(challenge, Path(toml).parent, data / "challenges" / challenge.name)
    with database.write() as session:
        row = session.scalar(select(ChallengeRow).where(ChallengeRow.name == challenge.name).with_for_update())
        old = None if row is None else challenge_file.from_dict(row.rules)
        if row is None:
            texts = {"name": challenge.name, "title": challenge.title, "revision": revision}
            row = ChallengeRow(**texts, rules=stored.rules, is_public=is_public)
            session.add(row)
        load = _loading.Load(session, row, challenge, old, stored.references, str(toml), by, [])
        load.run()
        row.title, row.revision, row.rules = challenge.title, revision, stored.rules
        row.terms_version = challenge.terms.version if challenge.terms else None
        action = "challenge.loaded" if old is None else "challenge.reloaded"
        audit.record(session, by, action, row.name, row.name, {"revision": revision, "changes": load.changes})
        session.flush()
        session.expire(row, ["phases"])
        shown = [(phase.key, Sight(phase.shows)) for phase in row.phases]
    for line in (*load.changes, *(line for phase, shows in shown for line in stored.withheld(phase, shows))):
        notice(line)
    return row


def folder_of(data: Path, row: ChallengeRow) -> Path:
    """The folder with the files of a challenge as they were last loaded."""
    return data / "challenges" / row.name / row.revision


def material(data: Path, row: ChallengeRow, phase: str, track: str, references: str) -> tuple[dict[str, Any], Path]:
    """The files that a contest is scored with, which may be older than the last that were loaded.

    Args:
        data: The data folder.
        row: The challenge.
        phase: Key of the phase.
        track: Key of the track.
        references: Digest of the references: those in force, or those that a rescoring tries.

    Returns:
        The rules as JSON, and the folder that they go with.

    Raises:
        ParakhError: No state with these references is here.
    """
    newest = folder_of(data, row)
    others = [path for path in newest.parent.glob("[!.]*") if path != newest]
    for folder in (newest, *sorted(others, key=lambda path: path.stat().st_mtime, reverse=True)):
        stored = _loading.stored(folder)
        if stored is not None and stored.references.get(f"{phase}/{track}") == references:
            return stored.rules, folder
    raise ParakhError(f"the references {references} of {row.name}, {phase}, {track} are not in {newest.parent}. Load them again.")


def set_phase(
    database: Database,
    viewer: Viewer,
    challenge: str,
    phase: str,
    *,
    opens: datetime | Unchanged | None = KEEP,
    closes: datetime | Unchanged | None = KEEP,
    freezes: datetime | Unchanged | None = KEEP,
    shows: Sight | Unchanged = KEEP,
    shows_revealed: Sight | Unchanged = KEEP,
) -> None:
    """Change dates of a phase, or what it shows.

    Args:
        database: Where.
        viewer: An organiser.
        challenge: Name of the challenge.
        phase: Key of the phase.
        opens: From when submissions are taken; None for always.
        closes: Until when; None for ever.
        freezes: From when on the public board stands still; None for never.
        shows: What a team may see of its own submissions before the reveal.
        shows_revealed: What it may see after it.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such phase.
        InputError: A moment has no time zone, or the moments or sights are out of order.
    """
    needs_organiser(viewer)
    asked = {"opens": opens, "closes": closes, "freezes": freezes, "shows": shows, "shows_revealed": shows_revealed}
    changes = {key: int(value) if isinstance(value, Sight) else value for key, value in asked.items() if value is not KEEP}
    with database.write() as session:
        row = phase_named(session, challenge, phase, hold=True)
        before = {key: getattr(row, key) for key in asked}
        entries.check(phase_faults(phase, before | changes))
        changed = {key: value for key, value in changes.items() if value != before[key]}
        if changed:
            _change(session, viewer, row, "phase.changed", changed)


def reveal(database: Database, viewer: Viewer, challenge: str, phase: str) -> None:
    """Make the outcome of a phase public: the frozen board moves on, and teams see what the phase shows then.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such phase.
    """
    _set_revealed(database, viewer, challenge, phase, True)


def hide(database: Database, viewer: Viewer, challenge: str, phase: str) -> None:
    """Take a reveal back.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such phase.
    """
    _set_revealed(database, viewer, challenge, phase, False)


def set_public(database: Database, viewer: Viewer, challenge: str, is_public: bool) -> None:
    """Show a challenge to everybody, or to organisers alone.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.write() as session:
        row = row_named(session, challenge)
        if row.is_public != is_public:
            row.is_public = is_public
            audit.record(session, viewer.name, "challenge.published" if is_public else "challenge.withdrawn", row.name, row.name)


def set_override(database: Database, viewer: Viewer, team_id: str, contest_id: int, limits: Limits) -> None:
    """Give a team other limits in one contest than its phase has.

    Args:
        database: Where.
        viewer: An organiser.
        team_id: Of which team.
        contest_id: In which contest.
        limits: None leaves what the phase says; all three None take the override away.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such team or contest, or they are of different challenges.
        InputError: A limit is below 0.
    """
    needs_organiser(viewer)
    values = {"day": limits.day, "total": limits.total, "concurrent": limits.concurrent}
    bad = [
        Fault("limits", key, str(value), "a number from 0 to 1 million")
        for key, value in values.items()
        if not 0 <= (value or 0) <= 1_000_000
    ]
    entries.check(bad)
    with database.write() as session:
        team, contest = session.get(Team, team_id), session.get(Contest, contest_id)
        if team is None or contest is None or contest.phase.challenge_id != team.challenge_id:
            raise NotThere("team in this contest", team_id)
        if limits == Limits():
            row = session.get(Override, (team_id, contest_id))
            if row is not None:
                session.delete(row)
        else:
            session.merge(Override(team_id=team_id, contest_id=contest_id, **values))
        detail = {"contest": f"{contest.phase.key}/{contest.track}", **values}
        audit.record(session, viewer.name, "quota.overridden", team.id, contest.phase.challenge.name, detail)


def _set_revealed(database: Database, viewer: Viewer, challenge: str, phase: str, revealed: bool) -> None:
    needs_organiser(viewer)
    with database.write() as session:
        row = phase_named(session, challenge, phase, hold=True)
        if (row.revealed_at is not None) != revealed:
            action = "phase.revealed" if revealed else "phase.hidden"
            _change(session, viewer, row, action, {"revealed_at": now() if revealed else None})


def _change(session: Session, viewer: Viewer, row: PhaseRow, action: str, changes: Mapping[str, Any]) -> None:
    words = {key: Sight(value).name.lower() for key, value in changes.items() if key in ("shows", "shows_revealed")}
    plain = {key: value.isoformat() if isinstance(value, datetime) else value for key, value in changes.items()} | words
    for key, value in changes.items():
        setattr(row, key, value)
    touch(session, Contest.phase_id == row.id)
    audit.record(session, viewer.name, action, row.key, row.challenge.name, plain)

"""The demo: the example challenge with six weeks behind it, made by the functions that serve everybody, scored by the worker."""

from __future__ import annotations

import json
import secrets
import tempfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from parakh.bundled import examples_path
from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.leaderboard import accounts, challenges, clock, submissions, teams
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, Kind, PhaseRow, Role, User
from parakh.leaderboard.demo_history import DAYS, ORGANISERS, PHASES, TEAMS, history
from parakh.leaderboard.demo_systems import Answers, Embedded, Faulty, Made, one_voice
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store
from parakh.leaderboard.visibility import Viewer

ORGANISER, MEMBER = "organiser@example.org", "member@example.org"
_BY = "demo"
"""Who made it, in the audit log."""


@dataclass(frozen=True)
class Entrant:
    """A team and somebody who hands in for it."""

    viewer: Viewer
    team_id: str


def prepare(settings: Settings, database: Database) -> list[str]:
    """Make the demo, unless it is there, and say how to log in.

    Args:
        settings: Of the service.
        database: Up to date.

    Raises:
        InputError: The data folder is somebody's own service.
    """
    kept = settings.data / "demo-accounts.json"
    if not kept.is_file():
        if _is_in_use(database):
            action = "Give it another --data folder; or remove this one, if it is a demo that was stopped while it was made."
            raise InputError(Fault("--demo", "", f"{settings.data}, which has accounts already", "a folder of its own", action))
        passwords = {email: secrets.token_urlsafe(9) for email in (ORGANISER, MEMBER)}
        _Demo(settings, database).make(passwords)
        write_atomic(kept, json.dumps(passwords), is_private=True)
    passwords = json.loads(kept.read_text(encoding="utf-8"))
    return [f"  {email}  {password}" for email, password in passwords.items()]


def _is_in_use(database: Database) -> bool:
    with database.read() as session:
        return session.scalar(select(User.id).limit(1)) is not None


class _Demo:
    """One making of it."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings, self.database = settings, database
        self.store = Store(settings.store)
        self.end = clock.now()
        self.challenge = ""
        self.terms = ""
        self.contests: dict[tuple[str, str], int] = {}

    def make(self, passwords: dict[str, str]) -> None:
        """Accounts, challenge, teams; then what they handed in, in the order of time."""
        with clock.set_to(self.ago(DAYS + 1)):
            organiser = self.account(ORGANISER, "The organiser", passwords[ORGANISER], Role.ORGANISER)
            self.load(organiser)
        with clock.set_to(self.ago(DAYS - 0.4)):
            entrants = {name: self.entrant(organiser, place, name, passwords) for place, name in enumerate(TEAMS)}
            entrants[ORGANISERS] = self.team(organiser, ORGANISERS)
        for moment in history():
            with clock.set_to(self.ago(moment.days_ago)):
                self.hand_in(entrants[moment.team], moment.phase, moment.made)
        with clock.set_to(self.end):
            self.mishaps(*list(entrants.values())[:2])
            for entrant in entrants.values():
                self.limit(organiser, entrant, Limits())

    def ago(self, days: float) -> datetime:
        """So many days before the demo was made."""
        return self.end - timedelta(days=days)

    def account(self, email: str, name: str, password: str, role: Role = Role.MEMBER) -> Viewer:
        """Somebody new with an account."""
        accounts.sign_up(self.database, email, name, password, role, by=_BY)
        return accounts.viewer_named(self.database, email)

    def load(self, organiser: Viewer) -> None:
        """Load the example challenge, and set its dates around today."""
        toml = examples_path() / "challenge" / "challenge.toml"
        row = challenges.load(self.database, self.settings.data, toml, _BY)
        self.challenge, self.terms = row.name, row.terms_version or ""
        for phase, dates in PHASES.items():
            opens, closes, freezes = (None if days is None else self.ago(days) for days in dates)
            challenges.set_phase(self.database, organiser, row.name, phase, opens=opens, closes=closes, freezes=freezes)
        with self.database.read() as session:
            of_it = select(Contest).join(PhaseRow).where(PhaseRow.challenge_id == row.id)
            self.contests = {(one.phase.key, one.track): one.id for one in session.scalars(of_it)}

    def team(self, viewer: Viewer, name: str) -> Entrant:
        """Somebody's team."""
        if self.terms:
            teams.accept_terms(self.database, viewer, self.challenge, self.terms)
        team = teams.make_team(self.database, viewer, self.challenge, name)
        return Entrant(accounts.viewer_named(self.database, viewer.name), team.id)

    def entrant(self, organiser: Viewer, place: int, name: str, passwords: dict[str, str]) -> Entrant:
        """A team with its leader; the first is the one that visitors can be. Nobody knows the others' passwords."""
        email = f"team-{place + 1}@example.org" if place else MEMBER
        leader = self.account(email, f"Leader of {name}", passwords.get(email) or secrets.token_urlsafe(16))
        entrant = self.team(leader, name)
        self.limit(organiser, entrant, Limits(day=100, total=100, concurrent=100))
        return entrant

    def limit(self, organiser: Viewer, entrant: Entrant, limits: Limits) -> None:
        """Other limits while six weeks pass in a second; none of their own gives them back the phase's."""
        for contest in self.contests.values():
            challenges.set_override(self.database, organiser, entrant.team_id, contest, limits)

    def mishaps(self, first: Entrant, second: Entrant) -> None:
        """What goes wrong in every challenge: a file with faults, and answers that were taken back."""
        self.hand_in(first, "dev", Faulty())
        withdrawn = self.hand_in(second, "dev", Made("asr", "embedded", "one voice for all", one_voice))
        submissions.withdraw(self.database, second.viewer, withdrawn)

    def hand_in(self, entrant: Entrant, phase: str, made: Answers) -> str:
        """Make a submission, and return its id; a worker finds it."""
        with tempfile.TemporaryDirectory(prefix="parakh-demo-") as folder:
            path = made.write(Path(folder))
            submission = submissions.make(
                self.database,
                self.store,
                entrant.viewer,
                self.contests[phase, made.track],
                entrant.team_id,
                [path.read_bytes()],
                path.name,
                made.name,
                made.about,
                made.tags,
                kind=Kind.BASELINE if isinstance(made, Embedded) else Kind.SUBMISSION,
            )
        return str(submission.id)

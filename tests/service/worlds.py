"""A small world for the tests of the service: the example challenge with its phases open, an organiser, two teams with members."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from parakh.leaderboard import accounts, challenges, submissions, teams
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.database.tables import ChallengeRow, Contest, Role, Submission, Team
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store
from parakh.leaderboard.visibility import Viewer

EXAMPLES = Path(__file__).parents[2] / "examples"
CHALLENGE = EXAMPLES / "challenge" / "challenge.toml"
NAME = "parakh-example"
PASSWORD = "correct horse battery"


@dataclass
class World:
    """What a test needs of the service; people are viewers as with a browser.

    Args:
        settings: Of the service.
        database: Its database.
        challenge: The example challenge; its phases have no dates, but those that a test sets.
        organiser: An organiser, in no team.
        members: Members by name: "asha" and "anil" are in the team "Team A", "binod" is in "Team B".
        teams: Teams by name.
    """

    settings: Settings
    database: Database
    challenge: ChallengeRow
    organiser: Viewer
    members: dict[str, Viewer] = field(default_factory=dict)
    teams: dict[str, Team] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        """Where files are kept."""
        return Store(self.settings.store)

    def contest(self, track: str = "diarization", phase: str = "eval") -> Contest:
        """The contest of a phase and a track, as it is now."""
        with self.database.read() as session:
            return contest_named(session, self.challenge.name, phase, track)

    def submit(
        self, who: str = "asha", track: str = "diarization", phase: str = "eval", content: bytes | Iterable[bytes] = b"SPEAKER\n"
    ) -> Submission:
        """Hand in a file, which waits to be scored."""
        viewer, pieces = self.members[who], [content] if isinstance(content, bytes) else content
        team_id = next(iter(viewer.teams))
        return submissions.make(self.database, self.store, viewer, self.contest(track, phase).id, team_id, pieces, "answers.rttm")

    def submission(self, submission_id: str) -> Submission:
        """A submission as it is now."""
        with self.database.read() as session:
            return session.scalars(select(Submission).where(Submission.id == submission_id)).one()

    def join(self, name: str, team: Team | None = None, team_name: str = "") -> Viewer:
        """A new member who accepted the terms, in a team that is there or in a new one."""
        email = f"{name}@example.org"
        accounts.sign_up(self.database, email, name.title(), PASSWORD)
        viewer = accounts.viewer_named(self.database, email)
        teams.accept_terms(self.database, viewer, self.challenge.name, self.challenge.terms_version or "")
        if team is None:
            self.teams[team_name] = teams.make_team(self.database, viewer, self.challenge.name, team_name)
        else:
            teams.join(self.database, viewer, team.invite)
        self.members[name] = accounts.viewer_named(self.database, email)
        return self.members[name]


def world(tmp_path: Path, database_url: str = "") -> World:
    """A new world.

    Args:
        tmp_path: An empty folder for its data.
        database_url: Of an empty database; "" is a file in the data folder.
    """
    settings = Settings(tmp_path / "data", database_url)
    settings.data.mkdir(parents=True)
    database = Database(settings.database_url)
    migrate(database)
    challenge = challenges.load(database, settings.data, CHALLENGE, "test")
    accounts.sign_up(database, "organiser@example.org", "Organiser", PASSWORD, Role.ORGANISER, "test")
    made = World(settings, database, challenge, accounts.viewer_named(database, "organiser@example.org"))
    for phase in challenge.phases:
        opens = now() - timedelta(days=1)
        challenges.set_phase(database, made.organiser, challenge.name, phase.key, opens=opens, closes=None, freezes=None)
    made.join("asha", team_name="Team A")
    made.join("anil", made.teams["Team A"])
    made.join("binod", team_name="Team B")
    return made


def copied(once: World, tmp_path: Path) -> World:
    """A world of its own from one that is on SQLite and closed."""
    settings = Settings(tmp_path / "data")
    shutil.copytree(once.settings.data, settings.data)
    return dataclasses.replace(
        once, settings=settings, database=Database(settings.database_url), members=dict(once.members), teams=dict(once.teams)
    )

"""A small challenge that is quick to score, submissions to it that all differ, and what each of them has to come to."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from parakh.formats import load as load_items
from parakh.leaderboard import accounts, challenges, teams
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.challenge_file import from_dict, load_references
from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.database.tables import Contest, Submission, Team
from parakh.leaderboard.references import measure
from parakh.leaderboard.scoring import Ending, Outcome
from parakh.leaderboard.settings import JobLimits, Settings
from parakh.leaderboard.store import Store
from parakh.leaderboard.visibility import Viewer
from parakh.types import Segment

NAME, PHASE, TRACK = "small", "dev", "diarization"
SESSIONS = ("one", "two")
TOML = """\
name = "small"
title = "Small"
description = "Two recordings."
contact = "me@example.org"
time_zone = "Asia/Kolkata"
[tracks.diarization]
title = "Who spoke when"
metrics = ["der", "jer"]
level = false
[phases.dev]
title = "Development"
tracks = ["diarization"]
recordings = "recordings.jsonl"
shows = "diagnosis"
[phases.dev.references]
diarization = "rttm"
"""


def write_challenge(folder: Path, end: float = 8.0) -> Path:
    """The challenge's files; the references differ with the end of the first turn."""
    (folder / "rttm").mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"session_id": one, "duration": 30.0, "language": "hi"}) for one in SESSIONS]
    (folder / "recordings.jsonl").write_text("\n".join(lines) + "\n")
    for one in SESSIONS:
        (folder / "rttm" / f"{one}.rttm").write_text(rttm(one, ((0.0, end), (10.0, 6.0), (20.0, 9.0))))
    (folder / "challenge.toml").write_text(TOML)
    return folder / "challenge.toml"


def rttm(session: str, turns: tuple[tuple[float, float], ...]) -> str:
    """Turns of two speakers in turn."""
    return "".join(
        f"SPEAKER {session} 1 {start:.3f} {length:.3f} <NA> <NA> s{place % 2} <NA> <NA>\n"
        for place, (start, length) in enumerate(turns)
    )


def answer(number: int) -> bytes:
    """The submission of a number: none is like another, nor is its score."""
    shift = (number + 1) * 0.01
    return "".join(rttm(one, ((shift, 8.0), (10.0, 6.0), (20.0, 9.0 - shift / 2))) for one in SESSIONS).encode()


@dataclass(frozen=True)
class Small:
    """The challenge in a database, with one team."""

    settings: Settings
    database: Database
    store: Store
    contest: Contest
    team_id: str

    def hand_in(self, content: bytes, name: str = "answer.rttm") -> Submission:
        """A submission as it is after an upload, before anybody asked the queue for its score."""
        key = self.store.put([content])
        with self.database.write() as session:
            row = Submission(contest_id=self.contest.id, team_id=self.team_id, file=key, file_name=name, size=len(content))
            session.add(row)
        return self.again(row.id)

    def again(self, submission_id: str) -> Submission:
        """A submission as it is now."""
        with self.database.read() as session:
            return session.scalars(select(Submission).where(Submission.id == submission_id)).one()

    def expected(self, content: bytes, tmp: Path) -> float | None:
        """The value of a submission, worked out here."""
        path = tmp / f"{hashlib.sha256(content).hexdigest()}.rttm"
        path.write_bytes(content)
        phase = self.contest.phase
        rules, folder = challenges.material(self.settings.data, phase.challenge, PHASE, TRACK, self.contest.references)
        references = load_references(from_dict(rules), folder, PHASE, TRACK)
        metric_set = MetricSet.from_dict(self.contest.metric_set.rules)
        return measure(metric_set, references, load_items(path, Segment).items, "here").metrics[metric_set.rank_by].value


def small(tmp: Path, database_url: str = "", workers: int = 2, job: JobLimits | None = None) -> Small:
    """The challenge, loaded."""
    data = tmp / "data"
    data.mkdir(exist_ok=True)
    settings = Settings(data, database_url=database_url, workers=workers, job=job or JobLimits(seconds=60.0))
    database = Database(settings.database_url)
    migrate(database)
    challenges.load(database, data, write_challenge(tmp / "challenge"), "test")
    with database.write() as session:
        contest = contest_named(session, NAME, PHASE, TRACK)
    team = teams.make_team(database, _member(database, "asha@example.org"), NAME, "Team")
    return Small(settings, database, Store(settings.store), contest, team.id)


def token_of_member(world: Small, number: int) -> str:
    """The token of a new member of the team."""
    with world.database.read() as session:
        invite = session.get_one(Team, world.team_id).invite
    email = f"member{number}@example.org"
    teams.join(world.database, _member(world.database, email), invite)
    _, token = accounts.make_token(world.database, accounts.viewer_named(world.database, email), "test")
    return token


def _member(database: Database, email: str) -> Viewer:
    accounts.sign_up(database, email, "Asha", "a long enough password")
    return accounts.viewer_named(database, email)


def scored(tmp: Path, value: float | None) -> Outcome:
    """An outcome as the scoring process leaves it; its files hold no Results."""
    for name in ("results", "detail"):
        (tmp / f"{name}.json").write_text(f"{name} {value}")
    return Outcome(Ending.SCORED, results=tmp / "results.json", detail=tmp / "detail.json", value=value)

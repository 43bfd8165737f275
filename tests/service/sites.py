"""A whole service for tests: a challenge whose references hold plants, people in teams, browsers and programs that talk to it."""

from __future__ import annotations

import json
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI
from sqlalchemy import select
from starlette.testclient import TestClient

from parakh.leaderboard import accounts, boards, challenges, outcomes, submissions, teams
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.database.tables import Contest, Role, State, Submission, User
from parakh.leaderboard.scoring import run_job
from parakh.leaderboard.settings import JobLimits, Settings
from parakh.leaderboard.store import Store
from parakh.leaderboard.web.app import make_app, routers

NAME = "planted"
PASSWORD = "a long enough password"
SESSIONS = ("visit1", "visit2", "visit3", "visit4", "visit5")
"""Of three or fewer, the ends of a bootstrap interval are figures of single recordings."""
WORDS = ("ज़ांज़ीबारी", "quokkaword", "wombatword", "numbatword", "potorooword")
"""Words of the references, one a recording, which no submission holds."""
TIMES = ("12.347", "13.951", "17.283", "15.119", "16.037")
"""Times of the references, likewise."""
TOPIC = "axolotlosis"
PLANTS = (*WORDS, *TIMES, TOPIC)
PHASES = {"silent": ("nothing", "score"), "scores": ("score", "recordings"), "each": ("recordings", "diagnosis")}
"""Phases by what they show before and after the reveal."""
TERMS = "Use the recordings for research alone."


def write_challenge(folder: Path, words: tuple[str, ...] = WORDS, times: tuple[str, ...] = TIMES) -> Path:
    """The challenge's files."""
    for part in ("rttm", "words"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    manifest = [json.dumps({"session_id": one, "duration": 30.0, "language": "hi"}) for one in SESSIONS]
    (folder / "recordings.jsonl").write_text("\n".join(manifest) + "\n")
    for place, (session, word, start) in enumerate(zip(SESSIONS, words, times, strict=True)):
        more = "और " * place  # so that no recording has the value of another, or of all
        turns = [("s1", 1.0, 5.0, "जी नमस्ते"), ("s2", float(start), 6.5, f"{word} {more}ठीक है"), ("s1", 24.0, 2.0, "जी")]
        rttm = (f"SPEAKER {session} 1 {at:.3f} {length:.3f} <NA> <NA> {who} <NA> <NA>\n" for who, at, length, _ in turns)
        (folder / "rttm" / f"{session}.rttm").write_text("".join(rttm))
        said = [seglst(session, who, at, at + length, words) for who, at, length, words in turns]
        (folder / "words" / f"{session}.json").write_text(json.dumps(said, ensure_ascii=False))
    (folder / "topics.csv").write_text("session_id,topics\n" + "".join(f"{one},fever; {TOPIC}\n" for one in SESSIONS))
    (folder / "terms.md").write_text(TERMS)
    (folder / "challenge.toml").write_text(_toml())
    return folder / "challenge.toml"


def seglst(session: str, speaker: str, start: float, end: float, words: str) -> dict[str, Any]:
    """One turn of a transcript."""
    return {"session_id": session, "speaker": speaker, "start_time": start, "end_time": end, "words": words}


def answer(shift: float = 0.0) -> bytes:
    """A submission for who spoke when; ``shift`` in seconds makes another."""
    turns = [("a", 1.0 + shift, 5.0), ("b", 11.0, 6.0), ("a", 24.0, 2.0)]
    lines = (
        f"SPEAKER {one} 1 {at:.3f} {length:.3f} <NA> <NA> {who} <NA> <NA>\n" for one in SESSIONS for who, at, length in turns
    )
    return "".join(lines).encode()


def transcript(shift: float = 0.0) -> bytes:
    """A submission for what was said."""
    said = [
        [seglst(one, "a", 1 + shift, 6, "जी नमस्ते"), seglst(one, "b", 11, 17, "ठीक है"), seglst(one, "a", 24, 26, "जी जी")]
        for one in SESSIONS
    ]
    return json.dumps([turn for turns in said for turn in turns], ensure_ascii=False).encode()


_loops = ExitStack()


@cache
def loop() -> BlockingPortal:
    """Where applications answer; a client without it starts a thread and an event loop for every request."""
    return _loops.enter_context(start_blocking_portal())


def end_loop() -> None:
    """End it, whose threads would keep the process from ending."""
    loop.cache_clear()
    _loops.close()


@dataclass
class Site:
    """A service with its challenge loaded, an organiser, and two teams of one."""

    settings: Settings
    database: Database
    store: Store
    app: FastAPI
    teams: dict[str, str] = field(default_factory=dict)
    """Ids of the teams by their only member's address."""

    def close(self) -> None:
        """Give back every connection."""
        self.app.state.service.close()
        self.database.close()

    def client(self, headers: Mapping[str, str] | None = None) -> TestClient:
        """What sends requests to the application, and keeps cookies."""
        client = TestClient(self.app, base_url=self.settings.address, headers=dict(headers or {}), follow_redirects=False)
        client.portal = loop()
        return client

    def browser(self, email: str = "") -> Browser:
        """A browser, logged in where an address is given."""
        browser = Browser(self.client())
        if email:
            with self.database.read() as session:
                user = session.scalars(select(User).where(User.email == email)).one()
            browser.client.cookies.set("parakh-session", accounts.open_session(self.database, user))
        return browser

    def token(self, email: str, *scopes: str) -> str:
        """A new token of somebody."""
        viewer = accounts.viewer_named(self.database, email)
        return accounts.make_token(self.database, viewer, "test", scopes or ("read", "submit"))[1]

    def program(self, token: str = "") -> TestClient:
        """What speaks to the API."""
        return self.client({"Authorization": f"Bearer {token}"} if token else {})

    def hand_in(self, email: str, phase: str, track: str, content: bytes, name: str = "answer.rttm") -> str:
        """A submission of somebody's team, not scored yet."""
        viewer = accounts.viewer_named(self.database, email)
        with self.database.read() as session:
            contest_id = contest_named(session, NAME, phase, track).id
        made = submissions.make(
            self.database, self.store, viewer, contest_id, self.teams[email], [content], name, system="a system"
        )
        return made.id

    def score(self) -> None:
        """Score everything that waits, in the child process that a worker uses, and make the boards."""
        with self.database.read() as session:
            waiting = list(session.scalars(select(Submission).where(Submission.state == State.QUEUED.value)).unique())
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(self._score, waiting))
        for contest_id in {one.contest_id for one in waiting}:
            boards.refresh(self.database, self.store, contest_id)

    def _score(self, row: Submission) -> None:
        contest = row.contest
        begun = outcomes.begin(self.database, row.id, contest.references, contest.metric_set_id)
        assert begun is not None
        job = outcomes.job_of(self.settings.data, self.store, *begun, contest.references)
        with tempfile.TemporaryDirectory() as scratch:
            outcome = run_job(job, self.settings.job, Path(scratch))
            outcomes.record(self.database, self.store, row.id, contest.metric_set_id, contest.references, outcome)


class Browser:
    """A browser that fills in forms: the token of each comes from a page that has one."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self._tokens: dict[str, str] = {}
        """By cookies, to which they are bound."""

    def get(self, path: str) -> Any:
        """A page."""
        return self.client.get(path)

    def cookies(self) -> str:
        """Its cookies as a header has them."""
        return "; ".join(f"{one.name}={one.value}" for one in self.client.cookies.jar)

    def token(self, path: str = "") -> str:
        """The hidden field of a page's forms."""
        cookies = self.cookies()
        if cookies and cookies in self._tokens:
            return self._tokens[cookies]
        for place in (path, "/me", "/log-in"):
            found = re.search(r'name="csrf" value="([^"]+)"', self.client.get(place).text) if place else None
            if found:
                return self._tokens.setdefault(self.cookies(), found.group(1))
        raise AssertionError("no page has a form")

    def post(self, path: str, fields: Mapping[str, Any], files: Any = None) -> Any:
        """Send a form."""
        return self.client.post(path, data={"csrf": self.token(), **fields}, files=files)


def site(folder: Path, challenge: Path | None = None, name: str = NAME, database_url: str = "") -> Site:
    """A new service in a folder; addresses in it are ``organiser@``, ``one@``, ``two@`` and ``alone@example.org``."""
    data = folder / "data"
    data.mkdir(parents=True)
    settings = Settings(
        data, database_url, address="http://127.0.0.1:8765", job=JobLimits(seconds=60.0), upload_bytes=300 * 2**20
    )
    database = Database(settings.database_url)
    migrate(database)
    challenges.load(database, data, challenge or write_challenge(folder / "challenge"), "test")
    made = Site(settings, database, Store(settings.store), make_app(settings))
    for who in ("organiser", "one", "two", "alone"):
        role = Role.ORGANISER if who == "organiser" else Role.MEMBER
        accounts.sign_up(database, f"{who}@example.org", who, PASSWORD, role)
    for who in ("one", "two"):
        viewer = accounts.viewer_named(database, f"{who}@example.org")
        teams.accept_terms(database, viewer, name, "1")
        made.teams[viewer.name] = teams.make_team(database, viewer, name, f"Team {who}").id
    return made


def set_phases(site: Site, *, frozen: bool = False, thawed: bool = False) -> None:
    """Freeze every phase a moment ago, or let it go on."""
    viewer = accounts.viewer_named(site.database, "organiser@example.org")
    for phase in PHASES:
        if frozen or thawed:
            challenges.set_phase(
                site.database, viewer, NAME, phase, freezes=now() - timedelta(milliseconds=1) if frozen else None
            )
    _refresh(site)


def reveal(site: Site) -> None:
    """Reveal every phase."""
    viewer = accounts.viewer_named(site.database, "organiser@example.org")
    for phase in PHASES:
        challenges.reveal(site.database, viewer, NAME, phase)
    _refresh(site)


def hide(site: Site) -> None:
    """Take the reveals back."""
    viewer = accounts.viewer_named(site.database, "organiser@example.org")
    for phase in PHASES:
        challenges.hide(site.database, viewer, NAME, phase)
    _refresh(site)


def _refresh(site: Site) -> None:
    with site.database.read() as session:
        contests = list(session.scalars(select(Contest.id)))
    for contest_id in contests:
        boards.refresh(site.database, site.store, contest_id)


def every_route() -> list[tuple[str, str]]:
    """Method and path of every page and every operation of the API."""
    from parakh.leaderboard.web import api, pages

    found = []
    for package, prefix in ((pages, ""), (api, "/api/v1")):
        for router in routers(package):
            found += [(method, prefix + one.path) for one in router.routes for method in sorted(one.methods)]  # type: ignore[attr-defined]
    return sorted(found)


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The application behind a real server on this machine; its address."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)


def _toml() -> str:
    head = f"""\
name = "{NAME}"
title = "Planted"
description = "Five recordings."
contact = "me@example.org"
time_zone = "Asia/Kolkata"
[terms]
version = "1"
file = "terms.md"
[tracks.diarization]
title = "Who spoke when"
metrics = ["der"]
level = false
[tracks.asr]
title = "What was said"
metrics = ["tcpwer"]
level = false
"""
    phases = (
        f"""\
[phases.{key}]
title = "Phase {key}"
tracks = ["diarization", "asr"]
recordings = "recordings.jsonl"
shows = "{shows}"
shows_revealed = "{then}"
[phases.{key}.references]
diarization = "rttm"
asr = "words"
[phases.{key}.limits]
day = 50
"""
        for key, (shows, then) in PHASES.items()
    )
    return head + "".join(phases)

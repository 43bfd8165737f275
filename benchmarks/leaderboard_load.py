"""Time the pages of a leaderboard under load: a real server process, and requests at a fixed rate whatever it answers.

    python benchmarks/leaderboard_load.py [--submissions N] [--teams N] [--rate N] [--seconds N]

5,000 scored submissions of 100 teams to one board (40 recordings, two metrics, six slices) are made in a new data folder, as rows
and Results files; the board is made by the service. Then ``parakh serve`` runs without a worker, and this process asks it 100
times a second for 20 seconds: seven of ten requests want the board, the others a slice of it, the page of the challenge, the
scores over time. A request's time begins when it was due, so that whatever queues up is counted. Told are the times of each page
in milliseconds, first of browsers that know nothing, then of those that have the page already (If-None-Match).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from parakh.leaderboard import boards, challenges
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.database.tables import Kind, ScoreRow, State, Submission, Team
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store
from tests.service.made_boards import SLICES, noisy, results
from tests.service.processes import Served

NAME = "load"
RECORDINGS = 40
BOARD = f"/c/{NAME}/eval/asr"
PAGES = {
    "board": (7, BOARD),
    "board of a slice": (1, f"{BOARD}?by=language:hi"),
    "challenge": (1, f"/c/{NAME}"),
    "scores over time": (1, f"{BOARD}/history"),
}
"""How often of ten each page is wanted, and its address."""
CONNECTIONS = 32
IDLE = 3.0
"""Seconds."""

CHALLENGE = """\
name = "load"
title = "Load"
description = "Made for a benchmark."
contact = "me@example.org"
time_zone = "Asia/Kolkata"
[tracks.asr]
title = "What was said"
metrics = ["wer", "cer"]
tie_break = ["cer"]
slice_by = ["language", "place"]
[phases.eval]
title = "Evaluation"
tracks = ["asr"]
recordings = "recordings.jsonl"
[phases.eval.references]
asr = "words.json"
"""


def write_challenge(folder: Path) -> Path:
    """The files of a challenge with tiny references."""
    folder.mkdir(parents=True)
    ids = [f"v{place:03d}" for place in range(RECORDINGS)]
    manifest = [
        json.dumps(
            {
                "session_id": one,
                "duration": 60.0,
                "language": SLICES["language"][place % 2],
                "place": SLICES["place"][place % 4],
            }
        )
        for place, one in enumerate(ids)
    ]
    (folder / "recordings.jsonl").write_text("\n".join(manifest) + "\n")
    said = [{"session_id": one, "speaker": "a", "start_time": 0.0, "end_time": 9.0, "words": "one two"} for one in ids]
    (folder / "words.json").write_text(json.dumps(said))
    (folder / "challenge.toml").write_text(CHALLENGE)
    return folder / "challenge.toml"


def fill(settings: Settings, folder: Path, submissions: int, teams: int) -> None:
    """A service with a challenge and its submissions, as if they had been scored over sixty days."""
    settings.data.mkdir(parents=True)
    database, store = Database(settings.database_url), Store(settings.store)
    migrate(database)
    challenges.load(database, settings.data, write_challenge(folder), "benchmark")
    rng = random.Random(1)
    with database.write() as session:
        contest = contest_named(session, NAME, "eval", "asr")
        metrics = MetricSet.from_dict(contest.metric_set.rules)
        entered = [Team(challenge_id=contest.phase.challenge_id, name=f"Team {place}") for place in range(teams)]
        session.add_all(entered)
        session.flush()
        for place, team in enumerate(entered):
            best = 0.12 + 0.4 * place / teams
            made = results(noisy(best, place, RECORDINGS), metrics=metrics, samples=200)
            file = store.put([made.to_json().encode()])
            value = made.metrics["wer"].value or 0.0
            for number in range(submissions // teams):
                worse = value + 0.01 * rng.random() * (submissions // teams - 1 - number)
                at = now() - timedelta(days=60 * rng.random())
                kind = Kind.BASELINE if place == 5 else Kind.CLOSED if place == 9 else Kind.SUBMISSION
                one = Submission(
                    contest_id=contest.id,
                    team_id=team.id,
                    kind=kind.value,
                    made_at=at,
                    file=file,
                    file_name="answers.zip",
                    size=1,
                    state=State.SCORED.value,
                    system=f"system {number}",
                    tags=["made"],
                )
                session.add(one)
                session.flush()
                score = ScoreRow(submission_id=one.id, metric_set_id=contest.metric_set_id, references=contest.references)
                score.results, score.value, score.parakh = file, worse, "benchmark"
                session.add(score)
        contest.version += 1
    started = time.perf_counter()
    boards.refresh(database, store, contest.id)
    print(f"{submissions} submissions of {teams} teams; the board was made in {time.perf_counter() - started:.1f} s")
    database.close()


class Connections:
    """Open connections to a server, handed out one request at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.free: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []
        self.room = asyncio.Semaphore(CONNECTIONS)

    async def get(self, path: str, known: str = "") -> tuple[int, str, int]:
        """Status, ETag and size of a page."""
        async with self.room:
            reader, writer = await self._one()
            condition = f"If-None-Match: {known}\r\n" if known else ""
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{condition}\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            fields = {name.lower(): value for name, value in headers.items()}
            size = int(fields.get("content-length", 0))
            await reader.readexactly(size)
            self.free.append((time.perf_counter(), reader, writer))
            return int(head.split(" ", 2)[1]), fields.get("etag", ""), size

    async def _one(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The connection used last; one that was idle for seconds may be closed by the server at any moment."""
        while self.free:
            used, reader, writer = self.free.pop()
            if time.perf_counter() - used < IDLE:
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self.port)


async def ask(port: int, rate: float, seconds: float, *, conditional: bool) -> None:
    """Ask at a fixed rate, and tell how long the answers took."""
    connections, rng = Connections(port), random.Random(2)
    names = [name for name, (weight, _) in PAGES.items() for _ in range(weight)]
    tags, sizes = {}, {}
    for name, (_, path) in PAGES.items():
        status, tags[name], sizes[name] = await connections.get(path)
        assert status == 200, (path, status)
    times: dict[str, list[float]] = defaultdict(list)
    states: dict[int, int] = defaultdict(int)

    async def one(due: float, name: str) -> None:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        status, _, _ = await connections.get(PAGES[name][1], tags[name] if conditional else "")
        times[name].append(1000 * (time.perf_counter() - due))
        states[status] += 1

    start = time.perf_counter() + 0.5
    await asyncio.gather(*(one(start + place / rate, rng.choice(names)) for place in range(int(rate * seconds))))
    took = time.perf_counter() - start
    print(f"{sum(states.values())} requests in {took:.1f} s, {dict(states)}, {'known pages' if conditional else 'unknown pages'}")
    for name, found in times.items():
        print(f"    {name:18} {len(found):5} x {sizes[name] / 1024:5.0f} KiB   {told(found)}")
    print(f"    {'all':18} {'':18} {told([value for found in times.values() for value in found])}")


def told(times: Sequence[float]) -> str:
    """Percentiles in words."""
    p50, p95, p99 = np.percentile(times, [50, 95, 99])
    return f"p50 {p50:6.1f}   p95 {p95:6.1f}   p99 {p99:6.1f}   most {max(times):6.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--submissions", type=int, default=5000)
    parser.add_argument("--teams", type=int, default=100)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "data")
        fill(settings, Path(folder) / "challenge", given.submissions, given.teams)
        with Served(settings.data, "--no-worker") as server:
            port = urlsplit(server.address).port or 0
            for conditional in (False, True):
                asyncio.run(ask(port, given.rate, min(given.seconds, 20), conditional=conditional))


if __name__ == "__main__":
    main()

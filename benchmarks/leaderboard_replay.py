"""A challenge of the size of the 2026 one played from end to end: people, teams, 500 submissions, freeze, reveal, re-scoring.

    python benchmarks/leaderboard_replay.py [--teams 12] [--dev 8] [--eval 2] [--recordings 10] [--workers 2]

Real processes do everything: ``parakh admin`` makes and loads, ``parakh serve`` takes forms and API calls, it and further
``parakh worker`` score. All teams hand in at once, each as fast as its limits allow; some files are bad, some submissions are
taken back; the evaluation freezes half-way, one track of it is scored again under another collar, and it is revealed. In the end
every state, value and rank is compared with what ``evaluate`` says of the same files here.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from leaderboard_processes import Browser, run, worker
from leaderboard_world import PLACES, TRACKS, Reference, references, spoilt, write_bad_zip, write_challenge, write_zip

from parakh import formats, metrics, tracks
from parakh.evaluate import evaluate
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.client import Client, ServerError
from tests.service.processes import Served

PASSWORD = "played once more"
COLLAR = 0.25
"""Of the re-scoring, in seconds."""


@dataclass
class Handed:
    """One file that was handed in, and what is to come of it."""

    team: str
    phase: str
    track: str
    folder: Path | None
    id: str = ""
    is_late: bool = False
    is_withdrawn: bool = False
    value: float | None = None


@dataclass
class Play:
    """All that is known while it runs."""

    folder: Path
    bad: int
    """Bad zips that are left."""
    known: dict[str, list[Reference]]
    address: str = ""
    handed: list[Handed] = field(default_factory=list)
    turned_away: int = 0
    """Tries beyond what a phase allows."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    seconds: dict[str, float] = field(default_factory=dict)
    uploads: list[float] = field(default_factory=list)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """How long a part takes."""
        print(f"{name} ...", file=sys.stderr, flush=True)
        started = time.monotonic()
        yield
        self.seconds[name] = time.monotonic() - started


def main() -> None:
    """Play it, check it, print what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teams", type=int, default=12)
    parser.add_argument("--dev", type=int, default=8, help="submissions of a team in each track of the first phase")
    parser.add_argument("--eval", type=int, default=2, help="the same of the second, at least 2")
    parser.add_argument("--bad", type=int, default=20, help="bad zips")
    parser.add_argument("--recordings", type=int, default=10, help="of each phase")
    parser.add_argument("--workers", type=int, default=2, help="processes that score")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what it started ends with it
    with tempfile.TemporaryDirectory(prefix="parakh-replay-") as folder, ExitStack() as stack:
        play = Play(Path(folder), chosen.bad, {phase: references(phase, chosen.recordings) for phase in ("dev", "eval")})
        with play.timed("load, start"):
            start(play, stack, chosen.workers)
        with play.timed("sign up, make teams"):
            people = [Person(play, f"Team {k + 1}") for k in range(chosen.teams)]
        with play.timed("dev"):
            in_threads(people, lambda person: person.develop(chosen.dev, bad=chosen.bad // chosen.teams + 1))
        with play.timed("eval until the freeze"):
            in_threads(people, lambda person: person.enter(chosen.eval // 2))
        freeze(play)
        with play.timed("eval after the freeze"):
            in_threads(people, lambda person: person.enter(chosen.eval - chosen.eval // 2, late=True))
            for person in people[: chosen.teams * 2 // 3]:
                person.take_back()
        checks = Checks(play, {person.team: person.client for person in people})
        checks.states()
        checks.boards("dev")
        checks.boards("eval", frozen=True)
        with play.timed("re-scoring of 1 track"):
            checks.rescoring(Organiser(play))
        run("admin", "reveal", "replay", "eval", "--yes", "--data", str(play.folder / "data"))
        checks.boards("eval")
    report(play, checks)


def start(play: Play, stack: ExitStack, workers: int) -> None:
    """Load the challenge; start a server with its worker, and further workers."""
    now = datetime.now(UTC)
    world, data = play.folder / "challenge", str(play.folder / "data")
    world.mkdir()
    dates = (now - timedelta(days=1), now + timedelta(days=1))
    toml = write_challenge(world, play.known, dict.fromkeys(play.known, dates))
    secret = play.folder / "password"
    secret.write_text(PASSWORD)
    run("admin", "load", str(toml), "--data", data)
    run("admin", "create", "organiser@example.org", "--role", "organiser", "--password-file", str(secret), "--data", data)
    play.address = stack.enter_context(Served(play.folder / "data")).address
    for _ in range(workers - 1):
        stack.enter_context(worker(data))


def in_threads(people: Sequence[Person], what: Any) -> None:
    """All people at once; the first error of one is everybody's."""
    with ThreadPoolExecutor(len(people)) as pool:
        list(pool.map(what, people))


class Person(Browser):
    """The leader of a team, with a token."""

    def __init__(self, play: Play, team: str) -> None:
        super().__init__(play.address)
        self.play, self.team = play, team
        self.draw = random.Random(team)
        self.skill = self.draw.uniform(0.05, 0.4)
        """Share of errors in the first submission."""
        self.waiting: dict[tuple[str, str], list[str]] = {}
        """Keys of what was handed in and may not be scored yet, by phase and track."""
        email = f"{team.lower().replace(' ', '-')}@example.org"
        self.fill("/sign-up", "/sign-up", email=email, name=team, password=PASSWORD)
        self.fill("/c/replay/terms", "/c/replay/terms", version="1")
        self.fill("/c/replay/team", "/c/replay/team", name=team)
        page = self.fill("/me", "/me/tokens", name="replay", scopes=["read", "submit"])
        self.client = Client(play.address, re.findall(r"parakh_\w{40}", page)[0])

    def develop(self, rounds: int, bad: int) -> None:
        """Hand in better and better answers, bad zips among them, and one more than is allowed."""
        for number in range(rounds):
            for track in TRACKS:
                self.answer("dev", track, number)
            if number < bad:
                self.bad(number)
        if rounds >= 8:
            self.one_too_many()

    def enter(self, rounds: int, *, late: bool = False) -> None:
        """Hand in to the evaluation."""
        for number in range(rounds):
            for track in TRACKS:
                self.answer("eval", track, 8 + number + late, late=late)

    def answer(self, phase: str, track: str, number: int, *, late: bool = False) -> None:
        """One file with answers."""
        rate = self.skill * 0.85**number * self.draw.uniform(0.9, 1.1)
        name = f"{self.team} {phase} {track} {number}"
        path = self.play.folder / f"{name}.zip".replace(" ", "-")
        write_zip(track, spoilt(track, self.play.known[phase], rate, name), path)
        self.send(path, Handed(self.team, phase, track, path.with_suffix(""), is_late=late))

    def bad(self, number: int) -> None:
        """One file with faults, as long as there are some left."""
        with self.play.lock:
            if self.play.bad == 0:
                return
            self.play.bad -= 1
        which = number + len(self.team)
        path = write_bad_zip(self.play.folder / f"{self.team}-bad-{number}.zip".replace(" ", "-"), self.play.known["dev"], which)
        self.send(path, Handed(self.team, "dev", "diarization", None))

    def send(self, path: Path, handed: Handed) -> None:
        """Upload, once no more than two others of the team wait in the same track."""
        waiting = self.waiting.setdefault((handed.phase, handed.track), [])
        while len(waiting) > 2:
            self.client.wait(waiting.pop(0), every=1.0)
        started = time.monotonic()
        made = self.client.submit(path, "replay", handed.phase, handed.track, system=path.stem)
        waiting.append(made["id"])
        with self.play.lock:
            self.play.uploads.append(time.monotonic() - started)
            self.play.handed.append(replace(handed, id=made["id"]))

    def one_too_many(self) -> None:
        """The ninth of a day is turned away, once the others are scored."""
        for one in [one for one in self.play.handed if (one.team, one.phase, one.track) == (self.team, "dev", "topics")]:
            self.client.wait(one.id, every=1.0)
        path = next(self.play.folder.glob(f"{self.team}-dev-topics-0.zip".replace(" ", "-")))
        try:
            self.client.submit(path, "replay", "dev", "topics")
        except ServerError:
            with self.play.lock:
                self.play.turned_away += 1

    def take_back(self) -> None:
        """Withdraw the last of the evaluation."""
        last = [one for one in self.play.handed if one.team == self.team and one.is_late][-1]
        page = f"/s/{last.id}"
        self.client.wait(last.id, every=1.0)
        self.fill(page, f"{page}/withdraw")
        last.is_withdrawn = True


class Organiser(Browser):
    """Who runs it."""

    def __init__(self, play: Play) -> None:
        super().__init__(play.address)
        self.fill("/log-in", "/log-in", email="organiser@example.org", password=PASSWORD)

    def rescore(self, contest: str, rules: dict[str, Any]) -> str:
        """Try other rules on a contest, and return the page with the difference once all is scored."""
        base = "/organise/c/replay/rescoring"
        page = self.http.get(base).text
        number = re.findall(r'name="contest" value="(\d+)"', page.partition(contest)[2])[0]
        self.fill(base, base, contest=number, rules=json.dumps(rules))
        address = re.findall(rf"{base}/\w+", self.http.get(base).text)[0]
        while "What would change" not in (page := self.http.get(address).text):
            time.sleep(1)
        self.fill(address, f"{address}/apply")
        return page


def freeze(play: Play) -> None:
    """Let the public board of the evaluation stand still from now on."""
    time.sleep(1.1)
    moment = datetime.now(UTC).replace(microsecond=0)
    run("admin", "phase", "replay", "eval", "--freezes", moment.isoformat(), "--data", str(play.folder / "data"))


class Checks:
    """What the service says, against what ``evaluate`` says here."""

    def __init__(self, play: Play, clients: dict[str, Client]) -> None:
        self.play, self.clients = play, clients
        self.visitor = Client(play.address)
        self.found: Counter[str] = Counter()
        self.faults: list[str] = []
        self.options: dict[str, dict[str, Any]] = {}

    def expect(self, what: str, got: object, wanted: object) -> None:
        """Count a comparison."""
        self.found[what.partition(":")[0]] += 1
        if got != wanted:
            self.faults.append(f"{what}: found {got}, expected {wanted}")

    def states(self) -> None:
        """Wait for every submission; each is scored, or refused where its file is bad, and has the value that it has here."""
        with self.play.timed("wait for the last"):
            for one in self.play.handed:
                self.clients[one.team].wait(one.id, every=0.5)
        with self.play.timed("evaluate here"):
            for one in self.play.handed:
                shown = self.clients[one.team].status(one.id)
                self.expect(f"state: {one.id}", shown["state"], "scored" if one.folder else "refused")
                if one.folder:
                    one.value = self.value(one)
                    self.expect(f"value: {one.id}", shown["scores"][shown["rank_by"]]["value"], one.value)

    def value(self, one: Handed) -> float | None:
        """Of the ranking metric, by ``evaluate``."""
        track = tracks.get(one.track)
        place = self.play.folder / "challenge" / one.phase / PLACES[one.track]
        reference = list(formats.load([str(place)], track.item).items)
        answers = formats.load([str(one.folder)], track.item).items
        options = self.options.get(f"{one.phase}/{one.track}")
        return evaluate(track, reference, answers, metrics=[track.metrics[0]], options=options).metrics[track.metrics[0]].value

    def boards(self, phase: str, *, frozen: bool = False) -> None:
        """Each team's best, in the order of its values."""
        with self.play.timed(f"boards of {phase}{', frozen' if frozen else ''}"):
            for track in TRACKS:
                wanted = self.ranks(phase, track, frozen=frozen)
                self.expect(f"board: {phase}/{track}", self.settled(phase, track, wanted), wanted)

    def settled(self, phase: str, track: str, wanted: object) -> object:
        """The public board, once it is as wanted, or a minute later: it follows the last score by itself."""
        for _ in range(120):
            board = self.visitor.board("replay", phase, track)
            name = board["metric_set"]["rank_by"]
            got = sorted((row["rank"], row["team"], row["values"][""][""][name][0]) for row in board["rows"])
            if got == wanted:
                break
            time.sleep(0.5)
        return got

    def ranks(self, phase: str, track: str, *, frozen: bool) -> list[tuple[object, ...]]:
        """The same from the files."""
        better = metrics.get(tracks.get(track).metrics[0]).better.name
        sign = 1 if better == "LOWER" else -1
        best: dict[str, float] = {}
        for one in self.play.handed:
            counts = (one.phase, one.track) == (phase, track) and one.value is not None and not one.is_withdrawn
            if counts and not (frozen and one.is_late) and one.value is not None:
                best[one.team] = min(best.get(one.team, 9.0 * sign), one.value, key=lambda value: sign * value)
        values = sorted(best.values(), key=lambda value: sign * value)
        return sorted((values.index(value) + 1, team, value) for team, value in best.items())  # equals share a rank

    def rescoring(self, organiser: Organiser) -> None:
        """Score the evaluation's diarization again under another collar, look at the difference, and apply it."""
        board = self.visitor.board("replay", "eval", "diarization")
        rules = MetricSet.from_dict(board["metric_set"])
        rules = replace(rules, version="2", options={**rules.options, "collar": COLLAR})
        page = organiser.rescore("Diarization, eval", rules.to_dict())
        self.options["eval/diarization"] = {"collar": COLLAR}
        concerned = [one for one in self.play.handed if (one.phase, one.track) == ("eval", "diarization")]
        for one in concerned:
            one.value = self.value(one)
        for _, team, value in self.ranks("eval", "diarization", frozen=False):
            shown = re.findall(rf">{team}</span>.*?</tr>", page, re.S)
            self.expect(f"difference: {team}", bool(shown) and f"{100 * float(str(value)):.2f}" in shown[0], True)
        for one in concerned:
            shown_value = self.clients[one.team].status(one.id)["scores"]["der"]["value"]
            self.expect(f"value again: {one.id}", shown_value, one.value)


def report(play: Play, checks: Checks) -> None:
    """Print what it took and what was compared."""
    size = Counter((one.phase, "bad" if one.folder is None else "good") for one in play.handed)
    withdrawn = sum(one.is_withdrawn for one in play.handed)
    print(f"{len(play.handed)} submissions ({dict(size)}), {withdrawn} withdrawn, {play.turned_away} turned away at the limit")
    for name, seconds in play.seconds.items():
        print(f"  {name:32} {seconds:8.1f} s")
    uploads = sorted(play.uploads)
    median, late = (uploads[len(uploads) * share // 100] * 1000 for share in (50, 95))
    print(f"  upload: median {median:.0f} ms, 95th percentile {late:.0f} ms")
    print("compared: " + ", ".join(f"{count} {what}s" for what, count in checks.found.items()))
    print("\n".join(checks.faults) or "all equal")
    sys.exit(1 if checks.faults else 0)


if __name__ == "__main__":
    main()

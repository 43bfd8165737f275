"""What a phase hides cannot be had: every page and operation of the API, for everybody but organisers, before and after the reveal.

The references hold plants, words and times that no submission has. A route that is added is probed like the others: it may show
neither a plant nor a figure of a single recording unless ``MAY_SHOW`` says so, and then only to those who may see it.
"""

from __future__ import annotations

import io
import itertools
import json
import re
import statistics
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from parakh.leaderboard import accounts
from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.challenge_file import load_challenge
from parakh.leaderboard.clock import now
from parakh.leaderboard.database.tables import ScoreRow, Submission, Team
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.validation import check
from parakh.leaderboard.visibility import Viewer, sight
from parakh.leaderboard.web.wording import figure
from parakh.results import Results
from tests.service import sites
from tests.service.sites import NAME, PHASES, PLANTS, SESSIONS, Site

MAY_SHOW = {
    "/s/{submission_id}/recordings": Sight.RECORDINGS,
    "/s/{submission_id}/recordings/{session_id}": Sight.DIAGNOSIS,
    "/s/{submission_id}/diagnosis": Sight.DIAGNOSIS,
    "/compare": Sight.RECORDINGS,
    "/api/v1/compare": Sight.RECORDINGS,
    "/api/v1/submissions/{submission_id}": Sight.RECORDINGS,
    "/api/v1/submissions/{submission_id}/withdraw": Sight.RECORDINGS,
    "/api/v1/submissions/{submission_id}/choose": Sight.RECORDINGS,
    "/api/v1/submissions/{submission_id}/recordings/{session_id}": Sight.DIAGNOSIS,
}
"""What a route may show of a submission to those who have that sight of it; any other at most its scores."""
FILE_NAME = "confidential-name.rttm"
TRACKS = ("diarization", "asr")


@dataclass
class Planted:
    """The service, and what is in it."""

    site: Site
    submissions: dict[str, tuple[str, str]]
    """Phase and owner by id; refused ones have faults that quote them."""
    figures: dict[str, set[str]]
    """Texts of figures of single recordings by id of the submission."""
    secrets: dict[str, set[str]]
    """What only a team may read, by its member."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    site = sites.site(tmp_path_factory.mktemp("site"))
    made: dict[str, tuple[str, str]] = {}
    for shift, (phase, owner) in enumerate(itertools.product(PHASES, ("one", "two"))):
        email = f"{owner}@example.org"
        made[site.hand_in(email, phase, "diarization", sites.answer(shift / 10), FILE_NAME)] = (phase, owner)
        if owner == "one":
            made[site.hand_in(email, phase, "asr", sites.transcript(shift / 10), "words.json")] = (phase, owner)
    made[site.hand_in("one@example.org", "each", "diarization", b"SPEAKER visit1 1 mistyped 1 a\n", FILE_NAME)] = ("each", "one")
    site.score()
    yield Planted(site, made, figures_of(site, made), secrets_of(site))
    site.close()


def figures_of(site: Site, made: dict[str, tuple[str, str]]) -> dict[str, set[str]]:
    """How figures of single recordings read, without those that a whole submission has as well."""
    with site.database.read() as session:
        rows = {row.submission_id: row.results for row in session.scalars(select(ScoreRow))}
    loaded = {key: Results.load(site.store.path(results)) for key, results in rows.items()}
    assert len(loaded) == len(made) - 1  # but for the one that was refused
    whole = {text for one in loaded.values() for name, score in one.metrics.items() for text in read_as(name, score.value)}
    single = {
        key: {text for held in one.recordings for name, value in held.metrics.items() for text in read_as(name, value)} - whole
        for key, one in loaded.items()
    }
    assert all(len(texts) >= 3 for texts in single.values()), single
    return single


def read_as(metric: str, value: float | None) -> set[str]:
    assert value is not None
    return {figure(metric, value), f"{value:.6f}"} if value else set()


def secrets_of(site: Site) -> dict[str, set[str]]:
    with site.database.read() as session:
        return {team.members[0].user.name: {team.invite, FILE_NAME, "mistyped"} for team in session.scalars(select(Team))}


@dataclass
class Caller:
    """Who calls.

    Args:
        client: What they call with.
        name: Of their account; "" without one.
        sight: What they may see of each submission now.
    """

    client: Any
    name: str
    sight: dict[str, Sight]


def callers(site: Site) -> dict[str, Caller]:
    """Everybody but organisers."""
    with site.database.read() as session:
        rows = list(session.scalars(select(Submission)).unique())

    def caller(client: Any, name: str, viewer: Viewer) -> Caller:
        return Caller(client, name, {row.id: sight(viewer, row.contest.phase, row.team_id, now()) for row in rows})

    def browser(name: str) -> Caller:
        email = f"{name}@example.org"
        return caller(site.browser(email).client, name, accounts.viewer_named(site.database, email))

    def program(name: str) -> Caller:
        token = site.token(f"{name}@example.org", "read", "submit")
        viewer = accounts.viewer_of_token(site.database, token)
        assert viewer is not None
        return caller(site.program(token), name, viewer)

    return {
        "anybody": caller(site.browser().client, "", Viewer()),
        "somebody without a team": browser("alone"),
        "another team": browser("two"),
        "its team": browser("one"),
        "token of its team": program("one"),
        "token that does not organise": program("organiser"),
    }


def filled(path: str, planted: Planted) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The path with everything that its parameters may be, and the submissions that it is of."""
    names = re.findall(r"\{(\w+)\}", path)
    values: dict[str, tuple[str, ...]] = {
        "challenge": (NAME,),
        "phase": tuple(PHASES),
        "track": TRACKS,
        "submission_id": tuple(planted.submissions),
        "session_id": SESSIONS[:1],
        "form": ("csv", "json", "md", "tex"),
    }
    for chosen in itertools.product(*(values.get(name, ("unknown",)) for name in names)):
        place = dict(zip(names, chosen, strict=True))
        address = re.sub(r"\{(\w+)\}", "{}", path).format(*chosen)
        yield address, tuple(place[name] for name in names if name == "submission_id")
    if path.endswith("/compare"):
        for pair in itertools.combinations(planted.submissions, 2):
            if planted.submissions[pair[0]][1] == planted.submissions[pair[1]][1]:
                yield f"{path}?a={pair[0]}&b={pair[1]}", pair


def everything(answer: Any) -> str:
    """All that an answer says: status line, headers, body, the files of an archive, and what escapes stand for."""
    body = answer.content
    if body[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"\n".join([name.encode() + b"\n" + archive.read(name) for name in archive.namelist()])
    text = body.decode("utf-8", "replace")
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    unescaped = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found.group(1), 16)), text)
    return f"{headers}\n{text}\n{unescaped}"


def leaks(planted: Planted, path: str, shown: tuple[str, ...], caller: Caller, said: str) -> list[str]:
    """What an answer should not have said."""
    may = min([MAY_SHOW.get(path, Sight.SCORE), *(caller.sight[key] for key in shown)])
    found = [] if shown and may >= Sight.DIAGNOSIS else [plant for plant in PLANTS if plant in said]
    seen = {text for key in shown for text in planted.figures.get(key, ())} if may >= Sight.RECORDINGS else set()
    if not path.endswith("/compare") or may < Sight.RECORDINGS:  # else a difference may look like any figure
        found += [f"{text} of {key}" for key, texts in planted.figures.items() for text in texts - seen if text in said]
    for owner, secrets in planted.secrets.items():
        if owner != caller.name:
            found += [secret for secret in secrets - planted.secrets.get(caller.name, set()) if secret in said]
    return found


GETS = sorted({path for method, path in sites.every_route() if method == "GET"} | {"/api/openapi.json", "/nothing"})


def sweep(planted: Planted) -> tuple[list[str], dict[str, int]]:
    """Every route to look at something with, called by everybody: what leaked, and how many answers each had."""
    found, answers = [], {"shown": 0, "not shown": 0}
    for who, caller in callers(planted.site).items():
        for path in GETS:
            apart = ("token" in who and not path.startswith("/api/")) or (
                who == "somebody without a team" and "{submission_id}" in path
            )
            if apart or (path.endswith("/compare") and "team" not in who):
                continue  # a token has no pages, and who is in no team sees of submissions what anybody sees
            for address, shown in filled(path, planted):
                answer = caller.client.get(address)
                assert answer.status_code < 500, (who, address)
                answers["shown" if answer.status_code == 200 else "not shown"] += 1
                found += [f"{who}: {address} says {leak}" for leak in leaks(planted, path, shown, caller, everything(answer))]
    return found, answers


def test_nothing_leaks_before_and_after_the_reveal(planted: Planted) -> None:
    found, before = sweep(planted)
    assert not found, "\n".join(found[:20])
    sites.reveal(planted.site)
    try:
        found, after = sweep(planted)
        assert not found, "\n".join(found[:20])
    finally:
        sites.hide(planted.site)
    assert min(*before.values(), *after.values()) > 100
    assert after["shown"] > before["shown"]


def test_the_plants_are_found_where_they_may_be_seen(planted: Planted) -> None:
    """Without this the sweep could be blind itself."""
    organiser = planted.site.browser("organiser@example.org").client
    mine = next(key for key, (phase, owner) in planted.submissions.items() if (phase, owner) == ("each", "one"))
    assert any(text in organiser.get(f"/s/{mine}/recordings").text for text in planted.figures[mine])
    words = [key for key in planted.figures if f"{SESSIONS[0]}" in organiser.get(f"/s/{key}/recordings").text]
    pages = "".join(organiser.get(f"/s/{key}/recordings/{SESSIONS[0]}").text for key in words)
    assert sites.WORDS[0] in pages
    one = callers(planted.site)["its team"]
    assert leaks(planted, "/s/{submission_id}/recordings", (mine,), one, pages)
    assert one.client.get(f"/s/{mine}/recordings").status_code == 200  # this phase shows recordings, and no diagnosis
    assert one.client.get(f"/s/{mine}/recordings/{SESSIONS[0]}").status_code == 404


def test_changing_something_tells_nothing_either(planted: Planted) -> None:
    found = []
    for who, caller in callers(planted.site).items():
        for method, path in sites.every_route():
            if (
                method == "GET"
                or path in {"/log-out", "/log-in"}
                or path.endswith(("/withdraw", "/leave"))
                or ("token" in who and not path.startswith("/api/"))
            ):
                continue
            for address, shown in filled(path, planted):
                answer = call(caller.client, method, address)
                assert answer.status_code < 500, (who, method, address, answer.text)
                found += [
                    f"{who}: {method} {address} says {leak}" for leak in leaks(planted, path, shown, caller, everything(answer))
                ]
    assert not found, "\n".join(found[:20])


def call(client: Any, method: str, address: str) -> Any:
    """Send something that may well be refused."""
    if address.startswith("/api/"):
        return client.request(
            method, address, json={} if method == "PATCH" else None, files=None if method == "PATCH" else {"file": ("a", b"x")}
        )
    token = sites.Browser(client).token()
    return client.post(address, data={"csrf": token, "name": "a name", "contest": "silent/asr", "version": "1"})


def test_a_frozen_board_tells_nothing_of_what_came_since(planted: Planted) -> None:
    site = planted.site
    sites.set_phases(site, frozen=True)
    try:
        late = site.hand_in("two@example.org", "scores", "diarization", sites.answer(4.7), "late-name.rttm")
        site.score()
        with site.database.read() as session:
            row = session.scalars(select(ScoreRow).where(ScoreRow.submission_id == late)).one()
        hidden = {late, "late-name", *read_as("der", row.value)}
        for who in ("anybody", "somebody without a team", "its team"):
            client = callers(site)[who].client
            assert client.get(f"/s/{late}").status_code == 404
            for path in GETS:
                for address, shown in filled(path, planted):
                    if shown:
                        continue
                    said = everything(client.get(address)).replace(f"/s/{late}", "")
                    assert not [one for one in hidden if one in said], (who, address)
        assert callers(site)["another team"].client.get(f"/s/{late}").status_code == 200  # its own
    finally:
        sites.set_phases(site, thawed=True)


def test_validation_says_the_same_whatever_the_references_are(tmp_path: Path) -> None:
    other = sites.write_challenge(
        tmp_path / "b", ("अन्य", "other", "more", "of", "them"), ("11.001", "12.002", "14.003", "15.004", "16.005")
    )
    places = (sites.write_challenge(tmp_path / "a"), other)
    both = [sites.site(tmp_path / f"site{number}", place) for number, place in enumerate(places)]
    cases = {
        "a.rttm": b"SPEAKER visit1 1 x 1 a\n",
        "b.rttm": sites.answer().replace(b"visit3", b"visit9"),
        "c.json": b"[{}]",
        "d.zip": b"PK",
    }
    told = []
    for site in both:
        made = {name: site.hand_in("one@example.org", "scores", "diarization", content, name) for name, content in cases.items()}
        site.score()
        with site.database.read() as session:
            rows = {row.id: row for row in session.scalars(select(Submission)).unique()}
        told.append({name: (rows[key].state, rows[key].faults) for name, key in made.items()})
        site.close()
    assert told[0] == told[1]
    assert {state for state, _ in told[0].values()} == {"refused"}


def test_the_time_of_validation_does_not_hang_on_the_references(tmp_path: Path) -> None:
    long = tuple(word * 2000 for word in sites.WORDS)
    places = (sites.write_challenge(tmp_path / "a"), sites.write_challenge(tmp_path / "b", long))
    kits = [Kit.of(load_challenge(place), place.parent, "scores", "asr") for place in places]
    assert kits[0] == kits[1]  # all that it knows
    (tmp_path / "answer.json").write_bytes(sites.transcript())
    seconds: tuple[list[float], list[float]] = ([], [])
    for number in range(60):
        begun = time.perf_counter()
        check(tmp_path / "answer.json", kits[number % 2])
        seconds[number % 2].append(time.perf_counter() - begun)
    first, second = (statistics.median(one) for one in seconds)
    assert 0.5 < first / second < 2.0


def test_the_kit_holds_no_more_than_ids_durations_and_languages(planted: Planted) -> None:
    for phase, track in itertools.product(PHASES, TRACKS):
        kit = json.loads(planted.site.program().get(f"/api/v1/challenges/{NAME}/{phase}/{track}/kit").text)
        assert all(set(one) == {"session_id", "duration", "language"} for one in kit["recordings"])

"""What strangers type, in every field of every form, and what strangers upload: shown and never run, refused in plain words, and
the service alive after each."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from parakh.leaderboard import accounts, challenges, outcomes, views_files
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database.tables import Submission
from parakh.leaderboard.scoring import Ending, Outcome
from parakh.leaderboard.validation import check
from parakh.leaderboard.visibility import Viewer
from tests.pages import EVIL
from tests.service import sites, worlds
from tests.service.clusters import Cluster
from tests.service.hostile import HOSTILE
from tests.service.sites import NAME, Site

TEXTS = (
    EVIL,
    "\"'><script src=//evil.example></script>",
    "{{ 7 * 7 }}{% raw %}${7*7}",
    "'; DROP TABLE users; --",
    "' OR 1=1 /*",
    "%' UNION SELECT password FROM users --",
    "\\'; x",
    "javascript:alert(1)",
    "\u202egpj.exe",
    "a\u0000b",
    "\ud7ff\ufffe",
    "👩‍⚕️" * 30,
    '=HYPERLINK("http://evil.example")',
    "\r\nSet-Cookie: a=b",
)
IDLE = {"/log-out", "/me/password", "/log-in"}
"""Forms that would end the visit."""


@dataclass
class Forms(HTMLParser):
    """The forms of a page: action, fields with their values."""

    found: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if name == "form" and given.get("method") == "post":
            self.found.append((given["action"], {}))
        elif name in {"input", "textarea", "select"} and self.found and given.get("name"):
            self.found[-1][1].setdefault(given["name"], given.get("value", ""))
        elif name == "option" and self.found and self.found[-1][1]:
            last = next(reversed(self.found[-1][1]))
            self.found[-1][1][last] = self.found[-1][1][last] or given.get("value", "")
        elif name in {"script", "img", "iframe", "object", "embed"}:
            assert not re.search("evil|stolen", given.get("src", "")), given
        assert not any(key.startswith("on") for key in given), given


def forms(answer: Any) -> list[tuple[str, dict[str, str]]]:
    """The forms of a page, which is looked at for what runs; other files have none."""
    parser = Forms()
    if "text/html" in answer.headers.get("content-type", ""):
        parser.feed(answer.text)
        assert "<script>console" not in answer.text
        assert "49${7" not in answer.text
    return parser.found


def pages(made: dict[str, str]) -> list[str]:
    """Every page that there is, with the names of things in place of its parameters."""
    known = {"challenge": NAME, "phase": "each", "track": "diarization", **made}
    found = []
    for method, path in sites.every_route():
        names = re.findall(r"\{(\w+)\}", path)
        if method == "GET" and not path.startswith("/api/") and set(names) <= set(known):
            found.append(path.format(**known))
    return found


@pytest.mark.parametrize("who", ["organiser@example.org", "one@example.org", ""])
def test_every_field_of_every_form_takes_any_text(site: Site, who: str) -> None:
    made = {
        "submission_id": site.hand_in("one@example.org", "each", "diarization", sites.answer(0.1 + len(who) / 100)),
        "session_id": "visit1",
    }
    browser = site.browser(who)
    places = pages(made)
    seen: set[tuple[str, str]] = set()
    for place in places:
        for action, fields in forms(browser.get(place)):
            if action in IDLE:
                continue
            for name in fields:
                if name != "csrf" and (action, name) not in seen:
                    seen.add((action, name))
                    tried(browser, action, fields, name)
    assert len(seen) >= (4 if not who else 10), seen
    for place in places:
        answer = browser.get(place)
        assert answer.status_code < 500, place
        forms(answer)
    assert site.browser("two@example.org").get("/me").status_code == 200


def tried(browser: Any, action: str, fields: dict[str, str], name: str) -> None:
    """One field with each text, the others as the page has them."""
    file = {"file": ("a.rttm", b"x")} if "file" in fields else None
    for text in TEXTS:
        values = {key: value for key, value in fields.items() if key not in {"csrf", "file"}}
        if name == "file":
            answer = browser.post(action, values, {"file": (text.replace("\r\n", ""), b"x")})
        else:
            answer = browser.post(action, {**values, name: text}, file)
        assert answer.status_code < 500, (action, name, text, answer.text)
        assert "set-cookie" not in answer.headers or "a=b" not in answer.headers["set-cookie"]
        forms(answer)


def test_postgresql_takes_any_text_too(tmp_path: Path, postgresql: Cluster) -> None:
    """It refuses NUL and halves of surrogate pairs where SQLite does not."""
    made = sites.site(tmp_path, database_url=postgresql.new_url())
    browser, program = (
        made.browser("one@example.org"),
        made.program(made.token("organiser@example.org", "read", "submit", "organise")),
    )
    for path in ("/s/{}", "/c/{}", "/c/{}/each/asr", "/c/planted/each/asr?by={}", "/compare?a={}&b={}", "/api/v1/submissions/{}"):
        for text in ("%00", "a%00b", "%ED%A0%80", "%27%3B--", "%F0%9F%91%A9", "a" * 3000):
            assert browser.get(path.replace("{}", text)).status_code in {200, 303, 400, 404}, (path, text)
    for action, fields in (
        ("/c/planted/team/rename", {"name": ""}),
        ("/c/planted/team/join", {"invite": ""}),
        ("/me/tokens", {"name": "", "scopes": "read"}),
    ):
        for name in fields:
            tried(browser, action, fields, name)
    place = "/api/v1/organise/challenges/planted"
    for text in ("\0", "a\0b", "'; --", "\\ud800"):
        sent = json.dumps({"phase": text, "track": text, "metric_set": text}).replace("\\\\ud800", "\\ud800")
        answer = program.post(f"{place}/rescorings", content=sent, headers={"Content-Type": "application/json"})
        assert answer.status_code in {404, 422}, (text, answer.text)
    made.close()


IN_A_CHILD = ("zip-bomb", "tar-traversal", "tar-hard-link", "zip-10000-files", "zip-quoted-bomb", "ids-without-end")
"""Cases that go through the child process that a worker uses; the others through the same check here."""


def test_every_hostile_upload_is_refused_and_the_service_lives(tmp_path: Path) -> None:
    made = sites.site(tmp_path / "site", worlds.CHALLENGE, worlds.NAME)
    open_for_all(made)
    program = made.program(made.token("one@example.org"))
    uploaded: dict[str, str] = {}
    for name, case in HOSTILE.items():
        place = f"/api/v1/challenges/{worlds.NAME}/eval/{case.track}/submissions"
        answer = program.post(place, files={"file": (case.file_name, case.content())})
        assert answer.status_code in {201, 413, 422}, (name, answer.text)
        if answer.status_code == 201:
            uploaded[answer.json()["id"]] = name
        assert program.get("/api/v1/me").status_code == 200, name
    assert len(uploaded) >= 50
    before = files_in(tmp_path)
    check_all(made, uploaded)
    made.score()
    browser = made.browser("one@example.org")
    for key, name in uploaded.items():
        seen = program.get(f"/api/v1/submissions/{key}").json()
        said = "\n".join(seen["faults"])
        assert seen["state"] == "refused", (name, seen)
        assert all(word in said for word in HOSTILE[name].expected), (name, said)
        assert str(tmp_path) not in said, (name, said)
        assert browser.get(f"/s/{key}").status_code == 200, name
    assert files_in(tmp_path) == before
    made.close()


def files_in(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file() and ".sqlite" not in path.name}


def check_all(made: Site, uploaded: dict[str, str]) -> None:
    """Check here what need not go through a child process, and write down what comes of it."""
    with made.database.read() as session:
        rows = list(session.scalars(select(Submission)).unique())
    for row in rows:
        if uploaded[row.id] not in IN_A_CHILD:
            contest = row.contest
            kit = views_files.kit(made.database, made.settings.data, Viewer(), worlds.NAME, contest.phase.key, contest.track)
            assert kit is not None
            faults = tuple(str(fault) for fault in check(made.store.path(row.file), kit, row.file_name).faults)
            assert outcomes.begin(made.database, row.id, contest.references, contest.metric_set_id) is not None
            outcome = Outcome(Ending.REFUSED, faults=faults)
            outcomes.record(made.database, made.store, row.id, contest.metric_set_id, contest.references, outcome)


def open_for_all(made: Site) -> None:
    """Open the phase, and lift its limits."""
    organiser = accounts.viewer_named(made.database, "organiser@example.org")
    challenges.set_phase(made.database, organiser, worlds.NAME, "eval", opens=None, closes=None, freezes=None)
    for track in ("diarization", "asr", "topics", "summarization"):
        with made.database.read() as session:
            contest_id = contest_named(session, worlds.NAME, "eval", track).id
        limits = Limits(10_000, 10_000, 10_000)
        challenges.set_override(made.database, organiser, made.teams["one@example.org"], contest_id, limits)

"""Every page in a real browser, narrow and wide, light and dark: nothing sticks out, no serious barrier, nobody else is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pages import EVIL, needs_browser

pytest.importorskip("fastapi")
pytest.importorskip("playwright")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from parakh.leaderboard import accounts, boards, diagnoses, submissions, teams
from parakh.leaderboard.contests import contest_named
from tests.service import sites
from tests.service.sites import NAME, Site

pytestmark = needs_browser
ORGANISER = "organiser@example.org"
CONSOLE = f"/organise/c/{NAME}"
LOOKS = ((375, "light"), (375, "dark"), (1280, "light"), (1280, "dark"))
MARKED = LOOKS[1:3]
"""Where axe-core looks as well: both widths and both schemes are among them."""


@pytest.fixture(scope="module")
def paths(site: Site) -> dict[str, str]:
    """The address of every page by its name; words of their makers want to be markup, and have no end."""
    turns = site.hand_in("one@example.org", "each", "diarization", sites.answer())
    other = site.hand_in("one@example.org", "each", "diarization", sites.answer(0.4))
    site.hand_in("two@example.org", "each", "diarization", sites.answer(0.2))
    words = site.hand_in("two@example.org", "each", "asr", sites.transcript(), "a.json")
    site.score()
    viewer = accounts.viewer_named(site.database, "one@example.org")
    long = {"system": EVIL[:80], "description": "नमस्ते " * 40 + "x" * 300, "tags": ["a-tag-without-any-end" + "x" * 15]}
    submissions.edit(site.database, viewer, turns, **long)  # type: ignore[arg-type]
    with site.database.read() as session:
        contest = contest_named(session, NAME, "each", "asr")
        file = session.connection().exec_driver_sql(f"select file from submissions where id = '{words}'").scalar_one()
    refused = site.hand_in("one@example.org", "scores", "diarization", b"SPEAKER visit1 1 0 1 a\n" * 30)
    site.score()
    diagnoses.Place.of(site.settings.data, file, contest.references).give_up("no room was left\n" * 5)
    board = f"/c/{NAME}/each/diarization"
    console = {
        f"console {name}": f"{CONSOLE}/{name}" for name in ("teams", "submissions", "rescoring", "webhooks", "audit", "downloads")
    }
    return {
        "front": "/",
        "challenge": f"/c/{NAME}",
        "board": board,
        "blind board": f"/c/{NAME}/silent/diarization",
        "scores over time": f"{board}/history",
        "submission": f"/s/{turns}",
        "refused": f"/s/{refused}",
        "recordings": f"/s/{turns}/recordings",
        "timeline": f"/s/{turns}/recordings/visit1",
        "transcript": f"/s/{words}/recordings/visit1",
        "diagnosis": f"/s/{words}/diagnosis",
        "comparison": f"/compare?a={turns}&b={other}",
        "console": "/organise",
        "jobs": "/organise/jobs",
        "users": "/organise/users",
        "log": "/organise/audit",
        "console phases": CONSOLE,
        "reveal": f"{CONSOLE}/phases/each/reveal",
        **console,
        "account": "/me",
        "nowhere": "/nowhere",
    }


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_page(site: Site, paths: dict[str, str], browser: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    with sites.served(site.app) as address:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: None if request.url.startswith((address, "data:")) else said.append(request.url))
        log_in(page, address)
        wrong = []
        for name, path in paths.items():
            answer = page.goto(address + path)
            assert answer is not None
            if name != "nowhere":
                assert answer.status == 200, path
            else:
                said.clear()  # the browser itself tells of the status
            page.screenshot(path=tmp_path / f"{name}-{width}-{scheme}.png", full_page=True)
            wrong += [f"{name}: {found}" for found in barriers(page, marked=(width, scheme) in MARKED)]
            wrong += [f"{name}: {one}" for one in said]
            said.clear()
        context.close()
        assert wrong == []


@pytest.mark.parametrize("width", [375, 1280])
def test_a_long_name_without_a_gap_stays_in_its_place(site: Site, paths: dict[str, str], browser: Browser, width: int) -> None:
    viewer = accounts.viewer_named(site.database, "one@example.org")
    teams.rename(site.database, viewer, site.teams[viewer.name], "W" * 80)
    with site.database.read() as session:
        contest = contest_named(session, NAME, "each", "diarization")
    boards.refresh(site.database, site.store, contest.id)
    wrong = []
    with sites.served(site.app) as address:
        context = browser.new_context(viewport={"width": width, "height": 800})
        page = context.new_page()
        log_in(page, address, viewer.name)
        for path in (
            *(paths[name] for name in ("challenge", "board", "recordings", "timeline", "comparison")),
            f"/c/{NAME}/team",
        ):
            page.goto(address + path)
            wrong += [f"{path}: {found}" for found in barriers(page, marked=False)]
            runs_over = "[...document.querySelectorAll('.team')].some(one => one.scrollWidth > one.clientWidth)"
            wrong += [f"{path}: a name runs over its cell"] * page.evaluate(runs_over)
        context.close()
    assert wrong == []


def log_in(page: Page, address: str, email: str = ORGANISER) -> None:
    page.goto(f"{address}/log-in")
    page.fill("#email", email)
    page.fill("#password", sites.PASSWORD)
    with page.expect_navigation():
        page.locator("main").get_by_role("button", name="Log in").click()


def barriers(page: Page, *, marked: bool) -> Iterator[str]:
    """What sticks out of a page, and the serious findings of axe-core."""
    sticks_out = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if sticks_out > 0:
        yield f"{sticks_out} px stick out"
    for one in Axe().run(page).response["violations"] if marked else ():
        if one["impact"] in {"serious", "critical"}:
            yield f"{one['id']}: {one['nodes'][0]['html'][:200]}"

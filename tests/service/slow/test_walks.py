"""People walk through the leaderboard in a real browser, from signing up to a rank, and an organiser beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.pages import needs_browser

pytest.importorskip("fastapi")
pytest.importorskip("playwright")

from playwright.sync_api import Browser

from parakh.bundled import examples_path
from parakh.leaderboard import accounts, challenges
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.database.tables import Role
from parakh.leaderboard.demo_systems import Embedded, Made, delay, lose_turns, one_voice
from parakh.leaderboard.settings import Settings
from tests.service.processes import Served
from tests.service.walking import PASSWORD, Walker

pytestmark = needs_browser
CHALLENGE = "parakh-example"
BOARD = f"/c/{CHALLENGE}/dev/diarization"
ORGANISER = "organiser@example.org"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the example challenge, whose evaluation is not open yet, and an organiser."""
    settings = Settings(tmp_path_factory.mktemp("walks") / "data")
    settings.data.mkdir()
    database = Database(settings.database_url)
    migrate(database)
    accounts.sign_up(database, ORGANISER, "Organiser", PASSWORD, Role.ORGANISER)
    challenges.load(database, settings.data, examples_path() / "challenge" / "challenge.toml", ORGANISER)
    organiser = accounts.viewer_named(database, ORGANISER)
    later, end = now() + timedelta(days=3), now() + timedelta(days=9)
    challenges.set_phase(database, organiser, CHALLENGE, "eval", opens=later, freezes=later, closes=end)
    database.close()
    with Served(settings.data) as server:
        yield server


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    (tmp_path / "shots").mkdir()
    return tmp_path / "shots"


def test_from_signing_up_to_a_rank(served: Served, browser: Browser, shots: Path, tmp_path: Path) -> None:
    asha, ravi = (Walker(browser, served.address, shots, name) for name in ("asha", "ravi"))
    asha.go("/")
    asha.click("Parakh example challenge", "link")
    asha.sign_up()
    asha.go(f"/c/{CHALLENGE}/team")  # which leads to the terms first
    asha.click("I accept these terms")
    asha.page.fill("#name", "आशा की टोली")
    asha.click("Make the team")
    invite = asha.page.locator("main code").first.inner_text()

    ravi.sign_up()
    ravi.accept(CHALLENGE)
    ravi.page.fill("#invite", invite)
    ravi.click("Join the team")
    assert ravi.says("आशा की टोली")
    assert "Ravi" in asha.go(f"/c/{CHALLENGE}/team").locator("main").inner_text()

    asha.hand_in(CHALLENGE, "dev/diarization", Embedded("diarization").write(tmp_path), "embedded cascade")
    assert asha.wait_for("scored").url.startswith(f"{served.address}/s/")
    assert asha.says("8.31")
    asha.go_until(BOARD, "आशा की टोली")
    row = asha.page.locator("tbody tr", has_text="आशा की टोली")
    assert row.locator("td, th").first.inner_text() == "1"

    asha.hand_in(CHALLENGE, "dev/diarization", faulty(tmp_path), "faulty")
    asha.wait_for("refused")
    faults = asha.page.locator(".faults li").all_inner_texts()
    assert [line[:24] for line in faults] == ["answers.rttm:1: duration", "answers.rttm:2: duration"]
    ravi.go(f"/c/{CHALLENGE}/team")
    assert ravi.says("1 of 20")  # what was refused costs nothing
    asha.check()
    ravi.check()


def faulty(folder: Path) -> Path:
    path = folder / "answers.rttm"
    turns = ("hi_anc_01 1 0.810 -2.890", "hi_anc_01 1 4.042 soon")
    path.write_text("".join(f"SPEAKER {turn} <NA> <NA> spk0 <NA> <NA>\n" for turn in turns))
    return path


def test_without_javascript(served: Served, browser: Browser, shots: Path, tmp_path: Path) -> None:
    plain = Walker(browser, served.address, shots, "plain", script=False)
    plain.sign_up()
    plain.accept(CHALLENGE)
    plain.page.fill("#name", "No script")
    plain.click("Make the team")
    made = Made("diarization", "reference", "turns begin 0.3 s late", delay(0.3))
    plain.hand_in(CHALLENGE, "dev/diarization", made.write(tmp_path), made.name)
    plain.wait_for("scored")
    assert plain.says("11.10")
    plain.go_until(BOARD, "No script")
    plain.click("kn", "link")
    assert plain.page.url.endswith("by=language%3Akn") or plain.page.url.endswith("by=language:kn")
    plain.check()


def test_log_in_and_upload_by_keyboard_alone(served: Served, browser: Browser, shots: Path, tmp_path: Path) -> None:
    keys = Walker(browser, served.address, shots, "keys")
    keys.sign_up()
    keys.accept(CHALLENGE)
    keys.page.fill("#name", "Keyboard")
    keys.click("Make the team")
    keys.context.clear_cookies()
    keys.go("/log-in")
    tab_to(keys, "#email")
    keys.page.keyboard.type(keys.email)
    tab_to(keys, "#password")
    keys.page.keyboard.type(PASSWORD)
    with keys.page.expect_navigation():
        keys.page.keyboard.press("Enter")
    keys.go(f"/c/{CHALLENGE}/submit")
    tab_to(keys, "#contest")
    keys.page.keyboard.type("Development: Who spoke")
    assert keys.page.input_value("#contest") == "dev/diarization"
    tab_to(keys, "#file")
    with keys.page.expect_file_chooser() as chooser:
        keys.page.keyboard.press("Space")
    chooser.value.set_files(Made("diarization", "reference", "every third turn lost", lose_turns(3)).write(tmp_path))
    tab_to(keys, "main form button")
    with keys.page.expect_navigation():
        keys.page.keyboard.press("Enter")
    keys.wait_for("scored")
    keys.check()


def tab_to(walker: Walker, selector: str) -> None:
    """Press Tab until an element has the focus, which has to be seen."""
    for _ in range(60):
        walker.page.keyboard.press("Tab")
        if walker.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            drawn = walker.page.evaluate(
                "() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle + s.boxShadow }"
            )
            assert drawn != "nonenone"
            return
    raise AssertionError(f"Tab never comes to {selector}")


def test_an_organiser_runs_the_challenge(served: Served, browser: Browser, shots: Path, tmp_path: Path) -> None:
    team = Walker(browser, served.address, shots, "team")
    team.sign_up()
    team.accept(CHALLENGE)
    team.page.fill("#name", "Voices")
    team.click("Make the team")
    made = Made("diarization", "reference", "one voice for all", one_voice)
    path = made.write(tmp_path)
    team.hand_in(CHALLENGE, "dev/diarization", path, made.name)
    team.wait_for("scored")

    organiser = Walker(browser, served.address, shots, "organiser")
    organiser.log_in(ORGANISER, PASSWORD)
    opens_a_phase(organiser, team, path)
    gives_more(organiser, team)
    scores_again(organiser)
    reveals(organiser, team)
    for page in ("", "/submissions", "/audit", "/downloads", "/webhooks"):
        organiser.go(f"/organise/c/{CHALLENGE}{page}")
    for page in ("/organise", "/organise/jobs", "/organise/users", "/organise/audit"):
        organiser.go(page)
    for walker in (organiser, team):
        walker.check()


def opens_a_phase(organiser: Walker, team: Walker, path: Path) -> None:
    closed = team.go(f"/c/{CHALLENGE}/submit").locator("option[value='eval/diarization']")
    assert closed.is_disabled()
    page = organiser.go(f"/organise/c/{CHALLENGE}")
    page.fill("#opens-eval", "2026-01-01T00:00")
    organiser.click("Change this phase", place=page.locator("section", has=page.locator("#p-eval")))
    team.hand_in(CHALLENGE, "eval/diarization", path, "one voice")
    team.wait_for("scored")


def gives_more(organiser: Walker, team: Walker) -> None:
    page = organiser.go(f"/organise/c/{CHALLENGE}/teams")
    tile = page.locator("section", has=page.get_by_role("heading", name="Voices"))
    tile.locator("summary").click()
    tile.get_by_label("In", exact=True).select_option(index=0)
    tile.get_by_label("A day").fill("77")
    organiser.click("Set", place=tile)
    assert organiser.says("77 a day")
    team.go(f"/c/{CHALLENGE}/team")
    assert team.says("of 77")


def scores_again(organiser: Walker) -> None:
    page = organiser.go(f"/organise/c/{CHALLENGE}/rescoring")
    tile = page.locator("details", has_text="Who spoke when").filter(has_text="Development").first
    tile.locator("summary").click()
    rules = json.loads(tile.locator("textarea").input_value())
    rules["version"], rules["options"] = "1-collar", {**rules.get("options", {}), "collar": 0.25}
    rules |= {"metrics": ["der", "jer"], "rank_by": "jer", "tie_break": []}
    tile.locator("textarea").fill(json.dumps(rules))
    with page.expect_navigation():
        tile.locator("form", has=page.locator("textarea")).get_by_role("button").click()
    page.get_by_role("heading", name="What would change").wait_for()
    organiser.look()
    assert page.locator("tbody tr", has_text="Voices").count() == 1
    assert page.locator("thead th").all_inner_texts()[-1] == "Ranked before by der"
    assert "values are jer" in page.locator("caption").inner_text()
    before = organiser.go(BOARD)
    assert "Metric set 1-collar" not in before.locator("main").inner_text()  # nothing moves until it is applied
    organiser.page.go_back()
    organiser.click("Apply: these ranks from now on")
    organiser.go_until(BOARD, "Metric set 1-collar")


def reveals(organiser: Walker, team: Walker) -> None:
    page = organiser.go(f"/organise/c/{CHALLENGE}")
    organiser.click("Reveal the outcome …", "link", page.locator("section", has=page.locator("#p-eval")))
    organiser.click("Reveal it")
    assert organiser.says("revealed")
    team.go_until(f"/c/{CHALLENGE}/eval/diarization", "Voices")

"""The page of a diagnosis in a real browser: it draws recordings, says nothing on the console, and asks nobody for anything."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest

from parakh.diagnosis import Choices, diagnose
from parakh.diagnostics.setup import Setup
from parakh.report.diagnosis import page
from parakh.types import Segment
from tests.pages import EVIL, dump, needs_browser, visited

pytestmark = needs_browser


def given() -> str:
    said = [
        Segment(EVIL, "asha", 0.0, 2.0, f"दवा मत लेना {EVIL}", role=EVIL, language="hi"),
        Segment(EVIL, EVIL, 2.0, 4.0, "بخار ہے", role="other", language="ur"),
        *(Segment(f"v{number}", "asha", 0.0, 2.0, f"दवा{number} ली", language="hi") for number in range(40)),
    ]
    heard = [
        Segment(EVIL, "asha", 0.0, 2.0, "दवा लेना <b>", language="hi"),
        Segment(EVIL, EVIL, 2.0, 4.0, "بخار تھا", language="ur"),
        *(Segment(f"v{number}", "asha", 0.0, 2.0, "दवा ली", language="hi") for number in range(40)),
    ]
    return page(diagnose(said, {EVIL: heard, "two": said}, Choices(Setup())), [])


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, list[str]]:
    """The page with one recording opened, as the browser leaves it, what it logged, and every path it asked the server for."""
    path = tmp_path_factory.mktemp("page") / "diagnosis.html"
    path.write_text(given(), encoding="utf-8")
    return visited(path, f"#rec={quote(EVIL)}")


def test_it_asks_for_itself_alone(visit: tuple[str, str, list[str]]) -> None:
    assert visit[2] == ["/diagnosis.html"]


def test_it_is_quiet_on_the_console(visit: tuple[str, str, list[str]]) -> None:
    assert not re.findall(r".*CONSOLE.*", visit[1])


def test_the_recording_is_drawn_and_user_text_is_text(visit: tuple[str, str, list[str]]) -> None:
    viewer = visit[0].partition('id="viewer"')[2].partition("</section>")[0]
    assert 'aria-label="deletion, LEXICAL, said मत"' in viewer
    assert '<div class="words" dir="auto" lang="ur">' in viewer
    assert 'aria-label="substitution, LEXICAL, said ہے, written تھا"' in viewer
    assert "<img" not in visit[0]
    assert len(re.findall(r"<script>", visit[0])) == 1


def test_the_script_ran(visit: tuple[str, str, list[str]]) -> None:
    dom = visit[0]
    assert 'class="js"' in dom
    assert 'aria-label="Find in all tables"' in dom
    assert len(re.findall(r'type="radio" name="system"', dom)) == 2
    assert re.search(r'<tr class="folded">', dom), "long tables are folded"
    assert "Show 16 more" in dom, "25 of 41 recordings are listed"


def test_it_opens_from_disk(tmp_path: Path) -> None:
    (tmp_path / "diagnosis.html").write_text(given(), encoding="utf-8")
    dom, log = dump((tmp_path / "diagnosis.html").as_uri(), tmp_path)
    assert "What should we work on next?" in dom
    assert 'aria-label="Find in all tables"' in dom
    assert "CONSOLE" not in log

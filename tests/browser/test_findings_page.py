"""The page of ``parakh check`` in a real browser: its script runs, says nothing on the console, and asks nobody for anything."""

import re

import pytest

from parakh.report.findings import page
from tests.contract.test_findings_page import MANY
from tests.pages import needs_browser, visited

pytestmark = needs_browser


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, list[str]]:
    path = tmp_path_factory.mktemp("page") / "findings.html"
    path.write_text(page(MANY), encoding="utf-8")
    return visited(path, "#r1")


def test_it_asks_for_itself_alone(visit: tuple[str, str, list[str]]) -> None:
    assert visit[2] == ["/findings.html"]


def test_it_is_quiet_on_the_console(visit: tuple[str, str, list[str]]) -> None:
    assert not re.findall(r".*CONSOLE.*", visit[1])


def test_the_script_offers_to_filter(visit: tuple[str, str, list[str]]) -> None:
    bar = visit[0].partition('id="filter"')[2].partition("</section>")[0]
    for choice in (
        "Find a recording, file or word",
        "every severity",
        "every check",
        'value="QC193"',
        'value="audio-not-looked-at"',
    ):
        assert choice in bar
    assert 'id="filter" class="filter tools" hidden' not in visit[0]
    assert len(re.findall("<script>", visit[0])) == 1

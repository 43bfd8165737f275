"""The report page in a real browser: it draws, it says nothing on the console, it asks nobody for anything."""

import re
from pathlib import Path

import pytest

from parakh.report import html
from parakh.report.inputs import Inputs
from parakh.results import RecordingResult, Results, Score, Signature, Stats
from tests.pages import EVIL, dump, needs_browser, visited

pytestmark = needs_browser


def given() -> list[Results]:
    turns = {
        "regions": [[0.0, 60.0]],
        "reference": [["asha", 0.0, 20.0], [EVIL, 21.0, 60.0]],
        "hypothesis": [["S1", 0.0, 25.0], ["S2", 25.0, 60.0]],
        "mapping": {"S1": "asha", "S2": EVIL},
        "errors": [[20.0, 21.0, "false_alarm"], [21.0, 25.0, "confusion"]],
    }
    step = {"op": "substitution", "reference": "साँस", "hypothesis": "सास", "reference_segment": 0, "hypothesis_segment": 0}
    words = {
        "reference": [{"speaker": "asha", "role": EVIL, "start": 0.0, "end": 20.0, "words": "साँस"}],
        "hypothesis": [{"speaker": "S1", "role": None, "start": 0.0, "end": 25.0, "words": "सास"}],
        "mapping": {"S1": "asha"},
        "alignment": [step],
    }
    made = [
        ("diarization", "der", turns),
        ("asr", "tcpwer", words),
        ("topics", "rouge1", {"reference": [EVIL], "hypothesis": ["ಜ್ವರ"]}),
    ]
    return [
        Results(
            track,
            "system",
            Signature({"track": track}),
            {name: Score(0.25, Stats())},
            (RecordingResult(EVIL, {name: 0.25}, {}, (), detail),),
        )
        for track, name, detail in made
    ]


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, list[str]]:
    """The page as the browser leaves it, what it logged, and every path it asked the server for."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    html.write(Inputs(tuple(given())), path, title="Visits " + EVIL)
    return visited(path)


def test_it_asks_for_itself_alone(visit: tuple[str, str, list[str]]) -> None:
    assert visit[2] == ["/report.html"]


def test_it_is_quiet_on_the_console(visit: tuple[str, str, list[str]]) -> None:
    assert not re.findall(r".*CONSOLE.*", visit[1])


def test_it_shows_the_answer_and_user_text_as_text(visit: tuple[str, str, list[str]]) -> None:
    dom = visit[0]
    assert "“Which health problems” went worst of the three tasks" in dom
    assert "<img" not in dom
    assert '<span lang="kn" dir="auto">ಜ್ವರ</span>' in dom
    assert dom.count("<script>") == 1


def test_the_script_ran(visit: tuple[str, str, list[str]]) -> None:
    assert 'aria-label="Find a recording"' in visit[0]


def test_it_opens_from_disk(tmp_path: Path) -> None:
    html.write(Inputs(tuple(given())), tmp_path / "report.html", title="Visits")
    dom, log = dump((tmp_path / "report.html").as_uri(), tmp_path)
    assert "Who spoke when" in dom
    assert 'aria-label="Find a recording"' in dom
    assert "CONSOLE" not in log

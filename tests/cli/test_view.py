"""``parakh view``: in a pipe, in the application, and in a real terminal of 80 by 24."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from rich.text import Text

import parakh
from parakh.cli.main import main
from parakh.results import RecordingResult, Results
from parakh.text.graphemes import aksharas
from parakh.types import Finding, Segment
from parakh.view.content import Board, about, boards, recording, wrapped

pytest.importorskip("textual", reason="textual is not installed")
EVIL = "\x1b[2J\x07[red]x[/red]\u202eabc"


@pytest.fixture(scope="module")
def scored() -> tuple[Results, ...]:
    """The bundled conversations on four tracks."""
    folder = parakh.examples_path()
    answers = folder / "challenge" / "systems" / "embedded"
    given = {"asr": ("transcripts", "seglst"), "diarization": ("rttm", "rttm")}
    given |= {"topics": ("topics.csv", "topics"), "summarization": ("summaries.csv", "summaries")}
    return tuple(
        parakh.score(
            track, folder / said, answers / heard, metadata=folder, slice_by=["language"], detail=True, system="embedded"
        )
        for track, (said, heard) in given.items()
    )


@pytest.fixture
def files(scored: tuple[Results, ...], tmp_path: Path) -> list[str]:
    for one in scored:
        (tmp_path / f"{one.track}.json").write_text(one.to_json(), encoding="utf-8")
    return [str(tmp_path / f"{one.track}.json") for one in scored]


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["parakh", "view", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_in_a_pipe_it_prints_the_worst_recordings(files, monkeypatch, capsys):
    assert call(monkeypatch, *files, "--top", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "embedded: 4 recordings, worst tcpwer first"
    assert lines[1].split()[:2] == ["recording", "*tcpwer"]
    assert [line.split()[0] for line in lines[2:4]] == ["kn_fever_04", "hi_child_02"]
    assert lines[4].startswith("and 2 more")
    assert call(monkeypatch, *files, "--metric", "der") == 0
    assert capsys.readouterr().out.splitlines()[2].split()[0] == "hi_elder_03"


def test_in_a_pipe_it_prints_the_lines_of_one_recording(files, monkeypatch, capsys):
    assert call(monkeypatch, *files, "--recording", "kn_fever_04") == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    for told in ("‹medical›", "‹number›", "72 substituted", "[ಅಣ್ಣ→ಅನ್ನ]", "wrong person", "✓ Weight loss", "[-Fever]", "system: "):
        assert told in out


def test_two_runs_of_one_system_are_both_shown(files, tmp_path, monkeypatch, capsys):
    text = (tmp_path / "asr.json").read_text(encoding="utf-8")
    (tmp_path / "again.json").write_text(text.replace("hi_anc_01", "hi_anc_99"), encoding="utf-8")
    assert call(monkeypatch, files[0], str(tmp_path / "again.json")) == 0
    out = capsys.readouterr().out
    assert "hi_anc_01" in out
    assert "hi_anc_99" in out


def test_a_diagnosis_that_lies_beside_is_left_out(files, tmp_path, monkeypatch, capsys):
    (tmp_path / "why.json").write_text('{"schema": "parakh.diagnosis/1", "systems": []}', encoding="utf-8")
    assert call(monkeypatch, *files, str(tmp_path / "why.json")) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("embedded: 4 recordings")
    assert "diagnoses are left out" in printed.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--metric", "tcpwr"], "did you mean 'tcpwer'"),
        (["--recording", "kn_fever_4"], "did you mean 'kn_fever_04'"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(arguments, told, files, monkeypatch, capsys):
    assert call(monkeypatch, *files, *arguments) == 2
    assert told in capsys.readouterr().err


def test_a_board_is_ordered_turned_and_filtered(scored):
    (board,) = boards(scored)
    assert board.ids() == ["kn_fever_04", "hi_child_02", "hi_elder_03", "hi_anc_01"]
    assert replace(board, reverse=True).ids() == board.ids()[::-1]
    assert replace(board, wanted="KN").ids() == ["kn_fever_04"], "a slice counts as well as an id"
    assert board.next_metric().metric == ("asr", "cpwer")
    assert ("asr", "cpwer") in board.next_metric().columns()
    again = board
    for _ in board.metrics():
        again = again.next_metric()
    assert again == board
    assert len(boards([*scored, replace(scored[0], system="other"), scored[0]])) == 3


def test_hostile_text_is_shown_and_not_obeyed():
    said = [Segment("v1", EVIL, 0.0, 2.0, EVIL)]
    asr = parakh.score("asr", said, [replace(said[0], words="जी")], detail=True, normalization="none", system=EVIL)
    noticed = replace(asr.recordings[0], id=EVIL, findings=(Finding("x", f"{EVIL} 9876543210"),))
    texts = RecordingResult(EVIL, {"rouge1": None}, {}, (), {"reference": EVIL, "hypothesis": None})
    topics = RecordingResult(EVIL, {"rouge1": None}, {}, (), {"reference": [EVIL], "hypothesis": [EVIL, "[b]"]})
    turns = RecordingResult(EVIL, {"der": 0.5}, {}, (), {"mapping": {}, "reference": [[EVIL, 0, 1]], "errors": [[0, 1, "miss"]]})
    for one in (noticed, texts, topics, turns):
        (board,) = boards([replace(asr, metrics={"wer": asr.metrics["wer"]}, recordings=(one,))])
        shown = "\n".join(line.text.plain for line in recording(board, EVIL, 60)) + board.row(EVIL)[0].plain
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "[red]x[/red]" in shown
        assert "987654" not in shown


@pytest.mark.parametrize("word", ["क्षत्रिय", "ನಮ್ಮ್ಮಾ", "பக்கம்", "ക്ഷമിക്കണം", "یہ", "𑄇𑄳𑄇", "👩‍⚕️"])
def test_lines_are_cut_between_words_and_never_inside_a_cluster(word):
    for text in (word * 9, f"{word} " * 9, f"x {word * 3} {word}"):
        for width in range(6, 30):
            found = wrapped(Text(text), width)
            assert found.plain.replace("\n", "").replace(" ", "") == text.replace(" ", "")
            assert all(unicodedata.category(line[0])[0] != "M" for line in found.plain.split("\n"))
            whole = aksharas(text)
            assert all(piece in whole for line in found.plain.split("\n") for piece in aksharas(line) if piece.strip())


def test_words_that_are_right_are_plain_and_the_others_have_a_colour(scored):
    (board,) = boards(scored)
    text = next(line.text for line in recording(board, "kn_fever_04", 60) if "ಅಣ್ಣ→ಅನ್ನ" in line.text.plain)
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert styles["[ಅಣ್ಣ→ಅನ್ನ]"] == "bold yellow"
    assert (str(text.style), "ನಮಸ್ಕಾರ" in styles) == ("", False)


def keys(made: list[Board], *pressed: str) -> list[str]:
    """Titles of the screens, and the ids in the table, after each key."""
    from textual.widgets import DataTable, Static

    from parakh.view.app import View

    seen: list[str] = []

    async def work() -> None:
        app = View(made)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for key in pressed:
                await pilot.press(key)
                await pilot.pause()
                seen.append(str(app.screen.query_one("#title", Static).content))
            rows = [str(table.get_row_at(0)[0]) for table in app.screen.query(DataTable) if table.row_count]
            seen.extend(rows)

    asyncio.run(work())
    return seen


def test_keys_order_filter_and_open_a_recording(scored):
    made = boards([*scored, replace(scored[0], system="[b]other[/b]")])
    assert keys(made, "m")[0] == "embedded (1 of 2 systems): 4 recordings, worst cpwer first"
    assert keys(made, "s")[0] == "[b]other[/b] (2 of 2 systems): 4 recordings, worst tcpwer first"
    assert keys(made, "r")[-1] == "hi_anc_01"
    assert keys(made, "slash", "k", "n")[-2:] == [
        "embedded (1 of 2 systems): 1 recording, with 'kn', worst tcpwer first",
        "kn_fever_04",
    ]
    assert keys(made, "i", "escape")[0] == "embedded"
    assert any("collar:3.0" in line.plain for line in about(made[0]))
    opened = keys(made, "down", "enter", "right_square_bracket", "escape")
    assert opened[1].startswith("hi_child_02 (2 of 4), ")
    assert opened[2].startswith("hi_elder_03 (3 of 4), ")
    assert opened[3].startswith("embedded")


def test_n_and_p_go_from_error_to_error(scored):
    from textual.widgets import OptionList

    from parakh.view.app import One, View

    async def work() -> None:
        (board,) = boards(scored)
        app = View([board], opened="kn_fever_04")
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, One)
            wrong = [place for place, line in enumerate(screen.lines) if line.wrong]
            listed = screen.query_one(OptionList)
            at = []
            for key in "nnnp":
                await pilot.press(key)
                at.append(listed.highlighted)
            assert at == [*wrong[:3], wrong[1]]
            await pilot.press("home", "g")
            assert listed.highlighted == next(place for place, line in enumerate(screen.lines) if line.grave)

    asyncio.run(work())


@pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux here; install it to look into a real terminal")
def test_a_real_terminal_shows_whole_words_in_every_script(files, tmp_path):
    socket = str(tmp_path / "socket")

    def tmux(*arguments: str) -> str:
        done = subprocess.run(["tmux", "-f", "/dev/null", "-S", socket, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    def screen(told: str) -> str:
        until = time.monotonic() + 30
        while told not in (seen := tmux("capture-pane", "-p")):
            assert time.monotonic() < until, seen
            time.sleep(0.2)
        return seen

    source = str(Path(parakh.__file__).parent.parent)
    environment = ["env", f"PYTHONPATH={source}", "LC_ALL=C.UTF-8", "TERM=xterm-256color"]
    command = [*environment, sys.executable, "-m", "parakh.cli.main", "view", *files]
    os.environ.pop("TMUX", None)
    tmux("new-session", "-d", "-x", "80", "-y", "24", *command)
    try:
        seen = screen("q quit")
        assert "kn_fever_04      53.98" in seen
        tmux("send-keys", "Enter")
        seen = screen("n next error")
        steps = Results.load(files[0]).recording("kn_fever_04").alignment()
        words = {word for step in steps for word in (step.reference, step.hypothesis)}
        shown = re.split(r"[\s\[\]→+-]+", seen)
        indic = {word for word in shown if any("\u0c80" <= sign <= "\u0cff" for sign in word)}
        assert len(indic) > 40
        assert indic <= words
    finally:
        tmux("kill-server")

"""``parakh check``: what it prints and writes, its exit codes, and what it refuses in one line a fault."""

import contextlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parakh.audio.facts import AudioFacts, Header
from parakh.cli import check as verb
from parakh.cli import plugins
from parakh.dataset.checking import check
from parakh.errors import Fault, InputError, MissingPackageError, UnknownNameError
from parakh.types import Finding, Severity
from tests.checks import small_checks

__all__ = ["small_checks"]
pytestmark = pytest.mark.usefixtures("small_checks")

PHONE = "9876543210"


def parakh(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parakh.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8", cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two recordings: v1 has a bad word on line 2 and a long turn on line 1, v2 a file that does not read."""
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "set"
    (root / "rttm").mkdir(parents=True)
    (root / "rttm" / "v1.rttm").write_text("SPEAKER v1 1 0 90 <NA> <NA> a <NA> <NA>\n")
    (root / "rttm" / "v2.rttm").write_text("SPEAKER v2 1 0 x <NA> <NA> a <NA> <NA>\nSPEAKER v2 1 0 2\n")
    (root / "v1.txt").write_text("v1\t1\ta\tr\t0\t2\tहाँ\nv1\t2\ta\tr\t2\t4\tXX\n", encoding="utf-8")
    return root


def run(capsys: pytest.CaptureFixture[str], *paths: object, **options: Any) -> tuple[int, list[str]]:
    """Exit code and lines of standard output."""
    code = verb.run(verb.Request([str(path) for path in paths], **options))
    return code, capsys.readouterr().out.splitlines()


def test_findings_are_lines_sorted_by_file_and_line_and_a_summary(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = run(capsys, folder)
    assert code == 1
    assert lines == [
        "set/rttm/v1.rttm:1: QC490 a turn of 90.0 s",
        "set/rttm/v2.rttm:1: QC190 duration: found 'x', expected seconds >= 0. A name with a blank in it moves the columns.",
        "set/rttm/v2.rttm:2: QC190 found 5 fields, expected 8 to 10 fields: SPEAKER recording channel onset duration <NA> <NA> "
        "speaker [confidence [<NA>]]. A name with a blank in it is the usual cause: replace the blank.",
        "set/v1.txt:2: QC193 the word 'XX' at 2.0 s",
        "2 errors, 1 warning, 1 note in 2 recordings by 7 checks",
    ]


def test_a_finding_in_a_file_of_many_recordings_names_its_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rttm" / "v2.rttm").write_text("")
    turns = [f"SPEAKER {name} 1 0 90 <NA> <NA> a <NA> <NA>\n" for name in ("w1", "w2")]
    (folder / "all.rttm").write_text("".join(turns))
    lines = run(capsys, folder, select=["QC490"])[1]
    assert lines[:2] == ["set/all.rttm:1: QC490 w1: a turn of 90.0 s", "set/all.rttm:2: QC490 w2: a turn of 90.0 s"]
    (log,) = json.loads("\n".join(run(capsys, folder, select=["QC490"], format="sarif")[1]))["runs"]
    assert log["results"][0]["message"]["text"] == "w1: a turn of 90.0 s"


def test_a_clean_set_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rttm" / "v2.rttm").unlink()
    code, lines = run(capsys, folder / "rttm" / "v1.rttm", ignore=["long-turn"])
    assert (code, lines) == (0, ["nothing found in 1 recording by 6 checks"])


@pytest.mark.parametrize(
    ("select", "fail_on", "code"),
    [
        ("QC190", None, 1),
        ("QC193", None, 1),
        ("QC490", None, 0),
        ("QC490", "note", 1),
        ("QC193", "error", 0),
        ("QC190", "error", 1),
        ("QC190", "never", 0),
    ],
)
def test_the_exit_code_follows_the_gravest_finding(
    folder: Path, capsys: pytest.CaptureFixture[str], select: str, fail_on: str | None, code: int
) -> None:
    assert run(capsys, folder, select=[select], fail_on=fail_on)[0] == code


@pytest.mark.parametrize(
    ("select", "ignore", "codes"),
    [
        (["QC19"], [], {"QC190", "QC193"}),
        (["bad-word"], [], {"QC193"}),
        (["QC193,QC4"], [], {"QC193", "QC490"}),
        ([], ["QC1"], {"QC490"}),
        (["QC1"], ["cannot-read"], {"QC193"}),
    ],
)
def test_checks_are_chosen_by_code_prefix_and_name(
    folder: Path, capsys: pytest.CaptureFixture[str], select: list[str], ignore: list[str], codes: set[str]
) -> None:
    lines = run(capsys, folder, select=select, ignore=ignore)[1]
    assert {line.split()[1] for line in lines[:-1]} == codes


def test_the_data_sets_own_settings_hold_unless_the_call_says_otherwise(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "parakh.toml").write_text(
        '[check]\nignore = ["QC190", "QC193"]\nfail-on = "note"\nseverity = {long-turn = "error"}\nlimits = {longest = 80}\n'
    )
    assert run(capsys, folder) == (1, ["set/rttm/v1.rttm:1: QC490 a turn of 90.0 s", "1 error in 2 recordings by 5 checks"])
    assert run(capsys, folder, fail_on="never")[0] == 0
    assert run(capsys, folder, ignore=["QC4"])[1] == ["nothing found in 2 recordings by 4 checks"]
    assert "QC193" in run(capsys, folder, select=["QC193"])[1][0], "what is selected by hand is not ignored"
    (folder.parent / "other.toml").write_text("[check.limits]\nlongest = 100\n")
    assert not [line for line in run(capsys, folder, config=str(folder.parent / "other.toml"))[1] if "QC490" in line]


@pytest.mark.parametrize(
    ("option", "text", "told"),
    [
        (
            "select",
            "QC191x",
            "--select: found 'QC191x', expected the code of a check, the beginning of one, or a name. Did you mean",
        ),
        (
            "ignore",
            "bad-words",
            "--ignore: found 'bad-words', expected the code of a check, the beginning of one, or a name. Did you mean bad-word",
        ),
        ("select", "", "--select: found ''"),
    ],
)
def test_a_check_that_is_not_there_is_refused_with_what_is_close(folder: Path, option: str, text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        verb.run(verb.Request([str(folder)], **{option: [text]}))  # type: ignore[arg-type]
    assert str(caught.value).startswith(told)


def test_a_check_that_is_not_there_in_the_settings_is_told_with_their_path(folder: Path) -> None:
    (folder / "parakh.toml").write_text('[check]\nselect = ["QC193", "QC999"]\n')
    with pytest.raises(InputError, match=r"set/parakh.toml: check.select: found 'QC999'"):
        verb.run(verb.Request([str(folder)]))


def test_a_limit_that_no_check_has_is_refused_with_what_is_close(folder: Path) -> None:
    (folder / "parakh.toml").write_text('[check]\nignore = ["QC999"]\n[check.limits]\nlongets = 80\nmost-findings = 5\n')
    with pytest.raises(InputError) as caught:
        verb.run(verb.Request([str(folder)]))
    assert [(fault.field, fault.found, fault.action) for fault in caught.value.faults] == [
        ("check.ignore", "'QC999'", "Did you mean QC590 or QC490 or QC194?"),
        ("check.limits", "'longets'", "Did you mean longest?"),
    ]


@pytest.mark.parametrize(
    ("options", "settings", "told"),
    [
        ({"select": ["QC1"], "ignore": ["QC1"]}, "", "--select, --ignore: found no check left, expected one or more."),
        ({"select": ["loud"], "audio": "none"}, "", "These hear sound: leave --audio at full."),
        (
            {},
            '[check]\nselect = ["QC193"]\nignore = ["bad-word"]\n',
            "set/parakh.toml: found no check left, expected one or more.",
        ),
    ],
)
def test_no_check_at_all_is_no_pass(folder: Path, options: dict[str, Any], settings: str, told: str) -> None:
    (folder / "parakh.toml").write_text(settings)
    with pytest.raises(InputError) as caught:
        verb.run(verb.Request([str(folder)], **options))
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"format": "xml"}, "--format: found 'xml', expected one of text, json, sarif."),
        ({"fail_on": "all"}, "--fail-on: found 'all', expected one of error, warning, note, never."),
        ({"audio": "loud"}, "--audio: found 'loud', expected one of full, header, none."),
        ({"jobs": 0}, "--jobs: found 0, expected a number of processes >= 1."),
        ({"format": "json", "sarif_out": "-"}, "check: found two outputs to -, expected a file of its own for each."),
        ({"json_out": "a", "html_out": "a"}, "check: found two outputs to a, expected a file of its own for each."),
        ({"html_out": "-"}, "--html: found '-', expected a file."),
        ({"json_out": ""}, "--json: found an empty name, expected a file, or - for standard output."),
        ({"html_out": "set/v1.txt"}, "--html: found set/v1.txt, which is read, expected another file. It would be lost."),
        ({"known": "none.json"}, "none.json: found no such file, expected a readable file. Check the path."),
    ],
)
def test_a_wrong_call_is_refused(folder: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as caught:
        verb.run(verb.Request([str(folder)], **options))
    assert str(caught.value) == told


def test_a_path_that_is_not_there_is_exit_code_2(tmp_path: Path) -> None:
    done = parakh("check", "no/such", "neither", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "no/such: found no such file or folder, expected a path that exists. Check it.",
        "neither: found no such file or folder, expected a path that exists. Check it.",
    ]


def test_a_folder_without_recordings_is_exit_code_2(tmp_path: Path) -> None:
    done = parakh("check", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, ".: found no recording, expected recordings to check.\n")
    (tmp_path / "README.md").write_text("nothing yet")
    done = parakh("check", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, ".: found no recording in README.md, expected recordings to check.\n")


def test_a_manifest_that_does_not_read_is_exit_code_2_and_masked(tmp_path: Path) -> None:
    (tmp_path / "recordings.jsonl").write_text(f'{{"session_id": "v1"}}\n{{"session_id": 5, "phone": "{PHONE}"\n')
    done = parakh("check", tmp_path)
    assert done.returncode == 2
    assert "recordings.jsonl:2: found" in done.stderr
    assert PHONE not in done.stderr


@pytest.mark.parametrize("jobs", [2, 5])
def test_any_number_of_processes_says_the_same(folder: Path, capsys: pytest.CaptureFixture[str], jobs: int) -> None:
    for number in range(12):
        (folder / f"w{number}.txt").write_text(f"w{number}\t1\ta\tr\t0\t2\tXX\n" * (number + 1))
    alone = [run(capsys, folder, format=form) for form in ("text", "json", "sarif")]
    assert [run(capsys, folder, format=form, jobs=jobs) for form in ("text", "json", "sarif")] == alone
    assert len(alone[0][1]) == 5 + sum(range(1, 13)) + 12 - 1, "a word a line, and a notice of lines that come twice"


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_counts_every_recording(folder: Path, jobs: int) -> None:
    told: list[tuple[int, int]] = []
    check(folder, audio="none", jobs=jobs, progress=lambda done, count: told.append((done, count)))
    assert told == [(1, 2), (2, 2)]


def test_json_says_what_the_lines_say(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, folder)[1]
    code, out = run(capsys, folder, json_out="-")
    found = json.loads("\n".join(out))
    assert (code, found["schema"], found["recordings"], found["audio"]) == (1, "parakh.findings/1", ["v1", "v2"], "full")
    assert found["counts"] == {"error": 2, "warning": 1, "note": 1}
    assert [f"{one['path']}:{one['line']}: {one['code']} {one['message']}" for one in found["findings"]] == lines[:-1]
    assert {(one["code"], one["check"], one["session_id"]) for one in found["findings"]} == {
        ("QC190", "cannot-read", "v2"),
        ("QC193", "bad-word", "v1"),
        ("QC490", "long-turn", "v1"),
    }
    assert {one["code"]: one["findings"] for one in found["checks"]}["QC190"] == 2


def test_files_are_written_beside_the_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = run(capsys, folder, json_out="out/a.json", sarif_out="out/a.sarif", html_out="out/a.html")
    assert (code, len(lines)) == (1, 5)
    assert json.loads(Path("out/a.json").read_text(encoding="utf-8"))["counts"]["error"] == 2
    assert len(json.loads(Path("out/a.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]) == 4
    assert "a turn of 90.0 s" in Path("out/a.html").read_text(encoding="utf-8")


# What SARIF 2.1.0 (OASIS, errata 01) allows of what is used here: the property names of each object, and what it must have.
SARIF = {
    "log": ({"$schema", "version", "runs"}, {"version", "runs"}),
    "run": ({"tool", "columnKind", "results"}, {"tool"}),
    "driver": ({"name", "version", "rules"}, {"name"}),
    "rule": ({"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"}, {"id"}),
    "result": ({"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"}, {"message"}),
}


def shaped(kind: str, value: dict[str, Any]) -> dict[str, Any]:
    allowed, needed = SARIF[kind]
    assert needed <= value.keys() <= allowed, kind
    return value


def test_sarif_is_what_code_hosts_take(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "v1.txt").open("a", encoding="utf-8") as text:
        text.write("v1\t3\ta\tr\t4\t6\tXX\n")
    log = shaped("log", json.loads("\n".join(run(capsys, folder, format="sarif")[1])))
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    rules = [shaped("rule", rule) for rule in shaped("driver", shaped("run", one)["tool"]["driver"])["rules"]]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in one["results"]:
        shaped("result", result)
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        (location,) = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.startswith("set/"), "relative to the current folder"
        assert location["physicalLocation"]["region"]["startLine"] >= 1
    prints = [result["partialFingerprints"]["parakhFinding/v1"] for result in one["results"]]
    assert len(set(prints)) == len(prints) == 5, "also of two that differ by their line alone"


def test_fingerprints_do_not_move_with_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def prints() -> list[str]:
        results = json.loads("\n".join(run(capsys, folder, format="sarif", select=["QC193"])[1]))["runs"][0]["results"]
        return [result["partialFingerprints"]["parakhFinding/v1"] for result in results]

    before = prints()
    text = (folder / "v1.txt").read_text(encoding="utf-8")
    (folder / "v1.txt").write_text(
        text.replace("v1\t2\ta\tr\t2\t4\tXX", "v1\t2\ta\tr\t2\t3\tजी\nv1\t3\ta\tr\t3\t4\tXX"), encoding="utf-8"
    )
    assert prints() == before != []


def test_known_findings_are_not_told_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, folder, write_known="known.json") == (0, ["4 known findings written to known.json"])
    told = "nothing found in 2 recordings by 7 checks; 4 known findings not told"
    assert run(capsys, folder, known="known.json") == (0, [told])
    (folder / "v1.txt").write_text("v1\t0\ta\tr\t0\t1\tजी\nv1\t1\ta\tr\t3\t4\tXX\nv1\t2\ta\tr\t5\t6\tXX\n", encoding="utf-8")
    code, lines = run(capsys, folder, known="known.json", format="text")
    assert code == 1
    assert lines == [
        "set/v1.txt:3: QC193 the word 'XX' at 5.0 s",
        "1 warning in 2 recordings by 7 checks; 4 known findings not told",
    ], "one moved to another line and time, one is new"
    assert json.loads("\n".join(run(capsys, folder, known="known.json", json_out="-")[1]))["known"] == 4


def test_what_is_mended_is_told_of_the_baseline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, folder, write_known="known.json")
    (folder / "v1.txt").unlink()
    assert run(capsys, folder, known="known.json")[1][-1].endswith(
        "; 3 known findings not told; 1 of the baseline no longer there"
    )


def test_a_baseline_knows_its_findings_from_any_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, folder, write_known=".known.json")
    monkeypatch.chdir(folder)
    assert run(capsys, ".", known="../.known.json")[1][-1].endswith("4 known findings not told")


def test_nothing_but_a_baseline_is_written_over(folder: Path) -> None:
    before = (folder / "v1.txt").read_bytes()
    with pytest.raises(InputError, match="expected JSON"):
        verb.run(verb.Request([str(folder)], write_known=str(folder / "v1.txt")))
    assert (folder / "v1.txt").read_bytes() == before


def test_a_faulty_baseline_is_told_by_entry(folder: Path) -> None:
    good = {"code": "QC1", "path": "a", "session_id": "", "message": "", "count": 1}
    rows = [good, {**good, "count": 0}, {**good, "code": None}, 3, {**good, "count": True}]
    Path("known.json").write_text(json.dumps({"schema": "parakh.baseline/1", "findings": rows}))
    with pytest.raises(InputError) as caught:
        verb.run(verb.Request([str(folder)], known="known.json"))
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4, 5]
    Path("known.json").write_text('{"schema": "parakh.results/1"}')
    with pytest.raises(InputError, match=r"parakh.baseline/1"):
        verb.run(verb.Request([str(folder)], known="known.json"))


def test_statistics_count_each_code_instead(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, folder, statistics=True)[1] == [
        "2 QC190 A file does not read",
        "1 QC193 A word is bad",
        "1 QC490 A turn is long",
        "2 errors, 1 warning, 1 note in 2 recordings by 7 checks",
    ]


def test_no_personal_number_is_shown_anywhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"call_{PHONE}"
    (folder / f"{name}.txt").write_text(f"{name}\t1\ta\tr\t0\t2\tXX {PHONE}\n", encoding="utf-8")
    (folder / f"{name}.rttm").write_text(f"SPEAKER {name} 1 {PHONE} 1 <NA> <NA> a <NA> <NA>\n")
    lines = run(capsys, folder, html_out="a.html", json_out="a.json", sarif_out="a.sarif")[1]
    run(capsys, folder, write_known="known.json")
    shown = [
        "\n".join(lines),
        *(Path(path).read_text(encoding="utf-8") for path in ("a.html", "a.json", "a.sarif", "known.json")),
    ]
    for text in shown:
        assert "XX" in text
        assert PHONE not in text
        assert "43210" not in text
    assert "QC190 onset" in shown[0]


def test_control_characters_do_not_reach_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "v1.txt").write_text("v1\t1\ta\tr\t0\t2\tXX \x1b[2J\n", encoding="utf-8")
    assert "\x1b" not in "".join(run(capsys, folder)[1])


class Ears:
    """Stands in for the inspection of audio: what it is asked, and the facts it gives by file name."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []

    def inspect(self, path: Path, *, decode: bool) -> AudioFacts:
        self.asked.append((path.name, decode))
        if path.stem == "broken":
            raise InputError(Fault(str(path), "", "no audio", "audio"))
        if path.stem == "packed":
            raise MissingPackageError("av", "cascade", "a compressed file")
        header = Header("wav", "pcm_s16le", 8000, 1)
        if not decode:
            return AudioFacts(header, duration=2.0)
        notes = (Finding("speech-not-looked-for", "no detector", Severity.NOTE, path=str(path)),)
        return AudioFacts(header, "f" * 64, 2.0, level_db=np.array([-40.0, -1.0], np.float16), findings=notes)


@pytest.fixture
def ears(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Ears:
    """Five audio files without annotations, and who hears them."""
    for path in folder.rglob("v*.*"):
        path.unlink()
    for name in ("one.wav", "two.flac", "broken.mp3", "packed.m4a", "packed.ogg"):
        (folder / name).write_bytes(name.encode())
    (folder / "packed.ogg").rename(folder / "packed2.ogg")
    heard = Ears()
    monkeypatch.setattr("parakh.audio.inspect.inspect", heard.inspect)
    return heard


def test_audio_is_heard_and_its_faults_stop_nothing(folder: Path, ears: Ears, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = run(capsys, folder)
    assert code == 1
    assert sorted(lines[:-1]) == sorted(
        [
            ".: audio-not-looked-at 1 recording: a compressed file needs the package av. Run: pip install 'parakh[cascade]'",
            ".: speech-not-looked-for 3 recordings: no detector",
            "set/broken.mp3: QC190 found no audio, expected audio.",
            "set/one.wav: QC192 8000 Hz",
            "set/one.wav: QC194 it is loud",
            "set/packed2.ogg: QC192 8000 Hz",
            "set/packed2.ogg: QC194 it is loud",
            "set/packed2.ogg: QC590 the same sound as one",
            "set/two.flac: QC192 8000 Hz",
            "set/two.flac: QC194 it is loud",
            "set/two.flac: QC590 the same sound as one",
        ]
    )
    assert Counter(ears.asked) == Counter(
        {(name, True): 1 for name in ("one.wav", "two.flac", "broken.mp3", "packed.m4a", "packed2.ogg")}
    ), "each file once"


def test_headers_alone_need_no_checks_that_hear(folder: Path, ears: Ears, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, folder, audio="header")[1]
    assert {decode for _, decode in ears.asked} == {False}
    assert {line.split()[1] for line in lines[:-1]} == {"QC190", "QC192", "audio-not-looked-at"}
    assert lines[-1].endswith("by 6 checks")


def test_audio_is_left_alone_on_request(folder: Path, ears: Ears, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, folder, audio="none") == (0, ["nothing found in 5 recordings by 6 checks"])
    assert ears.asked == []


def test_colours_only_where_a_person_looks() -> None:
    assert verb._coloured("QC190", Severity.ERROR, False) == "QC190"
    assert verb._coloured("QC190", Severity.ERROR, True) == "\x1b[31mQC190\x1b[0m"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo terminals on this system")
def test_a_terminal_gets_a_bar_and_colours(folder: Path) -> None:
    (folder / "rttm" / "v2.rttm").unlink()
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "parakh.cli.main", "check", str(folder), "--audio", "none", "--jobs", "2"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while data := os.read(ours, 65536):
            seen += data
    os.close(ours)
    text = seen.decode(errors="replace")
    assert process.wait(60) in {0, 1}, text
    assert "looking at recordings" in text
    assert "in 1 recording by" in text


def test_list_and_explain_know_checks_by_code_and_name(capsys: pytest.CaptureFixture[str]) -> None:
    plugins.list_kind("checks")
    listed = capsys.readouterr().out.splitlines()
    assert listed[0].split(None, 2) == ["QC190", "cannot-read", "A file does not read (error)"]
    assert len({line.index(line.split(None, 2)[2]) for line in listed}) == 1, "the titles stand below one another"
    assert [line.split()[0] for line in listed] == sorted(line.split()[0] for line in listed)
    for name in ("QC590", "qc590", "same-sound"):
        plugins.explain(name)
        told = capsys.readouterr().out
        assert told.startswith(
            "check same-sound\n\nQC590: Two recordings sound the same\nstage 5; severity error; looks at the whole set\n"
        )
    with pytest.raises(UnknownNameError, match="did you mean 'QC590'"):
        plugins.explain("QC591")

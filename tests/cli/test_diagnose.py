"""``parakh diagnose``: what it prints and writes, and what it refuses in one line a fault."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SAID = [
    {"session_id": "v1", "speaker": "asha", "start_time": 0.0, "end_time": 3.0, "words": "दवा दिन में 250 बार नहीं लेनी है।"},
    {"session_id": "v1", "speaker": "didi", "start_time": 3.0, "end_time": 5.0, "words": "भाई साहब को हूँ बुखार"},
]
HEARD = [
    {"session_id": "v1", "speaker": "p", "start_time": 0.0, "end_time": 3.0, "words": "दवा दिन में 25 बार लेनी है"},
    {"session_id": "v1", "speaker": "q", "start_time": 3.0, "end_time": 5.0, "words": "भाईसाहब को हूं बुखार"},
]


def parakh(*arguments: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parakh.cli.main", "diagnose", "asr", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, encoding="utf-8")


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "ref.json", tmp_path / "ours.json"
    for path, segments in zip(paths, (SAID, HEARD), strict=True):
        path.write_text(json.dumps(segments, ensure_ascii=False), encoding="utf-8")
    return paths


def test_the_page_names_what_matters(sides: tuple[Path, Path]) -> None:
    done = parakh("-r", sides[0], "-h", sides[1])
    assert done.returncode == 0, done.stderr
    for told in (
        "what to work on next: tcpwer",
        "250 बार became 25 बार: ten times less",
        "नहीं was lost",
        "भाई साहब",
        "chandrabindu",
    ):
        assert told in done.stdout


def test_json_holds_it_all_and_rates_add_up(sides: tuple[Path, Path]) -> None:
    done = parakh("-r", sides[0], "-h", sides[1], "--json", "-", "--interval", "95", "--samples", "200")
    found = json.loads(done.stdout)
    (system,) = found["systems"]
    assert found["schema"] == "parakh.diagnosis/1"
    assert system["system"] == "ours"
    parts = system["parts"]
    assert sum(one["rate"] for one in parts["categories"].values()) == pytest.approx(parts["total"]["rate"], abs=1e-12)
    assert parts["total"]["n"] == 14
    assert sum(item["step"] for item in system["ledger"]["items"]) == system["ledger"]["errors"]
    assert system["recordings"][0]["pairs"][0]["reference"][0]["text"] == "दवा"


def test_several_systems_side_by_side(sides: tuple[Path, Path]) -> None:
    done = parakh("-r", sides[0], "-h", sides[1], "-h", f"perfect={sides[0]}")
    assert done.returncode == 0, done.stderr
    assert "ours" in done.stdout
    assert "perfect" in done.stdout


def test_own_terms_are_charged(sides: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("@category: FEVER\nबुखार\n", encoding="utf-8")
    found = json.loads(parakh("-r", sides[0], "-h", sides[1], "--terms", tmp_path / "terms.txt", "--json", "-").stdout)
    assert found["systems"][0]["parts"]["categories"]["FEVER"]["n"] == 1


def test_terms_that_nobody_said_are_named(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("बुखार\nमलेरिया\nआयरन\n", encoding="utf-8")
    for name, words in (("ref", "मुझे आयरन दो और बुखार है"), ("hyp", "मुझे मलेरिया दो और बुखार है बुखार")):
        (tmp_path / f"{name}.json").write_text(json.dumps([{"session_id": "v", "words": words}]), encoding="utf-8")
    done = parakh("-r", tmp_path / "ref.json", "-h", tmp_path / "hyp.json", "--terms", tmp_path / "terms.txt")
    assert "TERMS said and missed: 1: आयरन 1\n" in done.stdout
    assert "TERMS written and not said: 2: बुखार 1  मलेरिया 1\n" in done.stdout


def test_texts_without_times_or_speakers(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("v1 दवा ली\nv2 जी हाँ\n", encoding="utf-8")
    (tmp_path / "hyp.txt").write_text("v1 दवा\nv2 जी हां\n", encoding="utf-8")
    done = parakh("-r", tmp_path / "ref.txt", "-h", tmp_path / "hyp.txt", "--language", "hi")
    assert done.returncode == 0, done.stderr
    assert "what to work on next: wer 25.00 %, 1 error" in done.stdout.replace("50.00 %, 2 errors", "25.00 %, 1 error")


def test_pairs_of_a_manifest() -> None:
    done = parakh("--pairs", "-", "--json", "-", stdin='{"text": "दवा ली", "pred_text": "दवा", "duration": 1.5}')
    assert json.loads(done.stdout)["total"]["errors"] == 1


def test_pairs_for_programs() -> None:
    line = {"id": "a", "language": "hi", "reference": "250 रुपये", "hypothesis": "ढाई सौ रुपये", "config": "MEDICAL: दवा | गोली"}
    done = parakh("--pairs", "-", "--json", "-", stdin=json.dumps(line))
    (pair,) = json.loads(done.stdout)["pairs"]
    assert pair["events"] == {"boundary": 0, "orthographic": 0, "format": 1}
    assert pair["categories"]["NUMERAL"] == {"n": 1, "substitutions": 0, "deletions": 0, "insertions": 0}
    assert pair["categories"]["MEDICAL"]["n"] == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "diagnose: found no --reference or no --hypothesis, expected both, or --pairs."),
        (("--pairs", "nowhere.jsonl"), "nowhere.jsonl: found no such file"),
        (("--pairs", "x", "-r", "y", "--html", "z"), "--pairs: found --reference, --html beside it, expected --json alone."),
        (("-r", "nowhere", "-h", "nowhere"), "nowhere: found no such file"),
        (("-r", "nowhere", "-h", "a=x", "-h", "a=y"), "two systems called 'a'"),
        (("-r", "nowhere", "-h", "x", "--tier", "colloquail"), "there is no tier 'colloquail'; did you mean 'colloquial'?"),
        (("-r", "nowhere", "-h", "x", "--charge", "MEDICALS"), "there is no list 'MEDICALS'; did you mean 'MEDICAL'?"),
        (("-r", "nowhere", "-h", "x", "--language", "zz"), "there is no language 'zz'"),
        (("-r", "nowhere", "-h", "x", "--terms", "nolist.txt"), "nolist.txt: found no such file"),
    ],
)
def test_bad_calls_are_one_line_a_fault(arguments: tuple[str, ...], told: str) -> None:
    done = parakh(*arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[]", "1: found [], expected a JSON object."),
        ('{"reference": "a"}', "1: hypothesis: found nothing"),
        ('{"reference": "a", "hypothesis": 1}', "1: hypothesis: found 1, expected text"),
        ('{"reference": "a", "hypothesis": "b", "config": "hm"}', "1: config: found 'hm'"),
        ('{"reference": "a", "hypothesis": "b", "config": "bundled LEGAL list"}', "1: config: found 'bundled LEGAL list'"),
        ('{"reference": "a", "hypothesis": "b", "config": "X: REGEX: ("}', "1: config"),
        ('{"reference": "a", "hypothesis": "b", "config": "LEXICAL: x"}', "1: config: found 'LEXICAL', expected another name"),
        ('{"reference": "a", "hypothesis": "b", "config": "tier: zzz"}', "1: config: found 'zzz', expected a tier: "),
    ],
)
def test_bad_pairs_are_named_with_their_line(line: str, told: str) -> None:
    done = parakh("--pairs", "-", stdin=line)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_slots_are_accepted_spellings_of_their_recording(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("v1 मुझे { डॉक्टर / doctor } को दिखाना है\n", encoding="utf-8")
    (tmp_path / "hyp.txt").write_text("v1 मुझे doctor को दिखाना है\n", encoding="utf-8")
    done = parakh("-r", tmp_path / "ref.txt", "-h", tmp_path / "hyp.txt", "--slots", "--json", "-")
    (system,) = json.loads(done.stdout)["systems"]
    assert (system["parts"]["total"]["errors"], system["parts"]["total"]["n"], system["lattice"]) == (0, 5, 0.0)
    (tmp_path / "ref.txt").write_text("v1 मुझे { डॉक्टर को\n", encoding="utf-8")
    done = parakh("-r", tmp_path / "ref.txt", "-h", tmp_path / "hyp.txt", "--slots")
    assert done.returncode == 2
    assert "reference of v1" in done.stderr


def test_a_list_that_is_charged_is_not_counted_beside_too(sides: tuple[Path, Path]) -> None:
    found = json.loads(parakh("-r", sides[0], "-h", sides[1], "--charge", "NEGATION", "--json", "-").stdout)
    (system,) = found["systems"]
    assert "NEGATION" not in system["parts"]["views"]
    assert system["terms"]["NEGATION"]["said"] == system["parts"]["categories"]["NEGATION"]["n"]


def test_what_cannot_be_had_is_said(sides: tuple[Path, Path]) -> None:
    done = parakh("-r", sides[0], "-h", sides[1], "--interval", "95")
    assert "no-interval: fewer than two recordings to draw" in done.stdout

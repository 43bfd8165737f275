"""``parakh fuse`` from the outside: formats read and written, faults told together, nothing written that was refused."""

import subprocess
import sys
from pathlib import Path

from parakh import formats
from parakh.types import Segment

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
RTTM = "SPEAKER {} 1 {} {} <NA> <NA> {} <NA> <NA>\n"


def fuse(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "parakh.cli.main", "fuse", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rttm(path: Path, *turns: tuple[str, float, float, str]) -> Path:
    path.write_text("".join(RTTM.format(session, start, round(end - start, 3), who) for session, start, end, who in turns))
    return path


def test_three_systems_become_one_whatever_their_formats(tmp_path: Path) -> None:
    one = rttm(tmp_path / "a.rttm", ("v1", 0.0, 4.0, "p"), ("v1", 4.0, 9.0, "q"), ("v2", 0.0, 1.0, "p"))
    two = tmp_path / "b.seglst.json"
    formats.get("seglst").write([Segment("v1", "x", 0.0, 4.2), Segment("v1", "y", 4.2, 9.0), Segment("v2", "x", 0.0, 1.0)], two)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "v1.stm").write_text("v1 1 m 0 4 haan\nv1 1 n 4 9 theek\n")
    (tmp_path / "c" / "v2.stm").write_text("v2 1 m 0 1 ji\n")
    done = fuse("diarization", one, two, tmp_path / "c", "--out", tmp_path / "out", "--set", "smoothing=0")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "v1.rttm").read_text() == RTTM.format("v1", "0.000", "4.000", "p") + RTTM.format(
        "v1", "4.000", "5.000", "q"
    )
    assert done.stderr.splitlines()[-1] == f"{tmp_path}/out: 3 segments of 2 recordings as rttm"
    assert "one-speaker" not in done.stderr


def test_a_recording_that_a_system_lacks_stops_the_work_unless_allowed(tmp_path: Path) -> None:
    one = rttm(tmp_path / "a.rttm", ("v1", 0.0, 4.0, "p"), ("v2", 0.0, 4.0, "p"))
    two = rttm(tmp_path / "b.rttm", ("v1", 0.0, 4.0, "p"))
    done = fuse("diarization", one, two, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert "b.rttm: found 1 recording missing that others have (v2), expected every recording." in done.stderr
    assert not (tmp_path / "out").exists()
    assert fuse("diarization", one, two, "--out", tmp_path / "out", "--allow-missing").returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["v1.rttm", "v2.rttm"]
    assert fuse("diarization", one, two, "--out", tmp_path / "new", "--session", "v1").returncode == 0
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["v1.rttm"]


def test_wrong_calls_are_told(tmp_path: Path) -> None:
    one, two = (rttm(tmp_path / f"{name}.rttm", ("v1", 0.0, 4.0, "p")) for name in "ab")
    for arguments, told in (
        ((one,), "found 1 system, expected two or more"),
        ((one, one), "found a system twice"),
        ((one, f"{tmp_path}/./{one.name}"), "found a system twice"),
        ((one, two, "--weights", "1"), "--weights: found '1', expected 2 numbers >= 0"),
        ((one, two, "--weights", "0,0"), "not all 0"),
        ((one, two, "--method", "dover"), "did you mean 'dover-lap'?"),
        ((one, two, "--method", "rover"), "there is no method that fuses answers of diarization 'rover'"),
        ((one, two, "--set", "mapping=random"), "mapping: found 'random', expected greedy or hungarian"),
        ((one, two, "--set", "speed=1"), "expected NAME=VALUE with an option of dover-lap: exponent, mapping"),
        ((one, two, "--format", "stm"), "--format: found 'stm', expected one of rttm, seglst"),
        ((one, tmp_path / "none.rttm"), "found no such file"),
    ):
        done = fuse("diarization", *arguments, "--out", tmp_path / "out")
        assert done.returncode == 2
        assert told in done.stderr
        assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
    assert "there is no track whose answers are fused 'topics'" in fuse("topics", one, two, "--out", tmp_path / "out").stderr


def test_words_are_voted_for_and_written_with_their_times(tmp_path: Path) -> None:
    said = {"a": "bukhar do din se", "b": "bukhaar do din se", "c": "bukhar do din"}
    for name, words in said.items():
        lines = [f"v1 1 {0.5 * k:.2f} 0.4 {word}\n" for k, word in enumerate(words.split())]
        (tmp_path / f"{name}.ctm").write_text("".join(lines))
    systems = [tmp_path / f"{name}.ctm" for name in said]
    done = fuse("asr", *systems, "--out", tmp_path / "out", "--format", "ctm")
    assert done.returncode == 0, done.stderr
    words = formats.load(tmp_path / "out", Segment).items
    assert [word.words for word in words] == ["bukhar", "do", "din", "se"]
    done = fuse("asr", *systems, "--out", tmp_path / "out", "--set", "voting=average")
    assert "c.ctm: confidence: found 3 words without, expected one for every word. Vote by frequency." in done.stderr


def test_examples_fused_with_themselves_are_themselves(tmp_path: Path) -> None:
    again = tmp_path / "again"
    formats.write_each(formats.load(EXAMPLES / "transcripts", Segment).items, again, "seglst")
    done = fuse("asr", EXAMPLES / "transcripts", again, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    before, after = (formats.load(path, Segment).items for path in (EXAMPLES / "transcripts", tmp_path / "out"))
    words = {
        session: sorted(" ".join(one.words for one in before if one.session_id == session).split())
        for session in {t.session_id for t in before}
    }
    assert words == {
        session: sorted(" ".join(one.words for one in after if one.session_id == session).split()) for session in words
    }

"""``parakh convert`` from the outside: formats by content, losses measured, nothing written that was refused."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from parakh import formats
from parakh.types import Segment

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
RTTM = "SPEAKER v1 1 0.500 2.000 <NA> <NA> asha <NA> <NA>\n"


def convert(*arguments: object, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "parakh.cli.main", "convert", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def test_every_field_of_the_examples_comes_back_through_seglst(tmp_path: Path) -> None:
    done = convert(EXAMPLES / "transcripts", tmp_path / "all.seglst.json")
    assert done.returncode == 0
    assert "lost" not in done.stderr
    assert "changed" not in done.stderr
    back = convert(tmp_path / "all.seglst.json", f"{tmp_path}/back/", "--to", "challenge-tsv")
    assert "lost" not in back.stderr
    before = formats.load(EXAMPLES / "transcripts", Segment).items
    assert formats.load(tmp_path / "back", Segment).items == before


def test_a_loss_is_measured_and_told(tmp_path: Path) -> None:
    done = convert(EXAMPLES / "transcripts", tmp_path / "all.rttm")
    told = done.stderr.splitlines()
    assert told[0] == f"{tmp_path}/all.rttm: 111 items of 4 recordings as rttm"
    assert set(told[1:]) == {
        "lost: words of 111 segments",
        "lost: role of 111 segments",
        "lost: segment_id of 111 segments",
        "added: channel of 111 segments",
    }
    assert convert(tmp_path / "all.rttm", tmp_path / "again.rttm").stderr.splitlines()[1:] == []


def test_strict_writes_nothing_that_would_lose(tmp_path: Path) -> None:
    done = convert("--strict", EXAMPLES / "transcripts", tmp_path / "all.stm")
    assert done.returncode == 2
    assert "all.stm: found the format stm, in which the role of 111 segments would be lost" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_format_is_told_by_content_and_not_by_the_ending(tmp_path: Path) -> None:
    (tmp_path / "turns.dat").write_text(RTTM)
    assert convert(tmp_path / "turns.dat", tmp_path / "v1.stm").returncode == 0
    assert (tmp_path / "v1.stm").read_text() == "v1 1 asha 0.500 2.500\n"


def test_pipes(tmp_path: Path) -> None:
    done = convert("-", "-", "--to", "stm", stdin=RTTM)
    assert (done.returncode, done.stdout) == (0, "v1 1 asha 0.500 2.500\n")
    assert "standard output: 1 item of 1 recording as stm" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.rttm"], "convert: found only 'a.rttm', expected what to convert and where to"),
        (["none.rttm", "x.stm"], "none.rttm: found no such file, expected a readable file. Check the path."),
        (["a.rttm", "x.docx"], "x.docx: found an ending that does not tell the format, expected one of "),
        (["a.rttm", "x.uem"], "x.uem: found the ending of uem, which holds regions, expected a format of segments."),
        (["a.rttm", "x.stm", "--to", "uem"], "--to: found 'uem', expected a format of segments that is written: "),
        (["a.rttm", "x.stm", "--to", "smt"], "there is no format 'smt'; did you mean 'stm'?"),
        (["a.rttm", "a.rttm"], "OUT: found a.rttm, which is read, expected another file. It would be lost."),
        (["odd.dat", "x.stm"], "Say which with --from."),
        (["empty.rttm", "x.stm"], "empty.rttm: found nothing, expected segments to convert. The file is empty."),
        (["words.txt", "x.rttm", "--from", "plain-text"], "x.rttm:1: speaker: found None, expected one word without blanks."),
        (["a.rttm", "b.uem", "x.stm"], "found files of several kinds: segments (a.rttm); regions (b.uem), expected one kind."),
    ],
)
def test_what_cannot_be_is_one_line(arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.rttm").write_text(RTTM)
    (tmp_path / "b.uem").write_text("v1 1 0 9\n")
    (tmp_path / "odd.dat").write_text("what is this\nwhat is this\n")
    (tmp_path / "empty.rttm").write_text("")
    (tmp_path / "words.txt").write_text("नमस्ते दीदी\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    done = convert(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "a.rttm").read_text() == RTTM


def test_a_speaker_can_be_named_where_nobody_is(tmp_path: Path) -> None:
    (tmp_path / "v1.ctm").write_text("v1 1 0.5 0.25 जी\n")
    assert convert(tmp_path / "v1.ctm", tmp_path / "v1.stm").returncode == 2
    assert convert(tmp_path / "v1.ctm", tmp_path / "v1.stm", "--speaker", "asha").returncode == 0
    assert (tmp_path / "v1.stm").read_text() == "v1 1 asha 0.500 0.750 जी\n"


@pytest.mark.parametrize("form", [one for one in formats.all_formats().values() if one.is_written and one.item is Segment])
def test_what_a_format_says_that_it_loses_is_all_that_is_lost(form: formats.Format, tmp_path: Path) -> None:
    """Each field that the example conversation loses on the way is named in the format's ``loses``."""
    suffix = form.suffixes[0]
    out = f"{tmp_path}/folder" if form.folder else f"{tmp_path}/hi_anc_01{form.ending or suffix}"
    done = convert(EXAMPLES / "transcripts" / "hi_anc_01.txt", out, "--to", form.name)
    if done.returncode == 2:
        assert "expected" in done.stderr
        return
    words = {"segment_id": "segment id", "start_time": "times", "end_time": "times"}
    for line in done.stderr.splitlines():
        if line.startswith(("lost: ", "changed: ")):
            field = line.split(": ")[1].split(" of ")[0]
            assert words.get(field, field) in form.loses, line


def test_a_folder_takes_the_place_of_the_old_one_whole(tmp_path: Path) -> None:
    (tmp_path / "v1.rttm").write_text(RTTM)
    assert convert(tmp_path / "v1.rttm", tmp_path / "data", "--to", "kaldi").returncode == 0
    (tmp_path / "data" / "utt2lang").write_text("old hi\n")
    assert convert(tmp_path / "v1.rttm", tmp_path / "data", "--to", "kaldi").returncode == 0
    assert not (tmp_path / "data" / "utt2lang").exists(), "a table of other utterances"
    (tmp_path / "data" / "wav.scp").write_text("v1 v1.wav\n")
    before = sorted(path.read_bytes() for path in (tmp_path / "data").iterdir())
    done = convert(tmp_path / "v1.rttm", tmp_path / "data", "--to", "kaldi")
    assert (done.returncode, "other files in it (wav.scp)" in done.stderr) == (2, True)
    assert sorted(path.read_bytes() for path in (tmp_path / "data").iterdir()) == before


def test_a_folder_does_not_go_to_standard_output(tmp_path: Path) -> None:
    (tmp_path / "v1.rttm").write_text(RTTM)
    done = convert(tmp_path / "v1.rttm", "-", "--to", "kaldi")
    assert (done.returncode, done.stderr) == (2, "OUT: found standard output, expected a folder, as kaldi is one.\n")


def test_packed_files_are_read_under_the_name_that_they_unpack_to(tmp_path: Path) -> None:
    (tmp_path / "v1.srt.gz").write_bytes(gzip.compress(b"1\n00:00:00,500 --> 00:00:02,000\nhi\n"))
    assert convert(tmp_path / "v1.srt.gz", tmp_path / "v1.json", "--to", "seglst").returncode == 0
    assert json.loads((tmp_path / "v1.json").read_text())[0]["session_id"] == "v1"
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "a.rttm.gz").write_bytes(gzip.compress(RTTM.encode()))
    assert convert(tmp_path / "packed", f"{tmp_path}/out/", "--to", "stm").returncode == 0
    assert (tmp_path / "out" / "v1.stm").read_text() == "v1 1 asha 0.500 2.500\n"

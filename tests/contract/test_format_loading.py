"""From what the user names to items: folders, patterns, several files, and what must never happen in silence."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from parakh import formats
from parakh.errors import InputError, UnknownNameError
from parakh.types import Recording, Region, Segment, Severity, Summary, Topics

RTTM = "SPEAKER {} 1 0.0 2.0 <NA> <NA> asha <NA> <NA>\n"
STM = "{} 1 asha 0.0 2.0 नमस्ते दीदी\n"


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.write_text(text, encoding="utf-8")
    return folder


def ids(path: object, item: type = Segment, **options: object) -> list[str]:
    return [one.session_id for one in formats.load(path, item, **options).items]  # type: ignore[call-overload]


def test_folder_reads_in_name_order_and_tells_what_it_passed_over(tmp_path: Path) -> None:
    put(tmp_path, b__rttm=RTTM.format("b"), a__rttm=RTTM.format("a"), notes__md="# Notes")
    put(tmp_path, **{".DS_Store": "x", "._a.rttm": "x", "Thumbs.db": "x"})
    (tmp_path / "__MACOSX").mkdir()
    loaded = formats.load(tmp_path, Segment)
    assert [one.session_id for one in loaded.items] == ["a", "b"]
    (finding,) = loaded.findings
    assert (finding.code, finding.severity) == ("other-files", Severity.NOTE)
    assert "notes.md" in finding.message
    assert "DS_Store" not in finding.message


def test_a_broken_file_of_a_folder_is_never_passed_over(tmp_path: Path) -> None:
    put(tmp_path, a__rttm=RTTM.format("a"))
    (tmp_path / "b.rttm").write_bytes(RTTM.format("b").encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        formats.load(tmp_path, Segment)


def test_faults_of_all_files_come_together(tmp_path: Path) -> None:
    put(tmp_path, a__rttm="SPEAKER a 1 x 2 <NA> <NA> A", b__rttm="SPEAKER b 1 0 -1 <NA> <NA> B")
    with pytest.raises(InputError) as caught:
        formats.load([tmp_path / "a.rttm", tmp_path / "none.rttm", tmp_path / "b.rttm"], Segment)
    assert {Path(fault.path).name for fault in caught.value.faults} == {"a.rttm", "b.rttm", "none.rttm"}


def test_folder_without_a_usable_file_lists_what_is_there(tmp_path: Path) -> None:
    put(tmp_path, notes__md="# Notes", visit__wav="RIFF")
    (tmp_path / "deeper").mkdir()
    with pytest.raises(InputError, match=r"found deeper/, notes.md, visit.wav, expected files ending in .*\.rttm"):
        formats.load(tmp_path, Segment)


def test_folder_of_several_formats_has_to_be_told_which(tmp_path: Path) -> None:
    put(tmp_path, a__rttm=RTTM.format("a"), a__stm=STM.format("a"))
    with pytest.raises(InputError, match=r"rttm \(a.rttm\); stm \(a.stm\)"):
        formats.load(tmp_path, Segment)
    assert len(formats.load(tmp_path, Segment, format="stm").items) == 1


def test_pattern(tmp_path: Path) -> None:
    put(tmp_path, b__rttm=RTTM.format("b"), a__rttm=RTTM.format("a"), c__stm=STM.format("c"))
    assert ids(f"{tmp_path}/*.rttm") == ["a", "b"]
    with pytest.raises(InputError, match="found no file that matches"):
        formats.load(f"{tmp_path}/*.ctm", Segment)


def test_a_name_with_pattern_signs_is_first_of_all_a_name(tmp_path: Path) -> None:
    put(tmp_path, **{"visit[1].rttm": RTTM.format("v")})
    assert ids(tmp_path / "visit[1].rttm") == ["v"]


def test_a_file_given_twice_counts_once(tmp_path: Path) -> None:
    put(tmp_path, a__rttm=RTTM.format("a"))
    assert ids([tmp_path / "a.rttm", f"{tmp_path}/./a.rttm", str(tmp_path), f"{tmp_path}/*.rttm"]) == ["a"]


def test_a_recording_in_two_files_is_told(tmp_path: Path) -> None:
    put(tmp_path, one__rttm=RTTM.format("v"), two__rttm=RTTM.format("v"))
    loaded = formats.load(tmp_path, Segment)
    assert len(loaded.items) == 2
    assert [(finding.code, finding.session_id) for finding in loaded.findings] == [("session-in-several-files", "v")]
    assert "one of them" not in loaded.findings[0].message


def test_files_of_two_formats_for_one_recording_may_hold_the_same(tmp_path: Path) -> None:
    stm = "v 1 asha 0.0 2.0 दवा\n"
    seglst = '[{"session_id": "v", "speaker": "asha", "start_time": 0.0, "end_time": 2.0, "words": "दवा"}]'
    put(tmp_path, one__stm=stm, two__json=seglst)
    (found,) = formats.load([tmp_path / "one.stm", tmp_path / "two.json"], Segment).findings
    assert found.message.endswith("though one is stm and the other seglst: give one of them if both hold the same")


@pytest.mark.parametrize(
    ("item", "suffix", "text"),
    [
        (Region, ".uem", "v 1 0 9\n"),
        (Topics, ".csv", "rec_id,topics\nv,fever\n"),
        (Summary, ".csv", "rec_id,summary\nv,Fever.\n"),
        (Segment, ".txt", "v नमस्ते\nw जी\n"),
        (Recording, ".jsonl", '{"session_id": "v", "audio": "v.wav"}\n'),
    ],
)
def test_what_has_one_answer_a_recording_must_not_come_from_two_files(item: type, suffix: str, text: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}{suffix}").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"session_id: found 'v', expected each recording in one file"):
        formats.load(tmp_path, item)


def test_stripping_can_uncover_a_clash(tmp_path: Path) -> None:
    put(tmp_path, a__csv="rec_id,topics\nv_SPEAKER,fever\n", b__csv="rec_id,topics\nv,cough\n")
    assert len(ids(tmp_path, Topics)) == 2
    with pytest.raises(InputError, match="each recording in one file"):
        formats.load(tmp_path, Topics, strip_suffixes=["_SPEAKER"])


def test_stripping_takes_the_first_that_fits_once(tmp_path: Path) -> None:
    put(tmp_path, a__uem="v_b_a 1 0 1\n_a 1 0 1\nw_b 1 0 1\n")
    assert ids(tmp_path, Region, strip_suffixes=["_a", "_b"]) == ["v_b", "_a", "w"]


def test_names(tmp_path: Path) -> None:
    put(tmp_path, a__rttm=RTTM.format("a"))
    with pytest.raises(UnknownNameError, match="did you mean 'rttm'"):
        formats.load(tmp_path, Segment, format="rtm")
    with pytest.raises(InputError, match=r"'rttm', expected a format of Topics items: .*topics-csv"):
        formats.load(tmp_path, Topics, format="rttm")
    with pytest.raises(InputError, match="no path"):
        formats.load([], Segment)
    with pytest.raises(InputError, match="an empty path"):
        formats.load("", Segment)


@pytest.mark.parametrize("path", ["nul\0", "x" * 5000, "/dev/null"])
def test_odd_paths_are_faults(path: str) -> None:
    with pytest.raises(InputError):
        formats.load(path, Segment)


def test_challenge_folders_are_recognised(tmp_path: Path) -> None:
    """The file names and columns that the challenge's baselines write."""
    for name, text, item, form in [
        ("7_segment_transcription.txt", "7\t7_0001\t0.00\t2.00\tspk0\tनमस्ते\n", Segment, "challenge-tsv"),
        ("7_fullaudio_transcription.txt", "नमस्ते दीदी", Segment, "plain-text"),
        ("7_Topic_pred.txt", "fever, leg pain", Topics, "topics-txt"),
        ("7_summary.txt", "Fever for three days.", Summary, "summary-txt"),
        ("7.txt", "7\t7_0001\tspk0\tAsha\t0.470\t1.330\tजी नमस्ते\n", Segment, "challenge-tsv"),
    ]:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert formats.detect(path, item).name == form
        assert ids(path, item) == ["7"]


def test_format_is_told_by_content_whatever_the_suffix(tmp_path: Path) -> None:
    for name, text in {
        "rttm": RTTM.format("v"),
        "stm": STM.format("v"),
        "uem": "v 1 0 9\n",
        "ctm": "v A 0.1 0.2 जी 0.9\n",
    }.items():
        for suffix in ("", ".txt", ".dat"):
            path = tmp_path / f"some{suffix}"
            path.write_text(text, encoding="utf-8")
            assert formats.detect(path).name == name


def test_undecided_lists_what_was_tried(tmp_path: Path) -> None:
    put(tmp_path, x__dat="what is this\nwhat is this\n")
    with pytest.raises(
        InputError, match=r"a first line 'what is this', expected one of the formats .*rttm.*No format here reads it"
    ):
        formats.detect(tmp_path / "x.dat", Segment)


def test_write_each_names_files_as_the_challenge_does(tmp_path: Path) -> None:
    items = [Segment("v1", "asha", 0.0, 1.0, "एक"), Segment("v2", "asha", 0.0, 1.0, "दो"), Segment("v1", "asha", 2.0, 3.0, "तीन")]
    written = formats.write_each(items, tmp_path / "out", "challenge-tsv")
    assert [path.name for path in written] == ["v1_segment_transcription.txt", "v2_segment_transcription.txt"]
    assert [one.words for one in formats.load(tmp_path / "out", Segment).items] == ["एक", "तीन", "दो"]


def findings(path: object) -> list[tuple[str, Severity]]:
    return [(one.code, one.severity) for one in formats.load(path, Segment).findings]  # type: ignore[call-overload]


@pytest.mark.parametrize("how", ["folder", "pattern", "files"])
def test_single_lines_in_several_files_are_not_taken_for_keyed_text(how: str, tmp_path: Path) -> None:
    put(tmp_path, a__txt="namaste aap kaise hain\n", b__txt="main theek hoon\n")
    paths = {"folder": tmp_path, "pattern": f"{tmp_path}/*.txt", "files": [tmp_path / "a.txt", tmp_path / "b.txt"]}[how]
    message = r"a.txt: found one line, which starts with 'namaste'.*Say --reference-format or .* keyed-text or plain-text"
    with pytest.raises(InputError, match=message):
        formats.load(paths, Segment)  # type: ignore[call-overload]
    assert ids(paths, format="plain-text") == ["a", "b"]
    assert ids(paths, format="keyed-text") == ["namaste", "main"]


def test_single_lines_that_start_with_their_file_names_are_keyed_text(tmp_path: Path) -> None:
    put(tmp_path, a__txt="a namaste aap\n", b__txt="b\tmain theek\n")
    assert ids(tmp_path) == ["a", "b"]
    assert findings(tmp_path) == []


def test_one_single_line_among_longer_files_is_enough_to_ask(tmp_path: Path) -> None:
    put(tmp_path, a__txt="namaste aap\nkaise hain\n", b__txt="main theek hoon\n")
    with pytest.raises(InputError, match=r"b.txt: found one line"):
        formats.load(tmp_path, Segment)


def test_keyed_text_that_may_be_plain_is_told(tmp_path: Path) -> None:
    put(tmp_path, one__txt="ml അവൻ പാൽ\n", two__txt="u1 a\nu2 b\n", three__txt="u3 a\nu4 b\n")
    assert ids(tmp_path / "one.txt") == ["ml"]
    assert findings(tmp_path / "one.txt") == [("guessed-keyed-text", Severity.WARNING)]
    assert findings(tmp_path / "two.txt") == []
    assert findings([tmp_path / "two.txt", tmp_path / "three.txt"]) == [("guessed-keyed-text", Severity.WARNING)]
    assert formats.load(tmp_path / "one.txt", Segment, format="keyed-text").findings == ()


def test_the_first_words_of_one_plain_transcript_do_not_become_ids_in_silence(tmp_path: Path) -> None:
    put(tmp_path, talk__txt="Hello. Come in.\n\nOkay. Since when?\n", ids__txt="visit_a जी\nvisit_b हाँ\n")
    loaded = formats.load(tmp_path / "talk.txt", Segment)
    assert [one.code for one in loaded.findings] == ["guessed-keyed-text"]
    assert "2 lines read as keyed text, the first word as the id ('Hello.')" in loaded.findings[0].message
    assert findings(tmp_path / "ids.txt") == []


@pytest.mark.parametrize("text", ["s1\ts1_0001\t0.7\n", "s1\ts1_0001\t0.7\t1.2\n", "0001\t0.7\t1.2\tspk0\tजी नमस्ते\n"])
@pytest.mark.parametrize("name", ["s1.txt", "s1", "s1.tsv"])
def test_a_table_that_lost_columns_is_no_keyed_text(name: str, text: str, tmp_path: Path) -> None:
    put(tmp_path, **{name: text})
    with pytest.raises(
        InputError,
        match=r"s1\S*:1: found \d columns in .*, expected the tab-separated columns of challenge-tsv: rec_id, seg_id, speaker_id, role",
    ):
        formats.load(tmp_path / name, Segment)


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("x.txt", RTTM.format("v"), "rttm"),
        ("x.txt", "v 1 0 9\n", "uem"),
        ("x.stm", "v 1 A 0\n", "stm"),
        ("x.ctm", "v A 0.1\n", "ctm"),
    ],
)
def test_tables_of_other_formats_stay_theirs(name: str, text: str, form: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text.replace(" ", "\t"))
    assert formats.detect(tmp_path / name).name == form


def test_a_repeated_id_is_told_as_the_reason(tmp_path: Path) -> None:
    put(tmp_path, x__txt="u1 a b\n\nu1 c d\n")
    message = r"x.txt:3: id: found 'u1', expected an id of its own \(line 1 has the same\), as in keyed text, or the format .*plain-text.*Say which with"
    with pytest.raises(InputError, match=message):
        formats.load(tmp_path / "x.txt", Segment)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.trs", '<?xml version="1.0"?>\n<!DOCTYPE Trans SYSTEM "trans-14.dtd">\n'),
        ("x.json", '{"metrics": {"der": 0.2}}'),
    ],
)
def test_what_no_format_reads_is_told_so(name: str, text: str, tmp_path: Path) -> None:
    put(tmp_path, **{name: text})
    with pytest.raises(InputError, match=r"No format here reads it"):
        formats.load(tmp_path / name, Segment)


def test_json_in_a_text_file_is_no_keyed_text(tmp_path: Path) -> None:
    put(tmp_path, x__txt='{"segments": []}')
    with pytest.raises(InputError, match=r"Say which with --reference-format or --hypothesis-format"):
        formats.load(tmp_path / "x.txt", Segment)


def test_one_entry_is_not_entries(tmp_path: Path) -> None:
    put(tmp_path, a__rttm=RTTM.format("a"), notes__md="# Notes")
    assert [one.message for one in formats.load(tmp_path, Segment).findings] == ["1 other entry was passed over: notes.md"]


def test_control_characters_in_file_names_stay_off_the_terminal(tmp_path: Path) -> None:
    put(tmp_path, **{"a\x1b[2J.rttm": RTTM.format("a"), "b.rttm": RTTM.format("b")})
    with pytest.raises(InputError, match=r"a\\x1b\[2J.rttm: found a control character in the name") as caught:
        formats.load(tmp_path, Segment)
    assert "\x1b" not in str(caught.value)


def test_names_that_turn_the_direction_of_writing_around_are_no_file_names(tmp_path: Path) -> None:
    """``v<U+202E>mtt.exe`` is shown as vexe.ttm by a terminal."""
    put(tmp_path, **{"v\u202emtt.rttm": RTTM.format("a")})
    with pytest.raises(InputError, match=r"v\\u202emtt.rttm: found a control character in the name"):
        formats.load(tmp_path, Segment)
    with pytest.raises(InputError, match=r"session_id: found 'v\\u202emtt', expected an id that can be a file name"):
        formats.write_each([Segment("v\u202emtt", "a", 0.0, 1.0)], tmp_path / "out", "rttm")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def pipe() -> Iterator[tuple[str, BinaryIO]]:
    ours, theirs = os.pipe()
    with os.fdopen(ours, "rb"), os.fdopen(theirs, "wb") as source:
        yield f"/dev/fd/{ours}", source


@pytest.mark.parametrize("form", [None, "rttm"])
def test_a_pipe_is_read_once_and_whole(form: str | None, pipe: tuple[str, BinaryIO]) -> None:
    path, source = pipe
    source.write("".join(RTTM.format(f"v{number}") for number in range(1000)).encode())
    source.close()
    assert len(formats.load(path, Segment, format=form).items) == 1000
    with pytest.raises(InputError, match="found an empty pipe, expected text"):
        formats.load(path, Segment, format=form)


def test_a_hyphen_is_standard_input(tmp_path: Path) -> None:
    code = "from parakh import formats, types; print(len(formats.load('-', types.Segment).items))"
    done = subprocess.run([sys.executable, "-c", code], input=RTTM.format("v"), capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.parametrize("name", ["", "../v", "a/b", ".hidden", "a\x1b"])
def test_write_each_refuses_ids_that_are_no_file_names(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="an id that can be a file name"):
        formats.write_each([Topics(name)], tmp_path, "topics-txt")
    assert not list(tmp_path.iterdir())

"""The traps of each format, one small file each: what it means, or which fault is told."""

from pathlib import Path
from typing import Any

import pytest

from parakh import formats
from parakh.errors import InputError
from parakh.types import Loaded, Region, Segment, Summary, Topics


def read(tmp_path: Path, name: str, text: str, file: str = "x") -> Loaded[Any]:
    path = tmp_path / file
    path.write_bytes(text.encode())
    return formats.get(name).read(path)


def turn(tail: str) -> str:
    return f"SPEAKER v 1 {tail}"


def test_a_bad_time_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, "seglst", '[{"session_id": "v", "start_time": NaN, "end_time": 1}]')
    assert [fault.field for fault in caught.value.faults] == ["start_time"]


# Whole messages, after the file's name: these are what a user reads.
@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("rttm", turn("-0.5 1 <NA> <NA> A"), "1: onset: found '-0.5', expected seconds >= 0."),
        ("rttm", turn("0 -0.2 <NA> <NA> A"), "1: duration: found '-0.2', expected seconds >= 0."),
        ("rttm", turn("nan 1 <NA> <NA> A"), "1: onset: found 'nan', expected seconds >= 0."),
        ("keyed-text", "u1 a\ru2 b\r", ": found carriage returns but no line feed, expected lines that end in a line feed."),
        ("rttm", turn("0 inf <NA> <NA> A"), "1: duration: found 'inf', expected seconds >= 0."),
        ("rttm", turn("0 0e99999999999 <NA> <NA> A"), "1: duration: found '0e•••••••••99', expected seconds >= 0."),
        ("rttm", turn("1e300 1 <NA> <NA> A"), "1: onset: found '1e300', expected seconds <= 1e+09."),
        ("rttm", turn("0 1_0 <NA> <NA> A"), "1: duration: found '1_0', expected seconds >= 0."),
        ("rttm", turn("0 १ <NA> <NA> A"), "1: duration: found '१', expected seconds >= 0."),
        ("rttm", turn("0 1 <NA> <NA> <NA>"), "1: speaker: found <NA>, expected a speaker name."),
        ("rttm", turn("0 1 <NA> <NA> ASHA worker"), "1: confidence: found 'worker', expected <NA> or a number"),
        ("rttm", "SPEAKER visit 3 1 1.5 2.5 <NA> <NA> A", "1: orthography: found '2.5', expected <NA>"),
        ("rttm", "\n\nSPEAKR v 1 0 1 <NA> <NA> A", "3: type: found 'SPEAKR', expected SPEAKER or another RTTM type."),
        ("uem", "v 1 5 4", "1: end: found '4', expected seconds >= start (5)."),
        ("uem", "v 0 4", "1: found 3 fields, expected 4 fields: recording channel start end."),
        (
            "ctm",
            "v A * * <ALT_BEGIN>",
            "1: word: found '<ALT_BEGIN>', expected a word. Give a reference with alternatives as STM.",
        ),
        ("ctm", "v A 0.1 0.2 two words here", "1: found 7 fields, expected 5 or 6 fields"),
        ("ctm", "v A 0.1 0.2 two words", "1: confidence: found 'words', expected a number."),
        ("stm", "v 1 ASHA worker 0 2 नमस्ते", "1: begin: found 'worker', expected seconds >= 0. A name with a blank in it moves"),
        ("stm", "v 1 A 2 1 x", "1: end: found '1', expected seconds >= begin (2)."),
        ("stm", "v 1 A 2", "1: found 4 fields in 'v 1 A 2', expected recording channel speaker begin end [label] transcript"),
        ("stm", "v 1 A 0 1 { a / b", "1: transcript: found '{' without '}', expected alternatives written { a / b }"),
        ("stm", "v 1 A 0 1 a } b", "1: transcript: found '}' without '{'"),
        ("stm", "v 1 A 0 1" + " { a / b }" * 9, "1: transcript: found more than 256 combinations of alternatives"),
        ("seglst", '{"segments": []}', ": found {'segments': []}, expected a JSON list of segments."),
        ("seglst", '[{"session_id": "v",\n"speaker": }]', "2: found Expecting value at column 12, expected JSON."),
        (
            "seglst",
            '[{"session_id": "v", "start_time": 2, "end_time": "1"}]',
            "1: end_time: found 1.0, expected seconds >= start_time (2.0).",
        ),
        ("seglst", '[{"session_id": "v", "start_time": NaN, "end_time": 1}]', "1: start_time: found nan, expected seconds >= 0."),
        (
            "seglst",
            '[{"session_id": "v", "start_time": true, "end_time": 1}]',
            "1: start_time: found True, expected seconds >= 0.",
        ),
        ("seglst", '[{"session_id": "v", "end_time": 1}]', "1: end_time: found only one of the two times"),
        ("seglst", '[{"session_id": "v"}, {"speaker": "A"}]', "2: session_id: found None, expected the id of the recording."),
        ("seglst", '[{"session_id": "v", "words": ["a"]}]', "1: words: found ['a'], expected text."),
        ("seglst", '[{"session_id": "v", "words": "\\ud800"}]', "1: words: found '\\ud800', expected text without halves"),
        ("seglst", '[{"session_id": "v", "confidence": 2}]', "1: confidence: found 2, expected a number in [0, 1]."),
        ("seglst", "[" * 100000, ": found values nested too deeply, expected JSON."),
        (
            "seglst",
            f'[{{"session_id": "v", "start_time": {"9" * 5000}, "end_time": 1}}]',
            ": found a number of more than 4300 digits, expected JSON.",
        ),
        ("recordings-jsonl", f'{{"session_id": "v", "duration": {"9" * 5000}}}', "1: found '{"),
        ("recordings-jsonl", f'{{"session_id": "v", "duration": {"9" * 400}}}', "1: duration: found •••"),
        ("recordings-jsonl", "[" * 100000, "1: found '[[["),
        ("challenge-tsv", "v\tv_1\tspk0\tAsha\t0\t1\tजी\tहाँ", "1: found 8 columns in"),
        (
            "challenge-tsv",
            "v\tv_1\tspk0\tAsha\t0\t1\tजी\nv\tv_2\t1\t2\tspk0",
            "2: found 5 columns, expected 7 tab-separated columns.",
        ),
        ("challenge-tsv", "v\tv_1\t2\t1\tspk0\tजी", "1: end: found '1', expected seconds >= start (2)."),
        ("challenge-tsv", "v\tv_1\tspk0\tAsha\t0\tx\tजी", "1: end: found 'x', expected seconds >= 0."),
        ("keyed-text", "u1 a\nu2 b\nu1 c", "3: id: found 'u1', expected an id of its own (line 1 has the same)."),
        ("topics-csv", "v,fever", "1: found 'v,fever', expected a header with rec_id or session_id and one of gt_topics"),
        (
            "topics-csv",
            "rec_id,topics\nv,fever,cough",
            "2: found 3 fields, expected 2 fields, as in the header. Quote a value that holds commas.",
        ),
        ("topics-csv", "rec_id,topics\nv,a\nv,b", "3: rec_id: found 'v', expected an id of its own (line 2 has the same)."),
        ("topics-csv", "rec_id,gt_topics,pred_topics\nv,a,b", "1: found 'rec_id,gt_topics,pred_topics', expected a header"),
        ("topics-csv", 'rec_id,topics\nv,"a" b\n', "2: found ',' expected after '\"', expected CSV"),
        ("summary-jsonl", '{"rec_id": "v"}', "1: found the keys 'rec_id', expected one of rec_id, session_id and one of summary"),
        ("summary-jsonl", "[1]", "1: found '[1]', expected a JSON object."),
    ],
)
def test_fault(name: str, text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, name, text)
    message = str(caught.value).removeprefix(str(tmp_path / "x")).removeprefix(":").splitlines()[0]
    assert message.lstrip().startswith(fault.lstrip(": ")) if fault.startswith(":") else message.startswith(fault)


@pytest.mark.parametrize(
    ("name", "text", "field"),
    [
        ("rttm", turn("0 1 <NA> <NA> A\x1b[2J"), "speaker"),
        ("rttm", "SPEAKER v\x07 1 0 1 <NA> <NA> A", "recording"),
        ("stm", "v 1 A\x08 0 1 x", "speaker"),
        ("ctm", "v\x7f A 0 1 x", "recording"),
        ("uem", "v\x1b 1 0 1", "recording"),
        ("challenge-tsv", "v\tv_1\t0\t1\tspk\x1b0\tजी", "speaker_id"),
        ("challenge-tsv", "v\x1b\tv_1\t0\t1\tspk0\tजी", "rec_id"),
        ("seglst", '[{"session_id": "v", "speaker": "a\\u001bb"}]', "speaker"),
        ("seglst", '[{"session_id": "v\\u009b"}]', "session_id"),
        ("keyed-text", "u\x1b1 a", "id"),
        ("topics-keyed", "u\x1b1\ta", "id"),
        ("topics-csv", "rec_id,topics\nv\x1b,a", "rec_id"),
        ("summary-csv", "rec_id,summary\nv\x1b,a", "rec_id"),
        ("summary-jsonl", '{"rec_id": "v\\n1", "summary": "a"}', "rec_id"),
        ("recordings-jsonl", '{"session_id": "v\\u001b"}', "session_id"),
    ],
)
def test_control_characters_in_names_are_refused(name: str, text: str, field: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf": {field}: found '.*, expected (a name without control|an id that can be)") as caught:
        read(tmp_path, name, text)
    assert len(caught.value.faults) == 1
    assert not set(str(caught.value)) & set("\x07\x08\x1b\x7f\x9b\n")


@pytest.mark.parametrize("name", ["plain-text", "topics-txt", "summary-txt"])
def test_control_characters_in_the_name_of_a_file_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a name without control characters"):
        read(tmp_path, name, "fever", "v\x1b.txt")


@pytest.mark.parametrize("session", ["../../evil", "a/b", "a\\\\b", "..", ".", ".hidden", "a\\u0000"])
def test_a_manifest_names_no_files_elsewhere(session: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x:1: session_id: found '.*', expected an id that can be a file name"):
        read(tmp_path, "recordings-jsonl", f'{{"session_id": "{session}", "audio": "a.wav"}}\n')


@pytest.mark.parametrize("depth", [500, *range(900, 1010, 3)])
@pytest.mark.parametrize(
    ("name", "text"), [("seglst", '[{{"session_id": "v", "words": {}}}]'), ("recordings-jsonl", '{{"session_id": "v", "x": {}}}')]
)
def test_deep_nesting_is_no_crash(name: str, text: str, depth: int, tmp_path: Path) -> None:
    message = ""
    try:
        read(tmp_path, name, text.format("[" * depth + "]" * depth))
    except InputError as error:
        message = str(error)
    assert "recursion" not in message


def test_a_nul_in_a_cell_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x:2: found a NUL byte"):
        read(tmp_path, "topics-csv", 'rec_id,topics\nv,"a\0b"\n')


def test_one_field_is_not_fields(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x:1: found 1 field, expected 4 fields"):
        read(tmp_path, "uem", "v")


def test_long_lists_of_faults_are_cut(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, "rttm", "rubbish\n" * 1000)
    lines = str(caught.value).split("\n")
    assert len(lines) == 51
    assert lines[-1] == "... and 950 more faults."


def test_rttm_field_counts_and_comments(tmp_path: Path) -> None:
    text = "\n".join(
        [
            ";; made by hand",
            "# another comment",
            turn("0 1 <NA> <NA> NA"),
            "",
            turn("1 1 <NA> <NA> null <NA>"),
            turn("2 1 <NA> <NA> nan 0.5 <NA>"),
            turn("3 1 <NA> <NA> nan -6.2 <NA>"),
            "NOSCORE v 1 5 6 <NA> <NA> <NA> <NA>",
        ]
    )
    loaded = read(tmp_path, "rttm", text)
    assert [one.speaker for one in loaded.items] == ["NA", "null", "nan", "nan"]
    assert [one.confidence for one in loaded.items] == [None, None, 0.5, None]
    assert {finding.code for finding in loaded.findings} == {"noscore-ignored", "confidence-scale"}


def test_turns_that_touch_in_the_file_touch_in_memory(tmp_path: Path) -> None:
    first, second = read(tmp_path, "rttm", f"{turn('0.1 0.2 <NA> <NA> A')}\n{turn('0.3 0.6 <NA> <NA> A')}").items
    assert first.end_time == second.start_time


def test_uem_merges_what_overlaps_and_keeps_what_touches(tmp_path: Path) -> None:
    loaded = read(tmp_path, "uem", "# c\n; c\nv 1 4 9\nw 1 0 1\nv NA 0 5\nv 1 9 10\nv 1 9 10\n")
    assert loaded.items == (Region("v", 0.0, 9.0), Region("v", 9.0, 10.0), Region("w", 0.0, 1.0))
    assert {finding.code for finding in loaded.findings} == {"overlapping-regions", "duplicate-line"}


def test_ctm_channel_is_no_speaker_and_log_likelihood_no_confidence(tmp_path: Path) -> None:
    loaded = read(tmp_path, "ctm", ";; c\nv A 11.34 0.2 YES -6.763\nv B 11.34 0 NO 0.5\n")
    assert [(one.speaker, one.channel, one.confidence) for one in loaded.items] == [(None, "A", None), (None, "B", 0.5)]
    assert {finding.code for finding in loaded.findings} == {"confidence-scale", "zero-duration"}


@pytest.mark.parametrize(
    ("transcript", "words", "forms"),
    [
        ("", "", ()),
        (" ", "", ()),
        ("  a  b ", " a  b ", ()),
        (" a\u2028b\x85c\x0cd", "a\u2028b\x85c\x0cd", ()),
        (" BP 120 / 80 @ home", "BP 120 / 80 @ home", ()),
        (" <O,F>", "", ()),
        (" <O,F> ", "", ()),
        (" <>  <unk> a", " <unk> a", ()),
        (" (uh) (two words) ok", "uh (two words) ok", ()),
        (" a { b { c / d } / @ } e", "a b c e", ("a b d e", "a e")),
        (" { a / a }", "a", ()),
    ],
)
def test_stm_transcripts(transcript: str, words: str, forms: tuple[str, ...], tmp_path: Path) -> None:
    loaded = read(tmp_path, "stm", f"v 1 A 0 2{transcript}\n")
    assert [(one.words, one.forms) for one in loaded.items] == [(words, forms)]


def test_seglst_texts_for_times_and_all_the_extra_fields(tmp_path: Path) -> None:
    entry = (
        '[{"session_id": 7, "speaker": 1, "start_time": "0.5", "end_time": "2", "words": "जी", "role": "Asha", "language": "hi",'
        ' "segment_id": "7_1", "channel": "A", "confidence": 0.5, "forms": ["ji"], "custom": [1]}]'
    )
    loaded = read(tmp_path, "seglst", entry)
    assert loaded.items == (Segment("7", "1", 0.5, 2.0, "जी", "Asha", "hi", "7_1", "A", 0.5, ("ji",)),)
    assert [finding.code for finding in loaded.findings] == ["unknown-key"]


def test_challenge_columns(tmp_path: Path) -> None:
    spoken = Segment("7", "spk0", 0.47, 1.33, " जी  नमस्ते ", segment_id="7_1")
    output = "7\t7_1\t0.47\t1.33\tspk0\t जी  नमस्ते \n7\t7_2\t2\t3\tspk1\t\n7\t7_3\t4\t5\tspk1\n"
    loaded = read(tmp_path, "challenge-tsv", output)
    assert loaded.items[0] == spoken
    assert [one.words for one in loaded.items[1:]] == ["", ""]
    reference = "7\t7_1\tspk0\t    Asha\t        0.470\t    1.330\t जी  नमस्ते \n7\t7_2\tspk1\tMother\t2\t3\n"
    loaded = read(tmp_path, "challenge-tsv", reference)
    assert [(one.role, one.start_time, one.words) for one in loaded.items] == [("Asha", 0.47, " जी  नमस्ते "), ("Mother", 2.0, "")]
    header = "rec_id\tseg_id\tspeaker_id\tspeaker_role\tstart_time\tend_time\ttranscript\n"
    assert read(tmp_path, "challenge-tsv", header + reference).items == loaded.items


def test_challenge_writer_chooses_columns_by_role(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    formats.get("challenge-tsv").write([Segment("7", "spk0", 0.0, 1.0, "जी", role="Asha")], path)
    assert path.read_text(encoding="utf-8") == "7\t7_0001\tspk0\tAsha\t0.000\t1.000\tजी\n"
    formats.get("challenge-tsv").write([Segment("7", "spk0", 0.0, 1.0, "जी")], path)
    assert path.read_text(encoding="utf-8") == "7\t7_0001\t0.000\t1.000\tspk0\tजी\n"


def test_keyed_text_keeps_everything_after_one_blank(tmp_path: Path) -> None:
    loaded = read(tmp_path, "keyed-text", "u1  a  b \nu2\tc\td\nu3\n\nu4 ;; e\n")
    assert [(one.session_id, one.words) for one in loaded.items] == [("u1", " a  b "), ("u2", "c\td"), ("u3", ""), ("u4", ";; e")]


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ('rec_id,gt_topics\nv,"Headache, Leg Pain"\n', ("Headache", "Leg Pain")),
        ("rec_id,pred_topics\nv,None\n", ()),
        ("topics,session_id\n,v\n", ()),
        ('rec_id,topics\nv,"ಜ್ವರ,, none "\n', ("ಜ್ವರ", "none")),
    ],
)
def test_topics_csv(text: str, topics: tuple[str, ...], tmp_path: Path) -> None:
    assert read(tmp_path, "topics-csv", text).items == (Topics("v", topics),)


@pytest.mark.parametrize(("text", "topics"), [("", ()), ("none\n", ()), ("fever,\nleg pain", ("fever", "leg pain"))])
def test_topics_txt(text: str, topics: tuple[str, ...], tmp_path: Path) -> None:
    assert read(tmp_path, "topics-txt", text, "v_Topic_pred.txt").items == (Topics("v", topics),)


def test_summaries_keep_quotes_commas_and_line_ends(tmp_path: Path) -> None:
    text = 'rec_id,gt_summary\n2006763,"She said ""rest"",\nthen left."\n'
    assert read(tmp_path, "summary-csv", text).items == (Summary("2006763", 'She said "rest",\nthen left.'),)
    text = '{"rec_id": 7, "gt_summary": "a\\nb\u2028c", "note": 1}\n'
    loaded = read(tmp_path, "summary-jsonl", text)
    assert loaded.items == (Summary("7", "a\nb\u2028c"),)
    assert [finding.code for finding in loaded.findings] == ["unknown-key"]


@pytest.mark.parametrize(
    ("name", "item", "found"),
    [
        ("rttm", Segment("v", None, 0.0, 1.0), "1: speaker: found None"),
        ("rttm", Segment("v", "A"), "1: start_time: found no time"),
        ("rttm", Segment("v", "A", 0.0, float("nan")), "1: end_time: found nan"),
        ("stm", Segment("v", "A", 0.0, 1.0, "a\nb"), r"1: words: found 'a\\nb'"),
        ("stm", Segment("v", "A", 0.0, 1.0, "{ a }"), "1: words: found '{ a }'"),
        ("stm", Segment("v", "A", 0.0, 1.0, "{"), "1: words: found '{'"),
        ("stm", Segment("v", "A", 0.0, 1.0, "(ok)"), r"1: words: found '\(ok\)'"),
        ("ctm", Segment("v", None, 0.0, 1.0, "a b"), "1: words: found 'a b'"),
        ("keyed-text", Segment("v 1", words="a"), "1: session_id: found 'v 1'"),
        ("challenge-tsv", Segment("v", "A", 0.0, 1.0, "a\tb"), r"1: words: found 'a\\tb'"),
        ("topics-csv", Topics("v", ("fever, cough",)), "1: topics: found"),
        ("topics-csv", Topics("v", ("None",)), "1: topics: found"),
        ("summary-txt", Summary("w", "a"), "found the name 'v.txt', expected a file named w_summary.txt"),
    ],
)
def test_writers_refuse_what_the_format_cannot_hold(name: str, item: Any, found: str, tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    with pytest.raises(InputError, match=found):
        formats.get(name).write([item], path)
    assert not path.exists()


@pytest.mark.parametrize("times", ['"x"', "[1]", "[[1, 2]]", '[[1, "a"], [1, 2]]', "[[2, 1], [3, 4]]", "[[1, 2], [3, 4, 5]]"])
def test_word_times_that_make_no_sense_are_a_fault(tmp_path: Path, times: str) -> None:
    (tmp_path / "a.json").write_text(f'[{{"session_id": "v", "words": "x y", "word_times": {times}}}]')
    with pytest.raises(InputError, match="word_times"):
        formats.get("seglst").read(tmp_path / "a.json")


def test_word_times_come_back(tmp_path: Path) -> None:
    turn = Segment("v", "a", 0.0, 2.0, "x y", word_times=((0.0, 0.5), (0.75, 2.0)))
    formats.get("seglst").write([turn], tmp_path / "a.json")
    assert formats.get("seglst").read(tmp_path / "a.json").items == (turn,)

"""The traps of TextGrid, ELAN, subtitles, labels and Label Studio: what each odd file means, or the line that refuses it."""

import json
from pathlib import Path
from typing import Any

import pytest

from parakh import formats
from parakh.errors import InputError
from parakh.types import Loaded, Segment


def put(folder: Path, name: str, content: str | bytes, session: str = "v1") -> Path:
    form = formats.get(name)
    path = folder / f"{session}{form.ending or form.suffixes[0]}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(folder: Path, name: str, content: str | bytes) -> Loaded[Segment]:
    return formats.get(name).read(put(folder, name, content))


def faults(folder: Path, name: str, content: str | bytes) -> list[str]:
    path = put(folder, name, content)
    with pytest.raises(InputError) as caught:
        formats.get(name).read(path)
    return str(caught.value).replace(f"{path}:", "").split("\n")


def refused(folder: Path, name: str, *items: Segment) -> list[str]:
    form = formats.get(name)
    path = folder / f"v1{form.ending or form.suffixes[0]}"
    with pytest.raises(InputError) as caught:
        form.write(items, path)
    assert not path.exists()
    return str(caught.value).replace(f"{path}:", "").split("\n")


def said(loaded: Loaded[Segment]) -> list[tuple[Any, ...]]:
    return [(one.speaker, one.start_time, one.end_time, one.words) for one in loaded.items]


def codes(loaded: Loaded[Segment]) -> dict[str, int]:
    return {finding.code: int(finding.message.split()[0]) for finding in loaded.findings}


def lines_of(loaded: Loaded[Segment]) -> dict[str, int | None]:
    return {finding.code: finding.line for finding in loaded.findings}


# TextGrid


def short(*values: str) -> str:
    return "\n".join(['File type = "ooTextFile"', 'Object class = "TextGrid"', "", *values, ""])


TIER = ("0", "9", "<exists>", "1", '"IntervalTier"', '"asha"', "0", "9")


def test_textgrid_chronological(tmp_path: Path) -> None:
    """The form of Praat's manual, written by hand; Praat 6.1 reads these texts from it."""
    text = '''"Praat chronological TextGrid text file"
0 9   ! Time domain.
3   ! Number of tiers.
"IntervalTier" "asha" 0 9
"IntervalTier" "माँ" 0 9
"TextTier" "bell" 0 9

! asha:
1 0 2.5
"नमस्ते ! ""दीदी"""

! माँ:
2 2 4
"हाँ"

! bell:
3 5
"ding"

! asha:
1 2.5 9
""
'''
    loaded = read(tmp_path, "textgrid", text)
    assert said(loaded) == [("asha", 0.0, 2.5, 'नमस्ते ! "दीदी"'), ("माँ", 2.0, 4.0, "हाँ")]
    assert loaded.lines == [9, 13]
    assert lines_of(loaded) == {"point-tier": 17}
    assert formats.detect(put(tmp_path, "textgrid", text)).name == "textgrid"
    assert faults(tmp_path, "textgrid", text.replace("\n2 2 4", "\n4 2 4"))[0].startswith(
        "13: tier: found '4', expected the number"
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_textgrid_encodings(encoding: str, end: str, tmp_path: Path) -> None:
    text = short(*TIER, "1", "0", "1", '"माँ\nने कहा"').replace("\n", end)
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    assert said(read(tmp_path, "textgrid", (mark + text).encode(encoding))) == [("asha", 0.0, 1.0, "माँ\nने कहा")]


def test_textgrid_broken_utf16(tmp_path: Path) -> None:
    text = ("\ufeff" + short(*TIER, "1", "0", "1", '"a"')).encode("utf-16-le")
    assert faults(tmp_path, "textgrid", text + b"\x00\xd8") == [
        "16: found the byte 0x00, which is not UTF-16, expected UTF-8 text. Save it as UTF-8."
    ]
    assert faults(tmp_path, "textgrid", text + b"\x00\x00")[0].startswith("16: found a NUL character")


def test_a_binary_grid_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, "textgrid", b"ooBinaryFile\x08TextGrid\x00\x00\x00\x00")
    for reader in (formats.get("textgrid").read, formats.detect):
        with pytest.raises(
            InputError, match=r"found a binary file of Praat, expected text\. In Praat, choose Save as text file\."
        ):
            reader(path)


def test_utf16_is_only_for_formats_that_have_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes("SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>".encode("utf-16"))
    with pytest.raises(InputError, match="found UTF-16 text, expected UTF-8 text"):
        formats.detect(path)
    path.write_bytes(short(*TIER, "1", "0", "1", '"a"').encode("utf-16"))
    assert formats.detect(path).name == "textgrid"
    assert len(formats.load(path, Segment).items) == 1


def test_textgrid_silence_blanks_and_tiers(tmp_path: Path) -> None:
    tier = ('"IntervalTier"', '"asha - words"', "0", "9", "1", "-0", "1", '"a"')
    text = short(
        "0", "9", "<exists>", "3", *TIER[4:], "3", "0", "1", '""', "1", "2", '" "', "2", "9", '"b"', *tier, *TIER[4:], "0"
    )
    loaded = read(tmp_path, "textgrid", text)
    assert said(loaded) == [("asha", 2.0, 9.0, "b"), ("asha - words", 0.0, 1.0, "a")]
    assert codes(loaded) == {"blank-interval": 1, "layer-tier": 1, "repeated-tier": 1}
    assert read(tmp_path, "textgrid", short("0", "9", "<absent>")).items == ()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("1", "0", "1,5", '"a"'), ["14: xmax: found '1,5', expected a number of seconds."]),
        (("1", "-1", "1", '"a"'), ["13: xmin: found '-1', expected seconds >= 0."]),
        (("1", "2", "1", '"a"'), ["14: xmax: found 1, expected seconds >= xmin (2). Swap or mend the times."]),
        (
            ("2", "abc", "nan", '"a"', "-1", "2", '"b"'),
            ["13: xmin: found 'abc'", "14: xmax: found 'nan'", "16: xmin: found '-1'"],
        ),
        (("2", "0", "1", '"a"'), ["15: xmin: found the end of the file, expected a number. The file is cut off"]),
        (("1", "0", "1", '"a"', "1", "2", '"b"'), ["16: found '1', expected the end of the file"]),
        (("1", "0", "1", '"a "b" c"'), ["15: text: found '\"a', expected a text in quotes. Close the quote"]),
        (("2", "0", "1", '"open', "1", "2", '""'), ["15: text: found '\"open', expected a text in quotes. Close the quote"]),
        (("1", "0", '"a"'), ["14: xmax: found 'a', expected a number."]),
        (("x", "0", "1", '"a"'), ["12: size: found 'x', expected a whole number."]),
    ],
)
def test_textgrid_faults(values: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    told = faults(tmp_path, "textgrid", short(*TIER, *values))
    assert len(told) == len(expected)
    for one, start in zip(told, expected, strict=True):
        assert one.startswith(start)


def test_a_quote_that_swallows_the_next_interval_is_told_where_it_opens(tmp_path: Path) -> None:
    intervals = "".join(
        f" intervals [{n}]:\n  xmin = {n}\n  xmax = {n + 1}\n  text = {text}\n" for n, text in [(1, '"a'), (2, '" b"')]
    )
    head = short("xmin = 0", "xmax = 9", "tiers? <exists>", "size = 1", "item []:", " item [1]:", '  class = "IntervalTier"')
    text = f'{head}  name = "asha"\n  xmin = 0\n  xmax = 9\n  intervals: size = 2\n{intervals}'
    (fault,) = faults(tmp_path, "textgrid", text)
    assert fault.startswith("18: text: found 'a\\n intervals [2]:")


def test_textgrid_writes_what_praat_reads(tmp_path: Path) -> None:
    """The file that Praat 6.1 opens: every tier is filled from 0 to the end, quotes are doubled."""
    path = tmp_path / "v1.TextGrid"
    formats.get("textgrid").write([Segment("v1", 'A "1"', 0.5, 1.25, 'say "aa"'), Segment("v1", None, 1.0, 2.0, "हाँ")], path)
    assert (
        path.read_text()
        == '''File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0.000
xmax = 2.000
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "A ""1"""
        xmin = 0.000
        xmax = 2.000
        intervals: size = 3
        intervals [1]:
            xmin = 0.000
            xmax = 0.500
            text = ""
        intervals [2]:
            xmin = 0.500
            xmax = 1.250
            text = "say ""aa"""
        intervals [3]:
            xmin = 1.250
            xmax = 2.000
            text = ""
    item [2]:
        class = "IntervalTier"
        name = ""
        xmin = 0.000
        xmax = 2.000
        intervals: size = 2
        intervals [1]:
            xmin = 0.000
            xmax = 1.000
            text = ""
        intervals [2]:
            xmin = 1.000
            xmax = 2.000
            text = "हाँ"
'''
    )


@pytest.mark.parametrize("name", ["textgrid", "eaf"])
def test_a_tier_holds_no_overlap_of_one_speaker(name: str, tmp_path: Path) -> None:
    turns = [Segment("v1", "a", 3.0, 4.0, "x"), Segment("v1", "b", 1.0, 9.0, "y"), Segment("v1", "a", 3.5, 5.0, "z")]
    (fault,) = refused(tmp_path, name, *turns)
    assert fault.startswith("3: start_time: found 3.5, expected seconds >= 4.0, where entry 1 of the same speaker ends.")


def test_textgrid_refuses_what_would_be_silence(tmp_path: Path) -> None:
    turns = [Segment("v1", "a", 1.0, 2.0, " "), Segment("v1", "a", 3.0, 3.0, "x"), Segment("v1", "", 4.0, 5.0, "y")]
    told = refused(tmp_path, "textgrid", *turns)
    assert [one.split(",")[0] for one in told] == ["1: words: found ' '", "2: end_time: found 3.0", "3: speaker: found ''"]


@pytest.mark.parametrize("name", ["textgrid", "eaf", "webvtt", "srt", "audacity"])
def test_one_file_is_one_recording_and_its_name_says_which(name: str, tmp_path: Path) -> None:
    turns = [Segment("v1", "a", 1.0, 2.0, "x"), *(Segment("v2", "a", start, start + 1, "x") for start in (3.0, 4.0))]
    (fault,) = refused(tmp_path, name, *turns)
    assert fault.startswith("2: session_id: found 'v2', expected 'v1', as the file's name says.")
    form = formats.get(name)
    (path, _) = formats.write_each(turns, tmp_path, name)
    assert path.name == f"v1{form.ending}"
    assert [one.session_id for one in formats.load(tmp_path, Segment, format=name).items] == ["v1", "v2", "v2"]
    control = tmp_path / f"v\x1b1{form.ending}"
    control.write_bytes(path.read_bytes())
    with pytest.raises(InputError, match="expected a name without control characters"):
        form.read(control)


# ELAN


def elan(slots: str, *tiers: str, header: str = '<HEADER TIME_UNITS="milliseconds"/>') -> str:
    times = (f'<TIME_SLOT TIME_SLOT_ID="t{n}"' + f' TIME_VALUE="{v}"' * (v != "-") + "/>" for n, v in enumerate(slots.split()))
    return "\n".join(
        ["<ANNOTATION_DOCUMENT>", header, f"<TIME_ORDER>{''.join(times)}</TIME_ORDER>", *tiers, "</ANNOTATION_DOCUMENT>"]
    )


def tier(name: str, *annotations: str, more: str = "") -> str:
    return "\n".join([f'<TIER TIER_ID="{name}" {more}>', *(f"<ANNOTATION>{one}</ANNOTATION>" for one in annotations), "</TIER>"])


def aligned(name: str, first: int, last: int, text: str = "x") -> str:
    refs = f'ANNOTATION_ID="{name}" TIME_SLOT_REF1="t{first}" TIME_SLOT_REF2="t{last}"'
    return f"<ALIGNABLE_ANNOTATION {refs}><ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>"


def refers(name: str, parent: str, text: str, previous: str = "") -> str:
    more = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
    refs = f'ANNOTATION_ID="{name}" ANNOTATION_REF="{parent}"{more}'
    return f"<REF_ANNOTATION {refs}><ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></REF_ANNOTATION>"


def test_elan_speakers_and_text(tmp_path: Path) -> None:
    text = elan(
        "0 1500 1500 4000",
        tier("Worker text", aligned("a1", 0, 1, "a &lt;b&gt;\nc &amp;#38;"), more='PARTICIPANT="Asha"'),
        tier("mother", aligned("a2", 2, 3, "")),
    )
    loaded = read(tmp_path, "eaf", text)
    assert said(loaded) == [("Asha", 0.0, 1.5, "a <b>\nc &#38;"), ("mother", 1.5, 4.0, "")]
    assert [(one.segment_id, one.channel) for one in loaded.items] == [("a1", None), ("a2", None)]
    assert loaded.lines == [5, 9]
    assert loaded.findings == ()


def test_elan_slots_without_value_share_the_time_of_their_chain(tmp_path: Path) -> None:
    text = elan("1000 - - 2500 -", tier("a", aligned("a3", 2, 3), aligned("a1", 0, 1), aligned("a2", 1, 2)))
    loaded = read(tmp_path, "eaf", text)
    assert [(one.segment_id, one.start_time, one.end_time) for one in loaded.items] == [
        ("a3", 2.0, 2.5),
        ("a1", 1.0, 1.5),
        ("a2", 1.5, 2.0),
    ]
    assert codes(loaded) == {"interpolated-time": 3}


def test_elan_dependent_tiers_share_the_time_of_their_parent(tmp_path: Path) -> None:
    text = elan(
        "1000 4000",
        tier("gloss", refers("g1", "w2", "GLOSS"), more='PARENT_REF="words"'),  # before its parent
        tier("words", refers("w3", "a1", "three", "w2"), refers("w2", "a1", "two", "w1"), refers("w1", "a1", "one")),
        tier("a", aligned("a1", 0, 1, "one two three")),
        tier("translation", refers("b1", "a1", "eins zwei drei"), more='PARENT_REF="a" PARTICIPANT="a"'),
    )
    loaded = read(tmp_path, "eaf", text)
    assert {one.words: (one.start_time, one.end_time) for one in loaded.items} == {
        "one": (1.0, 2.0),
        "two": (2.0, 3.0),
        "three": (3.0, 4.0),
        "GLOSS": (2.0, 3.0),
        "one two three": (1.0, 4.0),
        "eins zwei drei": (1.0, 4.0),
    }
    assert [(one.speaker, one.channel) for one in loaded.items][-2:] == [("a", "a"), ("a", "translation")]
    assert codes(loaded) == {"dependent-tier": 2}


@pytest.mark.parametrize(
    ("media", "start"),
    [
        ('<MEDIA_DESCRIPTOR MIME_TYPE="audio/x-wav" TIME_ORIGIN="1500"/>', 2.5),
        ('<MEDIA_DESCRIPTOR MIME_TYPE="video/mp4" TIME_ORIGIN="9"/><MEDIA_DESCRIPTOR MIME_TYPE="audio/x-wav"/>', 1.0),
        ('<MEDIA_DESCRIPTOR MIME_TYPE="video/mp4" TIME_ORIGIN="500"/>', 1.5),
    ],
)
def test_elan_times_count_from_the_start_of_the_audio(media: str, start: float, tmp_path: Path) -> None:
    loaded = read(tmp_path, "eaf", elan("1000 2000", tier("a", aligned("a1", 0, 1)), header=f"<HEADER>{media}</HEADER>"))
    assert loaded.items[0].start_time == start
    assert ("time-origin" in codes(loaded)) == (start != 1.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (elan("1.5 2", tier("a", aligned("a1", 0, 1))), ["3: TIME_VALUE: found '1.5', expected a whole number"]),
        (elan("5 2", tier("a", aligned("a1", 0, 1))), ["5: TIME_SLOT_REF2: found 2, expected milliseconds >= the start (5)."]),
        (elan("5 -", tier("a", aligned("a1", 0, 1))), ["5: TIME_SLOT_REF: found 't0 t1', expected time slots with a value"]),
        (
            elan("5", tier("a", aligned("a1", 0, 7))),
            ["5: TIME_SLOT_REF: found 't7', expected a TIME_SLOT", "5: TIME_SLOT_REF: found"],
        ),
        (elan("", tier("a", refers("a1", "a1", "x"))), ["5: ANNOTATION_REF: found 'a1', expected an annotation that has times."]),
        (
            elan("1 2", tier("a", aligned("a", 0, 1), refers("b", "a", "x", "c"), refers("c", "a", "y", "b"))),
            ["6: PREVIOUS_ANNOTATION: found 'c', expected an order without a circle."],
        ),
        (
            elan("1 2", tier("a", aligned("a", 0, 1)), tier("a", aligned("a", 0, 1))),
            ["7: TIER_ID: found 'a'", "8: ANNOTATION_ID: found 'a'"],
        ),
        (elan("1 2", tier("a\x01b")), ["4: not well-formed"]),
        (elan("1 2", header='<HEADER TIME_UNITS="PAL-frames"/>'), ["2: TIME_UNITS: found 'PAL-frames', expected milliseconds."]),
        ("<html/>", ["1: found the element 'html', expected ANNOTATION_DOCUMENT."]),
        ("<ANNOTATION_DOCUMENT>\n<TIER>", ["2: TIER_ID: found nothing", "2: found no element found"]),
        ("nothing", ["1: found syntax error at column 1, expected the XML of an ELAN file."]),
    ],
)
def test_elan_faults(text: str, expected: list[str], tmp_path: Path) -> None:
    told = faults(tmp_path, "eaf", text)
    assert len(told) == len(expected)
    for one, start in zip(told, expected, strict=True):
        assert one.startswith(start) or (start.startswith("4: not") and "not well-formed" in one)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
    ],
)
def test_elan_files_have_no_document_type(declaration: str, tmp_path: Path) -> None:
    text = f'<?xml version="1.0"?>\n{declaration}\n' + elan("1 2", tier("a", aligned("a1", 0, 1, "&a;")))
    (fault,) = faults(tmp_path, "eaf", text)
    assert fault.startswith("2: found a document type (DOCTYPE), expected an ELAN file")


def test_elan_is_written_tier_by_tier(tmp_path: Path) -> None:
    turns = [
        Segment("v1", "Asha", 1.0, 2.0, 'a "b" <c> & d\r\n', segment_id="x1", channel="text"),
        Segment("v1", "माँ", 0.0004, 1.0, "हाँ", segment_id="not an id", channel="1"),
        Segment("v1", "Asha", 1.0, 2.0, "translated", segment_id="a1", channel="english"),
    ]
    path = tmp_path / "v1.eaf"
    formats.get("eaf").write(turns, path)
    read = formats.get("eaf").read(path).items
    assert [(one.speaker, one.channel, one.segment_id, one.start_time, one.words) for one in read] == [
        ("Asha", "text", "x1", 1.0, 'a "b" <c> & d\r\n'),
        ("माँ", None, "a2", 0.0, "हाँ"),
        ("Asha", "english", "a1", 1.0, "translated"),
    ]


def test_elan_refuses_what_xml_cannot_hold(tmp_path: Path) -> None:
    turns = [Segment("v1", "a", 1.0, 2.0, "bell \x07"), Segment("v1", None, 3.0, 4.0, "x"), Segment("v1", "a", 5.0, 5.0003, "y")]
    told = refused(tmp_path, "eaf", *turns)
    assert [one.split(",")[0] for one in told] == [
        "1: words: found 'bell \\x07'",
        "2: speaker: found None",
        "3: end_time: found 5.0003",
    ]


# WebVTT and SubRip


def vtt(*blocks: str) -> str:
    return "\n\n".join(["WEBVTT", *blocks])


def test_webvtt_voices(tmp_path: Path) -> None:
    text = vtt(
        "00:01.000 --> 00:02.000\n<v Asha>unclosed",
        "00:02.000 --> 00:03.000\n<v.loud.first Dr. Rao &amp; son>closed</v>",
        "01:00:03.000 --> 01:00:04.000\n<v Asha>one\n<v माँ>two</v> <v>three</v>\nfour",
        "00:05.000 --> 00:06.000\nnobody",
    )
    loaded = read(tmp_path, "webvtt", text)
    assert said(loaded) == [
        ("Asha", 1.0, 2.0, "unclosed"),
        ("Dr. Rao & son", 2.0, 3.0, "closed"),
        ("Asha", 3603.0, 3604.0, "one"),
        ("माँ", 3603.0, 3604.0, "two"),
        (None, 3603.0, 3604.0, "three"),
        (None, 3603.0, 3604.0, "four"),
        (None, 5.0, 6.0, "nobody"),
    ]
    assert loaded.lines == [3, 6, 9, 9, 9, 9, 14]
    assert codes(loaded) == {"shared-cue": 1}


def test_webvtt_markup_entities_and_other_tags(tmp_path: Path) -> None:
    cue = "id 1\n00:01.000 --> 00:02.000 align:start\n<i>BP</i> &lt;140 < 150 <UNSURE>हाँ</UNSURE> <00:01.500><c.a.b>&#2325;&nbsp;&foo; & x</c>"
    loaded = read(tmp_path, "webvtt", vtt(cue))
    assert [one.words for one in loaded.items] == ["BP <140 < 150 <UNSURE>हाँ</UNSURE> क\xa0&foo; & x"]
    assert loaded.items[0].segment_id == "id 1"
    assert codes(loaded) == {"cue-settings": 1, "markup": 1, "angle-bracket": 1}


def test_webvtt_header_and_blocks_are_no_speech(tmp_path: Path) -> None:
    text = "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n\nNOTE\nby hand\n\nNOTE one line\n\n00:01.000 --> 00:02.000\nx\n"
    loaded = read(tmp_path, "webvtt", text)
    assert said(loaded) == [(None, 1.0, 2.0, "x")]
    assert loaded.lines == [15]
    assert codes(loaded) == {"no-speech": 8}
    assert lines_of(loaded) == {"no-speech": 2}


def test_webvtt_blank_lines(tmp_path: Path) -> None:
    loaded = read(
        tmp_path, "webvtt", vtt("00:01.000 --> 00:02.000\n \nx", "00:02.000 --> 00:03.000\ny\n00:03.000 --> 00:03.000\n")
    )
    assert said(loaded) == [
        (None, 1.0, 2.0, " \nx"),
        (None, 2.0, 3.0, "y"),
        (None, 3.0, 3.0, ""),
    ]  # only an empty line ends a cue
    assert codes(loaded) == {"missing-blank-line": 1, "empty-cue": 1, "zero-duration": 1}
    told = faults(
        tmp_path, "webvtt", vtt("00:01.000 --> 00:02.000\nx", "goes on 98765 43210\nand on", "a\nb\n00:04.000 --> 00:05.000\n")
    )
    assert [one.split(",")[0] for one in told] == ["6: found 'goes on ••••• •••10'", "9: found 'a'"]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (
            "00:01,000 --> 00:02.000",
            "3: start: found '00:01,000', expected a time as MM:SS.mmm or HH:MM:SS.mmm. Write a full stop",
        ),
        ("00:01.000 --> 00:61.000", "3: end: found '00:61.000', expected a time"),
        ("1:00:01.000 --> 02:00:01.000", "3: start: found '1:00:01.000', expected a time"),
        ("00:01.000 -->", "3: end: found nothing, expected a time"),
        (
            "00:02.000 --> 00:01.000 line:0",
            "3: end: found '00:01.000', expected a time >= the start (00:02.000). Swap or mend the times.",
        ),
        ("999999:00:00.000 --> 999999:00:00.000", "3: start: found '999999:00:00.000', expected seconds <= 1e+09."),
    ],
)
def test_webvtt_times(times: str, expected: str, tmp_path: Path) -> None:
    assert faults(tmp_path, "webvtt", vtt(f"{times}\nx"))[0].startswith(expected)


def test_webvtt_all_faults_at_once(tmp_path: Path) -> None:
    told = faults(
        tmp_path, "webvtt", "00:01.000 --> 0\nx\n\nstray\n\n00:03.000 --> 00:02.000\ny\n\nNOTE\n00:04.000 --> 00:05.000\n"
    )
    assert [one.split(":")[0] for one in told] == ["1", "1", "4", "6"]  # without a header there are no comments
    (fault,) = faults(tmp_path, "webvtt", vtt("NOTE\n00:04.000 --> 00:05.000\nx"))
    assert fault.startswith("4: found times in a comment")


def test_webvtt_is_written_with_closed_voices(tmp_path: Path) -> None:
    path = tmp_path / "v1.vtt"
    turns = [Segment("v1", "A & B", 0.0, 1.2345, "x --> <y>\nz", segment_id="u1"), Segment("v1", None, 4000.0, 4001.0, "")]
    formats.get("webvtt").write(turns, path)
    cues = "u1\n00:00:00.000 --> 00:00:01.234\n<v A &amp; B>x --&gt; &lt;y&gt;\nz</v>\n\n01:06:40.000 --> 01:06:41.000\n\n"
    assert path.read_text() == f"WEBVTT\n\n{cues}"
    assert formats.get("webvtt").read(path).items[0].words == turns[0].words


@pytest.mark.parametrize(
    ("turn", "field"),
    [
        (Segment("v1", None, 0.0, 1.0, "a\n\nb"), "words"),
        (Segment("v1", None, 0.0, 1.0, "a\n"), "words"),
        (Segment("v1", None, 0.0, 1.0, "a\rb"), "words"),
        (Segment("v1", " a", 0.0, 1.0, "b"), "speaker"),
        (Segment("v1", "a", 0.0, 1.0, "b", segment_id="NOTE 1"), "segment_id"),
        (Segment("v1", "a", 0.0, 1.0, "b", segment_id="1 --> 2"), "segment_id"),
        (Segment("v1", "a", float("nan"), 1.0, "b"), "start_time"),
        (Segment("v1", "a", None, None, "b"), "start_time"),
    ],
)
def test_webvtt_refuses_what_would_come_back_as_something_else(turn: Segment, field: str, tmp_path: Path) -> None:
    assert refused(tmp_path, "webvtt", turn)[0].startswith(f"1: {field}: found ")


def test_srt_dialects(tmp_path: Path) -> None:
    text = """1
00:00:01,000 --> 00:00:02,000
<i>हाँ</i> {\\an8}<font color="#fff">जी</font> <noise>

00:02.500 --> 00:03.000  X1:10
no number
7
00:00:04,000 --> 00:00:05,000

"""
    for content in (text, "\ufeff" + text, text.replace("\n", "\r\n"), text.encode("utf-16")):
        loaded = read(tmp_path, "srt", content)
        assert said(loaded) == [(None, 1.0, 2.0, "हाँ जी <noise>"), (None, 2.5, 3.0, "no number"), (None, 4.0, 5.0, "")]
        assert [one.segment_id for one in loaded.items] == ["1", None, "7"]
        assert loaded.lines == [2, 5, 8]
        assert codes(loaded) == {"markup": 1, "missing-blank-line": 1, "missing-number": 1, "position": 1, "empty-cue": 1}


def srt(*texts: str) -> str:
    return "".join(f"{n}\n00:00:{n:02},000 --> 00:00:{n + 1:02},000\n{text}\n\n" for n, text in enumerate(texts, 1))


@pytest.mark.parametrize(
    ("texts", "speakers", "code"),
    [
        (["asha: हाँ", "Dr. Rao: BP: 140", "asha: जी"], ["asha", "Dr. Rao", "asha"], "speaker-prefix"),
        (["[SPEAKER_00]: हाँ", "[SPEAKER_01]: जी"], ["SPEAKER_00", "SPEAKER_01"], "speaker-prefix"),
        (["asha:\nहाँ", "mother: जी"], ["asha", "mother"], "speaker-prefix"),
        (["asha: हाँ", "जी"], [None, None], "possible-speaker"),
        (["हाँ", "BP: 140"], [None, None], "possible-speaker"),
        (["10:30 बजे", "12: बारह"], [None, None], None),
        (["http://x: y", f"{'x' * 41}: z"], [None, None], None),
    ],
)
def test_speakers_are_told_apart_only_where_every_text_names_one(
    texts: list[str], speakers: list[str | None], code: str | None, tmp_path: Path
) -> None:
    loaded = read(tmp_path, "srt", srt(*texts))
    assert [one.speaker for one in loaded.items] == speakers
    assert list(codes(loaded)) == ([code] if code else [])
    if code != "speaker-prefix":
        assert [one.words for one in loaded.items] == texts
    as_vtt = read(tmp_path, "webvtt", "WEBVTT\n\n" + srt(*texts).replace(",000", ".000"))
    assert [(one.speaker, one.words) for one in as_vtt.items] == [(one.speaker, one.words) for one in loaded.items]
    assert list(codes(as_vtt)) == list(codes(loaded))
    labels = "".join(f"{n}.0\t{n}.5\t{text}\n" for n, text in enumerate(texts) if "\n" not in text)
    if "\n" not in "".join(texts):
        assert [one.speaker for one in read(tmp_path, "audacity", labels).items] == speakers


def test_a_voice_tag_anywhere_leaves_the_names_before_texts_alone(tmp_path: Path) -> None:
    loaded = read(tmp_path, "webvtt", vtt("00:01.000 --> 00:02.000\n<v Asha>BP: 140", "00:02.000 --> 00:03.000\nBP: 150"))
    assert [(one.speaker, one.words) for one in loaded.items] == [("Asha", "BP: 140"), (None, "BP: 150")]
    assert codes(loaded) == {"possible-speaker": 1}


def test_captions_that_roll_are_told(tmp_path: Path) -> None:
    """Each line is shown twice: as the lower of two, and then, rolled up, as the upper one."""
    texts = [" \nकब से बुखार है", "कब से बुखार है\nदो दिन से", "दो दिन से\n ", "हाँ", "हाँ", "और कुछ\nनहीं", "नहीं"]
    rolling = "\n\n".join(["WEBVTT", *(f"00:0{n}.000 --> 00:0{n + 1}.000\n{text}" for n, text in enumerate(texts))])
    loaded = read(tmp_path, "webvtt", rolling)
    assert [one.words for one in loaded.items] == texts
    assert codes(loaded) == {"rolling-captions": 2}
    assert codes(read(tmp_path, "srt", srt("कब से बुखार है", "कब से बुखार है\nदो दिन से"))) == {"rolling-captions": 1}


@pytest.mark.parametrize("name", ["srt", "audacity"])
def test_names_that_reading_would_not_tell_apart_are_refused(name: str, tmp_path: Path) -> None:
    def turn(number: int, speaker: str | None, words: str) -> Segment:
        return Segment("v1", speaker, float(number), number + 0.5, words)

    assert refused(tmp_path, name, turn(0, "a", "x"), turn(1, None, "y"))[0].startswith(
        "2: speaker: found no speaker, expected a name"
    )
    assert refused(tmp_path, name, turn(0, "a: b", "x"), turn(1, "c", "y"))[0].startswith(
        "1: speaker: found 'a: b', expected a name"
    )
    assert refused(tmp_path, name, turn(0, None, "BP: 140"))[0].startswith(
        "1: words: found 'BP: 140', expected at least one text"
    )
    form = formats.get(name)
    path = tmp_path / f"v1{form.ending}"
    form.write([turn(0, "a", "x: y"), turn(1, None, ""), turn(2, "b", "")], path)
    assert [(one.speaker, one.words) for one in form.read(path).items] == [("a", "x: y"), (None, ""), ("b", "")]


def test_webvtt_without_speakers_refuses_texts_that_all_seem_to_name_one(tmp_path: Path) -> None:
    turns = [Segment("v1", None, 0.0, 0.5, "BP: 140"), Segment("v1", None, 1.0, 1.5, "sugar: 90")]
    assert refused(tmp_path, "webvtt", *turns)[0].startswith("1: words: found 'BP: 140', expected at least one text")
    form = formats.get("webvtt")
    form.write([*turns, Segment("v1", "asha", 2.0, 2.5, "pulse: 80")], tmp_path / "v1.vtt")
    assert [(one.speaker, one.words) for one in form.read(tmp_path / "v1.vtt").items][1:] == [
        (None, "sugar: 90"),
        ("asha", "pulse: 80"),
    ]


@pytest.mark.parametrize("words", ["a\n\nb", "a\n \nb", "1 --> 2", "<i>a</i>", "{\\an8}a", "a\r", " "])
def test_srt_refuses_what_would_come_back_as_something_else(words: str, tmp_path: Path) -> None:
    assert refused(tmp_path, "srt", Segment("v1", None, 0.0, 1.0, words))[0].startswith("1: words: found ")


def test_srt_faults(tmp_path: Path) -> None:
    text = "1\n00:00:01,5 --> 00:00:99,000\nx\n\ntwo\n00:00:02,000 --> 00:00:03,000\ny\n\n3\n00:00:04.000 -> 00:00:05.000\nz\n"
    told = faults(tmp_path, "srt", text)
    assert [one.split(",")[0] for one in told] == [
        "2: start: found '00:00:01",
        "2: end: found '00:00:99",
        "5: number: found 'two'",
        "10: found '00:00:04.000 -> 00:00:05.000'",
    ]


# Audacity labels


def test_audacity_labels(tmp_path: Path) -> None:
    text = "0.500000\t1.250000\tनमस्ते\tदीदी\n\\\t120.000000\t3000.000000\n2.0\t2.0\tclick\n3\t4\n3.5\t5.0\t\n"
    loaded = read(tmp_path, "audacity", text)
    assert said(loaded) == [
        (None, 0.5, 1.25, "नमस्ते\tदीदी"),
        (None, 2.0, 2.0, "click"),
        (None, 3.0, 4.0, ""),
        (None, 3.5, 5.0, ""),
    ]
    assert loaded.lines == [1, 3, 4, 5]
    assert codes(loaded) == {"frequencies": 1, "zero-duration": 1, "empty-label": 2}
    told = faults(tmp_path, "audacity", "0,5\t1\tx\n1.0 2.0 y\n3\t2\tz\n\tx\n")
    assert [one.split(": found")[0] for one in told] == ["1: start", "2", "3: end", "4: start", "4: end"]


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("labels.txt", "0.500000\t1.250000\tनमस्ते\n", "audacity"),
        ("labels", "0.5\t1.25\t\n", "audacity"),
        ("labels.txt", "0.5\t1.25\tBP 140 90\n", "audacity"),
        ("x.txt", "v1\t1\t0.5\t0.7\n", "uem"),
        ("x.txt", "v1\tv1_1\t0.5\t0.7\tasha\thello\n", "challenge-tsv"),
        ("x.txt", "1.0\t2.0\t0.5\t0.7\tasha\thello\n", "challenge-tsv"),
        ("x.txt", "u1\tनमस्ते\n", "keyed-text"),
        ("x.txt", "1\t00:00:01.000 --> 00:00:02.000\n", "keyed-text"),
        ("x.txt", "1\n00:00:01.000 --> 00:00:02.000\n", "srt"),
        ("x.txt", "WEBVTT\n", "webvtt"),
        ("x.txt", 'File type = "ooTextFile"\nObject class = "TextGrid"\n', "textgrid"),
    ],
)
def test_labels_and_tables_are_told_apart(name: str, text: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert formats.detect(path, Segment if form != "uem" else None).name == form


# Label Studio


def result(
    region: str | None, control: str, start: float | None = None, end: float | None = None, **value: object
) -> dict[str, Any]:
    times = {} if start is None else {"start": start, "end": end}
    return {**({"id": region} if region else {}), "from_name": control, "to_name": "audio", "value": {**times, **value}}


def task(*results: dict[str, Any], audio: str = "/data/upload/3/1a2b3c4d-visit%2001.wav", **more: object) -> dict[str, Any]:
    return {"id": 7, "data": {"audio": audio}, "annotations": [{"id": 1, "completed_by": 2, "result": list(results)}], **more}


def test_label_studio_joins_results_by_region(tmp_path: Path) -> None:
    tasks = [
        task(
            result("r2", "transcription", 2.0, 3.5, text=["हाँ"]),
            result("r1", "labels", 0.5, 2, channel=0, labels=["asha"]),
            result("r2", "labels", 2.0, 3.5, labels=["mother"]),
            result("r1", "transcription", 0.5, 2, channel=0, text="नमस्ते"),
            result("r1", "emotion", 0.5, 2, choices=["calm"]),
            result("r1", "translation", 0.5, 2, text=["hello"]),
            {"from_id": "r1", "to_id": "r2", "type": "relation"},
        ),
        task(result(None, "transcription", text=["whole", "text"]), audio="s3://bucket/v2.flac?x=1"),
        {"data": {"session_id": "v3"}, "annotations": [], "predictions": [{"result": []}]},
    ]
    loaded = read(tmp_path, "label-studio", json.dumps(tasks))
    assert [(one.session_id, one.segment_id, one.channel) for one in loaded.items] == [
        ("visit 01", "r2", None),
        ("visit 01", "r1", "0"),
        ("v2", None, None),
    ]
    assert said(loaded) == [("mother", 2.0, 3.5, "हाँ"), ("asha", 0.5, 2.0, "नमस्ते"), (None, None, None, "whole\ntext")]
    assert loaded.lines == [1, 1, 2]
    assert lines_of(loaded) == {"other-results": 1, "other-texts": 1, "several-texts": 2, "predictions": 3, "unannotated-task": 3}


@pytest.mark.parametrize(
    ("place", "session"),
    [
        ("/data/upload/1/0f1e2d3c-visit.01.wav", "visit.01"),
        ("/data/local-files/?d=audio/home%20visit.mp3", "home visit"),
        ("https://example.org/a/0f1e2d3c-v.wav?token=1", "0f1e2d3c-v"),
        ("C:\\audio\\v1.WAV", "v1"),
    ],
)
def test_label_studio_session_ids(place: str, session: str, tmp_path: Path) -> None:
    loaded = read(tmp_path, "label-studio", json.dumps([task(result("r", "labels", 0, 1, labels=["a"]), audio=place)]))
    assert [one.session_id for one in loaded.items] == [session]


def test_the_short_export_of_label_studio_is_told_from_the_full_one(tmp_path: Path) -> None:
    labels = [{"start": 0.5, "end": 2.0, "labels": ["asha"]}]
    short = [
        {"audio": "/data/upload/1/a.wav", "id": 1, "labels": labels, "transcription": "जी", "annotator": 1, "annotation_id": 3}
    ]
    (tmp_path / "export.json").write_text(json.dumps(short))
    with pytest.raises(InputError, match=r"found the short export \(JSON-MIN\).*Export the project as JSON\.$"):
        formats.load(tmp_path / "export.json", Segment)


def test_label_studio_annotations(tmp_path: Path) -> None:
    one, other = ([result("r", "labels", 0, 1, labels=[name])] for name in ("a", "b"))
    tasks = [{"data": {"session_id": "v"}, "annotations": [{"result": one}, {"result": other}]}]
    assert faults(tmp_path, "label-studio", json.dumps(tasks)) == [
        "1: annotations: found 2 annotations, expected one annotation, or one of them marked as ground truth. Keep one, or mark it."
    ]
    for mark in ({"ground_truth": True}, {}):
        tasks[0]["annotations"] = [{"result": one, "was_cancelled": not mark}, {"result": other, **mark}]
        assert [turn.speaker for turn in read(tmp_path, "label-studio", json.dumps(tasks)).items] == ["b"]


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ({"a": 1}, "found {'a': 1}, expected a JSON list of tasks."),
        ([3], "1: found 3, expected a task as a JSON object."),
        ([{"audio": "v.wav"}], "1: data: found None, expected a JSON object"),
        ([task(audio="nothing")], "1: data: found {'audio': 'nothing'}, expected the place of one audio file, or session_id."),
        ([task(result("r", "labels", 2, 1, labels=["a"]))], "1: end: found 1.0, expected seconds >= start (2.0)."),
        ([task(result("r", "labels", -1, 1, labels=["a"]))], "1: start: found -1, expected seconds >= 0."),
        ([task(result("r", "labels", labels=["a"]))], "1: value: found labels without times, expected start and end."),
        (
            [task(result("r", "labels", 0, 4, labels=["PER"], text="Asha"))],
            "1: value: found labels on a text, expected labels on an audio.",
        ),
        ([task(result("r", "labels", 0, 4, labels=[{}]))], "1: labels: found {}, expected text."),
        ([task(result("r", "transcription", 0, 4, text=[3]))], "1: text: found 3, expected text."),
        (
            [task(result("r", "labels", 0, 4, labels=["a"]), result("r", "transcription", 1, 4, text=["x"]))],
            "1: value: found times from 0.0 to 4.0 and 1.0 to 4.0, expected one start and one end for each region.",
        ),
    ],
)
def test_label_studio_faults(tasks: object, expected: str, tmp_path: Path) -> None:
    assert faults(tmp_path, "label-studio", json.dumps(tasks))[0].strip().startswith(expected)


def test_label_studio_is_written_to_be_imported(tmp_path: Path) -> None:
    turns = [Segment("v1", "asha", 0.0, 1.0, "हाँ", segment_id="r1", channel="1"), Segment("v2", words="whole")]
    path = tmp_path / "x.label-studio.json"
    formats.get("label-studio").write([*turns, Segment("v1", None, 1.0, 2.0, "", segment_id="r1")], path)
    first, second = json.loads(path.read_text())
    assert first["data"] == {"session_id": "v1", "audio": "v1.wav"}
    assert [(one["id"], one["type"], one["value"]) for one in first["annotations"][0]["result"]] == [
        ("region1", "labels", {"start": 0.0, "end": 1.0, "channel": 1, "labels": ["asha"]}),
        ("region1", "textarea", {"start": 0.0, "end": 1.0, "channel": 1, "text": ["हाँ"]}),
        ("region2", "textarea", {"start": 1.0, "end": 2.0, "text": [""]}),
    ]
    assert second["annotations"][0]["result"][0]["value"] == {"text": ["whole"]}
    told = refused(tmp_path / "new", "label-studio", Segment("", None, 0.0, 1.0), Segment("v1", "a"), Segment("v1", "", 0.0, 1.0))
    assert [one.split(": found")[0] for one in told] == ["1: session_id", "2: start_time", "3: speaker"]

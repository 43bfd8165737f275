"""TextGrid, ELAN and subtitle files that others published: each reads as its owner says, or is refused at the right line."""

import json
from pathlib import Path

import pytest

from parakh import formats
from parakh.errors import InputError
from parakh.types import Loaded, Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public test data is not beside this checkout")

GRIDS = DATA / "cases" / "35-textgrid-encodings"
SUBTITLES = DATA / "webvtt-py" / "tests" / "subtitles"
PRIMOCK = DATA / "primock57" / "transcripts"


def read(path: Path) -> Loaded[Segment]:
    form = formats.detect(path)
    assert form == formats.detect(path, Segment)
    return form.read(path)


def said(path: Path) -> list[tuple[str | None, float | None, float | None, str]]:
    return [(one.speaker, one.start_time, one.end_time, one.words) for one in read(path).items]


def faults(path: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(path)
    return str(caught.value).replace(str(path), "").split("\n")


# CASE.md of the case: six of the files hold these two turns, as praatIO 6 reads them too.
@pytest.mark.parametrize("name", ["utf8", "utf8_bom", "utf16le_bom", "utf16be_bom", "crlf", "short_format"])
def test_one_grid_in_six_guises(name: str) -> None:
    path = GRIDS / f"{name}.TextGrid"
    assert said(path) == [("ASHA worker", 0.5, 2.25, 'दवा "दो" बार'), ("माँ", 2.0, 4.5, "ಸರಿ ಡಾಕ್ಟರ್")]
    assert {one.session_id for one in read(path).items} == {name}
    assert read(path).lines == ([16, 30] if name == "short_format" else [19, 37])


def test_another_encoding_is_a_fault_and_never_wrong_text() -> None:
    assert faults(GRIDS / "utf16be_nobom.TextGrid") == [
        ":1: found a NUL byte, expected UTF-8 text. Give a text file, saved as UTF-8."
    ]
    assert faults(GRIDS / "latin1.TextGrid") == [
        ":22: found the byte 0xE9, which is not UTF-8, expected UTF-8 text. Save it as UTF-8."
    ]


# praatIO's own tests read each of these groups as one and the same grid.
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("textgrid_to_merge", "textgrid_to_merge_longfile"),
        ("bobby_words_with_newlines", "bobby_words_with_newlines_longfile"),
        ("bobby_words_with_newlines", "bobby_words_with_newlines_longfile_elan"),
        ("mary", "mary_longfile"),
        ("mary", "mary_with_negative_zero"),
        ("mary", "mary_longfile_with_negative_zero"),
        ("mary", "mary_with_constrained_tier_times"),
    ],
)
def test_long_and_short_forms_say_the_same(first: str, second: str) -> None:
    folder = DATA / "praatio" / "tests" / "files"
    assert said(folder / f"{first}.TextGrid") == said(folder / f"{second}.TextGrid") != []


def test_odd_grids_are_read_and_told() -> None:
    folder = DATA / "praatio" / "tests" / "files"
    same = read(folder / "all_tiers_have_the_same_name.TextGrid")
    assert [one.words for one in same.items] == ["Mary", "Maary", "Bob"]
    assert [finding.code for finding in same.findings] == ["repeated-tier", "self-overlap"]
    lines = read(folder / "bobby_words_with_newlines.TextGrid")
    assert lines.items[0].words == '"""BOBBY"""\nNoun'
    assert {finding.code: finding.message[:9] for finding in lines.findings} == {
        "layer-tier": "1 entry: ",
        "point-tier": "4 entries",
    }


def test_primock57_loses_nothing() -> None:
    """Counted with praatIO 6.2.2, empty intervals left out: 114 files, 7,108 intervals, 87,287 words between blanks, 1,132
    tags <UNSURE> and 1,359 <UNIN/>."""
    items = formats.load(PRIMOCK, Segment).items
    assert len(list(PRIMOCK.glob("*.TextGrid"))) == len({one.session_id for one in items}) == 114
    assert len(items) == 7108
    assert sum(len(one.words.split()) for one in items) == 87287
    assert sum(one.words.count("<UNSURE>") for one in items) == 1132
    assert sum(one.words.count("<UNIN/>") for one in items) == 1359
    assert {one.speaker for one in items} == {"Speaker", "Doctor", "Patient"}


@pytest.mark.parametrize("name", ["textgrid", "webvtt", "srt", "audacity", "eaf", "label-studio"])
def test_primock57_goes_through_every_format(name: str, tmp_path: Path) -> None:
    before = list(formats.load([PRIMOCK / f"day1_consultation01_{who}.TextGrid" for who in ("doctor", "patient")], Segment).items)
    after = [one for path in formats.write_each(before, tmp_path, name) for one in formats.load(path, Segment).items]
    assert [(one.session_id, one.speaker, one.words) for one in after] == [
        (one.session_id, one.speaker, one.words) for one in before
    ]
    exact = name in ("textgrid", "audacity", "label-studio")
    for one, other in zip(before, after, strict=True):
        assert other.start_time == (one.start_time if exact else pytest.approx(one.start_time, abs=0.0005001))
        assert other.end_time == (one.end_time if exact else pytest.approx(one.end_time, abs=0.0005001))


# By hand from the files.
@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("empty.vtt", 1, "nothing"),
        ("invalid.vtt", 1, "'00:00:00.500 --> 00:00:07.000'"),
        ("invalid_timeframe.vtt", 6, "'00:00:1d.890'"),
        ("missing_timeframe.vtt", 6, "'Caption text #2'"),
        ("missing_timeframe.srt", 6, "'Caption text #2'"),
        ("invalid_format1.srt", 1, "'1'"),
        ("invalid_format2.srt", 1, "'some text'"),
        ("invalid_format3.srt", 2, "'some text'"),
        ("invalid_format4.srt", 1, "'some text'"),
    ],
)
def test_a_broken_subtitle_is_refused_at_its_line(name: str, line: int, found: str) -> None:
    (fault,) = faults(SUBTITLES / name)
    assert fault.startswith(f":{line}: ")
    assert f"found {found}, expected" in fault


# Cues counted by their lines of times (grep -c -e '-->'), which each begin one.
@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("captions_with_bom.vtt", set()),
        ("comments.vtt", {"no-speech"}),
        ("cue_tags.vtt", {"markup"}),
        ("invalid_timeframe_in_cue_text.vtt", {"missing-blank-line", "empty-cue"}),
        ("metadata_headers.vtt", {"no-speech"}),
        ("metadata_headers_multiline.vtt", {"no-speech"}),
        ("missing_caption_text.vtt", {"empty-cue"}),
        ("no_captions.vtt", set()),
        ("one_caption.vtt", set()),
        ("sample.vtt", set()),
        ("styles.vtt", {"no-speech", "markup"}),
        ("using_identifiers.vtt", set()),
        ("youtube_dl.vtt", {"no-speech", "markup", "cue-settings", "missing-blank-line", "rolling-captions"}),
        ("invalid_timeframe.srt", set()),  # a full stop before the milliseconds
        ("missing_caption_text.srt", {"empty-cue"}),
        ("one_caption.srt", set()),
        ("sample.srt", set()),
    ],
)
def test_every_cue_is_read_at_its_line(name: str, codes: set[str]) -> None:
    text = (SUBTITLES / name).read_text(encoding="utf-8-sig")
    loaded = read(SUBTITLES / name)
    assert loaded.lines == [number for number, line in enumerate(text.split("\n"), 1) if "-->" in line]
    assert len(loaded.items) == len(loaded.lines)
    assert {finding.code for finding in loaded.findings} == codes


def test_markup_goes_and_text_stays() -> None:
    assert [one.words for one in read(SUBTITLES / "cue_tags.vtt").items] == [
        "When the moon hits your eye",
        "Like a big-a pizza pie",
        "That's amore",
    ]
    assert said(SUBTITLES / "youtube_dl.vtt")[2] == (None, 304.08, 305.069, "this will happen is I'm telling")


def test_every_elan_annotation_has_times() -> None:
    """Counted with grep: ALIGNABLE_ANNOTATION and REF_ANNOTATION; the tiers divide the sentences into five words each."""
    path = DATA / "pympi" / "test" / "sample_2.8.eaf"
    loaded = read(path)
    text = path.read_text()
    assert len(loaded.items) == text.count("<ALIGNABLE_ANNOTATION") + text.count("<REF_ANNOTATION") == 8778
    words = [one for one in loaded.items if one.speaker == "words-symsub"][:5]
    assert [one.words for one in words] == ["The", "quick", "brown", "fox", "001"]
    assert [one.start_time for one in words] == pytest.approx([2.0, 2.6, 3.2, 3.8, 4.4])
    assert words[-1].end_time == 5.0
    assert {finding.code for finding in loaded.findings} == {"interpolated-time", "dependent-tier"}
    assert "ANNOTATION_ID=" in text.split("\n")[loaded.line(0) - 1]


# What the format of a file is by its owner: everything else is of no format that is read here, or of an older one.
KINDS = {".textgrid": "textgrid", ".eaf": "eaf", ".vtt": "webvtt", ".srt": "srt", ".rttm": "rttm", ".stm": "stm", ".ctm": "ctm"}
NEW = {"textgrid", "eaf", "webvtt", "srt", "audacity", "label-studio"}


def test_the_format_of_every_file_is_told() -> None:
    told: dict[str, set[str]] = {}
    for path in sorted(one for one in DATA.rglob("*") if one.is_file()):
        try:
            name = formats.detect(path).name
        except InputError as error:
            name = "fault" if all(fault.path == str(path) for fault in error.faults) else "wrong place"
        told.setdefault(path.suffix.lower(), set()).add(name)
    for suffix, name in KINDS.items():
        assert told.pop(suffix) - {"fault"} == {name}, suffix
    assert not {name for names in told.values() for name in names} & (NEW | {"wrong place"})


def test_faults_of_detection_are_those_of_the_two_odd_encodings() -> None:
    refused = set()
    for path in DATA.rglob("*"):
        if path.suffix.lower() in KINDS:
            try:
                formats.detect(path)
            except InputError:
                refused.add(path.name)
    assert refused == {"utf16be_nobom.TextGrid", "latin1.TextGrid"}


def test_a_task_list_is_no_seglst(tmp_path: Path) -> None:
    path = tmp_path / "project-1.json"
    path.write_text(json.dumps([{"data": {"session_id": "v1"}, "annotations": [{"result": []}]}]))
    assert formats.detect(path).name == "label-studio"
    path.write_text(json.dumps([{"session_id": "v1", "words": 'the "annotations" of "data"'}]))
    assert formats.detect(path).name == "seglst"

"""Reading the small situations distilled from public bug reports; each CASE.md states what is right, and why."""

import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from parakh import formats
from parakh.errors import InputError
from parakh.formats._turns import Word, timed
from parakh.selection import IGNORE_MARK
from parakh.types import Loaded, Region, Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
CASES = DATA / "cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the folder of public cases is not beside this checkout")


def segments(name: str) -> Loaded[Segment]:
    return formats.load(CASES / name, Segment)


def turns(name: str) -> list[tuple[str, str | None, float | None, float | None]]:
    return [(one.session_id, one.speaker, one.start_time, one.end_time) for one in segments(name).items]


def codes(loaded: Loaded[Segment]) -> list[str]:
    return [finding.code for finding in loaded.findings]


def faults(name: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        segments(name)
    return str(caught.value).replace(f"{CASES / name}:", "").split("\n")


def test_02_no_hypothesis_segments() -> None:
    loaded = segments("02-no-hypothesis-segments/hyp.rttm")
    assert loaded.items == ()
    assert codes(loaded) == ["empty-file"]


def test_10_duplicated_lines() -> None:
    loaded = segments("10-duplicated-lines/ref.rttm")
    assert len(loaded.items) == 4
    assert [finding.message[:9] for finding in loaded.findings if finding.code == "duplicate-line"] == ["2 entries"]


def test_11_zero_length_segments() -> None:
    assert codes(segments("11-zero-length-segments/ref.rttm")) == ["zero-duration"]
    loaded = segments("11-zero-length-segments/ref.stm")
    assert sum(len(one.words.split()) for one in loaded.items) == 6
    assert codes(loaded) == ["zero-duration"]


def test_13_file_id_with_space(tmp_path: Path) -> None:
    assert faults("13-file-id-with-space/bad.rttm")[0].startswith("1: found 12 fields")
    with pytest.raises(InputError, match=r"1: session_id: found 'home visit 3', expected one word"):
        formats.get("rttm").write([Segment("home visit 3", "asha", 1.5, 4.0)], tmp_path / "x.rttm")


def test_14_speaker_name_with_space(tmp_path: Path) -> None:
    assert [fault[:18] for fault in faults("14-speaker-name-with-space/bad.rttm")] == ["1: found 11 fields", "2: found 11 fields"]
    items = segments("14-speaker-name-with-space/in.seglst.json").items
    assert {one.speaker for one in items} == {"ASHA worker", "ASHA helper"}
    for name in ("rttm", "stm"):
        with pytest.raises(InputError, match="found 'ASHA worker'"):
            formats.get(name).write(items, tmp_path / f"x.{name}")


def test_15_tabs_and_odd_blanks() -> None:
    read = turns("15-tabs-and-odd-blanks/tabs.rttm")
    assert [speaker for _, speaker, _, _ in read] == ["A", "MOT*"]
    assert read[0] == ("v", "A", 0.0, 4.0)
    assert read[1][2:] == (4.0000000001, 6.000000000101)


def test_17_other_record_types() -> None:
    loaded = segments("17-spkr-info-and-other-types/full.rttm")
    assert len(loaded.items) == 2
    assert sum(one.duration for one in loaded.items) == 5.0
    assert codes(loaded) == ["other-records"]


def test_18_ids_are_renamed_only_on_request() -> None:
    folder = CASES / "18-id-suffix-mismatch"
    suffixes = ["_SPEAKER", ".Mix-Headset"]
    assert {one.session_id for one in formats.load(folder / "3001_SPEAKER.rttm", Segment).items} == {"3001_SPEAKER"}
    renamed = formats.load(folder / "3001_SPEAKER.rttm", Segment, strip_suffixes=suffixes).items
    assert {one.session_id for one in renamed} == {"3001"}
    assert formats.load(folder / "all.uem", Region, strip_suffixes=suffixes).items == (Region("3001", 0.0, 10.0),)


def test_22_empty_texts_are_kept() -> None:
    assert [one.words for one in segments("22-empty-reference-utterance/ref.txt").items] == ["आपका नाम क्या है", "", ""]


def test_34_only_a_line_feed_ends_a_record() -> None:
    for name in ("ref.txt", "hyp.txt"):
        items = segments(f"34-unicode-line-separators/{name}").items
        assert [one.session_id for one in items] == ["u1", "u2", "u3"]
    assert sum(len(one.words.split()) for one in segments("34-unicode-line-separators/ref.txt").items) == 7


@pytest.mark.parametrize("name", ["utf16le_bom", "utf16be_bom", "utf16be_nobom", "latin1"])
def test_35_other_encodings_are_named_never_guessed(name: str) -> None:
    path = CASES / "35-textgrid-encodings" / f"{name}.TextGrid"
    with pytest.raises(InputError, match="expected UTF-8 text"):
        formats.get("keyed-text").read(path)


def test_37_alternatives_and_optional_words() -> None:
    first, second = segments("37-stm-alternation-and-labels/nist.stm").items
    assert first.words == "i've um taken five tablets"
    assert set(first.forms) == {
        "i've um taken 5 tablets",
        "i've uh taken five tablets",
        "i've uh taken 5 tablets",
        "i've taken five tablets",
        "i've taken 5 tablets",
    }
    assert second.words == "okay fine"
    heard = [one.words for one in segments("37-stm-alternation-and-labels/hyp.ctm").items]
    # sclite: 6 reference words, of which only the optional "okay" is missing.
    assert " ".join(heard[:4]) in first.forms
    assert heard[4:] == second.words.split()[1:]


def test_37_label_and_guard() -> None:
    loaded = segments("37-stm-alternation-and-labels/literal.stm")
    assert [one.words for one in loaded.items] == ["world again", "<hello world again"]
    assert sum(len(one.words.split()) for one in loaded.items) == 5
    assert codes(loaded) == ["odd-label", "labels"]


def test_38_ignored_stretch_has_no_words() -> None:
    loaded = segments("38-ignore-time-segment/ref.stm")
    assert sum(len(one.words.split()) for one in loaded.items) == 5
    ignored = [one for one in loaded.items if one.segment_id == IGNORE_MARK]
    assert [(one.start_time, one.end_time) for one in ignored] == [(2.0, 6.0)]


def test_42_kaldi_end_minus_one_is_no_negative_length() -> None:
    with pytest.raises(InputError, match=r"2: end: found '-1', expected seconds >= 0"):
        formats.get("uem").read(CASES / "42-kaldi-end-minus-one" / "segments")


def test_42_kaldi_end_minus_one_is_the_end_of_the_recording(tmp_path: Path) -> None:
    folder = CASES / "42-kaldi-end-minus-one"
    assert turns("42-kaldi-end-minus-one") == [("v", "A", 0.0, 20.0), ("v", "B", 20.0, 30.0)]
    shutil.copytree(folder, tmp_path / "data", ignore=shutil.ignore_patterns("reco2dur", "CASE.md"))
    with pytest.raises(InputError, match=r"segments:2: end: found '-1', expected seconds, or the duration of 'v' in reco2dur"):
        formats.load(tmp_path / "data", Segment)


def test_13_a_manifest_of_audio_alone_makes_no_turn() -> None:
    loaded = segments("13-file-id-with-space/manifest.json")
    assert loaded.items == ()
    assert codes(loaded) == ["audio-only"]


def test_40_words_without_times_or_speaker() -> None:
    loaded = segments("40-words-without-times-or-speaker/whisperx.json")
    (one,) = loaded.items
    assert (one.speaker, one.start_time, one.end_time) == ("SPEAKER_01", 41.1, 44.8)
    assert one.words == "with 2266 okay thank you"
    assert codes(loaded) == ["times-from-neighbours", "speaker-from-segment"]


def test_40_times_of_a_word_come_from_its_neighbours() -> None:
    (segment,) = json.loads((CASES / "40-words-without-times-or-speaker" / "whisperx.json").read_text())["segments"]
    words = [Word(one["word"], one.get("start"), one.get("end"), one.get("speaker")) for one in segment["words"]]
    filled = timed(words, segment["start"], segment["end"])
    assert len(filled) == 5
    assert filled[1][:3] == ("2266", 41.26, 42.76)
    assert [word[:3] for at, word in enumerate(filled) if at != 1] == [word[:3] for at, word in enumerate(words) if at != 1]


LHOTSE = DATA / "lhotse" / "test" / "fixtures"


def test_kaldi_folder_of_mini_librispeech() -> None:
    loaded = formats.load(LHOTSE / "mini_librispeech", Segment)
    # 38 lines in segments and in text; the last columns of segments add up to 299.01 s (awk).
    assert len(loaded.items) == 38
    assert all(one.words and one.speaker and one.start_time == 0.0 for one in loaded.items)
    assert sum(one.duration for one in loaded.items) == pytest.approx(299.01, abs=1e-6)
    assert loaded.items[0].words.startswith("BECAUSE YOU WERE SLEEPING INSTEAD")


def test_supervisions_of_lhotse() -> None:
    loaded = formats.load(LHOTSE / "ami" / "ES2011a_sups.jsonl.gz", Segment)
    # 348 lines (zcat | wc -l); the first starts at 93.94 s and lasts 1.740000000000009 s.
    assert len(loaded.items) == 348
    assert (loaded.items[0].start_time, loaded.items[0].end_time) == (93.94, 95.68)
    assert {one.language for one in loaded.items} == {"en"}
    small = formats.load(LHOTSE / "supervision.json", Segment)
    assert [(one.session_id, one.start_time, one.end_time) for one in small.items] == [
        ("recording-1", 0.1, 0.4),
        ("recording-1", 0.5, 0.9),
        ("recording-2", 0.1, 0.3),
        ("recording-2", 0.3, 0.5),
    ]


def test_a_transcript_in_the_shape_of_whisper() -> None:
    path = DATA / "hindi-two-voices" / "hi_real_008_029.json"
    rttm = formats.load(path.with_suffix(".rttm"), Segment).items
    loaded = formats.load(path, Segment).items
    assert [(one.session_id, one.speaker, one.start_time) for one in loaded] == [
        (one.session_id, one.speaker, one.start_time) for one in rttm
    ]


@pytest.mark.parametrize("name", ["mac.zip", "plain.zip"])
def test_45_what_macos_leaves_behind_is_passed_over(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(CASES / "45-macos-zip" / name) as archive:
        archive.extractall(tmp_path)
    loaded = formats.load(tmp_path, Segment)
    assert [(one.session_id, one.speaker) for one in loaded.items] == [("v1", loaded.items[0].speaker)]
    assert loaded.items[0].end_time == 10.0


def test_47_windows_files_read_like_clean_ones() -> None:
    folder = "47-crlf-bom-rttm-stm-uem"
    assert turns(f"{folder}/ref.rttm") == turns(f"{folder}/hyp.rttm") == [("v", "A", 0.0, 6.0), ("v", "B", 6.0, 10.0)]
    assert segments(f"{folder}/ref.stm").items == segments(f"{folder}/hyp.stm").items
    assert formats.load(CASES / folder / "v.uem", Region).items == (Region("v", 0.0, 10.0),)


# Lines that start with SPEAKER, counted with grep.
@pytest.mark.parametrize(
    "name",
    [
        "dover-lap/egs/ami/ref_rttm_test",
        "dover-lap/egs/ami/rttm_dl_test",
        "dover-lap/egs/ami/rttm_test_rpn",
        "dover-lap/egs/ami/rttm_test_sc",
        "dover-lap/egs/ami/rttm_test_vb",
        "spyder/test/fixtures/ref.rttm",
        "dscore/scorelib/tests/sys.rttm",
        "pyannote-audio/tests/data/debug.train.rttm",
        "displace2024-demo/output/Lok_Sabha_Zero_Hour_1204_PM_-_0130_PM_07_December_2023_12min.rttm",
    ],
)
def test_no_turn_of_a_published_file_is_lost(name: str) -> None:
    path = DATA / name
    lines = len(re.findall(rb"(?m)^SPEAKER\b", path.read_bytes()))
    assert len(formats.load(path, Segment).items) == lines > 0


def test_whole_corpus_folder() -> None:
    loaded = formats.load(DATA / "voxconverse" / "dev", Segment)
    # VoxConverse v0.3 has 216 dev recordings (its README).
    assert len({one.session_id for one in loaded.items}) == 216
    assert not [finding for finding in loaded.findings if finding.code != "zero-duration"]

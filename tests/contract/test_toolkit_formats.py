"""Data folders of Kaldi, manifests of NeMo and lhotse: what they say is kept, and what they leave out is told."""

import gzip
import json
import tempfile
import wave
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh import formats
from parakh.errors import InputError
from parakh.types import Loaded, Segment

VISIT = [
    Segment("visit07", "asha", 0.42, 3.1, "नमस्ते दीदी,  fever है?", language="hi"),
    Segment("visit07", "mother", 3.35, 5.9, "ಹೌದು", language="kn"),
    Segment("visit08", "asha", 0.0, 1.5, ""),
]


def folder(place: Path, **files: str) -> Path:
    place.mkdir(exist_ok=True)
    for name, text in files.items():
        (place / name.replace("__", ".")).write_text(text)
    return place


def kaldi(place: Path) -> Loaded[Segment]:
    return formats.load(place, Segment)


def faults(place: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        kaldi(place)
    return [str(one).replace(f"{place}/", "") for one in caught.value.faults]


def codes(loaded: Loaded[Segment]) -> list[str]:
    return [finding.code for finding in loaded.findings]


# Kaldi.


def test_a_data_folder_comes_back_whole(tmp_path: Path) -> None:
    formats.get("kaldi").write(VISIT, tmp_path / "data")
    back = kaldi(tmp_path / "data")
    by_time = sorted(back.items, key=lambda one: (one.session_id, one.start_time))
    assert [replace(one, segment_id=None) for one in by_time] == VISIT
    assert (tmp_path / "data" / "spk2utt").read_text() == (
        "asha asha-visit07-0000042-0000310 asha-visit08-0000000-0000150\nmother mother-visit07-0000335-0000590\n"
    )
    assert (tmp_path / "data" / "segments").read_text().split("\n")[0] == "asha-visit07-0000042-0000310 visit07 0.420 3.100"
    assert sorted(entry.name for entry in (tmp_path / "data").iterdir()) == ["segments", "spk2utt", "text", "utt2lang", "utt2spk"]


def test_files_are_sorted_as_in_the_c_locale(tmp_path: Path) -> None:
    names = ["b", "B", "a-1", "a1", "é", "क"]
    formats.get("kaldi").write([Segment("v", "s", 0.0, 1.0, "x", segment_id=name) for name in names], tmp_path / "data")
    written = [line.split()[0] for line in (tmp_path / "data" / "text").read_text().splitlines()]
    assert written == ["B", "a-1", "a1", "b", "é", "क"]  # by the bytes of UTF-8


def test_channels_go_through_reco2file_and_channel(tmp_path: Path) -> None:
    items = [
        Segment("call", "a", 0.0, 1.0, "x", segment_id="u1", channel="A"),
        Segment("call", "b", 0.5, 2.0, "y", None, None, "u2", "B"),
    ]
    formats.get("kaldi").write(items, tmp_path / "data")
    assert (tmp_path / "data" / "reco2file_and_channel").read_text() == "call-A call A\ncall-B call B\n"
    assert list(kaldi(tmp_path / "data").items) == items


def test_utterances_without_times_are_recordings(tmp_path: Path) -> None:
    items = [Segment("v1", "a", words="जी हाँ", segment_id="v1"), Segment("v2", "b", words="", segment_id="v2")]
    formats.get("kaldi").write(items, tmp_path / "data")
    assert not (tmp_path / "data" / "segments").exists()
    loaded = kaldi(tmp_path / "data")
    assert list(loaded.items) == items
    assert codes(loaded) == ["no-times"]


def test_a_folder_written_over_keeps_nothing_of_the_old_one(tmp_path: Path) -> None:
    form = formats.get("kaldi")
    form.write([replace(one, channel="A") for one in VISIT], tmp_path / "data")
    form.write(VISIT, tmp_path / "data")
    assert not (tmp_path / "data" / "reco2file_and_channel").exists()
    assert [entry.name for entry in tmp_path.iterdir()] == ["data"]


def test_a_folder_with_other_files_is_not_written_over(tmp_path: Path) -> None:
    folder(tmp_path / "data", wav__scp="v1 v1.wav\n", text="u1 old\n")
    with pytest.raises(InputError, match=r"found other files in it \(wav.scp\), expected a new folder"):
        formats.get("kaldi").write(VISIT, tmp_path / "data")
    assert (tmp_path / "data" / "text").read_text() == "u1 old\n"


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([Segment("home visit", "a", 0.0, 1.0, "x")], "1: session_id: found 'home visit', expected one word without blanks"),
        ([Segment("v", "ASHA worker", 0.0, 1.0, "x")], "1: speaker: found 'ASHA worker', expected one word without blanks"),
        ([Segment("v", "a", 0.0, 1.0, "x", segment_id="u 1")], "1: segment_id: found 'u 1', expected one word without blanks"),
        ([Segment("v", "a", 2.0, 1.0, "x")], "1: end_time: found 1.0, expected seconds >= start_time"),
        ([Segment("v", "a", 0.0, 1.0, "x\ny")], "1: words: found 'x\\ny', expected text on one line"),
        ([Segment("v", "a", 0.0, 1.0), Segment("v", "a")], "times: found some with and some without"),
        ([Segment("v", "a", words="x"), Segment("v", "a", words="y")], "2: segment_id: found 'v', expected an id of its own"),
        ([Segment("v", "a", 0.0, 1.0, channel="A"), Segment("v", "a", 1.0, 2.0)], "channel: found some with and some without"),
    ],
)
def test_what_a_data_folder_cannot_hold(items: list[Segment], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        formats.get("kaldi").write(items, tmp_path / "data")
    assert message.replace("\n", "\\n") in str(caught.value)
    assert list(tmp_path.iterdir()) == []


SEGMENTS = "u1 v 0.0 20.0\nu2 v 20.0 -1\n"


def test_an_end_of_minus_one_needs_the_duration(tmp_path: Path) -> None:
    place = folder(tmp_path / "data", segments=SEGMENTS, utt2spk="u1 A\nu2 B\n", text="u1 a\nu2 b\n")
    expected = "seconds, or the duration of 'v' in reco2dur. It stands for the end of the recording: add reco2dur."
    assert faults(place) == [f"segments:2: end: found '-1', expected {expected}"]
    (place / "wav.scp").write_text("v sox v.flac -t wav - |\n")
    assert len(faults(place)) == 1
    with wave.open(str(place / "v.wav"), "wb") as sound:
        sound.setparams((1, 2, 16000, 0, "NONE", ""))
        sound.writeframes(bytes(2 * 16000 * 24))
    (place / "wav.scp").write_text("v v.wav\n")
    assert [(one.start_time, one.end_time) for one in kaldi(place).items] == [(0.0, 20.0), (20.0, 24.0)]
    (place / "reco2dur").write_text("v 30.5\n")
    assert kaldi(place).items[1].end_time == 30.5


def test_every_fault_of_every_file_is_told_with_its_line(tmp_path: Path) -> None:
    place = folder(
        tmp_path / "data",
        segments="u1 v 0.0 2.0\nu2 home visit 3 1.0 2.0\nu3 v 5.0 4.0\nu4 v x 9.0\nu1 v 0.0 2.0\nu5 v 1.0 -2\n",
        text="u1 a\nu9 lost\n",
        utt2spk="u1 A\nu2 B C\n",
        spk2utt="A u1\nB u2\nC u1\n",
        utt2lang="u8 hi\n",
        reco2file_and_channel="v file\n",
    )
    told = [line.split(" found")[0] for line in faults(place)]
    assert told == [
        "segments:5: id:",
        "segments:2:",
        "segments:3: end:",
        "segments:4: start:",
        "segments:6: end:",
        "text:2: id:",
        "utt2spk:2: speaker:",
        "spk2utt:2: utterance:",
        "spk2utt:3: utterance:",
        "utt2lang:1: id:",
        "reco2file_and_channel:1:",
    ]


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    place = folder(tmp_path / "data", segments="u2 v 1 2\nu1 v 0 1\n", text="u1 a\n", utt2spk="u1 A\n", utt2lang="u1 hinglish\n")
    loaded = kaldi(place)
    assert [(one.segment_id, one.speaker, one.words, one.language) for one in loaded.items] == [
        ("u2", None, "", None),
        ("u1", "A", "a", None),
    ]
    assert codes(loaded) == ["not-sorted", "no-text", "no-speaker", "unknown-language"]
    assert {Path(str(finding.path)).name: finding.line for finding in loaded.findings} == {"segments": 1, "utt2lang": 1}


def test_spk2utt_alone_names_the_speakers(tmp_path: Path) -> None:
    place = folder(tmp_path / "data", segments="u1 v 0 1\nu2 v 1 2\n", text="u1 a\nu2  b \n", spk2utt="A u2\nB u1\n")
    assert [(one.speaker, one.words) for one in kaldi(place).items] == [("B", "a"), ("A", " b ")]


def test_a_folder_of_other_files_is_no_data_folder(tmp_path: Path) -> None:
    folder(tmp_path / "rttm", segments="not here")
    (tmp_path / "rttm" / "segments").rename(tmp_path / "rttm" / "text")
    assert not formats.get("kaldi").sniff("", tmp_path / "rttm")
    with pytest.raises(InputError, match="found no such folder, expected a data folder of Kaldi"):
        formats.get("kaldi").read(tmp_path / "none")
    with pytest.raises(InputError, match="found none of them, expected files called segments, text, utt2spk"):
        formats.get("kaldi").read(folder(tmp_path / "empty"))


ID = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6)
TIME = st.integers(0, 10**7).map(lambda n: n / 1000) | st.floats(0, 1e5)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(ID, st.none() | ID, TIME, TIME, st.text(max_size=9), st.none() | ID), max_size=4))
def test_a_data_folder_gives_back_what_it_does_not_refuse(
    rows: list[tuple[str, str | None, float, float, str, str | None]],
) -> None:
    items = [Segment(one, who, min(a, b), max(a, b), words, segment_id=name) for one, who, a, b, words, name in rows]
    with tempfile.TemporaryDirectory() as place:
        try:
            formats.get("kaldi").write(items, Path(place) / "data")
        except InputError:
            return
        back = formats.get("kaldi").read(Path(place) / "data").items if items else ()
    named = [(one.session_id, one.start_time, one.end_time, one.words) for one in items]
    assert sorted(named) == sorted((one.session_id, one.start_time, one.end_time, one.words) for one in back)
    assert {one.segment_id for one in items if one.segment_id is not None} <= {one.segment_id for one in back}


# NeMo.


def nemo(place: Path, *lines: object) -> Loaded[Segment]:
    path = place / "manifest.json"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return formats.load(path, Segment)


def test_a_manifest_to_be_diarized_has_the_turns_of_its_rttm(tmp_path: Path) -> None:
    folder(
        tmp_path / "rttm",
        v1__rttm="".join(f"SPEAKER {v} 1 {t} 2.0 <NA> <NA> asha <NA> <NA>\n" for v, t in [("v1", 1), ("v1", 50), ("v2", 3)]),
    )
    line = {
        "audio_filepath": "/data/wav/v1.wav",
        "offset": 0,
        "duration": 10,
        "label": "infer",
        "text": "-",
        "rttm_filepath": "rttm/v1.rttm",
    }
    loaded = nemo(tmp_path, line, {"audio_filepath": "v3.wav", "label": "infer", "text": "-", "rttm_filepath": None})
    assert [(one.session_id, one.speaker, one.start_time) for one in loaded.items] == [("v1", "asha", 1.0)]
    assert list(formats.get("nemo").read(tmp_path / "manifest.json").lines) == [1]
    assert codes(loaded) == ["audio-only"]
    with pytest.raises(InputError, match=r"manifest.json:1: rttm_filepath: found 'x.rttm', expected a file \(there is no "):
        nemo(tmp_path, {**line, "rttm_filepath": "x.rttm"})
    (tmp_path / "rttm" / "v1.rttm").write_text("SPEAKER v1 1 x 2.0 <NA> <NA> asha <NA> <NA>\n")
    with pytest.raises(InputError, match=r"(?s)manifest.json:2: .*v1.rttm:1: onset: found 'x'"):
        nemo(tmp_path, line, {"offset": 1})


def test_label_infer_and_a_dash_are_words_only_where_somebody_speaks(tmp_path: Path) -> None:
    loaded = nemo(
        tmp_path,
        {"audio_filepath": "a/v1.flac", "duration": 2.5, "text": "-", "label": "asha"},
        {"audio_filepath": "a\\b\\v2.wav", "duration": 2.5, "text": "जी", "label": "infer"},
        {"audio_filepath": "c.wav", "session_id": "v3", "text": "हाँ", "lang": "hi-IN"},
    )
    assert [(one.session_id, one.speaker, one.end_time, one.words, one.language) for one in loaded.items] == [
        ("v1", "asha", 2.5, "-", None),
        ("v2", None, 2.5, "जी", None),
        ("v3", None, None, "हाँ", "hi"),
    ]
    assert codes(loaded) == ["no-times"]


def test_what_a_recogniser_heard_is_the_text_only_where_nobody_wrote_one(tmp_path: Path) -> None:
    heard = {"audio_filepath": "v1.wav", "duration": 1, "pred_text": "दवा ली"}
    loaded = nemo(tmp_path, heard, {**heard, "text": None})
    assert [one.words for one in loaded.items] == ["दवा ली"] * 2
    assert codes(loaded) == []
    loaded = nemo(tmp_path, {**heard, "text": "दवा नहीं ली"}, {**heard, "text": ""})
    assert [one.words for one in loaded.items] == ["दवा नहीं ली", ""]
    assert codes(loaded) == ["pred-text"]
    assert "2 entries: pred_text, what a recogniser heard, is left out" in loaded.findings[0].message


def test_turns_from_another_folder_are_told(tmp_path: Path) -> None:
    folder(tmp_path / "rttm", v1__rttm="SPEAKER v1 1 1 2.0 <NA> <NA> asha <NA> <NA>\n")
    (tmp_path / "system").mkdir()
    line = {"audio_filepath": "v1.wav", "label": "infer", "text": "-"}
    for place in ("../rttm/v1.rttm", str(tmp_path / "rttm" / "v1.rttm")):
        loaded = nemo(tmp_path / "system", {**line, "rttm_filepath": place})
        assert len(loaded.items) == 1
        assert codes(loaded) == ["other-file"]
        assert str(Path("rttm") / "v1.rttm") in loaded.findings[0].message


def test_faults_of_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        nemo(
            tmp_path,
            {"audio_filepath": "a.wav", "offset": -1, "duration": 1, "text": "a"},
            "[1]",
            '{"a":',
            {"duration": 1, "text": "a"},
        )
    assert [(one.line, one.field) for one in caught.value.faults] == [(1, "offset"), (2, ""), (3, ""), (4, "audio_filepath")]


# lhotse.


def test_a_packed_manifest_is_found_out_and_read(tmp_path: Path) -> None:
    items = [
        replace(one, channel="0", segment_id=f"s{at}", confidence=0.5, forms=("a",), role="health_worker")
        for at, one in enumerate(VISIT)
    ]
    formats.get("lhotse").write(items, tmp_path / "supervisions.jsonl.gz")
    assert gzip.decompress((tmp_path / "supervisions.jsonl.gz").read_bytes()).count(b"\n") == 3
    assert formats.detect(tmp_path / "supervisions.jsonl.gz").name == "lhotse"
    assert list(formats.load(tmp_path, Segment).items) == items
    first = (tmp_path / "supervisions.jsonl.gz").read_bytes()
    formats.get("lhotse").write(items, tmp_path / "supervisions.jsonl.gz")
    assert (tmp_path / "supervisions.jsonl.gz").read_bytes() == first


def test_cuts_say_when_from_their_own_start(tmp_path: Path) -> None:
    one = {"id": "s", "recording_id": "v", "start": 0.2, "duration": 0.1, "channel": [0, 1]}
    (tmp_path / "cuts.jsonl").write_text(json.dumps({"id": "c", "start": 0.1, "supervisions": [one], "type": "MultiCut"}))
    (segment,) = formats.load(tmp_path / "cuts.jsonl", Segment).items
    assert (segment.start_time, segment.end_time, segment.channel) == (0.3, 0.4, "0,1")
    (tmp_path / "cuts.jsonl").write_text(json.dumps({"id": "c", "supervisions": [], "type": "MixedCut"}))
    with pytest.raises(InputError, match=r"cuts.jsonl:1: type: found 'MixedCut', expected a MonoCut or MultiCut"):
        formats.load(tmp_path / "cuts.jsonl", Segment)


def test_faults_of_supervisions(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": "a", "start": 1}\n{"recording_id": "v", "start": 0, "duration": -1, "channel": "A"}\n- id: yaml\n')
    with pytest.raises(InputError) as caught:
        formats.get("lhotse").read(path)
    told = [(one.line, one.field) for one in caught.value.faults]
    assert told == [(1, "recording_id"), (1, "duration"), (2, "duration"), (3, "")]


def test_a_manifest_of_recordings_beside_transcripts_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "recordings.jsonl").write_text('{"session_id": "v", "audio": "v.wav"}\n')
    (tmp_path / "v.rttm").write_text("SPEAKER v 1 0 2 <NA> <NA> asha <NA> <NA>\n")
    loaded = formats.load(tmp_path, Segment)
    assert [one.session_id for one in loaded.items] == ["v"]
    assert codes(loaded) == ["other-files"]


# Whisper, which is written too.


def test_a_whisper_file_is_named_after_its_recording(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"1: session_id: found 'visit07', expected the recording 'other', which the file is named"
    ):
        formats.get("whisper-json").write(VISIT[:1], tmp_path / "other.json")
    assert [path.name for path in formats.write_each(VISIT, tmp_path, "whisper-json")] == ["visit07.json", "visit08.json"]
    assert list(formats.load(tmp_path, Segment).items) == VISIT
    assert list(formats.load(tmp_path, Segment, format="whisper-json").items) == VISIT

"""What each importer makes of its source: small sources written here, and odd ones."""

import json
import os
from pathlib import Path

import pytest

from parakh import formats
from parakh.dataset import importing, manifest
from parakh.dataset.content import Content, contents
from parakh.dataset.importing import _words
from parakh.dataset.importing._beside import guessed_endings
from parakh.errors import InputError
from parakh.types import Region, Segment, Speaker, Summary, Topics
from tests import datasets

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SEGMENT = pa.struct(
    [("speaker_id", pa.string()), ("transcript", pa.string()), ("start_time", pa.float64()), ("end_time", pa.float64())]
)
SAID = [{"speaker_id": "A", "transcript": "नमस्ते BP 120", "start_time": 0.5, "end_time": 1.25}]


def taken(source: Path, kind: str | None = None, audio: str = "none", **options) -> tuple[importing.Outcome, dict[str, Content]]:
    target = source.parent / f"{source.name}-set"
    outcome = importing.run(importing.Request(source, target, kind, importing.Options(audio=audio, **options)))
    return outcome, {one.session_id: one for one in contents(manifest.load(target))}


def refused(source: Path, kind: str, audio: str = "none") -> str:
    with pytest.raises(InputError) as caught:
        taken(source, kind, audio)
    assert not (source.parent / f"{source.name}-set").exists()
    return str(caught.value)


def clip(name: str, **values: object) -> dict[str, object]:
    known = {"recording_id": name, "language": "hi", "annotated_transcript": SAID, "dataset_type": "ff", "num_speakers": 1}
    return {
        **known,
        "num_segments": 1,
        "duration_seconds": 2.0,
        "audio": {"bytes": b"RIFF" + bytes(40), "path": "x.wav"},
        **values,
    }


def shard(path: Path, rows: list[dict[str, object]], group: int = 2, **more: pa.DataType) -> Path:
    columns = {"recording_id": pa.string(), "language": pa.string(), "annotated_transcript": pa.list_(SEGMENT)}
    columns |= {
        "dataset_type": pa.string(),
        "num_speakers": pa.int64(),
        "num_segments": pa.int64(),
        "duration_seconds": pa.float64(),
    }
    columns |= {"audio": pa.struct([("bytes", pa.binary()), ("path", pa.string())]), **more}
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(list(columns.items()))), path, row_group_size=group)
    return path


# Indic DiarBench


def test_the_fields_of_diarbench_have_their_places(tmp_path):
    shard(tmp_path / "db" / "hindi" / "test-00000-of-00001.parquet", [clip("hi_ff_001", noise="fan")], noise=pa.string())
    outcome, found = taken(tmp_path / "db")
    one = found["hi_ff_001"]
    assert outcome.kind == "diarbench"
    assert one.entry.recording.metadata == {"condition": "far-field", "noise": "fan"}
    assert (one.entry.recording.language, one.entry.recording.duration, one.entry.split) == ("hi", 2.0, "test")
    assert one.transcript == (Segment("hi_ff_001", "A", 0.5, 1.25, "नमस्ते BP 120", segment_id="hi_ff_001_0001"),)
    assert [(turn.speaker, turn.start_time, turn.end_time) for turn in one.turns] == [("A", 0.5, 1.25)]
    assert one.entry.recording.audio is None
    assert outcome.notes == ()


def test_the_second_form_of_a_transcript_becomes_native(tmp_path):
    native = [{**SAID[0], "transcript": "नमस्ते बीपी एक सौ बीस"}]
    shard(tmp_path / "db" / "a.parquet", [clip("c1", native_transcript=native)], native_transcript=pa.list_(SEGMENT))
    _, found = taken(tmp_path / "db")
    assert [one.words for one in found["c1"].native] == ["नमस्ते बीपी एक सौ बीस"]


def test_clips_of_one_recording_get_numbers_and_stay_together(tmp_path):
    shard(tmp_path / "db" / "a.parquet", [clip("r1"), clip("r2"), clip("r1")])
    _, found = taken(tmp_path / "db")
    assert sorted(found) == ["r1_01", "r1_02", "r2"]
    assert {one.entry.recording.metadata.get("recording") for one in found.values()} == {"r1", None}


def test_audio_inside_parquet_is_copied_only_when_asked(tmp_path):
    wav = datasets.write_wav(tmp_path / "x.wav", 2.0).read_bytes()
    shard(tmp_path / "db" / "a.parquet", [clip("c1", audio={"bytes": wav, "path": "x.wav"}), clip("c2", audio=None)])
    _, found = taken(tmp_path / "db", audio="copy")
    assert Path(found["c1"].entry.recording.audio).read_bytes() == wav
    assert found["c1"].entry.recording.duration == 2.0
    assert found["c2"].entry.recording.audio is None


def test_without_audio_a_small_share_of_a_shard_is_read(tmp_path):
    rows = [clip(f"c{number}", audio={"bytes": os.urandom(500_000), "path": "x.wav"}) for number in range(20)]
    path = shard(tmp_path / "db" / "a.parquet", rows, group=5)
    before = _read_bytes()
    taken(tmp_path / "db")
    assert _read_bytes() - before < 0.05 * path.stat().st_size


def _read_bytes() -> int:
    """Bytes that this process has read from files so far."""
    if not Path("/proc/self/io").exists():
        pytest.skip("what a process reads can be counted on Linux only")
    return int(Path("/proc/self/io").read_text().split("rchar:")[1].split()[0])


def test_faulty_rows_are_told_by_row_and_field(tmp_path):
    rows = [
        clip("c1"),
        clip("c2", annotated_transcript=[{**SAID[0], "end_time": 0.25}, {**SAID[0], "start_time": None}]),
        clip("c3", annotated_transcript=[{**SAID[0], "start_time": -1.0}]),
        clip("c4", annotated_transcript=None),
    ]
    path = shard(tmp_path / "db" / "a.parquet", rows)
    message = refused(tmp_path / "db", "diarbench")
    assert f"{path}:2: annotated_transcript[0].end_time: found 0.25, expected seconds >= start_time (0.5)" in message
    assert f"{path}:2: annotated_transcript[1].start_time: found None" in message
    assert f"{path}:3: annotated_transcript[0].start_time: found -1.0" in message
    assert f"{path}:4: annotated_transcript: found None, expected a list of segments" in message


def test_counts_that_are_not_those_of_the_segments_are_told(tmp_path):
    shard(tmp_path / "db" / "a.parquet", [clip("c1", num_speakers=3)])
    outcome, _ = taken(tmp_path / "db")
    assert [note.message for note in outcome.notes] == ["num_speakers is 3, but there are 1"]


def test_what_is_no_parquet_or_lacks_columns_is_one_fault(tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "a.parquet").write_bytes(b"PAR1 not really")
    assert "found data that is no parquet" in refused(tmp_path / "bad", "diarbench")
    (tmp_path / "other").mkdir()
    pq.write_table(pa.table({"x": [1]}), tmp_path / "other" / "a.parquet")
    assert "recording_id: found the columns x, expected a column recording_id" in refused(tmp_path / "other", "diarbench")


# audiofolder


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_audiofolder_metadata_in_each_form(form, tmp_path):
    source = tmp_path / "af"
    datasets.write_wav(source / "train" / "a.wav", 0.5)
    datasets.write_wav(source / "test" / "b.wav", 0.5)
    rows = [
        {
            "file_name": "train/a.wav",
            "transcription": "नमस्ते, दीदी",
            "speaker_id": "s1",
            "gender": "Female",
            "age": "34",
            "district": "Udupi",
        },
        {"file_name": "test/b.wav", "transcription": "", "language": "Kannada", "topics": "Fever, Cough", "summary": "Fever."},
    ]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if form == "csv":
        lines = [",".join(f'"{row.get(name, "")}"' for name in columns) for row in rows]
        (source / "metadata.csv").write_text("\n".join([",".join(columns), *lines]) + "\n")
    elif form == "jsonl":
        (source / "metadata.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    else:
        pq.write_table(
            pa.Table.from_pylist([{name: row.get(name) for name in columns} for row in rows]), source / "metadata.parquet"
        )
    outcome, found = taken(source, audio="link")
    assert outcome.kind == "audiofolder"
    assert found["a"].transcript == (Segment("a", "s1", words="नमस्ते, दीदी", segment_id="a_0001"),)
    assert found["a"].entry.speakers == (Speaker("a", "s1", age="34", sex="f"),)
    assert (found["a"].entry.split, found["b"].entry.split) == ("train", "test")
    assert found["a"].entry.recording.metadata == {"district": "Udupi"}
    assert (found["b"].entry.recording.language, found["b"].transcript) == ("kn", None)
    assert (found["b"].topics, found["b"].summary) == (Topics("b", ("Fever", "Cough")), Summary("b", "Fever."))
    assert found["a"].entry.recording.duration == 0.5


def test_audiofolder_without_metadata_has_splits_and_classes(tmp_path):
    for split, kind, name in [("train", "noise", "a"), ("train", "speech", "b"), ("test", "noise", "c")]:
        datasets.write_wav(tmp_path / "af" / split / kind / f"{name}.wav", 0.1)
    outcome, found = taken(tmp_path / "af")
    assert outcome.kind == "audiofolder"
    assert {name: (one.entry.split, one.entry.recording.metadata["label"]) for name, one in found.items()} == {
        "a": ("train", "noise"),
        "b": ("train", "speech"),
        "c": ("test", "noise"),
    }


def test_audiofolder_files_of_one_name_are_called_by_their_paths(tmp_path):
    datasets.write_wav(tmp_path / "af" / "train" / "a.wav", 0.1)
    datasets.write_wav(tmp_path / "af" / "test" / "a.wav", 0.1)
    _, found = taken(tmp_path / "af")
    assert sorted(found) == ["test_a", "train_a"]


def test_audiofolder_rows_that_lead_nowhere_are_told(tmp_path):
    source = tmp_path / "af"
    datasets.write_wav(source / "a.wav", 0.1)
    (source / "metadata.csv").write_text("file_name,text\na.wav,x\na.wav,y\n../b.wav,z\nc.wav,q\n")
    message = refused(source, "audiofolder", "link")
    assert "metadata.csv:3: file_name: found 'a.wav', expected a file named once (line 2 has it too)" in message
    assert "metadata.csv:4: file_name: found '../b.wav', expected a path inside the folder" in message
    assert "c.wav: audio: found no such file" in message


# Any files


def test_any_folder_files_find_their_roles(tmp_path):
    source = tmp_path / "any"
    segments = datasets.conversation("v1")
    datasets.write_wav(source / "sound" / "v1.wav", 0.1)
    formats.get("rttm").write(datasets.turns(segments), source / "labels" / "v1_SPEAKER.rttm")
    formats.get("seglst").write(segments, source / "text" / "v1.seglst.json")
    formats.get("challenge-tsv").write(segments, source / "native" / "v1.txt")
    formats.get("uem").write([Region("v1", 0.0, 2.0)], source / "all.uem")
    formats.get("topics-csv").write([Topics("v1", ("Fever",)), Topics("v2", ())], source / "topics.csv")
    (source / "README.md").write_text("x")
    outcome, found = taken(source, audio="link")
    assert outcome.kind == "files"
    assert found["v1"].turns == tuple(datasets.turns(segments))
    assert found["v1"].transcript == found["v1"].native == tuple(segments)
    assert found["v1"].regions == (Region("v1", 0.0, 2.0),)
    assert found["v2"].topics == Topics("v2", ())
    assert [note.code for note in outcome.notes] == ["unused-files", "no-audio"]
    assert "1 file not imported: README.md" in outcome.notes[0].message
    assert outcome.notes[1].message == "1 recording without audio: v2"


def test_two_transcripts_of_one_recording_are_a_fault(tmp_path):
    source = tmp_path / "any"
    datasets.write_wav(source / "v1.wav", 0.1)
    formats.get("seglst").write(datasets.conversation("v1"), source / "a" / "v1.seglst.json")
    formats.get("seglst").write(datasets.conversation("v1"), source / "b" / "v1.seglst.json")
    message = refused(source, "files")
    assert "found a second transcript, expected one transcript of v1" in message
    assert message.count("\n") == 0


def test_a_broken_annotation_is_a_fault_of_its_recording_and_any_other_file_is_named(tmp_path):
    source = tmp_path / "any"
    datasets.write_wav(source / "v1.wav", 0.1)
    datasets.write_wav(source / "v2.wav", 0.1)
    (source / "v1.rttm").write_text("SPEAKER v1 1 0.0 x <NA> <NA> a <NA> <NA>\n")
    (source / "v2.json").write_text('{"device": "phone"}')
    outcome = importing.run(importing.Request(source, tmp_path / "set", "files", skip_faulty=True))
    assert outcome.imported == ("v2",)
    assert list(outcome.left_out) == ["v1"]
    assert "v1.rttm:1: duration: found 'x'" in outcome.left_out["v1"][0]
    assert "v2.json" in str(outcome.notes[0])


def test_audio_files_of_one_name_are_refused(tmp_path):
    for place in ("a", "b"):
        datasets.write_wav(tmp_path / "any" / place / "v1.wav", 0.1)
    assert "found 'v1', expected one file of that name" in refused(tmp_path / "any", "files")


# Guessing, and words of others


def test_what_fits_two_kinds_is_asked_for(tmp_path):
    (tmp_path / "s" / "GT").mkdir(parents=True)
    datasets.write_wav(tmp_path / "s" / "a.wav", 0.1)
    (tmp_path / "s" / "metadata.csv").write_text("file_name\na.wav\n")
    with pytest.raises(
        InputError, match=r"found what audiofolder fits and what displace-m fits, expected one kind of source. Say --from"
    ):
        importing.guess(tmp_path / "s")


@pytest.mark.parametrize(
    ("stems", "endings"),
    [
        (["c1_doctor", "c1_patient", "c2_doctor", "c2_patient"], ("_doctor", "_patient")),
        (["c1_doctor", "c2_doctor"], ()),
        (["c1_doctor", "c1_patient", "c2_doctor"], ()),
        (["day1_01", "day1_02"], ()),
        (["a", "b"], ()),
        ([], ()),
    ],
)
def test_endings_are_guessed_only_where_every_recording_has_two(stems, endings):
    assert guessed_endings(stems) == endings


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Hindi", "hi"),
        ("hi-IN", "hi"),
        ("TAM", "ta"),
        ("Kannada", "kn"),
        ("Bodo (India)", "brx"),
        ("Odia", "or"),
        ("", None),
        (None, None),
    ],
)
def test_languages_by_name_and_tag(text, tag):
    assert _words.language(text) == tag


def test_a_manifest_with_a_fault_stops_before_anything_is_read(tmp_path):
    datasets.write_wav(tmp_path / "s" / "a.wav", 0.1)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "recordings.jsonl").write_text("not json\n")
    before = datasets.tree(tmp_path / "set")
    with pytest.raises(InputError, match=r"recordings\.jsonl:1"):
        importing.run(importing.Request(tmp_path / "s", tmp_path / "set"))
    assert datasets.tree(tmp_path / "set") == before


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("session_id", "x"),
        ("files", "x"),
        ("district", "a\x07b"),
        ("topics", "None, x"),
        ("summary", "a\rb"),
        ("sha256", "x"),
        ("split", "a\x00"),
    ],
)
def test_metadata_that_a_manifest_cannot_hold_is_met_before_anything_is_in_place(column, value, tmp_path):
    source = tmp_path / "af"
    datasets.write_wav(source / "a.wav", 0.1)
    datasets.write_wav(source / "b.wav", 0.1)
    rows = [{"file_name": "a.wav", column: value}, {"file_name": "b.wav", "district": "Udupi"}]
    (source / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    outcome = importing.run(importing.Request(source, tmp_path / "set", "audiofolder", skip_faulty=True))
    if column == "topics":
        assert outcome.imported == ("a", "b")
        return
    assert outcome.imported == ("b",)
    assert list(outcome.left_out) == ["a"]
    assert [one.session_id for one in manifest.load(tmp_path / "set").entries] == ["b"]


# Kaldi, NeMo, lhotse, TextGrid, ELAN


def kaldi(folder: Path, audio: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "segments").write_text("u2 v1 1.0 2.0\nu1 v1 0.0 1.5\n")
    (folder / "text").write_text("u2 जी\nu1 नमस्ते दीदी\n")
    (folder / "utt2spk").write_text("u2 asha\nu1 spk1\n")
    (folder / "spk2gender").write_text("asha f\nspk1 m\n")
    (folder / "reco2dur").write_text("v1 2.5\n")
    (folder / "wav.scp").write_text(f"v1 {audio}\n")
    return folder


def test_a_kaldi_folder_with_a_path_from_where_recipes_start(tmp_path):
    datasets.write_wav(tmp_path / "corpus" / "v1.wav", 2.5)
    outcome, found = taken(kaldi(tmp_path / "data" / "train", "corpus/v1.wav"), audio="link")
    one = found["v1"]
    assert outcome.kind == "kaldi"
    assert [(segment.segment_id, segment.start_time, segment.words) for segment in one.transcript] == [
        ("u1", 0.0, "नमस्ते दीदी"),
        ("u2", 1.0, "जी"),
    ]
    assert Path(one.entry.recording.audio).resolve() == tmp_path / "corpus" / "v1.wav"
    assert {speaker.speaker: speaker.sex for speaker in one.entry.speakers} == {"asha": "f", "spk1": "m"}
    assert one.entry.recording.duration == 2.5


def test_a_command_in_wav_scp_is_never_run(tmp_path):
    trap = tmp_path / "was-run"
    outcome, found = taken(kaldi(tmp_path / "data", f"touch {trap} |"), audio="link")
    assert not trap.exists()
    assert found["v1"].entry.recording.audio is None
    (told,) = [note for note in outcome.notes if note.code == "audio-command"]
    assert (told.session_id, told.line) == ("v1", 1)


def test_a_path_in_wav_scp_that_leads_nowhere_is_a_fault(tmp_path):
    assert "data/gone.wav: audio: found no such file" in refused(kaldi(tmp_path / "data", "gone.wav"), "kaldi", "link")


def test_a_nemo_manifest_with_audio_beside_it(tmp_path):
    source = tmp_path / "nemo"
    datasets.write_wav(source / "wav" / "v1.wav", 2.0)
    lines = [
        {
            "audio_filepath": "wav/v1.wav",
            "offset": 0.5,
            "duration": 0.5,
            "text": "जी",
            "speaker": "asha",
            "lang": "hi",
            "district": "Udupi",
        },
        {
            "audio_filepath": "wav/v1.wav",
            "offset": 1.0,
            "duration": 0.5,
            "text": "ठीक",
            "speaker": "spk1",
            "lang": "hi",
            "district": "Mysuru",
        },
    ]
    (source / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    outcome, found = taken(source, audio="link")
    one = found["v1"]
    assert outcome.kind == "nemo"
    assert [(segment.speaker, segment.start_time, segment.end_time, segment.words) for segment in one.transcript] == [
        ("asha", 0.5, 1.0, "जी"),
        ("spk1", 1.0, 1.5, "ठीक"),
    ]
    assert (one.entry.recording.language, one.entry.recording.duration) == ("hi", 2.0)
    assert one.entry.recording.metadata == {"district": "Udupi"}
    assert [note.message for note in outcome.notes] == ["district differs between its utterances; the first is kept"]


def test_lhotse_manifests_and_a_source_that_is_a_command(tmp_path):
    source = tmp_path / "lhotse"
    datasets.write_wav(source / "v1.wav", 2.0)
    about = {"sampling_rate": 16000, "num_samples": 32000, "duration": 2.0}
    recordings = [
        {
            "id": "v1",
            "sources": [{"type": "file", "channels": [0], "source": "v1.wav"}],
            "custom": {"split": "dev", "place": "home"},
            **about,
        },
        {"id": "v2", "sources": [{"type": "command", "channels": [0], "source": "touch x"}], **about},
    ]
    said = {
        "recording_id": "v1",
        "start": 0.5,
        "duration": 1.0,
        "channel": 0,
        "text": "जी",
        "speaker": "asha",
        "gender": "F",
        "id": "s1",
    }
    (source / "recordings.jsonl").write_text("".join(json.dumps(one) + "\n" for one in recordings))
    (source / "supervisions.jsonl").write_text(json.dumps(said) + "\n")
    outcome, found = taken(source, audio="link")
    assert outcome.kind == "lhotse"
    assert found["v1"].transcript == (Segment("v1", "asha", 0.5, 1.5, "जी", segment_id="s1"),)
    assert (found["v1"].entry.split, found["v1"].entry.recording.metadata) == ("dev", {"place": "home"})
    assert found["v1"].entry.speakers == (Speaker("v1", "asha", sex="f"),)
    assert found["v2"].entry.recording.audio is None
    assert "audio-command" in {note.code for note in outcome.notes}


@pytest.mark.parametrize(("kind", "form", "suffix"), [("textgrid", "textgrid", ".TextGrid"), ("elan", "eaf", ".eaf")])
def test_files_of_one_recording_are_told_apart_by_their_endings(kind, form, suffix, tmp_path):
    source = tmp_path / kind
    for name in ("c1", "c2"):
        for who, start in (("doctor", 0.0), ("patient", 1.5)):
            session = f"{name}_{who}"
            formats.get(form).write(
                [Segment(session, "Speaker", start, start + 1.0, f"{name} {who}")], source / f"{session}{suffix}"
            )
    datasets.write_wav(source / "c1.wav", 2.5)
    for who in ("doctor", "patient"):
        datasets.write_wav(source / f"c2_{who}.wav", 2.5)
    outcome, found = taken(source, audio="link")
    assert outcome.kind == kind
    assert [(one.speaker, one.start_time, one.words) for one in found["c2"].transcript] == [
        ("doctor", 0.0, "c2 doctor"),
        ("patient", 1.5, "c2 patient"),
    ]
    assert found["c1"].entry.recording.audio is not None
    assert found["c2"].entry.recording.audio is None
    assert {note.code for note in outcome.notes} == {"renamed-speaker", "several-audio-files", "no-audio"}

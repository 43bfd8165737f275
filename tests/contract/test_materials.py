"""From folders and files to what checks see: which file belongs to which recording as what, and what is told of the others."""

import json
from pathlib import Path
from typing import Any

import pytest

from parakh.dataset import _reading, manifest, skeleton
from parakh.dataset.materials import gather
from parakh.errors import InputError
from parakh.qc import Material
from parakh.types import Finding, Severity

TURN = "SPEAKER {} 1 0 2 <NA> <NA> a <NA> <NA>\n"
TALK = "{}\t1\ta\thealth_worker\t0\t2\tनमस्ते दीदी\n"
PARTS = ("turns", "transcript", "native", "regions", "topics", "summary")


def put(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def seen(*paths: object, **options: Any) -> dict[str, Material]:
    found = gather([str(path) for path in paths], **options).whole.materials
    by_id = {one.session_id: one for one in found}
    assert len(by_id) == len(found)
    return by_id


def files(material: Material) -> dict[str, str]:
    """The name of the file that each part of a recording comes from."""
    parts = {name: getattr(material, name) for name in PARTS}
    named = {name: Path(part.path).name for name, part in parts.items() if part is not None}
    if material.entry.recording.audio:
        named["audio"] = Path(material.entry.recording.audio).name
    return named


def told(material: Material) -> list[tuple[str, Severity, str, int | None]]:
    return [(one.code, one.severity, Path(one.path or "").name, one.line) for one in material.trouble]


def test_the_challenges_folders(tmp_path: Path) -> None:
    """Layout of the development data: a folder a language, turns named after the recording and more, one table for all."""
    put(
        tmp_path,
        {
            "Hindi/data/wav/h1.wav": b"RIFF",
            "Hindi/data/rttm/h1_SPEAKER.rttm": TURN.format("h1"),
            "Hindi/Audio/h1.wav": b"RIFF",
            "Hindi/GT/h1.txt": TALK.format("h1"),
            "Kannada/data/wav/k1.wav": b"RIFF",
            "Kannada/data/rttm/k1_SPEAKER.rttm": TURN.format("k1_SPEAKER"),
            "Kannada/GT/k1.txt": TALK.format("k1"),
            "GT/gt_data_topic_identification.csv": 'rec_id,gt_topics\nh1,"Fever, Cough"\nk1,None\n',
            "GT/gt_data_summarization.csv": "rec_id,gt_summary\nk1,Fever for two days.\n",
        },
    )
    found = seen(tmp_path)
    assert {name: (one.language, files(one)) for name, one in found.items()} == {
        "h1": (
            "hi",
            {
                "turns": "h1_SPEAKER.rttm",
                "transcript": "h1.txt",
                "topics": "gt_data_topic_identification.csv",
                "audio": "h1.wav",
            },
        ),
        "k1": (
            "kn",
            {
                "turns": "k1_SPEAKER.rttm",
                "transcript": "k1.txt",
                "topics": "gt_data_topic_identification.csv",
                "summary": "gt_data_summarization.csv",
                "audio": "k1.wav",
            },
        ),
    }
    assert [told(one) for one in found.values()] == [[], []], "a copy of the sound is no second file"
    assert found["k1"].topics is not None
    assert found["k1"].topics.line(0) == 3


def test_one_id_in_two_languages_is_two_recordings(tmp_path: Path) -> None:
    names = {f"{language}/{kind}": text for language in ("Hindi", "Tamil") for kind, text in (("a.rttm", TURN), ("a.wav", "{}"))}
    put(tmp_path, {name: text.format("a") for name, text in names.items()})
    found = gather([tmp_path]).whole.materials
    assert [(one.session_id, one.language, sorted(files(one))) for one in found] == [
        ("a", "hi", ["audio", "turns"]),
        ("a", "ta", ["audio", "turns"]),
    ]


def test_both_forms_of_a_transcript(tmp_path: Path) -> None:
    put(tmp_path, {"transcripts/v1.txt": TALK.format("v1"), "native/v1.txt": TALK.format("v1")})
    assert files(seen(tmp_path)["v1"]) == {"transcript": "v1.txt", "native": "v1.txt"}
    assert "native" in (seen(tmp_path)["v1"].native or pytest.fail("no native form")).path


def test_what_is_no_annotation_is_passed_over_with_a_note(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "v1.rttm": TURN.format("v1"),
            "notes.txt": "call her on monday\nask for the chart\n",
            "other.json": '{"a": 1}',
            "known.json": '{"schema": "parakh.baseline/1", "findings": []}',
            "README.txt": "what this is\n",
            "make.py": "print()",
            ".git/config": "[core]",
            "__MACOSX/._v1.rttm": b"\x00\x05",
            ".DS_Store": b"\x00",
        },
    )
    whole = gather([tmp_path]).whole
    (only,) = whole.materials
    assert told(only) == [("passed-over", Severity.NOTE, name, None) for name in ("notes.txt", "other.json")]
    assert whole.files == ("README.txt", "known.json", "make.py", "notes.txt", "other.json", "v1.rttm")


def test_what_is_named_is_an_annotation(tmp_path: Path) -> None:
    put(tmp_path, {"notes.json": '{"a": 1}', "v1.rttm": TURN.format("v1")})
    found = seen(tmp_path / "notes.json", tmp_path / "v1.rttm")
    assert told(found["notes"]) == [("unreadable", Severity.ERROR, "notes.json", None)]
    assert told(found["v1"]) == []


def test_text_of_a_recording_is_no_list_of_ids(tmp_path: Path) -> None:
    put(tmp_path, {"v1.wav": b"", "v1.txt": "नमस्ते दीदी\nकैसी हैं आप\n", "v2.wav": b"", "v2_transcript.txt": "हाँ जी\nहाँ ठीक\n"})
    found = seen(tmp_path)
    assert {name: files(one) for name, one in found.items()} == {
        "v1": {"transcript": "v1.txt", "audio": "v1.wav"},
        "v2": {"transcript": "v2_transcript.txt", "audio": "v2.wav"},
    }
    keyed = seen(put(tmp_path / "keyed", {"v1.wav": b"", "v2.wav": b"", "all.txt": "v1 नमस्ते दीदी\nv2 हाँ जी\n"}))
    assert {name: files(one)["transcript"] for name, one in keyed.items()} == {"v1": "all.txt", "v2": "all.txt"}


def test_a_file_that_does_not_read_stops_nothing(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "v1.wav": b"",
            "v1_SPEAKER.rttm": "SPEAKER v1 1 0 x <NA> <NA> a <NA> <NA>\nSPEAKER v1 1\n",
            "v1.txt": b"\xff\xfea\x00",
            "v2.rttm": TURN.format("v2"),
            "v3.rttm": b"\x80",
        },
    )
    found = seen(tmp_path)
    assert list(found) == ["v1", "v2", "v3"]
    assert told(found["v1"]) == [
        ("unreadable", Severity.ERROR, "v1.txt", None),
        ("unreadable", Severity.ERROR, "v1_SPEAKER.rttm", 1),
        ("unreadable", Severity.ERROR, "v1_SPEAKER.rttm", 2),
    ]
    assert {one.session_id for name in ("v1", "v3") for one in found[name].trouble} == {"v1", "v3"}
    assert files(found["v2"]) == {"turns": "v2.rttm"}
    assert told(found["v3"]) == [("unreadable", Severity.ERROR, "v3.rttm", 1)]
    assert not [one for one in found["v1"].trouble if "--reference-format" in one.message]


def test_faults_beyond_the_first_fifty_are_counted(tmp_path: Path) -> None:
    put(tmp_path, {"v1.rttm": "SPEAKER v1 1\n" * 60})
    trouble = seen(tmp_path)["v1"].trouble
    assert len(trouble) == 51
    assert trouble[-1].message == "10 more faults after line 50"


def test_an_empty_file_is_an_empty_part(tmp_path: Path) -> None:
    found = seen(put(tmp_path, {"v1.wav": b"", "v1_SPEAKER.rttm": "\n"}))["v1"]
    assert found.turns is not None
    assert list(found.turns.items) == []
    assert [one.code for one in found.trouble] == ["empty-file"]


def test_of_two_files_of_a_kind_one_is_told_and_not_looked_at(tmp_path: Path) -> None:
    found = seen(
        put(tmp_path, {"a/v1.rttm": TURN.format("v1"), "b/v1.rttm": TURN.format("v1"), "a/v1.wav": b"1", "b/v1.wav": b"22"})
    )
    assert told(found["v1"]) == [("second-file", Severity.NOTE, "v1.wav", None), ("second-file", Severity.NOTE, "v1.rttm", None)]


def test_folders_that_are_named_together_belong_together(tmp_path: Path) -> None:
    put(tmp_path, {"rttm/v1.rttm": TURN.format("v1"), "text/v1.txt": TALK.format("v1")})
    assert files(seen(tmp_path / "rttm", tmp_path / "text")["v1"]) == {"turns": "v1.rttm", "transcript": "v1.txt"}
    assert gather([tmp_path / "rttm", tmp_path / "text"]).whole.folder == ""
    assert gather([tmp_path]).whole.folder == str(tmp_path)


def listed(**fields: Any) -> str:
    return json.dumps({"session_id": "v1", **fields}, ensure_ascii=False) + "\n"


def test_a_manifest_says_what_belongs_to_what(tmp_path: Path) -> None:
    own = {"rttm": "r/x.rttm", "transcript": "t/v1.txt", "topics": "topics.csv"}
    put(
        tmp_path,
        {
            "recordings.jsonl": listed(files=own, audio="a.wav", duration=5)
            + listed(session_id="v2", files={"topics": "topics.csv"}),
            "metadata.csv": "session_id,speaker,place,role\nv1,,home,\nv1,a,,health_worker\n",
            "r/x.rttm": TURN.format("v1"),
            "t/v1.txt": TALK.format("v1"),
            "topics.csv": "rec_id,topics\nv1,Fever\nv9,Cough\n",
            "parakh.toml": '[dataset]\nlicence = "CC-BY-4.0"\n',
        },
    )
    gathered = gather([tmp_path])
    first, second = gathered.whole.materials
    assert files(first) == {"turns": "x.rttm", "transcript": "v1.txt", "topics": "topics.csv", "audio": "a.wav"}
    assert (files(second), told(second)) == ({}, [])
    assert told(first) == [("unknown-session", Severity.WARNING, "topics.csv", 3)], "told once, with the first that uses the file"
    assert (first.duration, first.entry.speakers[0].role) == (5.0, "health_worker")
    assert first.rows is not None
    assert [(who, first.rows.line(place)) for place, who in enumerate(first.rows.items)] == [("", 2), ("a", 3)]
    assert second.manifest is not None
    assert second.manifest.line(0) == 2
    assert set(first.sha256) == {"rttm", "transcript", "topics"}
    assert (gathered.whole.licence, gathered.whole.has_manifest) == ("CC-BY-4.0", True)
    assert gathered.config_path == str(tmp_path / "parakh.toml")
    assert gather([tmp_path / "recordings.jsonl"]).whole == gathered.whole


def test_a_file_that_several_recordings_share_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(listed(session_id=f"v{number}", files={"topics": "topics.csv"}) for number in range(50))
    rows = "".join(f"v{number},Fever\n" for number in range(50))
    put(tmp_path, {"recordings.jsonl": lines, "topics.csv": f"rec_id,topics\n{rows}"})
    read, asked = _reading.formats.detect, []
    monkeypatch.setattr(_reading.formats, "detect", lambda path, item: asked.append(path) or read(path, item))
    assert [one.topics.line(0) for one in seen(tmp_path).values() if one.topics] == list(range(2, 52))
    assert len(asked) == 1


def test_a_file_of_another_recording_is_told(tmp_path: Path) -> None:
    put(tmp_path, {"recordings.jsonl": listed(files={"rttm": "v1.rttm"}), "v1.rttm": TURN.format("w1")})
    found = seen(tmp_path)["v1"]
    assert told(found) == [("other-session", Severity.WARNING, "v1.rttm", 1)]
    assert found.turns is not None
    assert len(found.turns.items) == 1


def test_a_shared_file_without_a_recording_says_nothing_of_it(tmp_path: Path) -> None:
    lines = "".join(listed(session_id=name, files={"rttm": "all.rttm"}) for name in ("v1", "v2"))
    found = seen(put(tmp_path, {"recordings.jsonl": lines, "all.rttm": TURN.format("w1")}))
    assert [files(one) for one in found.values()] == [{}, {}]
    assert told(found["v1"]) == [("unknown-session", Severity.WARNING, "all.rttm", 1)]
    assert told(found["v2"]) == []


def test_names_of_files_that_hold_the_id_are_free_where_a_manifest_gives_them(tmp_path: Path) -> None:
    own = {"transcript": "one.txt", "summary": "two_summary.txt", "topics": "three_Topic_pred.txt"}
    put(
        tmp_path,
        {
            "recordings.jsonl": listed(files=own),
            "one.txt": "नमस्ते दीदी\nकैसी हैं आप\n",
            "two_summary.txt": "Fever.",
            "three_Topic_pred.txt": "Fever",
        },
    )
    found = seen(tmp_path)["v1"]
    assert found.trouble == ()
    assert files(found) == {"transcript": "one.txt", "summary": "two_summary.txt", "topics": "three_Topic_pred.txt"}


def test_what_a_manifest_names_and_is_not_there_is_no_trouble_of_reading(tmp_path: Path) -> None:
    put(tmp_path, {"recordings.jsonl": listed(files={"rttm": "v1.rttm"}, audio="v1.wav")})
    whole = gather([tmp_path]).whole
    assert (files(whole.materials[0]), whole.materials[0].trouble) == ({"audio": "v1.wav"}, ())
    assert whole.files == ("recordings.jsonl",), "a check compares these with what the manifest names"


def test_files_outside_the_folder_are_there_too(tmp_path: Path) -> None:
    put(tmp_path, {"audio/v1.wav": b"", "set/recordings.jsonl": listed(audio="../audio/v1.wav", files={"uem": "v1.uem"})})
    assert gather([tmp_path / "set"]).whole.files == ("../audio/v1.wav", "recordings.jsonl")


def test_a_manifest_without_files_is_helped_out_by_its_folder(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "recordings.jsonl": listed(language="hi", audio="v1.wav"),
            "metadata.csv": "session_id,speaker,role\nv1,a,other\n",
            "v1.rttm": TURN.format("v1"),
            "v2.rttm": TURN.format("v2"),
        },
    )
    found = seen(tmp_path)
    assert (files(found["v1"]), found["v1"].language) == ({"turns": "v1.rttm", "audio": "v1.wav"}, "hi")
    assert found["v1"].entry.speakers[0].role == "other"
    assert found["v1"].entry.files == {"rttm": str(tmp_path / "v1.rttm")}
    assert files(found["v2"]) == {"turns": "v2.rttm"}
    assert not gather([tmp_path]).whole.has_manifest, "it names no files to compare with"


def test_what_the_manifests_reader_noticed_is_told_with_the_first_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {"recordings.jsonl": listed(files={"rttm": "v1.rttm"}), "v1.rttm": TURN.format("v1")})
    loaded = manifest.load(tmp_path)
    noticed = Finding("odd", "something", path=str(tmp_path / "recordings.jsonl"))
    monkeypatch.setattr(manifest, "load", lambda folder: manifest.replace(loaded, findings=(noticed,)))
    assert seen(tmp_path)["v1"].trouble == (noticed,)


@pytest.mark.parametrize(("given", "expected"), [(["a", "b"], "--config"), ([], "PATH: found none")])
def test_what_cannot_be_decided_is_asked(tmp_path: Path, given: list[str], expected: str) -> None:
    for name in ("a", "b"):
        put(tmp_path / name, {"parakh.toml": "", f"{name}.rttm": TURN.format(name)})
    with pytest.raises(InputError, match=expected):
        gather([tmp_path / name for name in given])


def test_links_between_folders_end(tmp_path: Path) -> None:
    put(tmp_path, {"a/v1.rttm": TURN.format("v1")})
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    (tmp_path / "audio").symlink_to(put(tmp_path.parent / f"{tmp_path.name}-elsewhere", {"v1.wav": b""}))
    found = seen(tmp_path)["v1"]
    assert (files(found), found.trouble) == ({"turns": "v1.rttm", "audio": "v1.wav"}, ())


def test_json_beside_a_recording_is_passed_over_and_a_broken_answer_is_not(tmp_path: Path) -> None:
    """Recorders and forms leave JSON under the recording's name; an answer that a service refused or cut is no such file."""
    (one,) = seen(put(tmp_path / "a", {"v1.rttm": TURN.format("v1"), "v1.json": '{"device": "phone", "place": "home"}'})).values()
    assert told(one) == [("passed-over", Severity.NOTE, "v1.json", None)]
    (one,) = seen(put(tmp_path / "b", {"v1.rttm": TURN.format("v1"), "v1.json": '{"error": {"message": "quota"}}'})).values()
    assert [(code, severity) for code, severity, *_ in told(one)] == [("unreadable", Severity.WARNING)]
    (one,) = seen(put(tmp_path / "c", {"v1.rttm": TURN.format("v1"), "v1.json": '{"segments": [{"start": 1, '})).values()
    assert [(code, severity) for code, severity, *_ in told(one)] == [("unreadable", Severity.WARNING)]


@pytest.mark.parametrize("template", ["plain", "displace-m", "diarbench"])
def test_a_new_data_set_has_no_recording_yet(template: str, tmp_path: Path) -> None:
    skeleton.make(tmp_path / "set", template)
    with pytest.raises(InputError, match="found no recording, expected recordings to check"):
        gather([tmp_path / "set"])
    put(tmp_path / "set", {"rttm/v1.rttm": TURN.format("v1")})
    (one,) = seen(tmp_path / "set").values()
    assert (one.session_id, told(one)) == ("v1", [])

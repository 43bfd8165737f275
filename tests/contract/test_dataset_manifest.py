"""The manifest of a data set: what is read and written, and every fault at its line."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from parakh.dataset import schema
from parakh.dataset.config import read_config
from parakh.dataset.manifest import Dataset, as_recordings, load, save, write_splits
from parakh.dataset.values import FILED, KINDS, SPEAKER_FIELDS, field_value, tags
from parakh.errors import InputError, UnknownNameError
from parakh.types import Entry, Recording, Speaker

SHA = "0123456789abcdef" * 4
VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema.text("recordings")))


def made(folder: Path, recordings: str, metadata: str | None = None, config: str | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "recordings.jsonl").write_bytes(recordings.encode("utf-8", "surrogatepass"))
    for name, text in (("metadata.csv", metadata), ("parakh.toml", config)):
        if text is not None:
            (folder / name).write_bytes(text.encode())
    return folder


def faults(folder: Path) -> list[str]:
    with pytest.raises(InputError) as wrong:
        load(folder)
    return str(wrong.value).replace(f"{folder}/", "").split("\n")


def test_everything_that_is_known_is_read(tmp_path):
    line = {
        "session_id": "v1",
        "audio": "audio/v1.wav",
        "duration": 61.5,
        "language": "hi",
        "split": "dev1",
        "files": {"rttm": "rttm/v1.rttm", "topics": "topics.csv"},
        "sha256": {"audio": SHA},
        "snr_db": 17.0,
        "list": ["a", "b"],
        "nothing": None,
        "empty": "",
    }
    table = "session_id,speaker,role,age,village,place\nv1,,,,,home\nv1,spk0,health_worker,34,Sonpura,\nv1,spk1,,,,\n"
    found = load(made(tmp_path, json.dumps(line) + "\n", table))
    (entry,) = found.entries
    assert entry.recording == Recording(
        "v1", str(tmp_path / "audio/v1.wav"), 61.5, "hi", {"snr_db": "17.0", "list": '["a", "b"]', "place": "home"}
    )
    assert entry.files == {"rttm": str(tmp_path / "rttm/v1.rttm"), "topics": str(tmp_path / "topics.csv")}
    assert (entry.split, entry.sha256, found.lines) == ("dev1", {"audio": SHA}, [1])
    asha = Speaker("v1", "spk0", role="health_worker", age="34", metadata={"village": "Sonpura"})
    assert entry.speakers == (asha, Speaker("v1", "spk1"))
    assert found.columns == ("session_id", "speaker", "role", "age", "village", "place")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"session_id": "v1", "files": {"rtm": "a"}}', "1: files.rtm: found 'rtm', expected one of rttm, transcript,"),
        ('{"session_id": "v1", "files": {"rttm": 3}}', "1: files: found {'rttm': 3}, expected an object of texts"),
        ('{"session_id": "v1", "files": "{}"}', "1: files: found '{}', expected an object of texts"),
        ('{"session_id": "v1", "files": {"rttm": ""}}', "1: files.rttm: found '', expected a path inside the folder"),
        ('{"session_id": "v1", "files": {"rttm": "../v1.rttm"}}', "1: files.rttm: found '../v1.rttm', expected a path inside"),
        ('{"session_id": "v1", "files": {"rttm": "a/../../v1.rttm"}}', "1: files.rttm: found"),
        ('{"session_id": "v1", "files": {"uem": "/etc/hosts"}}', "1: files.uem: found '/etc/hosts', expected a path inside"),
        ('{"session_id": "v1", "sha256": {"audio": "abc"}}', "1: sha256.audio: found 'abc', expected 64 hexadecimal digits"),
        (f'{{"session_id": "v1", "sha256": {{"rttm": "{SHA.upper()}"}}}}', "1: sha256.rttm: found"),
        (f'{{"session_id": "v1", "sha256": {{"wav": "{SHA}"}}}}', "1: sha256.wav: found 'wav', expected one of audio, rttm,"),
        ('{"session_id": "v1", "split": 1}', "1: split: found 1, expected text"),
        ('{"session_id": "v1", "split": ""}', "1: split: found '', expected text"),
        ('{"session_id": "v1", "language": " hi"}', "1: language: found ' hi', expected text without control characters"),
        ('{"session_id": "v1", "place": "a\\nb"}', "1: place: found 'a\\nb', expected text"),
        ('{"session_id": "v1", "place": "home "}', "1: place: found 'home ', expected text"),
        ('{"session_id": "v1", "x": "\\ud800"}', "1: x: found '\\ud800', expected text"),
        ('{"session_id": "v1", "speaker": "a"}', "1: 'speaker': found a field of that name, expected another name"),
        ('{"session_id": "v1", " x": 1}', "1: ' x': found a field of that name"),
        ('{"session_id": "v1", "duration": true}', "1: duration: found True"),
        ('{"session_id": "v1", "duration": NaN}', "1: duration: found nan, expected seconds > 0"),
        ('{"session_id": "v1", "place": "a", "place": "b"}', "1: place: found two values, expected one. Keep one of them."),
        (
            '\n{"session_id": "v1"}\n{"session_id": "v1"}',
            "3: session_id: found 'v1', expected an id not used above (line 2 has it)",
        ),
    ],
)
def test_each_fault_of_the_manifest_has_its_line(tmp_path, line, fault):
    told = faults(made(tmp_path, line + "\n"))
    assert len(told) == 1
    assert told[0].startswith(f"recordings.jsonl:{fault}")


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("session_id;speaker\nv1;a\n", "1: found fields separated by semicolons, expected commas between the fields"),
        ("speaker,role\n", "1: found 'speaker,role', expected a header with session_id"),
        ("session_id,speaker,role,role\n", "1: found 'session_id,speaker,role,role', expected a header"),
        ("session_id,,role\n", "1: found 'session_id,,role', expected a header"),
        ("session_id,split\nv1,dev1\n", "1: split: found a column of that name, expected it in recordings.jsonl."),
        ("session_id,speaker\nv1,a,b\n", "2: found 3 fields, expected 2 fields, as in the header. Quote a value that holds"),
        ("session_id,speaker\nv9,a\n", "2: session_id: found 'v9', expected a recording of recordings.jsonl."),
        ("session_id,speaker\n\nv1,a\nv1,a\n", "4: speaker: found 'a', expected one row for each recording and speaker (line 3"),
        ("session_id,place\nv1,home\nv1,phc\n", "3: speaker: found '', expected one row for each recording and speaker (line 2"),
        ('session_id,note\nv1,"a\nb"\n', "2: note: found 'a\\nb', expected a name without control characters"),
        ('session_id,note\nv1,"a"b\n', "2: found ',' expected after '\"', expected CSV"),
        ("session_id,language\nv1,kn\n", "2: language: found 'kn', expected 'hi', as in recordings.jsonl. Give it once."),
        ("session_id,place\nv1,phc\n", "2: place: found 'phc', expected 'home', as in recordings.jsonl. Give it once."),
    ],
)
def test_each_fault_of_the_table_has_its_line(tmp_path, table, fault):
    told = faults(made(tmp_path, '{"session_id": "v1", "language": "hi", "place": "home"}\n', table))
    assert len(told) == 1, told
    assert told[0].startswith(f"metadata.csv:{fault}")


def test_the_faults_of_all_three_files_come_together(tmp_path):
    recordings = '{"session_id": "v1", "split": 1}\n{"session_id": ".v2"}\nno\n'
    made(
        tmp_path, recordings, "session_id,speaker\nv2,a\nv1,a,b\n", "[dataset]\nversion = 1.0\n[chek]\n[check.limits]\nx = nan\n"
    )
    assert [one.partition(" found")[0] for one in faults(tmp_path)] == [
        "parakh.toml:",
        "parakh.toml: dataset.version:",
        "parakh.toml: check.limits.x:",
        "recordings.jsonl:1: split:",
        "recordings.jsonl:2: session_id:",
        "recordings.jsonl:3:",
        "metadata.csv:3:",
    ], "v2 of the table may be the recording that could not be read, so that is no fault"


def test_faults_beyond_the_first_fifty_are_counted(tmp_path):
    lines = "".join(f'{{"session_id": "v{k}", "split": 1}}\n' for k in range(120))
    assert faults(made(tmp_path, lines))[-1] == "... and 70 more faults."


@pytest.mark.parametrize(
    ("config", "fault"),
    [
        ("[dataset]\nname = 'a\n", "parakh.toml: found Expected"),
        ("x = " + "[" * 5000, "parakh.toml: found values nested too deeply, expected TOML"),
        ('[dataset]\nname = "a\\u001b[2J"\n', "parakh.toml: dataset.name: found 'a\\x1b[2J', expected a name without control"),
        ("[check]\nselect = 'QC1'\n", "parakh.toml: check.select: found 'QC1', expected a list of texts"),
        (
            "[check]\nseverity = {QC101 = 'bad'}\n",
            "parakh.toml: check.severity.QC101: found 'bad', expected one of error, warning,",
        ),
        ("[check.vocabulary]\nrole = []\n", "parakh.toml: check.vocabulary: found 'role', expected one of tags, paired, roles,"),
        ("[check.vocabulary.metadata]\ndevice = 'phone'\n", "parakh.toml: check.vocabulary.metadata.device: found 'phone'"),
        ("[check.limits]\nmax-pause = true\n", "parakh.toml: check.limits.max-pause: found True, expected a number"),
        ("dataset = 3\n", "parakh.toml: dataset: found 3, expected a table"),
    ],
)
def test_each_fault_of_the_settings(tmp_path, config, fault):
    told = faults(made(tmp_path, "", config=config))
    assert len(told) == 1
    assert told[0].startswith(fault)


def test_settings_are_read(tmp_path):
    path = tmp_path / "parakh.toml"
    path.write_text('[dataset]\nname = "a"\n[check]\nfail-on = "error"\n[check.vocabulary.metadata]\ndevice = ["phone"]\n')
    found = read_config(path)
    assert (found.name, found.licence, found.fail_on) == ("a", "", "error")
    assert found.check.vocabulary.metadata == {"device": ("phone",)}
    assert "health_worker" in found.check.vocabulary.roles


def test_byte_order_marks_line_ends_and_blank_rows_do_not_matter(tmp_path):
    plain = load(made(tmp_path, '{"session_id": "v1"}\n', "session_id,speaker,role\nv1,a,x\n"))
    odd = made(tmp_path, '\ufeff{"session_id": "v1"}\r\n\r\n', "\ufeffsession_id,speaker,role\r\n,,\r\n v1 , a ,x \r\n\r\n")
    assert load(odd).entries == plain.entries


def test_an_empty_manifest_is_a_data_set_without_recordings(tmp_path):
    assert load(made(tmp_path, "", "session_id,speaker\n")).entries == ()
    assert load(made(tmp_path, "", "")).entries == ()


@pytest.mark.parametrize("what", ["nothing", "folder", "file"])
def test_what_is_no_data_set_is_refused(tmp_path, what):
    path = tmp_path / "x"
    path.mkdir() if what == "folder" else path.write_text("") if what == "file" else None
    with pytest.raises(InputError, match=r"expected the folder of a data set\. Make one with `parakh dataset init`"):
        load(path)


def test_audio_may_lie_elsewhere_and_its_path_stays_as_it_was(tmp_path, monkeypatch):
    made(tmp_path / "set", '{"session_id": "v1", "audio": "/data/v1.wav"}\n{"session_id": "v2", "audio": "../v2.wav"}\n')
    monkeypatch.chdir(tmp_path)
    for folder in (tmp_path / "set", Path("set")):
        found = load(folder)
        assert found.entries[0].recording.audio == "/data/v1.wav"
        save(found)
        lines = (tmp_path / "set/recordings.jsonl").read_text().splitlines()
        assert [json.loads(line)["audio"] for line in lines] == ["/data/v1.wav", "../v2.wav"]


def test_absolute_paths_inside_the_folder_are_written_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = Entry(Recording("v1", str(tmp_path / "set/audio/v1.wav")), {"rttm": str(tmp_path / "set/rttm/v1.rttm")})
    save(Dataset(Path("set"), (entry,)))
    line = json.loads((tmp_path / "set/recordings.jsonl").read_text())
    assert (line["audio"], line["files"]) == ("audio/v1.wav", {"rttm": "rttm/v1.rttm"})


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (Entry(Recording("a/b")), "recordings.jsonl:1: session_id: found 'a/b', expected an id that can be a file name"),
        (Entry(Recording(" a")), "recordings.jsonl:1: session_id"),
        (Entry(Recording("v", duration=0.0)), "recordings.jsonl:1: duration: found 0.0"),
        (Entry(Recording("v"), {"rtm": "set/a"}), "recordings.jsonl:1: files.rtm: found 'rtm'"),
        (Entry(Recording("v"), {"rttm": "a.rttm"}), "recordings.jsonl:1: files.rttm: found '../a.rttm', expected a path inside"),
        (Entry(Recording("v"), sha256={"audio": "0"}), "recordings.jsonl:1: sha256.audio"),
        (Entry(Recording("v"), split=" x"), "recordings.jsonl:1: split"),
        (Entry(Recording("v", metadata={"split": "x"})), "metadata.csv:1: 'split': found a metadata field of that name"),
        (Entry(Recording("v", metadata={"speaker": "x"})), "metadata.csv:1: 'speaker'"),
        (Entry(Recording("v", metadata={"": "x"})), "metadata.csv:1: ''"),
        (Entry(Recording("v", metadata={"note": "a\nb"})), "metadata.csv:1: note: found 'a\\nb'"),
        (Entry(Recording("v"), speakers=(Speaker("w", "a"),)), "metadata.csv:1: speaker: found 'w', expected a speaker of v"),
        (Entry(Recording("v"), speakers=(Speaker("v", ""),)), "metadata.csv:1: speaker: found ''"),
        (
            Entry(Recording("v"), speakers=(Speaker("v", "a"), Speaker("v", "a"))),
            "metadata.csv:1: speaker: found 'a', expected each",
        ),
        (Entry(Recording("v"), speakers=(Speaker("v", "a", sex=" f"),)), "metadata.csv:1: sex: found ' f'"),
        (Entry(Recording("v"), speakers=(Speaker("v", "a", metadata={"sex": "f"}),)), "metadata.csv:1: 'sex'"),
    ],
)
def test_what_the_manifest_cannot_hold_is_refused_and_nothing_is_written(tmp_path, monkeypatch, entry, fault):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as wrong:
        save(Dataset(Path("set"), (entry,)))
    assert str(wrong.value).removeprefix("set/").startswith(fault)
    assert not (tmp_path / "set").exists()


def test_two_entries_of_one_id_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"recordings.jsonl:2: session_id: found 'v', expected an id of its own"):
        save(Dataset(tmp_path, (Entry(Recording("v")), Entry(Recording("v")))))


def test_columns_stay_though_nobody_has_filled_them(tmp_path):
    made(tmp_path, '{"session_id": "v1", "device": "phone"}\n', "session_id,speaker,district,role\nv1,a,,x\n")
    save(load(tmp_path))
    assert (tmp_path / "metadata.csv").read_text() == "session_id,speaker,district,role,device\nv1,,,,phone\nv1,a,,x,\n"


def test_splits_are_written_and_nothing_else_is_touched(tmp_path):
    table = "session_id,speaker, role\nv1,a,x\n"
    made(tmp_path, '{"session_id": "v1", "snr": 17, "split": "old", "x": [1]}\n\n{"session_id": "v2"}\n', table)
    write_splits(load(tmp_path), {"v1": "dev1", "v2": "eval"})
    lines = ['{"session_id": "v1", "snr": 17, "split": "dev1", "x": [1]}', '{"session_id": "v2", "split": "eval"}']
    assert (tmp_path / "recordings.jsonl").read_text().splitlines() == lines
    assert (tmp_path / "metadata.csv").read_text() == table


def test_recordings_carry_what_scores_are_sliced_by():
    speakers = (Speaker("v1", "a", role="health_worker", metadata={"village": "A"}), Speaker("v1", "b"))
    entry = Entry(Recording("v1", language="hi", metadata={"place": "home", "tags": "fever; cough"}), {}, speakers, "dev1")
    (found,) = as_recordings(Dataset(Path(), (entry,)))
    assert json.loads(found.metadata["speakers"]) == {"a": {"role": "health_worker", "village": "A"}, "b": {}}
    assert {**found.metadata, "speakers": ""} == {"place": "home", "tags": '["fever", "cough"]', "split": "dev1", "speakers": ""}
    assert tags(entry) == ["fever", "cough"]
    assert [field_value(entry, name) for name in ("split", "language", "place", "role", "x")] == [
        *("dev1", "hi", "home", "health_worker", None),
    ]


def test_the_schemas_name_the_fields_that_the_manifest_has():
    recordings, metadata = json.loads(schema.text("recordings")), json.loads(schema.text("metadata"))
    jsonschema.Draft202012Validator.check_schema(recordings)
    assert set(recordings["properties"]) == {"session_id", "language", "speaker", *FILED}
    assert tuple(recordings["properties"]["files"]["anyOf"][0]["properties"]) == KINDS
    assert recordings["properties"]["sha256"]["anyOf"][0]["propertyNames"]["enum"] == ["audio", *KINDS]
    columns = [field["name"] for field in metadata["schema"]["fields"]]
    assert columns[:2] == ["session_id", "speaker"]
    assert {*SPEAKER_FIELDS} <= {*columns}
    about_speakers = {field["name"] for field in metadata["schema"]["fields"] if field["about"] != "recording"}
    assert about_speakers == {"session_id", "speaker", *SPEAKER_FIELDS}
    with pytest.raises(UnknownNameError):
        schema.text("recording")


def test_what_is_saved_conforms_to_the_schema(tmp_path):
    entry = Entry(Recording("v1", str(tmp_path / "a.wav"), 3.5, "hi", {"x": "1"}), {"uem": str(tmp_path / "a.uem")}, (), "eval")
    save(Dataset(tmp_path, (replace(entry, sha256={"uem": SHA}), Entry(Recording("v2")))))
    for line in (tmp_path / "recordings.jsonl").read_text().splitlines():
        VALIDATOR.validate(json.loads(line))

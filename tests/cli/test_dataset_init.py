"""parakh dataset init and schema: a skeleton that loads, whose README's own examples make a sound data set."""

import json
import re
import sys

import pytest

from parakh import formats
from parakh.cli.main import main
from parakh.dataset import schema, skeleton
from parakh.dataset.manifest import load
from parakh.types import Segment, Summary, Topics

KINDS = {"rttm": Segment, "transcript": Segment, "native": Segment, "topics": Topics, "summary": Summary}


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["parakh", "dataset", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


@pytest.mark.parametrize("template", skeleton.templates())
def test_a_new_data_set_loads_as_it_is(tmp_path, template):
    made = skeleton.make(tmp_path / "new", template, 'The "visits" \\ of $x', "CC-BY-4.0")
    found = load(tmp_path / "new")
    assert (found.entries, found.findings) == ((), ())
    assert (found.config.name, found.config.licence) == ('The "visits" \\ of $x', "CC-BY-4.0")
    assert found.config.template == template
    readme = (tmp_path / "new/README.md").read_text()
    assert readme.startswith('# The "visits" \\ of $x\n\nLicence: CC-BY-4.0\n')
    assert all(f"`{one}`" in readme for one in made.made if one.endswith("/") and one not in {"rttm/", "transcripts/", "native/"})
    assert all((tmp_path / "new" / one).exists() for one in made.made)
    assert {"columns of metadata.csv": found.columns} == {"columns of metadata.csv": tuple(dict.fromkeys(found.columns))}
    known = {field["name"] for field in json.loads(schema.text("metadata"))["schema"]["fields"]}
    assert set(found.columns) <= known


@pytest.mark.parametrize("template", skeleton.templates())
def test_the_examples_of_the_readme_are_a_sound_data_set(tmp_path, template):
    skeleton.make(tmp_path, template)
    examples = re.findall(r"^### (\S+)\n(?:.(?!^### ))*?^```\n(.*?)^```\n", (tmp_path / "README.md").read_text(), re.M | re.S)
    assert len(examples) >= 4
    for name, text in examples:
        (tmp_path / name).write_text(text)
    found = load(tmp_path)
    (entry,) = found.entries
    assert found.columns == tuple((tmp_path / "metadata.csv").read_text().split("\n")[0].split(","))
    assert {name for name, _ in examples} - {"recordings.jsonl", "metadata.csv"} == {
        path.removeprefix(f"{tmp_path}/") for path in entry.files.values()
    }
    labels = {one.speaker for one in entry.speakers}
    roles = {one.role for one in entry.speakers}
    assert roles <= {*found.config.check.vocabulary.roles}
    assert entry.recording.metadata.get("place", "home") in found.config.check.vocabulary.places
    for name, allowed in found.config.check.vocabulary.metadata.items():
        assert entry.recording.metadata.get(name, allowed[0]) in allowed
    for kind, path in entry.files.items():
        items = formats.load(path, KINDS[kind]).items
        assert {one.session_id for one in items} == {entry.session_id}
        if KINDS[kind] is Segment:
            assert {one.speaker for one in items} == labels
            assert max(one.end_time for one in items) <= entry.recording.duration
            assert {one.role for one in items} - {None} <= roles


def test_all_fields_of_the_challenge_are_columns(tmp_path):
    skeleton.make(tmp_path, "displace-m")
    wanted = "person role age sex language dialect state district place environment group device tags consent"
    assert set(wanted.split()) <= set(load(tmp_path).columns)
    assert load(tmp_path).config.check.vocabulary.places[:5] == ("phc", "anganwadi", "home", "chaupal", "school")


def test_sound_stays_out_of_the_history(tmp_path):
    skeleton.make(tmp_path, "plain")
    assert "/audio/" in (tmp_path / ".gitignore").read_text().split("\n")


def test_a_folder_that_is_not_empty_is_left_alone_without_force(tmp_path, monkeypatch, capsys):
    (tmp_path / "metadata.csv").write_text("session_id\n")
    assert call(monkeypatch, "init", tmp_path) == 2
    assert "found 1 entry in it (metadata.csv), expected an empty folder. Give --force" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["metadata.csv"]
    assert call(monkeypatch, "init", tmp_path, "--force", "--template", "displace-m") == 0
    out = capsys.readouterr().out
    assert f"kept {tmp_path}/metadata.csv, which was there\n" in out
    assert f"made {tmp_path}/rttm/\n" in out
    assert (tmp_path / "metadata.csv").read_text() == "session_id\n"
    assert load(tmp_path).entries == ()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["x", "--template", "displace"], "there is no template 'displace'; did you mean 'displace-m'?"),
        (["x", "--name", "a\x1b[2J"], "--name: found 'a\\x1b[2J', expected printable text."),
        (["file"], "file: found a file, expected a folder. Choose another name."),
        (["file/x"], "found Not a directory, expected a folder that can be written to."),
    ],
)
def test_what_cannot_be_made_is_refused(tmp_path, monkeypatch, capsys, arguments, fault):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    assert call(monkeypatch, "init", *arguments) == 2
    assert fault in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_the_schema_is_printed(monkeypatch, capsys):
    assert call(monkeypatch, "schema") == 0
    assert json.loads(capsys.readouterr().out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert call(monkeypatch, "schema", "metadata") == 0
    assert json.loads(capsys.readouterr().out)["name"] == "metadata.csv"
    assert call(monkeypatch, "schema", "recs") == 2
    assert "there is no schema 'recs'" in capsys.readouterr().err

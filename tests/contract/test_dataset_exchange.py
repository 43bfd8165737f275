"""Every importer and exporter found by listing keeps the same promises; what an export holds comes back from an import."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from parakh import registry
from parakh.dataset import exporting, importing, manifest
from parakh.dataset.content import Content, contents
from parakh.dataset.exporting._losses import parts
from parakh.errors import InputError, UnknownNameError
from tests import datasets

IMPORTERS = sorted(importing.all_importers().values(), key=lambda one: one.name)
EXPORTERS = sorted(exporting.all_exporters().values(), key=lambda one: one.name)
FORMATS = ["rttm", "stm", "uem", "seglst", "challenge-tsv", "topics-csv", "summary-csv", "topics-txt"]
SEGMENT_FIELDS = ("speaker", "start_time", "end_time", "role", "language", "segment_id", "channel", "confidence", "forms")


@pytest.mark.parametrize("one", [*IMPORTERS, *EXPORTERS], ids=lambda one: f"{type(one).__name__}-{one.name}")
def test_declaration_is_complete(one: importing.Importer | exporting.Exporter) -> None:
    kind = "importer" if isinstance(one, importing.Importer) else "exporter"
    assert one.name in registry.names(kind)
    assert one.title
    assert not one.loses or one.loses.endswith(".")
    first, *rest = (registry.load(kind, one.name).__doc__ or "").split("\n")
    assert 0 < len(first) <= 130
    assert first.endswith(".")
    assert not rest or not rest[0]


@pytest.mark.parametrize("one", IMPORTERS, ids=lambda one: one.name)
def test_nothing_is_no_source(one: importing.Importer, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("hello\n")
    assert not one.fits(tmp_path / "empty")
    assert not one.fits(tmp_path / "notes.txt")
    assert not one.fits(tmp_path / "missing")
    with pytest.raises(InputError, match=r"found .+, expected"):
        importing.run(importing.Request(tmp_path / "empty", tmp_path / "out", one.name, importing.Options(audio="none")))
    assert not (tmp_path / "out").exists()


def test_an_unknown_kind_lists_close_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'displace-m'"):
        importing.get("displacem")
    with pytest.raises(UnknownNameError, match="did you mean 'pyannote'"):
        exporting.get("pyanote")


def back(source: Path, folder: Path, kind: str) -> list[Content]:
    """What an import makes of an export."""
    audio = "copy" if importing.get(kind).embedded else "link"
    importing.run(importing.Request(source, folder, kind, importing.Options(audio=audio)))
    return list(contents(manifest.load(folder)))


def held(content: Content, holds: frozenset[str]) -> dict[str, object]:
    """The parts of a recording that a layout says it holds, in a form that can be compared."""

    def has(name: str) -> bool:
        return name in holds or f"{name.partition('.')[0]}.*" in holds

    def segments(values: tuple[object, ...] | None, group: str) -> object:
        if values is None:
            return None
        fields = [field for field in SEGMENT_FIELDS if has(f"{group}.{field.replace('end_time', 'start_time')}")]
        return [(getattr(value, "words", ""), *(getattr(value, field) for field in fields)) for value in values]

    one = content.entry.recording
    whole = {
        "turns": [(turn.speaker, turn.start_time, turn.end_time) for turn in content.turns or ()],
        "transcript": segments(content.transcript, "segment"),
        "native": segments(content.native, "segment"),
        "uem": content.regions,
        "topics": content.topics,
        "summary": content.summary,
        "audio": Path(one.audio).read_bytes() if one.audio else None,
        "split": content.entry.split,
        "language": one.language,
        "duration": one.duration,
    }
    known = {name: value for name, value in whole.items() if name in holds}
    metadata = {name: value for name, value in one.metadata.items() if has(f"metadata.{name}")}
    roles = (
        {speaker.speaker: speaker.role for speaker in content.entry.speakers}
        if has("segment.role") and content.transcript
        else {}
    )
    return known | {"metadata": metadata, "roles": roles}


ROUND = sorted({one.name for one in IMPORTERS} & {one.name for one in EXPORTERS})


@pytest.mark.parametrize("kind", ROUND)
def test_what_an_export_holds_comes_back(kind: str, tmp_path: Path) -> None:
    dataset = datasets.make(tmp_path / "set")
    outcome = exporting.run(exporting.Request(tmp_path / "set", tmp_path / "out", kind))
    assert importing.guess(tmp_path / "out").name == kind
    again = {one.session_id: one for one in back(tmp_path / "out", tmp_path / "again", kind)}
    holds = exporting.get(kind).holds
    for content in contents(dataset):
        there = again.pop(content.session_id)
        if kind in ("audiofolder",):  # one text a recording
            words = " ".join(one.words for one in sorted(content.transcript or (), key=lambda one: one.start_time or 0))
            content = replace(content, transcript=content.transcript and (replace(content.transcript[0], words=words),))  # noqa: PLW2901
        assert held(there, holds) == held(content, holds)
    assert not again
    assert outcome.recordings == 3
    assert (tmp_path / "out" / "LOSSES.txt").read_text().splitlines() == list(outcome.losses)


@pytest.mark.parametrize("kind", [*(one.name for one in EXPORTERS), *FORMATS])
def test_every_part_is_held_or_named_as_lost(kind: str, tmp_path: Path) -> None:
    dataset = datasets.make(tmp_path / "set")
    outcome = exporting.run(exporting.Request(tmp_path / "set", tmp_path / "out", kind))
    known = {part for content in contents(dataset) for part in parts(content)}
    holds = exporting.get(kind).holds
    missing = {part for part in known if part not in holds and f"{part.partition('.')[0]}.*" not in holds}
    named = " ".join(outcome.losses)
    for part in missing - {one for one in missing if one.startswith("segment.") and "transcript" in missing}:
        word = {
            "uem": "scored regions",
            "own-turns": "not those of",
            "native": "second form",
            "segment.start_time": "times",
            "segment.segment_id": "id",
        }
        assert word.get(part, part.rpartition(".")[2]) in named, part
    assert len(outcome.losses) == len(set(outcome.losses))


@pytest.mark.parametrize("kind", [*(one.name for one in EXPORTERS), *FORMATS])
def test_the_same_data_give_the_same_bytes(kind: str, tmp_path: Path) -> None:
    datasets.make(tmp_path / "set")
    for name in ("one", "one"):
        exporting.run(exporting.Request(tmp_path / "set", tmp_path / name, kind, overwrite=True))
        first = datasets.tree(tmp_path / name)
        exporting.run(exporting.Request(tmp_path / "set", tmp_path / name, kind, overwrite=True))
        assert datasets.tree(tmp_path / name) == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "set"]


@pytest.mark.parametrize("kind", [one.name for one in EXPORTERS])
def test_a_folder_in_use_is_not_touched(kind: str, tmp_path: Path) -> None:
    datasets.make(tmp_path / "set")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="found a folder with files"):
        exporting.run(exporting.Request(tmp_path / "set", tmp_path / "out", kind))
    assert datasets.tree(tmp_path / "out") == {"mine.txt": b"mine"}


@pytest.mark.parametrize("kind", [one.name for one in EXPORTERS])
def test_a_split_filters_and_an_unknown_one_is_told(kind: str, tmp_path: Path) -> None:
    datasets.make(tmp_path / "set")
    assert exporting.run(exporting.Request(tmp_path / "set", tmp_path / "out", kind, "test")).recordings == 2
    text = b" ".join(value for value in datasets.tree(tmp_path / "out").values() if isinstance(value, bytes))
    assert not re.search(rb"\bv1\b", text)
    with pytest.raises(InputError, match=r"found 'dev', expected a part of the data set \(test, train\)"):
        exporting.run(exporting.Request(tmp_path / "set", tmp_path / "other", kind, "dev"))
    assert not (tmp_path / "other").exists()


def test_a_file_about_another_recording_is_refused_and_not_lost(tmp_path: Path) -> None:
    """The manifest gives the file to v2, the file says v9: an export that went by the one alone would leave the words behind."""
    datasets.make(tmp_path / "set")
    path = tmp_path / "set" / "transcripts" / "v2.txt"
    path.write_text(path.read_text().replace("v2\t", "v9\t"))
    with pytest.raises(
        InputError, match=re.escape("session_id: found 'v9', expected 'v2', to which the manifest gives the file")
    ):
        exporting.run(exporting.Request(tmp_path / "set", tmp_path / "out", "displace-m"))
    assert not (tmp_path / "out").exists()


def test_a_file_that_only_its_name_ties_to_a_recording_is_exported_under_its_id(tmp_path: Path) -> None:
    dataset = datasets.make(tmp_path / "set")
    (tmp_path / "set" / "native" / "v1_native.srt").write_text("1\n00:00:00,250 --> 00:00:01,500\nजी\n")
    one = dataset.entries[0]
    entry = replace(one, files={**one.files, "native": str(tmp_path / "set" / "native" / "v1_native.srt")}, sha256={})
    manifest.save(replace(dataset, entries=(entry, *dataset.entries[1:])))
    (content, *_) = contents(manifest.load(tmp_path / "set"))
    assert [(segment.session_id, segment.words) for segment in content.native or ()] == [("v1", "जी")]

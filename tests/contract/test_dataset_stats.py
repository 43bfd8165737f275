"""The figures of a data set: each on a conversation small enough to be counted by hand, and slices that add up to the whole."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from parakh.dataset import manifest, sheets
from parakh.dataset.describing import describe
from parakh.dataset.figures import Figures, age_group, bins
from parakh.dataset.manifest import Dataset
from parakh.dataset.measuring import measure
from parakh.errors import InputError
from parakh.qc import Material, Source
from parakh.types import Entry, Recording, Segment, Speaker, Topics


def material(turns=(), words=(), speakers=(), topics=None, session="v1", **known):
    """A recording of 20 s in Hindi unless said otherwise; turns as (speaker, start, end), words as (speaker, start, end, text)."""
    given = {"duration": 20.0, "language": "hi", **known}
    entry = Entry(Recording(session, **given), speakers=speakers)
    spoken = [Segment(session, who, start, end, text) for who, start, end, text in words]
    return Material(
        entry,
        turns=Source("t", [Segment(session, *turn) for turn in turns]) if turns else None,
        transcript=Source("w", spoken) if words else None,
        topics=Source("c", [Topics(session, topics)]) if topics is not None else None,
    )


# a speaks 0-4, 5-7 (a pause of 1 s), b cuts in 6-10 (1 s of overlap), b goes on 10.5-11, a 12-13 after a gap of 1 s
TURNS = [("a", 0.0, 4.0), ("a", 5.0, 7.0), ("b", 6.0, 10.0), ("b", 10.5, 11.0), ("a", 12.0, 13.0)]


def test_times_are_those_counted_by_hand():
    found = measure(material(TURNS))
    times = ("speech", "overlap", "speaker_time", "overlapped_speaker_time", "segments", "timed_seconds")
    assert [found.sums[name] for name in times] == [4 + 5 + 0.5 + 1, 1.0, 11.5, 2.0, 5, 20.0]
    assert found.segment_s == (4.0, 2.0, 4.0, 0.5, 1.0)
    assert found.turn_s == (7.0, 5.0, 1.0)
    assert (found.pause_s, found.gap_s) == ((1.0, 0.5), (1.0,))
    figures = Figures((found,))
    assert figures.turns == 3
    assert figures.turns_per_hour == 3 * 3600 / 20
    assert figures.per("overlap", "speech") == 1 / 10.5
    assert figures.quantiles(lambda one: one.turn_s)[1] == 5.0
    assert figures.histogram(lambda one: one.segment_s, (0.5, 2.0, 4.0)) == [0, 2, 1, 2]


def test_turns_of_one_speaker_that_overlap_are_one_and_the_transcript_stands_in_for_the_rttm():
    found = measure(material(words=[("a", 0.0, 4.0, "जी"), ("a", 2.0, 6.0, "जी"), ("b", 6.0, 7.0, "")]))
    assert [found.sums[name] for name in ("speech", "overlap", "speaker_time")] == [7.0, 0.0, 7.0]
    assert (found.turn_s, found.pause_s, found.gap_s) == ((6.0, 1.0), (), ())


def test_words_are_counted_and_english_is_told_by_script_and_by_list():
    said = [("a", 0.0, 6.0, "डॉक्टर को BP 140 दिखाया। <cough>"), ("b", 6.0, 12.0, "जी, [tablet] ली"), ("b", 12.0, 13.0, "<noise>")]
    sums = measure(material(words=said)).sums
    # डॉक्टर को BP 140 दिखाया / जी tablet ली: 8 words, one a number; BP and tablet in Latin letters, डॉक्टर on the list
    assert [sums[name] for name in ("words", "numbers", "mixable", "latin", "english")] == [8, 1, 7, 2, 3]
    assert (sums["mixed"], sums["mixed_segments"]) == (pytest.approx(2 / 4 + 1 / 3), 2)
    assert measure(material(words=said)).vocabulary == {"डॉक्टर", "को", "bp", "दिखाया", "जी", "tablet", "ली"}
    assert measure(material(words=[("a", 0.0, 1.0, "I am well")], language="en")).sums["mixable"] == 0
    kannada = measure(material(words=[("a", 0.0, 1.0, "ಟ್ಯಾಬ್ಲೆಟ್ ತಗೊಳ್ಳಿ")], language="kn")).sums
    assert (kannada["english"], kannada["mixable"], kannada["latin"]) == (1, 2, 0)
    assert measure(material(words=[("a", 0.0, 1.0, "[noise] जी")]), ["[noise]"]).sums["words"] == 1


def test_words_a_minute_are_told_by_role_from_the_manifest_or_the_transcript():
    who = (Speaker("v1", "a", role="health_worker"),)
    found = measure(material(words=[("a", 0.0, 6.0, "एक दो तीन"), ("b", 6.0, 9.0, "एक"), ("b", 9.0, 12.0, "")], speakers=who))
    assert {role: dict(stats) for role, stats in found.by_role.items()} == {
        "health_worker": {"words": 3, "seconds": 6.0},
        "unknown": {"words": 1, "seconds": 3.0},
    }
    assert Figures((found,)).words_per_minute == pytest.approx(60 * 4 / 9)


def test_a_person_counts_once_and_what_one_recording_lacks_another_tells():
    first = material(speakers=(Speaker("v1", "a", "P1", role="health_worker", age="34"), Speaker("v1", "b")))
    other = material(speakers=(Speaker("v2", "x", "P1", sex="f"), Speaker("v2", "b")), session="v2")
    figures = Figures((measure(first), measure(other)))
    assert (figures.persons, len(figures.people), figures.sum("speakers")) == (1, 3, 4)
    (known,) = [who for key, who in figures.people.items() if key == "p P1"]
    assert (known.age, known.sex, known.role) == ("34", "f", "health_worker")


def test_topics_are_counted_in_recordings_whatever_their_capitals():
    given = [("Fever", "Cough"), ("fever", "FEVER"), (), None]
    figures = Figures(tuple(measure(material(topics=topics)) for topics in given))
    assert dict(figures.topics()) == {"Fever": 2, "Cough": 1}
    assert list(figures.topics()) == ["Fever", "Cough"]
    assert figures.with_topics == 3


def test_what_is_not_known_is_none():
    figures = Figures((measure(material(duration=None)),))
    assert figures.per("overlap", "speech") is None
    assert (figures.turns_per_hour, figures.words_per_minute, figures.vocabulary, figures.persons) == (None, None, None, None)
    assert figures.quantiles(lambda one: one.turn_s) is None
    assert Figures(()).per("overlap", "speech") is None


def test_bins_and_ages_have_names():
    assert bins((0.02, 0.05), 100) == ["< 2", "2 – 5", "≥ 5"]
    assert [age_group(age) for age in ("0", "69", "60-69", "59-60", "30s")] == ["0–9", "60–69", "60–69", "59–60", "30s"]


@pytest.fixture
def folder(tmp_path) -> Path:
    """Three recordings in two places; the second without a duration, the third without annotations."""
    for name, turns in (("v1", TURNS), ("v2", [("a", 0.0, 3.3), ("b", 3.0, 4.1)])):
        lines = (f"SPEAKER {name} 1 {start} {end - start:.3f} <NA> <NA> {who} <NA> <NA>\n" for who, start, end in turns)
        (tmp_path / f"{name}.rttm").write_text("".join(lines))
    (tmp_path / "topics.csv").write_text('rec_id,gt_topics\nv1,"Fever, Cough"\nv2,"Fever"\n')
    files = {name: {"rttm": str(tmp_path / f"{name}.rttm"), "topics": str(tmp_path / "topics.csv")} for name in ("v1", "v2")}
    entries = (
        Entry(
            Recording("v1", duration=20.0, language="hi", metadata={"place": "home", "tags": "a; b"}), files["v1"], split="dev"
        ),
        Entry(Recording("v2", language="kn", metadata={"place": "phc"}), files["v2"], split="dev"),
        Entry(Recording("v3", duration=0.1, language="kn", metadata={"place": "home"}), split="eval"),
    )
    manifest.save(Dataset(tmp_path, entries))
    return tmp_path


@pytest.mark.parametrize("jobs", [1, 2])
def test_slices_add_up_to_the_whole(folder, jobs):
    found = describe(folder, ["split", "place"], jobs=jobs)
    assert list(found.slices) == [("dev", "home"), ("dev", "phc"), ("eval", "home")]
    for name, value in found.whole.sums.items():
        assert value == math.fsum(one.sum(name) for one in found.slices.values())
    assert found.whole.topics() == sum((one.topics() for one in found.slices.values()), start=type(found.whole.topics())())
    assert found.to_json() == describe(folder, ["split", "place"]).to_json()
    plain = json.loads(found.to_json())
    assert plain["schema"] == "parakh.dataset-statistics/1"
    assert plain["slices"][1]["values"] == {"split": "dev", "place": "phc"}
    assert plain["slices"][1]["shares"]["speech_of_duration"] is None
    assert plain["all"]["sums"]["without_duration"] == 1
    assert plain["all"]["tags"] == {"a": 1, "b": 1}


def test_fields_of_speakers_cut_too_and_unknown_ones_are_refused(folder):
    loaded = manifest.load(folder)
    spoken = (Speaker("v1", "a", sex="f"), Speaker("v1", "b", sex="m"))
    manifest.save(replace(loaded, entries=(replace(loaded.entries[0], speakers=spoken), *loaded.entries[1:])))
    assert list(describe(folder, ["sex"]).slices) == [("f+m",), ("unknown",)]
    with pytest.raises(
        InputError, match="--by: found 'condition', expected a field of the data set: language, place, sex, split, tags"
    ):
        describe(folder, ["condition"])


def test_a_file_that_does_not_read_is_told_and_the_rest_is_counted(folder):
    (folder / "v2.rttm").write_text("SPEAKER v2 1 zero 1 <NA> <NA> a <NA> <NA>\n")
    found = describe(folder)
    assert [(one.code, one.line, one.severity) for one in found.findings] == [("unreadable", 1, "error")]
    assert found.whole.sum("with_turns") == 1


def test_tables_hold_the_figures_in_every_form(folder):
    tables = sheets.sheets(describe(folder, ["place"]))
    size = next(one for one in tables if one.name == "size")
    assert size.columns[:4] == ("place", "recordings", "hours", "min each")
    assert [tuple(map(sheets.shown, row[:4])) for row in size.rows] == [
        ("home", "2", "0.01", "0.2"),
        ("phc", "1", "n/a", "n/a"),
        ("all", "3", "0.01", "0.2"),
    ]
    assert "1 recording without a duration is not in the hours" in size.note
    markdown = sheets.markdown(tables)
    assert "| place | recordings | hours | min each |" in markdown
    assert "| phc | 1 | n/a | n/a |" in markdown
    latex = sheets.latex(tables)
    assert r"phc & 1 & n/a & n/a" in latex
    assert r"overlap \%" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == len(tables)
    rows = [line.split(",") for line in sheets.as_csv(tables).splitlines()]
    values = {tuple(row[:-1]): row[-1] for row in rows}
    assert float(values["speech", "all", "overlap"]) == pytest.approx(1.3 / 14.6)
    assert ["size", "phc", "hours", ""] in rows


def test_personal_numbers_are_masked(folder):
    loaded = manifest.load(folder)
    entry = replace(loaded.entries[0], recording=replace(loaded.entries[0].recording, metadata={"place": "98765 43210"}))
    manifest.save(replace(loaded, entries=(entry, *loaded.entries[1:])))
    text = sheets.markdown(sheets.sheets(describe(folder, ["place"])))
    assert "98765" not in text
    assert "•••10" in text

"""Checks of who speaks when: overlaps, pauses, lengths, speaking rates, and RTTM against transcript."""

from __future__ import annotations

from dataclasses import replace

import pytest

from parakh import qc
from parakh.audio.facts import AudioFacts, Header
from parakh.qc import Material, Settings, Source
from parakh.types import Entry, Recording, Region, Segment

RTTM, TEXT = "v1.rttm", "v1.txt"


def turn(speaker: str | None, start: float | None, end: float | None, words: str = "") -> Segment:
    return Segment("v1", speaker, start, end, words)


def material(turns: list[Segment] | None = None, transcript: list[Segment] | None = None, **known: object) -> Material:
    entry = Entry(Recording("v1", language="hi", duration=known.pop("duration", None)))
    sources = [Source(path, items) if items is not None else None for path, items in ((RTTM, turns), (TEXT, transcript))]
    return Material(entry, turns=sources[0], transcript=sources[1], **known)


def found(code: str, seen: Material, **limits: float) -> list[tuple[str | None, int | None]]:
    limits = {name.replace("_", "-"): value for name, value in limits.items()}
    return [(one.path, one.line) for one in qc.get(code).findings(seen, Settings(limits=limits))]


def said(code: str, seen: Material) -> list[str]:
    return [one.message for one in qc.get(code).findings(seen, Settings())]


ODD = [
    material([], []),
    material([turn("a", 1.0, 1.0)], [turn("a", 1.0, 1.0, "हाँ")]),
    material([turn("a", None, None)], [turn(None, None, None, "हाँ")]),
    material([turn("a", 0.0, 2.0)], [turn(None, 0.0, 9.0, "हाँ"), turn("a", None, None, "जी")]),
    material([turn("a", 0.0, 1e9)], [turn("a", 0.0, 1e-9, "<overlap>")]),
]


@pytest.mark.parametrize("code", qc.all_checks())
@pytest.mark.parametrize("odd", ODD, ids=["empty", "no duration", "no times", "some times", "extremes"])
def test_odd_turns_stop_no_check(code: str, odd: Material) -> None:
    assert isinstance(qc.get(code).findings(odd, Settings()), list)


def test_overlap_is_overlapped_time_by_the_union_of_speech() -> None:
    one = material([turn("a", 0.0, 6.0), turn("b", 4.0, 10.0), turn("a", 4.5, 5.0), turn("c", 5.0, 6.0)])
    assert said("QC401", replace(one)) == []  # 2 of 10 s
    assert found("QC401", one, overlap_share=0.19) == [(RTTM, None)]
    assert found("QC401", one, overlap_share=0.2) == []
    assert said("QC401", material(None, [turn("a", 0.0, 6.0), turn("b", 2.0, 6.0)])) == [
        "in 67% of the speech two speakers or more talk"
    ]


def test_self_overlap_is_told_at_the_later_line() -> None:
    one = material([turn("a", 4.0, 9.0), turn("b", 4.0, 9.0), turn("a", 0.0, 6.0), turn("a", 9.005, 9.5), turn("a", 8.995, 9.4)])
    assert found("QC402", one) == [(RTTM, 3), (RTTM, 5)]
    assert said("QC402", one)[0] == "a overlaps the turn of line 1 at 0:04.0 (2.00 s)"
    same = material([turn("a", 0.0, 2.0), turn("a", 0.0, 2.0)])
    assert found("QC402", same) == []
    assert found("QC136", same) == [(RTTM, 2)]
    nobody = material([turn(None, 0.0, 2.0), turn(None, 0.0, 2.0)])
    assert said("QC136", nobody) == ["a segment from 0:00.0 to 0:02.0 stands in line 1 already"]


def test_a_turn_inside_a_longer_one_overlaps_it() -> None:
    assert found("QC402", material([turn("a", 0.0, 9.0), turn("a", 1.0, 2.0), turn("a", 3.0, 4.0)])) == [(RTTM, 2), (RTTM, 3)]


@pytest.mark.parametrize(
    ("others", "pause", "split"),
    [
        ([], 0.3, True),
        ([], 0.0, True),
        ([], 0.301, False),
        ([("b", 1.0, 2.1)], 0.2, False),  # speaks in the pause
        ([("b", 1.0, 1.5)], 0.2, False),  # answered in between
        ([("b", 2.3, 2.6)], 0.2, True),  # speaks after it
    ],
)
def test_split_turns(others: list[tuple[str, float, float]], pause: float, split: bool) -> None:
    turns = [turn("a", 0.0, 2.0), turn("a", 2.0 + pause, 3.0), *(turn(*other) for other in others)]
    here = [line for _, line in found("QC403", material(turns))]
    assert (2 in here) == split
    assert found("QC403", material(turns), max_pause=-1.0) == []


def test_speaking_rates() -> None:
    fast = "कल सुबह खाली पेट आइए और पर्ची साथ में लाइए"
    rows = [
        turn("a", 0.0, 1.0, fast),
        turn("a", 2.0, 8.0, fast),
        turn("a", 10.0, 19.0, "हाँ"),
        turn("a", 20.0, 20.9, fast),  # shorter than a second
        turn("a", 30.0, 39.0, "<noise> <laugh>"),  # nothing is said
        turn("a", 40.0, 49.0, "<noise> हाँ"),
    ]
    assert found("QC404", material(None, rows)) == [(TEXT, 1), (TEXT, 3), (TEXT, 6)]
    assert said("QC404", material(None, rows))[1] == "1 syllable in 9.0 s, 0.1 a second"
    assert found("QC404", material(None, rows), min_speaking_rate=0.0) == [(TEXT, 1)]
    assert found("QC404", material(None, rows), max_speaking_rate_hi=99.0, min_speaking_rate_hi=0.0) == []
    assert found("QC404", material(None, rows), max_speaking_rate_kn=99.0, min_speaking_rate_kn=0.0) != []


def test_english_syllables_are_groups_of_vowels() -> None:
    words = "please take the tablets every morning after breakfast with water"  # 19 groups, silent e's too
    assert said("QC404", material(None, [turn("a", 0.0, 1.0, words)])) == ["19 syllables in 1.0 s, 19.0 a second"]


def test_overlap_tags_need_an_overlap_and_overlaps_a_tag() -> None:
    rows = [
        turn("a", 0.0, 4.0, "एक"),
        turn("b", 3.0, 6.0, "<OVERLAP> दो"),
        turn("a", 7.0, 9.0, "<overlap> तीन"),
        turn("b", 8.0, 8.4, "चार"),
    ]
    one = material(None, rows)
    assert found("QC405", one) == []
    alone = material(None, [*rows[:3], turn("b", 9.0, 9.4, "चार")])
    assert found("QC405", alone) == [(TEXT, 3)]
    assert found("QC405", replace(alone, turns=Source(RTTM, [turn("b", 8.5, 9.0), turn("a", 7.0, 9.0)]))) == []
    untagged = [*rows[:2], turn("a", 10.0, 13.0, "तीन"), turn("b", 12.0, 14.0, "चार")]
    assert found("QC406", material([replace(one, words="") for one in untagged], untagged)) == [(TEXT, 4)]
    assert found("QC406", material(untagged, [replace(one, words="शब्द") for one in untagged])) == []  # a set without such tags


def test_overlaps_that_one_file_lacks() -> None:
    over, apart = [turn("a", 0.0, 4.0), turn("b", 3.0, 6.0)], [turn("a", 0.0, 3.0, "एक"), turn("b", 3.0, 6.0, "दो")]
    assert said("QC406", material(over, apart)) == ["speakers overlap from 0:03.0 to 0:04.0, but not in the transcript"]
    assert said("QC406", material(apart, over)) == ["speakers overlap from 0:03.0 to 0:04.0, but not in the RTTM"]
    assert found("QC406", material(over, apart)) == [(RTTM, 2)]
    assert found("QC406", material(over, apart), min_overlap=1.1) == []


def test_lengths_of_segments() -> None:
    rows = [turn("a", 0.0, 0.1), turn("a", 0.3, 0.399), turn("a", 1.0, 1.0), turn("a", 2.0, 32.0), turn("a", 40.0, 70.5)]
    assert found("QC407", material(rows, rows)) == [(RTTM, 2), (TEXT, 2)]
    assert found("QC408", material(rows)) == [(RTTM, 5)]


def test_long_gaps() -> None:
    turns = [turn("a", 31.0, 40.0), turn("b", 60.0, 65.0), turn("a", 100.0, 105.0)]
    assert said("QC409", material(turns, duration=140.0)) == [
        "nobody speaks from 0:00.0 to 0:31.0",
        "nobody speaks from 1:05.0 to 1:40.0",
        "nobody speaks from 1:45.0 to 2:20.0",
    ]
    assert [line for _, line in found("QC409", material(turns, duration=140.0))] == [1, 3, 3]
    regions = Source("v1.uem", [Region("v1", 60.0, 66.0), Region("v1", 30.0, 61.0)])
    assert found("QC409", material(turns, duration=140.0, regions=regions)) == []
    heard = AudioFacts(Header("wav", "pcm_s16le", 16000, 1), speech=((31.0, 40.0),))
    assert found("QC409", material(turns, duration=140.0, audio=heard)) == []


def test_speech_that_one_file_lacks() -> None:
    turns = [turn("a", 0.0, 4.0), turn("b", 5.0, 9.0)]
    rows = [turn("a", 0.0, 4.4, "एक"), turn("b", 5.8, 9.0, "दो"), turn("b", 20.0, 21.0, "तीन")]
    assert said("QC501", material(turns, rows)) == [
        "speech from 0:05.0 to 0:05.8 that the transcript lacks",
        "speech from 0:20.0 to 0:21.0 that the RTTM lacks",
    ]
    assert found("QC501", material(turns, rows)) == [(RTTM, 2), (TEXT, 3)]
    assert found("QC501", material(turns, rows), annotation_tolerance=1.5) == []


def test_speakers_that_are_swapped() -> None:
    turns = [turn("a", 0.0, 4.0), turn("b", 5.0, 9.0), turn("a", 10.0, 15.0)]
    one = [*turns[:2], turn("b", 10.0, 15.0)]
    assert said("QC501", material(turns, one)) == ["from 0:10.0 to 0:15.0 the RTTM names another speaker"]
    other = {"a": "b", "b": "a"}
    every = [replace(one, speaker=other[one.speaker]) for one in turns]
    assert said("QC501", material(turns, every)) == [
        "b of the transcript is a in the RTTM",
        "a of the transcript is b in the RTTM",
    ]
    named = [replace(one, speaker={"a": "asha", "b": "mother"}[one.speaker]) for one in turns]
    assert said("QC501", material(turns, named)) == []  # names of its own
    written = [replace(one, speaker=one.speaker.upper()) for one in turns]
    assert said("QC501", material(turns, written)) == []  # speaker-name-variants

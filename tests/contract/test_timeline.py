"""Turns, regions and options that make no sense are told apart, one line each; those that do are read as documented."""

import math
from dataclasses import dataclass

import pytest

from parakh import metrics, timeline
from parakh.errors import InputError
from parakh.metrics import der, jer
from parakh.types import Region, Segment

A = Segment("v1", "A", 0.0, 4.0)


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        (Segment("v1", None, 0.0, 1.0), "v1:2: speaker: found None"),
        (Segment("v1", "A"), "v1:2: start_time: found None"),
        (Segment("v1", "A", 1.0, math.nan), "v1:2: end_time: found nan"),
        (Segment("v1", "A", -math.inf, 1.0), "v1:2: start_time: found -inf"),
        (Segment("v1", "A", 0.0, 1.7e12), "v1:2: end_time: found 1700000000000.0, expected seconds, at most 1e+11"),
        (Segment("v1", "A", 2.0, 1.5), "v1:2: end_time: found 1.5, expected seconds >= start_time (2.0)"),
    ],
)
@pytest.mark.parametrize("metric", [der, jer])
def test_every_bad_turn_is_named(metric, turn, said):
    with pytest.raises(InputError) as error:
        metric.stats([A, turn, A, turn], [A])
    first, second = str(error.value).split("\n")
    assert first.startswith(said)
    assert second.startswith(said.replace(":2:", ":4:"))


@pytest.mark.parametrize(
    "region", [Region("v1", 2.0, 1.0), Region("v1", 0.0, math.inf), Region("v1", math.nan, 1.0), Region("v1", 0.0, 1e12)]
)
def test_a_bad_region_is_named(region):
    with pytest.raises(InputError, match="v1:2: region: found"):
        der.stats([A], [A], regions=[Region("v1", 0.0, 9.0), region])


@pytest.mark.parametrize("collar", [-0.1, math.nan, math.inf])
def test_a_bad_collar_is_refused(collar):
    with pytest.raises(InputError, match="collar: found"):
        der.stats([A], [A], collar=collar)


def test_something_else_than_segments_is_a_mistake_of_the_program_not_of_the_user():
    with pytest.raises(TypeError):
        timeline.turns(7)  # type: ignore[arg-type]


def test_regions_may_come_in_any_order_overlap_and_touch():
    turns = [Segment("v1", "A", 0.0, 10.0)]
    regions = [
        Region("v1", 6.0, 8.0),
        Region("v1", 1.0, 3.0),
        Region("v1", 2.0, 4.0),
        Region("v1", 4.0, 5.0),
        Region("v1", 9.0, 9.0),
    ]
    assert der.stats(turns, turns, regions=regions)["scored"] == 6.0
    # Where regions only touch, the turn is not cut: no boundary, no collar.
    assert der.stats(turns, turns, regions=regions, collar=0.25)["scored"] == 3.5 + 1.5


def test_no_region_scores_nothing():
    assert set(der.stats([A], [A], regions=[]).values()) == {0.0}
    assert jer.score(jer.stats([A], [A], regions=[])) is None


def test_a_region_that_cuts_a_turn_makes_a_boundary():
    inside = [Region("v1", 1.0, 3.0)]
    assert der.stats([A], [A], regions=inside)["scored"] == 2.0
    assert der.stats([A], [A], regions=inside, collar=0.25)["scored"] == 1.5


def test_touching_turns_stay_apart_and_overlapping_ones_do_not():
    whole = [Segment("v1", "x", 0.0, 10.0)]
    touching = [Segment("v1", "A", 0.0, 5.0), Segment("v1", "A", 5.0, 10.0)]
    overlapping = [Segment("v1", "A", 0.0, 5.5), Segment("v1", "A", 5.0, 10.0)]
    assert der.stats(touching, whole, collar=0.25)["scored"] == 9.0
    assert der.stats(overlapping, whole, collar=0.25)["scored"] == 9.5


def test_self_overlaps_counts_turns_joined_to_an_earlier_one_of_their_speaker():
    turns = [A, A, Segment("v1", "A", 3.0, 5.0), Segment("v1", "A", 5.0, 6.0), Segment("v1", "B", 1.0, 2.0)]
    assert timeline.self_overlaps(turns) == 2
    assert timeline.self_overlaps([Segment("v1", None, None, None, "text only"), Segment("v1", "A", None, None, "text")]) == 0


def test_turns_without_duration_are_no_speech():
    nothing = [Segment("v1", "C", 9.0, 9.0), Segment("v1", "A", 12.0, 12.0)]
    assert der.stats([A, *nothing], [A, *nothing], collar=0.25) == der.stats([A], [A], collar=0.25)
    assert jer.stats([A, *nothing], [A]) == jer.stats([A], [A])
    assert timeline.turns(nothing).extent == []


def test_more_than_twenty_speakers():
    reference = [Segment("v1", f"r{k:02}", float(k), k + 1.5) for k in range(120)]
    hypothesis = [Segment("v1", f"h{k:02}", float(k), k + 1.0) for k in range(120)]
    stats = der.stats(reference, hypothesis)
    assert (stats["miss"], stats["confusion"], stats["scored"]) == (60.0, 0.0, 180.0)
    assert len(der.mapping(reference, hypothesis)) == 120


def test_speakers_that_never_speak_together_are_not_mapped():
    assert der.mapping([A], [Segment("v1", "x", 4.0, 8.0)]) == {}


def test_the_mapping_sees_the_time_that_is_not_scored():
    # In the 3 s that are scored x shares more with A than y does; over all of it, y does (pyannote.metrics maps x).
    reference = [Segment("v1", "A", 0.0, 8.0), Segment("v1", "B", 3.0, 8.0)]
    hypothesis = [Segment("v1", "x", 0.0, 2.0), Segment("v1", "y", 2.0, 8.0), Segment("v1", "z", 3.0, 8.0)]
    assert der.mapping(reference, hypothesis) == {"y": "A", "z": "B"}
    stats = der.stats(reference, hypothesis, score_regions="nonoverlap")
    assert (stats["confusion"], stats["scored"]) == (2.0, 3.0)


def test_an_unfound_speaker_costs_a_whole_jaccard_error():
    reference = [A, Segment("v1", "B", 4.0, 5.0)]
    stats = jer.stats(reference, [Segment("v1", "x", 0.0, 2.0)])
    assert (stats["jaccard_error"], stats["reference_speakers"], stats["missed_speakers"]) == (1.5, 2, 1)


def test_a_speaker_between_two_frames_is_a_reference_speaker():
    stats = jer.stats([A, Segment("v1", "B", 1.001, 1.002)], [A])
    assert (stats["jaccard_error"], stats["reference_speakers"]) == (1.0, 2)


class Annotated(Segment):
    """A class of someone else's: its objects are read by name, those of Segment in place."""


@dataclass(frozen=True)
class Plain:
    session_id: str
    speaker: str
    start_time: float
    end_time: float


@pytest.mark.parametrize("kinds", [(Annotated, Annotated), (Segment, Annotated), (Annotated, Segment), (Plain, Segment)])
def test_segments_of_any_class_are_read_alike(kinds):
    turns = [("v1", "A", 0.0, 4.0), ("v1", "B", 3.0, 5.0), ("v1", "A", 3.5, 6.0)]
    mixed = [kinds[k % 2](*turn) for k, turn in enumerate(turns)]
    assert der.stats(mixed, mixed) == der.stats([Segment(*turn) for turn in turns], [Segment(*turn) for turn in turns])


def test_equal_names_are_one_speaker_whatever_object_holds_them():
    names = ["".join(["spk", str(k % 40)]) for k in range(80)]
    turns = [Segment("v1", name, float(k), k + 0.5) for k, name in enumerate(names)]
    assert der.stats(turns, [])["reference_speakers"] == 40


def test_error_rates_count_speakers_and_merged_turns():
    reference = [A, Segment("v1", "A", 3.0, 6.0), Segment("v1", "B", 8.0, 9.0)]
    hypothesis = [Segment("v1", "x", 0.0, 6.0), Segment("v1", "y", 2.0, 3.0), Segment("v1", "z", 9.0, 10.0)]
    expected = {
        "reference_speakers": 2,
        "hypothesis_speakers": 3,
        "missed_speakers": 1,
        "false_alarm_speakers": 2,
        "reference_self_overlaps": 1,
        "hypothesis_self_overlaps": 0,
    }
    for metric in (der, jer):
        found = metric.stats(reference, hypothesis)
        assert {key: found[key] for key in expected} == expected


def test_a_pair_tells_the_seconds_behind_it():
    pairs = der.speaker_pairs([A, Segment("v1", "B", 4.0, 6.0)], [Segment("v1", "x", 1.0, 5.0)])
    assert pairs == [der.SpeakerPair("A", "x", shared_time=3.0, reference_time=4.0, hypothesis_time=4.0)]


@pytest.mark.parametrize("function", [der.stats, der.score_timeline])
def test_an_unknown_kind_of_region_is_refused(function):
    with pytest.raises(InputError, match=r"score_regions: found 'speech', expected one of all, single, overlap, nonoverlap"):
        function([A], [A], score_regions="speech")


def test_the_longest_times_are_counted_in_frames():
    turns = [Segment("v1", "A", 0.0, timeline.LATEST), Segment("v1", "B", 1.0, 2.0)]
    assert jer.stats(turns, turns)["jaccard_error"] == 0
    assert metrics.get("nmi").stats(turns, turns)["frames"] == 10**13

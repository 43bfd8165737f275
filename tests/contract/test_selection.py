"""Which recordings are scored: missing ones are charged and named, extra ones listed, nothing is silent."""

import pytest

from parakh.errors import InputError
from parakh.selection import IGNORE_MARK, crop_utterances, drop_ignored, exclude_ignored, select_recordings
from parakh.types import Region, Segment, Severity


def codes(selection: object) -> list[tuple[str, str]]:
    return [(finding.code, finding.session_id) for finding in selection.findings]  # type: ignore[attr-defined]


def test_missing_is_scored_and_named_extra_is_listed() -> None:
    selection = select_recordings(["v1", "v2"], ["v1", "v3"])
    assert selection.ids == ("v1", "v2")
    assert codes(selection) == [("missing-recording", "v2"), ("extra-recording", "v3")]
    assert selection.findings[1].severity is Severity.ERROR


def test_skip_missing_only_on_request_and_named() -> None:
    selection = select_recordings(["v1", "v2"], ["v1"], skip_missing=True)
    assert selection.ids == ("v1",)
    assert [one.id for one in selection.unscored] == ["v2"]


def test_nothing_in_common_lists_every_side() -> None:
    with pytest.raises(InputError) as error:
        select_recordings(["3001_SPEAKER"], ["3001"], ["3001.Mix-Headset"])
    lines = str(error.value).split("\n")
    assert len(lines) == 3
    assert "3001_SPEAKER" in lines[0]
    assert "3001.Mix-Headset" in lines[2]


def test_empty_hypothesis_is_all_missed() -> None:
    assert select_recordings(["v1"], []).ids == ("v1",)


def test_a_region_makes_a_silent_reference_count() -> None:
    selection = select_recordings(["talk01"], ["talk01", "silent01"], ["talk01", "silent01", "other"])
    assert selection.ids == ("silent01", "talk01")
    assert codes(selection) == [("uem-only-recording", "other")]


def test_recordings_outside_the_uem_are_unscored_by_name() -> None:
    selection = select_recordings(["v1", "v2"], ["v1", "v2"], ["v1"])
    assert [one.id for one in selection.unscored] == ["v2"]
    assert codes(selection) == []


def test_crop_keeps_utterances_that_overlap_or_touch_whole() -> None:
    segments = [Segment("v", "A", start, start + 1.0, "x") for start in (0.0, 0.5, 2.0, 3.0, 3.5)]
    assert crop_utterances(segments, [Region("v", 1.0, 3.0)]) == segments[:4]


def test_ignored_stretch_drops_words_by_their_midpoint() -> None:
    reference = [Segment("v", "A", 0, 2, "a"), Segment("v", "gap", 2, 6, "", segment_id=IGNORE_MARK)]
    hypothesis = [Segment("v", None, 1.0, 7.0, "aa bb cc")]
    kept, trimmed = drop_ignored(reference, hypothesis)
    assert kept == reference[:1]
    # Midpoints 2.0, 4.0 and 6.0: the first two lie in [2, 6), the third does not.
    assert [segment.words for segment in trimmed] == ["cc"]


def test_ignored_stretch_is_cut_from_the_regions_of_diarization() -> None:
    reference = [Segment("v", "A", 0.0, 8.0, "a"), Segment("v", "gap", 2.0, 6.0, segment_id=IGNORE_MARK)]
    kept, regions = exclude_ignored(reference, [Segment("v", "x", 0.0, 9.0)], None)
    assert kept == reference[:1]
    assert regions == [Region("v", 0.0, 2.0), Region("v", 6.0, 9.0)]
    assert exclude_ignored(kept, [], [Region("v", 0.0, 1.0)]) == (kept, [Region("v", 0.0, 1.0)])

"""Agreement between annotators: the same figures as scoring gives, both ways, and what only one of them has."""

from dataclasses import replace

import pytest

from parakh import tracks
from parakh.agreement import Agreement, Annotation, agree
from parakh.dataset.anchoring import anchoring, kept
from parakh.errors import InputError
from parakh.evaluate import evaluate
from parakh.resample import Bootstrap
from parakh.types import Segment, Topics

FIRST = [
    Segment("v1", "a", 0.0, 3.0, "नमस्ते दीदी <noise>", role="health_worker"),
    Segment("v1", "b", 3.2, 5.0, "बुखार है", role="health_seeker"),
    Segment("v2", "a", 0.0, 4.0, "दवा ली?", role="health_worker"),
    Segment("v2", "b", 4.0, 6.0, "हाँ ली", role="health_seeker"),
]
SECOND = [
    Segment("v1", "x", 0.1, 3.0, "नमस्ते दीदी", role="health_worker"),
    Segment("v1", "y", 3.2, 5.4, "बुखार है।", role="health_worker"),
    Segment("v2", "y", 0.0, 4.0, "दवा ली", role="health_worker"),
    Segment("v2", "x", 4.0, 6.0, "हाँ ली", role="health_seeker"),
    Segment("v3", "x", 0.0, 1.0, "जी"),
]


def figures(found: Agreement) -> dict[str, float | None]:
    return {figure.name: figure.value for figure in found.figures}


def test_figures_are_those_of_scoring_both_ways() -> None:
    (pair,) = agree({"ann01": Annotation(FIRST), "ann02": Annotation(SECOND)})
    common = [one for one in SECOND if one.session_id != "v3"]
    track = tracks.get("diarization")
    found = figures(pair)
    assert pair.recordings == ("v1", "v2")
    assert pair.only_one == {"ann02": ("v3",)}
    assert found["DER, ann01 as reference"] == evaluate(track, FIRST, common, metrics=["der"]).metrics["der"].value
    assert found["DER, ann02 as reference"] == evaluate(track, common, FIRST, metrics=["der"]).metrics["der"].value
    assert found["DER, ann01 as reference"] == pytest.approx(0.5 / 10.8)  # 0.1 s missed, 0.4 s too much, of 10.8 s
    assert found["DER, ann02 as reference"] == pytest.approx(0.5 / 11.1)


def test_boundaries_words_and_labels_by_hand() -> None:
    (pair,) = agree({"ann01": Annotation(FIRST), "ann02": Annotation(SECOND)})
    found = figures(pair)
    assert found["boundary F1 within 50 ms"] == pytest.approx(6 / 8)  # all but 0.0/0.1 and 5.0/5.4
    assert found["boundary F1 within 100 ms"] == pytest.approx(7 / 8)
    assert found["boundary F1 within 250 ms"] == pytest.approx(7 / 8)
    assert found["WER as written, ann01 as reference"] == pytest.approx(3 / 9)  # <noise>, है/है। and ली?/ली
    assert found["WER normalised, ann01 as reference"] == 0.0  # tags and punctuation are not words
    assert found["alpha of roles"] == pytest.approx(1 - 7 * 2 / (64 - 25 - 9))  # 4 segments, one apart: w w, s w, w w, s s
    assert found["alpha of tags"] == pytest.approx(1 - 7 * 2 / (64 - 1 - 49))  # <noise> in one of 8


def test_three_annotators_and_topics() -> None:
    topics = [Topics("v1", ("Fever",)), Topics("v2", ("fever", "cough"))]
    other = [Topics("v1", ("fever",)), Topics("v2", ("cough",))]
    found = agree({"a": Annotation((), topics), "b": Annotation((), topics), "c": Annotation((), other)})
    assert [one.annotators for one in found] == [("a", "b"), ("a", "c"), ("b", "c"), ("a", "b", "c")]
    assert figures(found[0]) == {"alpha of topics": 1.0}
    # yes yes | no no | yes no | yes yes for (v1 fever, v1 cough, v2 fever, v2 cough)
    assert figures(found[1])["alpha of topics"] == pytest.approx(1 - 7 * 2 / (64 - 25 - 9))
    assert figures(found[3])["alpha of topics"] == pytest.approx(1 - 11 * 2 / (144 - 64 - 16))


def test_intervals_hold_the_value() -> None:
    many = [replace(one, session_id=f"{one.session_id}-{k}") for k in range(8) for one in FIRST]
    heard = [replace(one, session_id=f"{one.session_id}-{k}") for k in range(8) for one in SECOND if one.session_id != "v3"]
    (pair,) = agree({"a": Annotation(many), "b": Annotation(heard)}, Bootstrap("percentile", samples=500))
    for figure in pair.figures:
        assert figure.interval is not None, figure.name
        low, high = figure.interval
        assert low - 1e-12 <= figure.value <= high + 1e-12, figure.name  # type: ignore[operator]
    assert "percentile bootstrap" in pair.plan


def test_nothing_in_common_and_nobody_to_agree_with() -> None:
    with pytest.raises(InputError, match="no recording that two annotated"):
        agree({"a": Annotation(FIRST), "b": Annotation([Segment("w", "a", 0.0, 1.0)])})
    with pytest.raises(InputError, match="found 1 annotator, expected two or more"):
        agree({"a": Annotation(FIRST)})


def test_what_is_left_of_a_draft() -> None:
    """3 of 5 words of v1 stand, 2 of 3 of v2; v9 was never annotated."""
    draft = [
        Segment("v1", "s0", 0.0, 3.0, "नमस्ते दीदी जी"),
        Segment("v1", "s1", 3.2, 5.0, "बुखार था"),
        Segment("v2", "s0", 0.0, 4.0, "दवा ले ली"),
        Segment("v9", "s0", 0.0, 4.0, "कहीं नहीं"),
    ]
    one, other = kept(draft[:2], FIRST[:2]), kept(draft[2:3], FIRST[2:])
    assert (one["words"], one["words_kept"], one["turns"], one["turns_kept"]) == (5, 3, 2, 2)
    assert (other["words"], other["words_kept"], other["turns"], other["turns_kept"]) == (3, 2, 1, 1)
    first, second = anchoring(draft, FIRST, {"v1": "ann01"})
    assert (first.annotator, first.words, second.annotator, second.words) == ("unknown", 2 / 3, "ann01", 3 / 5)
    with pytest.raises(InputError, match="--draft: found no recording of the data set"):
        anchoring(draft[3:], FIRST)

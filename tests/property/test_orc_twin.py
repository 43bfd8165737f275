"""The search for the best combination equals trying them all, and keeps the order of the word error rates."""

import itertools
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.errors import InputError
from parakh.metrics import cpwer, orcwer, tcorcwer, tcpwer
from parakh.types import Op, Segment

TEXTS = st.lists(st.sampled_from(["a", "b", "दवा", "i"]), max_size=4).map(" ".join)
TIMES = st.integers(0, 12).map(lambda half: half / 2)
WORDS = [f"w{k}" for k in range(200)]
COLLAR = st.sampled_from([0.0, 0.25, 1.0, 5.0, 1e6])


def turns(speakers: str, size: int, forms: int = 0) -> st.SearchStrategy[list[Segment]]:
    turn = st.builds(
        lambda s, start, length, words, more: Segment("s", s, start, start + length, words, forms=tuple(more)),
        st.sampled_from(speakers),
        TIMES,
        TIMES,
        TEXTS,
        st.lists(TEXTS, max_size=forms),
    )
    return st.lists(turn, max_size=size)


def fewest_errors(reference: list[Segment], hypothesis: list[Segment], collar: float | None) -> float:
    """All combinations one by one: one stream against itself is a session with one speaker on each side."""
    speakers = sorted({str(segment.speaker) for segment in hypothesis}) or ["nobody"]
    metric, options = (cpwer, {}) if collar is None else (tcpwer, {"collar": collar})
    totals = []
    for streams in itertools.product(speakers, repeat=len(reference)):
        errors = 0.0
        for speaker in speakers:
            said = [replace(one, speaker="A") for one, stream in zip(reference, streams, strict=True) if stream == speaker]
            errors += metric.stats(said, [one for one in hypothesis if one.speaker == speaker], **options)["errors"]
        totals.append(errors)
    return min(totals)


@settings(max_examples=100, deadline=None)
@given(turns("ABC", 5), turns("xyz", 6), COLLAR)
def test_the_best_of_all_combinations(reference, hypothesis, collar):
    assert tcorcwer.stats(reference, hypothesis, collar=collar)["errors"] == fewest_errors(reference, hypothesis, collar)
    assert orcwer.stats(reference, hypothesis)["errors"] == fewest_errors(reference, hypothesis, None)


@settings(max_examples=100, deadline=None)
@given(turns("AB", 4, forms=2), turns("xy", 5), COLLAR)
def test_the_form_is_chosen_together_with_the_stream(reference, hypothesis, collar):
    written = [
        [replace(one, words=words, forms=()) for one, words in zip(reference, choice, strict=True)]
        for choice in itertools.product(*((one.words, *one.forms) for one in reference))
    ]
    for metric, options in ((tcorcwer, {"collar": collar}), (orcwer, {})):
        found = metric.stats(reference, hypothesis, **options)
        assert found["errors"] == min(metric.stats(one, hypothesis, **options)["errors"] for one in written)
        assert (found["errors"], found["length"]) in {
            (one["errors"], one["length"]) for one in (metric.stats(choice, hypothesis, **options) for choice in written)
        }


@settings(max_examples=150, deadline=None)
@given(turns("ABC", 8), turns("xyzw", 8), st.sampled_from([0.0, 0.25, 1.0, 5.0]))
def test_what_may_meet_less_costs_more(reference, hypothesis, collar):
    orc = orcwer.stats(reference, hypothesis)["errors"]
    tcorc = tcorcwer.stats(reference, hypothesis, collar=collar)["errors"]
    assert orc <= cpwer.stats(reference, hypothesis)["errors"]
    assert orc <= tcorc <= tcpwer.stats(reference, hypothesis, collar=collar)["errors"]
    assert tcorcwer.stats(reference, hypothesis, collar=collar + 1)["errors"] <= tcorc


@settings(max_examples=100, deadline=None)
@given(turns("ABC", 8), turns("xyz", 8), COLLAR, st.permutations("xyz"))
def test_the_order_of_hypothesis_speakers_changes_no_errors(reference, hypothesis, collar, names):
    renamed = [replace(one, speaker=names["xyz".index(str(one.speaker))]) for one in hypothesis]
    swapped = sorted(renamed, key=lambda one: str(one.speaker))
    assert (
        tcorcwer.stats(reference, swapped, collar=collar)["errors"]
        == tcorcwer.stats(reference, hypothesis, collar=collar)["errors"]
    )
    assert orcwer.stats(reference, swapped)["errors"] == orcwer.stats(reference, hypothesis)["errors"]


@settings(max_examples=100, deadline=None)
@given(turns("ABC", 8), COLLAR)
def test_a_session_against_itself_has_no_errors(reference, collar):
    assert orcwer.stats(reference, reference)["errors"] == 0
    if collar > 0:
        assert tcorcwer.stats(reference, reference, collar=collar)["errors"] == 0


@settings(max_examples=100, deadline=None)
@given(turns("ABC", 6), turns("xyz", 6), COLLAR)
def test_an_alignment_holds_every_word_once_and_counts_like_the_statistics(reference, hypothesis, collar):
    for metric, options in ((tcorcwer, {"collar": collar}), (orcwer, {})):
        steps = metric.align(reference, hypothesis, **options)
        found, kinds = metric.stats(reference, hypothesis, **options), Counter(step.op for step in steps)
        assert [found[key] for key in ("hits", "substitutions", "deletions", "insertions")] == [kinds[op] for op in Op]
        streams = metric.assignment(reference, hypothesis, **options)
        for side, segments in (("reference", reference), ("hypothesis", hypothesis)):
            words = Counter((getattr(step, side), getattr(step, f"{side}_segment")) for step in steps)
            del words[None, None]
            assert words == Counter((word, k) for k, one in enumerate(segments) for word in one.words.split())
        for step in steps:
            if step.reference is not None and step.hypothesis is not None:
                assert streams[step.reference_segment] == step.hypothesis_speaker
                assert reference[step.reference_segment].speaker == step.reference_speaker


def test_sixty_hypothesis_speakers():
    reference = [Segment("s", f"r{k}", k, k + 1, f"word{k} दवा") for k in range(40)]
    hypothesis = [Segment("s", f"h{k}", k, k + 1, f"word{k}") for k in range(60)]
    for metric in (orcwer, tcorcwer):
        found = metric.stats(reference, hypothesis)
        assert [found[key] for key in ("errors", "length", "insertions", "deletions")] == [60, 80, 20, 40]
        assert metric.assignment(reference, hypothesis) == [f"h{k}" for k in range(40)]


@pytest.mark.parametrize("collar", [-1.0, float("nan"), float("inf")])
def test_a_collar_is_a_finite_length(collar):
    with pytest.raises(InputError, match=r"collar: found .*, expected finite seconds >= 0"):
        tcorcwer.stats([], [], collar=collar)


def test_what_is_wrong_with_a_segment_is_named():
    good = Segment("v1", "p", 0.0, 1.0, "a")
    with pytest.raises(InputError, match="hypothesis of v1:2: start_time: found none, expected seconds"):
        tcorcwer.stats([good], [good, replace(good, start_time=None, end_time=None)])
    with pytest.raises(InputError, match="reference of v1:1: speaker: found none, expected a speaker"):
        orcwer.stats([replace(good, speaker=None)], [good])


def test_long_streams_without_times():
    rng = random.Random(1)
    reference = [Segment("s", f"r{k % 3}", words=" ".join(rng.choices(WORDS, k=8))) for k in range(300)]
    hypothesis = [replace(one, speaker=rng.choice("xy")) for one in reference]
    assert orcwer.stats(reference, hypothesis)["errors"] == 0
    lost = [replace(one, words=one.words.split(" ", 1)[1]) for one in hypothesis]
    assert orcwer.stats(reference, lost)["errors"] <= 300

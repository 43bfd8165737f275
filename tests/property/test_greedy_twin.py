"""The greedy error rates against the obvious search, and what has to hold of them whatever the session."""

import itertools
from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.metrics import cpwer, dicpwer, ditcpwer, greedy_orcwer, greedy_tcorcwer, tcpwer
from parakh.types import Op, Segment
from tests.property.test_tcpwer_twin import COLLAR, FORMED, TURNS, edit_distance, may_meet, timed_words

NAMES = st.permutations(["A", "B", "C"])


def options_of(metric, collar):
    return {"collar": collar} if metric in (tcpwer, ditcpwer, greedy_tcorcwer) else {}


def names_of(segments):
    return list(dict.fromkeys(one.speaker for one in sorted(segments, key=lambda one: one.start_time)))


def fewest_errors(reference, hypothesis, collar, invariant):
    """The best of all ways to give the utterances of one side to the streams of the other, and the errors of each of them."""
    free, fixed = (hypothesis, reference) if invariant else (reference, hypothesis)
    free = sorted(free, key=lambda one: one.start_time)
    streams = names_of(fixed)
    meet = may_meet if collar is not None else lambda one, other: True

    def errors(choice):
        moved = [replace(one, speaker=stream) for one, stream in zip(free, choice, strict=True)]
        sides = (reference, moved) if invariant else (moved, hypothesis)
        pairs = ((timed_words(sides[0], name), timed_words(sides[1], name, collar or 0.0)) for name in streams)
        return sum(edit_distance(*pair, meet)[0] for pair in pairs)

    if not streams:
        return sum(len(one.words.split()) for one in free), errors
    return min(map(errors, itertools.product(streams, repeat=len(free)))), errors


@settings(max_examples=60, deadline=None)
@given(TURNS.map(lambda turns: turns[:4]), TURNS.map(lambda turns: turns[:4]), COLLAR)
def test_greedy_errors_are_those_of_the_assignment_and_never_below_the_best(reference, hypothesis, collar):
    for metric, invariant in ((greedy_orcwer, False), (dicpwer, True), (greedy_tcorcwer, False), (ditcpwer, True)):
        options = options_of(metric, collar)
        found = metric.stats(reference, hypothesis, **options)
        best, errors = fewest_errors(reference, hypothesis, options.get("collar"), invariant)
        free = hypothesis if invariant else reference
        names = metric.assignment(reference, hypothesis, **options)
        in_time = sorted(range(len(free)), key=lambda k: free[k].start_time)
        assert found["errors"] == (best if None in names else errors([names[k] for k in in_time])) >= best


@settings(max_examples=100, deadline=None)
@given(TURNS, TURNS, COLLAR)
def test_greedy_errors_are_at_most_those_of_speakers(reference, hypothesis, collar):
    for metric, strict in ((greedy_orcwer, cpwer), (dicpwer, cpwer), (greedy_tcorcwer, tcpwer), (ditcpwer, tcpwer)):
        options = options_of(metric, collar)
        # The search starts from the speakers' assignment; streams without a partner can only be given more.
        assert metric.stats(reference, hypothesis, **options)["errors"] <= strict.stats(reference, hypothesis, **options)[
            "errors"
        ] + sum(len(one.words.split()) for one in (*reference, *hypothesis)) * (
            len(names_of(reference)) != len(names_of(hypothesis))
        )


@settings(max_examples=100, deadline=None)
@given(TURNS, TURNS, COLLAR, NAMES)
def test_an_alignment_holds_every_word_once_and_names_do_not_matter(reference, hypothesis, collar, names):
    renamed = [replace(one, speaker=names["ABC".index(one.speaker)]) for one in hypothesis]
    for metric in (greedy_orcwer, dicpwer, greedy_tcorcwer, ditcpwer):
        options = options_of(metric, collar)
        found = metric.stats(reference, hypothesis, **options)
        assert metric.stats(reference, renamed, **options) == found
        steps = metric.align(reference, hypothesis, **options)
        kinds = Counter(step.op for step in steps)
        assert [found[key] for key in ("hits", "substitutions", "deletions", "insertions")] == [kinds[op] for op in Op]
        for side, segments in (("reference", reference), ("hypothesis", hypothesis)):
            words = Counter((getattr(step, side), getattr(step, f"{side}_segment")) for step in steps)
            del words[None, None]
            assert words == Counter((word, k) for k, one in enumerate(segments) for word in one.words.split())


@settings(max_examples=60, deadline=None)
@given(FORMED, TURNS, COLLAR)
def test_forms_are_taken_from_what_is_accepted(reference, hypothesis, collar):
    for metric in (greedy_orcwer, dicpwer, greedy_tcorcwer, ditcpwer):
        options = options_of(metric, collar)
        found, steps = metric.stats(reference, hypothesis, **options), metric.align(reference, hypothesis, **options)
        assert sum(step.op is not Op.MATCH for step in steps) == found["errors"]
        said = {}
        for step in steps:
            if step.reference is not None:
                said.setdefault(step.reference_segment, []).append(step.reference)
        for k, one in enumerate(reference):
            assert said.get(k, []) in [form.split() for form in (one.words, *one.forms)]


def test_identical_sides_have_no_errors():
    turns = [Segment("s", f"k{k % 3}", k, k + 1.5, f"w{k} दवा w{k % 2}") for k in range(20)]
    for metric in (greedy_orcwer, dicpwer, greedy_tcorcwer, ditcpwer):
        assert metric.stats(turns, turns)["errors"] == 0

"""Recordings won and the best of each recording, against plain loops over single recordings."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from parakh import metrics
from parakh.complementarity import error_overlap, oracle, wins
from parakh.metrics import Better
from parakh.results import Stats, total

WER = metrics.get("wer")
COUNTS = st.integers(0, 30)


@st.composite
def systems(draw, names="abc"):
    """Errors of each system on the same recordings, whose lengths are the same for all."""
    lengths = draw(st.lists(st.integers(1, 20), min_size=1, max_size=4))
    return {name: [Stats(errors=draw(COUNTS), length=length) for length in lengths] for name in names}


@given(systems("ab"), st.sampled_from(Better))
def test_wins_are_what_a_loop_counts(stats, better):
    rates = {name: [one["errors"] / one["length"] for one in own] for name, own in stats.items()}
    won = lost = tied = 0
    for mine, theirs in zip(rates["a"], rates["b"], strict=True):
        if mine == theirs:
            tied += 1
        elif (mine < theirs) == (better is Better.LOWER):
            won += 1
        else:
            lost += 1
    assert wins(rates["a"], rates["b"], better) == (won, lost, tied)
    assert wins(rates["b"], rates["a"], better) == (lost, won, tied)


@given(systems())
def test_the_oracle_is_the_best_of_all_choices(stats):
    """With lengths that no system changes, the best of each recording is the best of every way to choose."""
    found = oracle(WER, stats)
    count = len(stats["a"])
    choices = (total([stats[name][k] for k, name in enumerate(names)]) for names in product(stats, repeat=count))
    assert abs(found.value - min(WER.score(one) for one in choices)) < 1e-12
    assert abs(sum(found.shares.values()) - 1) < 1e-9
    assert found.gain >= 0


@given(st.data())
def test_the_oracle_is_never_worse_than_the_best_even_where_systems_change_the_denominator(data):
    mer = metrics.get("mer")
    count = data.draw(st.integers(1, 5))
    keys = ("hits", "substitutions", "deletions", "insertions")

    def one():
        values = dict(zip(keys, data.draw(st.tuples(*[st.integers(0, 9)] * 4)), strict=True))
        errors = sum(values[key] for key in keys[1:])
        return Stats(errors=errors, length=values["hits"] + values["substitutions"] + values["deletions"], **values)

    found = oracle(mer, {name: [one() for _ in range(count)] for name in "ab"})
    if found.value is not None and found.alone is not None:
        assert found.value <= found.alone


@given(systems("ab"))
def test_errors_on_the_same_recordings_are_a_share(stats):
    overlap = error_overlap(WER, stats["a"], stats["b"])
    errors = [(mine["errors"], theirs["errors"]) for mine, theirs in zip(stats["a"], stats["b"], strict=True)]
    if not any(map(any, errors)):
        assert overlap is None
    else:
        assert overlap == sum(map(min, errors)) / sum(map(max, errors))

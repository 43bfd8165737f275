"""What an interval promises: units, strata, undefined scores, and the same bytes everywhere."""

import numpy as np
import pytest

from parakh import resample
from parakh.errors import InputError
from parakh.metrics import all_metrics
from parakh.resample import Bootstrap, Resampler
from parakh.results import Stats, ratio

PLAN = Bootstrap(samples=2000)


def rate(total):
    return ratio(total["errors"], total["length"])


def recordings(count):
    return [Stats(errors=(7 * k) % 11, length=20 + (5 * k) % 13) for k in range(count)]


def test_the_interval_lies_around_the_score_and_narrows_with_more_recordings():
    few, many = (Resampler(n, PLAN).interval(recordings(n), rate) for n in (12, 240))
    for n, (low, high) in ((12, few), (240, many)):
        stats = recordings(n)
        assert low < sum(one["errors"] for one in stats) / sum(one["length"] for one in stats) < high
    assert many[1] - many[0] < (few[1] - few[0]) / 3


def test_a_higher_level_is_wider():
    narrow, wide = (Resampler(30, Bootstrap(level=level)).interval(recordings(30), rate) for level in (0.8, 0.99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize("method", resample.METHODS)
def test_the_same_bytes_however_the_sums_are_cut_up(monkeypatch, method):
    stats = [Stats(miss=0.1 * k, scored=1 / 3 + k) for k in range(40)]
    plan = Bootstrap(method, samples=500)

    def run():
        return Resampler(40, plan, strata=["hi", "kn"] * 20).interval(stats, lambda total: ratio(total["miss"], total["scored"]))

    whole = run()
    monkeypatch.setattr(resample, "_BLOCK", 64)
    assert run() == whole


def test_the_numbers_of_a_seed_stay():
    # First computed by this code on 2026-11-30 (numpy 2, x86-64); a change moves every published interval.
    weights = Resampler(5, Bootstrap(samples=100, seed=7)).weights
    assert weights[:3].tolist() == [[0, 2, 0, 2, 1], [1, 0, 1, 1, 2], [0, 3, 2, 0, 0]]
    assert Resampler(30, Bootstrap()).interval(recordings(30), rate) == (0.15412731203543215, 0.23920026023143376)


def test_another_seed_is_another_draw():
    assert len({Resampler(30, Bootstrap(seed=seed)).interval(recordings(30), rate) for seed in range(4)}) == 4


def test_a_draw_takes_as_many_units_as_there_are_and_each_equally_often():
    weights = Resampler(20, Bootstrap()).weights
    assert set(weights.sum(axis=1).tolist()) == {20}
    assert weights.mean(axis=0) == pytest.approx([1.0] * 20, abs=0.05)  # standard error 0.01
    assert (weights == 0).mean() == pytest.approx((19 / 20) ** 20, abs=0.005)


def test_recordings_of_a_group_move_together():
    stats = recordings(20)
    groups = [f"speaker {k // 4}" for k in range(20)]
    sums = [stats[k] + stats[k + 1] + stats[k + 2] + stats[k + 3] for k in range(0, 20, 4)]
    assert Resampler(20, PLAN, groups=groups).interval(stats, rate) == Resampler(5, PLAN).interval(sums, rate)


def test_strata_keep_their_size_in_every_resample():
    strata = ["hi"] * 5 + ["kn"] * 15
    weights = Resampler(20, PLAN, strata=strata).weights
    assert set(weights[:, :5].sum(axis=1).tolist()) == {5}
    assert set(weights[:, 5:].sum(axis=1).tolist()) == {15}


def test_what_differs_between_strata_alone_does_not_widen():
    stats = [Stats(errors=1, length=10)] * 6 + [Stats(errors=9, length=10)] * 6
    strata = ["easy"] * 6 + ["hard"] * 6
    assert Resampler(12, PLAN, strata=strata).interval(stats, rate) == (0.5, 0.5)
    low, high = Resampler(12, PLAN).interval(stats, rate)
    assert high - low > 0.2


def test_a_group_lies_in_one_stratum():
    with pytest.raises(InputError, match="a group with recordings in 'hi' and in 'kn'"):
        Resampler(2, PLAN, groups=["s", "s"], strata=["hi", "kn"])


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_to_resample(count):
    assert Resampler(count, PLAN).interval(recordings(count), rate) is None


def test_one_unit_in_every_stratum_cannot_vary():
    assert Resampler(3, PLAN, strata=["a", "b", "c"]).interval(recordings(3), rate) is None


def test_undefined_resamples_are_left_out_while_they_are_few():
    empty = Stats(errors=0, length=0)
    spoken = recordings(10)
    # All ten drawn are empty ones with probability 0.5**10 when half are; (0.9)**10 = 0.35 when all but one are.
    assert Resampler(10, PLAN).interval(spoken[:5] + [empty] * 5, rate) is not None
    assert Resampler(10, PLAN).interval([spoken[1]] + [empty] * 9, rate) is None
    assert Resampler(10, PLAN).interval([empty] * 10, rate) is None


def test_a_perfect_system_has_an_interval_without_width():
    assert Resampler(8, PLAN).interval([Stats(errors=0, length=9)] * 8, rate) == (0.0, 0.0)


def test_huge_and_tiny_statistics():
    stats = [Stats(errors=one["errors"] * 1e-300, length=one["length"] * 1e300) for one in recordings(9)]
    low, high = Resampler(9, PLAN).interval(stats, lambda total: total["errors"] * 1e300)
    assert low < sum(one["errors"] for one in recordings(9)) < high


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        ({"method": "normal"}, "method"),
        ({"level": 1.0}, "level"),
        ({"level": float("nan")}, "level"),
        ({"samples": 99}, "samples"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_choice_out_of_range_is_named(choice, name):
    with pytest.raises(InputError, match=f"--{name}: found"):
        Bootstrap(**choice)


def test_lengths_must_agree():
    with pytest.raises(InputError, match="groups: found 2 values, expected 3, one for each recording"):
        Resampler(3, PLAN, groups=["a", "b"])


@pytest.mark.parametrize("name", sorted(all_metrics()))
def test_scores_of_many_sums_are_those_of_each(name):
    metric = all_metrics()[name]
    keys = read_by(metric)
    random = np.random.default_rng(3)
    rows = [Stats(dict(zip(keys, random.integers(1, 2000, len(keys)).astype(float).tolist(), strict=True))) for _ in range(40)]
    rows += [Stats(dict.fromkeys(keys, 0.0)), Stats(dict.fromkeys(keys, 7.0))]
    tables = Resampler(len(rows), Bootstrap(samples=100)).tables([rows])
    for chosen in (slice(0, 40), slice(30, 42), slice(40, 41), slice(0, 0)):
        assert tables.scores(tables.units[0][chosen], metric.score) == [metric.score(one) for one in rows[chosen]]


def read_by(metric):
    """The names of the statistics that a score reads, whatever they are."""
    names = ["anything"]
    for made in (lambda place: 1.0, lambda place: 0.0, lambda place: 7.0 * place + 3.0, lambda place: 2000.0 - 9.0 * place) * 30:
        try:
            metric.score(Stats({name: made(place) for place, name in enumerate(names)}))
        except KeyError as error:
            names.append(error.args[0])
    return names

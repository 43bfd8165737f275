"""DOVER-Lap against dover-lap 1.3.1 on generated sessions: the time in which the outputs differ is only its rounding.

What the tool is given so that it is defined:

- numpy as it was: it adds a list of matrices of several shapes by ``np.sum``, which numpy refuses since 1.24;
- a stable sort: it sorts combinations of equal worth, as those without common speech are, by a sort that may order them anyhow;
- speakers named in the order of their first turns, as it takes them in the order of their names;
- systems with two speakers or more: of one with a single speaker it does not count the overlap with the others;
- with the mapping ``hungarian``, systems sorted by their errors: it sorts them itself, but not their weights;
- for ``hungarian``, systems of which no two assignments are equally good: it takes another one of those.
"""

import functools
import random

import numpy as np
import pytest

from parakh.fusion import Answer
from parakh.fusion.dover_lap import Backend, _mean_errors
from parakh.metrics import der
from parakh.types import Segment

doverlap = pytest.importorskip("dover_lap.src.doverlap", reason="dover-lap is not installed")
greedy = pytest.importorskip("dover_lap.src.mapping.greedy", reason="dover-lap is not installed")
from dover_lap.libs.turn import Turn, merge_turns  # noqa: E402

SESSIONS = 400


class _Numpy:
    """numpy as the tool needs it."""

    def __getattr__(self, name):
        import numpy

        return getattr(numpy, name)

    def sum(self, values, *arguments, **options):
        import numpy

        if isinstance(values, list) and getattr(values[0], "ndim", 0):
            return functools.reduce(numpy.add, values)
        return numpy.sum(values, *arguments, **options)

    def argsort(self, values, axis=-1):
        import numpy

        return numpy.argsort(values, axis=axis, kind="stable")


@pytest.fixture(autouse=True)
def defined(monkeypatch):
    monkeypatch.setattr(greedy, "np", _Numpy())
    monkeypatch.setattr(greedy, "info", lambda *_, **__: None)


def truth(rng):
    """A conversation on a grid of 10 ms with some overlap."""
    turns, now = [], 0.0
    for _ in range(rng.randint(4, 40)):
        length = rng.randint(30, 600) / 100
        turns.append((rng.randrange(5), now, now + length))
        now = max(0.0, now + length + rng.randint(-150, 120) / 100)
    return turns


def system(rng, turns):
    """What a system hears of it: boundaries moved, turns missed, speakers confused or merged, others heard."""
    speakers = rng.randint(2, 6)
    confused = rng.random() * 0.3
    moved = rng.choice([0, 10, 60])
    heard = []
    for speaker, start, end in turns:
        if rng.random() < 0.1:
            continue
        who = rng.randrange(speakers) if rng.random() < confused else speaker % speakers
        first = max(0.0, round(start + rng.randint(-moved, moved) / 100, 2))
        last = round(max(first + 0.1, end + rng.randint(-moved, moved) / 100), 2)
        heard.append((who, first, last))
    return heard if len({who for who, *_ in heard}) > 1 else system(rng, turns)


def named(heard):
    """Segments whose speakers are named in the order of their first turns."""
    names = {}
    for who, *_ in sorted(heard, key=lambda turn: (turn[1], turn[2])):
        names.setdefault(who, f"s{len(names)}")
    return [Segment("v", names[who], first, last) for who, first, last in heard]


def tool(systems, **options):
    turns = [
        merge_turns([Turn(t.start_time, offset=t.end_time, speaker_id=t.speaker, file_id="v") for t in one]) for one in systems
    ]
    with np.errstate(invalid="ignore"):  # systems that agree in all weigh 0 / 0
        out = doverlap.DOVERLap.combine_turns_list(turns, "v", **options)
    return [Segment("v", str(turn.speaker_id), float(turn.onset), float(turn.offset)) for turn in out]


def difference(one, other):
    figures = der.stats(one, other)
    return sum(figures[key] for key in ("miss", "false_alarm", "confusion"))


@pytest.mark.parametrize("smoothing", [0.01, 0.5, 1.3])
@pytest.mark.parametrize("weighting", ["rank", "norm", "custom"])
def test_greedy(weighting, smoothing):
    rng = random.Random(f"{weighting} {smoothing}")
    for _ in range(SESSIONS // 9):
        whole = truth(rng)
        systems = [named(system(rng, whole)) for _ in range(rng.randint(3, 5))]
        shares = [rng.randint(1, 9) for _ in systems]
        weights = [share / sum(shares) for share in shares] if weighting == "custom" else None
        expected = tool(systems, weight_type=weighting, custom_weight=weights, gaussian_filter_std=smoothing)
        answers = [Answer(str(k), one, weights and weights[k]) for k, one in enumerate(systems)]
        fused, _ = Backend(weighting="rank" if weights else weighting, smoothing=smoothing).fuse(answers)
        assert difference(expected, fused) < 1e-3


@pytest.mark.parametrize("count", [2, 3, 5])
def test_hungarian(count):
    rng = random.Random(count)
    differing = 0
    for _ in range(SESSIONS // 3):
        whole = truth(rng)
        systems = [named(system(rng, whole)) for _ in range(count)]
        errors = _mean_errors(systems)
        systems = [systems[k] for k in sorted(range(count), key=lambda k: errors[k])]
        expected = tool(systems, label_mapping="hungarian", gaussian_filter_std=0.5)
        fused, _ = Backend(mapping="hungarian").fuse([Answer(str(k), one) for k, one in enumerate(systems)])
        differing += difference(expected, fused) > 1e-3
    print(count, differing)
    assert differing == 0

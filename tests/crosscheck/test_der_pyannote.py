"""Diarization error rate, purity, coverage and speech detection against pyannote.metrics 4.2.0 on generated sessions.

pyannote.metrics differs by definition in these things, so the sessions handed to it avoid them or ask for its terms:

- its collar is the full width: it is given twice ours;
- it maps speakers after collars are taken out, so that with a collar the diarization error rate may differ: the error
  rate is compared without collar, speech detection with one too;
- its purity and coverage pay no heed to regions: they are compared without;
- it drops what is shorter than a microsecond: boundaries lie on a grid of milliseconds, off each other;
- figures without denominator are 0 or 1 there and None here: such sessions are left out.

Of two equally good mappings each tool takes its own, which shows where a region or overlap matters for the confusion:
sessions whose best mapping is not the only one are detected by trying all of them, and left out.
"""

import itertools
import math
import random

import pytest

from parakh import metrics
from parakh.metrics import der
from parakh.types import Region, Segment

pytest.importorskip("pyannote.metrics", reason="pyannote.metrics is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:.*approximated by the union")

SESSIONS = 330
REGIONS = [Region("s", 5.0005, 21.3005), Region("s", 30.0005, 48.0005)]
DETECTION = {
    "detection_error": "DetectionErrorRate",
    "detection_accuracy": "DetectionAccuracy",
    "detection_precision": "DetectionPrecision",
    "detection_recall": "DetectionRecall",
    "detection_f1": "DetectionPrecisionRecallFMeasure",
    "detection_cost": "DetectionCostFunction",
}


def _turns(rng, names, count):
    turns = []
    for _ in range(count):
        speaker = rng.choice(names)
        start = round(rng.uniform(0.0, 50.0), 3)
        turns.append(Segment("s", speaker, start, round(start + rng.uniform(0.05, rng.choice([1.0, 6.0])), 3)))
    return turns


def _session(seed):
    rng = random.Random(seed)
    reference = _turns(rng, [f"r{k}" for k in range(rng.randint(1, 4))], rng.randint(1, 20))
    return reference, _turns(rng, [f"h{k}" for k in range(rng.randint(1, 4))], rng.randint(1, 20))


def _annotation(turns):
    """Overlapping turns of a speaker joined, as pyannote.metrics would count them twice."""
    from pyannote.core import Annotation
    from pyannote.core import Segment as Stretch

    annotation = Annotation(uri="s")
    for k, turn in enumerate(_joined(turns)):
        annotation[Stretch(turn.start_time, turn.end_time), k] = turn.speaker
    return annotation


def _joined(turns):
    joined = []
    for turn in sorted(turns, key=lambda t: (t.speaker, t.start_time)):
        last = joined[-1] if joined else None
        if last and last.speaker == turn.speaker and turn.start_time <= last.end_time:
            joined[-1] = Segment("s", turn.speaker, last.start_time, max(last.end_time, turn.end_time))
        else:
            joined.append(turn)
    return joined


def _timeline(regions):
    from pyannote.core import Segment as Stretch
    from pyannote.core import Timeline

    return None if regions is None else Timeline([Stretch(r.start_time, r.end_time) for r in regions], uri="s")


def _has_ties(reference, hypothesis, regions):
    """Whether two different mappings share the most time: all of them are tried."""
    windows = [(r.start_time, r.end_time) for r in regions] if regions else [(0.0, 100.0)]
    sides = [_joined(turns) for turns in (reference, hypothesis)]
    names = [sorted({t.speaker for t in side}) for side in sides]
    shared = dict.fromkeys(itertools.product(*names), 0.0)
    for a, b in itertools.product(*sides):
        for low, high in windows:
            both = min(a.end_time, b.end_time, high) - max(a.start_time, b.start_time, low)
            shared[a.speaker, b.speaker] += max(0.0, both)
    partners = [*names[1], *[None] * len(names[0])]
    gains = {}
    for chosen in set(itertools.permutations(partners, len(names[0]))):
        pairs = frozenset(pair for pair in zip(names[0], chosen, strict=True) if shared.get(pair, 0.0) > 0)
        gains[pairs] = sum(shared[pair] for pair in pairs)
    best = max(gains.values())
    return sum(gain > best - 1e-6 for gain in gains.values()) > 1


@pytest.mark.parametrize("regions", [None, REGIONS], ids=["inferred region", "several regions"])
def test_diarization_error_rate(regions):
    from pyannote.metrics.diarization import DiarizationErrorRate

    different, compared, uem = [], 0, _timeline(regions)
    for seed in range(SESSIONS):
        reference, hypothesis = _session(seed)
        ours = der.stats(reference, hypothesis, regions=regions)
        if not ours["scored"] or _has_ties(reference, hypothesis, regions):
            continue
        compared += 1
        found = DiarizationErrorRate()(_annotation(reference), _annotation(hypothesis), uem=uem, detailed=True)
        theirs = [found[key] for key in ("missed detection", "false alarm", "confusion", "total", "diarization error rate")]
        mine = [*(ours[key] for key in ("miss", "false_alarm", "confusion", "scored")), der.score(ours)]
        if not all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(mine, theirs, strict=True)):
            different.append((seed, mine, theirs))
    assert different == []
    assert compared >= 300


@pytest.mark.parametrize(("name", "theirs"), [("purity", "DiarizationPurity"), ("coverage", "DiarizationCoverage")])
def test_purity_and_coverage(name, theirs):
    from pyannote.metrics import diarization

    metric = metrics.get(name)
    for seed in range(SESSIONS):
        reference, hypothesis = _session(seed)
        value = metric.score(metric.stats(reference, hypothesis))
        expected = getattr(diarization, theirs)()(_annotation(reference), _annotation(hypothesis))
        assert value == pytest.approx(expected, abs=1e-9), seed


@pytest.mark.parametrize(
    ("regions", "collar", "score_regions"),
    [(None, 0.0, "all"), (REGIONS, 0.0, "all"), (None, 0.25, "all"), (None, 0.0, "nonoverlap")],
    ids=["inferred region", "several regions", "collar", "no overlap"],
)
def test_speech_detection(regions, collar, score_regions):
    from pyannote.metrics import detection

    options = {"collar": 2 * collar, "skip_overlap": score_regions == "nonoverlap"}
    tools = {name: getattr(detection, theirs)(**options) for name, theirs in DETECTION.items()}
    compared, uem = 0, _timeline(regions)
    for seed in range(SESSIONS // 4):
        reference, hypothesis = _session(seed)
        stats = der.stats(reference, hypothesis, regions=regions, collar=collar, score_regions=score_regions)
        sides = _annotation(reference), _annotation(hypothesis)
        for name, tool in tools.items():
            value = metrics.get(name).score(stats)
            if value is None:
                continue
            compared += 1
            assert value == pytest.approx(tool(*sides, uem=uem), abs=1e-9), (seed, name)
    assert compared > SESSIONS

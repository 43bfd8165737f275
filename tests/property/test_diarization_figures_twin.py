"""Clustering figures, purity, coverage and speaker counts against frame-by-frame twins, and what always holds of them."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh import metrics
from parakh.metrics import der, jer
from parakh.results import total
from parakh.types import Region, Segment

CLUSTERING = [
    "bcubed_precision", "bcubed_recall", "bcubed_f1", "tau_ref_sys", "tau_sys_ref", "ce_ref_sys", "ce_sys_ref", "mi", "nmi",
]  # fmt: skip
SWAPPED = {
    "bcubed_precision": "bcubed_recall",
    "bcubed_f1": "bcubed_f1",
    "tau_ref_sys": "tau_sys_ref",
    "ce_ref_sys": "ce_sys_ref",
    "mi": "mi",
    "nmi": "nmi",
    "purity": "coverage",
    "purity_coverage_f1": "purity_coverage_f1",
    "speaker_count": "speaker_count",
    "detection_precision": "detection_recall",
    "detection_f1": "detection_f1",
    "detection_accuracy": "detection_accuracy",
}

# Whole nanoseconds: a turn of 1e-214 s is lost in a difference of seconds, and no clock knows it.
fine = st.floats(0.0, 3.0).map(lambda time: round(time, 9))
instants = st.integers(0, 60).map(lambda k: k / 20) | st.integers(0, 3000).map(lambda k: k / 1000) | fine


def side(names, size=10):
    turn = st.builds(lambda name, pair: Segment("s", name, *sorted(pair)), st.sampled_from(names), st.tuples(instants, instants))
    return st.lists(turn, max_size=size)


sides = st.tuples(side("ABC"), side("xyz"))
some_regions = st.none() | st.just([Region("s", 0.29, 1.0), Region("s", 1.005, 2.31)])


def value(name, reference, hypothesis, regions=None):
    metric = metrics.get(name)
    return metric.score(metric.stats(reference, hypothesis, regions=regions))


# ------------------------------------------------------------------------------------------------------------ the twin


def labels(turns, kept):
    """The set of speakers of every kept frame, as strings."""
    return ["".join(sorted({t.speaker for t in turns if t.start_time <= k * jer.FRAME < t.end_time})) for k in kept]


def frames(reference, hypothesis, regions):
    """The frames inside the regions, below the whole number of frames up to the last region's end."""
    spoken = [t for t in reference + hypothesis if t.duration > 0]
    if regions is None:
        regions = [Region("s", min(t.start_time for t in spoken), max(t.end_time for t in spoken))] if spoken else []
    last = int(max((r.end_time for r in regions), default=0.0) / jer.FRAME)
    return [k for k in range(last) if any(r.start_time <= k * jer.FRAME < r.end_time for r in regions)]


def by_definition(pairs):
    """Every figure from a list of (reference label, hypothesis label), one a frame, as the textbooks have it."""
    if not pairs:
        return dict.fromkeys(CLUSTERING)
    n, both = len(pairs), Counter(pairs)
    refs, hyps = Counter(r for r, _ in pairs), Counter(h for _, h in pairs)
    precision = sum(both[pair] / hyps[pair[1]] for pair in pairs) / n
    recall = sum(both[pair] / refs[pair[0]] for pair in pairs) / n

    def entropy(counts):
        return -sum(count / n * math.log2(count / n) for count in counts.values())

    def tau(known, guessed, place):
        if len(guessed) == 1:
            return 1.0
        variation = 1 - sum((count / n) ** 2 for count in guessed.values())
        left = sum(
            known[label] / n * (1 - sum((c / known[label]) ** 2 for pair, c in both.items() if pair[place] == label))
            for label in known
        )
        return (variation - left) / variation

    shared = sum(c / n * math.log2(c * n / (refs[r] * hyps[h])) for (r, h), c in both.items())
    single = {len(refs), len(hyps)} if 1 in (len(refs), len(hyps)) else None
    return {
        "bcubed_precision": precision,
        "bcubed_recall": recall,
        "bcubed_f1": 2 * precision * recall / (precision + recall),
        "tau_ref_sys": tau(refs, hyps, 0),
        "tau_sys_ref": tau(hyps, refs, 1),
        "ce_ref_sys": entropy(both) - entropy(hyps),
        "ce_sys_ref": entropy(both) - entropy(refs),
        "mi": shared,
        "nmi": float(single == {1}) if single else shared / math.sqrt(entropy(refs) * entropy(hyps)),
    }


@settings(max_examples=150, deadline=None)
@given(sides, some_regions)
def test_clustering_figures_equal_their_definitions_on_frames(pair, regions):
    kept = frames(*pair, regions)
    slow = by_definition(list(zip(*(labels(turns, kept) for turns in pair), strict=True)))
    for name in CLUSTERING:
        assert value(name, *pair, regions) == pytest.approx(slow[name], abs=1e-9), name


@settings(max_examples=60, deadline=None)
@given(st.lists(sides, min_size=2, max_size=4))
def test_a_corpus_keeps_the_labels_of_its_recordings_apart(pairs):
    frames_of_all = []
    for k, pair in enumerate(pairs):
        kept = frames(*pair, None)
        frames_of_all += [((k, r), (k, h)) for r, h in zip(*(labels(turns, kept) for turns in pair), strict=True)]
    slow = by_definition(frames_of_all)
    for name in CLUSTERING:
        metric = metrics.get(name)
        assert metric.score(total([metric.stats(*pair) for pair in pairs])) == pytest.approx(slow[name], abs=1e-9), name


twentieths = st.integers(0, 60).map(lambda k: k / 20)
tidy_turn = st.builds(
    lambda name, ends: Segment("s", name, *sorted(ends)), st.sampled_from("ABC"), st.tuples(twentieths, twentieths)
)
tidy = st.lists(tidy_turn, max_size=10)


@settings(max_examples=100, deadline=None)
@given(tidy, tidy, st.none() | st.just([Region("s", 0.3, 1.0), Region("s", 1.5, 2.75)]))
def test_purity_and_coverage_equal_their_definitions_on_frames(reference, hypothesis, regions):
    middles = [(k + 0.5) / 20 for k in range(60)]
    kept = [m for m in middles if regions is None or any(r.start_time < m < r.end_time for r in regions)]
    ref, hyp = (
        {s: {m for m in kept for t in turns if t.speaker == s and t.start_time < m < t.end_time} for s in "ABC"}
        for turns in (reference, hypothesis)
    )
    for name, ours, theirs in (("purity", hyp, ref), ("coverage", ref, hyp)):
        spoken = sum(map(len, ours.values()))
        best = sum(max(len(mine & other) for other in theirs.values()) for mine in ours.values())
        assert value(name, reference, hypothesis, regions) == (pytest.approx(best / spoken, abs=1e-12) if spoken else None)
    sizes = [sum(1 for moments in side.values() if moments) for side in (ref, hyp)]
    count = value("speaker_count", reference, hypothesis, regions)
    assert count == (abs(sizes[0] - sizes[1]) if any(sizes) else None)


# ------------------------------------------------------------------------------------------------------- what always holds


@settings(max_examples=100, deadline=None)
@given(sides, some_regions)
def test_exchanging_the_sides_exchanges_the_figures(pair, regions):
    reference, hypothesis = pair
    for one, other in SWAPPED.items():
        found, expected = value(one, reference, hypothesis, regions), value(other, hypothesis, reference, regions)
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-12)), one


@settings(max_examples=100, deadline=None)
@given(sides, some_regions)
def test_figures_are_bounded(pair, regions):
    for name in SWAPPED:
        found = value(name, *pair, regions)
        limit = math.inf if metrics.get(name).unit != "%" else 1.0
        assert found is None or 0 <= found <= limit, name
    found = {name: value(name, *pair, regions) for name in ("mi", "ce_ref_sys", "ce_sys_ref")}
    if found["mi"] is not None:
        stats = metrics.get("mi").stats(*pair, regions=regions)
        ref = math.log2(stats["frames"]) - stats["reference_bits"] / stats["frames"]
        assert found["mi"] + found["ce_ref_sys"] == pytest.approx(ref, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(side("ABC", size=20), st.permutations("pqr"))
def test_a_renamed_reference_is_a_perfect_answer(turns, names):
    renamed = [Segment("s", names["ABC".index(t.speaker)], t.start_time, t.end_time) for t in turns]
    for name in ["bcubed_f1", "tau_ref_sys", "nmi", "purity", "coverage", "detection_f1"]:
        assert value(name, turns, renamed) in (1.0, None), name
    for name in ["ce_ref_sys", "ce_sys_ref", "speaker_count", "detection_error", "detection_cost"]:
        assert value(name, turns, renamed) in (0.0, None), name


@settings(max_examples=60, deadline=None)
@given(sides, st.permutations("XYZ"), st.randoms())
def test_neither_names_nor_the_order_of_turns_matter(pair, names, random):
    renamed = [[Segment("s", names["ABCxyz".index(t.speaker) % 3], t.start_time, t.end_time) for t in turns] for turns in pair]
    shuffled = [random.sample(turns, len(turns)) for turns in renamed]
    for name in ("bcubed_f1", "purity", "speaker_count"):
        stats = metrics.get(name).stats
        assert stats(*shuffled) == stats(*pair), name


@settings(max_examples=60, deadline=None)
@given(sides, st.sampled_from([0.0, 0.25]))
def test_the_kinds_of_region_add_up(pair, collar):
    found = {kind: der.stats(*pair, collar=collar, score_regions=kind) for kind in der.SCORE_REGIONS}
    for key in ("miss", "false_alarm", "confusion", "scored", "speech", "silence", "overlap", "missed_speech", "false_speech"):
        assert found["nonoverlap"][key] + found["overlap"][key] == pytest.approx(found["all"][key], abs=1e-9)
        assert found["single"][key] <= found["nonoverlap"][key] + 1e-9
    assert found["single"]["silence"] == found["overlap"]["silence"] == 0


@settings(max_examples=60, deadline=None)
@given(sides, some_regions)
def test_speakers_and_pairs_agree(pair, regions):
    stats, pairs = der.stats(*pair, regions=regions), der.speaker_pairs(*pair, regions=regions)
    assert stats["reference_speakers"] - stats["missed_speakers"] == len(pairs)
    assert stats["hypothesis_speakers"] - stats["false_alarm_speakers"] == len(pairs)
    assert der.mapping(*pair, regions=regions) == {one.hypothesis: one.reference for one in pairs}
    for one in pairs:
        assert 0 < one.shared_time <= min(one.reference_time, one.hypothesis_time) + 1e-9
    for key in ("reference", "hypothesis"):
        assert jer.stats(*pair, regions=regions)[f"{key}_speakers"] == stats[f"{key}_speakers"]


def test_many_speakers_at_once_are_labels_of_their_own():
    """More speakers than bits in a machine word: every set that is heard is told from every other."""
    turns = [Segment("s", f"{k:03d}", k / 10, 15.0 - k / 20) for k in range(100)]
    kept = frames(turns, turns, None)
    seen = {"|".join(t.speaker for t in turns if t.start_time <= k * jer.FRAME < t.end_time) for k in kept}
    assert metrics.get("nmi").stats(turns, turns)["reference_labels"] == len(seen) == 100


def test_all_pairs_of_two_sided_figures_are_named():
    assert {*SWAPPED, *SWAPPED.values()} >= {*CLUSTERING, "purity", "coverage"}
    assert not {name for name in itertools.chain(*SWAPPED.items()) if name not in metrics.all_metrics()}

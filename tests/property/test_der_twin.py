"""The sweep against slow, obvious twins, and what must hold of both error rates whatever the turns are."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.metrics import der, jer
from parakh.results import total
from parakh.types import Region, Segment

scipy_optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")

KINDS = ("miss", "false_alarm", "confusion", "scored", "speech", "silence", "missed_speech", "false_speech")
KEPT = {"all": lambda n: True, "single": lambda n: n == 1, "overlap": lambda n: n > 1, "nonoverlap": lambda n: n < 2}


def sides(instants, speakers=3, size=12):
    """Two lists of turns; the few instants make ties, touching turns and turns without duration common."""

    def turns(names):
        turn = st.builds(
            lambda name, pair: Segment("s", name, *sorted(pair)), st.sampled_from(names), st.tuples(instants, instants)
        )
        return st.lists(turn, max_size=size)

    return st.tuples(turns([f"r{k}" for k in range(speakers)]), turns([f"h{k}" for k in range(speakers)]))


eighths = st.integers(0, 80).map(lambda k: k / 8)
some_regions = st.none() | st.lists(
    st.tuples(eighths, eighths).map(lambda pair: Region("s", *sorted(pair))), min_size=1, max_size=3
)
collars = st.sampled_from([0.0, 0.125, 0.25, 1.0])
kinds = st.sampled_from(sorted(der.SCORE_REGIONS))


# ------------------------------------------------------------------------------------------------------------ the twins


def speakers_of(turns, regions):
    """Speaker to disjoint turns: cut to the regions, overlaps joined, touching turns kept apart."""
    cut = {}
    for turn in sorted(turns, key=lambda t: (t.start_time, t.end_time)):
        for start, end in regions:
            piece = [max(turn.start_time, start), min(turn.end_time, end)]
            if piece[0] >= piece[1]:
                continue
            own = cut.setdefault(turn.speaker, [])
            own.append(piece)
    return {speaker: join(sorted(pieces)) for speaker, pieces in cut.items()}


def join(pieces, touching=False):
    joined = []
    for start, end in pieces:
        if joined and (start < joined[-1][1] or (touching and start == joined[-1][1])):
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return joined


def spans_of(reference, hypothesis, regions):
    if regions is not None:
        return join(sorted([r.start_time, r.end_time] for r in regions if r.start_time < r.end_time), touching=True)
    times = [t for turn in reference + hypothesis if turn.duration for t in (turn.start_time, turn.end_time)]
    return [[min(times), max(times)]] if times else []


def speaking(speakers, instant):
    return [name for name, turns in speakers.items() if any(start < instant < end for start, end in turns)]


def best_mappings(ref, hyp, pieces):
    """Every mapping of reference to hypothesis speakers with the greatest shared time."""
    shared = {(r, h): 0.0 for r in ref for h in hyp}
    for start, end in pieces:
        middle = (start + end) / 2
        for pair in itertools.product(speaking(ref, middle), speaking(hyp, middle)):
            shared[pair] += end - start
    partners = [*hyp, *[None] * len(ref)]
    mappings = [dict(zip(ref, chosen, strict=True)) for chosen in set(itertools.permutations(partners, len(ref)))]
    gains = [sum(shared[r, h] for r, h in mapping.items() if h is not None) for mapping in mappings]
    return [mapping for mapping, gain in zip(mappings, gains, strict=True) if gain == max(gains)]


def slow_der(reference, hypothesis, regions, collar, score_regions):
    """Seconds by kind for every best mapping: each stretch between two boundaries is looked at in its middle."""
    inside = spans_of(reference, hypothesis, regions)
    ref, hyp = speakers_of(reference, inside), speakers_of(hypothesis, inside)
    boundaries = [t for turns in ref.values() for turn in turns for t in turn]
    edges = {t for turns in [*ref.values(), *hyp.values(), inside] for turn in turns for t in turn}
    mappings = best_mappings(ref, hyp, list(itertools.pairwise(sorted(edges))))
    edges |= {t + side for t in boundaries for side in (-collar, collar)}
    results = []
    for mapping in mappings:
        figures = dict.fromkeys(KINDS, 0.0)
        for start, end in itertools.pairwise(sorted(edges)):
            middle = (start + end) / 2
            now, heard = speaking(ref, middle), speaking(hyp, middle)
            if any(abs(middle - t) < collar for t in boundaries) or not KEPT[score_regions](len(now)):
                continue
            if not any(left < middle < right for left, right in inside):
                continue
            correct = sum(mapping[speaker] in heard for speaker in now)
            figures["miss"] += (end - start) * max(len(now) - len(heard), 0)
            figures["false_alarm"] += (end - start) * max(len(heard) - len(now), 0)
            figures["confusion"] += (end - start) * (min(len(now), len(heard)) - correct)
            figures["scored"] += (end - start) * len(now)
            figures["speech" if now else "silence"] += end - start
            if bool(now) != bool(heard):
                figures["missed_speech" if now else "false_speech"] += end - start
        results.append(figures)
    return results


def raster(turns, inside, frames):
    """Frames by speaker, as dscore fills them."""
    times = jer.FRAME * np.arange(frames)
    speakers = speakers_of(turns, inside)
    grid = np.zeros((len(speakers), frames), dtype=int)
    for row, own in enumerate(speakers.values()):
        for start, end in own:
            first, last = np.searchsorted(times, (start, end))
            grid[row, first:last] = 1
    return grid


def slow_jer(reference, hypothesis, regions):
    inside = spans_of(reference, hypothesis, regions)
    if not inside:
        return 0.0, 0
    frames = int(inside[-1][1] / jer.FRAME)
    ref, hyp = raster(reference, inside, frames), raster(hypothesis, inside, frames)
    both = ref @ hyp.T
    either = ref.sum(axis=1)[:, None] + hyp.sum(axis=1)[None, :] - both
    error = np.where(either > 0, 1 - both / np.maximum(either, 1), 1.0)
    rows, columns = scipy_optimize.linear_sum_assignment(error)
    return error[rows, columns].sum() + len(ref) - len(rows), len(ref)


# ------------------------------------------------------------------------------------------------ equal to the twins


@settings(max_examples=200, deadline=None)
@given(sides(eighths), some_regions, collars, kinds)
def test_error_rate_equals_the_twin(pair, regions, collar, score_regions):
    reference, hypothesis = pair
    fast = der.stats(reference, hypothesis, regions=regions, collar=collar, score_regions=score_regions)
    # Eighths of a second add without rounding, so that equal means equal.
    assert {key: fast[key] for key in KINDS} in slow_der(reference, hypothesis, regions, collar, score_regions)


@settings(max_examples=200, deadline=None)
@given(
    sides(st.integers(0, 400).map(lambda k: k / 100) | st.integers(0, 4000).map(lambda k: k / 1000) | st.floats(0.0, 4.0)),
    st.none() | st.just([Region("s", 0.29, 1.0), Region("s", 1.005, 2.31)]),
)
def test_jaccard_error_equals_the_raster(pair, regions):
    reference, hypothesis = pair
    fast = jer.stats(reference, hypothesis, regions=regions)
    error, speakers = slow_jer(reference, hypothesis, regions)
    assert fast["reference_speakers"] == speakers
    assert fast["jaccard_error"] == pytest.approx(error, abs=1e-9)


# -------------------------------------------------------------------------------------------------- always true of both


@settings(deadline=None)
@given(sides(eighths, speakers=5, size=25), some_regions, collars, kinds)
def test_the_shown_stretches_are_the_counted_seconds(pair, regions, collar, score_regions):
    options = {"regions": regions, "collar": collar, "score_regions": score_regions}
    stats, stretches = der.stats(*pair, **options), der.score_timeline(*pair, **options)
    for kind in der.ErrorKind:
        shown = sum((one.end_time - one.start_time) * one.speakers for one in stretches if one.kind is kind)
        assert shown == stats[kind]
    assert stretches == sorted(stretches, key=lambda one: (one.start_time, one.end_time))


@settings(deadline=None)
@given(sides(eighths, speakers=5, size=25), some_regions, collars, kinds, st.permutations("vwxyz"), st.randoms())
def test_names_and_order_of_turns_do_not_matter(pair, regions, collar, score_regions, names, random):
    renamed = [[Segment("s", names[int(t.speaker[1])], t.start_time, t.end_time) for t in side] for side in pair]
    other = [random.sample(side, len(side)) for side in renamed]
    options = {"regions": regions, "collar": collar, "score_regions": score_regions}
    assert der.stats(*other, **options) == der.stats(*pair, **options)
    assert jer.stats(*other, regions=regions) == jer.stats(*pair, regions=regions)


@settings(deadline=None)
@given(sides(st.floats(0.0, 100.0), speakers=30, size=60), collars)
def test_a_perfect_answer_has_no_error_at_all(pair, collar):
    turns, _ = pair
    stats = der.stats(turns, turns, collar=collar)
    assert [stats[kind] for kind in der.ErrorKind] == [0, 0, 0]
    frames = jer.stats([t for t in turns if t.duration > 0.02], [t for t in turns if t.duration > 0.02])
    assert frames["jaccard_error"] == 0


@settings(deadline=None)
@given(sides(eighths, speakers=4, size=15), some_regions)
def test_seconds_are_consistent_and_bounded(pair, regions):
    reference, hypothesis = pair
    stats = der.stats(reference, hypothesis, regions=regions)
    assert 0 <= stats["missed_speech"] <= stats["miss"]
    assert 0 <= stats["false_speech"] <= stats["false_alarm"]
    assert stats["overlap"] <= stats["speech"] <= stats["scored"]
    assert stats["miss"] + stats["confusion"] <= stats["scored"]
    errors = jer.stats(reference, hypothesis, regions=regions)
    assert 0 <= errors["jaccard_error"] <= errors["reference_speakers"]


@settings(deadline=None)
@given(st.lists(sides(eighths), min_size=1, max_size=4))
def test_recordings_add_like_one_recording_of_separate_stretches(pairs):
    """Two recordings scored apart and added: at least as good as one recording with the speakers' names shared."""
    apart = total([der.stats(reference, hypothesis) for reference, hypothesis in pairs])
    shifted = [
        [Segment("s", t.speaker, t.start_time + 20 * k, t.end_time + 20 * k) for k, pair in enumerate(pairs) for t in pair[side]]
        for side in (0, 1)
    ]
    together = der.stats(*shifted)
    assert (apart["miss"], apart["false_alarm"], apart["scored"]) == (
        together["miss"],
        together["false_alarm"],
        together["scored"],
    )
    assert apart["confusion"] <= together["confusion"]

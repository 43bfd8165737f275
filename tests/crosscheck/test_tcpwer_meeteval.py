"""cpWER and tcpWER equal meeteval 0.4.3 in every figure, on generated sessions with everything that is awkward in them."""

import logging
import random
from collections import Counter
from dataclasses import replace

import pytest

from parakh.metrics import cpwer, tcpwer
from parakh.types import AlignedWord, Op, Segment

meeteval = pytest.importorskip("meeteval")
SEGLST = meeteval.io.SegLST
SPACES = [" ", " ", " ", "\u00a0", "\u3000", "\t", "\u2028", "\x1f", "\u200b", "\x85"]
WORDS = ["a", "b", "कब", "से", "बुखार", "ನೋವು", "x1", "😀y", "i", "दवा"]
COLLARS = [0.0, 0.5, 3.0, 5.0, 30.0]
TIMINGS = ["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment"]


@pytest.fixture(autouse=True)
def _quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def text(rng: random.Random, words: int) -> str:
    lead = rng.choice(SPACES) if rng.random() < 0.2 else ""
    return lead + "".join(rng.choice(WORDS) + rng.choice(SPACES) for _ in range(words))


def side(rng: random.Random, duration: float) -> list[Segment]:
    speakers = rng.randint(1, 8)
    segments = []
    for _ in range(rng.choice([0, 1, 3, 10, 20])):
        start = round(rng.uniform(0, duration), rng.choice([0, 1, 3]))
        end = start + rng.choice([0, 0.5, 1, 3, round(rng.uniform(0, 8), 2)])
        segments.append(Segment("s", f"k{rng.randrange(speakers)}", start, end, text(rng, rng.choice([0, 1, 1, 2, 3, 5, 9]))))
    return segments


def blurred(rng: random.Random, segments: list[Segment]) -> list[Segment]:
    def speaker(segment: Segment) -> str | None:
        return segment.speaker if rng.random() < 0.8 else "z"

    def words(segment: Segment) -> str:
        return " ".join(word for word in segment.words.split() if rng.random() < 0.8)

    kept = [segment for segment in segments if rng.random() < 0.9]
    return [Segment("s", speaker(one), one.start_time, one.end_time, words(one)) for one in kept]


def session(seed: int) -> tuple[list[Segment], list[Segment]]:
    rng = random.Random(seed)
    duration = rng.choice([3.0, 10.0, 60.0])
    reference = side(rng, duration)
    return reference, (side(rng, duration) if rng.random() < 0.5 else blurred(rng, reference))


def long_session(seed: int) -> tuple[list[Segment], list[Segment]]:
    """Two speakers with several hundred words each: more than one group of 256 rows."""
    rng = random.Random(seed)
    vocabulary = [f"w{k}" for k in range(rng.choice([3, 30, 300]))]
    reference = [
        Segment("s", f"k{k % 2}", 4.0 * k, 4.0 * k + 5, " ".join(rng.choices(vocabulary, k=rng.randint(1, 15))))
        for k in range(rng.choice([60, 130, 200]))
    ]
    return reference, blurred(rng, reference)


def seglst(segments: list[Segment]) -> object:
    fields = ("session_id", "speaker", "start_time", "end_time", "words")
    return SEGLST([{field: getattr(segment, field) for field in fields} for segment in segments])


def published(reference: list[Segment], hypothesis: list[Segment], options: dict[str, object] | None) -> dict[str, float]:
    sides = seglst(reference), seglst(hypothesis)
    if options is None:
        result = meeteval.wer.wer.cp.cp_word_error_rate(*sides)
    else:
        renamed = {key.replace("_timing", "_pseudo_word_level_timing"): value for key, value in options.items()}
        result = meeteval.wer.wer.time_constrained.tcp_word_error_rate(*sides, **renamed)
    keys = "errors length insertions deletions substitutions missed_speaker falarm_speaker scored_speaker"
    found = {key: getattr(result, key) for key in keys.split()}
    for side in ("reference", "hypothesis"):
        overlap = getattr(result, f"{side}_self_overlap")
        found[f"{side}_self_overlap"] = overlap.overlap_time if overlap else 0
        found[f"{side}_total_time"] = overlap.total_time if overlap else 0
    return found


def kinds(alignment: list[AlignedWord]) -> dict[str, int]:
    found = Counter(word.op for word in alignment)
    return {"insertions": found[Op.INSERTION], "deletions": found[Op.DELETION], "substitutions": found[Op.SUBSTITUTION]}


def differences(reference: list[Segment], hypothesis: list[Segment], options: dict[str, object] | None) -> list[object]:
    """What differs from meeteval, or between our statistics and our alignment; cpWER where there are no options."""
    metric = cpwer if options is None else tcpwer
    ours, theirs = metric.stats(reference, hypothesis, **(options or {})), published(reference, hypothesis, options)
    found: list[object] = []
    if {key: ours[key] for key in theirs} != pytest.approx(theirs, rel=1e-12, abs=1e-9):
        found.append((ours, theirs))
    counts = kinds(metric.align(reference, hypothesis, **(options or {})))
    if counts != {key: ours[key] for key in counts}:
        found.append((ours, counts))
    return found


def all_differences(seeds: range, options: dict[str, object] | None) -> list[object]:
    sessions = ((seed, *session(seed)) for seed in seeds)
    found = ((seed, differences(*sides, options)) for seed, *sides in sessions if any(sides))
    return [one for one in found if one[1]]


@pytest.mark.parametrize("collar", COLLARS)
def test_tcpwer_equals_meeteval(collar):
    first = 400 * COLLARS.index(collar)
    assert all_differences(range(first, first + 400), {"collar": collar}) == []


def test_cpwer_equals_meeteval():
    assert all_differences(range(2000, 2400), None) == []


@pytest.mark.parametrize("said", TIMINGS)
def test_tcpwer_equals_meeteval_with_every_pseudo_timing(said):
    for number, heard in enumerate(TIMINGS):
        first = 3000 + 100 * TIMINGS.index(said) + 20 * number
        options = {"collar": COLLARS[number], "reference_timing": said, "hypothesis_timing": heard}
        assert all_differences(range(first, first + 20), options) == []


def test_tcpwer_equals_meeteval_on_single_words():
    options = {"collar": 0.5, "reference_timing": "none", "hypothesis_timing": "none"}
    for seed in range(50):
        sides = [[replace(one, words=one.words.split()[0]) for one in side if one.words.split()] for side in session(seed)]
        assert not any(sides) or differences(*sides, options) == []


@pytest.mark.parametrize("collar", [0.0, 5.0, 1000.0, None])
def test_long_sessions_equal_meeteval(collar):
    for seed in range(4):
        assert differences(*long_session(seed), None if collar is None else {"collar": collar}) == []

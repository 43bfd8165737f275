"""cpWER and tcpWER equal meeteval 0.4.3 in every count, on generated sessions with everything that is awkward in them."""

import logging
import random
from collections import Counter

import pytest

from parakh.metrics import cpwer, tcpwer
from parakh.types import AlignedWord, Op, Segment

meeteval = pytest.importorskip("meeteval")
SEGLST = meeteval.io.SegLST
SPACES = [" ", " ", " ", "\u00a0", "\u3000", "\t", "\u2028", "\x1f", "\u200b", "\x85"]
WORDS = ["a", "b", "कब", "से", "बुखार", "ನೋವು", "x1", "😀y", "i", "दवा"]
SESSIONS = range(1000)
COLLARS = [0.0, 0.5, 3.0, 5.0, 30.0]


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


def published(reference: list[Segment], hypothesis: list[Segment], collar: float | None) -> dict[str, int]:
    def convert(segments: list[Segment]) -> object:
        fields = ("session_id", "speaker", "start_time", "end_time", "words")
        return SEGLST([{field: getattr(segment, field) for field in fields} for segment in segments])

    if collar is None:
        result = meeteval.wer.wer.cp.cp_word_error_rate(convert(reference), convert(hypothesis))
    else:
        result = meeteval.wer.wer.time_constrained.tcp_word_error_rate(convert(reference), convert(hypothesis), collar=collar)
    keys = "errors length insertions deletions substitutions missed_speaker falarm_speaker scored_speaker"
    return {key: getattr(result, key) for key in keys.split()}


def kinds(alignment: list[AlignedWord]) -> dict[str, int]:
    found = Counter(word.op for word in alignment)
    return {"insertions": found[Op.INSERTION], "deletions": found[Op.DELETION], "substitutions": found[Op.SUBSTITUTION]}


def differences(sessions: list[tuple[list[Segment], list[Segment]]], collar: float | None) -> list[object]:
    found = []
    for number, (reference, hypothesis) in enumerate(sessions):
        if not reference and not hypothesis:
            continue
        options = {} if collar is None else {"collar": collar}
        metric = cpwer if collar is None else tcpwer
        ours, theirs = metric.stats(reference, hypothesis, **options), published(reference, hypothesis, collar)
        if {key: ours[key] for key in theirs} != theirs:
            found.append((number, ours, theirs))
        counts = kinds(metric.align(reference, hypothesis, **options))
        if counts != {key: ours[key] for key in counts}:
            found.append((number, ours, counts))
    return found


@pytest.mark.parametrize("collar", COLLARS)
def test_tcpwer_counts_equal_meeteval(collar):
    assert differences([session(seed) for seed in SESSIONS], collar) == []


def test_cpwer_counts_equal_meeteval():
    assert differences([session(seed) for seed in SESSIONS], None) == []


@pytest.mark.parametrize("collar", [0.0, 5.0, 1000.0, None])
def test_counts_equal_meeteval_on_long_sessions(collar):
    assert differences([long_session(seed) for seed in range(15)], collar) == []

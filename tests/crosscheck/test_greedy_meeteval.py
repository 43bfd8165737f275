"""The greedy error rates equal meeteval 0.4.3 in every count and assignment, on generated sessions with everything awkward."""

import logging
from collections import Counter

import pytest

from parakh.metrics import dicpwer, ditcpwer, greedy_orcwer, greedy_tcorcwer
from parakh.types import Op, Segment
from tests.crosscheck.test_tcpwer_meeteval import long_session, session

meeteval = pytest.importorskip("meeteval")
ORC, TCORC, DI = meeteval.wer.wer.orc, meeteval.wer.wer.time_constrained_orc, meeteval.wer.wer.di_cp
FIELDS = ("session_id", "speaker", "start_time", "end_time", "words")
KINDS = ("errors", "length", "insertions", "deletions", "substitutions")
COLLARS = (0.0, 0.5, 3.0, 5.0, 30.0)
SESSIONS = range(2000)
PAIRS = {
    "greedy_orcwer": (greedy_orcwer, ORC.greedy_orc_word_error_rate),
    "dicpwer": (dicpwer, DI.greedy_di_cp_word_error_rate),
    "greedy_tcorcwer": (greedy_tcorcwer, TCORC.greedy_time_constrained_orc_wer),
    "ditcpwer": (ditcpwer, DI.greedy_di_tcp_word_error_rate),
}
every_pair = pytest.mark.parametrize("name", PAIRS)


@pytest.fixture(autouse=True)
def _quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def published(segments: list[Segment]) -> object:
    return meeteval.io.SegLST([{field: getattr(segment, field) for field in FIELDS} for segment in segments])


def disagreement(name: str, number: int, reference: list[Segment], hypothesis: list[Segment]) -> tuple[object, ...] | None:
    metric, theirs = PAIRS[name]
    options = {"collar": COLLARS[number % len(COLLARS)]} if "collar" in metric.METRICS[0].options else {}
    expected = theirs(published(reference), published(hypothesis), **options)
    found = metric.stats(reference, hypothesis, **options)
    names = metric.assignment(reference, hypothesis, **options)
    kinds = Counter(step.op for step in metric.align(reference, hypothesis, **options))
    # Without streams, meeteval puts "dummy" in the place of a name.
    agree = (
        all(found[key] == getattr(expected, key) for key in KINDS)
        and ["dummy" if one is None else one for one in names] == list(expected.assignment)
        and [found[key] for key in ("hits", "substitutions", "deletions", "insertions")] == [kinds[op] for op in Op]
    )
    return None if agree else (number, options, found, expected, names)


@every_pair
def test_counts_and_assignments_equal_meeteval(name):
    sessions = [(number, *session(number)) for number in SESSIONS]
    found = [disagreement(name, *one) for one in sessions if one[1] or one[2]]
    assert [one for one in found if one] == []


@every_pair
def test_counts_equal_meeteval_on_long_sessions(name):
    found = [disagreement(name, number, *long_session(number)) for number in range(5)]
    assert [one for one in found if one] == []

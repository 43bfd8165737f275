"""MIMO-WER and the greedy error rates of public test data and of toys, as published with meeteval 0.4.3; cited at each."""

import pytest

from parakh.errors import InputError
from parakh.metrics import dicpwer, ditcpwer, greedy_orcwer, greedy_tcorcwer, mimower
from parakh.types import Segment
from tests.golden.test_tcpwer_published import DATA, needs_data, pooled

EVERY = (dicpwer, ditcpwer, greedy_orcwer, greedy_tcorcwer, mimower)


# meeteval tests/test_python_api.py: ORC, MIMO, DI-cp and tcORC (collar 5) of its example files.
@needs_data
@pytest.mark.parametrize("metric", EVERY, ids=lambda metric: metric.METRICS[0].name)
def test_meeteval_examples(metric):
    folder = DATA / "meeteval" / "example_files"
    found = pooled(folder / "ref.stm", folder / "hyp.stm", metric)
    assert (found["errors"], found["length"]) == (9, 92)


def utterances(*texts: str) -> list[Segment]:
    return [Segment("s", speaker, words=text) for speaker, _, text in (one.partition(":") for one in texts)]


# The docstrings of meeteval.wer.wer.orc.greedy_orc_word_error_rate and di_cp.greedy_di_cp_word_error_rate.
@pytest.mark.parametrize(
    ("metric", "reference", "hypothesis", "errors", "assignment"),
    [
        (greedy_orcwer, ["0:a b", "0:c d", "0:e f"], ["A:a b", "B:c d e f"], 0, ["A", "B", "B"]),
        (greedy_orcwer, ["0:a", "0:c d e"], ["A:a c", "B:d e"], 2, ["A", "B"]),
        (greedy_orcwer, ["0:a"], [], 1, [None]),
        (dicpwer, ["A:a", "A:b", "B:c", "B:d"], ["A:a", "B:b", "A:c", "B:d"], 0, ["A", "A", "B", "B"]),
        (dicpwer, ["A:a", "A:b", "B:c", "B:d"], ["A:a b", "A:b c d"], 1, ["A", "B"]),
    ],
)
def test_meeteval_docstrings(metric, reference, hypothesis, errors, assignment):
    sides = utterances(*reference), utterances(*hypothesis)
    assert metric.stats(*sides)["errors"] == errors
    assert metric.assignment(*sides) == assignment


# The docstring of meeteval.wer.wer.mimo.mimo_word_error_rate.
@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        (["A:a b", "A:c d", "B:e f"], ["0:a b", "1:e f c d"]),
        (["A:a b", "A:c d", "B:e f"], ["0:a b", "1:c d e f"]),
        (["A:a b", "A:c d", "B:e f"], ["0:c d", "1:a b e f"]),
    ],
)
def test_meeteval_mimo_docstrings(reference, hypothesis):
    assert mimower.stats(*(utterances(*one) for one in (reference, hypothesis)))["errors"] == 0


def test_more_streams_than_meeteval_takes():
    reference = [Segment("s", f"r{k}", k, k + 1, f"word{k} दवा") for k in range(30)]
    hypothesis = [Segment("s", f"h{k}", k, k + 1, f"word{k}") for k in range(30)]
    for metric in EVERY:
        assert metric.stats(reference, hypothesis)["errors"] == 30


def test_the_cheapest_forms_are_taken():
    reference = [
        Segment("s", "A", 0.0, 1.0, "two tablets", forms=("2 tablets",)),
        Segment("s", "B", 1.0, 2.0, "haan", forms=("yes",)),
    ]
    hypothesis = [Segment("s", "p", 0.0, 1.0, "2 tablets"), Segment("s", "p", 1.0, 2.0, "yes")]
    for metric in EVERY:
        found = metric.stats(reference, hypothesis)
        assert (found["errors"], found["length"]) == (0, 3)
        assert [step.reference for step in metric.align(reference, hypothesis)] == ["2", "tablets", "yes"]


def test_what_is_wrong_with_a_segment_is_named():
    for metric in EVERY:
        with pytest.raises(InputError, match="hypothesis of v1:1: speaker: found none, expected a speaker"):
            metric.stats([], [Segment("v1", None, 0.0, 1.0, "a")])

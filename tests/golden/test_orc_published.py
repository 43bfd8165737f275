"""ORC-WER and tcORC-WER of public test data, as published with it; cited at each."""

from pathlib import Path

import pytest

from parakh import formats
from parakh.metrics import orcwer, tcorcwer
from parakh.results import total
from parakh.types import Segment

FOLDER = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "meeteval" / "example_files"


def sessions(name: str) -> dict[str, list[Segment]]:
    found: dict[str, list[Segment]] = {}
    for segment in formats.load(FOLDER / name, Segment).items:
        found.setdefault(segment.session_id, []).append(segment)
    return found


# meeteval tests/test_python_api.py, example_files.
@pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder of public test data is not beside this checkout")
@pytest.mark.parametrize(("metric", "options"), [(orcwer, {}), (tcorcwer, {"collar": 5.0})])
def test_meeteval_examples(metric, options):
    said, heard = sessions("ref.stm"), sessions("hyp.stm")
    found = total([metric.stats(said[name], heard[name], **options) for name in said])
    assert (found["errors"], found["length"]) == (9, 92)


# meeteval meeteval/wer/wer/orc.py, docstring of orc_word_error_rate.
@pytest.mark.parametrize(
    ("utterances", "streams", "errors", "combination"),
    [
        (["a b", "c d", "e f"], {"0": "a b c d e f"}, 0, ["0", "0", "0"]),
        (["a b", "c d", "e f"], {"0": "a b", "1": "c d e f"}, 0, ["0", "1", "1"]),
        (["a", "c d", "e"], {"A": "a c", "B": "d e"}, 2, ["A", "A", "B"]),
    ],
)
def test_meeteval_docstring(utterances, streams, errors, combination):
    reference = [Segment("s", "r", words=text) for text in utterances]
    hypothesis = [Segment("s", speaker, words=text) for speaker, text in streams.items()]
    assert orcwer.stats(reference, hypothesis)["errors"] == errors
    assert orcwer.assignment(reference, hypothesis) == combination


# meeteval meeteval/wer/wer/time_constrained_orc.py, docstring of time_constrained_orc_wer.
def test_meeteval_docstring_with_times():
    found = tcorcwer.stats([Segment("a", "A", 0, 1, "a b")], [Segment("a", "A", 0, 1, "a d")])
    assert [found[key] for key in ("errors", "insertions", "deletions", "substitutions")] == [1, 0, 0, 1]

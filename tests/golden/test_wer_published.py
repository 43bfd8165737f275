"""WER and CER of public test data, as published with it; cited at each."""

from pathlib import Path

import pytest

from parakh import formats
from parakh.metrics import cer, get, wer
from parakh.results import total
from parakh.types import Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of public test data is not beside this checkout")


def one(reference: str, hypothesis: str, metric=wer):
    return metric.stats([Segment("s", words=reference)], [Segment("s", words=hypothesis)])


def split(stats) -> tuple[float, ...]:
    return tuple(stats[key] for key in ("errors", "length", "insertions", "deletions", "substitutions"))


# fstalign test/fstalign_Test.cc, lower case as there; the same from jiwer 4.0.0: errors, length, insertions, deletions, substitutions.
FSTALIGN = [
    ("test1.ref.txt", "test1.hyp.txt", (10, 76, 1, 2, 7)),
    ("syn_1.ref.txt", "syn_1.hyp.txt", (8, 21, 3, 2, 3)),
    ("syn_10.ref.txt", "syn_10.hyp.txt", (1, 6)),
    ("wer_utf.ref.txt", "wer_utf.hyp.txt", (2, 7, 1, 0, 1)),
    ("empty.ref.txt", "empty.hyp.txt", (3, 3, 0, 3, 0)),
    ("empty.hyp.txt", "empty.ref.txt", (3, 0, 3, 0, 0)),
]


# jiwer tests/test_measures.py and tests/test_cer.py.
@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors", "length"),
    [
        ("", "peaceful silence", 2, 0),
        ("", "", 0, 0),
        ("X", "X X Y Y", 3, 1),
        ("X Y X", "X Z", 2, 3),
        ("i am a short ground truth", "i am a considerably longer and very much incorrect hypothesis", 7, 6),
    ],
)
def test_jiwer_examples(reference, hypothesis, errors, length):
    found = one(reference, hypothesis)
    assert (found["errors"], found["length"]) == (errors, length)
    assert wer.METRICS[0].score(found) == (errors / length if length else None)


# jiwer tests/test_measures.py.
@pytest.mark.parametrize(
    ("reference", "hypothesis", "mer", "wil"), [("X", "X X Y Y", 3 / 4, 3 / 4), ("X Y X", "X Z", 2 / 3, 5 / 6)]
)
def test_jiwer_examples_of_match_error_and_word_information(reference, hypothesis, mer, wil):
    found = one(reference, hypothesis)
    assert [get(name).score(found) for name in ("mer", "wil", "wip")] == pytest.approx([mer, wil, 1 - wil])


# By the definitions (Morris, Maier and Green, Interspeech 2004) with H = N and I = N: WER I/N, MER I/(N + I), WIP N/(N + I).
def test_insertions_cost_what_the_definitions_say():
    found = one("a b c", "a x b y c z")
    assert [get(name).score(found) for name in ("wer", "mer", "wip", "wil")] == [1.0, 0.5, 0.5, 0.5]


def test_characters_of_an_empty_reference_are_inserted():
    assert split(one("", "abcde", cer)) == (5, 0, 5, 0, 0)


def test_any_run_of_white_space_is_one_boundary():
    assert split(one("a\u00a0b\u2028 c", " a b\tc ")) == (0, 3, 0, 0, 0)
    assert split(one("a  b", "a b", cer)) == (0, 3, 0, 0, 0)


# SCRIBE tests: CER of a sandhi pair, 3/16 (scribe-eval 0.1.1).
def test_characters_are_code_points():
    assert split(one("ഇന്ന് അല്ലെങ്കിൽ", "ഇന്നല്ലെങ്കിൽ", cer))[:2] == (3, 16)


def pooled(folder: str, metric=wer):
    sides = [formats.load(DATA / "cases" / folder / f"{side}.txt", Segment).items for side in ("ref", "hyp")]
    heard = {segment.session_id: segment for segment in sides[1]}
    return total([metric.stats([segment], [heard[segment.session_id]]) for segment in sides[0]])


@needs_data
@pytest.mark.parametrize(
    ("folder", "errors", "length"),
    [
        ("21-macro-vs-micro", 3, 12),
        ("22-empty-reference-utterance", 2, 4),
        ("24-cross-utterance-alignment", 2, 4),
        ("28-vowel-signs-stripped", 3, 7),
        ("34-unicode-line-separators", 1, 7),
    ],
)
def test_cases_with_keyed_text(folder, errors, length):
    found = pooled(folder)
    assert (found["errors"], found["length"]) == (errors, length)


@needs_data
def test_case_22_counts_the_inserted_characters():
    assert pooled("22-empty-reference-utterance", cer)["insertions"] == len("अच्छा जी")


@needs_data
def test_case_27_joins_the_segments_of_a_session_in_time_order():
    folder = DATA / "cases" / "27-many-segments-per-speaker-siso"
    sides = [formats.load(folder / f"{side}.seglst.json", Segment).items for side in ("ref", "hyp")]
    assert split(wer.stats(*sides))[:2] == (1, 6)


@needs_data
def test_case_37_takes_the_alternatives_that_fit():
    folder = DATA / "cases" / "37-stm-alternation-and-labels"
    reference, hypothesis = formats.load(folder / "nist.stm", Segment).items, formats.load(folder / "hyp.ctm", Segment).items
    assert split(wer.stats(reference, hypothesis)) == (1, 6, 0, 1, 0)


@needs_data
@pytest.mark.parametrize(("reference", "hypothesis", "expected"), FSTALIGN)
def test_fstalign_examples(reference, hypothesis, expected):
    folder = DATA / "fstalign" / "test" / "data"
    texts = [(folder / name).read_text(encoding="utf-8").lower() for name in (reference, hypothesis)]
    assert split(one(*texts))[: len(expected)] == expected

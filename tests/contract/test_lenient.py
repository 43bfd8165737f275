"""Rates beside the word error rate: across scripts, and on points of interest."""

import json
from dataclasses import asdict

import pytest

from parakh.diagnostics import Pair
from parakh.diagnostics.alignment import align_session, align_texts
from parakh.diagnostics.breakdown import breakdown
from parakh.diagnostics.categories import bundled, parse_terms
from parakh.diagnostics.lenient import Forgiven, Lenient, Points, all_points, transliterated
from parakh.diagnostics.setup import Setup
from parakh.types import Segment

SETUP = Setup("hi", views=(bundled("ENGLISH"),))


def corpus(reference: str, hypothesis: str, setup: Setup = SETUP, session: str = "v1") -> list[tuple[str, Pair]]:
    return [(session, pair) for pair in align_texts(reference, hypothesis, setup)]


def words(result: Lenient) -> list[tuple[str, str, int]]:
    return [(row.reference, row.hypothesis, row.count) for row in result.forgiven]


def points_of(pairs, name):
    return all_points(pairs).get(name, Points(0, 0, 0, 0, None))


def test_a_word_in_another_script_is_forgiven_and_listed() -> None:
    pairs = corpus("doctor ने tablet दी", "डॉक्टर ने टैबलेट दी")
    result = transliterated(pairs)
    assert (breakdown(pairs).total.errors, result.errors, result.length, result.rate) == (2, 0, 4, 0.0)
    assert words(result) == [("doctor", "डॉक्टर", 1), ("tablet", "टैबलेट", 1)]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "left"),
    [
        ("डॉक्टर आए", "डाक्टर आए", 1),  # one script: an error as everywhere
        ("tablet लो", "tablets लो", 1),
        ("tablet लो", "इंजेक्शन लो", 1),  # another word
        ("दवा लो", "दवा लो", 0),
        ("BP देखो", "बीपी देखो", 0),
        ("ಡಾಕ್ಟರ್ बोले", "डॉक्टर बोले", 0),
    ],
)
def test_only_the_same_word_in_another_script_is_forgiven(reference: str, hypothesis: str, left: int) -> None:
    assert transliterated(corpus(reference, hypothesis)).errors == left


def test_words_of_a_run_of_errors_are_paired_anew() -> None:
    pairs = corpus("doctor tablet लो", "हाँ जी डॉक्टर टैबलेट लो")
    assert words(transliterated(pairs)) == [("doctor", "डॉक्टर", 1), ("tablet", "टैबलेट", 1)]
    assert transliterated(pairs).errors == 2


def test_runs_end_with_the_recording() -> None:
    pairs = corpus("doctor", "", session="v1") + corpus("", "डॉक्टर", session="v2")
    assert transliterated(pairs) == Lenient(2, 1, 2.0, ())


def test_words_of_speakers_that_do_not_belong_together_stay_apart() -> None:
    said = [Segment("v", "A", 0, 1, "दवा लो"), Segment("v", "B", 1, 2, "doctor")]
    heard = [Segment("v", "p", 0, 1, "दवा लो डॉक्टर")]
    pairs = [("v", pair) for pair in align_session(said, heard, SETUP)]
    assert transliterated(pairs) == Lenient(2, 3, 2 / 3, ())


def test_words_whose_times_are_apart_stay_apart() -> None:
    said = [Segment("v", "A", 0, 1, "दवा"), Segment("v", "A", 1, 2, "doctor")]
    heard = [Segment("v", "p", 0, 1, "दवा"), Segment("v", "p", 60, 61, "डॉक्टर")]
    pairs = [("v", pair) for pair in align_session(said, heard, SETUP, collar=5.0)]
    assert transliterated(pairs, collar=5.0).errors == 2
    assert transliterated(pairs).errors == 0


def test_terms_are_forgiven_as_a_whole() -> None:
    setup = Setup("hi", categories=(parse_terms("MEDICAL", ["blood pressure", "ब्लड प्रेशर"]),))
    result = transliterated(corpus("blood pressure देखो", "ब्लड प्रेशर देखो", setup))
    assert (result.errors, words(result)) == (0, [("blood pressure", "ब्लड प्रेशर", 1)])


def test_marks_are_never_forgiven() -> None:
    result = transliterated(corpus("doctor, लो", "डॉक्टर। लो"))
    assert (result.errors, len(result.forgiven)) == (1, 1)


def test_frequent_words_come_first_and_sessions_add() -> None:
    one, two = corpus("sugar doctor", "शुगर डॉक्टर"), corpus("doctor", "डॉक्टर", session="v2")
    result = transliterated(one + two)
    assert words(result) == [("doctor", "डॉक्टर", 2), ("sugar", "शुगर", 1)]
    assert result.length == transliterated(one).length + transliterated(two).length
    assert transliterated(two + one) == result


def test_an_empty_corpus_has_no_rate() -> None:
    assert transliterated([]) == Lenient(0, 0, None, ())
    assert points_of([], "ENGLISH") == Points(0, 0, 0, 0, None)


def test_long_runs_keep_their_pairs() -> None:
    said = ["doctor", *("क" * (k % 7 + 1) for k in range(150))]
    heard = ["डॉक्टर", *("म" * (k % 7 + 1) for k in range(150))]
    result = transliterated(corpus(" ".join(said), " ".join(heard)))
    assert (result.errors, words(result)) == (150, [("doctor", "डॉक्टर", 1)])


def test_results_are_plain_values() -> None:
    result = transliterated(corpus("doctor", "डॉक्टर"))
    assert json.loads(json.dumps(asdict(result)))["forgiven"] == [{"reference": "doctor", "hypothesis": "डॉक्टर", "count": 1}]
    assert result.forgiven == (Forgiven("doctor", "डॉक्टर", 1),)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("मुझे tablet दो", "मुझे tablet दो", Points(1, 0, 0, 0, 0.0)),
        ("मुझे tablet दो", "मुझे गोली दो", Points(1, 1, 0, 0, 1.0)),
        ("मुझे tablet दो", "मुझे दो", Points(1, 0, 1, 0, 1.0)),
        ("मुझे tablet दो", "उसे tablet लो", Points(1, 0, 0, 0, 0.0)),  # errors elsewhere
        ("मुझे tablet दो", "मुझे tablet doctor दो", Points(1, 0, 0, 1, 1.0)),
        ("मुझे दवा दो", "मुझे tablet दो", Points(0, 0, 0, 0, None)),  # the reference word is no point
        ("मुझे दो", "मुझे tablet दो", Points(0, 0, 0, 1, None)),
    ],
)
def test_errors_on_points_of_interest(reference: str, hypothesis: str, expected: Points) -> None:
    assert points_of(corpus(reference, hypothesis), "ENGLISH") == expected


def test_categories_are_points_too_and_all_names_are_told() -> None:
    setup = Setup("hi", categories=(bundled("MEDICAL"),), views=(bundled("ENGLISH"), bundled("NEGATION")))
    found = all_points(corpus("paracetamol नहीं 2", "नहीं 3", setup))
    assert list(found) == ["ENGLISH", "LEXICAL", "MEDICAL", "NEGATION", "NUMERAL"]
    assert found["MEDICAL"] == found["ENGLISH"] == Points(1, 0, 1, 0, 1.0)
    assert found["NUMERAL"] == Points(1, 1, 0, 0, 1.0)
    assert found["NEGATION"] == Points(1, 0, 0, 0, 0.0)


def test_points_of_all_categories_add_up_to_all_errors() -> None:
    pairs = corpus("doctor ने 2 tablet दी, ठीक?", "डॉक्टर ने दो टैबलेट ठीक है।")
    kinds = [points_of(pairs, name) for name in ("LEXICAL", "NUMERAL", "PUNCT")]
    total = breakdown(pairs).total
    assert sum(one.substitutions + one.deletions + one.insertions for one in kinds) == total.errors
    assert sum(one.length for one in kinds) == total.n

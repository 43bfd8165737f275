"""Of what kind an error is: what the bundled lists say, and what comes before them."""

import pytest

from parakh.diagnostics.categories import bundled
from parakh.diagnostics.kinds import WordErrorKind, error_kinds, moved_words
from parakh.evaluate import evaluate
from parakh.metrics import tcpwer, wer
from parakh.tracks import get
from parakh.types import Op, Segment


def kinds(said: str, heard: str, language: str | None = None) -> list[str]:
    """The kinds of the errors between two texts, in order."""
    sides = [[Segment("v1", words=text, language=language)] for text in (said, heard)]
    found = error_kinds(wer.align(*sides), *sides)
    return [str(kind) for kind in found if kind is not None]


@pytest.mark.parametrize(
    ("said", "heard", "language", "expected"),
    [
        ("रोज पाँच गोली", "रोज पचास गोली", "hi", ["number"]),  # languages/numbers/hi.toml
        ("बीपी 140 है", "बीपी 104 है", "hi", ["number"]),
        ("ಮಾತ್ರೆ ಎರಡು ತಗೊಳ್ಳಿ", "ಮಾತ್ರೆ ಹತ್ತು ತಗೊಳ್ಳಿ", "kn", ["number"]),  # languages/numbers/kn.toml
        ("दवा में मेटफॉर्मिन लो", "दवा में मेट लो", "hi", ["medical"]),  # clinical/data/medicines.tsv
        ("आज सूजन आई", "आज आई", "hi", ["medical"]),  # lists/medical.txt
        ("बुखार नहीं आया", "बुखार आया", "hi", ["negation"]),  # lists/negation.txt
        ("बुखार भी आया", "बुखार नहीं आया", "hi", ["negation"]),  # the word of the hypothesis, where that of the reference is plain
        ("ಜ್ವರ ಇಲ್ಲ ಅಂತ", "ಜ್ವರ ಅಂತ", "kn", ["negation"]),
        ("वो मैडम आई", "वो आई", "hi", ["english"]),  # lists/english.txt
        ("कल school आओ", "कल आओ", "hi", ["english"]),
        ("come to the hotel", "come to the hostel", "en", ["other"]),  # in English no word is an English one
        ("अब हम्म बोलो", "अब बोलो", "hi", ["filler"]),  # lists/filler.txt
        ("दवा, लो", "दवा लो", "hi", ["mark"]),
        ("दवा । लो", "दवा लो", "hi", ["mark"]),
        ("हूँ रोज", "हूं रोज़", "hi", ["spelling", "spelling"]),  # tiers chandrabindu and nukta
        ("भाई साहब आए", "भाईसाहब आए", "hi", ["spelling", "spelling"]),
        ("गोली पाँच सौ दो", "गोली 500 दो", "hi", ["spelling", "spelling"]),
        ("वो घर गया", "वो गया", "hi", ["other"]),
    ],
)
def test_what_a_word_is(said: str, heard: str, language: str, expected: list[str]) -> None:
    assert kinds(said, heard, language) == expected


def test_a_term_of_several_words_is_one_whichever_of_them_is_wrong() -> None:
    assert any(term.words == ("खून", "की", "जांच") for term in bundled("MEDICAL", ["hi"]).terms)
    assert kinds("आज खून की जांच करो", "आज खून में जांच करो", "hi") == ["medical"]


def test_the_language_is_guessed_by_script_where_the_segment_carries_none() -> None:
    assert kinds("ಜ್ವರ ಇಲ್ಲ ಅಂತ", "ಜ್ವರ ಅಂತ") == ["negation"]


def test_the_right_word_under_the_wrong_speaker() -> None:
    said = [Segment("v1", "A", 0.0, 2.0, "दवा ली"), Segment("v1", "B", 2.0, 4.0, "नहीं ली थी")]
    heard = [Segment("v1", "p", 0.0, 3.0, "दवा ली नहीं"), Segment("v1", "q", 3.0, 4.0, "ली थी")]
    alignment = tcpwer.align(said, heard)
    moved = moved_words(wer.align(said, heard), tcpwer.speaker_mapping(said, heard))
    found = error_kinds(alignment, said, heard, moved=moved)
    told = [(str(step.op), str(kind)) for step, kind in zip(alignment, found, strict=True) if kind]
    assert sorted(told) == [("deletion", "speaker"), ("insertion", "speaker")]
    assert {str(kind) for kind in error_kinds(alignment, said, heard) if kind} == {"negation"}


def test_each_error_has_one_kind_and_a_match_has_none() -> None:
    said = [Segment("v1", "A", 0.0, 9.0, "मुझे दो दिन से बुखार नहीं है डॉक्टर साहब")]
    heard = [Segment("v1", "p", 0.0, 9.0, "मुझे तीन दिन बुखार है नहीं साब जी")]
    (row,) = evaluate(get("asr"), said, heard, detail=True).recordings
    steps = row.detail["alignment"]
    assert all(("kind" in step) == (step["op"] != Op.MATCH) for step in steps)
    assert {step["kind"] for step in steps if "kind" in step} <= set(WordErrorKind)
    assert sum("kind" in step for step in steps) == row.stats["tcpwer"]["errors"]

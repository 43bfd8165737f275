"""Boundary-tolerant alignment of sessions: speakers, times, choices of the setup, and how errors are paired and charged."""

import pytest

from parakh.diagnostics import EventKind, Pair
from parakh.diagnostics.alignment import align_session, align_texts
from parakh.diagnostics.categories import parse_terms
from parakh.diagnostics.setup import Setup, guess
from parakh.errors import UnknownNameError
from parakh.types import Op, Segment

HI = Setup("hi")


def charges(pairs: list[Pair]) -> list[tuple[str, str, str]]:
    return [
        (str(one.op), one.reference.text if one.reference else "", one.hypothesis.text if one.hypothesis else "")
        for pair in pairs
        for one in pair.errors
    ]


def events(pairs: list[Pair]) -> list[tuple[EventKind, str]]:
    return [(event.kind, event.rule) for pair in pairs for event in pair.events]


def test_wrong_words_that_look_alike_are_paired() -> None:
    assert charges(align_texts("वह नहीं है", "वहीं है", HI)) == [("deletion", "वह", ""), ("substitution", "नहीं", "वहीं")]


def test_more_matches_win_among_as_few_errors() -> None:
    assert charges(align_texts("दवा लो", "लो पानी", HI)) == [("deletion", "दवा", ""), ("insertion", "", "पानी")]


def test_two_boundaries_side_by_side_are_two_events() -> None:
    pairs = align_texts("कर के जा रहा", "करके जारहा", HI)
    assert events(pairs) == [(EventKind.BOUNDARY, "concatenation")] * 2


def test_words_divided_elsewhere_are_one_event() -> None:
    pairs = align_texts("काम रेड है", "का मरेड है", HI)
    assert events(pairs) == [(EventKind.BOUNDARY, "concatenation")]
    assert charges(pairs) == []


def test_spelling_inside_a_boundary_is_an_event_of_its_own() -> None:
    assert events(align_texts("हाँ जी", "हांजी", HI)) == [
        (EventKind.BOUNDARY, "concatenation"),
        (EventKind.ORTHOGRAPHIC, "chandrabindu"),
    ]


def test_marks_on_both_sides_of_a_boundary_are_charged() -> None:
    assert charges(align_texts("भाईसाहब", "भाई, साहब", HI)) == [("insertion", "", ",")]


def test_canonically_equal_texts_are_an_encoding_event() -> None:
    assert events(align_texts("थोड\u093cा", "थो\u095cा", HI)) == [(EventKind.ENCODING, "composition")]


def test_hyphens_are_boundaries() -> None:
    assert events(align_texts("भाई-साहब", "भाईसाहब", HI)) == [(EventKind.BOUNDARY, "hyphen")]
    assert events(align_texts("भाई-साहब", "भाई साहब", HI)) == [(EventKind.BOUNDARY, "concatenation")]


def test_choices_can_be_dropped() -> None:
    assert charges(align_texts("चीज़", "चीज", Setup("hi", drop=("nukta",)))) == [("substitution", "चीज़", "चीज")]
    assert len(charges(align_texts("आप के", "आपके", Setup("hi", boundaries=False)))) == 2
    assert len(charges(align_texts("ढाई सौ", "250", Setup("hi", numbers=False)))) == 2


def test_variants_are_the_same_word() -> None:
    setup = Setup("hi", variants={"टेबलेट": "टैबलेट"})
    assert events(align_texts("टैबलेट", "टेबलेट", setup)) == [(EventKind.ORTHOGRAPHIC, "variants")]


def test_an_unknown_tier_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="colloquial"):
        Setup("kn", add=("colloquail",))


def test_a_number_in_words_for_another_is_one_error() -> None:
    pairs = align_texts("3500 रुपये", "साढ़े तीन सौ रुपये", HI)
    assert charges(pairs) == [("substitution", "3500", "साढ़े")]
    assert [unit.text for unit in pairs[0].hypothesis] == ["साढ़े", "तीन", "सौ"]


def test_units_know_where_they_stand() -> None:
    pairs = align_session([Segment("v", "A", 0.0, 4.0, "दवा ली।", language="hi")], [], HI)
    units = [unit for pair in pairs for unit in pair.reference]
    assert [(unit.text, unit.start, unit.end, unit.glued) for unit in units] == [
        ("दवा", 0, 3, False),
        ("ली", 4, 6, False),
        ("।", 6, 7, True),
    ]
    assert units[0].time == (0.0, 2.0)
    assert units[1].time == units[2].time == (2.0, 4.0)
    assert units[0].speaker == "A"


def test_speakers_are_assigned_as_the_metric_does() -> None:
    said = [Segment("v", "A", 0.0, 1.0, "दवा ली"), Segment("v", "B", 1.0, 2.0, "जी हाँ")]
    heard = [Segment("v", "x", 1.0, 2.0, "जी हाँ"), Segment("v", "y", 0.0, 1.0, "दवा ली"), Segment("v", "z", 0.0, 1.0, "और")]
    pairs = align_session(said, heard, HI, collar=5.0)
    assert charges(pairs) == [("insertion", "", "और")]
    assert {unit.segment for pair in pairs for unit in pair.hypothesis} == {0, 1, 2}


def test_words_meet_only_where_their_times_do() -> None:
    said, late = [Segment("v", "A", 0.0, 1.0, "दवा")], [Segment("v", "x", 60.0, 61.0, "दवा")]
    assert sorted(op for op, _, _ in charges(align_session(said, late, HI, collar=5.0))) == ["deletion", "insertion"]
    assert charges(align_session(said, late, HI)) == []


def test_categories_follow_the_reference() -> None:
    terms = (parse_terms("MEDICAL", ["आयरन की गोली"]),)
    pairs = align_texts("आयरन की गोली लो", "लो", Setup("hi", categories=terms))
    assert [(charge.category, charge.op) for pair in pairs for charge in pair.errors] == [("MEDICAL", Op.DELETION)]
    assert [unit.category for pair in pairs for unit in pair.reference] == ["MEDICAL", "LEXICAL"]


@pytest.mark.parametrize(
    ("text", "language"), [("मुझे paracetamol लेनी है", "hi"), ("ನನಗೆ ಜ್ವರ", "kn"), ("fever", "en"), ("ہے", "ur"), ("12", None)]
)
def test_the_language_of_a_script(text: str, language: str | None) -> None:
    assert guess(text) == language


KN = Setup("kn", add=("colloquial",))


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [("ಮಾಡಿ ಕೊಂಡು", "ಮಾಡಿಕೊಂಡು"), ("ಜ್ವರ ಇದೆ", "ಜ್ವರವಿದೆ"), ("ಮನೆ ಇಂದ", "ಮನೆಯಿಂದ"), ("ಬಂದು ಬಿಟ್ಟು ಹೋದ", "ಬಂದುಬಿಟ್ಟುಹೋದ")],
)
def test_a_more_lenient_tier_takes_no_boundary_away(reference: str, hypothesis: str) -> None:
    assert charges(align_texts(reference, hypothesis, KN)) == []
    assert events(align_texts("ಅಂದ್ರೆ", "ಅಂದರೆ", KN)) == [(EventKind.ORTHOGRAPHIC, "colloquial")]


@pytest.mark.parametrize(
    ("term", "reference", "hypothesis", "language"),
    [
        ("ಹೊಟ್ಟೆ ನೋವು", "ಹೊಟ್ಟೆ ನೋವು ಇದೆ", "ಹೊಟ್ಟೆ ನೋವಿದೆ", "kn"),
        ("തല വേദന", "തല വേദന ഉണ്ട്", "തല വേദനയുണ്ട്", "ml"),
        ("ರಕ್ತದ ಒತ್ತಡ", "ರಕ್ತದ ಒತ್ತಡ ಇದೆ", "ರಕ್ತದೊತ್ತಡ ಇದೆ", "kn"),
    ],
)
def test_terms_are_joined_as_other_words_are(term: str, reference: str, hypothesis: str, language: str) -> None:
    setup = Setup(language, categories=(parse_terms("MEDICAL", [term]),))
    for said, heard in ((reference, hypothesis), (hypothesis, reference)):
        assert charges(align_texts(said, heard, setup)) == []
        assert [kind for kind, _ in events(align_texts(said, heard, setup))] == [EventKind.BOUNDARY]


def test_variants_hold_inside_a_term_that_is_compared_word_by_word() -> None:
    terms = (parse_terms("MEDICAL", ["आयरन की टैबलेट"]),)
    setup = Setup("hi", categories=terms, variants={"टेबलेट": "टैबलेट"})
    assert charges(align_texts("आयरन कि टेबलेट लो", "आयरन की टैबलेट लो", setup)) == [("substitution", "कि", "आयरन की टैबलेट")]

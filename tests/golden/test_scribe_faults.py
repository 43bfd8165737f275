"""What scribe-eval 0.1.1 gets wrong, with the right values: hidden changes of meaning, missed events, numerals, encodings.

The inputs and right values are those reported of the published reference implementation of SCRIBE (arXiv 2605.20712).
"""

import pytest

from parakh.diagnostics.alignment import align_texts
from parakh.diagnostics.categories import parse_terms
from parakh.diagnostics.setup import Setup
from parakh.types import Op

LETTERS = {Op.SUBSTITUTION: "S", Op.DELETION: "D", Op.INSERTION: "I"}


def errors(reference: str, hypothesis: str, language: str, **choices: object) -> list[str]:
    pairs = align_texts(reference, hypothesis, Setup(language, **choices))  # type: ignore[arg-type]
    return sorted(f"{charge.category} {LETTERS[charge.op]}" for pair in pairs for charge in pair.errors)


def events(reference: str, hypothesis: str, language: str) -> list[str]:
    return [str(event.kind) for pair in align_texts(reference, hypothesis, Setup(language)) for event in pair.events]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language"),
    [
        ("कब नहीं आया", "कहीं आया", "hi"),
        ("यह नहीं है", "यहीं है", "hi"),
        ("मत जाओ", "माओ", "hi"),
        ("सर दर्द है", "सर्द है", "hi"),
        ("சாப்பிட வேண்டாம்", "சாப்பிடேண்டாம்", "ta"),
        ("not take", "noake", "en"),
    ],
)
def test_a_changed_meaning_is_no_boundary(reference: str, hypothesis: str, language: str) -> None:
    assert errors(reference, hypothesis, language) == ["LEXICAL D", "LEXICAL S"]
    assert events(reference, hypothesis, language) == []


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language", "wrong"),
    [
        ("आप के लिए", "आपकेलिए", "hi", []),
        ("न होना", "नहोना", "hi", []),
        ("பொன் குடம்", "பொற்குடம்", "ta", []),
        ("തൺ നീർ", "തണ്ണീർ", "ml", []),
        ("जगत् नाथ", "जगन्नाथ", "hi", []),
        ("भाई, साहब", "भाईसाहब", "hi", ["PUNCT D"]),
    ],
)
def test_a_boundary_is_one_event(reference: str, hypothesis: str, language: str, wrong: list[str]) -> None:
    assert errors(reference, hypothesis, language) == wrong
    assert events(reference, hypothesis, language) == ["boundary"]


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("250", "२५०"),
        ("250", "২৫০"),
        ("ढाई सौ", "250"),
        ("दो सौ पचास", "250"),
        ("1.50", "1.5"),
        ("22.05.2023", "22/5/2023"),
        ("10:30", "10.30"),
        ("2023-05-22", "22-05-2023"),
        ("22 मई 2023", "22.05.2023"),
    ],
)
def test_the_same_value_is_no_error(reference: str, hypothesis: str) -> None:
    for said, heard in ((reference, hypothesis), (hypothesis, reference)):
        assert errors(said, heard, "hi") == []
        assert set(events(said, heard, "hi")) == {"format"}


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language", "category"),
    [
        ("2.15 mg", "2:15 mg", "hi", "NUMERAL"),
        ("डेढ़ गोली", "1:30 गोली", "hi", "LEXICAL"),
        ("ढाई किलो", "2:30 किलो", "hi", "LEXICAL"),
        ("2:15 किलो", "सवा दो किलो", "hi", "NUMERAL"),
        ("ಒಂದೂವರೆ ಮಾತ್ರೆ", "1:30 ಮಾತ್ರೆ", "kn", "LEXICAL"),
        ("10.30 kg", "10:30 kg", "en", "NUMERAL"),
        ("1.15-2 mg", "1:15-2 mg", "en", "NUMERAL"),
        ("डेढ़ से दो गोली", "1:30 से दो गोली", "hi", "LEXICAL"),
        ("take .5 mg daily", "take 5 mg daily", "en", "NUMERAL"),
        ("take .25 mg daily", "take 25 mg daily", "en", "NUMERAL"),
        ("1½ tablets", "1 tablets", "en", "NUMERAL"),
        ("2 tbsp", "2 tsp", "en", "LEXICAL"),
        ("4/28/1907", "4/28/2007", "en", "NUMERAL"),
    ],
)
def test_another_amount_is_one_error(reference: str, hypothesis: str, language: str, category: str) -> None:
    assert errors(reference, hypothesis, language) == [f"{category} S"]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language"),
    [
        ("10:30", "10.30", "hi"),
        ("10:30", "साढ़े दस", "hi"),
        ("0.5 mg", ".5 mg", "en"),
        ("1½ गोली", "डेढ़ गोली", "hi"),
        ("1½ गोली", "1.5 गोली", "hi"),
        ("2½", "two and a half", "hi"),
        ("½", "1/2", "hi"),
        ("50%", "ಶೇಕಡಾ 50", "kn"),
        ("50%", "ಶೇಕಡ 50", "kn"),
        ("₹250", "ರೂ. 250", "kn"),
        ("500 mg ತಗೋ", "500 ಎಂ.ಜಿ. ತಗೋ", "kn"),
        ("500 mg लो", "500 मि.ग्रा. लो", "hi"),
        ("500 m.g. daily", "500 mg daily", "en"),
        ("500 mg.", "500 एम.जी.", "hi"),
        ("5 \u00b5g", "5 mcg", "en"),
        ("5 \u00b5g", "5 \u03bcg", "en"),
        ("5 लीटर", "5L", "hi"),
        ("2 tbsp", "2 tablespoons", "en"),
        ("4/28/07", "4/28/2007", "en"),
        ("9 8 7 6 5", "98765", "hi"),
        ("चौथी", "4थी", "hi"),
        ("दो-तीन दिन", "2-3 दिन", "hi"),
        ("10:30-11:30 बजे", "10:30-साढ़े ग्यारह बजे", "hi"),
    ],
)
def test_the_same_amount_is_one_event(reference: str, hypothesis: str, language: str) -> None:
    for said, heard in ((reference, hypothesis), (hypothesis, reference)):
        assert errors(said, heard, language) == []
        assert events(said, heard, language) == ["format"]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("kn", "ಇಲ್ಲ", "ಇಲ್ಲಿ"),
        ("kn", "ಅಲ್ಲ", "ಅಲ್ಲಿ"),
        ("kn", "ಹೋಗಲಿಲ್ಲ", "ಹೋಗಲಿಲ್ಲಿ"),
        ("kn", "ಮನೆಯಲ್ಲಿ", "ಮನೆಯಲ್ಲ"),
        ("kn", "ನೋವಿಲ್ಲ", "ನೋವಲ್ಲಿ"),
        ("kn", "ನೋವಿಲ್ಲ", "ನೋವಲ್ಲ"),
        ("kn", "ಇಲ್ಲಿದೆ", "ಇಲ್ಲದೆ"),  # is here, without
        ("kn", "ಮಾಡಿದೆ", "ಮಾಡದೆ"),  # did, without doing
        ("kn", "ಹೋಗಬೇಡ", "ಹೋಗಬಿಡ"),
        ("kn", "ಹೋಗಬಾರದು", "ಹೋಗಬರದು"),
        ("te", "రాలేదు", "రాలిదు"),
        ("te", "తినవద్దు", "తినవిద్దు"),
        ("te", "తినకూడదు", "తినకుడిదు"),
        ("te", "కొట్టను", "కొట్టాను"),  # I will not hit, I hit
    ],
)
def test_no_tier_forgives_a_negation(language: str, one: str, other: str) -> None:
    for said, heard in ((one, other), (other, one)):
        assert errors(said, heard, language, add=("colloquial",)) == ["LEXICAL S"]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("kn", "ಅಂದ್ರೆ", "ಅಂದರೆ"),
        ("kn", "ಮಾಡ್ಬೇಕು", "ಮಾಡಬೇಕು"),
        ("kn", "ಅವ್ರಿಗೆ", "ಅವರಿಗೆ"),
        ("kn", "ಮಾಡ್ಕೊಂಡು", "ಮಾಡಿಕೊಂಡು"),
        ("kn", "ಮಾಡ್ದೆ", "ಮಾಡಿದೆ"),
        ("te", "చేస్కో", "చేసుకో"),
    ],
)
def test_the_tier_forgives_a_contraction(language: str, one: str, other: str) -> None:
    assert errors(one, other, language, add=("colloquial",)) == errors(other, one, language, add=("colloquial",)) == []
    assert errors(one, other, language) == ["LEXICAL S"]


def test_an_ordinal_is_digits_with_its_ending_written_onto_them() -> None:
    assert len(errors("4 थे", "चौथे", "hi")) == 2  # "were 4", "the fourth"
    assert errors("चार", "4 थे", "hi") == ["LEXICAL I"]
    assert errors("1 ले लो", "एक ले लो", "hi") == []


def test_numerals_that_differ() -> None:
    assert errors("3,4 बजे", "34 बजे", "hi") == ["NUMERAL D", "NUMERAL S", "PUNCT D"]
    assert errors("-5", "5", "hi") == ["NUMERAL S"]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language"),
    [
        ("क्\u200dया", "क्या", "hi"),
        ("क\u200cख", "कख", "hi"),
        ("क\u200bख", "कख", "hi"),
        ("\ufeffहाँ", "हाँ", "hi"),
        ("അവന്\u200d", "അവൻ", "ml"),
        ("थोड\u093cा", "थो\u095cा", "hi"),
        ("প\u09a1\u09bc\u09be", "প\u09dc\u09be", "bn"),
        ("ಕ\u0cc6\u0cd5", "ಕ\u0cc7", "kn"),
        ("“हाँ”", '"हाँ"', "hi"),
    ],
)
def test_encodings_cost_nothing(reference: str, hypothesis: str, language: str) -> None:
    assert errors(reference, hypothesis, language) == []


def test_a_ratio_with_one_wrong_number_is_one_error() -> None:
    for hypothesis in ("140 बटा 80", "140 by 80", "140/80"):
        assert errors("140/90", hypothesis, "hi") == ["NUMERAL S"]


def test_a_mark_never_meets_a_word() -> None:
    assert errors("हाँ ।", "हाँ जी", "hi") == ["LEXICAL I", "PUNCT D"]


def test_the_urdu_full_stop_is_a_mark() -> None:
    assert errors("ہے۔", "ہے", "ur") == ["PUNCT D"]


def test_a_term_is_one_unit() -> None:
    terms = {"categories": (parse_terms("MEDICAL", ["आयरन", "आयरन की गोली", "500 mg"]),)}
    assert errors("आयरन की गोली लो", "आयरन कि गोली लो", "hi", **terms) == ["MEDICAL S"]
    assert errors("आयरन कि गोली लो", "आयरन की गोली लो", "hi", **terms) == ["LEXICAL S"]
    assert errors("दवा लो", "दवा आयरन की गोली लो", "hi", **terms) == ["MEDICAL I"]
    assert errors("500mg लो", "500 mg लो", "hi", **terms) == []


@pytest.mark.parametrize(
    ("reference", "hypothesis", "wrong"),
    [
        ("fever, cold today", "fever cold today", ["PUNCT D"]),
        ("fever cold today", "fever, cold today", ["PUNCT I"]),
        ("fever now cold", "fever cold", ["LEXICAL D"]),
    ],
)
def test_a_mark_or_a_word_inside_a_term_is_all_that_is_charged(reference: str, hypothesis: str, wrong: list[str]) -> None:
    terms = {"categories": (parse_terms("MEDICAL", ["fever cold"]),)}
    assert errors(reference, hypothesis, "en", **terms) == wrong


@pytest.mark.parametrize("hypothesis", ["५०० एमजी लो", "पाँच सौ मिलीग्राम लो", "500mg लो"])
def test_a_term_with_a_number_is_the_same_in_another_notation(hypothesis: str) -> None:
    for line in ("500 mg", r"REGEX: \d+\s*mg"):
        terms = {"categories": (parse_terms("DOSE", [line]),)}
        assert errors("500 mg लो", hypothesis, "hi", **terms) == []
        assert errors(hypothesis, "500 mg लो", "hi", **terms) == []
    assert errors("500 mg लो", "50 mg लो", "hi", **terms) == ["DOSE S"]


def test_an_inflected_form_of_a_stem_is_a_term() -> None:
    terms = {"categories": (parse_terms("LEGAL", ["സാക്ഷി*"]),)}
    assert errors("സാക്ഷിയുടെ മൊഴി", "മൊഴി", "ml", **terms) == ["LEGAL D"]


def test_marker_words_are_words() -> None:
    text = "xMERGE:y __ENTITY__"
    assert errors(text, text, "en") == []


def test_nothing_said_has_no_length() -> None:
    pairs = align_texts("", "नमस्ते जी", Setup("hi"))
    assert sum(len(pair.reference) for pair in pairs) == 0
    assert [charge.op for pair in pairs for charge in pair.errors] == [Op.INSERTION, Op.INSERTION]


def test_words_far_apart_are_substituted() -> None:
    assert errors("अ" * 40, "ब" * 3, "hi") == ["LEXICAL S"]

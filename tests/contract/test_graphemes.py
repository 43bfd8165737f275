"""Aksharas of the nine scripts, and the error rate that counts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.metrics import akser
from parakh.text.graphemes import aksharas
from parakh.types import Op, Segment

# Cut by hand by the rules of Unicode 16, chapter 12.
WORDS = [
    # Devanagari: conjuncts, nukta, reph, vowel with a sign, halant shown by ZWNJ, half form by ZWJ, visarga, avagraha
    "क्ष त्रि य",
    "थो ड़ा",
    "द र्द",
    "हूँ",
    "आँ खें",
    "रा ष्ट्री य",
    "क्\u200c ष",
    "क्\u200dष",
    "दुः ख",
    "ऽ",
    "ज ग त्",
    "ऱ\u094dया",
    "स्त्री",
    # Bengali: conjunct, ya-phala after a vowel and after ra with ZWJ, khanda ta
    "স ম্প র্ক",
    "অ্যা প",
    "র\u200d\u09cdযা ব",
    "হ ঠা ৎ",
    "বাং লা",
    "ব ড়",
    # Gurmukhi: subjoined letters, addak, tippi, vowel carriers
    "ਪ੍ਰੇ ਮ",
    "ਪ ੜ੍ਹ ਨਾ",
    "ਬੱ ਚਾ",
    "ਮੁੰ ਡਾ",
    "ੳੁ",
    "ਸ਼ਾ ਮ",
    # Gujarati, Odia
    "ગુ જ રા તી",
    "ક્ષ ત્રિ ય",
    "ଓ ଡ଼ି ଆ",
    "ସ୍ୱା ସ୍ଥ୍ୟ",
    # Tamil: a consonant with pulli by itself; two conjuncts
    "த ண் ணீ ர்",
    "ப க் க ம்",
    "ப க்ஷி",
    "ஸ்ரீ",
    "ஸ் ர ம ம்",
    "அ ஃ து",
    "கொ",
    # Telugu, Kannada: conjuncts whole
    "స్వా స్థ్యం",
    "మం దు",
    "న మ స్కా రం",
    "ನ ನ್ಮ್ಮ",
    "ಅಂ ದ್ರೆ",
    "ಸ್ವಾ ಸ್ಥ್ಯ",
    "ನ ನ್\u200c ಗೆ",
    "ರ\u200d್ಯಾಂ ಕ್",
    # Malayalam: chillu by itself in both encodings, nta in three, samvruthokaram old and new, dot reph
    "അ വ ൻ",
    "അ വ ന്\u200d",
    "അ വ ന്\u200d റെ",
    "എ ന്റെ",
    "എ ൻ്റെ",
    "എ ൻ റെ",
    "അ ത്",
    "അ തു് കൊ ണ്ട്",
    "വെ ള്ളം",
    "കാ ൎയ്യം",
    # Others: extended grapheme clusters
    "d o c t o r",
    "e\u0301 t e\u0301",
    "ہ ے",
    "२ ५ ०",
    "। ?",
    "👩\u200d⚕️",
    "ᱥ ᱟ ᱱ",
]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_cut_into_its_aksharas(word):
    assert aksharas(word.replace(" ", "")) == word.split()


def test_spaces_are_pieces_of_their_own():
    assert aksharas("मैं  हूँ") == ["मैं", " ", " ", "हूँ"]
    assert aksharas("") == []


@given(st.text(st.characters(min_codepoint=0x900, max_codepoint=0xDFF) | st.sampled_from("a\u200c\u200d \u0301"), max_size=12))
def test_pieces_give_the_text(text):
    assert "".join(aksharas(text)) == text
    assert all(aksharas(text))


@given(st.lists(st.sampled_from(["क्षि", "ರ್ಥ್ಯ", "ൻ", "ण्ट", "க்", "ত্ৎ", "a", "5", "।", "ഞ്ഞാ"]), max_size=6))
def test_a_piece_does_not_depend_on_those_before(pieces):
    text = "".join(f"{piece}\u200c" for piece in pieces)
    assert aksharas(text) == [part for piece in pieces for part in aksharas(f"{piece}\u200c")]


def errors(reference, hypothesis):
    one = akser.stats([Segment("s", words=reference)], [Segment("s", words=hypothesis)])
    return [one[key] for key in ("substitutions", "deletions", "insertions", "length")]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("पेट दर्द", "पीट दर्द", [1, 0, 0, 5]),  # one letter with another vowel sign
        ("क्षत्रिय", "क्षत्रिय", [0, 0, 0, 3]),
        ("क्षत्रिय", "त्रिय", [0, 1, 0, 3]),  # a conjunct of three code points is one letter
        ("ನನ್ಮ್ಮ", "ನನ್ನ", [1, 0, 0, 2]),
        ("भाई  साहब", "भाईसाहब", [0, 1, 0, 6]),  # the space, whatever its width
        ("", "हाँ", [0, 0, 1, 0]),
        ("हाँ", "", [0, 1, 0, 1]),
    ],
)
def test_errors_are_counted_in_aksharas(reference, hypothesis, expected):
    assert errors(reference, hypothesis) == expected


def test_of_several_forms_the_one_with_fewest_akshara_errors_counts():
    # "स्त्री" is one akshara away from both; the second form needs none.
    reference = [Segment("s", words="नारी है", forms=("स्त्री है",))]
    assert akser.stats(reference, [Segment("s", words="स्त्री है")]) == akser.stats(
        [Segment("s", words="स्त्री है")], [Segment("s", words="स्त्री है")]
    )


def test_steps_share_the_time_of_the_word():
    reference = [Segment("s", "a", 0.0, 2.0, words="दर्द है")]
    steps = akser.align(reference, [Segment("s", "b", 0.0, 2.0, words="दर्द")])
    assert [(step.op, step.reference) for step in steps] == [
        (Op.MATCH, "द"),
        (Op.MATCH, "र्द"),
        (Op.DELETION, " "),
        (Op.DELETION, "है"),
    ]
    first, second, space, last = (step.reference_time for step in steps)
    assert first[0] == 0.0
    assert first[1] == second[0]
    assert second[1] == space[0] == space[1] == last[0]
    assert last[1] == 2.0

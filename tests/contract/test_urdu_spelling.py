"""Urdu spelling to Devanagari: letters, sounds, look-up, context, fallback. The expected words are plain Hindi spelling."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.cascade.whisper.language_model import LanguageModel
from parakh.cascade.whisper.lexicon import read_frequencies, sounds, table
from parakh.cascade.whisper.urdu import Speller, fold, transliterate

# A small vocabulary with costs in centibels, as a frequency list has them.
COSTS = {
    "के": 143, "है": 147, "में": 153, "की": 162, "से": 173, "और": 174, "को": 174, "का": 176, "हैं": 194, "पर": 201, "नहीं": 212,
    "कर": 219, "ही": 219, "लिए": 221, "कि": 226, "इस": 229, "यह": 233, "किया": 241, "क्या": 260, "मैं": 266, "उस": 280, "उसके": 300,
    "वह": 263, "तीन": 300, "दिन": 290, "घर": 300, "बात": 290, "बुखार": 420, "बाहर": 350, "खाँसी": 480, "दर्द": 400, "सिर": 380,
    "दवाई": 430, "टैबलेट": 480, "डॉक्टर": 400, "रिपोर्ट": 360, "हफ्ते": 400, "नींद": 430, "थकान": 480, "ज्यादा": 300, "साहब": 420,
    "हो": 219, "जाएगा": 380, "जाए": 330, "गा": 460, "ठीक": 330, "अच्छा": 350, "बच्चा": 430, "व्यक्ति": 360,
}  # fmt: skip


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller(LanguageModel({word: float(cost) for word, cost in COSTS.items()}, []))


@pytest.mark.parametrize(
    ("urdu", "hindi"),
    [
        ("بخار", "बुखार"),  # the short u is not written
        ("کھانسی", "खाँसी"),  # ھ is breath, ن the nasal vowel
        ("درد", "दर्द"),
        ("دوائی", "दवाई"),
        ("ٹیبلیٹ", "टैबलेट"),  # English words in Urdu spelling
        ("رپورٹ", "रिपोर्ट"),
        ("ڈاکٹر", "डॉक्टर"),
        ("ہفتے", "हफ्ते"),
        ("صاحب", "साहब"),  # Arabic letters of one sound
        ("زیادہ", "ज्यादा"),  # final ہ for ा
        ("بچہ", "बच्चा"),
        ("تھکان", "थकान"),
        ("تیک", "ठीक"),  # dental and breathless, as a recogniser mishears
        ("ویکھتی", "व्यक्ति"),
        ("کیا", "क्या"),
        ("ہی", "ही"),  # not the far more frequent है
        ("گھر", "घर"),
    ],
)
def test_one_word(speller: Speller, urdu: str, hindi: str) -> None:
    assert speller.spell(urdu) == hindi


def test_a_sentence_with_punctuation_digits_and_latin(speller: Speller) -> None:
    assert speller.spell("ڈاکٹر صاحب، تین دن سے بخار ہے۔ BP ۱۲۰؟") == "डॉक्टर साहब, तीन दिन से बुखार है। BP 120?"


def test_two_urdu_words_for_one_hindi_word(speller: Speller) -> None:
    assert speller.spell("اس کے لیے") == "उसके लिए"
    assert speller.spell("ہو جائے گا") == "हो जाएगा"
    assert speller.spell("اس، کے") == "इस, के"


def test_context_decides_between_words_of_one_spelling() -> None:
    sentences = ["मैं ठीक है", "उसने कहा कि मैं"] * 20 + ["घर में बात"] * 20
    speller = Speller(LanguageModel({word: float(cost) for word, cost in COSTS.items()}, sentences))
    assert speller.spell("میں ٹھیک").split()[0] == "मैं"
    assert speller.spell("گھر میں").split()[1] == "में"


def test_an_unknown_word_is_written_by_its_sounds(speller: Speller) -> None:
    assert speller.spell("سنیتا") == "सनीता"


@given(st.text(alphabet=[*"ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءیےئؤآ", " ", "۔", "7", "x"], max_size=30))
def test_any_text_gives_no_urdu_letter_back_and_loses_no_other_word(text: str) -> None:
    speller = Speller(LanguageModel({word: float(cost) for word, cost in list(COSTS.items())[:12]}, []))
    spelt = speller.spell(text)
    assert not any("\u0600" <= c <= "\u06ff" for c in spelt)
    assert spelt == speller.spell(text)
    assert sum(c in "7x" for c in spelt) == sum(c in "7x" for c in text)


def test_english_words_in_latin_script() -> None:
    speller = Speller(LanguageModel({"है": 147.0}, []), {"tablet": "टैबलेट"})
    assert speller.spell("Tablet, 1.5 ml ہے हफ़्ते") == "टैबलेट, 1.5 ml है हफ़्ते"


def test_empty(speller: Speller) -> None:
    assert speller.spell("") == ""


@pytest.mark.parametrize(("urdu", "hindi"), [("دیدی", "दीदी"), ("وقت", "वकत"), ("کھانا", "खाना"), ("دوا", "दवा"), ("آیا", "आया")])
def test_transliteration_by_rule(urdu: str, hindi: str) -> None:
    assert transliterate(fold(urdu)) == hindi


def test_sounds() -> None:
    assert sounds("ज़्यादा") == "zyAdA"
    assert sounds("लम्बी") == "lmbI"
    assert sounds("हिन्दी") == sounds("हिनदी")


def test_every_sound_and_letter_of_the_tables_is_known() -> None:
    costs = table("channel.tsv")
    known = {sound for _, sound, _ in costs}
    assert all(float(cost) >= 0 for _, _, cost in costs)
    assert {sign for _, signs in table("sounds.tsv") for sign in signs} <= known
    letters = {urdu for urdu, _, _ in costs}
    assert {letter for row in table("fold.tsv") for letter in "".join(row[1:])} <= letters | {"ہ", "ی"}
    assert len({(urdu, sound) for urdu, sound, _ in costs}) == len(costs)


def test_frequencies_are_read_from_messagepack(tmp_path: Path) -> None:
    # Header map, an empty level, a level of a fixed-length text and one of an 8-bit length, a 16-bit list: MessagePack's specification.
    words = [b"\x91" + bytes([0xA0 | 6]) + "है".encode(), b"\x92\xd9\x06" + "के".encode() + b"\xa2ab"]
    data = b"\xdc\x00\x04" + b"\x82\xa6format\xa2cB\xa7version\x01" + b"\x90" + b"".join(words)
    path = tmp_path / "words.msgpack.gz"
    path.write_bytes(gzip.compress(data))
    assert read_frequencies(path) == {"है": 1.0, "के": 2.0}


def test_language_model_is_a_distribution_over_seen_pairs() -> None:
    model = LanguageModel({"एक": 30.1, "दो": 30.1}, ["एक दो", "एक एक"])
    assert model.cost("दो", "एक") < model.cost("दो")
    assert model.cost("दो", "दो") == model.cost("दो")  # nothing was seen after it

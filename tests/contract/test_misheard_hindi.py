"""Hindi that an adapter misheard in Devanagari, written as Hindi words: sounds that are taken for each other, context, what stays."""

from __future__ import annotations

import pytest

from parakh.cascade.whisper.devanagari import devanagari_script
from parakh.cascade.whisper.language_model import LanguageModel
from parakh.cascade.whisper.urdu import Speller

WORDS = (
    "है हैं में के की को का से और नहीं कभी बहुत धन्यवाद डॉक्टर टाइम ध्यान खाना पीछे फिर घर गर व्यक्ति समस्या थकान ठीक थोड़ा टेस्ट चिंता रिपोर्ट "
    "दूध धूप बुखार दवाई सिरदर्द हमेशा"
)


@pytest.fixture(scope="module")
def speller() -> Speller:
    costs = {word: 300.0 + 5 * i for i, word in enumerate(WORDS.split())}
    return Speller(LanguageModel(costs, ["बहुत धन्यवाद", "कभी कभी होता है"]), script=devanagari_script())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("कबी", "कभी"),  # breath is lost
        ("ताइम", "टाइम"),  # dental for retroflex
        ("दियान", "ध्यान"),
        ("पीचे", "पीछे"),
        ("ठकान", "थकान"),
        ("चिनता", "चिंता"),
        ("समस्सिया", "समस्या"),
        ("वेख्ति", "व्यक्ति"),
        ("रिपोट", "रिपोर्ट"),
        ("डुक्टर", "डॉक्टर"),
        ("घर", "घर"),  # what is a word stays, though others sound alike
        ("दूध", "दूध"),
        ("कबी कबी, बहुत दन्यवाद।", "कभी कभी, बहुत धन्यवाद।"),
        ("सिर दर्द", "सिरदर्द"),
    ],
)
def test_misheard(speller: Speller, written: str, meant: str) -> None:
    assert speller.spell(written) == meant


@pytest.mark.parametrize("text", ["", "मुज़फ़्फ़रनगर", "BP 120", "ಹೌದು"])
def test_what_no_word_explains_stays_as_it_is(speller: Speller, text: str) -> None:
    assert speller.spell(text) == text

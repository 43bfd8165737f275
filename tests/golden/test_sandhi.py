"""Examples of grammars: what each language writes as one word, and what it does not.

The pairs of the licensed forms are the examples of the grammar named by the rule's source; those not licensed are other words, or
lose a consonant, or touch a negation.
"""

import pytest

from parakh import languages
from parakh.text.sandhi import PLAIN, joined_forms, joins

LICENSED = {
    # K. P. Guru, Hindi Vyakaran, sandhi
    "hi": """
        महा इन्द्र महेन्द्र; विद्या आलय विद्यालय; हिम आलय हिमालय; सूर्य उदय सूर्योदय; इति आदि इत्यादि; सदा एव सदैव;
        जगत् नाथ जगन्नाथ; मनः योग मनोयोग; सु आगत स्वागत; प्रति एक प्रत्येक; जगत् ईश जगदीश; सत् जन सज्जन; निः आशा निराशा;
        नमः ते नमस्ते; अति अधिक अत्यधिक; सम् योग संयोग; महा ऋषि महर्षि; पर उपकार परोपकार; रवि इन्द्र रवीन्द्र
    """,
    # Kerala Panineeyam, sandhi; Asher & Kumari 3.4; the vectors of SCRIBE
    "ml": """
        അവൻ ഉണ്ട് അവനുണ്ട്; കഥാപാത്രം ആയിട്ടാണ് കഥാപാത്രമായിട്ടാണ്; ഇങ്ങനെ ഉള്ള ഇങ്ങനെയുള്ള; നാളെ ആകട്ടെ നാളെയാകട്ടെ;
        ഇന്ന് അല്ലെങ്കിൽ ഇന്നല്ലെങ്കിൽ; തൺ നീർ തണ്ണീർ; മഴ കാലം മഴക്കാലം; കണ്ടു ഇല്ല കണ്ടില്ല; തിരു ഓണം തിരുവോണം; കൺ ഇല്ല കണ്ണില്ല;
        വരും കാലം വരുങ്കാലം; വിൺ തലം വിണ്ടലം; അല്ല എന്ന് അല്ലെന്ന്; അവർ ഉണ്ട് അവരുണ്ട്; നൽ നിലം നന്നിലം; പോയി ഇല്ല പോയില്ല;
        പോർ കളം പോർക്കളം; പച്ച ഇല പച്ചില; തീ പെട്ടി തീപ്പെട്ടി
    """,
    # Balavyakaranamu, sandhi; Krishnamurti & Gwynn 3.2-3.4
    "te": """
        వాడు ఎక్కడ వాడెక్కడ; ఏమి అంటివి ఏమంటివి; మేన అత్త మేనత్త; మా అమ్మ మాయమ్మ; మా ఊరు మావూరు; అన్న తమ్ముడు అన్నదమ్ముడు;
        కూర కాయలు కూరగాయలు; తల్లి తండ్రులు తల్లిదండ్రులు; సూర్య ఉదయం సూర్యోదయం; విద్య ఆలయం విద్యాలయం; పుస్తకం ఉంది పుస్తకముంది
    """,
    # Kittel 212-218; Spencer, sandhi; Sridhar 3.4
    "kn": """
        ಬರುವುದು ಇಲ್ಲ ಬರುವುದಿಲ್ಲ; ಮಾಡಿ ಇದ್ದ ಮಾಡಿದ್ದ; ಊರು ಅಲ್ಲಿ ಊರಲ್ಲಿ; ಮನೆ ಅನ್ನು ಮನೆಯನ್ನು; ಮಗು ಅನ್ನು ಮಗುವನ್ನು; ಮಳೆ ಕಾಲ ಮಳೆಗಾಲ;
        ಬೆಟ್ಟ ತಾವರೆ ಬೆಟ್ಟದಾವರೆ; ಬೇರೆ ಒಂದು ಬೇರೊಂದು; ಕಣ್ ಪನಿ ಕಂಬನಿ; ಮಹಾ ಇಂದ್ರ ಮಹೇಂದ್ರ; ಹಣದ ಆಸೆ ಹಣದಾಸೆ; ಮೇಲೆ ಇಟ್ಟು ಮೇಲಿಟ್ಟು
    """,
    # Nannul 162-237; Arden, combination of letters; Lehmann 1.2
    "ta": """
        பொன் குடம் பொற்குடம்; மணி அடித்தது மணியடித்தது; பல இடம் பலவிடம்; பட்டு ஆடை பட்டாடை; பூ கூடை பூக்கூடை;
        கல் எறிந்தான் கல்லெறிந்தான்; மண் குடம் மட்குடம்; நாள் காட்டி நாட்காட்டி; மரம் கள் மரங்கள்; ஊர் இல்லை ஊரில்லை; பல் முனை பன்முனை;
        தண் நீர் தண்ணீர்
    """,
}
OTHER_WORDS = {
    "hi": """
        कब नहीं कहीं; यह नहीं यहीं; वह नहीं वहीं; मत जाओ माओ; सर दर्द सर्द; बता आना बताना; का आम काम; दवा आई दवाई; न आया नाया;
        न इति नेति; की आरी क्यारी; बच्चा आ बच्चा
    """,
    "ml": "കണ്ട് പറഞ്ഞു കണ്ടറഞ്ഞു; മരുന്ന് വേണ്ട മരുന്നേണ്ട; കഴിച്ചു വേണ്ട കഴിച്ചേണ്ട; വരും അല്ല വരല്ല; പണം വേണ്ട പണേണ്ട; അവൻ പോയി അവപോയി",
    "te": "మందు వద్దు మందద్దు; వాడు వచ్చు వాడచ్చు; మా అమ్మ మమ్మ; నీరు తాగు నీరాగు; పాలు పద్దు పాలువద్దు; అది లేదు అదేదు",
    "kn": "ಹಾಲು ಪೇಡ ಹಾಲುಬೇಡ; ಔಷಧಿ ಬೇಡ ಔಷಧೇಡ; ಅವನು ಬಂದ ಅವನಂದ; ಮನೆ ಕಡೆ ಮನೆಡೆ; ನ ಆದ ನಾದ; ಆ ಊರು ಊರು",
    "ta": "சாப்பிட வேண்டாம் சாப்பிடேண்டாம்; அவன் வந்தான் அவந்தான்; பல் வலி பலி; அது கூடாது அதூடாது; மரம் வேர் மரவேர்; பூ அழகு பழகு",
    "en": "not take noake; ab cd ad; do not donot't; can not cant; to eat teat; no one none",
}


def rows(table: dict[str, str]) -> list[tuple[str, str, str, str]]:
    return [(tag, *row.split()) for tag, text in table.items() for row in text.split(";")]  # type: ignore[misc]


@pytest.mark.parametrize(("tag", "first", "second", "joined"), rows(LICENSED))
def test_licensed(tag: str, first: str, second: str, joined: str) -> None:
    assert joined in dict(joins(first, second, languages.get(tag).rules))


@pytest.mark.parametrize(("tag", "first", "second", "joined"), rows(OTHER_WORDS))
def test_not_licensed(tag: str, first: str, second: str, joined: str) -> None:
    assert joined not in dict(joined_forms((first, second), languages.get(tag).rules))


def test_three_words_with_two_rules() -> None:
    forms = dict(joined_forms(("ಮಾಡಿ", "ಇದ್ದು", "ಇಲ್ಲ"), languages.get("kn").rules))
    assert forms["ಮಾಡಿದ್ದಿಲ್ಲ"] == ("elision", "elision")
    assert next(iter(forms.items())) == ("ಮಾಡಿಇದ್ದುಇಲ್ಲ", (PLAIN, PLAIN))

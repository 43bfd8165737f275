"""What is said of a concept, sentence by sentence. Every expectation is the plain meaning of the sentence."""

import pytest

from parakh.clinical import mentions
from parakh.types import Segment


def seeker(words: str, language: str | None = None) -> Segment:
    return Segment("visit", "s", words=words, role="health_seeker", language=language)


def worker(words: str, language: str | None = None) -> Segment:
    return Segment("visit", "w", words=words, role="health_worker", language=language)


def said(*turns: Segment) -> dict[str, str]:
    return {mention.concept.id: str(mention.status) for mention in mentions(turns)}


TOLD = [
    ("मुझे बुखार नहीं है, खांसी है", {"fever": "negated", "cough": "present"}),
    ("बुखार है खांसी नहीं है", {"fever": "present", "cough": "negated"}),
    ("बुखार और खांसी नहीं है", {"fever": "negated", "cough": "negated"}),
    ("ना बुखार ना खांसी", {"fever": "negated", "cough": "negated"}),
    ("नहीं, बुखार है", {"fever": "present"}),
    ("बिना बुखार के खांसी है", {"fever": "negated", "cough": "present"}),
    ("सिर दर्द नहीं, पेट दर्द है", {"headache": "negated", "abdominal-pain": "present"}),
    ("नींद नहीं आती और सिर दर्द है", {"insomnia": "present", "headache": "present"}),
    ("भूख नहीं लगती, कमजोरी लगती है", {"loss-of-appetite": "present", "weakness": "present"}),
    ("पेट दर्द है और उल्टी तो बिल्कुल नहीं हो रही", {"abdominal-pain": "present", "vomiting": "negated"}),
    ("मेरी माँ को शुगर है और मुझे बुखार है", {"diabetes": "family", "fever": "present"}),
    ("पिताजी को टीबी हुआ था", {"tuberculosis": "family"}),
    ("बच्चे को बुखार है दो दिन से", {"fever": "present"}),
    ("मेरी सास को तीन दिन से बुखार है", {"fever": "present"}),  # nobody else is ill: they came for her
    ("पिछले साल टीबी हुआ था, अब ठीक है", {"tuberculosis": "past"}),
    ("बुखार उतर गया लेकिन खांसी है", {"fever": "past", "cough": "present"}),
    ("पहले से बीपी है", {"hypertension": "present"}),
    ("दो दिन पहले बुखार आया था, अभी भी है", {"fever": "present"}),
    ("क्या मुझे शुगर है?", {"diabetes": "asked"}),
    ("पेट दर्द के लिए क्या करूं?", {"abdominal-pain": "present"}),
    ("आयरन की गोली खा रही हूँ", {"iron": "present"}),
    ("घुटनों और कमर में दर्द है", {"knee-pain": "present", "back-pain": "present"}),
    ("मेरे पति शराब बहुत पीते हैं", {"alcohol": "family"}),
    ("दो महीने से माहवारी नहीं आई", {"irregular-periods": "present"}),
    ("माहवारी टाइम पर आती है", {}),
    ("ನಂಗೆ ಮುಟ್ಟು ಸರಿಯಾಗಿ ಆಗ್ತಿಲ್ಲ, ಬಿಳಿ ಹೋಗ್ತಿದೆ", {"irregular-periods": "present", "white-discharge": "present"}),
    ("मेरा BP हाई रहता है और sugar भी है", {"hypertension": "present", "diabetes": "present"}),
    ("पसली नहीं चल रही", {"fast-breathing": "negated"}),
    ("ಊಟ ಸೇರ್ತಾ ಇಲ್ಲ", {"loss-of-appetite": "present"}),
    ("पिछली सर्दी में निमोनिया हुआ था", {"pneumonia": "past"}),
    ("टीबी की जांच हुई थी", {"tuberculosis": "advised"}),
    ("पिछले साल शुगर हुआ था", {"diabetes": "present"}),  # it stays once begun
    ("ಜ್ವರ ಇಲ್ಲ, ಕೆಮ್ಮು ಇದೆ", {"fever": "negated", "cough": "present"}),
    ("ಜ್ವರವಿಲ್ಲ", {"fever": "negated"}),
    ("ಜ್ವರ ಬಂದಿಲ್ಲ ಆದ್ರೆ ತಲೆನೋವು ಇದೆ", {"fever": "negated", "headache": "present"}),
    ("ನನ್ನ ಅಮ್ಮನಿಗೆ ಶುಗರ್ ಇದೆ, ನನಗೆ ಸುಸ್ತು", {"diabetes": "family", "fatigue": "present"}),
    ("ಕಳೆದ ವರ್ಷ ಟಿಬಿ ಬಂದಿತ್ತು ಈಗ ಸರಿಯಾಗಿದೆ", {"tuberculosis": "past"}),
    ("ಮಗುವಿಗೆ ವಾಂತಿ ಬೇಧಿ ಆಗ್ತಿದೆ", {"vomiting": "present", "diarrhea": "present"}),
    ("mujhe bukhar nahi hai, khansi hai", {"fever": "negated", "cough": "present"}),
]

TOLD_IN_ENGLISH = [
    ("I don't have fever but I have a cough", {"fever": "negated", "cough": "present"}),
    ("No fever. No, I have a headache.", {"fever": "negated", "headache": "present"}),
    ("My mother has diabetes. I feel dizzy.", {"diabetes": "family", "dizziness": "present"}),
    ("I had TB last year, it is fine now", {"tuberculosis": "past"}),
    ("there was dust on the table", {}),
]

ASKED = [
    ("बुखार है?", "हाँ", {"fever": "present"}),
    ("बुखार है", "नहीं दीदी", {"fever": "negated"}),
    ("बुखार, खांसी, उल्टी कुछ है?", "नहीं", {"fever": "negated", "cough": "negated", "vomiting": "negated"}),
    ("बुखार कब से है?", "तीन दिन से", {"fever": "present"}),
    ("नींद ठीक से आती है?", "हाँ", {}),
    ("नींद ठीक से आती है?", "नहीं", {"insomnia": "present"}),
    ("घर में किसी को शुगर है?", "हाँ माँ को है", {"diabetes": "family"}),
    ("घर में किसी को शुगर है?", "नहीं", {"diabetes": "asked"}),
    ("सिरदर्द हमेशा रहता है या कभी-कभी?", "ठीक से पता नहीं", {"headache": "asked"}),
    ("आपको खून की कमी है, आयरन की गोली लीजिए", "जी", {"anemia": "present", "iron": "advised"}),
    ("अगर बुखार आए तो पैरासिटामोल देना", "जी", {"fever": "advised", "paracetamol": "advised"}),
    ("इससे खून की कमी हो सकती है", "अच्छा", {"anemia": "advised"}),
    ("मलेरिया की जांच करवा लो", "जी", {"malaria-test": "advised"}),
    ("बीपी 150/100 आया है, थोड़ा ज्यादा है।", "अच्छा", {"hypertension": "present"}),
    ("हीमोग्लोबिन 9 है।", "कम है क्या?", {}),  # the number alone is no finding
    ("शुगर नॉर्मल है।", "अच्छा", {}),
    ("शुगर की गोली ले रही हो?", "कभी कभी भूल जाती हूँ", {"diabetes": "present", "diabetes-medicine": "present"}),
    ("टीबी का शक है।", "अच्छा", {"tuberculosis": "suspected"}),
    ("पेशाब ज्यादा आता है? पैरों में झुनझुनी?", "हाँ आता है, झुनझुनी भी है", {"frequent-urination": "present", "numbness": "present"}),
    ("तेज सिर दर्द हो तो तुरंत आना।", "जी", {"headache": "advised"}),
    ("ಜ್ವರ ಇದೆಯಾ?", "ಹೌದು", {"fever": "present"}),
    ("ಕೆಮ್ಮು ಬರುತ್ತಾ", "ಇಲ್ಲ ಮೇಡಂ", {"cough": "negated"}),
    ("Do you have any chest pain?", "No", {"chest-pain": "negated"}),
]


@pytest.mark.parametrize(("words", "expected"), TOLD)
def test_what_a_health_seeker_tells(words: str, expected: dict[str, str]) -> None:
    assert said(seeker(words)) == expected


@pytest.mark.parametrize(("words", "expected"), TOLD_IN_ENGLISH)
def test_what_a_health_seeker_tells_in_english(words: str, expected: dict[str, str]) -> None:
    assert said(seeker(words, "en")) == expected


@pytest.mark.parametrize(("question", "answer", "expected"), ASKED)
def test_what_a_health_worker_says_is_settled_by_the_answer(question: str, answer: str, expected: dict[str, str]) -> None:
    assert said(worker(question), seeker(answer)) == expected


@pytest.mark.parametrize(
    ("heard", "concept"),
    [
        ("बुकार", "fever"),  # one sign off
        ("खासी", "cough"),  # no nasal dot
        ("उलटी", "vomiting"),  # no vowel killer
        ("चकर", "dizziness"),  # no gemination
        ("डायबिटिज", "diabetes"),  # vowel length
        ("कमज़ोरि", "weakness"),
        ("ತಲೆನೊವು", "headache"),
    ],
)
def test_a_recognisers_spelling_is_understood(heard: str, concept: str) -> None:
    assert said(seeker(f"{heard} hai")) == {concept: "present"}


@pytest.mark.parametrize("word", ["शक्कर", "टक्कर", "बाजार", "पीता", "हाथ", "खाना", "ಎಲ್ಲಾ", "ಇಲ್ಲಿ"])
def test_a_like_sounding_word_is_no_concept(word: str) -> None:
    assert said(seeker(f"{word} है")) == {}


@pytest.mark.parametrize(("answer", "status"), [("हाँ, है", "present"), ("नहीं, कुछ नहीं है", "negated"), ("देखते हैं", "asked")])
def test_a_health_seekers_question_is_settled_by_the_health_worker(answer: str, status: str) -> None:
    assert said(seeker("मतलब खून की कमी है क्या?"), worker(answer)) == {"anemia": status}


def test_the_answer_is_part_of_the_evidence() -> None:
    (mention,) = mentions([worker("नमस्ते"), worker("बुखार है?"), seeker("हाँ")])
    assert (mention.turns, mention.segment_index, mention.answer_index) == ((1, 2), 1, 2)


def test_a_mention_names_its_words() -> None:
    (mention,) = mentions([seeker("मेरे घुटनों में बहुत दर्द है")])
    assert (mention.text, mention.start, mention.end) == ("घुटनों दर्द", 1, 5)

"""Numbers with what they measure. Every expectation is the plain meaning of the sentence."""

import pytest

from parakh.clinical import measurements
from parakh.types import Segment

STATED = [
    ("आपका बीपी 140/90 है", [("blood-pressure", 140, 90, "mmHg")]),
    ("बीपी १४०/९० है", [("blood-pressure", 140, 90, "mmHg")]),
    ("बीपी एक सौ साठ बाय सौ", [("blood-pressure", 160, 100, "mmHg")]),
    ("one forty by ninety bp", [("blood-pressure", 140, 90, "mmHg")]),
    ("ನಿಮ್ಮ ಬಿಪಿ ನೂರ ಐವತ್ತು ಬೈ ತೊಂಬತ್ತು ಇದೆ", [("blood-pressure", 150, 90, "mmHg")]),
    ("हीमोग्लोबिन साढ़े आठ है", [("hemoglobin", 8.5, None, "g/dL")]),
    ("खून आठ ग्राम है", [("hemoglobin", 8, None, "g/dL")]),
    ("हीमोग्लोबिन नौ पॉइंट पाँच है", [("hemoglobin", 9.5, None, "g/dL")]),
    ("दो तीन दिन से बुखार है 102 डिग्री", [("duration", 2, 3, "day"), ("temperature", 102, None, "°F")]),
    ("पाँचवाँ महीना चल रहा है", [("gestation", 5, None, "month")]),
    ("छह महीने की गर्भवती हूँ", [("gestation", 6, None, "month")]),
    ("ಐದು ತಿಂಗಳ ಗರ್ಭಿಣಿ", [("gestation", 5, None, "month")]),
    ("डेढ़ महीने से दर्द है", [("duration", 1.5, None, "month")]),
    ("ढाई साल से", [("duration", 2.5, None, "year")]),
    ("ಎರಡು ವಾರಗಳಿಂದ", [("duration", 2, None, "week")]),
    ("ಮೂರು ದಿನದಿಂದ ಜ್ವರ", [("duration", 3, None, "day")]),
    ("for the past two weeks", [("duration", 2, None, "week")]),
    ("एक हफ्ते बाद आना", [("follow-up", 1, None, "week")]),
    ("खून की जाँच दो दिन बाद", [("follow-up", 2, None, "day")]),
    ("5 दिन तक खाना", [("course", 5, None, "day")]),
    ("दिन में तीन बार दो दो गोली", [("frequency", 3, None, "time"), ("dose", 2, None, "tablet")]),
    ("दिन में पाँच छह बार दस्त", [("frequency", 5, 6, "time")]),
    ("ದಿನಕ್ಕೆ ಎರಡು ಸಲ", [("frequency", 2, None, "time")]),
    ("पैरासिटामोल 500 एमजी", [("dose", 500, None, "mg")]),
    ("शुगर दो सौ दस आया है", [("blood-sugar", 210, None, "mg/dL")]),
    ("वजन 45 किलो है", [("weight", 45, None, "kg")]),
    ("मेरी उम्र 25 साल है", [("age", 25, None, "year")]),
]


@pytest.mark.parametrize(("words", "expected"), STATED)
def test_a_stated_number_is_read(words: str, expected: list[tuple[str, float, float | None, str]]) -> None:
    found = measurements([Segment("visit", words=words)])
    assert [(m.kind, m.value, m.second, m.unit) for m in found] == expected


@pytest.mark.parametrize("words", ["बीपी 120 से ज्यादा नहीं होना चाहिए", "एक बार बताओ", "दो बच्चे हैं", "बीपी की दवा ले रही हूँ", ""])
def test_other_numbers_measure_nothing(words: str) -> None:
    assert measurements([Segment("visit", words=words)]) == []


def test_a_measurement_names_its_turn_and_words() -> None:
    (found,) = measurements([Segment("visit", words="नमस्ते"), Segment("visit", words="मेरा वजन 45 किलो है")])
    assert (found.segment_index, found.text, found.start) == (1, "45 किलो", 2)

"""What the checks of summaries catch and leave alone, on the example conversations and on single sentences.

Every expectation is the plain meaning of the words; the reference summaries were written from their conversations.
"""

import csv
from pathlib import Path

import pytest

from parakh import formats
from parakh.metrics import get
from parakh.types import Segment

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
CHECKS = ["summary_numbers", "summary_medicines", "summary_negations"]


def transcript(name: str) -> list[Segment]:
    return list(formats.load(EXAMPLES / "transcripts" / f"{name}.txt", Segment).items)


def summaries() -> dict[str, str]:
    with (EXAMPLES / "summaries.csv").open(encoding="utf-8", newline="") as file:
        return {row["rec_id"]: row["gt_summary"] for row in csv.DictReader(file)}


def told(check: str, reference: str, hypothesis: str, turns: list[Segment] | None = None) -> list[tuple[str, str]]:
    findings = get(check).findings(reference, hypothesis, transcript=turns)
    return [(one.code, one.message) for one in findings]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", summaries())
def test_a_reference_summary_is_borne_out_by_its_conversation(check, name):
    text = summaries()[name]
    found = get(check).stats(text, text, transcript=transcript(name))
    assert told(check, text, text, transcript(name)) == []
    assert found["supported"] == found["found"] > 0


# (conversation, check, what is changed, into what, the finding's code)
MUTATIONS = [
    ("hi_anc_01", "summary_numbers", "140/90", "110/70", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "140/90", "140/80", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "140/90", "140/180", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "hemoglobin 9", "hemoglobin 7", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "hemoglobin 9", "hemoglobin 90", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "28 weeks", "24 weeks", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "28 weeks", "28 days", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "two iron tablets", "3 iron tablets", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "ten days", "ten weeks", "unsupported-number"),
    ("hi_anc_01", "summary_numbers", "108", "102", "unsupported-number"),
    ("hi_anc_01", "summary_medicines", "iron tablets ten", "calcium tablets ten", "unsupported-medicine"),
    ("hi_anc_01", "summary_negations", "denies headache", "reports headache", "contradicted-negation"),
    ("hi_anc_01", "summary_negations", "reports weakness", "denies weakness", "contradicted-negation"),
    ("hi_child_02", "summary_numbers", "5 ml", "50 ml", "unsupported-number"),
    ("hi_child_02", "summary_numbers", "5 ml", "5 mg", "unsupported-number"),
    ("hi_child_02", "summary_numbers", "zinc 20 mg", "zinc 10 mg", "unsupported-number"),
    ("hi_child_02", "summary_numbers", "14 days", "4 days", "unsupported-number"),
    ("hi_child_02", "summary_numbers", "three times a day", "four times a day", "unsupported-number"),
    ("hi_child_02", "summary_numbers", "weight 10 kg", "weight 12 kg", "unsupported-number"),
    ("hi_child_02", "summary_numbers", "five to six", "eight to nine", "unsupported-number"),
    ("hi_child_02", "summary_medicines", "paracetamol", "ibuprofen", "unsupported-medicine"),
    ("hi_child_02", "summary_medicines", "zinc", "albendazole", "unsupported-medicine"),
    ("hi_child_02", "summary_negations", "no convulsion", "a convulsion", "contradicted-negation"),
    (
        "hi_child_02",
        "summary_negations",
        "no convulsion and no bloody stool",
        "bloody stool but no convulsion",
        "contradicted-negation",
    ),
    ("hi_child_02", "summary_negations", "has had fever", "has had no fever", "contradicted-negation"),
    ("hi_elder_03", "summary_numbers", "metformin 500 mg", "metformin 850 mg", "unsupported-number"),
    ("hi_elder_03", "summary_numbers", "metformin 500 mg", "metformin 500 g", "unsupported-number"),
    ("hi_elder_03", "summary_numbers", "metformin 500 mg", "metformin 5 mg", "unsupported-number"),
    ("hi_elder_03", "summary_numbers", "210", "120", "unsupported-number"),
    ("hi_elder_03", "summary_numbers", "160/95", "160/85", "unsupported-number"),
    ("hi_elder_03", "summary_numbers", "six months", "six weeks", "unsupported-number"),
    ("hi_elder_03", "summary_medicines", "metformin", "glimepiride", "unsupported-medicine"),
    ("hi_elder_03", "summary_medicines", "amlodipine", "amitriptyline", "unsupported-medicine"),
    ("hi_elder_03", "summary_negations", "denies chest pain", "has chest pain", "contradicted-negation"),
    ("hi_elder_03", "summary_negations", "no swelling", "swelling", "contradicted-negation"),
    ("kn_fever_04", "summary_numbers", "three weeks", "three months", "unsupported-number"),
    ("kn_fever_04", "summary_numbers", "paracetamol 500 mg", "paracetamol 650 mg", "unsupported-number"),
    ("kn_fever_04", "summary_numbers", "4 kg", "14 kg", "unsupported-number"),
    ("kn_fever_04", "summary_numbers", "110/70", "170/110", "unsupported-number"),
    ("kn_fever_04", "summary_medicines", "paracetamol", "aspirin", "unsupported-medicine"),
    ("kn_fever_04", "summary_negations", "denies blood in the sputum", "reports blood in the sputum", "contradicted-negation"),
    ("kn_fever_04", "summary_negations", "He has no diabetes", "He has diabetes", "contradicted-negation"),
    ("kn_fever_04", "summary_negations", "reports cough", "denies cough", "contradicted-negation"),
]


@pytest.mark.parametrize(("name", "check", "old", "new", "code"), MUTATIONS, ids=lambda value: str(value)[:30])
def test_a_changed_summary_is_caught(name, check, old, new, code):
    reference = summaries()[name]
    assert old in reference
    changed = reference.replace(old, new, 1)
    codes = [one for one, _ in told(check, reference, changed, transcript(name))]
    assert code in codes
    assert {one for one in codes if not one.startswith("missed-")} == {code}
    before = get(check).score(get(check).stats(reference, reference, transcript=transcript(name)))
    after = get(check).score(get(check).stats(reference, changed, transcript=transcript(name)))
    assert before == 1.0
    assert after < before


def said(*words: str, role: str = "health_seeker") -> list[Segment]:
    return [Segment("visit", role, words=one, role=role) for one in words]


BORNE_OUT = [
    ("summary_numbers", "पाँच सौ एमजी", "500 mg"),
    ("summary_numbers", "५०० मिलीग्राम", "0.5 g"),
    ("summary_numbers", "ಐನೂರು ಎಂಜಿ", "500mg"),
    ("summary_numbers", "डोलो छह सौ पचास", "Dolo 650"),
    ("summary_numbers", "डोलो छह सौ पचास", "Dolo 650 mg"),
    ("summary_numbers", "दो हफ्ते से", "for 14 days"),
    ("summary_numbers", "डेढ़ महीने से", "for 1.5 months"),
    ("summary_numbers", "ढाई साल से", "2.5 years"),
    ("summary_numbers", "हीमोग्लोबिन साढ़े आठ है", "Hb 8.5 g/dL"),
    ("summary_numbers", "खून आठ ग्राम है", "hemoglobin 8 g/dl"),
    ("summary_numbers", "बीपी एक सौ चालीस बटा नब्बे", "BP 140/90 mmHg"),
    ("summary_numbers", "BP one forty by ninety", "blood pressure 140/90"),
    ("summary_numbers", "बुखार एक सौ दो था", "102°F"),
    ("summary_numbers", "सुबह शाम एक एक गोली", "one tablet twice a day"),
    ("summary_numbers", "ದಿನಕ್ಕೆ ಮೂರು ಸಲ", "three times daily"),
    ("summary_numbers", "दिन में तीन टाइम", "TDS"),
    ("summary_numbers", "सुबह शाम लेना", "1-0-1"),
    ("summary_numbers", "आधी गोली", "1/2 tablet"),
    ("summary_numbers", "ऑक्सीजन अट्ठानवे है", "SpO2 98%"),
    ("summary_numbers", "दो तीन दिन से", "for 3 days"),
    ("summary_numbers", "दस हजार रुपये", "10,000 rupees"),
    ("summary_medicines", "क्रोसिन लेना", "paracetamol"),
    ("summary_medicines", "बुखार की गोली ली", "paracetamol"),
    ("summary_medicines", "मेटफार्मिन चल रही है", "metformin"),
    ("summary_medicines", "ಮೆಟ್ಫಾರ್ಮಿನ್ ಮಾತ್ರೆ", "Glycomet"),
    ("summary_medicines", "कॉम्बिफ्लेम ली थी", "ibuprofen with paracetamol"),
    ("summary_medicines", "ऑगमेंटिन", "amoxicillin"),
    ("summary_negations", "बुखार नहीं है", "no fever"),
    ("summary_negations", "ಜ್ವರ ಇಲ್ಲ", "denies fever"),
    ("summary_negations", "no fever sir", "without fever"),
    ("summary_negations", "खांसी नहीं है", "There is no dry cough"),
    ("summary_negations", "बुखार नहीं है", "Fever: none."),
    ("summary_negations", "शुगर नहीं है", "He is non-diabetic."),
]


@pytest.mark.parametrize(("check", "words", "summary"), BORNE_OUT)
def test_what_was_said_bears_out_what_it_means(check, words, summary):
    found = get(check).stats(summary, summary, transcript=said(words))
    assert found["contradicted"] == 0
    assert found["unsupported"] == 0
    assert found["supported"] >= 1


NOT_SAID = [
    ("summary_numbers", "नौ दिन से", "hemoglobin 9"),
    ("summary_numbers", "एक मिनट, दे दो", "2 tablets"),
    ("summary_numbers", "तीन दिन से", "for 3 weeks"),
    ("summary_numbers", "पाँच सौ एमजी", "500 ml"),
    ("summary_numbers", "मेटफॉर्मिन पाँच सौ एमजी और एमलोडिपिन पाँच एमजी", "amlodipine 500 mg"),
    ("summary_numbers", "तीन दिन से", "for 2-3 days"),
    ("summary_numbers", "बीपी ठीक है", "BP 120/80"),
    ("summary_medicines", "एंटीबायोटिक दी थी", "azithromycin"),
    ("summary_medicines", "सिट्रीजिन", "levocetirizine"),
    ("summary_medicines", "", "prednisolone"),
    ("summary_negations", "बुखार है", "no fever"),
    ("summary_negations", "खांसी है", "no fever"),
    ("summary_negations", "सूखी खांसी है", "no cough"),
    ("summary_negations", "बुखार नहीं है", "has fever"),
]


@pytest.mark.parametrize(("check", "words", "summary"), NOT_SAID)
def test_what_was_not_said_does_not_bear_out(check, words, summary):
    assert get(check).stats("", summary, transcript=said(words))["unsupported"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "Vitamin B12 and HbA1c",
        "COVID-19",
        "one of both",
        "the 3rd visit",
        "on 12/05/2024",
        "since 10/2023",
        "type 2 diabetes",
        "Plan:\n1. Rest\n2) Fluids",
    ],
)
def test_names_and_dates_claim_no_number(text):
    assert get("summary_numbers").score(get("summary_numbers").stats(text, text)) is None


def test_without_a_transcript_the_reference_bears_out():
    reference = "Metformin 500 mg for 3 days, no fever."
    assert told("summary_numbers", reference, "Metformin 500 mg for 5 days.") == [
        ("unsupported-number", "'5 days' of the summary is not in the reference"),
        ("missed-number", "'3 days' of the reference is not in the summary"),
    ]
    assert told("summary_medicines", reference, "Amlodipine 500 mg.") == [
        ("unsupported-medicine", "'Amlodipine' of the summary is not in the reference"),
        ("missed-medicine", "'Metformin' of the reference is not in the summary"),
    ]
    assert told("summary_negations", reference, "She has fever.") == [
        ("contradicted-negation", "the summary affirms 'fever', the reference denies it"),
        ("missed-negation", "the denial of 'fever' of the reference is not in the summary"),
    ]


def test_a_list_is_denied_to_its_end():
    text = "He denies weight gain, dizziness, chills, chest pain, headache, fever, and vomiting."
    assert get("summary_negations").stats(text, text)["supported"] == 7
    assert [code for code, _ in told("summary_negations", "He vomits.", text) if code.startswith("contra")] == [
        "contradicted-negation"
    ]


def test_advice_states_no_finding():
    text = "Advised to return if there is fever or no urine."
    assert get("summary_negations").stats("No fever.", text)["contradicted"] == 0


def test_without_a_transcript_the_value_is_f1():
    found = get("summary_numbers").stats("5 mg, 6 mg, 7 mg", "5 mg, 8 mg")
    assert (found["supported"], found["unsupported"], found["missed"]) == (1, 1, 2)
    assert get("summary_numbers").score(found) == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert get("summary_numbers").parts(found) == pytest.approx({"precision": 1 / 2, "recall": 1 / 3})


def test_the_best_reference_counts():
    found = get("summary_numbers").stats(["5 mg", "6 mg for 3 days"], "6 mg for 3 days")
    assert get("summary_numbers").score(found) == 1.0


def test_a_transcript_in_a_script_that_is_not_read_bears_out_nothing():
    tamil = [Segment("visit", words="மூன்று நாட்களாக காய்ச்சல்")]
    assert get("summary_numbers").stats("3 days", "3 days", transcript=tamil)["supported"] == 1
    assert [code for code, _ in told("summary_numbers", "3 days", "4 days", tamil)][:2] == [
        "transcript-not-read",
        "unsupported-number",
    ]


def test_a_recording_without_its_transcript_falls_back_to_the_reference():
    assert get("summary_numbers").stats("3 days", "3 days", transcript=[])["supported"] == 1
    assert [code for code, _ in told("summary_numbers", "3 days", "3 days", [])] == ["no-transcript"]


def test_who_seeks_health_is_no_advice_to_seek_it() -> None:
    denials = get("summary_negations").stats
    denied = denials("She denies headache.", "The health seeker denies headache.")
    assert (denied["supported"], denied["found"], denied["missed"]) == (1, 1, 0)
    advised = denials("She denies headache.", "She should seek help for headache.")
    assert (advised["supported"], advised["unsupported"], advised["contradicted"]) == (0, 0, 0)

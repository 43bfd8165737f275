"""The structured summary: readable, traceable, and nothing in it that was not said."""

import re
import tomllib
from pathlib import Path

import pytest

from parakh import registry
from parakh.cascade.summaries.structured import ASSESSMENT, CHIEF_COMPLAINT, FINDINGS, HISTORY, PLAN, sentences
from parakh.clinical import concepts, measurements, mentions
from parakh.clinical.lexicon import composites
from parakh.errors import UnavailableError
from parakh.types import Segment

DIALOGUES = tomllib.loads((Path(__file__).parent / "clinic_dialogues.toml").read_text("utf-8"))
ROLES = {"w": "health_worker", "s": "health_seeker"}


def turns(language: str, *lines: str) -> list[Segment]:
    return [Segment("v", line[0], words=line[3:], role=ROLES[line[0]], language=language) for line in lines]


def text_of(*lines: str, language: str = "hi") -> str:
    return str(registry.load("summary", "structured").Backend().summarize(turns(language, *lines), []).text)


def test_a_visit_reads_like_a_note() -> None:
    assert text_of(
        "w: क्या तकलीफ है? कौन सा महीना चल रहा है?",
        "s: छठा महीना चल रहा है दीदी। तीन दिन से बुखार है और चक्कर आता है। पिछले साल टीबी हुआ था, ठीक हो गया। माँ को शुगर है।",
        "w: उल्टी या सिर दर्द है?",
        "s: नहीं।",
        "w: बीपी 110/70 है। हीमोग्लोबिन नौ है, कम है। आयरन की गोली दिन में दो बार खाने के बाद लेना। पेशाब की जांच करानी है। "
        "हरी सब्जी खाओ। एक हफ्ते बाद आना।",
    ) == (
        "The health seeker, 6 months pregnant, reports fever for 3 days and dizziness. The health seeker denies vomiting or headache. "
        "Past history includes tuberculosis. Family history includes diabetes. Blood pressure is 110/70 mmHg and hemoglobin is 9 g/dL. "
        "The health worker notes anemia in pregnancy. Iron tablets were advised, 2 times a day, after food. A urine test was advised. "
        "The health seeker was advised to eat green leafy vegetables. Follow-up after 1 week was advised."
    )


def test_a_child_is_the_patient() -> None:
    assert text_of("w: मुन्ने को क्या हुआ?", "s: बच्चे को दो दिन से दस्त है, दिन में पाँच छह बार। उल्टी नहीं है।") == (
        "The health seeker's child has diarrhea for 2 days 5 to 6 times a day. There is no vomiting."
    )


def test_kannada_is_understood() -> None:
    assert text_of(
        "w: ಏನು ತೊಂದರೆ?",
        "s: ಮೂರು ದಿನದಿಂದ ಜ್ವರ, ತಲೆನೋವು. ವಾಂತಿ ಇಲ್ಲ.",
        "w: ಪ್ಯಾರಸಿಟಮಾಲ್ ದಿನಕ್ಕೆ ಮೂರು ಸಲ ತಗೊಳ್ಳಿ. ರಕ್ತ ಪರೀಕ್ಷೆ ಮಾಡಿಸಿ.",
        language="kn",
    ) == (
        "The health seeker reports fever for 3 days and headache. The health seeker denies vomiting. "
        "Paracetamol was advised, 3 times a day. A blood test was advised."
    )


def test_sections_come_in_order_and_name_their_turns() -> None:
    found = sentences(
        turns(
            "hi",
            "s: बुखार है, खांसी नहीं है।",
            "w: बुखार 102 डिग्री है। टीबी का शक है।",
            "w: पैरासिटामोल लीजिए।",
        ),
        [],
    )
    assert [(sentence.section, sentence.turns) for sentence in found] == [
        (CHIEF_COMPLAINT, (0, 1)),
        (HISTORY, (0,)),
        (FINDINGS, (1,)),
        (ASSESSMENT, (1,)),
        (PLAN, (2,)),
    ]


def test_two_tablets_are_those_of_the_medicine_named_before() -> None:
    assert "Iron tablets were advised, 2 tablets." in text_of("w: आयरन खा रही हो?", "s: छोड़ दी।", "w: रोज दो गोली लेना।")


@pytest.mark.parametrize("name", DIALOGUES)
def test_every_number_is_one_that_its_turns_state(name: str) -> None:
    said = turns(DIALOGUES[name]["language"], *DIALOGUES[name]["turns"].strip().splitlines())
    for sentence in sentences(said, []):
        stated = {
            f"{value:g}"
            for m in measurements(said)
            if m.segment_index in sentence.turns
            for value in (m.value, m.second)
            if value
        }
        assert set(re.findall(r"\d+(?:\.\d+)?", sentence.text)) <= stated, sentence


@pytest.mark.parametrize("name", DIALOGUES)
def test_every_concept_is_one_that_its_turns_mention(name: str) -> None:
    said = turns(DIALOGUES[name]["language"], *DIALOGUES[name]["turns"].strip().splitlines())
    terms = {concept.id: concept.term.casefold() for concept in concepts().values() if concept.kind != "decoy"}
    parts = {term.casefold(): {first, second} for term, first, second in composites()}
    for sentence in sentences(said, []):
        mentioned = {m.concept.id for m in mentions(said) if set(m.turns) & set(sentence.turns)}
        allowed = {terms[name] for name in mentioned} | {term for term, both in parts.items() if both <= mentioned}
        text = sentence.text.casefold()
        named = {term for term in (*terms.values(), *parts) if re.search(rf"\b{re.escape(term)}\b", text)}
        loose = {term for term in named if not any(term in other for other in allowed)}
        assert not loose, sentence


def test_the_translation_stands_in_for_a_silent_transcript() -> None:
    summary = registry.load("summary", "structured").Backend().summarize(
        [Segment("v", "s", role="health_seeker")], [Segment("v", "s", words="I have had fever for three days.", role="health_seeker", language="en")]
    )  # fmt: skip
    assert (summary.session_id, summary.text) == ("v", "The health seeker reports fever for 3 days.")


def test_nothing_found_is_said_plainly() -> None:
    assert text_of("s: नमस्ते दीदी।") == "No health problem could be identified in the conversation."


def test_without_words_it_says_what_it_needs() -> None:
    with pytest.raises(UnavailableError, match="there is no transcript"):
        registry.load("summary", "structured").Backend().summarize([Segment("v", "s")], [])

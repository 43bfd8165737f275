"""Topics found by the clinical concept list, on conversations whose problems are known."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from parakh import registry
from parakh.clinical.problems import problems
from parakh.errors import UnavailableError
from parakh.types import Segment

HERE = Path(__file__).parent
DIALOGUES: dict[str, Any] = tomllib.loads((HERE / "clinic_dialogues.toml").read_text("utf-8"))
INDIC = HERE.parents[2] / "shared" / "data" / "doctor-patient-indic" / "transcripts"
ROLES = {"w": "health_worker", "s": "health_seeker"}


def turns_of(name: str, *, with_roles: bool) -> list[Segment]:
    dialogue = DIALOGUES[name]
    lines = [line.partition(": ") for line in dialogue["turns"].strip().splitlines()]
    return [
        Segment(name, who, words=words, role=ROLES[who] if with_roles else None, language=dialogue["language"])
        for who, _, words in lines
    ]


def find(transcript: list[Segment], translation: list[Segment] | None = None, **options: Any) -> tuple[str, ...]:
    backend = registry.load("topics", "concepts").Backend(**options)
    topics: tuple[str, ...] = backend.find(transcript, translation or []).topics
    return topics


@pytest.mark.parametrize("with_roles", [True, False], ids=["roles", "roles-guessed"])
@pytest.mark.parametrize("name", DIALOGUES)
def test_the_topics_are_the_ongoing_problems(name: str, with_roles: bool) -> None:
    found = find(turns_of(name, with_roles=with_roles))
    assert sorted(found) == sorted(DIALOGUES[name]["problems"])
    assert not set(found) & set(DIALOGUES[name]["absent"])


@pytest.mark.parametrize(("folder", "language"), [("hindi", "hi"), ("kannada", "kn"), ("english", "en")])
def test_the_published_conversation_has_the_same_problems_in_every_language(folder: str, language: str) -> None:
    path = INDIC / folder / "convo_001.txt"
    if not path.is_file():
        pytest.skip("the doctor-patient-indic transcripts are not here")
    said = [turn for turn in path.read_text("utf-8").split("\n\n") if turn.strip()]
    turns = [Segment("convo_001", "dp"[at % 2], words=words, language=language) for at, words in enumerate(said)]
    # Told by the patient: two weeks of tiredness, frequent headaches, dizziness, stress, poor sleep, skipped meals.
    # Anemia is only what the blood test is to rule out.
    assert find(turns) == ("Fatigue", "Headache", "Dizziness", "Insomnia", "Stress", "Irregular meals")


def test_the_translation_stands_in_for_a_silent_transcript() -> None:
    silent = [Segment("v", "s", role="health_seeker")]
    english = [Segment("v", "s", words="I have a fever and my knee hurts.", language="en")]
    assert find(silent, english) == ("Fever", "Knee pain")


def test_the_translation_adds_nothing_where_the_transcript_tells_enough() -> None:
    told = [Segment("v", "s", words="बुखार है, सिर दर्द है", role="health_seeker")]
    assert find(told, [Segment("v", "s", words="I have a cough.", language="en")]) == ("Fever", "Headache")


def test_no_problem_is_no_topic() -> None:
    assert find([Segment("v", "s", words="नमस्ते दीदी, सब बढ़िया है", role="health_seeker")]) == ()


def test_most_limits_the_list_to_the_strongest() -> None:
    turns = [Segment("v", "s", words=words, role="health_seeker") for words in ("चक्कर आता है। बुखार है।", "बुखार तीन दिन से है।")]
    assert find(turns, most=1) == ("Fever",)


@pytest.mark.parametrize("turns", [[], [Segment("v", "s")], [Segment("v", "s", words="  ")]])
def test_without_words_it_says_what_it_needs(turns: list[Segment]) -> None:
    with pytest.raises(UnavailableError, match="there is no transcript"):
        find(turns)


def test_every_problem_names_its_turns() -> None:
    turns = turns_of("diarrhoea-child-hi", with_roles=True)
    by_term = {problem.term: problem.turns for problem in problems(turns)}
    assert by_term == {"Diarrhea": (1,), "Vomiting": (1,), "Fever": (2, 3)}

"""What a chat model is shown: prompts of the user's own, examples, whose words, what is known of the people, reference lists."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from parakh import registry
from parakh.cascade import known, noticing
from parakh.cascade.prompts import read_prompt
from parakh.dataset import manifest
from parakh.errors import InputError
from parakh.types import Segment

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TURNS = [
    Segment("visit", "a", words="घर में किसी को शुगर है?", role="health_worker"),
    Segment("visit", "b", words="मुझे {तीन} दिन से बुखार है।", role="health_seeker"),
    Segment("visit", "c", words="खाना नहीं खाती।", role="health_seeker_attendant"),
]
ENGLISH = [Segment("visit", turn.speaker, words=f"English {turn.speaker}", role=turn.role, language="en") for turn in TURNS]


@dataclass
class Listens:
    """A chat model that keeps what it was asked."""

    reply: str = "Fever"
    asked: list[Sequence[Mapping[str, str]]] = field(default_factory=list)

    def complete(self, messages: Sequence[Mapping[str, str]]) -> str:
        self.asked.append(messages)
        return self.reply


def find(turns: Sequence[Segment] = TURNS, english: Sequence[Segment] = (), **options: Any) -> list[Mapping[str, str]]:
    """The messages of a question for topics."""
    llm = Listens()
    registry.load("topics", "llm").Backend(llm=llm, **options).find(turns, english)
    return list(llm.asked[0])


def test_everybodys_words_or_the_health_seekers_alone() -> None:
    assert find()[-1]["content"].splitlines()[1:] == [
        "Health worker: घर में किसी को शुगर है?",
        "Health seeker: मुझे {तीन} दिन से बुखार है।",
        "Health seeker attendant: खाना नहीं खाती।",
    ]
    asked = find(speakers="health_seeker")[-1]["content"]
    assert "शुगर" not in asked
    assert "Health seeker attendant: खाना नहीं खाती।" in asked


def test_unknown_roles_are_told_and_everybody_is_heard() -> None:
    nobody = [Segment("visit", "a", words="बुखार"), Segment("visit", "b", words="खांसी")]
    with noticing.collected() as findings:
        asked = find(nobody, speakers="health_seeker")[-1]["content"]
    assert [one.code for one in findings] == ["unknown-roles"]
    assert "a: बुखार\nb: खांसी" in asked


def test_the_translation_is_read_where_it_is_asked_for() -> None:
    assert "English b" in find(english=ENGLISH, reads="translation")[-1]["content"]
    assert "English b" not in find(english=ENGLISH)[-1]["content"]
    with noticing.collected() as findings:
        assert "बुखार" in find(reads="translation")[-1]["content"]
    assert [str(one) for one in findings] == [
        "warning other-words: there is no translation: the chat model was given the transcript"
    ]


def test_age_and_sex_are_told_only_when_asked_for() -> None:
    speakers = {"x": {"role": "health_worker", "age": "50"}, "y": {"role": "health_seeker", "age": "34", "sex": "f"}}
    with known.metadata_of({"speakers": json.dumps(speakers), "village": "Sonpura"}):
        told = find(demographics=True)
        untold = find()
    assert told[-1]["content"].startswith("About the people: the health seeker is 34 years old, female.\n\nConversation:")
    assert not any("Sonpura" in message["content"] or "50" in message["content"] for message in told)
    assert untold[-1]["content"].startswith("Conversation:")
    with noticing.collected() as findings:
        assert find(demographics=True)[-1]["content"].startswith("Conversation:")
    assert [one.code for one in findings] == ["no-demographics"]


@pytest.mark.parametrize("speakers", ["{", "[]", '"x"', '{"a": 3}', '{"a": {"role": 3}}', "[" * 100_000])
def test_speakers_that_are_no_speakers_tell_nothing(speakers: str) -> None:
    with known.metadata_of({"speakers": speakers, "age": "4", "sex": "m"}):
        assert "the patient is 4 years old, male" in find(demographics=True)[-1]["content"]


def test_a_reference_list_is_offered(tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("# ours\nFever\n\nKnee pain\nFever\n")
    rules, _ = find(topics_list=str(terms))
    assert "in your own terms: Fever, Knee pain\n" in rules["content"]
    assert "following terms" not in find()[0]["content"]
    terms.write_text("# none yet\n")
    for path in (terms, tmp_path / "nowhere.txt"):
        with pytest.raises(InputError, match=r"topics_list: found no .*, expected a text file with a term on each line"):
            find(topics_list=str(path))


def test_a_prompt_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("Which illness?\n\n{conversation}")
    (message,) = find(prompt=str(own))
    assert message["role"] == "user"
    assert message["content"].startswith("Which illness?\n\nHealth worker: ")
    for text, found in (("Which illness?", r"without \{conversation\}"), ("{conversation} {speech}", r"with \{speech\}")):
        own.write_text(text)
        with pytest.raises(InputError, match=rf"prompt: found .*own\.txt' {found}, expected"):
            find(prompt=str(own))
    own.write_text("{conversation}")
    with pytest.raises(InputError, match=r"without \{seekers\}"):
        find(prompt=str(own), demographics=True)


def test_examples_come_from_a_data_set_and_never_the_recording_itself() -> None:
    messages = find(shots=str(EXAMPLES), n_shots=2)
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    answers = {" ".join(one.topics) for one in _topics()}
    assert {message["content"].replace(", ", " ") for message in messages if message["role"] == "assistant"} <= answers
    assert messages == find(shots=str(EXAMPLES / "recordings.jsonl"), n_shots=2)
    assert messages != find(shots=str(EXAMPLES), n_shots=2, shots_seed=1)
    own = [Segment("hi_anc_01", "a", words="नमस्ते", role="health_seeker")]
    with noticing.collected() as findings:
        asked = find(own, shots=str(EXAMPLES), n_shots=4)
    assert [one.code for one in findings] == ["fewer-shots"]
    assert not any("Anemia in pregnancy" in message["content"] for message in asked)
    assert sum(message["role"] == "assistant" for message in asked) == 3


def test_examples_show_the_health_seekers_alone_too() -> None:
    messages = find(shots=str(EXAMPLES), n_shots=2, speakers="health_seeker")
    assert not any("Health worker" in message["content"] for message in messages[1:])


def test_too_few_examples_are_told() -> None:
    with pytest.raises(
        InputError, match=r"shots: found 4 recordings with a transcript and a topics, expected at least n_shots = 6"
    ):
        find(shots=str(EXAMPLES))
    with pytest.raises(InputError, match="a part of the data set"):
        find(shots=str(EXAMPLES), n_shots=1, shots_split="train")


def test_a_summary_shows_its_examples_in_tags() -> None:
    llm = Listens("<SUMMARY>Fever for three days.</SUMMARY>")
    registry.load("summary", "llm").Backend(llm=llm, shots=str(EXAMPLES), n_shots=1).summarize(TURNS, [])
    answer = llm.asked[0][2]["content"]
    assert answer.startswith("<SUMMARY>")
    assert answer.endswith("</SUMMARY>")


@pytest.mark.parametrize(
    ("prompt", "demands"),
    [
        (
            "translation-v1",
            ["into English", "turn by turn", "dose", "medicine", "never join or split", "Every turn has a number"],
        ),
        ("correction-v1", ["misheard", "medical terms", "Never translate", "leave the turn as it is", "Every turn has a number"]),
    ],
)
def test_prompts_of_turns_make_every_demand(prompt: str, demands: list[str]) -> None:
    text = read_prompt(prompt, ["turns"], ["context", "language"]).system
    assert [demand for demand in demands if demand not in text] == []


def _topics() -> list[Any]:
    from parakh.dataset.content import contents

    return [one.topics for one in contents(manifest.load(EXAMPLES)) if one.topics]

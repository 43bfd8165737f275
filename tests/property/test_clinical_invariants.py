"""What holds for any talk at all: no crash, indices that exist, sentences that rest on turns."""

import tomllib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.cascade.summaries.structured import sentences
from parakh.clinical import assign_roles, measurements, mentions
from parakh.clinical.folding import words_of
from parakh.clinical.problems import problems
from parakh.types import Segment

DIALOGUES = tomllib.loads((Path(__file__).parents[1] / "golden" / "clinic_dialogues.toml").read_text("utf-8"))
WORDS = sorted(
    {word for dialogue in DIALOGUES.values() for word in dialogue["turns"].split()} | {"140/90", "102", "१२", "?", "।", ","}
)
TURN = st.builds(
    lambda speaker, words, role: Segment("v", speaker, words=" ".join(words), role=role),
    st.sampled_from(["a", "b", None]),
    st.lists(st.sampled_from(WORDS), max_size=14),
    st.sampled_from([None, "health_worker", "health_seeker", "health_seeker_attendant", "other"]),
)
TALK = st.lists(TURN, max_size=6)


@settings(max_examples=60, deadline=None)
@given(TALK)
def test_mentions_and_measurements_point_into_the_talk(talk: list[Segment]) -> None:
    lengths = [len(words_of(turn.words)) for turn in talk]
    for mention in mentions(talk):
        assert 0 <= mention.start < mention.end <= lengths[mention.segment_index]
        assert all(0 <= turn < len(talk) for turn in mention.turns)
    for measure in measurements(talk):
        assert 0 <= measure.start < lengths[measure.segment_index]
        assert measure.second is None or measure.second != measure.value


@settings(max_examples=60, deadline=None)
@given(TALK)
def test_problems_are_ranked_and_distinct(talk: list[Segment]) -> None:
    found = problems(talk)
    assert [problem.score for problem in found] == sorted((problem.score for problem in found), reverse=True)
    assert len({problem.term for problem in found}) == len(found)
    assert all(problem.turns for problem in found)


@settings(max_examples=60, deadline=None)
@given(TALK)
def test_every_sentence_rests_on_turns_with_words(talk: list[Segment]) -> None:
    for sentence in sentences(talk, []):
        assert sentence.turns == tuple(sorted(set(sentence.turns)))
        assert sentence.turns
        assert all(talk[turn].words.strip() for turn in sentence.turns)
        assert sentence.text[0].isupper()
        assert sentence.text.endswith(".")


@settings(max_examples=60, deadline=None)
@given(TALK)
def test_an_empty_turn_changes_no_topic(talk: list[Segment]) -> None:
    assert [p.term for p in problems([*talk, Segment("v", "b")])] == [p.term for p in problems(talk)]


@settings(max_examples=60, deadline=None)
@given(TALK)
def test_roles_are_of_the_speakers(talk: list[Segment]) -> None:
    roles = assign_roles(talk)
    assert roles.keys() == {turn.speaker for turn in talk if turn.speaker is not None}
    assert set(roles.values()) <= {"health_worker", "health_seeker", None}


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    mentions([Segment("v", "a", words=text)])
    measurements([Segment("v", "a", words=text)])

"""Whatever a chat model writes: it is read or refused, in linear time, and turns are never lost."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.cascade.chat import numbered, replies
from parakh.cascade.corrections import llm as corrections
from parakh.cascade.summaries import llm as summaries
from parakh.cascade.topics import llm as topics
from parakh.errors import UnavailableError
from parakh.types import Segment, Topics

SIGNS = st.sampled_from(
    [
        "<SUMMARY>",
        "</SUMMARY>",
        "<think>",
        "</think>",
        "1. ",
        "2) ",
        "- ",
        "*",
        ",",
        "\n",
        " ",
        "Fever",
        "बुखार",
        "None",
        "```",
        ".",
        "7",
    ]
)
REPLIES = st.lists(SIGNS, max_size=30).map("".join) | st.text(max_size=60)
ASKED = {0: "Health worker", 1: "Health seeker"}
PARSERS: list[Callable[[str], object]] = [
    topics.parse,
    summaries.parse,
    lambda reply: numbered.parse(reply, ASKED),
    replies.answer,
    replies.check_willing,
]


@given(REPLIES)
def test_a_reply_is_read_or_refused(reply: str) -> None:
    for parse in PARSERS:
        with suppress(replies.ReplyError, UnavailableError):
            parse(reply)


@given(st.lists(st.sampled_from(["Fever", "Knee pain", "Cough (dry)", "Type 2 diabetes"]), unique=True, max_size=4))
def test_topics_as_the_prompt_wants_them_come_back(terms: list[str]) -> None:
    assert topics.parse(topics.write(Topics("v", tuple(terms)))) == tuple(terms)


@given(st.dictionaries(st.integers(0, 1), st.sampled_from(["Yes.", "बुखार", "1. no"]), min_size=1))
def test_numbered_lines_come_back(texts: Mapping[int, str]) -> None:
    lines = "\n".join(f"{at + 1}. {text}" for at, text in texts.items())
    assert numbered.parse(lines, ASKED) == dict(sorted(texts.items()))


@dataclass
class Says:
    """A chat model that says one thing."""

    reply: str

    def complete(self, messages: Sequence[Mapping[str, str]]) -> str:
        return self.reply


@given(REPLIES, st.lists(st.sampled_from(["", "बुखार है", "1. Fever", "तीन दिन"]), max_size=4), st.floats(0, 1))
def test_a_correction_keeps_turns_and_believes_little(reply: str, words: list[str], most: float) -> None:
    turns = [
        Segment("v", "a", float(at), at + 1.0, text, word_times=((at, at + 1.0),) * len(text.split()))
        for at, text in enumerate(words)
    ]
    try:
        mended = corrections.Backend(llm=Says(reply), max_change=most).correct(turns)
    except UnavailableError:
        return
    assert len(mended) == len(turns)
    for old, new in zip(turns, mended, strict=True):
        assert (old.session_id, old.speaker, old.start_time, old.end_time) == (
            new.session_id,
            new.speaker,
            new.start_time,
            new.end_time,
        )
        assert corrections.change(old.words, new.words) <= most or old == new
        assert len(new.word_times) == len(new.words.split())


@pytest.mark.parametrize("piece", ["<SUMMARY>", "<think>", " ", "\n", "1. ", "- ", "*", "1", "<SUMMARY> - \n", "मैं "])
def test_long_replies_take_no_long_time(piece: str) -> None:
    reply = piece * 100_000
    started = time.process_time()
    for parse in PARSERS:
        with suppress(replies.ReplyError, UnavailableError):
            parse(reply)
    assert time.process_time() - started < 5

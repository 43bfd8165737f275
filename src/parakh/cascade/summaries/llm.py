"""A summary from a chat model: English prose between ``<SUMMARY>`` and ``</SUMMARY>``, as the prompt ``summary-v2`` asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parakh.cascade import noticing
from parakh.cascade.chat import ask
from parakh.cascade.chat.reading import ReadingStage
from parakh.cascade.chat.replies import ReplyError, is_english, quoted
from parakh.errors import counted
from parakh.types import Segment, Severity, Summary, Topics

MODELS: tuple[str, ...] = ()
_OPEN, _CLOSE = "<SUMMARY>", "</SUMMARY>"
_EXPECTED = "one summary in English between <SUMMARY> and </SUMMARY>"
_MARKUP = re.compile(r"^[ \t]*(?:[-*•#]|\d{1,2}[.)]\s)|\*\*", re.MULTILINE)
_LEAST = 2
"""Words; what is shorter is no summary but the tags of the prompt repeated."""


@dataclass(frozen=True)
class Backend(ReadingStage):
    """Asks a chat model for a summary between ``<SUMMARY>`` and ``</SUMMARY>``.

    Args:
        llm: The chat model.
        prompt: Name of a prompt of ours, or path of a text file with ``{conversation}`` in it.
        asks: How often to ask before a reply that cannot be read is given up.
        reads: "transcript" or "translation": which words the model gets.
        speakers: "all", or "health_seeker" for what the health seekers say alone.
        demographics: Whether to tell the model age and sex of the health seekers, where the manifest says them.
        shots: Data set with examples (transcripts and summaries): its folder or its recordings.jsonl; None gives no examples.
        shots_split: Only this part of that data set; None takes all.
        n_shots: How many examples.
        shots_seed: Another seed chooses other examples.
    """

    prompt: str = "summary-v2"

    kind = "summary"

    def summarize(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Summary:
        """The model's summary, its white space folded to single spaces.

        Raises:
            UnavailableError: No words, no model, or no reply with exactly one tagged summary in English.
            MissingPackageError: A package that the chat model needs is not installed.
        """
        text = ask(self.llm, self.messages(transcript, translation, write), parse, self.asks)
        return Summary([*transcript, *translation][0].session_id, text)


def parse(reply: str) -> str:
    r"""The text between the tags, on one line; text outside them, and markup inside, is noted.

    Raises:
        ReplyError: There is not exactly one pair of tags with English text between: says what there is.

    >>> parse("<SUMMARY>\nThe health seeker reports\nfever.</SUMMARY>")
    'The health seeker reports fever.'
    """
    before, opened, rest = reply.partition(_OPEN)
    inside, closed, after = rest.partition(_CLOSE)
    count = min(reply.count(_OPEN), reply.count(_CLOSE))
    if not (opened and closed) or count > 1:
        other = " in capitals; the tags are written otherwise" if "<summary" in reply.lower() and not opened else ""
        found = count if closed else 0
        raise ReplyError(f"{counted(found, 'summary', 'summaries')} between tags{other}", _EXPECTED, reply)
    text = " ".join(inside.split())
    if "```" in text:
        raise ReplyError("a code fence ```", _EXPECTED, reply)
    if len(text.split()) < _LEAST:
        raise ReplyError(f"a summary of {counted(len(text.split()), 'word')}", _EXPECTED, reply)
    if not is_english(text):
        raise ReplyError("a summary that is not in English", _EXPECTED, reply)
    if outside := f"{before} {after}".strip():
        noticing.note("text-outside-summary", f"text outside the tags is left out: {quoted(outside)}", severity=Severity.NOTE)
    if _MARKUP.search(inside):
        noticing.note("markup-in-summary", "the summary holds headings, bullets or bold signs", severity=Severity.NOTE)
    return text


def write(answer: Topics | Summary) -> str:
    """A summary as the prompt asks for it.

    >>> write(Summary("v", "Fever for three days."))
    '<SUMMARY>Fever for three days.</SUMMARY>'
    """
    return f"<SUMMARY>{answer.text if isinstance(answer, Summary) else ''}</SUMMARY>"

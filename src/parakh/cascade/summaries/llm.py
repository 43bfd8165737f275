"""A summary from a chat model: the options are those of the llm ``openai-compatible``, the prompt is ``summary-v1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parakh.cascade.llms import openai_compatible
from parakh.cascade.prompts import conversation, read_prompt
from parakh.errors import UnavailableError
from parakh.types import Segment, Summary

MODELS: tuple[str, ...] = ()
_TAGGED = re.compile(r"<SUMMARY>(.*?)</SUMMARY>", re.DOTALL)


@dataclass(frozen=True)
class Backend(openai_compatible.Backend):
    """Asks a chat model for a summary between ``<SUMMARY>`` and ``</SUMMARY>``."""

    def summarize(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Summary:
        """The model's summary, its white space folded to single spaces.

        Raises:
            UnavailableError: No words, no model, or a reply without exactly one tagged summary.
            MissingPackageError: The openai client is not installed.
        """
        reply = self.complete(
            [
                {"role": "system", "content": read_prompt("summary-v1")},
                {"role": "user", "content": conversation(transcript, translation)},
            ]
        )
        return Summary([*transcript, *translation][0].session_id, parse(reply))


def parse(reply: str) -> str:
    r"""The text between the tags, on one line; text outside them is ignored.

    Raises:
        UnavailableError: There is not exactly one pair of tags with text between; the reply's beginning is quoted.

    >>> parse("<SUMMARY>\nThe health seeker reports\nfever.</SUMMARY>")
    'The health seeker reports fever.'
    """
    found = [" ".join(text.split()) for text in _TAGGED.findall(reply)]
    if len(found) != 1 or not found[0]:
        raise UnavailableError(
            f"The model's reply holds {len(found)} summaries between <SUMMARY> and </SUMMARY> where one with text is expected: "
            f"{reply.strip()[:80]!r}. Use a model that follows instructions, or raise max_tokens."
        )
    return found[0]

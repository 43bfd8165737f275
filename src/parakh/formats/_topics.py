"""The comma list of topics, and "None" for no topic."""

from __future__ import annotations

import re
from collections.abc import Sequence

from parakh.formats._text import Writer, shown

_SEPARATOR = re.compile(r"[,\n]")


def split(text: str) -> tuple[str, ...]:
    """Topics of a comma list, without the blanks around them; "None" and "" give none.

    >>> split("Headache, Leg Pain"), split("None")
    (('Headache', 'Leg Pain'), ())
    """
    topics = tuple(topic for topic in (part.strip() for part in _SEPARATOR.split(text)) if topic)
    return () if len(topics) == 1 and topics[0].lower() == "none" else topics


def join(writer: Writer, entry: int, topics: Sequence[str]) -> str:
    """The comma list; faults for topics that it would not give back."""
    text = ", ".join(topics) or "None"
    if split(text) != tuple(topics):
        expected = "topics without commas, line ends or blanks around them, and not the word None"
        writer.fault(entry, "topics", shown(list(topics)), expected, "Rename the topic.")
    return text

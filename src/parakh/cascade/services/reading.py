"""Words and times out of answers of which nothing has been checked."""

from __future__ import annotations

import math
from collections.abc import Sequence

from parakh.cascade.services.exchange import Service, malformed
from parakh.cascade.windows import Word, spread


def text_of(service: Service, answer: object, key: str) -> str:
    """A text of an answer; "" where it is null.

    Raises:
        PassingError: It is missing or no text.
    """
    found = answer.get(key, ...) if isinstance(answer, dict) else ...
    if found is None:
        return ""
    if not isinstance(found, str):
        raise malformed(service, f"an answer without a text under {key!r}")
    return found


def rows_of(service: Service, answer: dict[str, object], key: str) -> list[dict[str, object]]:
    """A list of objects in an answer; [] where it is missing or null.

    Raises:
        PassingError: It is something else.
    """
    found = answer.get(key) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise malformed(service, f"an answer with something else than objects under {key!r}")
    return found


def seconds_of(service: Service, value: object) -> float:
    """A time of an answer.

    Raises:
        PassingError: It is no number of seconds.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise malformed(service, "an answer with times that are no seconds")
    return float(value)


def timed_text(text: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """Words with their times, written as in the text where that has as many: services leave punctuation out of the former.

    >>> timed_text("Kab se?", [Word("Kab", 0.0, 0.4), Word("se", 0.5, 0.7)])
    (Word(text='Kab', start=0.0, end=0.4), Word(text='se?', start=0.5, end=0.7))
    """
    texts = text.split()
    single = [piece for word in words for piece in spread(word.text, word.start, word.end)]
    if len(texts) != len(single):
        return tuple(single)
    return tuple(Word(one, word.start, word.end) for one, word in zip(texts, single, strict=True))

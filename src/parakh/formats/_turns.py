"""From the words that a service returns to turns: who speaks changes, a turn ends. Silence inside a turn belongs to it.

On several channels a turn also ends where another channel answers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple


class Word(NamedTuple):
    """One word of a response.

    Args:
        text: As the service writes it.
        start: Seconds; None where the response has none.
        end: Seconds; None where the response has none.
        speaker: Its speaker's label; None where the response has none.
        lead: What stands between it and the word before it.
    """

    text: str
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    lead: str = " "


class Turn(NamedTuple):
    """Consecutive words of one speaker: their text, and when the first begins and the last ends."""

    words: str
    start: float | None
    end: float | None
    speaker: str | None


def timed(words: Sequence[Word], start: float | None = None, end: float | None = None) -> list[Word]:
    """Words with the times that were missing: those between two words with times share the time between these equally.

    Args:
        words: In order.
        start: Where the passage begins, for words before the first with a time.
        end: Where it ends, for words after the last.

    Returns:
        The words; without times where neither a neighbour nor the passage has any.

    >>> timed([Word("with", 41.119, 41.26), Word("2266"), Word("okay", 42.76, 43.1)])[1][:3]
    ('2266', 41.26, 42.76)
    """
    filled = [_whole(word) for word in words]
    for missing, run in groupby(range(len(words)), key=lambda at: filled[at].start is None):
        if missing:
            places = list(run)
            before = filled[places[0] - 1].end if places[0] else start
            after = filled[places[-1] + 1].start if places[-1] + 1 < len(filled) else end
            filled[places[0] : places[-1] + 1] = _spread([filled[at] for at in places], before, after)
    return filled


def _whole(word: Word) -> Word:
    """A word with both times or none: one time alone is both."""
    if word.start is not None and word.end is not None:
        return word
    start = word.start if word.start is not None else word.end
    return word._replace(start=start, end=word.end if word.end is not None else start)


def _spread(words: list[Word], before: float | None, after: float | None) -> list[Word]:
    first = before if before is not None else after
    if first is None:
        return words
    step = max(0.0, (after if after is not None else first) - first) / len(words)
    return [word._replace(start=first + step * at, end=first + step * (at + 1)) for at, word in enumerate(words)]


class Others(NamedTuple):
    """What is needed to know when other channels begin to speak.

    Args:
        starts: When the words of all channels begin, and on which, in order of time.
        own: The channel that is looked at.
    """

    starts: Sequence[tuple[float, int]] = ()
    own: int = 0

    def begin(self, after: float, before: float) -> bool:
        """Whether a word of another channel begins between two times."""
        at = bisect_left(self.starts, (after, -1))
        while at < len(self.starts) and self.starts[at][0] < before:
            if self.starts[at][1] != self.own:
                return True
            at += 1
        return False


def others_of(channels: Sequence[Sequence[Word]]) -> list[Others]:
    """For the words of each channel, what is needed to know when others begin.

    >>> others_of([[Word("जी", 2, 3)], [Word("हाँ", 1, 2)]])[0].begin(0, 2)
    True
    """
    places = ((word.start, number) for number, words in enumerate(channels) for word in words)
    starts = sorted((start, number) for start, number in places if start is not None)
    return [Others(starts, number) for number in range(len(channels))]


def turns(words: Sequence[Word], text: str = "", others: Others | None = None) -> list[Turn]:
    """Words joined into turns.

    Args:
        words: In order.
        text: The text of all of them as the service writes it; the turns' texts are cut from it where the words are found
            in it one after the other. Elsewhere the words are joined, with what stands before each.
        others: Of one of several channels: when words of the others begin.

    Returns:
        One a change of speaker; a pause in which another channel begins to speak ends a turn too, as a channel on which one
        person speaks would be a single turn as long as the recording.

    >>> [turn.words for turn in turns([Word("जी", 0, 1, "a"), Word("हाँ", 1, 2, "a"), Word("ठीक", 2, 3, "b")], "जी, हाँ। ठीक!")]
    ['जी, हाँ।', 'ठीक!']
    """
    groups: list[list[Word]] = []
    for word in words:
        if groups and groups[-1][-1].speaker == word.speaker and not _is_interrupted(groups[-1][-1], word, others):
            groups[-1].append(word)
        else:
            groups.append([word])
    texts = _cut(text, groups) or [_joined(group) for group in groups]
    return [_turn(group, own) for group, own in zip(groups, texts, strict=True)]


def _is_interrupted(before: Word, after: Word, others: Others | None) -> bool:
    if others is None or before.end is None or after.start is None:
        return False
    return others.begin(before.end, after.start)


def _turn(words: Sequence[Word], text: str) -> Turn:
    starts = [word.start for word in words if word.start is not None]
    ends = [word.end for word in words if word.end is not None]
    return Turn(text, min(starts, default=None), max(ends, default=None), words[0].speaker)


def _joined(words: Sequence[Word]) -> str:
    return words[0].text + "".join(word.lead + word.text for word in words[1:])


def _cut(text: str, groups: Sequence[Sequence[Word]]) -> list[str] | None:
    """The text in one piece a group; None unless every word is found in order with nothing but signs in between."""
    if len(groups) < 2:
        return [text] if groups and text.strip() else None
    starts = []
    at = 0
    for group in groups:
        for place, word in enumerate(group):
            found = text.find(word.text.strip(), at)
            if found < 0 or any(sign.isalnum() for sign in text[at:found]):
                return None
            at = found + len(word.text.strip())
            if not place:
                starts.append(found)
    if any(sign.isalnum() for sign in text[at:]):
        return None
    starts[:1] = [0]
    return [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]

"""The systems of the demo: the embedded cascade's own answers, and made ones: these or the references with a stated defect."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from parakh import formats, tracks
from parakh.bundled import examples_path
from parakh.types import Segment, Summary, Topics

Items = Sequence[Any]

PLACES = {
    "diarization": ("rttm", "rttm"),
    "asr": ("transcripts", "seglst"),
    "topics": ("topics.csv", "topics"),
    "summarization": ("summaries.csv", "summaries"),
}
"""Track -> where its reference lies in the examples, and its answers among the embedded cascade's."""
_WRITTEN = {
    "diarization": ("rttm", "answers.rttm"),
    "asr": ("seglst", "answers.json"),
    "topics": ("topics-csv", "answers.csv"),
    "summarization": ("summary-csv", "answers.csv"),
}
"""Track -> the format that made answers are handed in as, and their file."""


@dataclass(frozen=True)
class Embedded:
    """The answers of the embedded cascade, as it gave them: the baseline.

    Args:
        track: Name of the track.
    """

    track: str
    name: ClassVar[str] = "embedded cascade"
    about: ClassVar[str] = (
        "What `parakh demo` answers: the embedded cascade, with the models that come with it, on a CPU and offline."
    )
    tags: ClassVar[tuple[str, ...]] = ("offline", "cpu")

    def write(self, folder: Path) -> Path:
        """Pack its files as a zip, and return its path."""
        path = folder / f"{self.track}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(_embedded_path(self.track).iterdir()):
                archive.write(file, file.name)
        return path


@dataclass(frozen=True)
class Made:
    """Answers that were made, and say so.

    Args:
        track: Name of the track.
        source: "reference" or "embedded": what they were made from.
        defect: What was done to it, in words that become the system's name.
        spoil: Does it; gets all items of a track and leaves them as they are.
    """

    track: str
    source: str
    defect: str
    spoil: Callable[[Items], Items]
    about: ClassVar[str] = "Made for the demo, and no system: its name says what was done to which answers."

    @property
    def tags(self) -> tuple[str, ...]:
        """That they are made."""
        return ("made",)

    @property
    def name(self) -> str:
        """Nobody takes it for a system's.

        >>> Made("diarization", "reference", "every third turn lost", lose_turns(3)).name
        'made: reference, every third turn lost'
        """
        return f"made: {self.source}, {self.defect}"

    def write(self, folder: Path) -> Path:
        """Write the answers as one file of the track's usual format, and return its path."""
        source = references if self.source == "reference" else embedded
        form, file_name = _WRITTEN[self.track]
        formats.get(form).write(list(self.spoil(source(self.track))), folder / file_name)
        return folder / file_name


@dataclass(frozen=True)
class Faulty:
    """A file that is refused: a turn that ends before it begins, one without a time, a recording that there is not."""

    track: ClassVar[str] = "diarization"
    name: ClassVar[str] = "made: a file with faults"
    about: ClassVar[str] = "Made for the demo, to show what is said of a file with faults."
    tags: ClassVar[tuple[str, ...]] = ("made",)

    def write(self, folder: Path) -> Path:
        """Write it, and return its path."""
        turns = ("hi_anc_01 1 0.810 -2.890", "hi_anc_01 1 4.042 soon", "hi_anc_99 1 6.929 0.810")
        path = folder / "answers.rttm"
        path.write_text("".join(f"SPEAKER {turn} <NA> <NA> spk0 <NA> <NA>\n" for turn in turns), encoding="utf-8")
        return path


Answers = Made | Embedded | Faulty


@cache
def references(track: str) -> Items:
    """The references of the bundled conversations."""
    return formats.load([str(examples_path() / PLACES[track][0])], tracks.get(track).item).items


def _embedded_path(track: str) -> Path:
    """The folder of the embedded cascade's answers on the bundled conversations."""
    return examples_path() / "challenge" / "systems" / "embedded" / PLACES[track][1]


@cache
def embedded(track: str) -> Items:
    """What the embedded cascade answered on the bundled conversations."""
    return formats.load([str(_embedded_path(track))], tracks.get(track).item).items


def lose_turns(every: int) -> Callable[[Items], Items]:
    """Leave out one turn in so many.

    >>> turns = [Segment("v", "A", float(k), k + 1.0) for k in range(4)]
    >>> [turn.start_time for turn in lose_turns(2)(turns)]
    [0.0, 2.0]
    """
    return lambda turns: [turn for k, turn in enumerate(turns, 1) if k % every]


def lose_short_turns(seconds: float) -> Callable[[Items], Items]:
    """Leave out turns that are shorter than so many seconds."""
    return lambda turns: [turn for turn in turns if turn.duration >= seconds]


def delay(seconds: float) -> Callable[[Items], Items]:
    """Begin every turn so many seconds late; one that would then be over is left out.

    >>> [turn.start_time for turn in delay(0.5)([Segment("v", "A", 1.0, 1.4), Segment("v", "A", 2.0, 3.0)])]
    [2.5]
    """
    return lambda turns: [replace(turn, start_time=turn.start_time + seconds) for turn in turns if turn.duration > seconds]


def one_voice(turns: Items) -> Items:
    """Give every turn to the same speaker."""
    return [replace(turn, speaker="voice") for turn in turns]


def confuse_voices(every: int) -> Callable[[Items], Items]:
    """Give one turn in so many to the voice of the turn before it."""

    def spoil(turns: Items) -> Items:
        before = [turns[0], *turns]
        return [replace(turn, speaker=before[k].speaker) if k and k % every == 0 else turn for k, turn in enumerate(turns)]

    return spoil


def lose_words(every: int) -> Callable[[Items], Items]:
    """Leave out one word in so many of each text.

    >>> lose_words(2)([Summary("v", "cough for three weeks")])[0].text
    'cough three'
    """
    return _of_words(lambda words: [word for k, word in enumerate(words, 1) if k % every])


def repeat_words(every: int) -> Callable[[Items], Items]:
    """Say one word in so many twice.

    >>> repeat_words(2)([Summary("v", "cough for weeks")])[0].text
    'cough for for weeks'
    """
    return _of_words(lambda words: [word for k, word in enumerate(words, 1) for _ in range(1 if k % every else 2)])


def _of_words(change: Callable[[list[str]], list[str]]) -> Callable[[Items], Items]:
    def spoil(items: Items) -> Items:
        return [_with_text(item, " ".join(change(_text(item).split()))) for item in items]

    return spoil


def _text(item: Segment | Summary) -> str:
    return item.text if isinstance(item, Summary) else item.words


def _with_text(item: Segment | Summary, text: str) -> Segment | Summary:
    return replace(item, text=text) if isinstance(item, Summary) else replace(item, words=text, word_times=())


def first_topics(count: int) -> Callable[[Items], Items]:
    """Keep only so many topics of each recording."""
    return lambda items: [Topics(item.session_id, item.topics[:count]) for item in items]


def add_topic(topic: str) -> Callable[[Items], Items]:
    """Name one more topic for every recording."""
    return lambda items: [Topics(item.session_id, (*item.topics, topic)) for item in items]


def first_sentences(count: int) -> Callable[[Items], Items]:
    """Keep only so many sentences of each summary.

    >>> first_sentences(1)([Summary("v", "Cough. No fever.")])[0].text
    'Cough.'
    """
    return lambda items: [Summary(item.session_id, ". ".join(item.text.split(". ")[:count]).rstrip(".") + ".") for item in items]

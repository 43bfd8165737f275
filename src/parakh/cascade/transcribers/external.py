"""A transcript made elsewhere: by people, or by a system of your own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from parakh import formats
from parakh.audio.decode import Audio
from parakh.cascade.options import require
from parakh.cascade.windows import spread
from parakh.errors import UnavailableError
from parakh.types import Segment

MODELS = ()

Times = tuple[float, float]


@dataclass(frozen=True)
class Backend:
    """Gives each turn the words that a transcript has at its time; everything is read before the first recording.

    A word's time is its share of its segment's, counted in words. It goes to the turn that holds that time, one of
    the segment's own speaker label first, or else to the nearest turn. Words that stand alone with their times and without
    a speaker, as in CTM, keep them.

    Args:
        path: A transcript in any format the project reads that has times (SegLST, CTM, STM, challenge TSV), or a
            folder of them; only the recording's own segments are taken.
    """

    path: str

    def __post_init__(self) -> None:
        require("transcriber external", self, {"path": (self.path != "", "a transcript or a folder of them")})
        _ = self._segments  # faults of the files come up now, not in the middle of a batch

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with the transcript's words and language.

        Args:
            audio: The recording; only its id is used.
            segments: Its turns.

        Raises:
            UnavailableError: The transcript has nothing of this recording.
        """
        own = [s for s in self._segments if s.session_id == audio.session_id and s.start_time is not None and s.words]
        if not own:
            raise UnavailableError(f"{self.path} has no timed words of {audio.session_id}. Name a transcript that has.")
        words: list[list[tuple[str, Times | None]]] = [[] for _ in segments]
        languages: list[str | None] = [segment.language for segment in segments]
        for source in sorted(own, key=lambda s: s.start_time or 0.0):
            for word, (start, end) in _timed_words(source):
                if (turn := _turn_at((start + end) / 2, source.speaker, segments)) is not None:
                    words[turn].append((word, (start, end) if _stands_alone(source) else None))
                    languages[turn] = languages[turn] or source.language
        return [
            replace(
                s,
                words=" ".join(word for word, _ in w),
                word_times=tuple(time for _, time in w if time) if all(time for _, time in w) else (),
                language=language or audio.language,
            )
            for s, w, language in zip(segments, words, languages, strict=True)
        ]

    @cached_property
    def _segments(self) -> tuple[Segment, ...]:
        return formats.load(self.path, Segment).items


def _timed_words(source: Segment) -> list[tuple[str, Times]]:
    start = source.start_time or 0.0
    return [(word.text, (word.start, word.end)) for word in spread(source.words, start, start + source.duration)]


def _stands_alone(source: Segment) -> bool:
    return source.speaker is None and len(source.words.split()) == 1


def _turn_at(time: float, speaker: str | None, segments: Sequence[Segment]) -> int | None:
    """Index of the turn nearest to a time; among equally near ones the speaker's own, then the first."""
    return min(
        (i for i, segment in enumerate(segments) if segment.start_time is not None),
        key=lambda i: (_distance(time, segments[i]), segments[i].speaker != speaker, i),
        default=None,
    )


def _distance(time: float, segment: Segment) -> float:
    start, end = segment.start_time or 0.0, segment.end_time or 0.0
    return max(start - time, time - end, 0.0)

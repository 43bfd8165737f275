"""The values that flow through the package: plain, frozen, with the field's own names.

Times are float seconds from the start of the recording; intervals are half-open [start_time, end_time).
Nothing here knows of files, metrics or models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Segment:
    """One turn or utterance of one speaker: the SegLST record, with the few fields that other formats add.

    Args:
        session_id: The recording it belongs to.
        speaker: Speaker label, unique within the session; None when the format has none (plain keyed text).
        start_time: Seconds; None when the format carries no times.
        end_time: Seconds, >= start_time; None exactly when start_time is None.
        words: The transcript as written in the file, unchanged; "" for a turn without text (RTTM).
        role: The challenge's speaker role ("health_worker", "health_seeker", or as the file says); None if unknown.
        language: BCP-47 primary tag ("hi", "kn", "en"); None if unknown.
        segment_id: The file's own id of this segment; None if it has none.
        channel: The file's channel field where it has one.
        confidence: Where the format has one, in [0, 1].
        forms: Further accepted transcripts of the same speech (STM alternations, dual-form references).
        word_times: (start, end) in seconds of each blank-separated word of ``words``, where a recogniser tells them; else empty.

    >>> Segment("visit01", "spk0", 0.5, 2.0, words="नमस्ते दीदी").duration
    1.5
    """

    session_id: str
    speaker: str | None = None
    start_time: float | None = None
    end_time: float | None = None
    words: str = ""
    role: str | None = None
    language: str | None = None
    segment_id: str | None = None
    channel: str | None = None
    confidence: float | None = None
    forms: tuple[str, ...] = ()
    word_times: tuple[tuple[float, float], ...] = ()

    @property
    def duration(self) -> float:
        """Length in seconds; 0.0 for a segment without times."""
        if self.start_time is None or self.end_time is None:
            return 0.0
        return self.end_time - self.start_time


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a recording that is scored: one line of a UEM file. Seconds, half-open."""

    session_id: str
    start_time: float
    end_time: float


@dataclass(frozen=True, slots=True)
class Topics:
    """The health problems of one conversation, in the order given; empty means the answer "None"."""

    session_id: str
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The clinical summary of one conversation."""

    session_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Recording:
    """One conversation of a data set and what is known about it.

    Args:
        session_id: Its id; file names and every annotation use it.
        audio: Path of the audio file, as given; None when there is none.
        duration: Seconds; None when unknown.
        language: BCP-47 primary tag of its main language; None when unknown.
        metadata: Any further field (environment, district, device ...), for slices.
    """

    session_id: str
    audio: str | None = None
    duration: float | None = None
    language: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody who speaks in a recording of a data set; what is unknown is None.

    Args:
        session_id: The recording.
        speaker: The label that the annotations of this recording use.
        person: Who it is, the same in every recording of the data set: a code, never a name.
        role: "health_worker", "health_seeker" or another role of the data set.
        age: Years, or a range ("34", "40-49").
        sex: "f", "m" or "o".
        language: BCP-47 primary tag of what this speaker speaks.
        dialect: As the data set names it.
        consent: "yes" or "no": whether this person agreed to the recording's use.
        metadata: Any further field.
    """

    session_id: str
    speaker: str
    person: str | None = None
    role: str | None = None
    age: str | None = None
    sex: str | None = None
    language: str | None = None
    dialect: str | None = None
    consent: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """One recording of a data set: what is known about it, who speaks in it, and where its files are.

    Args:
        recording: Its id, audio, duration, language and metadata of the whole recording (place, district, consent ...).
        files: Paths of its annotations by kind: "rttm", "transcript", "native" (the transcript's second form), "topics",
            "summary", "uem". A path may serve several recordings (one topics.csv).
        speakers: Who speaks in it.
        split: The part of the data set it belongs to ("dev1", "dev2", "eval" ...); None if not split.
        sha256: Checksums of its files, 64 hexadecimal digits, by the kinds of ``files`` and "audio".
    """

    recording: Recording
    files: Mapping[str, str] = field(default_factory=dict)
    speakers: tuple[Speaker, ...] = ()
    split: str | None = None
    sha256: Mapping[str, str] = field(default_factory=dict)

    @property
    def session_id(self) -> str:
        """Id of the recording."""
        return self.recording.session_id


class Op(StrEnum):
    """What became of a word."""

    MATCH = "match"
    SUBSTITUTION = "substitution"
    DELETION = "deletion"
    INSERTION = "insertion"


@dataclass(frozen=True, slots=True)
class AlignedWord:
    """One step of an alignment between a reference and a hypothesis.

    Args:
        op: What became of the word.
        reference: The reference word; None for an insertion.
        hypothesis: The hypothesis word; None for a deletion.
        reference_segment: Index of its segment in the reference sequence given; None for an insertion.
        hypothesis_segment: Index of its segment in the hypothesis sequence given; None for a deletion.
        reference_speaker: Who said the reference word; None for an insertion or without speakers.
        hypothesis_speaker: Whom the system gave the hypothesis word to; None for a deletion or without speakers.
        reference_time: (start, end) in seconds of the reference word inside its segment; None for an insertion or
            without times.
        hypothesis_time: The same of the hypothesis word, before any collar; None for a deletion or without times.
        kind: What an error is about ("number", "medical", "negation" ...), where results tell it; else None.
    """

    op: Op
    reference: str | None
    hypothesis: str | None
    reference_segment: int | None = None
    hypothesis_segment: int | None = None
    reference_speaker: str | None = None
    hypothesis_speaker: str | None = None
    reference_time: tuple[float, float] | None = None
    hypothesis_time: tuple[float, float] | None = None
    kind: str | None = None


class Severity(StrEnum):
    """How grave a finding is: an error stops a release, a warning changes a number, a note informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something worth telling about an input that does not stop the work.

    Args:
        code: Short stable name of the problem, kebab-case ("zero-duration", "self-overlap").
        message: One sentence with the counts.
        severity: How grave.
        session_id: The recording concerned; None when it concerns the whole input.
        path: The file concerned; None when unknown.
        line: 1-based line or entry number; None when it concerns the whole file.

    >>> str(Finding("zero-duration", "1 turn has no duration", path="a.rttm", line=4))
    'a.rttm:4: warning zero-duration: 1 turn has no duration'
    """

    code: str
    message: str
    severity: Severity = Severity.WARNING
    session_id: str | None = None
    path: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = self.path or self.session_id or ""
        if self.path and self.line is not None:
            place = f"{place}:{self.line}"
        return f"{place}: {self.severity} {self.code}: {self.message}".removeprefix(": ")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[Item]):
    """What a reader returns.

    Args:
        items: In file order.
        findings: What was noticed while reading.
        lines: 1-based line of each item; empty where the number of the entry stands in for it.

    >>> Loaded(("a", "b"), lines=(1, 4)).line(1), Loaded(("a", "b")).line(1)
    (4, 2)
    """

    items: tuple[Item, ...]
    findings: tuple[Finding, ...] = ()
    lines: Sequence[int] = ()

    def line(self, index: int) -> int:
        """Line of an item, or the number of its entry."""
        return self.lines[index] if self.lines else index + 1

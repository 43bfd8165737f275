"""One recording through the stages of a cascade.

A stage that cannot do its work here (no usable weights for the language, no endpoint) says so and the rest goes
on without it; nothing is made up in its place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from parakh.audio.decode import Audio
from parakh.cascade import noticing
from parakh.cascade.preset import Preset, Stage
from parakh.clinical.roles import assign_roles
from parakh.errors import UnavailableError
from parakh.types import Finding, Segment, Summary, Topics

OnStage = Callable[[str, str], None]
"""Called with (session_id, stage kind) when a stage starts."""


class Status(StrEnum):
    """How a stage ended."""

    DONE = "done"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class StageRun:
    """What one stage did: its backend, wall-clock seconds, and the reason when it was unavailable."""

    kind: str
    name: str
    status: Status
    seconds: float
    reason: str = ""


@dataclass(frozen=True)
class Visit:
    """All that the cascade says of one recording.

    Args:
        session_id: The recording.
        duration: Its length in seconds.
        turns: Who spoke when; None when the stage could not answer.
        transcript: The turns with words and roles; empty when there is no transcript.
        uncorrected: The transcript as it was before the correction; empty when there was none.
        translation: The turns in English; empty when there is none.
        topics: Health problems; None when the stage could not answer.
        summary: The summary; None when the stage could not answer.
        stages: What each stage did.
        findings: What was noticed about the recording itself, and by the stages at their work.
    """

    session_id: str
    duration: float
    turns: tuple[Segment, ...] | None = None
    transcript: tuple[Segment, ...] = ()
    uncorrected: tuple[Segment, ...] = ()
    translation: tuple[Segment, ...] = ()
    topics: Topics | None = None
    summary: Summary | None = None
    stages: tuple[StageRun, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def seconds(self) -> float:
        """Wall-clock seconds of all stages."""
        return sum(stage.seconds for stage in self.stages)

    @property
    def real_time_factor(self) -> float:
        """Seconds of work per second of audio."""
        return self.seconds / self.duration


def process(audio: Audio, preset: Preset, on_stage: OnStage | None = None) -> Visit:
    """Run every stage of the preset on one recording.

    Args:
        audio: The decoded recording.
        preset: The cascade.
        on_stage: Told when each stage starts.

    Raises:
        ParakhError: Any error but an unavailable stage, which is noted in ``Visit.stages``.
    """
    visit = Visit(audio.session_id, audio.duration, findings=audio.findings)
    for stage in preset.stages:
        if on_stage:
            on_stage(audio.session_id, stage.kind)
        started = time.perf_counter()
        with noticing.collected() as noticed:
            try:
                visit = replace(visit, **_answer(stage, audio, visit))
                status, reason = Status.DONE, ""
            except UnavailableError as error:
                status, reason = Status.UNAVAILABLE, str(error)
        run = StageRun(stage.kind, stage.name, status, time.perf_counter() - started, reason)
        findings = (replace(one, session_id=one.session_id or audio.session_id) for one in noticed)
        visit = replace(visit, stages=(*visit.stages, run), findings=(*visit.findings, *findings))
    return visit


def _answer(stage: Stage, audio: Audio, visit: Visit) -> dict[str, Any]:
    """The fields of a visit that one stage fills in."""
    backend = stage.backend
    if stage.kind == "diarizer":
        return {"turns": tuple(backend.diarize(audio))}
    if visit.turns is None:
        raise UnavailableError(f"{stage.kind} needs turns, and there are none of {visit.session_id}")
    if stage.kind == "transcriber":
        return {"transcript": tuple(_with_roles(backend.transcribe(audio, visit.turns)))}
    if stage.kind == "correction":
        heard = _with_transcript(stage, visit)
        return {"transcript": tuple(backend.correct(heard)), "uncorrected": heard}
    if stage.kind == "translator":
        english = backend.translate(audio, visit.transcript or visit.turns)
        return {"translation": tuple(replace(turn, word_times=()) for turn in english)}  # those are of the words before
    if stage.kind == "topics":
        found = backend.find(_with_transcript(stage, visit), visit.translation)
        return {"topics": replace(found, session_id=visit.session_id)}
    summary = backend.summarize(_with_transcript(stage, visit), visit.translation)
    return {"summary": replace(summary, session_id=visit.session_id)}


def _with_transcript(stage: Stage, visit: Visit) -> tuple[Segment, ...]:
    """The transcript of a visit, which must hold words."""
    if not any(segment.words for segment in visit.transcript):
        raise UnavailableError(f"{stage.kind} needs a transcript, and there is none of {visit.session_id}")
    return visit.transcript


def _with_roles(segments: Sequence[Segment]) -> list[Segment]:
    """The segments with the role of each speaker, where the text tells it."""
    roles = assign_roles(segments)
    return [replace(segment, role=segment.role or roles.get(segment.speaker or "")) for segment in segments]

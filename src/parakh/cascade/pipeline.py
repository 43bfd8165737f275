"""One recording through the stages of a cascade.

A stage that cannot do its work here (no usable weights for the language, no endpoint) says so and the rest goes
on without it; nothing is made up in its place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from parakh.audio.decode import Audio
from parakh.cascade import machine, metering, noticing
from parakh.cascade.known import metadata_of
from parakh.cascade.preset import Preset, Stage
from parakh.clinical.roles import with_roles
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
    """What one stage did, and what it took.

    Args:
        kind: The stage.
        name: Its backend.
        status: How it ended.
        seconds: By the clock; the first recording's hold the loading of the models.
        reason: Why it was unavailable.
        cpu_seconds: Of processors, all threads together.
        peak_memory: The most bytes of main memory that the process held meanwhile.
        gpu_memory: The most bytes that torch held on a graphics processor; None without one.
        usage: What was used beyond time.
    """

    kind: str
    name: str
    status: Status
    seconds: float
    reason: str = ""
    cpu_seconds: float = 0.0
    peak_memory: int = 0
    gpu_memory: int | None = None
    usage: metering.Usage = field(default_factory=metering.Usage)


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
        device: The machine it was done on.
        energy: What the whole machine used meanwhile, or why that is not known.
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
    device: Mapping[str, Any] = field(default_factory=dict)
    energy: Mapping[str, Any] = field(default_factory=dict)

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
        visit = _after(stage, audio, visit)
        audio.release()
        machine.trim()
    return visit


def _after(stage: Stage, audio: Audio, visit: Visit) -> Visit:
    """The visit with what a stage says, and what that took."""
    machine.reset_peak()
    machine.reset_gpu_peak()
    started, cpu = time.perf_counter(), machine.cpu_seconds()
    with noticing.collected() as noticed, metering.measured() as usage, metadata_of(audio.metadata):
        try:
            visit = replace(visit, **_answer(stage, audio, visit))
            status, reason = Status.DONE, ""
        except UnavailableError as error:
            status, reason = Status.UNAVAILABLE, str(error)
    run = StageRun(
        stage.kind,
        stage.name,
        status,
        time.perf_counter() - started,
        reason,
        machine.cpu_seconds() - cpu,
        machine.peak_memory(),
        machine.gpu_peak(),
        usage,
    )
    findings = (replace(one, session_id=one.session_id or audio.session_id) for one in noticed)
    return replace(visit, stages=(*visit.stages, run), findings=(*visit.findings, *findings))


def _answer(stage: Stage, audio: Audio, visit: Visit) -> dict[str, Any]:
    """The fields of a visit that one stage fills in."""
    backend = stage.backend
    if stage.kind == "diarizer":
        return {"turns": tuple(backend.diarize(audio))}
    if visit.turns is None:
        raise UnavailableError(f"{stage.kind} needs turns, and there are none of {visit.session_id}")
    if stage.kind == "transcriber":
        return {"transcript": with_roles(backend.transcribe(audio, visit.turns))}
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

"""Where the cascade's answers go: the challenge's own files, SegLST, and a run card a recording.

    DIR/rttm/<id>.rttm                                  who spoke when
    DIR/transcripts/<id>_segment_transcription.txt      what was said, a turn a line
    DIR/fullaudio/<id>_fullaudio_transcription.txt      the same as one text
    DIR/seglst/<id>.json                                the same as SegLST, with roles and languages
    DIR/uncorrected/<id>.json                           the transcript before the correction, where the preset has one
    DIR/ctm/<id>.ctm                                    a word a line with its time, where the transcriber tells times
    DIR/translation/<id>.json                           the English translation as SegLST
    DIR/topics/<id>_Topic_pred.txt                      which health problems
    DIR/summaries/<id>_summary.txt                      what the visit came to
    DIR/runs/<id>.json                                  backends, cost, what could not be done; written last
    DIR/run.json                                        the cost of all of them (``costs``)

A question that no stage could answer has no file. Every file is written atomically and the run card last, so a
recording with a card is complete and ``--resume`` starts after it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.cascade.pipeline import StageRun, Status, Visit
from parakh.cascade.preset import Preset
from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.types import Recording, Segment

CARD_SCHEMA = "parakh.run/1"

FOLDERS = ("rttm", "transcripts", "seglst", "fullaudio", "uncorrected", "ctm", "translation", "topics", "summaries", "runs")
"""The folders of the answers."""


class State(StrEnum):
    """What a folder holds of a recording."""

    ABSENT = "absent"
    DONE = "done"
    RETRY = "retry"
    """Done but for a question that an endpoint did not answer."""
    OTHER = "other"
    """Made with another preset, option or language."""


def write_visit(visit: Visit, preset: Preset, folder: Path, language: str | None = None) -> None:
    """Write all files of one recording, the run card last; what an earlier run left of it goes first.

    Args:
        visit: The answers.
        preset: What they were made with.
        folder: Where to.
        language: The language that was asked for; None when it was left to detection.

    Raises:
        InputError: A file cannot be written; nothing of the recording is left then.
    """
    name = visit.session_id
    _remove(folder, name)
    try:
        _write_answers(visit, folder)
        write_atomic(card_path(folder, name), json.dumps(_card(visit, preset, language), ensure_ascii=False, indent=1) + "\n")
    except BaseException:
        _remove(folder, name)
        raise


def card_path(folder: Path, session_id: str) -> Path:
    """Where a recording's run card lies."""
    return folder / "runs" / f"{session_id}.json"


def check_folder(folder: Path) -> None:
    """Make the folder of the answers and see that it can hold them, before any work is done.

    Raises:
        InputError: It is a file, or cannot be made or written to.
    """
    for place in (folder, *(folder / name for name in FOLDERS)):
        if place.exists() and not place.is_dir():
            raise InputError(Fault(str(place), "--out", "a file", "a folder", "Choose another folder."))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(Fault(str(folder), "--out", error.strerror or str(error), "a folder to write to")) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(Fault(str(folder), "--out", "no permission", "a folder to write to"))


def state_of(folder: Path, recording: Recording, preset: Preset) -> State:
    """What the folder holds of a recording, for this very preset and language."""
    path = card_path(folder, recording.session_id)
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        made_with = (card["schema"], card["preset_digest"], card["language"])
        unanswered = {stage["kind"] for stage in card["stages"] if stage["status"] == Status.UNAVAILABLE}
    except FileNotFoundError:
        return State.ABSENT
    except (OSError, ValueError, KeyError, TypeError):
        return State.OTHER
    if made_with != (CARD_SCHEMA, preset.digest, recording.language):
        return State.OTHER
    # Only an endpoint may answer next time; weights that do not know a language never will.
    may_answer = {stage.kind for stage in preset.stages if stage.endpoint and "transcriber" not in unanswered - {stage.kind}}
    return State.RETRY if unanswered & may_answer else State.DONE


def holds_files(folder: Path, session_id: str) -> bool:
    """Whether a folder holds a file that the answers of a recording would replace, a run's or anybody's."""
    return any((folder / place).exists() for place in _places(session_id))


def _remove(folder: Path, name: str) -> None:
    """Remove a recording's card, then its answers."""
    for path in (card_path(folder, name), *(folder / place for place in _places(name))):
        path.unlink(missing_ok=True)


def _places(name: str) -> list[str]:
    return [
        f"rttm/{name}.rttm",
        f"transcripts/{name}_segment_transcription.txt",
        f"seglst/{name}.json",
        f"fullaudio/{name}_fullaudio_transcription.txt",
        f"uncorrected/{name}.json",
        f"ctm/{name}.ctm",
        f"translation/{name}.json",
        f"topics/{name}_Topic_pred.txt",
        f"summaries/{name}_summary.txt",
    ]


def _write_answers(visit: Visit, folder: Path) -> None:
    rttm, transcript, seglst, fullaudio, uncorrected, ctm, translation, topics, summary = (
        folder / place for place in _places(visit.session_id)
    )
    if visit.turns is not None:
        formats.get("rttm").write(visit.turns, rttm)
    if visit.transcript:
        formats.get("challenge-tsv").write(visit.transcript, transcript)
        formats.get("seglst").write(visit.transcript, seglst)
        write_atomic(fullaudio, " ".join(segment.words for segment in visit.transcript if segment.words) + "\n")
    if visit.uncorrected:
        formats.get("seglst").write(visit.uncorrected, uncorrected)
    if words := _timed_words(visit.uncorrected or visit.transcript):
        formats.get("ctm").write(words, ctm)
    if visit.translation:
        formats.get("seglst").write(visit.translation, translation)
    if visit.topics is not None:
        formats.get("topics-txt").write([visit.topics], topics)
    if visit.summary is not None:
        formats.get("summary-txt").write([visit.summary], summary)


def _timed_words(transcript: Sequence[Segment]) -> list[Segment]:
    """One segment a word, in order of time, of the turns whose word times are known."""
    words = [
        Segment(turn.session_id, turn.speaker, start, end, word, language=turn.language)
        for turn in transcript
        if len(turn.word_times) == len(turn.words.split())
        for word, (start, end) in zip(turn.words.split(), turn.word_times, strict=True)
    ]
    return sorted(words, key=lambda word: (word.start_time, word.end_time))


def _card(visit: Visit, preset: Preset, language: str | None) -> dict[str, Any]:
    return {
        "schema": CARD_SCHEMA,
        "session_id": visit.session_id,
        "preset": preset.name,
        "preset_digest": preset.digest,
        "language": language,
        "duration": visit.duration,
        "seconds": round(visit.seconds, 3),
        "real_time_factor": round(visit.real_time_factor, 4),
        "cpu_seconds": round(sum(stage.cpu_seconds for stage in visit.stages), 3),
        "peak_mb": round(max((stage.peak_memory for stage in visit.stages), default=0) / 1e6, 1),
        "device": dict(visit.device),
        "energy": dict(visit.energy),
        "stages": [_stage(stage) for stage in visit.stages],
        "findings": [str(finding) for finding in visit.findings],
    }


def _stage(stage: StageRun) -> dict[str, Any]:
    used = {name: value for name, value in asdict(stage.usage).items() if value}
    return {
        "kind": stage.kind,
        "backend": stage.name,
        "status": str(stage.status),
        "seconds": round(stage.seconds, 3),
        "cpu_seconds": round(stage.cpu_seconds, 3),
        "peak_mb": round(stage.peak_memory / 1e6, 1),
        **({"gpu_peak_mb": round(stage.gpu_memory / 1e6, 1)} if stage.gpu_memory is not None else {}),
        **({"usage": used} if used else {}),
        **({"reason": stage.reason} if stage.reason else {}),
    }

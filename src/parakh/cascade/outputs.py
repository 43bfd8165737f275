"""Where the cascade's answers go: the challenge's own files, SegLST, and a run card a recording.

    DIR/rttm/<id>.rttm                                  who spoke when
    DIR/transcripts/<id>_segment_transcription.txt      what was said, a turn a line
    DIR/fullaudio/<id>_fullaudio_transcription.txt      the same as one text
    DIR/seglst/<id>.json                                the same as SegLST, with roles and languages
    DIR/translation/<id>.json                           the English translation as SegLST
    DIR/topics/<id>_Topic_pred.txt                      which health problems
    DIR/summaries/<id>_summary.txt                      what the visit came to
    DIR/runs/<id>.json                                  backends, timings, what could not be done; written last

A question that no stage could answer has no file. Every file is written atomically and the run card last, so a
recording with a card is complete and ``--resume`` starts after it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.cascade.pipeline import Visit
from parakh.cascade.preset import Preset
from parakh.files import write_atomic

CARD_SCHEMA = "parakh.run/1"


def write_visit(visit: Visit, preset: Preset, folder: Path) -> None:
    """Write all files of one recording; the run card comes last."""
    name = visit.session_id
    _write("rttm", visit.turns, folder / "rttm" / f"{name}.rttm")
    if visit.transcript:
        _write("challenge-tsv", visit.transcript, folder / "transcripts" / f"{name}_segment_transcription.txt")
        _write("seglst", visit.transcript, folder / "seglst" / f"{name}.json")
        text = " ".join(segment.words for segment in visit.transcript if segment.words)
        _write_text(folder / "fullaudio" / f"{name}_fullaudio_transcription.txt", text + "\n")
    if visit.translation:
        _write("seglst", visit.translation, folder / "translation" / f"{name}.json")
    if visit.topics is not None:
        _write("topics-txt", [visit.topics], folder / "topics" / f"{name}_Topic_pred.txt")
    if visit.summary is not None:
        _write("summary-txt", [visit.summary], folder / "summaries" / f"{name}_summary.txt")
    _write_text(card_path(folder, name), json.dumps(_card(visit, preset), ensure_ascii=False, indent=1) + "\n")


def card_path(folder: Path, session_id: str) -> Path:
    """Where a recording's run card lies."""
    return folder / "runs" / f"{session_id}.json"


def finished(folder: Path, session_id: str, preset: Preset) -> bool:
    """Whether the folder holds the complete answers of this very preset for a recording."""
    try:
        card = json.loads(card_path(folder, session_id).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(card, dict) and card.get("schema") == CARD_SCHEMA and card.get("preset_digest") == preset.digest


def _write(name: str, items: Sequence[Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    formats.get(name).write(items, path)


def _write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, text)


def _card(visit: Visit, preset: Preset) -> dict[str, Any]:
    return {
        "schema": CARD_SCHEMA,
        "session_id": visit.session_id,
        "preset": preset.name,
        "preset_digest": preset.digest,
        "duration": visit.duration,
        "seconds": round(visit.seconds, 3),
        "real_time_factor": round(visit.real_time_factor, 4),
        "stages": [
            {
                "kind": stage.kind,
                "backend": stage.name,
                "status": str(stage.status),
                "seconds": round(stage.seconds, 3),
                **({"reason": stage.reason} if stage.reason else {}),
            }
            for stage in visit.stages
        ],
    }

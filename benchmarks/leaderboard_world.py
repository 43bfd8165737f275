"""A made challenge for the replay: recordings with references of all four tracks, and what teams of different skill answer.

Two people talk in turn, in words of ``conversation``; topics come from a list of problems, summaries are sentences about them.
A team's answers are the references with errors at a rate that is the team's own and falls from one submission to the next.
"""

from __future__ import annotations

import random
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from conversation import said

from parakh import formats
from parakh.types import Recording, Segment, Summary, Topics

TRACKS = ("diarization", "asr", "topics", "summarization")
PROBLEMS = (
    *("Fever", "Cough", "Anemia", "Hypertension", "Weakness", "Dizziness", "Diarrhea"),
    *("Vomiting", "Nausea", "Backache", "Headache", "Fatigue", "Itching", "Earache"),
)
_FORMS = {"diarization": "rttm", "asr": "seglst", "topics": "topics-csv", "summarization": "summary-csv"}
_ENDINGS = {"diarization": ".rttm", "asr": ".json", "topics": ".csv", "summarization": ".csv"}
PLACES = {"diarization": "rttm", "asr": "seglst", "topics": "topics.csv", "summarization": "summaries.csv"}


@dataclass(frozen=True)
class Reference:
    """One recording and what is known of it."""

    recording: Recording
    turns: tuple[Segment, ...]
    topics: Topics
    summary: Summary

    def items(self, track: str) -> list[Any]:
        """The reference of a track."""
        return {
            "diarization": [replace(turn, words="") for turn in self.turns],
            "asr": list(self.turns),
            "topics": [self.topics],
            "summarization": [self.summary],
        }[track]


def references(seed: str, count: int, turns: int = 20) -> list[Reference]:
    """So many recordings; the same seed makes the same."""
    return [_reference(random.Random(f"{seed} {k}"), f"{seed}_{k:03}", turns) for k in range(count)]


def _reference(draw: random.Random, name: str, turns: int) -> Reference:
    at, made = 0.5, []
    for k in range(turns):
        length = draw.uniform(1.0, 6.0)
        words = " ".join(word.native for word in said(draw, max(1, round(length * 2))))
        made.append(Segment(name, "AB"[k % 2], round(at, 2), round(at + length, 2), words))
        at += length + draw.uniform(-0.3, 0.8)
    problems = tuple(draw.sample(PROBLEMS, draw.randint(3, 6)))
    text = " ".join(f"The health seeker reports {one.lower()} for {draw.randint(2, 20)} days." for one in problems)
    recording = Recording(name, duration=round(at + 8, 2), language=draw.choice(["hi", "kn"]))
    return Reference(recording, tuple(made), Topics(name, problems), Summary(name, text))


def write_challenge(folder: Path, phases: dict[str, list[Reference]], dates: dict[str, tuple[datetime, datetime]]) -> Path:
    """Write ``challenge.toml`` and the references of each phase; return its path."""
    for phase, known in phases.items():
        _write_references(folder / phase, known)
    lines = ['name = "replay"', 'title = "Replay"', 'description = "A challenge played again."', 'contact = "nobody@example.org"']
    lines += ['time_zone = "Asia/Kolkata"', "", "[terms]", 'version = "1"', 'file = "terms.md"']
    (folder / "terms.md").write_text("Play fair.\n", encoding="utf-8")
    for track in TRACKS:
        lines += ["", f"[tracks.{track}]", f'title = "{track.capitalize()}"', f'track = "{track}"', 'version = "1"']
        lines += ['slice_by = ["language"]']
    for phase, (opens, closes) in dates.items():
        lines += ["", *_phase_lines(phase, opens, closes)]
    (folder / "challenge.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "challenge.toml"


def _phase_lines(phase: str, opens: datetime, closes: datetime) -> list[str]:
    limits = "day = 8, total = 20, concurrent = 8" if phase == "dev" else "day = 3, total = 3, concurrent = 3"
    return [
        f"[phases.{phase}]",
        f'title = "{phase}"',
        f"tracks = {list(TRACKS)}".replace("'", '"'),
        f'recordings = "{phase}/recordings.jsonl"',
        f"opens = {opens.isoformat(timespec='seconds')}",
        f"closes = {closes.isoformat(timespec='seconds')}",
        f'shows = "{"diagnosis" if phase == "dev" else "score"}"',
        f'shows_revealed = "{"diagnosis" if phase == "dev" else "recordings"}"',
        f"limits = {{ {limits} }}",
        f"[phases.{phase}.references]",
        *(f'{track} = "{phase}/{PLACES[track]}"' for track in TRACKS),
    ]


def _write_references(folder: Path, known: Sequence[Reference]) -> None:
    folder.mkdir(parents=True)
    formats.get("recordings-jsonl").write([one.recording for one in known], folder / "recordings.jsonl")
    for track in TRACKS:
        write_answers(track, [item for one in known for item in one.items(track)], folder / PLACES[track])


def write_answers(track: str, items: Sequence[Any], path: Path) -> None:
    """Write items as one file, or in a folder as one file a recording."""
    form = formats.get(_FORMS[track])
    if path.suffix:
        form.write(list(items), path)
        return
    path.mkdir(parents=True, exist_ok=True)
    for name in {item.session_id for item in items}:
        form.write([item for item in items if item.session_id == name], path / f"{name}{_ENDINGS[track]}")


def spoilt(track: str, known: Sequence[Reference], rate: float, seed: str) -> list[Any]:
    """The answers of a team that makes so many errors; the same seed makes the same."""
    draw = random.Random(seed)
    return [answer for one in known for item in one.items(track) if (answer := _spoil(item, rate, draw)) is not None]


def _spoil(item: Any, rate: float, draw: random.Random) -> Any:
    if isinstance(item, Topics):
        kept = [one for one in item.topics if draw.random() > rate]
        return Topics(item.session_id, tuple(kept + [draw.choice(PROBLEMS)] * (draw.random() < rate)))
    if isinstance(item, Summary):
        return Summary(item.session_id, _lossy(item.text, rate, draw) or "Nothing.")
    if not item.words:
        if draw.random() < rate:
            return None
        return replace(item, start_time=item.start_time + draw.uniform(0, rate) * item.duration)
    return replace(item, words=_lossy(item.words, rate, draw) or "हाँ")


def _lossy(text: str, rate: float, draw: random.Random) -> str:
    return " ".join(word for word in text.split() if draw.random() > rate)


def write_zip(track: str, items: Sequence[Any], path: Path) -> Path:
    """Write answers as a zip, one file a recording where the track's format is one of single files."""
    folder = path.with_suffix("")
    write_answers(track, items, folder if track in {"diarization", "asr"} else folder / f"answers{_ENDINGS[track]}")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    return path


def write_bad_zip(path: Path, known: Sequence[Reference], which: int) -> Path:
    """Write a zip with one of four faults: a missing recording, an impossible time, a path that leads out, no answers at all."""
    turns = spoilt("diarization", known, 0.1, f"bad {which}")
    lines = [f"SPEAKER {t.session_id} 1 {t.start_time:.2f} {t.duration:.2f} <NA> <NA> {t.speaker} <NA> <NA>" for t in turns]
    missing = [line for line in lines if known[0].recording.session_id not in line]
    content, name = [
        ("\n".join(missing), "answers.rttm"),
        ("\n".join([*lines, lines[0].replace(" 1 ", " 1 -")]), "answers.rttm"),
        ("\n".join(lines), "../answers.rttm"),
        ("Nothing to see here.", "README.txt"),
    ][which % 4]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content + "\n")
    return path

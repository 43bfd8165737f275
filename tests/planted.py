"""A clean data set made of the bundled conversations, to plant one fault at a time into copies of it.

Every conversation is cut in two at a pause near its middle, but for the first, which stays whole: seven recordings of 16 kHz
mono WAV with RTTM, transcript, native transcript, UEM, topics, summary, metadata and checksums, in three splits.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
import wave
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from parakh import formats
from parakh.audio.decode import SAMPLE_RATE, load_audio
from parakh.dataset import manifest
from parakh.dataset.manifest import Dataset
from parakh.files import write_atomic
from parakh.types import Entry, Recording, Region, Segment, Speaker, Summary, Topics

EXAMPLES = Path(__file__).parent.parent / "examples"
WHOLE, TAGGED = "hi_anc_01", "hi_elder_03a"
"""The recording that is not cut, and the one whose transcript tags overlapped segments."""
PLACES = {"hi_anc_01": "home", "hi_child_02": "anganwadi", "hi_elder_03": "home", "kn_fever_04": "phc"}
SPLITS = {"hi_anc_01": "dev1", "hi_child_02": "dev2", "hi_elder_03": "eval", "kn_fever_04": "eval"}
CONFIG = """[dataset]
name = "planted"
version = "1.0"
licence = "CC-BY-4.0"
description = "Made conversations, and no fault in them."
"""
SPEECH = ("rttm", "transcript", "native")


@dataclass(frozen=True)
class Talk:
    """A conversation, or a part of one."""

    session_id: str
    source: str
    samples: np.ndarray
    turns: list[Segment]
    segments: list[Segment]

    @property
    def duration(self) -> float:
        return len(self.samples) / SAMPLE_RATE


def build(root: Path) -> None:
    """Write the clean data set."""
    talks = [part for name in PLACES for part in _parts(_bundled(name))]
    topics = {one.session_id: one for one in formats.load(EXAMPLES / "topics.csv", Topics).items}
    summaries = {one.session_id: one for one in formats.load(EXAMPLES / "summaries.csv", Summary).items}
    named = [(talk.session_id, talk.source) for talk in talks]
    formats.get("topics-csv").write([replace(topics[source], session_id=name) for name, source in named], root / "topics.csv")
    rows = [replace(summaries[source], session_id=name) for name, source in named]
    formats.get("summary-csv").write(rows, root / "summaries.csv")
    write_atomic(root / "parakh.toml", CONFIG)
    write_atomic(root / "README.md", "# Made conversations\n")
    manifest.save(Dataset(root, tuple(_entry(root, talk) for talk in talks)))
    Copy(root).seal()


def _bundled(name: str) -> Talk:
    samples = load_audio(EXAMPLES / "audio" / f"{name}.flac").samples
    turns = formats.get("rttm").read(EXAMPLES / "rttm" / f"{name}.rttm").items
    segments = formats.get("challenge-tsv").read(EXAMPLES / "transcripts" / f"{name}.txt").items
    return Talk(name, name, samples, list(turns), list(segments))


def _parts(talk: Talk) -> list[Talk]:
    if talk.session_id == WHOLE:
        return [talk]
    cut = _cut(talk)
    return [_part(talk, f"{talk.session_id}a", 0.0, cut), _part(talk, f"{talk.session_id}b", cut, talk.duration)]


def _cut(talk: Talk) -> float:
    """The middle of the pause nearest to the middle."""
    ends, pauses = 0.0, []
    for one in sorted([*talk.turns, *talk.segments], key=lambda one: one.start_time):
        if one.start_time - ends > 0.1:
            pauses.append(round((one.start_time + ends) / 2, 3))
        ends = max(ends, one.end_time)
    return min(pauses, key=lambda pause: abs(pause - talk.duration / 2))


def _part(talk: Talk, name: str, start: float, end: float) -> Talk:
    def moved(segments: list[Segment]) -> list[Segment]:
        inside = [one for one in segments if start <= one.start_time < end]
        return [
            replace(
                one,
                session_id=name,
                start_time=round(one.start_time - start, 3),
                end_time=round(one.end_time - start, 3),
                segment_id=f"{name}_{number:03d}" if one.segment_id else None,
                words=_tagged(one, segments) if name == TAGGED else one.words,
            )
            for number, one in enumerate(inside, 1)
        ]

    samples = talk.samples[round(start * SAMPLE_RATE) : round(end * SAMPLE_RATE)]
    return Talk(name, talk.source, samples, moved(talk.turns), moved(talk.segments))


def _tagged(one: Segment, segments: list[Segment]) -> str:
    """The words, with a tag before those of a segment that begins while somebody else speaks."""
    over = any(other.speaker != one.speaker and other.start_time < one.start_time < other.end_time for other in segments)
    return f"<overlap> {one.words}" if over and one.words else one.words


def _entry(root: Path, talk: Talk) -> Entry:
    name = talk.session_id
    paths = {kind: str(root / folder / f"{name}{ending}") for kind, folder, ending in _FOLDERS}
    audio = root / "audio" / f"{name}.wav"
    write_wav(audio, talk.samples)
    formats.get("rttm").write(talk.turns, Path(paths["rttm"]))
    for kind in ("transcript", "native"):
        formats.get("challenge-tsv").write(talk.segments, Path(paths[kind]))
    formats.get("uem").write([Region(name, 0.0, round(talk.duration - 0.01, 2))], Path(paths["uem"]))
    files = {**paths, "topics": str(root / "topics.csv"), "summary": str(root / "summaries.csv")}
    known = {
        "place": PLACES[talk.source],
        "state": "Karnataka" if name.startswith("kn") else "Bihar",
        "district": "fictional",
        "environment": "indoor",
        "group": "individual",
        "device": "phone",
        "consent": "yes",
        "licence": "CC-BY-4.0",
    }
    recording = Recording(name, str(audio), round(talk.duration, 3), name[:2], known)
    return Entry(recording, files, _speakers(talk), SPLITS[talk.source])


_FOLDERS = (
    ("rttm", "rttm", ".rttm"),
    ("transcript", "transcripts", ".txt"),
    ("native", "native", ".txt"),
    ("uem", "uem", ".uem"),
)


def _speakers(talk: Talk) -> tuple[Speaker, ...]:
    roles = {one.speaker: one.role for one in talk.segments}
    number = list(PLACES).index(talk.source)
    return tuple(
        Speaker(
            talk.session_id,
            label,
            f"p{10 * number + place}",
            roles[label],
            str(30 + 7 * place),
            "f",
            dialect="fictional",
            consent="yes",
        )
        for place, label in enumerate(sorted(roles))
    )


def write_wav(path: Path, samples: np.ndarray) -> None:
    """16 kHz mono 16-bit PCM."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes((np.clip(samples, -1, 1) * 32767).round().astype("<i2").tobytes())


def copied(clean: Path, to: Path) -> Copy:
    """A copy of a data set; files are shared until one is written anew."""
    shutil.copytree(clean, to, copy_function=os.link)
    return Copy(to)


@dataclass(frozen=True)
class Copy:
    """A data set's folder to plant a fault into: each change writes a file anew, never the one it was copied from."""

    root: Path

    def lines(self, name: str) -> list[str]:
        """Lines of a file, named relative to the folder."""
        return (self.root / name).read_text(encoding="utf-8").splitlines()

    def write(self, name: str, lines: list[str]) -> None:
        """Write a file anew."""
        write_atomic(self.root / name, "".join(f"{line}\n" for line in lines))

    def turns(self, session: str, change: Callable[[list[Segment]], list[Segment]]) -> None:
        """Change the turns of the RTTM."""
        path = self.root / "rttm" / f"{session}.rttm"
        formats.get("rttm").write(change(list(formats.get("rttm").read(path).items)), path)

    def segments(
        self, session: str, change: Callable[[list[Segment]], list[Segment]], kinds: tuple[str, ...] = SPEECH[1:]
    ) -> None:
        """Change the segments of the transcript and of its native form."""
        for kind in kinds:
            path = self.root / {"transcript": "transcripts"}.get(kind, kind) / f"{session}.txt"
            formats.get("challenge-tsv").write(change(list(formats.get("challenge-tsv").read(path).items)), path)

    def entry(self, session: str, change: Callable[[dict], None]) -> int:
        """Change the entry of a recording in the manifest; returns its line."""
        entries = [json.loads(line) for line in self.lines("recordings.jsonl")]
        place = next(place for place, one in enumerate(entries) if one["session_id"] == session)
        change(entries[place])
        self.write("recordings.jsonl", [json.dumps(one, ensure_ascii=False) for one in entries])
        return place + 1

    def cell(self, session: str, speaker: str, column: str, value: str) -> int:
        """Change a cell of the table of metadata; returns the line of its row."""
        rows = self.rows()
        place = next(place for place, row in enumerate(rows) if (row["session_id"], row["speaker"]) == (session, speaker))
        rows[place][column] = value
        self.table(rows)
        return place + 2

    def rows(self) -> list[dict[str, str]]:
        """The rows of the table of metadata."""
        return list(csv.DictReader(self.lines("metadata.csv")))

    def table(self, rows: list[dict[str, str]]) -> None:
        """Write the table of metadata anew."""
        out = io.StringIO(newline="")
        table = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        write_atomic(self.root / "metadata.csv", out.getvalue())

    def doubled(self, session: str, name: str) -> None:
        """Add a recording that is another one under a new name, annotations and all."""
        for folder, ending in (("audio", ".wav"), *((folder, ending) for _, folder, ending in _FOLDERS)):
            old, new = (self.root / folder / f"{one}{ending}" for one in (session, name))
            if folder == "audio":
                os.link(old, new)
            else:
                write_atomic(new, old.read_text(encoding="utf-8").replace(session, name))
        for table in ("topics.csv", "summaries.csv"):
            lines = self.lines(table)
            row = next(line for line in lines if line.startswith(f"{session},"))
            self.write(table, [*lines, row.replace(session, name, 1)])
        lines = self.lines("recordings.jsonl")
        row = next(line for line in lines if json.loads(line)["session_id"] == session)
        self.write("recordings.jsonl", [*lines, row.replace(session, name)])
        own = [{**row, "session_id": name} for row in self.rows() if row["session_id"] == session]
        self.table([*self.rows(), *own])

    def seal(self) -> None:
        """Write the checksums of the files as they are into the manifest."""
        entries = [json.loads(line) for line in self.lines("recordings.jsonl")]
        sums: dict[str, str] = {}
        for one in entries:
            for kind, path in {"audio": one["audio"], **one["files"]}.items():
                if (self.root / path).is_file():
                    sums[path] = sums.get(path) or hashlib.sha256((self.root / path).read_bytes()).hexdigest()
                    one.setdefault("sha256", {})[kind] = sums[path]
        self.write("recordings.jsonl", [json.dumps(one, ensure_ascii=False) for one in entries])

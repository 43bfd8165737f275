"""The recordings of a data set to train and to score on: turns with words from its files, sound when it is asked for."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parakh import formats
from parakh.audio.decode import Audio, load_audio
from parakh.dataset.manifest import RECORDINGS, Dataset
from parakh.errors import Fault, InputError, counted
from parakh.files import checksum
from parakh.selection import by_session
from parakh.types import Entry, Segment

KINDS = {"asr": "transcript", "diarization": "rttm"}
"""The kind of file that holds the turns of a track."""


@dataclass(frozen=True)
class Conversation:
    """One recording to learn from.

    Args:
        session_id: Its id.
        path: Its sound.
        turns: Who spoke when, or who said what, in time order.
        language: BCP-47 primary tag; None when unknown.
        duration: Seconds; None when the manifest does not say.
    """

    session_id: str
    path: Path
    turns: tuple[Segment, ...]
    language: str | None = None
    duration: float | None = None

    def audio(self) -> Audio:
        """The sound, decoded."""
        return load_audio(self.path, self.session_id, self.language)

    @property
    def seconds(self) -> float:
        """Length: the manifest's, else up to the last turn."""
        ends = [turn.end_time for turn in self.turns if turn.end_time is not None]
        return self.duration if self.duration is not None else max(ends, default=0.0)


@dataclass(frozen=True)
class Split:
    """The recordings of one part of a data set."""

    name: str
    conversations: tuple[Conversation, ...]

    @property
    def seconds(self) -> float:
        """Length of all recordings."""
        return sum(one.seconds for one in self.conversations)

    @property
    def turns(self) -> list[Segment]:
        """The turns of all recordings."""
        return [turn for one in self.conversations for turn in one.turns]

    @property
    def languages(self) -> dict[str, float]:
        """Seconds of turns by language; "?" where none is known."""
        found: dict[str, float] = {}
        for one in self.conversations:
            for turn in one.turns:
                language = turn.language or one.language or "?"
                found[language] = found.get(language, 0.0) + turn.duration
        return found


def take(dataset: Dataset, names: Sequence[str], track: str, place: str, key: str) -> Split:
    """The recordings of some splits of a data set.

    Args:
        dataset: The data set.
        names: Splits, as its manifest names them.
        track: "asr" takes transcripts, "diarization" turns.
        place: The configuration's path, for messages.
        key: The key that names the splits, for messages.

    Raises:
        InputError: A split that the data set has not, or recordings without sound or turns; one line each.
    """
    there = sorted({entry.split for entry in dataset.entries if entry.split})
    unknown = [name for name in names if name not in there]
    if unknown:
        expected = f"one of the splits {', '.join(there)}" if there else "a split; the recordings of the data set have none"
        action = "Run: parakh dataset split." if not there else ""
        raise InputError(Fault(place, key, repr(name), expected, action) for name in unknown)
    entries = [entry for entry in dataset.entries if entry.split in names]
    faults = [fault for entry in entries for fault in _faults(dataset, entry, track)]
    if faults:
        raise InputError(faults)
    turns = _turns([entry.files[KINDS[track]] for entry in entries])
    conversations = tuple(_conversation(entry, turns.get(entry.session_id, [])) for entry in entries)
    silent = [one.session_id for one in conversations if not one.turns]
    if silent:
        found = f"{counted(len(silent), 'recording')} without turns ({', '.join(silent[:5])})"
        raise InputError(Fault(place, key, found, f"turns with times in the {KINDS[track]} of each"))
    return Split("+".join(names), conversations)


def data_sha256(dataset: Dataset, splits: Iterable[Split]) -> str:
    """Checksum of the manifest and of the sound and turns that are used.

    Raises:
        InputError: A file cannot be read.
    """
    entries = {entry.session_id: entry for entry in dataset.entries}
    once = functools.cache(checksum)  # a file may hold the turns of many recordings
    digest = hashlib.sha256(checksum(dataset.folder / RECORDINGS).encode())
    for split in splits:
        for one in split.conversations:
            digest.update(f"{one.session_id} {once(one.path)}\n".encode())
            for kind in KINDS.values():
                path = entries[one.session_id].files.get(kind)
                digest.update(f"{kind} {once(path) if path and Path(path).is_file() else '-'}\n".encode())
    return digest.hexdigest()


def _turns(paths: Sequence[str]) -> dict[str, list[Segment]]:
    turns = (turn for path in dict.fromkeys(paths) for turn in formats.load([path], Segment).items)
    return by_session(one for one in turns if one.start_time is not None and one.end_time is not None and one.duration > 0)


def _conversation(entry: Entry, turns: Sequence[Segment]) -> Conversation:
    one = entry.recording
    told = {speaker.speaker: speaker.language for speaker in entry.speakers}
    spoken = [replace(turn, language=turn.language or told.get(turn.speaker or "") or one.language) for turn in turns]
    ordered = sorted(spoken, key=lambda turn: (turn.start_time or 0.0, turn.end_time or 0.0, turn.speaker or ""))
    return Conversation(one.session_id, Path(one.audio or ""), tuple(ordered), one.language, one.duration)


def _faults(dataset: Dataset, entry: Entry, track: str) -> list[Fault]:
    place, kind = str(dataset.folder / RECORDINGS), KINDS[track]
    found = []
    audio = entry.recording.audio
    if not audio or not Path(audio).is_file():
        found.append(Fault(place, f"{entry.session_id}.audio", audio or "nothing", "a file that is there"))
    if not Path(entry.files.get(kind, "")).is_file():
        path = entry.files.get(kind, "nothing")
        found.append(Fault(place, f"{entry.session_id}.files.{kind}", path, f"a file that is there, to learn {track} from"))
    return found

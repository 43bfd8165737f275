"""What a check gets to see of a recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from parakh.audio.facts import AudioFacts
from parakh.files import relative
from parakh.types import Entry, Finding, Region, Segment, Summary, Topics

Item = TypeVar("Item")


@dataclass(frozen=True)
class Source(Generic[Item]):
    """Items of one recording, and the file and lines they come from.

    Args:
        path: The file.
        items: Those of this recording, in file order.
        lines: 1-based line (or entry number) of each.
    """

    path: str
    items: Sequence[Item] = ()
    lines: Sequence[int] = ()

    def line(self, index: int) -> int:
        """Line of an item, or the number of its entry."""
        return self.lines[index] if self.lines else index + 1


@dataclass(frozen=True)
class Material:
    """One recording with everything that belongs to it; a part that the data set does not have is None.

    Args:
        entry: Its manifest entry; made up from the file names where there is no manifest.
        audio: The audio file, looked at; None if there is none or it was not to be looked at.
        turns: Who spoke when (RTTM).
        transcript: What was said.
        native: The second form of the transcript, in native script (the transcript's is Roman for English, digits ASCII).
        regions: UEM.
        topics: The health problems.
        summary: The clinical summary.
        manifest: Its entry in the manifest; None where there is no manifest.
        rows: Its rows in the table of metadata: the speaker of each, "" for the one about the recording; None without a table.
        trouble: What went wrong or was noticed while reading its files; a file that could not be read has no source.
        sha256: Checksums of its files as they are, by kind; without those that were not computed.
    """

    entry: Entry
    audio: AudioFacts | None = None
    turns: Source[Segment] | None = None
    transcript: Source[Segment] | None = None
    native: Source[Segment] | None = None
    regions: Source[Region] | None = None
    topics: Source[Topics] | None = None
    summary: Source[Summary] | None = None
    manifest: Source[Entry] | None = None
    rows: Source[str] | None = None
    trouble: Sequence[Finding] = ()
    sha256: Mapping[str, str] = field(default_factory=dict)

    @property
    def session_id(self) -> str:
        """Id of the recording."""
        return self.entry.session_id

    @property
    def duration(self) -> float | None:
        """Seconds of the audio; as the manifest says where it was not looked at; None if unknown."""
        heard = self.audio.duration if self.audio else None
        return heard if heard is not None else self.entry.recording.duration

    @property
    def language(self) -> str | None:
        """Main language of the recording, as the manifest says."""
        return self.entry.recording.language


@dataclass(frozen=True)
class Whole:
    """A data set as a whole.

    Args:
        materials: All its recordings, without ``level_db``.
        folder: Where it is; "" where single files are checked.
        licence: That of the data set, as its ``parakh.toml`` says; "" where none is stated.
        files: Every file in the folder, and those outside that a recording names, relative to it, sorted; no system files.
        has_manifest: Whether there is a manifest to compare with.
    """

    materials: Sequence[Material]
    folder: str = ""
    licence: str = ""
    files: Sequence[str] = ()
    has_manifest: bool = False

    def place(self, path: str) -> str:
        """A path as ``files`` has it.

        >>> Whole((), "set").place("set/rttm/v1.rttm"), Whole((), "set").place("set/../v1.wav")
        ('rttm/v1.rttm', '../v1.wav')
        """
        return relative(path, self.folder or ".")

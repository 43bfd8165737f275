"""The layout in which the DISPLACE-M challenge gives out its development data.

A folder a language: ``Hindi/data/wav/ID.wav`` with ``Hindi/data/rttm/ID_SPEAKER.rttm`` (who spoke when),
``Hindi/Audio/ID.wav`` with ``Hindi/GT/ID.txt`` (what was said, 7 columns), ``gt_data_topic_identification.csv`` and
``gt_data_summarization.csv`` in ``GT``. The source is the folder above the languages, or one language's. Any part may be
missing. Where a recording has audio in both places, that of ``data/wav`` is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from parakh.dataset.content import Content
from parakh.dataset.importing._folders import by_stem, left_out, ordered, unused, walk
from parakh.dataset.importing._importer import Arrival, Found, Importer, Listing, Options
from parakh.dataset.importing._items import Gathering, table
from parakh.dataset.importing._words import is_named_language, language
from parakh.dataset.sound import is_audio
from parakh.errors import Fault
from parakh.types import Entry, Finding, Recording, Segment, Severity, Summary, Topics

SPEAKER = "_SPEAKER"
TOPICS, SUMMARIES = "gt_data_topic_identification.csv", "gt_data_summarization.csv"


@dataclass
class _Part:
    """The files of one language, by recording."""

    language: str | None
    audio: dict[str, Path] = field(default_factory=dict)
    asr_audio: dict[str, Path] = field(default_factory=dict)
    rttm: dict[str, Path] = field(default_factory=dict)
    transcripts: dict[str, Path] = field(default_factory=dict)
    topics: dict[str, Topics] = field(default_factory=dict)
    summaries: dict[str, Summary] = field(default_factory=dict)
    used: list[Path] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    def names(self) -> list[str]:
        """Every recording of it."""
        return ordered(self.audio, self.asr_audio, self.rttm, self.transcripts, self.topics, self.summaries)


def fits(source: Path) -> bool:
    """Whether a folder has the challenge's folders in it."""
    return bool(_places(source))


def _places(source: Path) -> list[Path]:
    """The folders of the languages."""
    if not source.is_dir():
        return []
    if _is_place(source):
        return [source]
    return [one for one in sorted(source.iterdir()) if one.is_dir() and not one.name.startswith(".") and _is_place(one)]


def _is_place(folder: Path) -> bool:
    gt = folder / "GT"
    return (folder / "data" / "rttm").is_dir() or (folder / "data" / "wav").is_dir() or gt.is_dir()


def find(source: Path, options: Options) -> Listing:
    """The recordings of all languages, by language and id."""
    faults: list[Fault] = []
    files = walk(source, options.without)
    parts = [_part(place, files, faults) for place in _places(source)]
    used = [path for part in parts for path in part.used]
    return Listing(
        (found for part in parts for found in _recordings(part, source)),
        sum(len(part.names()) for part in parts),
        faults,
        [*unused(files, used, source), *(note for part in parts for note in part.notes)],
    )


def _part(place: Path, files: list[Path], faults: list[Fault]) -> _Part:
    def inside(*folders: str) -> list[Path]:
        return [path for path in files if path.parent == place.joinpath(*folders)]

    def stems(paths: list[Path], ending: str = "") -> dict[str, Path]:
        found, wrong = by_stem(paths, [ending] if ending else [])
        faults.extend(wrong)
        part.used.extend(found.values())
        return found

    part = _Part(language(place.name) if is_named_language(place.name) else None)
    part.audio = stems([path for path in inside("data", "wav") if is_audio(path)])
    part.asr_audio = stems([path for path in inside("Audio") if is_audio(path)])
    part.rttm = stems([path for path in inside("data", "rttm") if path.suffix.lower() == ".rttm"], SPEAKER)
    part.transcripts = stems([path for path in inside("GT") if path.suffix.lower() in (".txt", ".tsv")])
    tables = {path.name: path for path in inside("GT") if path.name in (TOPICS, SUMMARIES)}
    wrong: list[Fault] = []
    part.topics = table(tables.get(TOPICS), Topics, wrong)
    part.summaries = table(tables.get(SUMMARIES), Summary, wrong)
    faults.extend(wrong)
    part.notes = left_out(wrong)
    part.used.extend(tables.values())
    return part


def _recordings(part: _Part, source: Path) -> Iterator[Found]:
    for name in part.names():
        yield Found(name, partial(_read, part, name, source))


def _read(part: _Part, name: str, source: Path) -> Arrival:
    files = Gathering(name)
    turns = files.read(part.rttm.get(name), Segment, "rttm", (SPEAKER,))
    transcript = files.read(part.transcripts.get(name), Segment, "challenge-tsv")
    files.check()
    if turns is None and transcript:
        what = "it has no RTTM: who speaks when is taken from the transcript"
        files.notes.append(Finding("turns-of-transcript", what, Severity.NOTE, name))
    audio = part.audio.get(name, part.asr_audio.get(name))
    if name in part.audio and name in part.asr_audio and _differ(part.audio[name], part.asr_audio[name]):
        what = f"{part.asr_audio[name]} is another file than {part.audio[name]}, which was taken"
        files.notes.append(Finding("second-audio", what, Severity.WARNING, name))
    content = Content(
        Entry(Recording(name, language=part.language)),
        turns,
        transcript,
        topics=part.topics.get(name),
        summary=part.summaries.get(name),
    )
    path = part.rttm.get(name) or part.transcripts.get(name) or audio or source
    return Arrival(content, path, audio, [replace(note, session_id=name) for note in files.notes])


def _differ(one: Path, other: Path) -> bool:
    """Whether two files have other bytes; the second is reported then, as it is not kept."""
    if not (one.is_file() and other.is_file()):
        return True
    return one.stat().st_size != other.stat().st_size or one.read_bytes() != other.read_bytes()


IMPORTER = Importer(
    name="displace-m",
    title="DISPLACE-M development data: a folder a language with data/wav, data/rttm, Audio and GT",
    fits=fits,
    find=find,
    loses="Files of other names; a second audio file of a recording.",
)

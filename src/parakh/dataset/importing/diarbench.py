"""Indic DiarBench: parquet files, one row a clip, one configuration a language, the audio inside.

Columns: ``recording_id``, ``language``, ``annotated_transcript`` (a list of ``speaker_id``, ``transcript``, ``start_time``,
``end_time``; the second form of the transcript as ``native_transcript`` beside it or as a column of its own), ``dataset_type``
(nf, ff, itw), ``num_speakers``, ``num_segments``, ``duration_seconds``, ``audio`` (``bytes``, ``path``). Further columns become
metadata. The split is that of the file's name (``test-00000-of-00003.parquet``). Clips that share a recording's id get a
number each, and the id as metadata ``recording``, so that they can be drawn together.

A row whose segments all have an empty transcript holds turns alone. Columns are read without the audio, a row group at a
time. ``--audio copy`` reads it too, clip by clip; a row group and what is unpacked of it are in memory then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from parakh.dataset.content import Content
from parakh.dataset.importing._folders import unused, walk
from parakh.dataset.importing._importer import Arrival, Found, Importer, Listing, Options
from parakh.dataset.importing._tabular import open_parquet
from parakh.dataset.importing._words import condition, is_named_language, language
from parakh.dataset.sound import Embedded
from parakh.errors import Fault, InputError, MissingPackageError, counted
from parakh.formats._text import MOST_SECONDS, Faults, number, shown, wanted
from parakh.types import Entry, Finding, Recording, Segment, Severity

SEGMENTS = "annotated_transcript"
_NATIVE = ("native_transcript", "transcript_native", "annotated_transcript_native")
_ID, _AUDIO = "recording_id", "audio"
_OWN = {_ID, _AUDIO, SEGMENTS, "language", "dataset_type", "num_speakers", "num_segments", "duration_seconds", "split", *_NATIVE}
_FIELDS = {"speaker_id", "transcript", "start_time", "end_time", *_NATIVE}
_SPLIT = re.compile(r"([A-Za-z]\w*)-\d+(-of-\d+)?")


def fits(source: Path) -> bool:
    """Whether a path is or holds parquet files with such columns."""
    first = next(iter(_files(source, None)), None)
    if first is None:
        return False
    try:
        columns = set(open_parquet(first).schema_arrow.names)
    except (InputError, MissingPackageError):
        return first.suffix == ".parquet" and source.is_file()
    return {_ID, SEGMENTS} <= columns


def _files(source: Path, without: Path | None) -> list[Path]:
    files = walk(source, without) if source.is_dir() else [source]
    return [path for path in files if path.suffix.lower() == ".parquet"]


def find(source: Path, options: Options) -> Listing:
    """The clips of all files, in order."""
    files = _files(source, options.without)
    if not files:
        raise InputError(Fault(str(source), "", "no parquet file", "the parquet files of Indic DiarBench"))
    wrong = {path: _faults_of(path) for path in files}
    faults = [fault for found in wrong.values() for fault in found]
    good = [path for path in files if not wrong[path]]
    times = Counter(name for path in good for name in _ids(path))
    others = unused(walk(source, options.without), files, source) if source.is_dir() else []
    total = sum(open_parquet(path).metadata.num_rows for path in good)
    return Listing(_clips(good, times, options), total, faults, others)


def _faults_of(path: Path) -> list[Fault]:
    try:
        columns = open_parquet(path).schema_arrow.names
    except InputError as error:
        return list(error.faults)
    lacking = [name for name in (_ID, SEGMENTS) if name not in columns]
    return [Fault(str(path), name, f"the columns {', '.join(columns)}", f"a column {name}") for name in lacking]


def _ids(path: Path) -> list[str]:
    return [str(name) for name in open_parquet(path).read(columns=[_ID]).column(0).to_pylist()]


def _clips(files: Sequence[Path], times: Mapping[str, int], options: Options) -> Iterator[Found]:
    count: Counter[str] = Counter()
    for path in files:
        file = open_parquet(path)
        columns = [name for name in file.schema_arrow.names if name != _AUDIO]
        line = 0
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group, columns=columns).to_pylist()
            sounds = _sounds(file, group, wanted_too=options.audio == "copy")
            for row in rows:
                line += 1
                name = str(row[_ID])
                count[name] += 1
                session = name if times[name] == 1 else f"{name}_{count[name]:02d}"
                yield Found(session, partial(_read, path, line, session, row, next(sounds)))


def _sounds(file: Any, group: int, *, wanted_too: bool) -> Iterator[Mapping[str, Any] | None]:
    """The audio of each row of a group; None for each where it is not wanted, or there is none."""
    if wanted_too and _AUDIO in file.schema_arrow.names:
        for batch in file.iter_batches(batch_size=1, row_groups=[group], columns=[_AUDIO]):
            yield batch.column(0)[0].as_py()
    while True:
        yield None


def _read(path: Path, line: int, session: str, row: Mapping[str, Any], audio: Mapping[str, Any] | None) -> Arrival:
    faults = Faults(path)
    if row[_ID] is None or not str(row[_ID]).strip():
        faults.fault(line, _ID, "nothing", "the id of the clip")
    transcript = _segments(faults, line, session, row[SEGMENTS], "transcript")
    native = _second(faults, line, session, row)
    faults.check()
    known = language(row.get("language")) or (language(path.parent.name) if is_named_language(path.parent.name) else None)
    metadata = {name: str(value) for name, value in row.items() if name not in _OWN and isinstance(value, str | int | float)}
    if (kind := condition(row.get("dataset_type"))) is not None:
        metadata["condition"] = kind
    if session != str(row[_ID]):
        metadata["recording"] = str(row[_ID])
    seconds = row.get("duration_seconds")
    recording = Recording(session, None, float(seconds) if seconds else None, known, metadata)
    split = row.get("split") or (found[1] if (found := _SPLIT.fullmatch(path.stem)) else None)
    spoken = any(one.words for one in transcript)
    content = Content(Entry(recording, split=split), None if spoken else transcript, transcript if spoken else None, native)
    sound = _embedded(session, audio)
    return Arrival(content, path, sound, _notes(path, line, session, row, transcript))


def _second(faults: Faults, line: int, session: str, row: Mapping[str, Any]) -> tuple[Segment, ...] | None:
    """The second form of the transcript, from a column of its own or from beside the first."""
    own = next((name for name in _NATIVE if isinstance(row.get(name), list)), None)
    if own is not None:
        return _segments(faults, line, session, row[own], "transcript")
    segments = row[SEGMENTS] or []
    beside = next((name for name in _NATIVE if any(isinstance(one, dict) and one.get(name) for one in segments)), None)
    return _segments(faults, line, session, segments, beside) if beside else None


def _segments(faults: Faults, line: int, session: str, values: Any, field: str) -> tuple[Segment, ...]:
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        faults.fault(line, SEGMENTS, shown(values), "a list of segments")
        return ()
    segments = []
    for place, value in enumerate(values):
        start, end = (
            _seconds(faults, line, f"{SEGMENTS}[{place}].{name}", value.get(name)) for name in ("start_time", "end_time")
        )
        speaker = value.get("speaker_id")
        faults.names(line, {f"{SEGMENTS}[{place}].speaker_id": None if speaker is None else str(speaker)})
        if start is None or end is None:
            continue
        if end < start:
            faults.fault(
                line, f"{SEGMENTS}[{place}].end_time", repr(end), f"seconds >= start_time ({start})", "Swap or mend them."
            )
        words = value.get(field)
        segments.append(
            Segment(session, None if speaker is None else str(speaker), start, end, "" if words is None else str(words))
        )
    return tuple(segments)


def _seconds(faults: Faults, line: int, field: str, value: Any) -> float | None:
    found = number(value) if isinstance(value, str) else value
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found <= MOST_SECONDS:
        return float(found)
    faults.fault(line, field, shown(value), wanted(found if isinstance(found, float) else None))
    return None


def _embedded(session: str, audio: Mapping[str, Any] | None) -> Embedded | None:
    if not audio or audio.get("bytes") is None:
        return None
    data = audio["bytes"]
    suffix = Path(audio.get("path") or "").suffix or (".flac" if data[:4] == b"fLaC" else ".wav")
    return Embedded(f"{session}{suffix}", lambda: data)


def _notes(path: Path, line: int, session: str, row: Mapping[str, Any], transcript: Sequence[Segment]) -> list[Finding]:
    """Where the counts of a row are not those of its segments, and what of it has no place."""
    found = {"num_speakers": len({one.speaker for one in transcript}), "num_segments": len(transcript)}
    notes = [
        Finding("other-count", f"{name} is {row[name]}, but there are {count}", Severity.WARNING, session, str(path), line)
        for name, count in found.items()
        if row.get(name) is not None and row[name] != count
    ]
    nested = [name for name, value in row.items() if name not in _OWN and isinstance(value, list | dict)]
    fields = sorted({key for one in row[SEGMENTS] for key, value in one.items() if value is not None} - _FIELDS)
    if left := [*nested, *(f"{SEGMENTS}.{name}" for name in fields)]:
        what = f"{counted(len(left), 'field')} without a place: {', '.join(left)}"
        notes.append(Finding("unused-fields", what, Severity.NOTE, session, str(path), line))
    return notes


IMPORTER = Importer(
    name="diarbench",
    title="Indic DiarBench: parquet files with the audio inside, one row a clip",
    fits=fits,
    find=find,
    loses="The counts of speakers and segments, which are compared; nested columns of other names.",
    embedded=True,
)

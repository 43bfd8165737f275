"""Indic DiarBench's parquet: a folder a language, a file a split, a row a recording, the audio inside.

The columns are those that the importer of the same name reads. Metadata ``condition`` becomes ``dataset_type``; other
metadata are columns of their own. Rows are written in groups of 16, so that few recordings are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parakh import languages
from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options
from parakh.errors import Fault, InputError, MissingPackageError
from parakh.types import Segment

_GROUP = 16
_TYPES = {"near-field": "nf", "far-field": "ff", "in-the-wild": "itw"}


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write a parquet file for each language and split.

    Raises:
        InputError: A transcript without times, or a recording without its audio.
        MissingPackageError: pyarrow (extra ``data``) is not installed.
    """
    faults = [
        Fault(content.session_id, "transcript", "segments without times", "times: the layout is made of them")
        for content in contents
        if any(one.start_time is None for one in content.spoken)
    ]
    if faults:
        raise InputError(faults)
    parts: dict[tuple[str, str], list[Content]] = {}
    for content in contents:
        tag = content.entry.recording.language
        name = (languages.get(tag).name if tag else "undetermined").lower()
        parts.setdefault((name, content.entry.split or "data"), []).append(content)
    fields = sorted({name for content in contents for name in content.entry.recording.metadata if name != "condition"})
    for (language, split), own in parts.items():
        (folder / language).mkdir(exist_ok=True)
        _file(own, folder / language / f"{split}-00000-of-00001.parquet", fields, options)


def _file(contents: Sequence[Content], path: Path, fields: Sequence[str], options: Options) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPackageError("pyarrow", "data", "writing parquet") from error
    schema = _schema(pa, contents, fields, options)
    with pq.ParquetWriter(path, schema) as out:
        for first in range(0, len(contents), _GROUP):
            rows = [_row(content, schema.names, options) for content in contents[first : first + _GROUP]]
            out.write_table(pa.Table.from_pylist(rows, schema))


def _schema(pa: Any, contents: Sequence[Content], fields: Sequence[str], options: Options) -> Any:
    text, number = pa.string(), pa.float64()
    segment = [("speaker_id", text), ("transcript", text), ("start_time", number), ("end_time", number)]
    columns = [] if options.audio == "none" else [("audio", pa.struct([("bytes", pa.binary()), ("path", text)]))]
    columns += [("recording_id", text), ("language", text), ("annotated_transcript", pa.list_(pa.struct(segment)))]
    if any(content.native is not None for content in contents):
        columns.append(("native_transcript", pa.list_(pa.struct(segment))))
    columns += [("dataset_type", text), ("num_speakers", pa.int64()), ("num_segments", pa.int64()), ("duration_seconds", number)]
    return pa.schema([*columns, *((name, text) for name in fields)])


def _row(content: Content, columns: Sequence[str], options: Options) -> dict[str, object]:
    one = content.entry.recording
    segments = content.spoken
    kind = one.metadata.get("condition")
    row: dict[str, object] = {
        **one.metadata,
        "recording_id": content.session_id,
        "language": one.language,
        "annotated_transcript": [_segment(segment) for segment in segments],
        "native_transcript": None if content.native is None else [_segment(segment) for segment in content.native],
        "dataset_type": _TYPES.get(kind, kind) if kind else None,
        "num_speakers": len({segment.speaker for segment in segments}),
        "num_segments": len(segments),
        "duration_seconds": one.duration,
    }
    if options.audio != "none":
        row["audio"] = _audio(content)
    return {name: row.get(name) for name in columns}


def _segment(one: Segment) -> dict[str, object]:
    return {"speaker_id": one.speaker, "transcript": one.words, "start_time": one.start_time, "end_time": one.end_time}


def _audio(content: Content) -> dict[str, object] | None:
    path = content.entry.recording.audio
    if path is None:
        return None
    try:
        return {"bytes": Path(path).read_bytes(), "path": f"{content.session_id}{Path(path).suffix}"}
    except OSError as error:
        raise InputError(Fault(path, "audio", str(error.strerror), "a readable file", "Restore it.")) from error


EXPORTER = Exporter(
    name="diarbench",
    title="Indic DiarBench: parquet files with the audio inside, one row a recording",
    write=write,
    holds=frozenset(
        {
            "turns",
            "transcript",
            "native",
            "audio",
            "split",
            "language",
            "duration",
            "metadata.*",
            "segment.start_time",
            "segment.speaker",
        }
    ),
    audio=("copy", "none"),
    loses="Turns that are not those of the transcript, roles and what is known of speakers, topics, summaries, scored regions.",
)

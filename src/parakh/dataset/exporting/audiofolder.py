"""Audio files with a table ``metadata.csv``, as Hugging Face's ``audiofolder`` reads them.

A folder a split; a row a recording: ``file_name``, ``transcription`` (the words of all turns in order), ``language``,
``duration``, ``split``, ``topics``, ``summary`` and the metadata. Turns and times have no place in such a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options, audio_of
from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.formats import _csv, is_file_name
from parakh.formats._text import Writer, shown
from parakh.formats._topics import join

_COLUMNS = ("file_name", "transcription", "language", "duration", "split", "topics", "summary")


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write the audio and the table.

    Raises:
        InputError: A recording without audio, or a split that cannot name a folder.
    """
    rows = [_row(content, folder, options) for content in contents]
    writer = Writer(folder / "metadata.csv")
    for number, (content, row) in enumerate(zip(contents, rows, strict=True), 1):
        if content.topics is not None:
            row["topics"] = join(writer, number, content.topics.topics)
    writer.check()
    columns = list(dict.fromkeys([*_COLUMNS, *(name for row in rows for name in row)]))
    write_atomic(folder / "metadata.csv", _csv.text(columns, ([row.get(name, "") for name in columns] for row in rows)))


def _row(content: Content, folder: Path, options: Options) -> dict[str, str]:
    one = content.entry.recording
    split = content.entry.split
    if split is not None and not is_file_name(split):
        raise InputError(Fault(content.session_id, "split", shown(split), "a name that a folder can have", "Rename the split."))
    path = audio_of(content, options, folder / (split or "") / content.session_id)
    if path is None:
        raise InputError(Fault(content.session_id, "audio", "no audio", "a recording with audio: this layout is its folder"))
    known = {
        "file_name": path.relative_to(folder).as_posix(),
        "transcription": None if content.transcript is None else text(content),
        "language": one.language,
        "duration": None if one.duration is None else repr(one.duration),
        "split": split,
        "summary": None if content.summary is None else content.summary.text,
    }
    return {name: value for name, value in known.items() if value} | dict(one.metadata)


def text(content: Content) -> str:
    """The words of a transcript in the order in which its segments begin."""
    segments = sorted(content.transcript or (), key=lambda one: one.start_time or 0.0)
    return " ".join(one.words for one in segments if one.words)


EXPORTER = Exporter(
    name="audiofolder",
    title="Audio files with a metadata table, as Hugging Face's audiofolder reads them",
    write=write,
    holds=frozenset({"transcript", "topics", "summary", "audio", "split", "language", "duration", "metadata.*"}),
    audio=("link", "copy"),
    loses="Turns, times, speakers and what is known of them, second forms, scored regions.",
)

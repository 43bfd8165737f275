"""``metadata.csv``: what is known of the recordings of a data set and of who speaks in them.

The first columns are ``session_id`` and ``speaker``; then one column a field. A row without a speaker is about the recording
(language, dialect, state, district, place, environment, group, device, tags, consent ...), a row with one about that speaker
(person, role, age, sex, language, dialect, consent ...). An empty cell says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from parakh.dataset.values import FILED, METADATA, RECORDINGS, RESERVED, SPEAKER_FIELDS, TEXT, is_text, speaker_values
from parakh.formats import _csv
from parakh.formats._text import Reader, Writer, shown
from parakh.types import Entry, Recording, Speaker

Rows = list[tuple[int, dict[str, str]]]
Places = dict[tuple[str, str], int]
"""Line by recording and speaker; "" is the recording itself."""


def read_table(reader: Reader) -> tuple[tuple[str, ...], Rows]:
    """The columns of the file and its rows, each with the line where it starts; faults go to the reader."""
    _check_separator(reader)
    header: tuple[str, ...] = ()
    rows: Rows = []
    for line, fields in _csv.records(reader):
        if not header:
            header = _header(reader, line, fields)
        elif row := _row(reader, line, header, fields):
            rows.append((line, row))
    return header, rows


def _check_separator(reader: Reader) -> None:
    """See that the fields of the header are not separated as spreadsheets do it in many countries."""
    first = next((line for line in reader.text.split("\n") if line.strip()), "")
    for sign, name in ((";", "semicolons"), ("\t", "tabs")):
        names = [field.strip().strip('"') for field in first.split(sign)]
        if "session_id" in names and len(names) > 1:
            reader.fail(
                1, "", f"fields separated by {name}", "commas between the fields", "Save it as CSV with commas, in UTF-8."
            )


def _header(reader: Reader, line: int, fields: Sequence[str]) -> tuple[str, ...]:
    header = tuple(name.strip() for name in fields)
    reader.names(line, dict.fromkeys(header, ",".join(header)))
    if "session_id" not in header or len(set(header)) < len(header) or "" in header:
        expected = "a header with session_id, speaker and further names, each once"
        reader.fail(line, "", shown(",".join(header)), expected)
    for name in header:
        if name in FILED:
            reader.fault(line, name, "a column of that name", f"it in {RECORDINGS}", "Move it there, or rename the column.")
    return header


def _row(reader: Reader, line: int, header: Sequence[str], fields: Sequence[str]) -> dict[str, str]:
    if not _csv.fits(reader, line, header, fields):
        return {}
    row = {name: value.strip() for name, value in zip(header, fields, strict=True)}
    reader.names(line, row)
    return {name: row[name] for name in row if row[name] or name in ("session_id", "speaker")}


def describe(reader: Reader, rows: Rows, entries: Mapping[str, Entry], *, complete: bool) -> tuple[dict[str, Entry], Places]:
    """The entries with what the rows know of them, and the line of each row; faults go to the reader.

    Args:
        reader: Of the file.
        rows: As ``read_table`` gives them.
        entries: The recordings by id.
        complete: Whether these are all recordings; else a row may be about one that could not be read.
    """
    described = dict(entries)
    seen: Places = {}
    for line, values in rows:
        row = dict(values)
        session, label = row.pop("session_id"), row.pop("speaker", "")
        entry = described.get(session)
        if (session, label) in seen:
            expected = f"one row for each recording and speaker (line {seen[session, label]} is the same)"
            reader.fault(line, "speaker", shown(label), expected, "Keep one of them.")
        elif entry is None:
            if complete:
                action = "Add it there, or take the row out."
                reader.fault(line, "session_id", shown(session), f"a recording of {RECORDINGS}", action)
        elif label:
            described[session] = replace(entry, speakers=(*entry.speakers, _speaker(session, label, row)))
        else:
            described[session] = replace(entry, recording=_with_row(reader, line, entry.recording, row))
        seen.setdefault((session, label), line)
    return described, seen


def _speaker(session: str, label: str, row: Mapping[str, str]) -> Speaker:
    known = {name: row.get(name) for name in SPEAKER_FIELDS}
    return Speaker(session, label, **known, metadata={name: row[name] for name in row if name not in SPEAKER_FIELDS})


def _with_row(reader: Reader, line: int, recording: Recording, row: dict[str, str]) -> Recording:
    """A recording with the row about it; a value that both files give has to be the same."""
    language = row.pop("language", recording.language)
    if recording.language not in (None, language):
        reader.fault(line, "language", shown(language), f"{shown(recording.language)}, as in {RECORDINGS}", "Give it once.")
    for name, value in row.items():
        if recording.metadata.get(name, value) != value:
            reader.fault(line, name, shown(value), f"{shown(recording.metadata[name])}, as in {RECORDINGS}", "Give it once.")
    return replace(recording, language=language, metadata={**recording.metadata, **row})


def table(folder: Path, entries: Iterable[Entry], columns: Sequence[str]) -> tuple[Writer, str]:
    """The file's text, the row of each recording before those of its speakers, and the faults of what it cannot hold.

    Args:
        folder: The data set's folder.
        entries: Its recordings.
        columns: Columns that it has in any case, in this order.
    """
    writer = Writer(folder / METADATA)
    rows: list[dict[str, str]] = []
    for number, entry in enumerate(entries, 1):
        _check_fields(writer, number, entry.recording.metadata, RESERVED)
        known = {name: value for name, value in entry.recording.metadata.items() if value}
        if known:
            rows.append({"session_id": entry.session_id, "speaker": "", **known})
        _check_speakers(writer, number, entry)
        rows += [{"session_id": entry.session_id, "speaker": one.speaker, **_stated(one)} for one in entry.speakers]
    first = columns or ("session_id", "speaker", *SPEAKER_FIELDS)
    names = dict.fromkeys(["session_id", "speaker", *first, *(name for row in rows for name in row)])
    ordered = [*first, *(name for name in names if name not in first)]
    return writer, _csv.text(ordered, [[row.get(name, "") for name in ordered] for row in rows] if not writer.found else [])


def _stated(speaker: Speaker) -> dict[str, str]:
    return {name: value for name, value in speaker_values(speaker).items() if value}


def _check_speakers(writer: Writer, number: int, entry: Entry) -> None:
    seen: set[str] = set()
    for one in entry.speakers:
        if one.session_id != entry.session_id:
            writer.fault(number, "speaker", shown(one.session_id), f"a speaker of {entry.session_id}")
        if not is_text(one.speaker):
            writer.fault(number, "speaker", shown(one.speaker), TEXT)
        elif one.speaker in seen:
            writer.fault(number, "speaker", shown(one.speaker), "each speaker once")
        seen.add(one.speaker)
        own = {name: value for name in SPEAKER_FIELDS if (value := getattr(one, name)) is not None}
        _check_fields(writer, number, own, set())
        _check_fields(writer, number, one.metadata, {*RESERVED, *SPEAKER_FIELDS})


def _check_fields(writer: Writer, number: int, fields: Mapping[str, str], taken: set[str]) -> None:
    for name, value in fields.items():
        if name in taken or not is_text(name):
            writer.fault(number, shown(name), "a metadata field of that name", "another name", "Rename the field.")
        elif not is_text(value, empty=True):
            writer.fault(number, name, shown(value), TEXT)

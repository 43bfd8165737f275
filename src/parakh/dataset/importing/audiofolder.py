"""A folder as Hugging Face's ``audiofolder`` reads it: audio files and a ``metadata.csv``, ``.jsonl`` or ``.parquet``.

The metadata names each file in ``file_name``, relative to its own folder. A folder ``train``, ``validation``, ``test`` ... above
a file is its split; without metadata, the folder that a file is in is its class, kept as metadata ``label``. A column
``transcription``, ``transcript``, ``text`` or ``sentence`` is what was said (without times); ``language``, ``duration``,
``summary`` and ``topics`` (a comma list) are themselves; where there is one speaker (``speaker_id``), ``gender``, ``age`` and
``dialect`` are that one's. All else is metadata. The id is the file's name without suffix, or, where two files have the same,
its path with ``_`` for ``/``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from parakh.dataset.content import Content
from parakh.dataset.importing._folders import unused, walk
from parakh.dataset.importing._importer import Arrival, Found, Importer, Listing, Options
from parakh.dataset.importing._tabular import SUFFIXES, columns, rows
from parakh.dataset.importing._words import language, sex
from parakh.dataset.sound import is_audio
from parakh.errors import Fault, InputError
from parakh.formats._text import number, shown
from parakh.formats._topics import split as split_topics
from parakh.types import Entry, Recording, Segment, Speaker, Summary, Topics

NAME = "file_name"
TEXTS = ("transcription", "transcript", "text", "sentence")
SPLITS = {"train", "training", "validation", "valid", "val", "dev", "test", "testing", "eval", "evaluation", "dev1", "dev2"}
_SPEAKERS = ("speaker_id", "speaker")
_ABOUT = {"gender": "sex", "sex": "sex", "age": "age", "dialect": "dialect"}


def fits(source: Path) -> bool:
    """Whether a folder has such a metadata file, or audio in folders called after splits."""
    if not source.is_dir():
        return False
    files = walk(source)
    tables = [path for path in files if _is_table(path)]
    splits = {path.relative_to(source).parts[0].lower() for path in files if is_audio(path)} & SPLITS
    return bool(tables) or (len(splits) > 0 and all(is_audio(path) for path in files))


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and path.stem.lower().startswith("metadata") and NAME in columns(path)


def find(source: Path, options: Options) -> Listing:
    """Every audio file and every row of metadata, by path."""
    if not source.is_dir():
        raise InputError(Fault(str(source), "", "a file", "a folder with audio files"))
    files = walk(source, options.without)
    tables = [path for path in files if _is_table(path)]
    faults: list[Fault] = []
    about: dict[Path, tuple[Path, int, Mapping[str, Any]]] = {}
    for table in tables:
        try:
            _take(table, about, faults)
        except InputError as error:
            faults.extend(error.faults)
    audio = [path for path in files if is_audio(path)]
    paths = sorted({*audio, *about})
    names = _names(paths, source)
    classes = _classes(paths, source) if not tables else {}
    return Listing(
        (Found(names[path], partial(_read, path, names[path], source, about.get(path), classes)) for path in paths),
        len(paths),
        faults,
        unused(files, [*audio, *tables], source),
    )


def _take(table: Path, about: dict[Path, tuple[Path, int, Mapping[str, Any]]], faults: list[Fault]) -> None:
    for line, row in rows(table):
        name = row.pop(NAME, None)
        if not isinstance(name, str) or Path(name).is_absolute() or ".." in Path(name).parts:
            faults.append(Fault(str(table), NAME, shown(name), "a path inside the folder", "Mend the path.", line))
            continue
        path = table.parent / name
        if path in about:
            expected = f"a file named once (line {about[path][1]} has it too)"
            faults.append(Fault(str(table), NAME, shown(name), expected, "Keep one of the rows.", line))
        about.setdefault(path, (table, line, row))


def _names(paths: Sequence[Path], source: Path) -> dict[Path, str]:
    """The id of each file."""
    times = Counter(path.stem for path in paths)
    return {
        path: path.stem if times[path.stem] == 1 else "_".join(path.relative_to(source).with_suffix("").parts) for path in paths
    }


def _split(path: Path, source: Path) -> str | None:
    parts = path.relative_to(source).parts[:-1]
    return next((part for part in parts if part.lower() in SPLITS), None)


def _classes(paths: Sequence[Path], source: Path) -> dict[Path, str]:
    """The class of each file: the folder it is in, where there are several that are no splits."""
    folders = {path: path.parent.name for path in paths if path.parent != source and path.parent.name.lower() not in SPLITS}
    return folders if len(set(folders.values())) > 1 else {}


def _read(
    path: Path, name: str, source: Path, about: tuple[Path, int, Mapping[str, Any]] | None, classes: Mapping[Path, str]
) -> Arrival:
    table, line, row = about or (path, 0, {})
    text = next((column for column in TEXTS if column in row), None)
    label = next((column for column in _SPEAKERS if column in row), None)
    speaker = str(row[label]) if label else None
    own = {field: str(row[column]) for column, field in _ABOUT.items() if column in row and speaker}
    taken = {NAME, "language", "duration", "split", "topics", "summary", text, label, *(column for column in _ABOUT if speaker)}
    metadata = {column: _plain(value) for column, value in row.items() if column not in taken}
    if path in classes:
        metadata["label"] = classes[path]
    seconds = number(str(row["duration"])) if "duration" in row else None
    if "duration" in row and not seconds:
        raise InputError(Fault(str(table), "duration", shown(row["duration"]), "seconds > 0", line=line))
    recording = Recording(name, None, seconds, language(row.get("language")), metadata)
    about_one = Speaker(name, speaker or "", age=own.get("age"), sex=sex(own.get("sex")), dialect=own.get("dialect"))
    transcript = (Segment(name, speaker, words=str(row[text])),) if text else None
    entry = Entry(recording, speakers=(about_one,) if speaker else (), split=row.get("split") or _split(path, source))
    topics = Topics(name, split_topics(str(row["topics"]))) if "topics" in row else None
    summary = Summary(name, str(row["summary"])) if "summary" in row else None
    return Arrival(Content(entry, transcript=transcript, topics=topics, summary=summary), table, path)


def _plain(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text.strip()


IMPORTER = Importer(
    name="audiofolder",
    title="Audio files with a metadata table, as Hugging Face's audiofolder reads them",
    fits=fits,
    find=find,
    loses="Files that are neither audio nor metadata.",
)

"""NeMo: a manifest of utterances or of recordings to be diarized, one JSON object a line.

``audio_filepath``, ``offset`` and ``duration`` in seconds, ``text``, ``speaker`` or ``label``, ``lang``. The session id is
``session_id`` or else the audio's file name without its ending. A line with ``text`` is one turn. A line whose text is missing
or "-" and whose label is "infer" only names audio: its turns are those of ``rttm_filepath``, read relative to the manifest's own
folder, within the stretch that the line names. Without that file it has none, which is told, as is a file in another folder.

A recogniser writes what it heard as ``pred_text``. That is the text where there is no ``text``; beside one it is left out, with a
finding, as ``text`` is then what was really said: to score what was heard, give a manifest without ``text``.
Source: the documentation of NeMo 2, manifests of ASR and of speaker diarization.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from parakh.errors import InputError
from parakh.files import write_atomic
from parakh.formats import Format, rttm
from parakh.formats._clock import duration_of, end_of
from parakh.formats._json import name_of, parse, text_of, time_of
from parakh.formats._response import primary_tag, tag_of
from parakh.formats._text import Reader, Writer, shown
from parakh.types import Loaded, Segment, Severity

_INFER = "infer"
_EMPTY = (None, "", "-")
_LANGUAGES = ("lang", "language", "source_lang")

Values = Mapping[str, object]


def read(path: Path) -> Loaded[Segment]:
    """Read the utterances of a manifest, or the turns of the RTTM files that it names.

    Args:
        path: The file.

    Returns:
        Segments in file order, with their lines in the manifest; findings ``audio-only``, ``no-times``, ``other-file``,
        ``pred-text``, ``unknown-language``, ``zero-duration`` and those of the RTTM files.

    Raises:
        InputError: All its faults, and those of the RTTM files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "manifest.json"
    ...     _ = path.write_text('{"audio_filepath": "wav/v1.wav", "offset": 0.1, "duration": 0.2, "text": "जी", "label": "asha"}')
    ...     [(one.session_id, one.speaker, one.end_time, one.words) for one in read(path).items]
    [('v1', 'asha', 0.3, 'जी')]
    """
    reader = Reader(path)
    segments: list[Segment] = []
    lines: list[int] = []
    faults: list[InputError] = []
    others: list[Loaded[Segment]] = []
    for line, text in reader.records():
        values = parse(reader, line, text)
        if isinstance(values, dict):
            try:
                for segment in _segments(reader, line, values, others):
                    segments.append(segment)
                    lines.append(line)
            except InputError as error:
                faults.append(error)
        elif values is not None:
            reader.fault(line, "", shown(values), "a JSON object")
    if faults:
        _raise_all(reader, faults)
    loaded = reader.loaded(segments, lines)
    found = tuple(finding for one in others for finding in one.findings)
    return Loaded(loaded.items, loaded.findings + found, loaded.lines)


def _raise_all(reader: Reader, errors: Sequence[InputError]) -> None:
    """All faults at once, the manifest's own first."""
    try:
        reader.check()
    except InputError as own:
        errors = [own, *errors]
    raise InputError([fault for one in errors for fault in one.faults], sum(one.more for one in errors))


def _segments(reader: Reader, line: int, values: Values, others: list[Loaded[Segment]]) -> Iterator[Segment]:
    session = _session(reader, line, values)
    start = time_of(reader, line, values, "offset") or 0.0
    duration = time_of(reader, line, values, "duration")
    end = None if duration is None else end_of(start, duration)
    label = name_of(reader, line, values, "label")
    turns = name_of(reader, line, values, "rttm_filepath")
    key = _text_key(reader, line, values)
    if values.get(key) in _EMPTY and (label == _INFER or turns is not None):
        if turns is None:
            reader.notice("audio-only", line, "the line only names audio, so it makes no turn", Severity.NOTE)
        else:
            loaded = _beside(reader, line, turns)
            others.append(loaded)
            for one in loaded.items:
                if one.session_id == session and (end is None or (_start(one) < end and (one.end_time or 0.0) >= start)):
                    yield one
        return
    speaker = name_of(reader, line, values, "speaker") or (None if label == _INFER else label)
    if end is None:
        reader.notice("no-times", line, "the utterance has no duration, so no times", Severity.WARNING)
    elif end == start:
        reader.zero_duration(line)
    words = "" if values.get(key) is None else text_of(reader, line, values, key)
    language = next((values[key] for key in _LANGUAGES if values.get(key) is not None), None)
    yield Segment(session, speaker, None if end is None else start, end, words, language=tag_of(reader, line, language))


def _text_key(reader: Reader, line: int, values: Values) -> str:
    """The key of what was said, or heard where nobody knows what was said."""
    if values.get("pred_text") is None:
        return "text"
    if values.get("text") is None:
        return "pred_text"
    what = "pred_text, what a recogniser heard, is left out; text, what was said, is read"
    reader.notice("pred-text", line, what, Severity.WARNING)
    return "text"


def _start(segment: Segment) -> float:
    return segment.start_time or 0.0


def _session(reader: Reader, line: int, values: Values) -> str:
    session = name_of(reader, line, values, "session_id")
    audio = name_of(reader, line, values, "audio_filepath")
    if session is None and audio is None:
        reader.fault(line, "audio_filepath", shown(values.get("audio_filepath")), "the path of the audio")
    return session or PurePosixPath((audio or "").replace("\\", "/")).stem


def _beside(reader: Reader, line: int, name: str) -> Loaded[Segment]:
    """The turns of an RTTM file named by a line."""
    place = Path(reader.path).parent / name
    try:
        found = place.is_file()
    except OSError:
        found = False
    if not found:
        reader.fault(line, "rttm_filepath", shown(name), f"a file (there is no {place})", "Mend the path or leave it out.")
        return Loaded(())
    if not place.resolve().is_relative_to(Path(reader.path).parent.resolve()):
        reader.notice("other-file", line, f"the turns are read from another folder: {place} (or another file)", Severity.NOTE)
    return rttm.read(place)


def write(items: Sequence[Segment], path: Path) -> None:
    """Write segments as the manifest of utterances, each with its audio as ``<session id>.wav`` beside the manifest.

    Args:
        items: Segments with times.
        path: Where to.

    Raises:
        InputError: A session id cannot be the name of an audio file, or a time is missing.
    """
    writer = Writer(path)
    lines = []
    for entry, item in enumerate(items, 1):
        audio = f"{item.session_id}.wav"
        if not item.session_id or PurePosixPath(audio.replace("\\", "/")).stem != item.session_id:
            writer.fault(entry, "session_id", shown(item.session_id), "an id that can be the name of a file", "Rename it.")
        writer.names(entry, {"session_id": item.session_id, "speaker": item.speaker})
        if item.speaker in ("", _INFER):
            writer.fault(entry, "speaker", shown(item.speaker), "another name: it means nobody here", "Rename it.")
        if item.language is not None and primary_tag(item.language) != item.language:
            writer.fault(entry, "language", shown(item.language), "a primary tag of BCP-47, as in hi")
        writer.span(entry, item.start_time, item.end_time)
        values = {
            "audio_filepath": audio,
            "offset": item.start_time,
            "duration": duration_of(item.start_time, item.end_time),
            "text": item.words,
            "speaker": item.speaker,
            "lang": item.language,
        }
        lines.append(json.dumps({key: value for key, value in values.items() if value is not None}, ensure_ascii=False) + "\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _sniff(head: str, path: Path) -> bool:
    first = next((line for line in head.split("\n") if line.strip()), "")
    return first.lstrip().startswith("{") and '"audio_filepath"' in first


FORMAT = Format(
    name="nemo",
    title="NeMo: a manifest of utterances, one JSON object a line",
    item=Segment,
    suffixes=(".jsonl", ".json"),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The times finer than 10 ns, the role, segment ids, channel, confidence and further forms.",
    follows_paths=True,
)

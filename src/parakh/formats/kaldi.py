"""Kaldi: a data folder, whose files say of each utterance who speaks, when, and what.

``segments`` (utterance, recording, start, end, maybe a channel), ``text``, ``utt2spk`` or ``spk2utt``, ``utt2lang``,
``reco2file_and_channel`` (the session id and channel of a recording), ``reco2dur``, ``utt2dur``, ``wav.scp``. An end of -1 is the
end of the recording, which ``reco2dur`` or the audio named in ``wav.scp`` tells. Without ``segments`` an utterance is a whole
recording. What is written is sorted as the C locale sorts, as Kaldi demands; ``wav.scp`` is not written, as segments do not
say where the audio is. Source: the documentation of Kaldi, "Data preparation", and its extract-segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from parakh.errors import Fault, InputError, ParakhError, counted
from parakh.files import write_folder
from parakh.formats import Format
from parakh.formats._response import tag_of
from parakh.formats._text import Reader, Writer, number, shown
from parakh.types import Finding, Loaded, Segment, Severity

_LINE = re.compile(r"[ \t]*([^ \t]+)(?:[ \t](.*))?", re.DOTALL)
_TO_THE_END = -1.0
_TABLES = ("segments", "text", "utt2spk", "spk2utt", "utt2lang", "reco2file_and_channel", "reco2dur", "utt2dur", "wav.scp")
_WRITTEN = ("segments", "text", "utt2spk", "spk2utt", "utt2lang", "reco2file_and_channel")
_FIELDS = "4 or 5 fields: utterance recording start end [channel]"

Table = Mapping[str, tuple[int, str]]


class _Utterance(NamedTuple):
    """One line of ``segments``, or a whole recording."""

    name: str
    line: int
    recording: str
    start: float | None
    end: float | None
    channel: str | None = None


class _Folder:
    """The tables of a data folder (of each id its line and the rest of it), and the readers that gather their faults."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.readers = {name: Reader(folder / name) for name in _TABLES if (folder / name).is_file()}
        self.tables = {name: _table(self.readers[name], name) if name in self.readers else {} for name in _TABLES}

        files = {name: self._place(name, text) for name, (_, text) in self.tables["reco2file_and_channel"].items()}
        self.places = {name: place for name, place in files.items() if place}

    def _place(self, recording: str, text: str) -> tuple[str, str] | None:
        """The file and channel that a recording is."""
        fields = text.split()
        if len(fields) == 2:
            return fields[0], fields[1]
        line = self.tables["reco2file_and_channel"][recording][0]
        found = counted(len(fields) + 1, "field")
        self.readers["reco2file_and_channel"].fault(line, "", found, "3 fields: recording file channel", "Mend the line.")
        return None

    def value(self, name: str, key: str) -> str | None:
        """What a table says of an id; None where it says nothing."""
        found = self.tables[name].get(key)
        return None if found is None else found[1]

    def duration(self, recording: str) -> float | None:
        """Seconds of a recording, or of an utterance that is one; None where no file tells."""
        for name in ("reco2dur", "utt2dur"):
            if recording in self.tables[name]:
                line, text = self.tables[name][recording]
                return self.readers[name].seconds(line, "duration", text)
        source = self.value("wav.scp", recording)
        return None if source is None else _audio_duration(self.folder, source)

    def findings(self) -> tuple[Finding, ...]:
        """What was noticed in all files; raises InputError with the faults of all."""
        faults: list[Fault] = []
        findings: list[Finding] = []
        more = 0
        for reader in self.readers.values():
            try:
                findings += reader.loaded(()).findings
            except InputError as error:
                faults += error.faults
                more += error.more
        if faults:
            raise InputError(faults, more)
        return tuple(findings)


def _table(reader: Reader, name: str) -> Table:
    table: dict[str, tuple[int, str]] = {}
    before = b""
    for line, record in reader.records():
        match = _LINE.fullmatch(record)
        key, value = (match[1], match[2] or "") if match else (record, "")
        if key in table:
            expected = f"an id of its own (line {table[key][0]} has the same)"
            reader.fault(line, "id", shown(key), expected, "Mend or join them.")
        if key.encode() < before:
            reader.notice("not-sorted", line, "the id is not in the order of the C locale, which Kaldi demands", Severity.NOTE)
        before = key.encode()
        reader.names(line, {"id": key})
        table.setdefault(key, (line, value if name == "text" else value.strip(" \t")))
    return table


def _audio_duration(folder: Path, source: str) -> float | None:
    """Seconds of an audio file, relative to the data folder or to where we are; None for a command or what cannot be read."""
    from parakh.audio.header import read_header  # loads numpy

    if not source or source.endswith("|"):
        return None
    for place in (folder / source, Path(source)):
        try:
            return read_header(place).duration
        except ParakhError:
            continue
    return None


def read(folder: Path) -> Loaded[Segment]:
    """Read a data folder.

    Args:
        folder: The folder.

    Returns:
        One Segment an utterance, in the order of ``segments`` (else of ``text``, ``utt2spk`` or ``wav.scp``), with its line
        there; findings ``not-sorted``, ``no-text``, ``no-speaker``, ``no-times``, ``zero-duration``,
        ``unknown-language``, ``duplicate-line``, ``empty-file``.

    Raises:
        InputError: All faults of all files: among them an end of -1 of a recording whose duration no file tells, and lines
            about utterances that there are not.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     write([Segment("v1", "asha", 0.5, 2.0, words="नमस्ते दीदी")], Path(place) / "data")
    ...     [(one.segment_id, one.words) for one in read(Path(place) / "data").items]
    [('asha-v1-0000050-0000200', 'नमस्ते दीदी')]
    """
    if not folder.is_dir():
        found = "a file" if folder.exists() else "no such folder"
        raise InputError(Fault(str(folder), "", found, "a data folder of Kaldi", "Name the folder, not a file in it."))
    data = _Folder(folder)
    utterances = list(_utterances(data))
    speakers = _speakers(data)
    segments = [_segment(data, utterance, speakers.get(utterance.name)) for utterance in utterances]
    _check_known(data, {utterance.name for utterance in utterances})
    if not data.readers:
        expected = f"files called {', '.join(_TABLES)}"
        raise InputError(Fault(str(folder), "", "none of them", expected, "Name a data folder of Kaldi."))
    return Loaded(tuple(segments), data.findings(), [utterance.line for utterance in utterances])


def _utterances(data: _Folder) -> Iterator[_Utterance]:
    if "segments" in data.readers:
        for name, (line, text) in data.tables["segments"].items():
            yield _timed(data, name, line, text)
        return
    source = next((name for name in ("text", "utt2spk", "wav.scp") if name in data.readers), "text")
    for name, (line, _) in data.tables[source].items():
        end = data.duration(name)
        if end is None:
            what = "nothing tells how long the recording is, so its utterance has no times"
            data.readers[source].notice("no-times", line, what)
        yield _Utterance(name, line, name, None if end is None else 0.0, end)


def _timed(data: _Folder, name: str, line: int, text: str) -> _Utterance:
    reader = data.readers["segments"]
    fields = text.split()
    if len(fields) not in (3, 4):
        reader.fault(line, "", counted(len(fields) + 1, "field"), _FIELDS, "A name with a blank in it is the usual cause.")
        return _Utterance(name, line, "", None, None)
    start = reader.seconds(line, "start", fields[1])
    if number(fields[2]) == _TO_THE_END:
        end = data.duration(fields[0])
        if end is None:
            expected = f"seconds, or the duration of {shown(fields[0])} in reco2dur"
            reader.fault(line, "end", shown(fields[2]), expected, "It stands for the end of the recording: add reco2dur.")
    else:
        end = reader.seconds(line, "end", fields[2])
    if start is not None and end is not None and end < start:
        reader.fault(line, "end", repr(end), f"seconds >= start ({start})", "Swap or mend the times.")
    elif start is not None and end == start:
        reader.zero_duration(line)
    return _Utterance(name, line, fields[0], start, end, fields[3] if len(fields) > 3 else None)


def _speakers(data: _Folder) -> dict[str, str]:
    """The speaker of each utterance, from utt2spk and spk2utt, which have to agree."""
    speakers: dict[str, str] = {}
    for name, (line, text) in data.tables["utt2spk"].items():
        if len(text.split()) != 1:
            found = counted(len(text.split()), "speaker")
            data.readers["utt2spk"].fault(line, "speaker", found, "one: an utterance and its speaker", "Mend the line.")
        speakers[name] = text
    for speaker, (line, text) in data.tables["spk2utt"].items():
        for name in text.split():
            if speakers.setdefault(name, speaker) != speaker:
                expected = f"utterances of {shown(speaker)} (in utt2spk it is {shown(speakers[name])} who says it)"
                data.readers["spk2utt"].fault(line, "utterance", shown(name), expected, "Make spk2utt from utt2spk again.")
    return speakers


def _segment(data: _Folder, utterance: _Utterance, speaker: str | None) -> Segment:
    session, channel = data.places.get(utterance.recording, (utterance.recording, utterance.channel))
    text = data.value("text", utterance.name)
    own = data.readers.get("segments") or data.readers.get("text")
    if own and text is None and "text" in data.readers:
        own.notice("no-text", utterance.line, "the utterance is not in text")
    if own and speaker is None and data.readers.keys() & {"utt2spk", "spk2utt"}:
        own.notice("no-speaker", utterance.line, "the utterance is not in utt2spk")
    line, language = data.tables["utt2lang"].get(utterance.name, (0, None))
    return Segment(
        session,
        speaker,
        utterance.start,
        utterance.end,
        text or "",
        language=None if language is None else tag_of(data.readers["utt2lang"], line, language),
        segment_id=utterance.name,
        channel=channel,
    )


def _check_known(data: _Folder, names: set[str]) -> None:
    """Faults for what is said of utterances that there are not: it would be lost."""
    for table in ("text", "utt2spk", "utt2lang"):
        for name, (line, _) in data.tables[table].items():
            if name not in names:
                expected = "an utterance that there is"
                data.readers[table].fault(line, "id", shown(name), expected, "Add it to segments, or take it out here.")


def write(items: Sequence[Segment], folder: Path) -> None:
    """Write a data folder: segments, text, utt2spk, spk2utt; utt2lang and reco2file_and_channel where they say anything.

    Args:
        items: Segments with times, or one without times a recording; all of them with a channel, or none.
        folder: Where to; a folder that is there already may hold nothing but these files.

    Raises:
        InputError: A name has a blank, an id comes twice, a text has a line end, or the items are of several kinds.
    """
    writer = Writer(folder)
    for what, has in (("times", "start_time"), ("channel", "channel")):
        if len({getattr(item, has) is None for item in items}) > 1:
            writer.fault(None, what, "some with and some without", "all with or all without", "Write them apart.")
    tables: dict[str, dict[str, str]] = {name: {} for name in _WRITTEN}
    for entry, item in enumerate(items, 1):
        _add(writer, entry, item, tables)
    writer.check()
    own: dict[str, list[str]] = {}
    for name in sorted(tables["utt2spk"], key=str.encode):
        own.setdefault(tables["utt2spk"][name], []).append(name)
    tables["spk2utt"] = {speaker: " ".join(names) for speaker, names in own.items()}
    write_folder(folder, {name: _lines(table) for name, table in tables.items() if table or name == "text"}, _WRITTEN)


def _add(writer: Writer, entry: int, item: Segment, tables: Mapping[str, dict[str, str]]) -> None:
    """One item in all tables."""
    session = writer.token(entry, "session_id", item.session_id)
    made = _made(item, entry, tables["text"])
    name = made if item.segment_id is None else writer.token(entry, "segment_id", item.segment_id)
    speaker = name if item.speaker is None else writer.token(entry, "speaker", item.speaker)
    recording = session
    if item.channel is not None:
        recording = f"{session}-{writer.token(entry, 'channel', item.channel)}"
        tables["reco2file_and_channel"][recording] = f"{session} {item.channel}"
    if item.start_time is not None:
        start, end = writer.span(entry, item.start_time, item.end_time)
        tables["segments"][name] = f"{recording} {start} {end}"
    elif item.segment_id not in (None, recording):
        writer.fault(entry, "segment_id", shown(item.segment_id), f"{shown(recording)}: without times it is the recording")
    if name in tables["text"]:
        writer.fault(entry, "segment_id", shown(name), "an id of its own")
    tables["text"][name] = writer.line(entry, "words", item.words)
    tables["utt2spk"][name] = speaker
    if item.language is not None:
        tables["utt2lang"][name] = writer.token(entry, "language", item.language)


def _made(item: Segment, entry: int, taken: Mapping[str, str]) -> str:
    """An id that begins with the speaker, as Kaldi wants it for sorting."""
    if item.start_time is None or item.end_time is None:
        return item.session_id if item.channel is None else f"{item.session_id}-{item.channel}"
    name = f"{item.session_id}-{round(item.start_time * 100):07d}-{round(item.end_time * 100):07d}"
    name = name if item.speaker is None else f"{item.speaker}-{name}"
    return f"{name}-{entry}" if name in taken else name


def _lines(table: Mapping[str, str]) -> str:
    rows = sorted(table.items(), key=lambda row: row[0].encode())
    return "".join(f"{key} {value}\n" if value else f"{key}\n" for key, value in rows)


def _sniff(head: str, path: Path) -> bool:
    if not path.is_dir():
        return False
    names = {name for name in _TABLES if (path / name).is_file()}
    return bool(names & {"utt2spk", "segments", "spk2utt"}) and bool(names & {"text", "segments", "wav.scp"}) and len(names) > 1


FORMAT = Format(
    name="kaldi",
    title="Kaldi: a data folder",
    item=Segment,
    suffixes=(".kaldi",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The order, role, confidence and further forms; a missing segment id is made, a missing speaker becomes the utterance.",
    folder=True,
    follows_paths=True,
)

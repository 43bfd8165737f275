"""A data folder of Kaldi: segments, text, utt2spk, spk2utt, utt2lang, wav.scp, reco2dur.

Kaldi knows a speaker by name in every recording, so a speaker is called ``RECORDING-LABEL`` here, and utterances get ids that
begin so. ``wav.scp`` has absolute paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from parakh import formats
from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options, audio_of, final
from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.formats._text import shown
from parakh.types import Segment


def write(contents: Sequence[Content], folder: Path, options: Options) -> None:
    """Write the folder.

    Raises:
        InputError: A name has a blank, or some segments have times and some have none.
    """
    blanks = [content.session_id for content in contents if content.session_id.split() != [content.session_id]]
    if blanks:
        raise InputError(
            Fault(str(options.final), "session_id", shown(name), "an id without blanks, as Kaldi wants it", "Rename it.")
            for name in blanks
        )
    formats.get("kaldi").write([one for content in contents for one in _utterances(content)], folder)
    audio = {}
    for content in contents:
        path = audio_of(content, options, folder / "audio" / content.session_id)
        if path is not None:
            audio[content.session_id] = str(final(path, folder, options))
    seconds = {content.session_id: content.entry.recording.duration for content in contents}
    _table(folder / "wav.scp", audio)
    _table(folder / "reco2dur", {name: repr(value) for name, value in seconds.items() if value is not None})


def _utterances(content: Content) -> list[Segment]:
    language = content.entry.recording.language
    name = content.session_id
    return [
        replace(
            one,
            speaker=f"{name}-{one.speaker}" if one.speaker else None,
            language=one.language or language,
            segment_id=None,
            channel=None,
        )
        for one in content.spoken
    ]


def _table(path: Path, values: dict[str, str]) -> None:
    if values:
        rows = sorted(values.items(), key=lambda row: row[0].encode())
        write_atomic(path, "".join(f"{key} {value}\n" for key, value in rows))


EXPORTER = Exporter(
    name="kaldi",
    title="A data folder of Kaldi: segments, text, utt2spk, wav.scp",
    write=write,
    holds=frozenset(
        {"turns", "transcript", "audio", "language", "duration", "segment.start_time", "segment.speaker", "segment.language"}
    ),
    audio=("refer", "link", "copy", "none"),
    loses="Splits, roles, segment ids, metadata, what is known of speakers, topics, summaries, second forms, scored regions.",
)

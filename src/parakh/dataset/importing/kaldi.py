"""A data folder of Kaldi: what its tables say of utterances, and the audio that ``wav.scp`` names.

Audio is taken from plain paths, relative to the folder or to one above it. A command (``sox ... |``) is never run: the
recording comes without audio, and it is told. ``reco2dur`` gives durations, ``spk2gender`` the sex of speakers. The recordings
of ``reco2file_and_channel`` are channels of one session. Speakers that all are called ``RECORDING-LABEL``, as the exporter calls
them because Kaldi knows a speaker by name in every recording, are ``LABEL``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from parakh import formats
from parakh.dataset.importing._folders import unused, walk
from parakh.dataset.importing._importer import Importer, Listing, Options
from parakh.dataset.importing._sessions import Known, audio_path, command_note, pairs, recordings
from parakh.dataset.importing._words import sex
from parakh.errors import Fault, InputError
from parakh.formats._text import number, shown
from parakh.types import Segment

TABLES = ("segments", "text", "utt2spk", "spk2utt", "utt2lang", "reco2file_and_channel", "reco2dur", "utt2dur", "wav.scp")
_GENDER = "spk2gender"


def fits(source: Path) -> bool:
    """Whether a folder is such a data folder."""
    return source.is_dir() and formats.get("kaldi").sniff("", source)


def find(source: Path, options: Options) -> Listing:
    """The sessions of the folder, the utterances of each in order of time: Kaldi sorts them by id."""
    if not source.is_dir():
        raise InputError(Fault(str(source), "", "a file", "a data folder of Kaldi"))
    segments = formats.get("kaldi").read(source)
    known: dict[str, Known] = {}
    sessions = {key: value.split()[0] for _, key, value in _table(source, "reco2file_and_channel") if value}
    faults = _audio(source, sessions, known)
    for line, key, value in _table(source, "reco2dur"):
        seconds = number(value)
        if not seconds:
            faults.append(Fault(str(source / "reco2dur"), "duration", shown(value), "seconds > 0", line=line))
        known.setdefault(sessions.get(key, key), Known()).duration = seconds
    genders = {key: sex(value) or "" for _, key, value in _table(source, _GENDER)}
    for segment in segments.items:
        if segment.speaker in genders:
            known.setdefault(segment.session_id, Known()).sexes[segment.speaker] = genders[segment.speaker]
    for name, about in known.items():
        about.sexes = {label.removeprefix(f"{name}-"): value for label, value in about.sexes.items()}
    ordered = sorted(_labelled(segments.items), key=lambda one: (one.start_time or 0.0, one.end_time or 0.0))
    found = recordings(ordered, known, source / "segments")
    files = walk(source, options.without)
    used = [*(source / name for name in (*TABLES, _GENDER)), *(one.audio for one in known.values() if one.audio)]
    return Listing(found, len(found), faults, [*segments.findings, *unused(files, used, source)])


def _labelled(segments: Sequence[Segment]) -> list[Segment]:
    """Segments under the labels that their speakers have within the recording."""
    others = {one.session_id for one in segments if one.speaker and not one.speaker.startswith(f"{one.session_id}-")}
    return [
        one
        if one.session_id in others or one.speaker is None
        else replace(one, speaker=one.speaker.removeprefix(f"{one.session_id}-"))
        for one in segments
    ]


def _table(source: Path, name: str) -> list[tuple[int, str, str]]:
    return list(pairs(source / name)) if (source / name).is_file() else []


def _audio(source: Path, sessions: dict[str, str], known: dict[str, Known]) -> list[Fault]:
    """The audio of each session; a second file of a session is a fault, as one of the two would be lost."""
    faults = []
    for line, key, value in _table(source, "wav.scp"):
        session = sessions.get(key, key)
        about = known.setdefault(session, Known())
        if value.endswith("|"):
            about.notes.append(command_note(session, value, source / "wav.scp", line))
            continue
        path = audio_path(value, source)
        if about.audio not in (None, path):
            expected = f"one audio file a recording ({about.audio} is another)"
            faults.append(Fault(str(source / "wav.scp"), "audio", shown(value), expected, "Mix the channels first.", line))
        about.audio = path
    return faults


IMPORTER = Importer(
    name="kaldi",
    title="A data folder of Kaldi: segments, text, utt2spk, wav.scp",
    fits=fits,
    find=find,
    loses="Features and other tables, which are named; commands in wav.scp, which are never run.",
)

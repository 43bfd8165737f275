"""From what a source has of a recording to what a data set holds of it: labels, ids, speakers, turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from parakh.dataset.content import Content
from parakh.dataset.importing._importer import Arrival, Options
from parakh.errors import Fault, InputError
from parakh.formats._text import shown
from parakh.types import Finding, Segment, Severity, Speaker


def shaped(arrival: Arrival, options: Options) -> tuple[Content, list[Finding]]:
    """The content of a recording as the data set's files can hold it, and what was changed for it.

    Speaker labels lose their blanks, which RTTM cannot hold; segments without an id get one; turns are taken from a
    transcript with speakers and times where there are none; every label gets its speaker.

    Raises:
        InputError: Two labels become one.
    """
    content = arrival.content
    notes = list(arrival.notes)
    names = _labels(arrival)
    for old, new in names.items():
        if old != new:
            what = f"speaker {shown(old)} is called {shown(new)}: RTTM holds no name with a blank"
            notes.append(Finding("renamed-speaker", what, Severity.NOTE, content.session_id, str(arrival.path)))
    transcript = _named(_identified(content.transcript), names)
    turns = _named(content.turns, names)
    if turns is None and transcript:
        turns = _turns(transcript)
        if turns is None and any(one.start_time is not None for one in transcript):
            what = "no turns were made of the transcript: it has segments without a speaker or times"
            notes.append(Finding("no-turns", what, Severity.NOTE, content.session_id, str(arrival.path)))
    if turns is not None:
        turns = tuple(_bare(turn) for turn in turns)
    recording = content.entry.recording
    entry = replace(
        content.entry,
        recording=replace(recording, language=recording.language or options.language),
        speakers=_speakers(content, names),
        split=options.split or content.entry.split,
    )
    native = _named(_identified(content.native), names)
    return replace(content, entry=entry, turns=turns, transcript=transcript, native=native), notes


def _labels(arrival: Arrival) -> dict[str, str]:
    """Every speaker label with the one it gets."""
    content = arrival.content
    labels = [one.speaker for one in content.entry.speakers]
    for segments in (content.turns, content.transcript, content.native):
        labels += [segment.speaker for segment in segments or () if segment.speaker is not None]
    names = {label: "_".join(label.split()) or label for label in labels}
    owner: dict[str, str] = {}
    for old, new in names.items():
        if owner.setdefault(new, old) != old:
            expected = f"a label other than {shown(owner[new])} when its blanks are replaced"
            raise InputError(Fault(str(arrival.path), "speaker", shown(old), expected, "Rename one of the two."))
    return names


def _bare(turn: Segment) -> Segment:
    """A segment as RTTM holds it."""
    return Segment(
        turn.session_id, turn.speaker, turn.start_time, turn.end_time, channel=turn.channel, confidence=turn.confidence
    )


def _named(segments: Sequence[Segment] | None, names: dict[str, str]) -> tuple[Segment, ...] | None:
    if segments is None or all(old == new for old, new in names.items()):
        return None if segments is None else tuple(segments)
    return tuple(replace(one, speaker=names.get(one.speaker, one.speaker) if one.speaker else one.speaker) for one in segments)


def _identified(segments: Sequence[Segment] | None) -> tuple[Segment, ...] | None:
    if segments is None or all(one.segment_id for one in segments):
        return None if segments is None else tuple(segments)
    return tuple(
        one if one.segment_id else replace(one, segment_id=f"{one.session_id}_{number:04d}")
        for number, one in enumerate(segments, 1)
    )


def _turns(transcript: Iterable[Segment]) -> tuple[Segment, ...] | None:
    turns = tuple(transcript)
    return turns if all(one.speaker is not None and one.start_time is not None for one in turns) else None


def _speakers(content: Content, names: dict[str, str]) -> tuple[Speaker, ...]:
    """What the source knows of its speakers, and a row for each label that it knows nothing of but its role."""
    known = {one.speaker: one for one in content.entry.speakers}
    roles: dict[str, set[str]] = {}
    for segments in (content.turns, content.transcript, content.native):
        for segment in segments or ():
            if segment.speaker is not None and segment.role:
                roles.setdefault(segment.speaker, set()).add(segment.role)
    speakers = []
    for old, new in names.items():
        one = known.get(old, Speaker(content.session_id, old))
        role = next(iter(roles[old])) if len(roles.get(old, ())) == 1 else None
        speakers.append(replace(one, session_id=content.session_id, speaker=new, role=one.role or role))
    return tuple(sorted(speakers, key=lambda one: one.speaker))

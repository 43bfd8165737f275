"""One fault for each check, planted into a copy of the clean data set of ``tests/planted.py``."""

from __future__ import annotations

import wave
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from parakh.types import Segment
from tests.planted import TAGGED, WHOLE, Copy, write_wav

ONE, OTHER, KANNADA = "hi_child_02a", "hi_elder_03b", "kn_fever_04a"
"""Recordings that faults are planted into; those with another one are named there."""

Place = tuple[str, int | None]
"""File, relative to the data set's folder, and line."""


Plant = Callable[[Copy], Place | list[Place]]


@dataclass(frozen=True)
class Planting:
    """How a fault is planted.

    Args:
        plant: Puts it into a copy, and says in which place or places it is to be found.
        sealed: Whether the checksums of the manifest follow the change.
        audio: How closely audio is looked at.
    """

    plant: Plant
    sealed: bool = True
    audio: str = "full"


PLANTINGS: dict[str, Planting] = {}


def planting(code: str, *, sealed: bool = True, audio: str = "full") -> Callable[[Plant], Plant]:
    """Enter a planting under the code of its check."""

    def enter(plant: Plant) -> Plant:
        PLANTINGS[code] = Planting(plant, sealed, audio)
        return plant

    return enter


def rttm(session: str) -> str:
    return f"rttm/{session}.rttm"


def transcript(session: str) -> str:
    return f"transcripts/{session}.txt"


def native(session: str) -> str:
    return f"native/{session}.txt"


def at(index: int, **changes: object) -> Callable[[list[Segment]], list[Segment]]:
    """A change of one segment."""
    return lambda segments: [replace(one, **changes) if place == index else one for place, one in enumerate(segments)]


def place_of(copy: Copy, session: str, start: str) -> int:
    """Index of the segment of a transcript that starts then; the files have no header."""
    return [line.split("\t")[4] for line in copy.lines(transcript(session))].index(start)


# ------------------------------------------------------------------------------------------------ format and completeness


@planting("QC130")
def unreadable_file(copy: Copy) -> Place:
    lines = copy.lines(rttm(ONE))
    lines[2] = " ".join(lines[2].split()[:4])
    copy.write(rttm(ONE), lines)
    return rttm(ONE), 3


@planting("QC131")
def reader_notice(copy: Copy) -> Place:
    lines = copy.lines(rttm(ONE))
    copy.write(rttm(ONE), [*lines, f"NOSCORE {ONE} 1 1.000 1.000 <NA> <NA> <NA> <NA>"])
    return rttm(ONE), len(lines) + 1


@planting("QC132")
def orphan_file(copy: Copy) -> Place:
    copy.write("rttm/old_visit.rttm", copy.lines(rttm(ONE)))
    return "rttm/old_visit.rttm", None


@planting("QC133")
def missing_file(copy: Copy) -> Place:
    (copy.root / "uem" / f"{ONE}.uem").unlink()
    return "recordings.jsonl", 2


@planting("QC134")
def duplicate_audio(copy: Copy) -> Place:
    """A recording once more, with its words in another order."""
    copy.doubled(ONE, "hi_child_05")
    copy.segments("hi_child_05", lambda own: [replace(one, words=" ".join(reversed(one.words.split()))) for one in own])
    return "audio/hi_child_05.wav", None


@planting("QC135")
def duplicate_transcript(copy: Copy) -> Place:
    """A recording once more, a little softer."""
    copy.doubled(ONE, "hi_child_05")
    path = copy.root / "audio" / "hi_child_05.wav"
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
    path.unlink()
    write_wav(path, samples * 0.9)
    return transcript("hi_child_05"), None


@planting("QC136")
def repeated_segment(copy: Copy) -> Place:
    lines = copy.lines(rttm(ONE))
    copy.write(rttm(ONE), [*lines, lines[4].replace("<NA> <NA>\n", "").rsplit(" ", 2)[0] + " 0.9 <NA>"])
    return rttm(ONE), len(lines) + 1


@planting("QC137")
def empty_annotation(copy: Copy) -> Place:
    copy.write(f"uem/{ONE}.uem", [])
    return f"uem/{ONE}.uem", None


# ------------------------------------------------------------------------------------------------------------ consistency


@planting("QC201")
def metadata_missing(copy: Copy) -> Place:
    return "metadata.csv", copy.cell(ONE, "", "district", "")


@planting("QC202")
def metadata_not_in_vocabulary(copy: Copy) -> Place:
    return "metadata.csv", copy.cell(ONE, "spk1", "sex", "female")


@planting("QC203")
def role_not_as_declared(copy: Copy) -> Place:
    copy.cell(OTHER, "spk1", "role", "other")
    return transcript(OTHER), [line.split("\t")[2] for line in copy.lines(transcript(OTHER))].index("spk1") + 1


@planting("QC204")
def speaker_not_declared(copy: Copy) -> Place:
    rows = copy.rows()
    copy.table([*rows, {**rows[-1], "speaker": "spk9", "person": "p99", "role": "other"}])
    return "metadata.csv", len(rows) + 2


@planting("QC205")
def speaker_name_variants(copy: Copy) -> Place:
    copy.turns(ONE, at(0, speaker="SPK_0"))
    return rttm(ONE), 1


@planting("QC206")
def language_not_as_declared(copy: Copy) -> Place:
    copy.entry(KANNADA, lambda entry: entry.update(language="ta"))
    return native(KANNADA), None


# ------------------------------------------------------------------------------------------------------ overlap and pauses


@planting("QC401")
def overlap_density(copy: Copy) -> Place:
    """Every turn of one speaker goes on until shortly before the speaker's next one."""

    def longer(own: list[Segment]) -> list[Segment]:
        starts = [one.start_time for one in own if one.speaker == "spk0"]
        ends = {one: later - 0.35 for one, later in pairwise(starts)}
        return [replace(one, end_time=round(max(one.end_time, ends.get(one.start_time, 0)), 3)) for one in own]

    copy.turns(OTHER, longer)
    copy.segments(OTHER, longer)
    return rttm(OTHER), None


@planting("QC402")
def self_overlap(copy: Copy) -> Place:
    """The second of three turns that the transcript has as one begins before the first has ended."""
    copy.turns(ONE, at(2, start_time=5.600))
    return rttm(ONE), 3


@planting("QC403")
def split_turn(copy: Copy) -> Place:
    """The pause of 0.31 s shrinks by 0.02 s."""
    copy.turns(ONE, at(2, start_time=5.949))
    return rttm(ONE), 3


@planting("QC404")
def implausible_speaking_rate(copy: Copy) -> Place:
    copy.segments(ONE, lambda own: at(0, words=" ".join([own[0].words] * 3))(own))
    return transcript(ONE), 1


@planting("QC405")
def overlap_tag_without_overlap(copy: Copy) -> Place:
    place = place_of(copy, TAGGED, "16.393")
    copy.segments(TAGGED, lambda own: at(place, words=f"<overlap> {own[place].words}")(own))
    return transcript(TAGGED), place + 1


@planting("QC406")
def unlabelled_overlap(copy: Copy) -> Place:
    place = place_of(copy, TAGGED, "21.847")
    copy.segments(TAGGED, lambda own: at(place, words=own[place].words.removeprefix("<overlap> "))(own))
    return transcript(TAGGED), place + 1


@planting("QC407")
def tiny_segment(copy: Copy) -> Place:
    """A turn of 50 ms inside a long one of somebody else."""
    copy.turns(WHOLE, lambda own: [*own, Segment(WHOLE, "spk1", 36.000, 36.050, channel="1")])
    return rttm(WHOLE), 29


@planting("QC408")
def giant_segment(copy: Copy) -> list[Place]:
    """All that is said in the first half minute is one segment."""

    def joined(own: list[Segment]) -> list[Segment]:
        inside = [one for one in own if one.start_time < 31]
        whole = replace(inside[0], end_time=inside[-1].end_time, words=" ".join(one.words for one in inside if one.words))
        return [whole, *(one for one in own if one not in inside)]

    copy.turns(WHOLE, joined)
    copy.segments(WHOLE, joined)
    return [(rttm(WHOLE), 1), (transcript(WHOLE), 1)]


@planting("QC409", audio="header")
def long_gap(copy: Copy) -> Place:
    """Nothing is annotated for half a minute."""

    def emptied(own: list[Segment]) -> list[Segment]:
        return [one for one in own if not 17 < one.start_time < 50]

    copy.turns(WHOLE, emptied)
    copy.segments(WHOLE, emptied)
    return rttm(WHOLE), 8


# ---------------------------------------------------------------------------------------------------------------- release


@planting("QC501")
def annotations_disagree(copy: Copy) -> Place:
    """A segment is missing in both forms of the transcript."""
    copy.segments(WHOLE, lambda own: [one for one in own if one.start_time != 62.23])
    return rttm(WHOLE), 24


@planting("QC502")
def duration_mismatch(copy: Copy) -> Place:
    return "recordings.jsonl", copy.entry(ONE, lambda entry: entry.update(duration=entry["duration"] - 0.5))


@planting("QC503")
def role_speaker_bijection(copy: Copy) -> Place:
    copy.segments(ONE, at(3, role="other"))
    return transcript(ONE), 4


@planting("QC504")
def speaker_leakage(copy: Copy) -> Place:
    return "metadata.csv", copy.cell(WHOLE, "spk1", "person", "p11")


@planting("QC505")
def consent_missing(copy: Copy) -> Place:
    return "metadata.csv", copy.cell(ONE, "spk1", "consent", "")


@planting("QC506")
def licence_conflict(copy: Copy) -> Place:
    return "metadata.csv", copy.cell(ONE, "", "licence", "CC-BY-NC-4.0")


@planting("QC507", sealed=False)
def checksum_mismatch(copy: Copy) -> Place:
    copy.write(rttm(ONE), [*copy.lines(rttm(ONE)), ";; changed"])
    return rttm(ONE), None


@planting("QC508")
def split_missing(copy: Copy) -> Place:
    return "recordings.jsonl", copy.entry(ONE, lambda entry: entry.pop("split"))


@planting("QC509")
def topics_missing(copy: Copy) -> Place:
    copy.write("topics.csv", [line for line in copy.lines("topics.csv") if not line.startswith(ONE)])
    return "topics.csv", None


@planting("QC510")
def summary_missing(copy: Copy) -> Place:
    copy.write("summaries.csv", [line for line in copy.lines("summaries.csv") if not line.startswith(ONE)])
    return "summaries.csv", None

"""Cutting the scores by what is known of recordings and speakers: language, environment, role, sex, overlap ...

A field is looked for in this order; the first that knows it decides:

1. the manifest of recordings (``language``, ``duration`` and any further field): whole recordings fall under its value; a
   list (``["fever", "cough"]``) puts a recording under each of its values;
2. the reference itself: ``overlap`` (share of the speech in which two or more speak), ``speakers`` (how many);
3. the speakers: ``role``, ``speaker`` and ``language`` of a segment, and any field that the manifest's ``speakers`` object
   knows of a speaker (``{"speakers": {"asha": {"sex": "f", "age": "40-49"}}}``). Words fall under the value of the segment
   that they belong to, as the metric aligned them, so this works for metrics with an alignment. An inserted word belongs
   to the reference word before it (else the one after it) of the same speaker; words of a speaker who stands for nobody
   are under "nobody".

Numbers are cut at edges: ``snr:0,10,20`` gives "< 0", "0 to 10", "10 to 20" and ">= 20".
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parakh.errors import Fault, InputError
from parakh.metrics import der
from parakh.results import Stats, ratio
from parakh.selection import spoken
from parakh.types import AlignedWord, Op, Recording, Segment

UNKNOWN = "unknown"
NOBODY = "nobody"
_FROM_REFERENCE = ("overlap", "speakers")
_FROM_SEGMENTS = ("role", "speaker", "language")
_USUAL_EDGES = {"overlap": (0.05, 0.1, 0.2, 0.3), "duration": (300.0, 600.0, 1200.0, 1800.0)}


@dataclass(frozen=True)
class Cut:
    """One field to cut by.

    Args:
        field: Its name.
        edges: Where numbers are cut, ascending; empty takes every value for itself.
        by_segment: Whether the value belongs to the segments of a recording and not to the whole of it.
    """

    field: str
    edges: tuple[float, ...] = ()
    by_segment: bool = False

    def name(self, value: str) -> str:
        """The slice that a value falls into.

        Raises:
            InputError: There are edges, and the value is no number.

        >>> Cut("snr", (0.0, 10.0)).name("4.5")
        '0 to 10'
        """
        if not self.edges or value == UNKNOWN:
            return value
        try:
            number = float(value)
        except ValueError:
            raise InputError(Fault("--slice", self.field, repr(value), "a number, as it is cut at edges")) from None
        return self.names()[sum(number >= edge for edge in self.edges)]

    def names(self) -> list[str]:
        """The slices between the edges, in order; empty without edges."""
        if not self.edges:
            return []
        between = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(self.edges)]
        return [f"< {self.edges[0]:g}", *between, f">= {self.edges[-1]:g}"]

    def in_order(self, values: Sequence[str]) -> list[str]:
        """Slices as a table lists them: by edges, numbers by size, then names; what is not known comes last."""
        known = self.names()

        def place(value: str) -> tuple[object, ...]:
            order = known.index(value) if value in known else 0
            return value in {UNKNOWN, NOBODY}, order, *_numeric_first(value)

        return sorted(values, key=place)


def cut(text: str, recordings: Sequence[Recording], reference: Sequence[object]) -> Cut:
    """What an option names, found in the manifest, the reference or the segments.

    Args:
        text: ``field`` or ``field:edge,edge,...``.
        recordings: The manifest; may be empty.
        reference: The reference items of the track.

    Raises:
        InputError: Nobody knows the field, or the edges are not ascending numbers.

    >>> cut("role", [], [Segment("v1", "a", 0.0, 1.0, "जी", role="health_worker")]).by_segment
    True
    """
    field, colon, given = text.partition(":")
    edges = _edges(text, given) if colon else _USUAL_EDGES.get(field, ())
    segments = [item for item in reference if isinstance(item, Segment)]
    if any(manifest_value(recording, field) for recording in recordings):
        return Cut(field, edges)
    if segments and field in _FROM_REFERENCE:
        return Cut(field, edges)
    if any(getattr(segment, field) is not None for segment in segments if field in _FROM_SEGMENTS):
        return Cut(field, edges, by_segment=True)
    if segments and any(field in _plain_object(known) for recording in recordings for known in _speakers(recording).values()):
        return Cut(field, edges, by_segment=True)
    raise InputError(Fault("--slice", "", repr(field), _expected(_every(recordings, segments))))


def group_values(asked_by: str, field: str, recordings: Mapping[str, Recording | None]) -> list[str]:
    """The value of a manifest field of each recording, to draw or keep recordings together by.

    Args:
        asked_by: The option, for messages.
        field: The field.
        recordings: What the manifest knows of each recording that is scored, by id.

    Raises:
        InputError: The manifest does not know the field, or not of every recording.
    """
    known = [recording for recording in recordings.values() if recording is not None]
    if not any(manifest_value(recording, field) for recording in known):
        raise InputError(Fault(asked_by, "", repr(field), _expected(_manifest_fields(known))))
    values = {name: manifest_value(recording, field) if recording else None for name, recording in recordings.items()}
    lacking = [name for name, value in values.items() if value is None]
    if lacking:
        raise InputError(Fault("--metadata", field, f"nothing for {name}", f"its {field}, for {asked_by}") for name in lacking)
    return [str(value) for value in values.values()]


def recording_values(cut: Cut, recording: Recording | None, reference: Sequence[object]) -> list[str]:
    """The slices that a whole recording falls into; each once.

    >>> recording_values(Cut("topics"), Recording("v1", metadata={"topics": '["fever", "cough"]'}), [])
    ['fever', 'cough']
    """
    value = manifest_value(recording, cut.field) if recording else None
    if value is None and cut.field in _FROM_REFERENCE:
        value = _from_reference(cut.field, reference)
    return list(dict.fromkeys(cut.name(one) for one in _several(value or UNKNOWN))) or [UNKNOWN]


def slice_values(cut: Cut, recording: Recording | None, reference: Sequence[object]) -> list[str]:
    """The slices that a recording falls into as a whole, or by what is said in it; each once.

    >>> said = [Segment("v1", "a", 0.0, 1.0, "जी", role="guest"), Segment("v1", "b", 1.0, 2.0, "हाँ", role="host")]
    >>> slice_values(Cut("role", by_segment=True), None, said)
    ['guest', 'host']
    """
    if not cut.by_segment:
        return recording_values(cut, recording, reference)
    said = [item for item in reference if isinstance(item, Segment) and item.words]
    return list(dict.fromkeys(_segment_value(cut, recording, segment) for segment in said))


def segment_stats(
    cut: Cut, recording: Recording | None, reference: Sequence[Segment], alignment: Sequence[AlignedWord]
) -> dict[str, Stats]:
    """The counts of an alignment, cut by a field of the reference segments.

    Args:
        cut: The field.
        recording: What the manifest knows of the recording and its speakers.
        reference: The segments that the alignment's indices point into.
        alignment: The steps of a metric's alignment, one pair of speakers after the other.

    Returns:
        Of each slice ``errors``, ``length``, ``substitutions``, ``deletions``, ``insertions`` and ``hits``; they sum to
        those of the whole alignment.
    """
    values = [_segment_value(cut, recording, segment) for segment in reference]
    counts: dict[str, dict[str, int]] = {}
    for step, owner in zip(alignment, _owners(alignment), strict=True):
        value = NOBODY if owner is None else values[owner]
        tally = counts.setdefault(value, dict.fromkeys(("errors", "length", *_TALLY.values()), 0))
        tally[_TALLY[step.op]] += 1
        tally["errors"] += step.op is not Op.MATCH
        tally["length"] += step.op is not Op.INSERTION
    return {value: Stats(tally) for value, tally in counts.items()}


_TALLY = {Op.MATCH: "hits", Op.SUBSTITUTION: "substitutions", Op.DELETION: "deletions", Op.INSERTION: "insertions"}


def _owners(alignment: Sequence[AlignedWord]) -> list[int | None]:
    """The reference segment that each step belongs to; None for the words of a speaker who stands for nobody."""
    both = (step for step in alignment if step.op in {Op.MATCH, Op.SUBSTITUTION})
    partner = {step.hypothesis_speaker: step.reference_speaker for step in both}
    owners: list[int | None] = [step.reference_segment for step in alignment]
    for order in (range(len(alignment)), range(len(alignment) - 1, -1, -1)):
        last: dict[str | None, int] = {}
        for k in order:
            step, owner = alignment[k], owners[k]
            speaker = partner.get(step.hypothesis_speaker) if step.op is Op.INSERTION else step.reference_speaker
            if owner is not None:
                last[speaker] = owner
            elif step.hypothesis_speaker in partner:
                owners[k] = last.get(speaker)
    return owners


def _numeric_first(value: str) -> tuple[int, float, str]:
    try:
        return 0, float(value), value
    except ValueError:
        return 1, 0.0, value


def _edges(text: str, given: str) -> tuple[float, ...]:
    try:
        edges = tuple(float(edge) for edge in given.split(","))
    except ValueError:
        edges = ()
    if not edges or not all(map(math.isfinite, edges)) or any(low >= high for low, high in itertools.pairwise(edges)):
        raise InputError(Fault("--slice", "", repr(text), "FIELD:EDGE,EDGE,... with ascending numbers"))
    return edges


def manifest_value(recording: Recording, field: str) -> str | None:
    """What the manifest says of a recording; None if nothing.

    >>> manifest_value(Recording("v1", duration=60.0), "duration")
    '60.0'
    """
    if field == "language":
        return recording.language
    if field == "duration":
        return None if recording.duration is None else repr(recording.duration)
    return None if field == "speakers" and _speakers(recording) else recording.metadata.get(field)


def _several(value: str) -> list[str]:
    """The elements of a value that is a list, else the value itself."""
    if not value.startswith("["):
        return [value]
    try:
        elements = json.loads(value)
    except ValueError:
        return [value]
    return [element if isinstance(element, str) else json.dumps(element, ensure_ascii=False) for element in elements]


def overlap(reference: Sequence[object]) -> float | None:
    """The share of the speech of a recording in which two or more speak.

    Args:
        reference: The reference items of a recording.

    Returns:
        Overlapped speech by speech, 0 to 1; None without speech, and where a segment has no speaker or no time.

    >>> overlap([Segment("v1", "a", 0.0, 6.0), Segment("v1", "b", 4.0, 8.0)])
    0.25
    """
    segments = spoken([item for item in reference if isinstance(item, Segment)])
    if not segments or any(None in (one.start_time, one.end_time, one.speaker) for one in segments):
        return None
    heard = der.stats(segments, [])
    return ratio(heard["overlap"], heard["speech"])


def _from_reference(field: str, reference: Sequence[object]) -> str | None:
    if field == "speakers":
        return str(len({item.speaker for item in spoken([item for item in reference if isinstance(item, Segment)])}))
    share = overlap(reference)
    return None if share is None else repr(share)


def _segment_value(cut: Cut, recording: Recording | None, segment: Segment) -> str:
    value = getattr(segment, cut.field) if cut.field in _FROM_SEGMENTS else None
    if value is None and recording is not None:
        of_speaker = _plain_object(_speakers(recording).get(segment.speaker or ""))
        value = of_speaker.get(cut.field)
    return cut.name(value if isinstance(value, str) else UNKNOWN if value is None else json.dumps(value, ensure_ascii=False))


def _speakers(recording: Recording) -> Mapping[str, object]:
    """The manifest's ``speakers`` object of a recording; empty where there is none."""
    try:
        return _plain_object(json.loads(recording.metadata.get("speakers", "{}")))
    except ValueError:
        return {}


def _plain_object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _every(recordings: Sequence[Recording], segments: Sequence[Segment]) -> list[str]:
    """Every field that could be asked for."""
    names = set(_manifest_fields(recordings))
    names |= {name for recording in recordings for one in _speakers(recording).values() for name in _plain_object(one)}
    names |= {name for name in _FROM_SEGMENTS if any(getattr(segment, name) is not None for segment in segments)}
    return sorted(names | (set(_FROM_REFERENCE) if segments else set()))


def _manifest_fields(recordings: Sequence[Recording]) -> list[str]:
    """Every field of whole recordings."""
    names = {name for recording in recordings for name in recording.metadata}
    names |= {name for name in ("language", "duration") if any(manifest_value(recording, name) for recording in recordings)}
    return sorted(name for name in names if any(manifest_value(recording, name) for recording in recordings))


def _expected(fields: Sequence[str]) -> str:
    if fields:
        return f"a field that is known: {', '.join(fields)}"
    return "a field that the manifest (--metadata) knows of a recording that is scored; it knows none"

"""What is scored: which recordings, and which part of each.

Missing recordings cost all they hold, extra ones are listed and not scored, a scoring region (UEM) keeps whole
every utterance that it overlaps, and words inside an ignored stretch do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar
from unicodedata import normalize

from parakh.errors import Fault, InputError
from parakh.results import Unscored
from parakh.types import Finding, Region, Segment, Severity, Summary, Topics

Answer = TypeVar("Answer", bound=Topics | Summary)

IGNORE_MARK = "IGNORE_TIME_SEGMENT_IN_SCORING"
"""``segment_id`` of a reference segment that marks a stretch in which nothing is scored (NIST STM)."""


def by_session(items: Iterable[Any]) -> dict[str, list[Any]]:
    """Items by the recording they belong to, in the order given.

    >>> sorted(by_session([Topics("v2"), Topics("v1")]))
    ['v1', 'v2']
    """
    groups: dict[str, list[Any]] = {}
    for session_id, together in groupby(items, key=attrgetter("session_id")):
        groups.setdefault(session_id, []).extend(together)
    return groups


@dataclass(frozen=True)
class Selection:
    """Which recordings are scored.

    Args:
        ids: Session ids that are scored, sorted.
        unscored: Those that are not, with the reason.
        findings: Missing and extra recordings, each named.
    """

    ids: tuple[str, ...]
    unscored: tuple[Unscored, ...]
    findings: tuple[Finding, ...]


def select_recordings(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    regions: Iterable[str] | None = None,
    *,
    skip_missing: bool = False,
) -> Selection:
    """Decide which session ids are scored.

    A recording counts when the reference has it; with regions, when the regions name it and the reference or
    the hypothesis has it (a reference without speech has no line of its own in RTTM).

    Args:
        reference: Session ids of the reference.
        hypothesis: Session ids of the hypothesis.
        regions: Session ids of the UEM; None when there is none.
        skip_missing: Leave out recordings that the hypothesis lacks instead of charging them.

    Raises:
        InputError: The two sides have no recording in common.

    >>> select_recordings(["v1", "v2"], ["v1", "v3"]).ids
    ('v1', 'v2')
    """
    ref, hyp = set(reference), set(hypothesis)
    uem = set(regions) if regions is not None else None
    known = ref if uem is None else uem & (ref | hyp)
    if not known or (hyp and not known & hyp):
        raise InputError(_nothing_in_common(ref, hyp, uem))
    missing = sorted(known - hyp)
    unscored = [Unscored(one, "the UEM does not name it") for one in sorted(ref - known)]
    if skip_missing:
        unscored += [Unscored(one, "missing from the hypothesis, left out on request") for one in missing]
        known = known & hyp
    findings = [_missing(one) for one in missing if not skip_missing]
    findings += [_extra(one) for one in sorted(hyp - known - ref)]
    findings += [_unheard(one) for one in sorted((uem or set()) - ref - hyp)]
    return Selection(tuple(sorted(known)), tuple(unscored), tuple(findings))


def crop_utterances(segments: Sequence[Segment], regions: Sequence[Region]) -> list[Segment]:
    """Utterances that overlap or touch a region, whole: text cannot be cut by time.

    Source: meeteval 0.4.3 ``filter_by_uem``, extended to several regions a recording.
    """
    return [
        segment
        for segment in segments
        if segment.start_time is None
        or segment.end_time is None
        or any(segment.start_time <= r.end_time and r.start_time <= segment.end_time for r in regions)
    ]


def spoken(reference: Sequence[Segment]) -> list[Segment]:
    """The reference without the marks of its ignored stretches.

    >>> turns = [Segment("v1", "A", 0.0, 1.0), Segment("v1", None, 1.0, 2.0, segment_id=IGNORE_MARK)]
    >>> [turn.speaker for turn in spoken(turns)]
    ['A']
    """
    return [segment for segment in reference if segment.segment_id != IGNORE_MARK]


def drop_ignored(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> tuple[list[Segment], list[Segment]]:
    """Both sides without the reference's ignored stretches and the hypothesis words whose midpoint lies in one.

    A word's midpoint follows from its share of its segment by length in code points.

    Source: NIST SCTK, infmts: IGNORE_TIME_SEGMENT_IN_SCORING.
    """
    ignored = [segment for segment in reference if segment.segment_id == IGNORE_MARK]
    if not ignored:
        return list(reference), list(hypothesis)
    kept = spoken(reference)
    return kept, [trimmed for segment in hypothesis if (trimmed := _without_ignored(segment, ignored)).words.split()]


def exclude_ignored(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], regions: Sequence[Region] | None
) -> tuple[list[Segment], Sequence[Region] | None]:
    """For diarization: the reference's turns without its ignored stretches, and regions that leave those out.

    Without regions, the extents of both sides' turns are the region that the stretches are cut from.
    """
    ignored = [segment for segment in reference if segment.segment_id == IGNORE_MARK]
    if not ignored:
        return list(reference), regions
    kept = spoken(reference)
    times = [time for s in (*kept, *hypothesis) for time in (s.start_time, s.end_time) if time is not None]
    session_id = reference[0].session_id
    left = list(regions) if regions is not None else [Region(session_id, min(times), max(times))] if times else []
    for stretch in ignored:
        left = [part for region in left for part in _cut(region, stretch)]
    return kept, left


def without_words(side: str, items: Sequence[object]) -> list[Finding]:
    """A warning where a side has segments and not one word (turns given for transcripts).

    >>> [finding.code for finding in without_words("hypothesis", [Segment("v1", "A", 0.0, 1.0)])]
    ['no-words']
    """
    if not items or any(isinstance(item, Segment) and item.words.split() for item in items):
        return []
    return [Finding("no-words", f"the {side} has {len(items)} segments and not one word: is it a file of turns?")]


def accept_forms(reference: Sequence[Segment], further: Sequence[Segment]) -> list[Segment]:
    """The reference with a second transcript of the same utterances accepted beside the first (native and Latin script, say).

    Args:
        reference: The reference segments.
        further: The same utterances written otherwise: a segment belongs to the reference segment of the same session,
            speaker, start and end; of several such, the first to the first.

    Returns:
        The reference segments, their ``forms`` extended; a transcript that is accepted already is not added again.

    Raises:
        InputError: A further segment has no words, or no utterance in the reference, one fault each.

    >>> accept_forms([Segment("v1", "A", 0.0, 1.0, "डॉक्टर")], [Segment("v1", "A", 0.0, 1.0, "doctor")])[0].forms
    ('doctor',)
    """
    places: dict[tuple[object, ...], list[int]] = {}
    for place, segment in enumerate(reference):
        places.setdefault(_utterance(segment), []).append(place)
    accepted = list(reference)
    faults = []
    for entry, other in enumerate(further, 1):
        found = places.get(_utterance(other))
        if not found:
            where = f"{other.session_id}, {other.speaker}, {other.start_time}-{other.end_time}"
            expected = "session, speaker, start and end of a reference utterance"
            faults.append(Fault("accepted reference", "", where, expected, line=entry))
            continue
        if not other.words.split():
            faults.append(Fault("accepted reference", "words", "none", "a transcript", "Is it a file of turns?", entry))
            continue
        place = found.pop(0)
        own = accepted[place]
        new = [form for form in (other.words, *other.forms) if form not in {own.words, *own.forms}]
        accepted[place] = replace(own, forms=(*own.forms, *dict.fromkeys(new)))
    if faults:
        raise InputError(faults)
    return accepted


def accept_answers(reference: Sequence[Answer], further: Sequence[Answer]) -> list[Answer]:
    """The reference topics or summaries with further ones of the same recordings, accepted beside them.

    Args:
        reference: The reference answers.
        further: Other answers to the same recordings.

    Returns:
        Both, the reference first.

    Raises:
        InputError: A further answer is of a recording that the reference lacks, one fault each.

    >>> len(accept_answers([Topics("v1", ("Fever",))], [Topics("v1", ("High fever",))]))
    2
    """
    known = {one.session_id for one in reference}
    strange = dict.fromkeys(one.session_id for one in further if one.session_id not in known)
    if strange:
        raise InputError(Fault("accepted reference", "session_id", one, "a recording of the reference") for one in strange)
    return [*reference, *further]


def _utterance(segment: Segment) -> tuple[object, ...]:
    return segment.session_id, segment.speaker, segment.start_time, segment.end_time


def _cut(region: Region, stretch: Segment) -> Iterator[Region]:
    """What of a region lies before and after a stretch."""
    start, end = stretch.start_time or 0.0, stretch.end_time or 0.0
    if region.start_time < min(region.end_time, start):
        yield Region(region.session_id, region.start_time, min(region.end_time, start))
    if max(region.start_time, end) < region.end_time:
        yield Region(region.session_id, max(region.start_time, end), region.end_time)


def _without_ignored(segment: Segment, ignored: Sequence[Segment]) -> Segment:
    words = segment.words.split()
    length = sum(map(len, words))
    if segment.start_time is None or not length:
        return segment
    kept, seen = [], 0
    for word in words:
        middle = segment.start_time + segment.duration * (seen + len(word) / 2) / length
        seen += len(word)
        if not any((i.start_time or 0.0) <= middle < (i.end_time or 0.0) for i in ignored):
            kept.append(word)
    return segment if len(kept) == len(words) else replace(segment, words=" ".join(kept))


def _nothing_in_common(ref: set[str], hyp: set[str], uem: set[str] | None) -> list[Fault]:
    if not ref and not hyp:
        return [Fault("reference", "", "no recording, and none in the hypothesis", "recordings to score")]
    action = "Ids must agree to the letter."
    if {normalize("NFC", one) for one in ref} & {normalize("NFC", one) for one in hyp}:
        action += " These look alike but are composed differently (Unicode NFC and NFD)."
    elif any(a.startswith(b) or b.startswith(a) for a in ref for b in hyp):
        action += " --strip-suffix ENDING removes an ending from every id."
    sides = [("reference", ref), ("hypothesis", hyp), *([("uem", uem)] if uem is not None else [])]
    return [
        Fault(
            name,
            "session_id",
            f"only {', '.join(sorted(ids))}" if ids else "no recording",
            "a recording the other sides have",
            action,
        )
        for name, ids in sides
    ]


def _missing(session_id: str) -> Finding:
    message = "missing from the hypothesis: everything in it is charged as missed"
    return Finding("missing-recording", message, Severity.WARNING, session_id)


def _extra(session_id: str) -> Finding:
    message = "in the hypothesis only: not scored; remove it or mend its id"
    return Finding("extra-recording", message, Severity.ERROR, session_id)


def _unheard(session_id: str) -> Finding:
    message = "in the UEM only: neither side has a turn in it"
    return Finding("uem-only-recording", message, Severity.WARNING, session_id)

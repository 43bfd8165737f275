"""How well annotators of the same recordings agree: on who spoke when, on boundaries, words, roles, tags and topics.

Two annotations have no right side, so rates that are not symmetric are given both ways. What can be scored is scored by
``evaluate``, exactly as a system would be; labels (roles, tags, topics) get Krippendorff's alpha, which takes off the agreement
that chance would bring. Only recordings that both annotated count.

Roles and tags are compared on segments of both annotations that are each other's best match in time and share at least
half of the time that they cover together. A tag is a label of its own (there or not); so is a topic of a recording.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from parakh import tracks
from parakh.aggregate import Interval
from parakh.errors import Fault, InputError, counted
from parakh.evaluate import evaluate
from parakh.qc._markup import tags
from parakh.resample import Bootstrap, Resampler
from parakh.results import Score, Stats, total
from parakh.selection import by_session
from parakh.types import Segment, Topics

TOLERANCES = (0.05, 0.1, 0.25)
"""Seconds within which boundaries agree."""
SHARED = 0.5
"""Two segments are the same when they share this part of the time that they cover together."""
_BETWEEN = "\x1f"
"""Between two labels in the name of a statistic; names of people and things hold no control characters."""


@dataclass(frozen=True)
class Annotation:
    """What one annotator made of some recordings.

    Args:
        segments: Turns or transcripts, with speaker and times.
        topics: Health problems; empty if none were annotated.
    """

    segments: Sequence[Segment] = ()
    topics: Sequence[Topics] = ()


@dataclass(frozen=True)
class Figure:
    """One figure of agreement.

    Args:
        name: "DER, ann01 as reference", "boundary F1 within 50 ms", "alpha of roles" ...
        value: A ratio, alpha in (-inf, 1]; None where it is undefined.
        interval: (low, high) by resampling recordings; None if it has none.
        of: What it was counted on: "312 words", "57 segments".
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None = None
    of: str = ""


@dataclass(frozen=True)
class Agreement:
    """How well some annotators agree.

    Args:
        annotators: Their codes.
        recordings: Ids of the recordings that they have in common.
        figures: What was found.
        only_one: Ids of recordings that one of them lacks, by the annotator who has them.
        plan: How intervals were made; "" without.
    """

    annotators: tuple[str, ...]
    recordings: tuple[str, ...]
    figures: tuple[Figure, ...]
    only_one: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plan: str = ""


def agree(annotations: Mapping[str, Annotation], plan: Bootstrap | None = None) -> list[Agreement]:
    """The agreement of every two annotators, and with three or more alpha over all of them.

    Args:
        annotations: What each annotator made, by code; two or more.
        plan: How to make confidence intervals over recordings; None makes none.

    Returns:
        One Agreement a pair that has recordings in common, in the order given; then, with three annotators or more, one of
        all with alpha of topics.

    Raises:
        InputError: Fewer than two annotators, no recording in common, or segments that cannot be scored.

    >>> turns = [Segment("v1", "a", 0.0, 2.0, "नमस्ते", role="health_worker"), Segment("v1", "b", 2.0, 4.0, "जी")]
    >>> (pair,) = agree({"ann01": Annotation(turns), "ann02": Annotation(turns)})
    >>> [(figure.name, figure.value) for figure in pair.figures][:1]
    [('DER, ann01 as reference', 0.0)]
    """
    if len(annotations) < 2:
        expected = "two or more annotations of the same recordings"
        raise InputError(Fault("agreement", "", counted(len(annotations), "annotator"), expected))
    pairs = [_pair(one, other, annotations, plan) for one, other in itertools.combinations(annotations, 2)]
    found = [pair for pair in pairs if pair.recordings]
    if not found:
        raise InputError(Fault("agreement", "", "no recording that two annotated", "recordings with the same session_id"))
    if len(annotations) > 2:
        found += _together(annotations, plan)
    return found


def _pair(one: str, other: str, annotations: Mapping[str, Annotation], plan: Bootstrap | None) -> Agreement:
    ours, theirs = annotations[one], annotations[other]
    left, right = by_session(ours.segments), by_session(theirs.segments)
    spoken = sorted(left.keys() & right.keys())
    topics = sorted({t.session_id for t in ours.topics} & {t.session_id for t in theirs.topics})
    figures: list[Figure] = []
    if spoken:
        first = [segment for session in spoken for segment in left[session]]
        second = [segment for session in spoken for segment in right[session]]
        if all(segment.speaker and segment.start_time is not None for segment in (*first, *second)):
            figures += _turns(one, other, first, second, plan)
            matched = [(session, _same(left[session], right[session])) for session in spoken]
            figures += _labels(matched, plan)
        if any(s.words.strip() for s in first) and any(s.words.strip() for s in second):
            figures += _words(one, first, second, plan)
    if topics:
        figures.append(_topics([ours, theirs], topics, plan))
    both = tuple(sorted({*spoken, *topics}))
    held = {one: {*left, *(t.session_id for t in ours.topics)}, other: {*right, *(t.session_id for t in theirs.topics)}}
    only = {who: tuple(sorted(sessions - set(both))) for who, sessions in held.items() if sessions - set(both)}
    return Agreement((one, other), both, tuple(figures), only, plan.describe() if plan else "")


def _turns(one: str, other: str, first: Sequence[Segment], second: Sequence[Segment], plan: Bootstrap | None) -> Iterator[Figure]:
    track, interval = tracks.get("diarization"), Interval(plan) if plan else None
    for name, reference, hypothesis in ((one, first, second), (other, second, first)):
        score = evaluate(track, reference, hypothesis, metrics=["der"], interval=interval).metrics["der"]
        yield _figure(f"DER, {name} as reference", score, f"{score.stats['scored']:.0f} s")
    for tolerance in TOLERANCES:
        options = {"tolerance": tolerance}
        found = evaluate(track, first, second, metrics=["boundary_f1"], options=options, interval=interval)
        score = found.metrics["boundary_f1"]
        count = score.stats["reference_boundaries"] + score.stats["hypothesis_boundaries"]
        yield _figure(f"boundary F1 within {1000 * tolerance:.0f} ms", score, f"{count:.0f} boundaries")


def _words(one: str, first: Sequence[Segment], second: Sequence[Segment], plan: Bootstrap | None) -> Iterator[Figure]:
    track, interval = tracks.get("asr"), Interval(plan) if plan else None
    by_speaker = all(segment.speaker for segment in (*first, *second))
    names = {"cpwer": "WER", "cpcer": "CER"} if by_speaker else {"wer": "WER", "cer": "CER"}
    for profile, when in (("none", "as written"), ("indic", "normalised")):
        found = evaluate(track, first, second, metrics=list(names), normalization=profile, interval=interval)
        for metric, name in names.items():
            score = found.metrics[metric]
            yield _figure(f"{name} {when}, {one} as reference", score, f"{score.stats['length']:.0f} {_UNITS[name]}")


_UNITS = {"WER": "words", "CER": "characters"}


def _figure(name: str, score: Score, of: str) -> Figure:
    return Figure(name, score.value, score.interval, of)


def _same(left: Sequence[Segment], right: Sequence[Segment]) -> list[tuple[Segment, Segment]]:
    """The segments that both annotated: each other's best match, with enough of their time in common."""
    best_right: dict[int, tuple[float, int]] = {}
    best_left: dict[int, tuple[float, int]] = {}
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            shared = _shared(one, other)
            if shared > best_right.get(i, (0.0, 0))[0]:
                best_right[i] = (shared, j)
            if shared > best_left.get(j, (0.0, 0))[0]:
                best_left[j] = (shared, i)
    mutual = ((i, j) for i, (shared, j) in sorted(best_right.items()) if best_left[j][1] == i and shared >= SHARED)
    return [(left[i], right[j]) for i, j in mutual]


def _shared(one: Segment, other: Segment) -> float:
    """Shared time over time covered together, in [0, 1]."""
    start, end = one.start_time or 0.0, one.end_time or 0.0
    first, last = other.start_time or 0.0, other.end_time or 0.0
    shared = min(end, last) - max(start, first)
    return max(0.0, shared) / (max(end, last) - min(start, first)) if shared > 0 else 0.0


Matched = Sequence[tuple[str, Sequence[tuple[Segment, Segment]]]]


def _labels(matched: Matched, plan: Bootstrap | None) -> Iterator[Figure]:
    roles = [[[a.role, b.role] for a, b in pairs if a.role and b.role] for _, pairs in matched]
    if any(roles):
        yield _alpha("alpha of roles", roles, plan, f"{sum(map(len, roles))} segments")
    names = sorted({name for _, pairs in matched for pair in pairs for one in pair for name in _tags(one)})
    if names:
        units = [
            [["yes" if name in _tags(one) else "no" for one in pair] for pair in pairs for name in names] for _, pairs in matched
        ]
        yield _alpha("alpha of tags", units, plan, f"{len(names)} tags in {sum(len(pairs) for _, pairs in matched)} segments")


def _tags(segment: Segment) -> set[str]:
    """The tags in angle brackets of a segment; one that opens and one that closes are the same."""
    return {tag.key for tag in tags(segment.words)}


def _topics(annotations: Sequence[Annotation], sessions: Sequence[str], plan: Bootstrap | None) -> Figure:
    given = [{one.session_id: {topic.casefold() for topic in one.topics} for one in each.topics} for each in annotations]
    names = sorted({topic for each in given for session in sessions for topic in each.get(session, ())})
    units = [[["yes" if topic in each[s] else "no" for each in given if s in each] for topic in names] for s in sessions]
    return _alpha("alpha of topics", units, plan, f"{len(names)} topics in {len(sessions)} recordings")


def _together(annotations: Mapping[str, Annotation], plan: Bootstrap | None) -> list[Agreement]:
    """Alpha of topics over all annotators, on recordings that two or more of them annotated."""
    counts: dict[str, int] = {}
    for each in annotations.values():
        for one in each.topics:
            counts[one.session_id] = counts.get(one.session_id, 0) + 1
    sessions = sorted(session for session, count in counts.items() if count > 1)
    if not sessions:
        return []
    figure = _topics(list(annotations.values()), sessions, plan)
    return [Agreement(tuple(annotations), tuple(sessions), (figure,), {}, plan.describe() if plan else "")]


def _alpha(name: str, units: Sequence[Sequence[Sequence[str]]], plan: Bootstrap | None, of: str) -> Figure:
    stats = [coincidences(one) for one in units]
    interval = Resampler(len(stats), plan).interval(stats, alpha) if plan else None
    return Figure(name, alpha(total(stats)), interval, of)


def coincidences(units: Sequence[Sequence[str]]) -> Stats:
    """The coincidence matrix of labels, as statistics that add: o_ck = sum over units of (c, k) pairs / (m_u - 1).

    Args:
        units: The labels that annotators gave to each unit; a unit with fewer than two labels pairs nothing.

    Returns:
        How often label k stood beside label c, by other annotators of the same unit, for every two labels.

    Source: Krippendorff, "Computing Krippendorff's alpha-reliability" (2011).

    >>> list(coincidences([["a", "a"], ["a", "b"]]).values())
    [2.0, 1.0, 1.0]
    """
    counts: dict[str, float] = {}
    for labels in units:
        for one, other in itertools.permutations(labels, 2):
            key = f"{one}{_BETWEEN}{other}"
            counts[key] = counts.get(key, 0.0) + 1 / (len(labels) - 1)
    return Stats(dict(sorted(counts.items())))


def alpha(total: Stats) -> float | None:
    """Krippendorff's alpha for nominal labels: 1 - (n - 1) sum_{c != k} o_ck / sum_{c != k} n_c n_k.

    Args:
        total: Sum of ``coincidences``.

    Returns:
        1 for perfect agreement, 0 for that of chance, below 0 for less; None where nothing was paired or only one label
        was ever used, so that there is nothing to agree on.

    Source: Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), section C.

    >>> alpha(coincidences([["a", "a"], ["b", "b"]])), alpha(coincidences([["a", "a"]]))
    (1.0, None)
    """
    marginals: dict[str, float] = {}
    apart = 0.0
    for key, count in total.items():
        one, other = key.split(_BETWEEN)
        marginals[one] = marginals.get(one, 0.0) + count
        apart += count if one != other else 0.0
    n = sum(marginals.values())
    expected = n * n - sum(count * count for count in marginals.values())
    return 1 - (n - 1) * apart / expected if expected else None

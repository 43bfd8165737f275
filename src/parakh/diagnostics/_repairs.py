"""What perfect times and perfect speakers would make of a hypothesis.

Times: words move to the time of the reference word that they are aligned with when nobody looks at times (cpWER). A word that
only stands in for another there, and is said where it stands, be it by someone else, is not at the wrong time: it stays, unless
that costs more errors than there were. What is left is then never less than cpWER, and mostly cpWER.

Speakers: of the words that tcpWER finds no match for, those of both sides are aligned whoever speaks (the time-constrained
alignment of tcWDER; without times that of WDER, of all words). A word that finds itself under another speaker is given to that
speaker. A misheard word between such words goes with them where it was too many here and is missing there. They stand among
the words of the other by their times or, where that leaves more errors, each at the reference word that it was found at. So no
repair of speakers can cost an error: the alignment of before, with these words moved there, has no more errors, and the metric
finds one as good or better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import gt, lt

from parakh.diagnostics._words import Scene, Time, Word, fresh
from parakh.metrics import cpwer, tcwder, wder
from parakh.metrics._sentences import in_time_order
from parakh.types import AlignedWord, Op, Segment

SaidAt = tuple[int, int]
"""A word of the reference: index of its segment, and its position there."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an alignment by indices; None for no word."""

    op: Op
    said: SaidAt | None
    heard: int | None


def steps_of(words: Iterable[AlignedWord]) -> list[Step]:
    """An alignment of reference segments with one-word segments, by indices."""
    passed: Counter[int] = Counter()
    steps = []
    for word in words:
        said = None
        if word.reference_segment is not None:
            said = word.reference_segment, passed[word.reference_segment]
            passed[word.reference_segment] += 1
        steps.append(Step(word.op, said, word.hypothesis_segment))
    return steps


def aligned(scene: Scene, words: Sequence[Word]) -> list[Step]:
    """The alignment that the metric counts."""
    return steps_of(scene.functions.align(scene.reference, scene.segments(words), **scene.options))


@dataclass(frozen=True, slots=True)
class Found:
    """Where words of the hypothesis are found, whoever says them; words by their index.

    Args:
        moved: The words that belong to another speaker, each with the reference word that it is.
        said: The words that are said where they stand, by whomever.
    """

    moved: Mapping[int, SaidAt]
    said: Collection[int]


def find(scene: Scene, words: Sequence[Word], steps: Sequence[Step]) -> Found:
    """Find the words of a hypothesis in the reference, whoever says them.

    Args:
        scene: The recording.
        words: The hypothesis.
        steps: The alignment of it that the metric counts.
    """
    lost = {step.said: step for step in steps if step.said is not None and step.op is not Op.MATCH}
    made_up = {step.heard: step for step in steps if step.heard is not None and step.op is not Op.MATCH}
    right = {step.heard for step in steps if step.heard is not None and step.op is Op.MATCH}
    if not lost or not made_up:
        return Found({}, right)
    mapping = scene.functions.speaker_mapping(scene.reference, scene.segments(words), **scene.options)
    meetings = _meetings_in_time(scene, words, lost, made_up) if scene.timed else _meetings(scene, words)

    def speakers(meeting: tuple[SaidAt, int]) -> tuple[str | None, str | None]:
        return scene.reference[meeting[0][0]].speaker, mapping.get(words[meeting[1]].speaker)

    moved: dict[int, SaidAt] = {}
    for (said_by, heard_as), run in groupby(meetings, key=speakers):
        found = [(said, heard) for said, heard in run if said in lost and heard in made_up]
        same = {heard for (segment, position), heard in found if scene.said[segment][position].text == words[heard].text}
        right |= same
        for said, heard in found if said_by != heard_as and same else ():
            if heard in same or (lost[said].op is Op.DELETION and made_up[heard].op is Op.INSERTION):
                moved[heard] = said
    return Found(moved, right)


def _meetings_in_time(
    scene: Scene, words: Sequence[Word], lost: Collection[SaidAt], made_up: Collection[int]
) -> list[tuple[SaidAt, int]]:
    """Words of both sides that meet in the time-constrained alignment of those without a match."""

    def by_time(word: Word) -> tuple[float, float, str]:
        return *(word.time or (0.0, 0.0)), word.text

    said = sorted(lost, key=lambda at: by_time(scene.said[at[0]][at[1]]))
    heard = sorted(made_up, key=lambda k: by_time(words[k]))
    first = [_alone(scene.said[segment][position]) for segment, position in said]
    found = tcwder.align(first, [_alone(words[k]) for k in heard], **scene.options)
    return [(said[i], heard[j]) for i, j in _both(found)]


def _meetings(scene: Scene, words: Sequence[Word]) -> list[tuple[SaidAt, int]]:
    """Words of both sides that meet in the alignment of all of them, whoever speaks."""
    said = [(k, position) for k in in_time_order(scene.reference) for position in range(len(scene.said[k]))]
    first = [_alone(scene.said[segment][position]) for segment, position in said]
    return [(said[i], j) for i, j in _both(wder.align(first, [_alone(word) for word in words]))]


def _alone(word: Word) -> Segment:
    start, end = word.time or (None, None)
    return Segment("", word.speaker, start, end, word.text)


def _both(steps: Iterable[AlignedWord]) -> list[tuple[int, int]]:
    pairs = [(step.reference_segment, step.hypothesis_segment) for step in steps]
    return [(i, j) for i, j in pairs if i is not None and j is not None]


def with_times(scene: Scene, words: Sequence[Word], stay: Collection[int]) -> list[Word]:
    """The hypothesis with perfect times; ``stay`` names the words that are said where they stand, by whomever.

    A word that is aligned with nothing stays between its neighbours.
    """
    times: dict[int, Time | None] = {}
    for step in steps_of(cpwer.align(scene.reference, scene.segments(words))):
        if step.said is not None and step.heard is not None and (step.op is Op.MATCH or step.heard not in stay):
            segment, position = step.said
            times[step.heard] = scene.said[segment][position].time
    _follow(words, times, stay)
    return [word._replace(time=times[k]) if k in times else word for k, word in enumerate(words)]


def _follow(words: Sequence[Word], times: dict[int, Time | None], stay: Collection[int]) -> None:
    """Give the others that their neighbours have left behind, or overtaken, the time of the neighbour."""
    for turn, passed in ((range(len(words)), gt), (range(len(words) - 1, -1, -1), lt)):
        neighbour: dict[str | None, Time] = {}
        for k in turn:
            time, beside = times.get(k, words[k].time), neighbour.get(words[k].speaker)
            if k in times and time:
                neighbour[words[k].speaker] = time
            elif time and beside and k not in stay and passed(beside[0], time[0]):
                times[k] = beside


def with_speakers(scene: Scene, words: Sequence[Word], steps: Sequence[Step], moved: Mapping[int, SaidAt]) -> Sequence[Word]:
    """The hypothesis with perfect speakers; ``moved`` are the words that are another's, as found in these steps."""
    if not moved:
        return words
    labels = labels_of(scene, words)
    given = list(words)
    for k, (segment, _) in moved.items():
        given[k] = words[k]._replace(speaker=labels[scene.reference[segment].speaker])
    orders = [_in_time(scene, words), _in_place(steps, moved)]
    return min(([given[k] for k in order] for order in orders), key=scene.errors)


def _in_time(scene: Scene, words: Sequence[Word]) -> list[int]:
    """The words in the order of their times, each speaker's in the order that they have."""
    begins = [segment.start_time or 0.0 for segment in scene.segments(words)]
    return sorted(range(len(words)), key=begins.__getitem__)


def _in_place(steps: Sequence[Step], moved: Mapping[int, SaidAt]) -> list[int]:
    """The words in the order of the steps, each moved one at the reference word that it is."""
    coming = {said: heard for heard, said in moved.items()}
    order = []
    for step in steps:
        if step.heard is not None and step.heard not in moved:
            order.append(step.heard)
        if step.said in coming:
            order.append(coming[step.said])
    return order


def labels_of(scene: Scene, words: Sequence[Word]) -> dict[str | None, str]:
    """The hypothesis label that stands for each reference speaker; a new one for a speaker whom nobody stands for."""
    mapping = scene.functions.speaker_mapping(scene.reference, scene.segments(words), **scene.options)
    labels: dict[str | None, str] = {said: heard for heard, said in mapping.items()}
    for speaker in dict.fromkeys(segment.speaker for segment in scene.reference):
        if speaker not in labels and speaker is not None:
            labels[speaker] = fresh(speaker, [*labels.values(), *(word.speaker for word in words)])
    return labels

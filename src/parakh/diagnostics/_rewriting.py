"""Writing a hypothesis anew from the pairs of an alignment, with some kinds of difference mended and the others as they were.

A pair is mended when every kind of difference in it is: then the reference's pieces stand for the hypothesis's. Pieces are cut at
the units and joined again into words as white space tells, so that a danda lost from the end of a word is a matter of
punctuation alone, though a metric of words sees another word. Where two pairs that both sides have are joined on one side
and apart on the other, the gap is a difference of its own: of punctuation beside a mark, else of word boundaries. The gaps
beside a word or mark that one side has alone are mended with it.

With nothing mended the words are those of the hypothesis, and with everything those of the reference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, pairwise
from typing import NamedTuple

from parakh.diagnostics import Pair, Unit
from parakh.diagnostics._words import Scene, Time, Word, fresh, in_order
from parakh.text.tokens import Kind
from parakh.types import Segment

_WORD = re.compile(r"\S+")
_PAUSE = 1.0
"""Seconds between words of one segment that, once moved apart, are no longer given to the alignment as one segment."""


class Piece(NamedTuple):
    """What is written of a unit inside one word.

    Args:
        text: Without white space.
        glued: Whether it goes on the word of the piece before it.
        time: That of its word.
        word: Its word: indices of the segment and of the word there.
    """

    text: str
    glued: bool
    time: Time | None
    word: tuple[int, int]


class Slot(NamedTuple):
    """A pair in pieces.

    Args:
        kinds: The kinds of difference between the sides.
        said: What the reference has.
        heard: What the hypothesis has.
        speaker: Whose word it is, as the hypothesis names speakers.
        mark: Whether it is a mark.
        gap: Where the white space before it differs by itself: the kind of that, and of what stands on both sides of it.
    """

    kinds: frozenset[str]
    said: tuple[Piece, ...]
    heard: tuple[Piece, ...]
    speaker: str | None
    mark: bool = False
    gap: frozenset[str] = frozenset()

    @property
    def one_sided(self) -> bool:
        """Whether only one side has it."""
        return not self.said or not self.heard

    @property
    def differences(self) -> frozenset[str]:
        """The kinds of difference in it and before it."""
        return self.kinds | self.gap

    def mended(self, kinds: Collection[str]) -> bool:
        """Whether there is a difference in it, and only of these kinds."""
        return bool(self.kinds) and self.kinds.issubset(kinds)


@dataclass(frozen=True)
class Naming:
    """What differences are called.

    Args:
        kinds: The kinds of difference in a pair; none where both sides are the same.
        boundary: A gap that one side has alone, between words.
        mark: The same beside a mark.
        unseen: Other code points in what the alignment takes for the same.
    """

    kinds: Callable[[Pair], Collection[str]]
    boundary: str
    mark: str
    unseen: str


def as_heard(scene: Scene, words: Sequence[Word]) -> tuple[list[Segment], list[list[Word]]]:
    """The hypothesis in segments again, with the words of each: words of one segment stay together as far as they still do."""
    groups: list[list[Word]] = []
    for word in words:
        if groups and _go_together(groups[-1][-1], word):
            groups[-1].append(word)
        else:
            groups.append([word])
    return _segments(scene, groups), groups


def _go_together(one: Word, other: Word) -> bool:
    if (one.segment, one.speaker) != (other.segment, other.speaker):
        return False
    if one.time is None or other.time is None:
        return True
    return one.time[0] <= other.time[0] <= one.time[1] + _PAUSE


def _segments(scene: Scene, groups: Sequence[Sequence[Word]]) -> list[Segment]:
    times: list[tuple[float | None, float | None]] = [(None, None)] * len(groups)
    if scene.timed:
        spans = [(word[0].speaker, _span([one.time for one in word if one.time is not None])) for word in groups]
        times = [*in_order(spans, centred=False)]
    return [
        replace(
            scene.hypothesis[group[0].segment],
            speaker=group[0].speaker,
            start_time=start,
            end_time=end,
            words=" ".join(word.text for word in group),
        )
        for group, (start, end) in zip(groups, times, strict=True)
    ]


def _span(times: Sequence[Time]) -> Time:
    return min(start for start, _ in times), max(end for _, end in times)


def slots_of(
    scene: Scene, heard: tuple[Sequence[Segment], Sequence[Sequence[Word]]], pairs: Sequence[Pair], naming: Naming
) -> list[Slot]:
    """The pairs in pieces, each with the kinds of difference in it.

    Args:
        scene: The recording.
        heard: The hypothesis in segments, as it was aligned, and the words of each.
        pairs: The alignment of the reference with these segments.
        naming: What differences are called.
    """
    first = _pieces(scene.reference, scene.said, [unit for pair in pairs for unit in pair.reference])
    second = _pieces(*heard, [unit for pair in pairs for unit in pair.hypothesis])
    speakers = _speakers(heard[0], pairs)
    slots = []
    for pair in pairs:
        said = tuple(piece for unit in pair.reference for piece in first[_place(unit)])
        sounded = tuple(piece for unit in pair.hypothesis for piece in second[_place(unit)])
        kinds = frozenset(naming.kinds(pair)) or _unseen(said, sounded, naming)
        speaker = pair.hypothesis[0].speaker if pair.hypothesis else speakers.get(pair.reference[0].speaker)
        mark = all(unit.kind is Kind.PUNCT for unit in (*pair.reference, *pair.hypothesis))
        slots.append(Slot(kinds, said, sounded, speaker, mark))
    order = {speaker: k for k, speaker in enumerate(dict.fromkeys(slot.speaker for slot in slots))}
    slots = _whole_words(_together(_slid(sorted(slots, key=lambda slot: order[slot.speaker]))))
    gaps = [frozenset[str](), *(_gap(before, slot, naming) for before, slot in pairwise(slots))]
    return [slot._replace(gap=gap) if gap else slot for slot, gap in zip(slots, gaps, strict=False)]


def _slid(slots: Sequence[Slot]) -> list[Slot]:
    """The same alignment where what one side has alone begins with a word, and not with the mark that ends the word before.

    Of "है। हाँ।" against "है।" it is "हाँ।" that is missing, and not "। हाँ".
    """
    out = list(slots)
    start = 0
    while start < len(out):
        stop = start + 1
        while stop < len(out) and out[start].one_sided and _side(out[stop]) == _side(out[start]):
            stop += 1
        if stop < len(out) and out[start].one_sided and (meeting := _other_meeting(out[start], out[stop])):
            out[start : stop + 1] = [meeting[0], *out[start + 1 : stop], meeting[1]]
        start += 1
    return out


def _side(slot: Slot) -> tuple[str | None, bool, bool]:
    return slot.speaker, bool(slot.said), bool(slot.heard)


def _other_meeting(alone: Slot, behind: Slot) -> tuple[Slot, Slot] | None:
    """A slot that one side has alone, made to meet what meets the same behind it, which is then alone; None if it cannot."""
    if behind.kinds or behind.speaker != alone.speaker:
        return None
    pieces, first, other = alone.said or alone.heard, behind.said, behind.heard
    same = [piece.text for piece in pieces] == [piece.text for piece in (other if alone.said else first)]
    if not same or not pieces[0].glued or not (other if alone.said else first)[0].glued:
        return None
    if alone.said:
        return behind._replace(said=pieces), alone._replace(said=first)
    return behind._replace(heard=pieces), alone._replace(heard=other)


def _together(slots: Sequence[Slot]) -> list[Slot]:
    """The same slots, with the pieces of a word side by side where only one side has them."""
    runs = [list(run) for _, run in groupby(slots, key=lambda slot: (slot.speaker, slot.one_sided))]
    for before, run, behind in zip([[], *runs[:-1]], runs, [*runs[1:], []], strict=True):
        if run[0].one_sided:
            run.sort(key=partial(_nearness, before=before[-1:], behind=behind[:1]))
    return [slot for run in runs for slot in run]


def _nearness(slot: Slot, before: Sequence[Slot], behind: Sequence[Slot]) -> int:
    """Where a slot that one side has alone stands between two that both sides have: by the word that it is a piece of."""
    if slot.heard:
        return 0 if slot.heard[0].word in _words([piece for one in before for piece in one.heard]) else 3
    if slot.said[0].word in _words([piece for one in before for piece in one.said]):
        return 1
    return 4 if slot.said[-1].word in _words([piece for one in behind for piece in one.said]) else 2


def _words(pieces: Sequence[Piece]) -> set[tuple[int, int]]:
    return {piece.word for piece in pieces}


def _whole_words(slots: Sequence[Slot]) -> list[Slot]:
    """What one side has alone of a word is one difference of all its kinds; marks come and go with the word they stand on."""
    if not any(slot.one_sided for slot in slots):
        return list(slots)
    shared: dict[tuple[bool, tuple[int, int]], frozenset[str]] = defaultdict(frozenset)
    for slot in slots:
        for word in [] if slot.mark else _alone(slot):
            shared[word] |= slot.kinds
    whole = [frozenset[str]().union(*(shared.get(word, ()) for word in _alone(slot))) for slot in slots]
    return [slot._replace(kinds=kinds) if kinds else slot for slot, kinds in zip(slots, whole, strict=True)]


def _alone(slot: Slot) -> list[tuple[bool, tuple[int, int]]]:
    """The words of a slot that one side has alone, and whether that is the reference."""
    if not slot.one_sided:
        return []
    return [(bool(slot.said), piece.word) for piece in (*slot.said, *slot.heard)]


def _speakers(heard: Sequence[Segment], pairs: Sequence[Pair]) -> dict[str | None, str | None]:
    """The hypothesis label that stands for each reference speaker; a new one for a speaker who meets nobody."""
    labels = {pair.reference[0].speaker: pair.hypothesis[0].speaker for pair in pairs if pair.reference and pair.hypothesis}
    used = {segment.speaker for segment in heard}
    for speaker in (pair.reference[0].speaker for pair in pairs if pair.reference):
        if speaker is not None and speaker not in labels:
            labels[speaker] = fresh(speaker, used)
            used.add(labels[speaker])
    return labels


def _place(unit: Unit) -> tuple[int, int]:
    return unit.segment, unit.start


def _pieces(
    segments: Sequence[Segment], words: Sequence[Sequence[Word]], units: Iterable[Unit]
) -> dict[tuple[int, int], tuple[Piece, ...]]:
    """The pieces of each unit, by its place; what belongs to no unit goes with the unit before it."""
    starts: dict[int, list[int]] = defaultdict(list)
    for unit in units:
        starts[unit.segment].append(unit.start)
    pieces = {}
    for segment, unsorted in starts.items():
        text, places = segments[segment].words, sorted(unsorted)
        spans = [match.span() for match in _WORD.finditer(text)]
        word = 0
        for place, (start, end) in zip(places, pairwise((0, *places[1:], len(text))), strict=True):
            while word < len(spans) and spans[word][1] <= start:
                word += 1
            pieces[segment, place] = tuple(_cut(segment, text, (start, end), spans, word, words[segment]))
    return pieces


def _cut(
    segment: int, text: str, unit: tuple[int, int], spans: Sequence[tuple[int, int]], word: int, words: Sequence[Word]
) -> Iterator[Piece]:
    """What of the words, from one of them on, lies within a unit."""
    start, end = unit
    while word < len(spans) and (begin := spans[word][0]) < end:
        glued = begin < start
        yield Piece(text[start if glued else begin : min(end, spans[word][1])], glued, words[word].time, (segment, word))
        word += 1


def _unseen(said: Sequence[Piece], heard: Sequence[Piece], naming: Naming) -> frozenset[str]:
    """The kind of a difference that the alignment does not tell of."""
    texts = ["".join(piece.text for piece in side) for side in (said, heard)]
    if texts[0] != texts[1]:
        return frozenset({naming.unseen})
    inside = [[(piece.text, piece.glued) for piece in side[1:]] for side in (said, heard)]
    return frozenset({naming.boundary} if inside[0] != inside[1] else ())


def _gap(before: Slot, slot: Slot, naming: Naming) -> frozenset[str]:
    """The kinds of a difference in white space between two slots that both sides have, where they differ in it."""
    if before.speaker != slot.speaker or before.one_sided or slot.one_sided or slot.said[0].glued == slot.heard[0].glued:
        return frozenset()
    kind = naming.mark if before.mark or slot.mark else naming.boundary
    return before.kinds | slot.kinds | {kind}


def written(slots: Sequence[Slot], kinds: Collection[str], reach: float | None = None) -> list[Word]:
    """The words of the hypothesis with some kinds of difference mended.

    Args:
        slots: The pairs in pieces.
        kinds: Which.
        reach: Seconds from the centre of what is heard within which it may stand from what it meets; beyond, it takes the time of
            that. None leaves every time as it is.
    """
    words: list[Word] = []
    joints = _Joints(kinds)
    for slot in slots:
        if not words or words[-1].speaker != slot.speaker:
            joints = _Joints(kinds)
        pieces = slot.said if slot.mended(kinds) else slot.heard if reach is None else _in_reach(slot, reach)
        joined = joints.joins(slot)
        for k, piece in enumerate(pieces):
            if piece.glued if k else joined:
                words[-1] = words[-1]._replace(text=words[-1].text + piece.text)
            else:
                words.append(Word(piece.text, slot.speaker, piece.time, piece.word[0]))
    return words


def _in_reach(slot: Slot, reach: float) -> Iterator[Piece]:
    for k, piece in enumerate(slot.heard):
        met = slot.said[min(k, len(slot.said) - 1)].time if slot.said else None
        if piece.time is None or met is None:
            yield piece
            continue
        centre = (piece.time[0] + piece.time[1]) / 2
        near = met[0] < centre + reach and centre - reach < met[1]
        yield piece if near else piece._replace(time=met)


class _Joints:
    """Whether pieces go on the word before them, told slot by slot: as heard, or as said beside what was mended."""

    def __init__(self, kinds: Collection[str]) -> None:
        self.kinds = kinds
        self.said_apart = self.heard_apart = self.as_said = False
        self.started = False

    def joins(self, slot: Slot) -> bool:
        """Whether the first piece written of a slot goes on the word before it."""
        mended = slot.mended(self.kinds)
        # The white space beside a mark, and beside what only one side has, is part of the difference.
        with_gaps = mended and (slot.one_sided or slot.mark)
        as_said = self.as_said or with_gaps or (bool(slot.gap) and slot.gap.issubset(self.kinds))
        said_apart = self.said_apart or not slot.said or not slot.said[0].glued
        heard_apart = self.heard_apart or not slot.heard or not slot.heard[0].glued
        if not (slot.said if mended else slot.heard):
            self.said_apart |= any(not piece.glued for piece in slot.said)
            self.heard_apart |= any(not piece.glued for piece in slot.heard)
            self.as_said |= with_gaps
            return False
        joined = self.started and not (said_apart if as_said else heard_apart)
        self.started, self.as_said = True, with_gaps
        self.said_apart = self.heard_apart = False
        return joined

"""The word transition network: the words of several systems aligned, one system after the other.

A slot is a place in the network with one arc a system: a word, or nothing. A further system's words are aligned with the slots by
dynamic programming, at NIST's costs: 0 where the slot has the word, 1 where it has an empty arc and another word, 4 where it has
only other words, 3 for a word without slot and for a slot of words that is passed, 0.001 for one with an empty arc.
Of equally cheap steps a pairing is taken before a new slot, a new slot before passing one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SILENCE = 1.0
"""Seconds of silence in all systems at which the words before and after are aligned apart."""
_SAME, _BESIDE_EMPTY, _OTHER, _WORD, _EMPTY = 0, 1000, 4000, 3000, 1
"""The costs in thousandths: whole numbers, so that ties are ties."""
_PAIR, _NEW, _PASS = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Word:
    """A word of one system.

    Args:
        text: As written.
        key: By which it is compared: words with the same key are the same.
        start: Seconds; None without times.
        end: Seconds; None without times.
        confidence: In [0, 1]; None if unknown.
    """

    text: str
    key: str
    start: float | None = None
    end: float | None = None
    confidence: float | None = None


Arc = tuple[int, Word | None]
"""The number of a system, and its word in a slot; None for an empty arc."""
Slot = list[Arc]


def network(systems: Sequence[Sequence[Word]]) -> list[Slot]:
    """The words of all systems in slots.

    Args:
        systems: The words of each, in order; at least one system.

    Returns:
        Slots in order, each with an arc of every system.

    Source: Fiscus, A post-processing system to yield reduced word error rates: ROVER, ASRU 1997; SCTK 2.4.10, rover.

    >>> words = [[Word(text, text) for text in said.split()] for said in ("bp high hai", "high hai")]
    >>> [[word and word.text for _, word in slot] for slot in network(words)]
    [['bp', None], ['high', 'high'], ['hai', 'hai']]
    """
    slots: list[Slot] = [[(0, word)] for word in systems[0]]
    for system, words in enumerate(systems[1:], 1):
        slots = _joined(slots, words, system)
    return slots


def stretches(systems: Sequence[Sequence[Word]]) -> Iterator[list[Sequence[Word]]]:
    """The words of all systems, cut where all of them are silent.

    Words without times are one stretch.
    """
    if any(word.start is None for words in systems for word in words):
        yield list(systems)
        return
    starts = [0] * len(systems)
    while any(start < len(words) for start, words in zip(starts, systems, strict=True)):
        stops = _common_silence(systems, starts)
        yield [words[start:stop] for words, start, stop in zip(systems, starts, stops, strict=True)]
        starts = stops


def _common_silence(systems: Sequence[Sequence[Word]], starts: Sequence[int]) -> list[int]:
    """For each system, the word after the next silence of the first that all have."""
    first, *others = systems
    for place in range(starts[0], len(first)):
        begin, end = _gap(first, place)
        if end <= begin + SILENCE:
            continue
        stops = [place + 1]
        for words, start in zip(others, starts[1:], strict=True):
            gaps = ((at, *_gap(words, at)) for at in range(start, len(words)))
            met = next(((at, b, e) for at, b, e in gaps if min(e, end) > max(b, begin)), None)
            if met is not None:
                begin, end = max(begin, met[1]), min(end, met[2])
                stops.append(met[0] + 1)
            elif start == len(words):
                stops.append(start)
            else:
                break
        else:
            return stops
    return [len(words) for words in systems]


def _gap(words: Sequence[Word], place: int) -> tuple[float, float]:
    """The silence after a word; after the last one it has no end."""
    after = words[place + 1].start if place + 1 < len(words) else None
    return words[place].end or 0.0, float("inf") if after is None else after


def _joined(slots: Sequence[Slot], words: Sequence[Word], system: int) -> list[Slot]:
    """The slots with the arcs of a further system, and new ones for its words that have none."""
    joined: list[Slot] = []
    passed = 0
    for step, word in _steps(slots, words):
        if step == _NEW:
            joined.append([(system, words[word]), *((before, None) for before in range(system))])
            continue
        joined.append([*slots[passed], (system, words[word] if step == _PAIR else None)])
        passed += 1
    return joined


def _steps(slots: Sequence[Slot], words: Sequence[Word]) -> list[tuple[int, int]]:
    """(step, word) of the cheapest alignment; the word of a slot that is passed is the one that comes next."""
    keys = {key: number for number, key in enumerate(dict.fromkeys(word.key for word in words))}
    heard = np.array([keys[word.key] for word in words], dtype=np.int64)
    news = np.arange(len(words) + 1, dtype=np.int64) * _WORD
    best, chosen = news, np.zeros(len(words) + 1, dtype=np.int64)
    steps: list[NDArray[np.int8]] = [np.full((1, len(words) + 1), _NEW, dtype=np.int8)]
    arcs: list[NDArray[np.int64]] = [chosen]
    for slot in slots:
        own = dict.fromkeys(None if word is None else keys.get(word.key, -1) for _, word in slot)
        rows = [_row(best, heard, news, key) for key in own]
        costs = np.stack([cost for cost, _ in rows])
        arcs.append(np.argmin(costs, axis=0))
        steps.append(np.stack([step for _, step in rows]))
        best = costs.min(axis=0)
    return _traced(steps, arcs, len(words))


def _row(
    best: NDArray[np.int64], heard: NDArray[np.int64], news: NDArray[np.int64], own: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """The least cost of ending with an arc after each number of words, and the step that gives it.

    Args:
        best: The least costs of the slots before.
        heard: The key of each word of the further system.
        news: Cost of so many new slots.
        own: The arc's key; -1 for a word that the further system has not, None for an empty arc.
    """
    passing = best + (_EMPTY if own is None else _WORD)
    pairing = np.full_like(best, np.iinfo(np.int64).max // 2)
    pairing[1:] = best[:-1] + (_BESIDE_EMPTY if own is None else np.where(heard == own, _SAME, _OTHER))
    cost = np.minimum.accumulate(np.minimum(pairing, passing) - news) + news
    new = np.full_like(pairing, np.iinfo(np.int64).max // 2)
    new[1:] = cost[:-1] + _WORD
    step = np.where((pairing <= passing) & (pairing <= new), _PAIR, np.where(passing < new, _PASS, _NEW))
    return cost, step.astype(np.int8)


def _traced(steps: Sequence[NDArray[np.int8]], arcs: Sequence[NDArray[np.int64]], words: int) -> list[tuple[int, int]]:
    """The steps from the last slot and word back to the first, in order."""
    slot, found = len(steps) - 1, []
    arc = int(arcs[slot][words])
    while slot or words:
        step = int(steps[slot][arc, words])
        slot -= step != _NEW
        words -= step != _PASS
        found.append((step, words))
        if step != _NEW:
            arc = int(arcs[slot][words])
    return found[::-1]

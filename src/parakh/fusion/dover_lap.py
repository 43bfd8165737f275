"""DOVER-Lap: who spoke when, voted among systems that hear overlap.

1. Speakers of all systems are mapped to common ones. ``greedy``: every combination of one speaker a system is worth the sum of
   the relative overlaps (intersection over union) of its pairs; the best combination becomes a speaker, then the best of the
   speakers left, and so on, until all are mapped. ``hungarian``: the systems, those nearest to the others by diarization error
   first, are merged one after the other, each time under the assignment with the most common speech. Two systems are always
   mapped by ``hungarian``; many systems ask for it too, as combinations grow as the product of the numbers of speakers.
2. In every stretch between neighbouring boundaries a speaker gets the weights of the systems that hear it. The weights are
   smoothed over neighbouring stretches by a Gaussian. As many speakers speak as the rounded sum of all weights says, those with
   the most weight; of speakers with equal weight all or none. A stretch of at most 1 ms has no vote.

The weights of the systems sum to 1, so that the mean of their numbers of speakers is what is rounded:

- ``rank``: rank^-0.1. By ``greedy``, the system whose speakers overlap least with the others' comes first, as in the reference
  tool; by ``hungarian``, the one with the least mean diarization error against the others.
- ``agreement``: rank^-0.1, the system that agrees most with the others first, as DOVER has it, in either mapping.
- ``norm``: in proportion to the overlap with the others.
- ``equal``: one system, one vote.
- weights given for the systems take the place of all these.

With the options as they are this is ``dover-lap`` 1.3.1 as called from its command line, which gives the published result on AMI.
It differs from that tool on purpose: a system keeps its own weight in the mapping ``hungarian``, where the tool sorts the systems
and not the weights, and custom weights, which the tool hands out after shuffling the systems; given weights are divided by their
sum; a system with one speaker has its overlap with the others counted; times are not rounded to single precision; ties go to
the earlier system and to the speaker whose first turn is earlier, on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

from parakh import _native
from parakh.errors import Fault, InputError
from parakh.fusion import Answer, require
from parakh.fusion._sweep import Sweep, sweep
from parakh.metrics import der
from parakh.types import Finding, Segment

TRACK = "diarization"
MAPPINGS = ("greedy", "hungarian")
WEIGHTINGS = ("rank", "agreement", "norm", "equal")
MOST_COMBINATIONS = 2_000_000
"""Combinations of speakers that the greedy mapping looks at; beyond it takes too much memory."""
_SHORTEST = 1e-3
_REACH = 4.0
"""Standard deviations after which the Gaussian is cut."""

Labels = list[NDArray[np.int64]]
"""For each system, the common speaker of each of its speakers."""


@dataclass(frozen=True)
class Backend:
    """The options.

    Args:
        mapping: "greedy" or "hungarian".
        weighting: "rank", "agreement", "norm" or "equal"; weights given for the systems win.
        exponent: Of the rank, >= 0; 0 makes all weights equal.
        smoothing: Standard deviation of the Gaussian, in stretches, >= 0; below 0.125 nothing is smoothed.

    Source: Raj et al., DOVER-Lap: A Method for Combining Overlap-aware Diarization Outputs, SLT 2021; dover-lap 1.3.1.

    >>> one = Answer("a", [Segment("v", "asha", 0.0, 4.0), Segment("v", "seeker", 4.0, 9.0)])
    >>> other = Answer("b", [Segment("v", "1", 0.0, 5.0), Segment("v", "2", 5.0, 9.0)])
    >>> third = Answer("c", [Segment("v", "x", 0.0, 4.0), Segment("v", "y", 4.0, 9.0)])
    >>> turns, _ = Backend().fuse([one, other, third])
    >>> [(turn.speaker, turn.start_time, turn.end_time) for turn in turns]
    [('asha', 0.0, 4.0), ('seeker', 4.0, 9.0)]
    """

    mapping: str = "greedy"
    weighting: str = "rank"
    exponent: float = 0.1
    smoothing: float = 0.5

    def __post_init__(self) -> None:
        require("dover-lap", self, {
            "mapping": (self.mapping in MAPPINGS, " or ".join(MAPPINGS)),
            "weighting": (self.weighting in WEIGHTINGS, ", ".join(WEIGHTINGS)),
            "exponent": (0 <= self.exponent <= 100, "a number from 0 to 100"),
            "smoothing": (0 <= self.smoothing <= 1000, "a number of stretches from 0 to 1000"),
        })  # fmt: skip

    def fuse(self, answers: Sequence[Answer]) -> tuple[list[Segment], list[Finding]]:
        """The turns that the systems vote for.

        Args:
            answers: One a system, of one recording.

        Returns:
            Turns sorted by start time; a speaker is called as in the first system that hears it. Findings
            ``one-speaker``, ``nothing-in-common``, ``no-speech``, ``one-system``.

        Raises:
            InputError: A turn makes no sense, weights sum to 0, or there are too many combinations for ``greedy``.
        """
        speaking = [answer for answer in answers if any(turn.duration > 0 for turn in answer.segments)]
        found = sweep([answer.segments for answer in speaking])
        session = next((turn.session_id for answer in answers for turn in answer.segments), "")
        findings = _findings(session, answers, speaking, found)
        if not speaking:
            return [], findings
        common = common_speakers(found, [answer.segments for answer in speaking], self.mapping)
        weights = _weights(self, [answer.weight for answer in speaking], common)
        return _turns(found, common, weights, self.smoothing, session), findings


@dataclass(frozen=True)
class Common:
    """The common speakers of several systems.

    Args:
        labels: For each system, the common speaker of each of its speakers.
        names: What each common speaker is called: as in the first system that hears it; a name that is taken gets a number.
        order: The systems in the order in which they were mapped.
        overlaps: The relative overlap of the speakers of every two systems.
        errors: The mean diarization error rate of each system against the others; None where it took no part.
    """

    labels: Labels
    names: Mapping[int, str]
    order: Sequence[int]
    overlaps: Mapping[tuple[int, int], NDArray[np.float64]]
    errors: NDArray[np.float64] | None


def common_speakers(found: Sweep, systems: Sequence[Sequence[Segment]], mapping: str) -> Common:
    """Map the speakers of several systems to common ones.

    Args:
        found: The systems' turns on one time line.
        systems: The turns of each; none is empty.
        mapping: "greedy" or "hungarian".

    Raises:
        InputError: There are too many combinations for ``greedy``.

    >>> systems = [[Segment("v", "a", 0, 4), Segment("v", "b", 4, 9)], [Segment("v", "y", 5, 9), Segment("v", "x", 0, 5)]]
    >>> [own.tolist() for own in common_speakers(sweep(systems), systems, "hungarian").labels]
    [[0, 1], [0, 1]]
    """
    overlaps = {pair: _relative_overlap(found, *pair) for pair in combinations(range(len(systems)), 2)}
    if mapping == "hungarian" or len(systems) == 2:
        errors = _mean_errors(systems)
        order = np.argsort(errors, kind="stable").tolist()
        labels = _hungarian(found, order)
        return Common(labels, _names(found, labels), order, overlaps, errors)
    labels = _greedy(overlaps, [len(names) for names in found.speakers])
    return Common(labels, _names(found, labels), list(range(len(systems))), overlaps, None)


def _relative_overlap(found: Sweep, one: int, other: int) -> NDArray[np.float64]:
    """Time in which two speakers speak together / time in which either does, (speaker, speaker)."""
    both = found.shared(found.heard[one], found.heard[other])
    spoken = [(found.heard[k] * found.lengths[:, None]).sum(axis=0) for k in (one, other)]
    shares: NDArray[np.float64] = both / (spoken[0][:, None] + spoken[1] - both)
    return shares


def _greedy(overlaps: Mapping[tuple[int, int], NDArray[np.float64]], sizes: Sequence[int]) -> Labels:
    """Common speakers from the best combinations of one speaker a system."""
    if np.prod(np.array(sizes, dtype=float)) > MOST_COMBINATIONS:
        found = f"{len(sizes)} systems with {', '.join(map(str, sizes))} speakers for the mapping greedy"
        expected = f"at most {MOST_COMBINATIONS:,} combinations of speakers"
        raise InputError(Fault("dover-lap", "mapping", found, expected, "Choose the mapping hungarian."))
    worth = np.zeros(sizes)
    for (one, other), overlap in overlaps.items():
        worth -= np.expand_dims(overlap, tuple(k for k in range(len(sizes)) if k not in (one, other)))
    ranked = np.stack(np.unravel_index(np.argsort(worth, axis=None, kind="stable"), worth.shape), axis=1)
    labels = [np.full(size, -1) for size in sizes]
    number = 0
    while any((own < 0).any() for own in labels):
        left = np.any([own[ranked[:, k]] < 0 for k, own in enumerate(labels)], axis=0)
        for combination in _matching(ranked[left]):
            for own, speaker in zip(labels, combination, strict=True):
                if own[speaker] < 0:
                    own[speaker] = number
            number += 1
    return labels


def _matching(ranked: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The first combination, then the first of those that share no speaker with it, and so on."""
    chosen = []
    while len(ranked):
        chosen.append(ranked[0])
        ranked = ranked[(ranked != ranked[0]).all(axis=1)]
    return chosen


def _hungarian(found: Sweep, order: Sequence[int]) -> Labels:
    """Common speakers from merging one system after the other."""
    labels = [np.zeros(0, dtype=np.int64)] * len(order)
    labels[order[0]] = np.arange(len(found.speakers[order[0]]))
    merged = found.heard[order[0]]
    for k in order[1:]:
        heard = found.heard[k]
        together = found.shared(merged, heard)
        common, speakers = _native.assignment(-together.astype(np.float64))
        own = np.full(heard.shape[1], -1)
        own[speakers] = common
        own[own < 0] = merged.shape[1] + np.arange((own < 0).sum())
        merged = np.pad(merged, ((0, 0), (0, max(0, own.max() + 1 - merged.shape[1]))))
        merged[:, own] |= heard
        labels[k] = own
    return labels


def _mean_errors(systems: Sequence[Sequence[Segment]]) -> NDArray[np.float64]:
    """Of each system the mean of its diarization error rates against each other one."""
    return np.array([
        sum(der.score(der.stats(other, own)) or 0.0 for k, other in enumerate(systems) if k != at) / max(1, len(systems) - 1)
        for at, own in enumerate(systems)
    ])  # fmt: skip


def _weights(options: Backend, given: Sequence[float | None], common: Common) -> NDArray[np.float64]:
    """The weight of each system; they sum to 1."""
    if any(weight is not None for weight in given):
        weights = np.array([1.0 if weight is None else weight for weight in given])
        if weights.sum() <= 0:
            raise InputError(Fault("weights", "", "nothing but 0", "a weight > 0 of a system that has the recording"))
        return _shares(weights)
    totals = [sum(float(own.sum()) for pair, own in common.overlaps.items() if k in pair) for k in range(len(given))]
    if options.weighting == "norm" and sum(totals) > 0:
        return _shares(np.array(totals))
    if options.weighting in ("equal", "norm"):
        return np.full(len(given), 1 / len(given))
    by = np.array(totals) * (-1 if options.weighting == "agreement" else 1) if common.errors is None else common.errors
    ranks = np.empty(len(given))
    ranks[np.argsort(by, kind="stable")] = np.arange(len(given)) + 1
    return _shares(ranks**-options.exponent)


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def _turns(found: Sweep, common: Common, weights: NDArray[np.float64], smoothing: float, session: str) -> list[Segment]:
    """The vote, and what wins it as turns."""
    labels = list(dict.fromkeys(int(label) for k in common.order for label in common.labels[k]))
    column = {label: place for place, label in enumerate(labels)}
    votes = np.zeros((len(found.times) - 1, len(labels), len(weights)), dtype=np.float32)
    for place, k in enumerate(common.order):
        votes[:, [column[int(label)] for label in common.labels[k]], place] = found.heard[k] * weights[k]
    kept = (np.diff(found.times) > _SHORTEST) & (votes.sum(axis=2) > _SHORTEST).any(axis=1)
    speaking = _elected(_smoothed(votes[kept].sum(axis=2), smoothing))
    starts, ends = found.times[:-1][kept], found.times[1:][kept]
    return sorted(
        (
            Segment(session, common.names[label], start, end)
            for label, own in zip(labels, speaking.T, strict=True)
            for start, end in _runs(starts[own], ends[own])
        ),
        key=lambda turn: (turn.start_time, turn.end_time, turn.speaker),
    )


def _names(found: Sweep, labels: Labels) -> dict[int, str]:
    names: dict[int, str] = {}
    for own, speakers in zip(labels, found.speakers, strict=True):
        for label, name in zip(own.tolist(), speakers, strict=True):
            if label not in names:
                free = (f"{name}_{number}" if number > 1 else name for number in count(1))
                names[label] = next(one for one in free if one not in names.values())
    return names


def _smoothed(votes: NDArray[np.float32], deviation: float) -> NDArray[np.float32]:
    """Each speaker's weights under a Gaussian over the stretches; those at either end go on for ever."""
    reach = int(_REACH * deviation + 0.5)
    if not reach or not len(votes):
        return votes
    weights = np.exp(-0.5 / deviation**2 * np.arange(reach + 1, dtype=np.float64) ** 2)
    weights /= weights[0] + 2 * weights[1:].sum()
    wide = np.pad(votes.astype(np.float64), ((reach, reach), (0, 0)), mode="edge")
    size = len(votes)
    total = wide[reach : reach + size] * weights[0]
    for step in range(reach, 0, -1):
        total += (wide[reach - step : reach - step + size] + wide[reach + step : reach + step + size]) * weights[step]
    smooth: NDArray[np.float32] = total.astype(np.float32)
    return smooth


def _elected(votes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Who speaks in each stretch: those of whom fewer have more weight than there are speakers."""
    speakers = votes.sum(axis=1).round().astype(int)
    above = (votes[:, None, :] > votes[:, :, None]).sum(axis=2)
    elected: NDArray[np.bool_] = above < speakers[:, None]
    return elected


def _runs(starts: NDArray[np.float64], ends: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Stretches that touch made one."""
    if not len(starts):
        return []
    breaks = np.flatnonzero(starts[1:] > ends[:-1])
    firsts, lasts = np.concatenate(([0], breaks + 1)), np.concatenate((breaks, [len(starts) - 1]))
    return list(zip(starts[firsts].tolist(), ends[lasts].tolist(), strict=True))


def _findings(session: str, answers: Sequence[Answer], speaking: Sequence[Answer], found: Sweep) -> list[Finding]:
    """What was odd about the systems' answers on a recording."""
    told = [("no-speech", f"{one.system} hears nobody") for one in answers if one not in speaking]
    if len(speaking) == 1:
        told.append(("one-system", f"only {speaking[0].system} hears anybody: nothing to vote about"))
    most = max(map(len, found.speakers), default=0)
    for k, (one, names) in enumerate(zip(speaking, found.speakers, strict=True)):
        if len(names) == 1 and most > 1:
            told.append(("one-speaker", f"{one.system} hears one speaker, others up to {most}"))
        others = [found.shared(found.heard[k], other).sum() for j, other in enumerate(found.heard) if j != k]
        if others and not any(others):
            told.append(("nothing-in-common", f"{one.system} hears somebody only where no other does"))
    return [Finding(code, what, session_id=session) for code, what in told]

"""Giving groups to parts so that each part comes as near as can be to what was asked of it, in all and in every stratum.

    deviation = sum over parts of (2 |size - asked| + sum over strata of |size in it - asked x share of the stratum|) / asked

The size of a part counts twice as much as the balance within it, and each part counts by its own size: a small one has to be as
well balanced as a large one. All arithmetic is on whole numbers, and the only source of chance is a generator whose stream is
fixed: the same groups, parts and seed give the same answer on every machine.

Search: threshold accepting (Dueck & Scheuer 1990, J. Comput. Phys. 90) on moves and exchanges from a greedy start, then descent;
then branch and bound over all assignments, which proves the answer where it ends within its budget of nodes.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import add, mul

_STARTS = 3
_STEPS_A_GROUP, _MOST_STEPS = 300, 60_000
_NODES = 100_000
_MOST_PROVED = 200
"""Groups up to which a proof is tried."""
_ALL_PAIRS = 150
"""Groups up to which the descent tries every exchange."""


@dataclass(frozen=True)
class Item:
    """What a group weighs.

    Args:
        size: In the unit of each part; parts may be asked for in different units.
        strata: The same by stratum.
    """

    size: Sequence[int]
    strata: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Answer:
    """Which part each group goes to.

    Args:
        parts: Index of the part of each item.
        deviation: As in the module's formula, a ratio; 0 is exactly what was asked.
        bound: No assignment has a smaller deviation than this.
        exact: Whether it is proved that none has a smaller one than ``deviation``.
    """

    parts: tuple[int, ...]
    deviation: float
    bound: float
    exact: bool


def assign(items: Sequence[Item], asked: Sequence[int], seed: int) -> Answer:
    """The assignment with the smallest deviation that was found.

    Args:
        items: The groups.
        asked: What is asked of each part, each in its unit.
        seed: Starts the random numbers, and so decides between assignments that are equally good.

    >>> assign([Item((3, 3), {}), Item((2, 2), {}), Item((1, 1), {})], [3, 3], seed=1).deviation
    0.0
    """
    problem = _Problem(items, asked)
    best = min((_searched(problem, random.Random(f"{seed}/{start}")) for start in range(_STARTS)), key=lambda one: one[0])  # noqa: S311
    cost, parts, exact = _proved(problem, *best)
    bound = cost if exact else max(problem.least(item) for item in range(len(items)))
    return Answer(tuple(parts), cost / problem.unit, bound / problem.unit, exact)


class _Problem:
    """The numbers of an assignment, scaled so that all of them are whole.

    Stratum 0 is the size itself. ``load[part][item]`` lists (stratum, weight of the item there), ``goal[part][stratum]`` what is
    wanted, both times the total; ``worth[part][stratum]`` is what a deviation costs, ``sure[part][stratum]`` what too much of it
    costs in the end: itself, and what another part must then lack, where all are counted in the same unit.
    """

    def __init__(self, items: Sequence[Item], asked: Sequence[int]) -> None:
        self.items, self.parts = len(items), len(asked)
        names = sorted({name for item in items for name in item.strata})
        totals = [sum(column) for column in zip(*(item.size for item in items), strict=True)]
        self.unit: int = math.lcm(*(total * size for total, size in zip(totals, asked, strict=True)))
        self.load = [[self._load(item, part, totals[part], names) for item in items] for part in range(self.parts)]
        shares = [[totals[part], *(sum(_of(item, name, part) for item in items) for name in names)] for part in range(self.parts)]
        self.goal = [[asked[part] * share for share in shares[part]] for part in range(self.parts)]
        one: list[int] = [self.unit // (totals[part] * asked[part]) for part in range(self.parts)]
        self.worth = [[2 * one[part], *(one[part] for _ in names)] for part in range(self.parts)]
        alike = len(set(totals)) == 1 and sum(asked) == totals[0]
        lacking = [min(column) if alike else 0 for column in zip(*self.worth, strict=True)]
        self.sure: list[list[int]] = [[*map(add, worths, lacking)] for worths in self.worth]

    @staticmethod
    def _load(item: Item, part: int, total: int, names: Sequence[str]) -> list[tuple[int, int]]:
        strata = [(k, _of(item, name, part) * total) for k, name in enumerate(names, 1) if name in item.strata]
        return [(0, item.size[part] * total), *strata]

    def least(self, item: int) -> int:
        """What an item costs at least, wherever it goes: what is too much of it."""
        over: list[int] = [
            sum(max(0, weight - self.goal[part][k]) * self.sure[part][k] for k, weight in self.load[part][item])
            for part in range(self.parts)
        ]
        return min(over)


def _of(item: Item, name: str, part: int) -> int:
    return item.strata[name][part] if name in item.strata else 0


class _State:
    """An assignment under way: how far each part is from its goals, and what that costs."""

    def __init__(self, problem: _Problem) -> None:
        self.problem = problem
        self.parts = [-1] * problem.items
        self.off = [[-goal for goal in goals] for goals in problem.goal]
        self.cost: int = sum(sum(map(mul, *pair)) for pair in zip(problem.goal, problem.worth, strict=True))

    def put(self, item: int, part: int) -> None:
        """Move an item to a part; -1 takes it out."""
        if self.parts[item] >= 0:
            self._shift(item, self.parts[item], -1)
        if part >= 0:
            self._shift(item, part, 1)
        self.parts[item] = part

    def _shift(self, item: int, part: int, sign: int) -> None:
        off, worth = self.off[part], self.problem.worth[part]
        for k, weight in self.problem.load[part][item]:
            before = off[k]
            after = before + sign * weight
            self.cost += (abs(after) - abs(before)) * worth[k]
            off[k] = after


def _searched(problem: _Problem, chance: random.Random) -> tuple[int, list[int]]:
    """Cost and parts from one start."""
    state = _State(problem)
    order = sorted(range(problem.items), key=lambda item: (-problem.load[0][item][0][1], chance.random()))
    for item in order:
        _put_best(state, item)
    best = state.cost, list(state.parts)
    steps = min(_STEPS_A_GROUP * problem.items, _MOST_STEPS)
    first = state.cost // (4 * problem.items) + 1
    for step in range(steps):
        before = state.cost
        undo = _changed(state, chance)
        if state.cost - before > first * (steps - step) // steps:
            for item, part in undo:
                state.put(item, part)
        elif state.cost < best[0]:
            best = state.cost, list(state.parts)
    for item, part in enumerate(best[1]):
        state.put(item, part)
    _descend(state)
    return state.cost, list(state.parts)


def _put_best(state: _State, item: int) -> None:
    """The item into the part where it costs least."""
    costs = []
    for part in range(state.problem.parts):
        state.put(item, part)
        costs.append((state.cost, part))
    state.put(item, min(costs)[1])


def _changed(state: _State, chance: random.Random) -> list[tuple[int, int]]:
    """Move a random item, or exchange two; how to undo it."""
    problem = state.problem
    item = int(chance.random() * problem.items)
    part = state.parts[item]
    if chance.random() < 0.5:
        state.put(item, (part + 1 + int(chance.random() * (problem.parts - 1))) % problem.parts)
        return [(item, part)]
    other = int(chance.random() * problem.items)
    theirs = state.parts[other]
    state.put(item, theirs)
    state.put(other, part)
    return [(other, theirs), (item, part)]


def _descend(state: _State) -> None:
    """Moves, and where they are not too many exchanges, as long as one of them is for the better."""
    better = True
    while better:
        before = state.cost
        for item in range(state.problem.items):
            _put_best(state, item)
        if state.problem.items <= _ALL_PAIRS:
            for one, other in itertools.combinations(range(state.problem.items), 2):
                cost, parts = state.cost, (state.parts[one], state.parts[other])
                if parts[0] != parts[1]:
                    state.put(one, parts[1])
                    state.put(other, parts[0])
                    if state.cost >= cost:
                        state.put(one, parts[0])
                        state.put(other, parts[1])
        better = state.cost < before


def _proved(problem: _Problem, cost: int, parts: list[int]) -> tuple[int, list[int], bool]:
    """The best of all assignments, where the tree of them is searched within the budget; else the one given."""
    if cost == 0 or problem.items > _MOST_PROVED:
        return cost, parts, cost == 0
    search = _Search(problem, cost, parts)
    complete = search.visit(0, 0)
    return search.cost, search.parts, complete


class _Search:
    """Branch and bound: what is too much in a part only grows with further items."""

    def __init__(self, problem: _Problem, cost: int, parts: list[int]) -> None:
        self.problem, self.cost, self.parts = problem, cost, parts
        self.order = sorted(range(problem.items), key=lambda item: (-problem.load[0][item][0][1], item))
        self.state = _State(problem)
        self.nodes = 0

    def visit(self, depth: int, over: int) -> bool:
        """Try every part for the items from a depth on; False when the budget is spent."""
        if depth == len(self.order):
            if self.state.cost < self.cost:
                self.cost, self.parts = self.state.cost, list(self.state.parts)
            return True
        item = self.order[depth]
        branches = sorted((over + self._added(item, part), part) for part in range(self.problem.parts))
        for now, part in branches:
            if now >= self.cost:
                break
            self.nodes += 1
            if self.nodes > _NODES:
                return False
            self.state.put(item, part)
            if not self.visit(depth + 1, now):
                return False
            self.state.put(item, -1)
        return True

    def _added(self, item: int, part: int) -> int:
        off, sure = self.state.off[part], self.problem.sure[part]
        return sum((max(0, off[k] + weight) - max(0, off[k])) * sure[k] for k, weight in self.problem.load[part][item])

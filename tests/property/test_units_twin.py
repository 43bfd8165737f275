"""The boundary-tolerant alignment: the cheapest path of a slow, obvious twin, and what holds for every path."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh import _native

Interval = tuple[float, float]
Row = tuple[int, ...]


class Task:
    """What is aligned, as plain lists; by default words of one class, without times, spans or blocks."""

    def __init__(self, reference, hypothesis, classes=None, times=None, spans=((), ()), blocks=()):
        self.keys = (reference, hypothesis)
        self.classes = classes or ([1] * len(reference), [1] * len(hypothesis))
        self.times: tuple[list[Interval], list[Interval]] | None = times
        self.spans: tuple[list[Row], list[Row]] = spans
        self.blocks: list[Row] = blocks

    def align(self, **options: int) -> list[list[int]]:
        def rows(of, width, kind=np.int32):
            return np.array(of, kind).reshape(-1, width)

        return _native.align_units(
            *(np.array(side, np.int32) for side in self.keys),
            *(np.array(side, np.int8) for side in self.classes),
            *((rows(side, 2, np.float64) for side in self.times) if self.times else (None, None)),
            *(rows(side, 4) for side in self.spans),
            rows(self.blocks, 5),
            **options,
        ).tolist()

    def may_meet(self, i0, i1, j0, j1) -> bool:
        if self.times is None or i0 == i1 or j0 == j1:
            return True
        ours, theirs = self.times
        return ours[i0][0] < theirs[j1 - 1][1] and theirs[j0][0] < ours[i1 - 1][1]

    def cost(self, i0, i1, j0, j1, a, b) -> tuple[int, int] | None:
        """Errors and effort of one step; None where it is not allowed."""
        if not self.may_meet(i0, i1, j0, j1):
            return None
        if a >= 0:
            one, two = self.spans[0][a], self.spans[1][b]
            return (one[3] + two[3], 1) if one[2] == two[2] and (*one[:2], *two[:2]) == (i0, i1, j0, j1) else None
        if b >= 0:
            return (self.blocks[b][4], 1) if tuple(self.blocks[b][:4]) == (i0, i1, j0, j1) else None
        if (i1 - i0, j1 - j0) in {(1, 0), (0, 1)}:
            return 1, 0
        if (i1 - i0, j1 - j0) != (1, 1):
            return None
        if self.keys[0][i0] == self.keys[1][j0]:
            return 0, 0
        one, two = self.classes[0][i0], self.classes[1][j0]
        if one == two:
            return 1, 1
        return (1, 2) if one and two else None

    def steps(self) -> list[Row]:
        """Every step there is, whether it is allowed or not."""
        n, m = map(len, self.keys)
        cells = [(i, j) for i in range(n + 1) for j in range(m + 1)]
        plain = [
            (i, i + di, j, j + dj, -1, -1) for i, j in cells for di, dj in ((0, 1), (1, 0), (1, 1)) if i + di <= n and j + dj <= m
        ]
        blocks = [(*block[:4], -1, b) for b, block in enumerate(self.blocks)]
        pairs = [(*one[:2], *two[:2], a, b) for a, one in enumerate(self.spans[0]) for b, two in enumerate(self.spans[1])]
        return plain + blocks + pairs


def slow_cost(task: Task) -> tuple[int, int]:
    """Every step from every cell, cells in order."""
    best = {(0, 0): (0, 0)}
    for step in sorted(task.steps(), key=lambda step: (step[0] + step[2], step)):
        i0, i1, j0, j1 = step[:4]
        cost = task.cost(*step)
        if cost is not None:
            arrived = (best[i0, j0][0] + cost[0], best[i0, j0][1] + cost[1])
            best[i1, j1] = min(arrived, best.get((i1, j1), arrived))
    return best[tuple(map(len, task.keys))]


def path_cost(task: Task, steps: list[list[int]]) -> tuple[int, int]:
    """What the steps cost, each of which is allowed and starts where the last one ended."""
    at = [0, 0]
    total = [0, 0]
    for step in steps:
        i0, i1, j0, j1 = step[:4]
        cost = task.cost(*step)
        assert cost is not None, step
        assert [i0, j0] == at
        at = [i1, j1]
        total = [total[0] + cost[0], total[1] + cost[1]]
    assert at == list(map(len, task.keys))
    return total[0], total[1]


@st.composite
def intervals(draw, size):
    """Begin and end on a coarse grid, so that touching intervals and points are frequent."""
    begins = sorted(draw(st.lists(st.integers(0, 8), min_size=size, max_size=size)))
    lengths = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    return [(float(begin), float(begin + length)) for begin, length in zip(begins, lengths, strict=True)]


@st.composite
def stretches(draw, size, least):
    start = draw(st.integers(0, size - least))
    return start, draw(st.integers(start + least, min(size, start + 16)))


@st.composite
def tasks(draw, longest=14, keys=4):
    sides = [draw(st.lists(st.integers(0, keys - 1), max_size=longest)) for _ in range(2)]
    sizes = list(map(len, sides))
    classes = [draw(st.lists(st.integers(-1, 2), min_size=size, max_size=size)) for size in sizes]
    times = tuple(draw(intervals(size)) for size in sizes) if draw(st.booleans()) else None
    spans = []
    for size in sizes:
        rows = st.tuples(stretches(size, 1), st.integers(0, 2), st.integers(0, 2)) if size else st.nothing()
        spans.append([(*stretch, key, cost) for stretch, key, cost in draw(st.lists(rows, max_size=8 if size else 0))])
    boxes = st.tuples(stretches(sizes[0], 0), stretches(sizes[1], 0), st.integers(0, 4))
    blocks = [(*one, *two, cost) for one, two, cost in draw(st.lists(boxes, max_size=6)) if one[0] < one[1] or two[0] < two[1]]
    return Task(*sides, tuple(classes), times, tuple(spans), blocks)


@given(tasks())
@settings(max_examples=500)
def test_no_path_is_cheaper(task):
    assert path_cost(task, task.align()) == slow_cost(task)


@given(tasks(longest=40))
@settings(max_examples=150)
def test_a_table_in_pieces_gives_the_same_steps(task):
    whole = task.align()
    assert path_cost(task, whole) == slow_cost(task)
    assert task.align(most_cells=1) == whole


@given(tasks(longest=30, keys=1), st.integers(1, 5))
@settings(max_examples=100)
def test_one_word_repeated_with_a_span_at_every_place(task, length):
    spans = [[(k, k + size, 0, 0) for size in {1, length} for k in range(len(side) - size + 1)] for side in task.keys]
    task = Task(task.keys[0], [key + 1 for key in task.keys[1]], task.classes, task.times, tuple(spans), task.blocks)
    steps = task.align()
    assert path_cost(task, steps) == slow_cost(task)
    assert task.align(most_cells=1) == steps


def random_task(seed: int, size: int, timed: bool) -> Task:
    """A text and a copy of it with 30 % of errors, merged words and blocks."""
    rng = np.random.default_rng(seed)
    reference = rng.integers(0, 50, size).tolist()
    fate = rng.random(size)
    hypothesis, moment, origin = [], [], []
    for k, key in enumerate(reference):
        copies = [key] if fate[k] > 0.3 else [key + 100] if fate[k] > 0.1 else [key, key] if fate[k] > 0.05 else []
        hypothesis += copies
        moment += [(k - 1.0, k + 2.0)] * len(copies)
        origin += [k] * len(copies)
    spans: tuple[list[Row], list[Row]] = ([], [])
    for j in rng.choice(len(hypothesis) - 5, size // 10, replace=False).tolist():
        spans[0].append((origin[j], min(origin[j] + int(rng.integers(1, 5)), size), j % 7, int(rng.integers(0, 2))))
        spans[1].append((j, j + int(rng.integers(1, 5)), j % 7, 0))
    starts = rng.integers(0, min(size, len(hypothesis)) - 16, (size // 20, 2)).tolist()
    blocks = [(i, i + int(rng.integers(1, 16)), i, i + int(rng.integers(0, 16)), j % 3) for i, j in starts]
    classes = ([key % 3 for key in reference], [key % 3 for key in hypothesis])
    times = ([(float(k), k + 1.0) for k in range(size)], moment) if timed else None
    return Task(reference, hypothesis, classes, times, spans, blocks)


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("most_cells", [1, 5000, 1 << 21])
def test_longer_texts(timed, most_cells):
    task = random_task(most_cells, 250, timed)
    assert path_cost(task, task.align(most_cells=most_cells)) == slow_cost(task)


def test_the_steps_do_not_depend_on_where_long_texts_are_divided():
    task = random_task(0, 2500, timed=False)
    steps = task.align()
    path_cost(task, steps)
    assert task.align(most_cells=1 << 14) == steps
    assert task.align(most_cells=1 << 24) == steps


def test_more_units_than_costs_of_32_bits_hold():
    key = np.arange(30_000) % 1000
    task = Task(key.tolist(), np.delete(key, range(100, 30_000, 3000)).tolist(), spans=([(0, 2, 0, 0)], [(0, 2, 0, 0)]))
    assert path_cost(task, task.align()) == (10, 0)


def test_a_match_goes_before_a_block_and_a_block_before_other_words():
    assert Task([1], [1], spans=([(0, 1, 0, 0)], [(0, 1, 0, 0)])).align() == [[0, 1, 0, 1, -1, -1]]
    spans = ([(0, 1, 0, 1)] * 2, [(0, 1, 0, 0)] * 2)
    assert Task([1], [2], spans=spans).align() == [[0, 1, 0, 1, 0, 0]]
    assert Task([1], [2], spans=spans, blocks=[(0, 1, 0, 1, 3), (0, 1, 0, 1, 1), (0, 1, 0, 1, 1)]).align() == [
        [0, 1, 0, 1, -1, 1]
    ]


def test_punctuation_stands_for_no_word():
    assert Task([1], [2], classes=([0], [1])).align() == [[0, 0, 0, 1, -1, -1], [0, 1, 1, 1, -1, -1]]
    assert Task([1], [2], classes=([0], [0])).align() == [[0, 1, 0, 1, -1, -1]]


@pytest.mark.parametrize(
    ("one", "two", "steps"),
    [
        ((0.0, 1.0), (1.0, 2.0), 2),
        ((0.0, 1.0), (0.5, 0.5), 1),
        ((0.0, 1.0), (0.0, 0.0), 2),
        ((1.0, 1.0), (1.0, 1.0), 2),
        ((0.0, 1.0), (0.9, 2.0), 1),
    ],
)
def test_units_meet_where_their_times_overlap(one, two, steps):
    assert len(Task([1], [1], times=([one], [two])).align()) == steps


@pytest.mark.parametrize(
    ("found", "task"),
    [
        ("reference: as many classes", Task([1], [1], classes=([1, 1], [1]))),
        ("hypothesis_times: a begin and an end per unit", Task([1], [1], times=([(0.0, 1.0)], []))),
        ("hypothesis_times, row 0: needs begin <= end", Task([1], [1], times=([(0.0, 1.0)], [(2.0, float("nan"))]))),
        ("reference_spans, row 1: needs 0 <= start < stop", Task([1], [1], spans=([(0, 1, 0, 0), (0, 2, 0, 0)], []))),
        ("hypothesis_spans, row 0: needs 0 <= start < stop", Task([1], [1], spans=([], [(1, 1, 0, 0)]))),
        ("hypothesis_spans, row 0: a cost is never negative", Task([1], [1], spans=([], [(0, 1, 0, -1)]))),
        ("blocks, row 0: needs 0 <= start <= stop", Task([1], [1], blocks=[(0, 1, -1, 1, 0)])),
        ("blocks, row 0: both sides are empty", Task([1], [1], blocks=[(0, 0, 1, 1, 0)])),
        ("blocks, row 0: a cost is never negative", Task([1], [1], blocks=[(0, 0, 0, 1, -1)])),
    ],
)
def test_what_is_no_alignment_task_is_refused(found, task):
    with pytest.raises(ValueError, match=f"^{re.escape(found)}"):
        task.align()


@pytest.mark.parametrize(
    ("position", "found"), [(4, "both sides or on neither"), (6, "reference_spans: rows of 4"), (8, "blocks: rows of 5")]
)
def test_arrays_of_another_shape_are_refused(position, found):
    arguments = [np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int8), np.zeros(1, np.int8), None, None]
    arguments += [np.zeros((0, width), np.int32) for width in (4, 4, 5)]
    assert _native.align_units(*arguments).tolist() == [[0, 1, 0, 1, -1, -1]]
    arguments[position] = np.zeros((1, 2)) if position == 4 else np.zeros((0, 3), np.int32)
    with pytest.raises(ValueError, match=found):
        _native.align_units(*arguments)


GROWTH = """
import re
import numpy as np
from parakh import _native

def most_memory():
    return int(re.search(r"VmHWM:[^0-9]*([0-9]+)", open("/proc/self/status").read())[1])

size, spans = {size}, {spans}
starts = np.arange(spans)
rows = np.stack([starts, starts + 2, starts * 0, starts * 0], axis=1).astype(np.int32)
keys = np.arange(size).astype(np.int32) % 997
classes, blocks = np.ones(size, np.int8), np.zeros((0, 5), np.int32)
before = most_memory()
_native.align_units(keys, keys[::-1].copy(), classes, classes, None, None, rows, rows, blocks)
print(most_memory() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc/self/status, which says how much memory was used")
@pytest.mark.parametrize(("size", "spans"), [(20_000, 0), (6_000, 5_998)])
def test_memory_stays_small(size, spans):
    """A whole table of 32-bit costs would be 1.6 GB and 144 MB; the pairs of spans would be 36 million."""
    program = GROWTH.format(size=size, spans=spans)
    grown = int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
    assert 0 < grown < 60_000

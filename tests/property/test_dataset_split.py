"""A split shares no person, loses no recording, is the same on every run, and is as near as a slow search says it can be."""

import itertools
import random
from fractions import Fraction
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from parakh.dataset.assignment import Item, assign
from parakh.dataset.grouping import Unknown, groups, persons
from parakh.dataset.manifest import Dataset
from parakh.dataset.split import Plan, split
from parakh.dataset.values import field_value
from parakh.errors import InputError
from parakh.types import Entry, Recording, Speaker


def deviation(items, asked, parts):
    """The formula of the module, in fractions."""
    total = Fraction(0)
    names = {name for item in items for name in item.strata}
    for part, size in enumerate(asked):
        held = {"": 0, **dict.fromkeys(names, 0)}
        whole = dict(held)
        for item, place in zip(items, parts, strict=True):
            for name, sizes in (("", item.size), *item.strata.items()):
                whole[name] += sizes[part]
                held[name] += sizes[part] * (place == part)
        # |held - size x whole / all| / size, all over one denominator
        off = sum(abs(held[name] * whole[""] - size * whole[name]) * (1 if name else 2) for name in held)
        total += Fraction(off, size * whole[""])
    return total


@st.composite
def problems(draw, most=5):
    count = draw(st.integers(2, most))
    parts = draw(st.integers(2, 3))
    counted = draw(st.lists(st.booleans(), min_size=parts, max_size=parts)) if draw(st.booleans()) else [False] * parts
    items = []
    for _ in range(count):
        strata = draw(st.dictionaries(st.sampled_from("xyz"), st.integers(1, 50), min_size=1, max_size=2))
        sizes = {name: [1 if one else ms for one in counted] for name, ms in strata.items()}
        items.append(Item([sum(column) for column in zip(*sizes.values(), strict=True)], sizes))
    whole = [sum(item.size[part] for item in items) for part in range(parts)]
    asked = [draw(st.integers(1, whole[part])) for part in range(parts)]
    if draw(st.booleans()):  # as it is asked for: the last is the rest
        asked = [
            max(1, whole[0] * share // 100) for share in draw(st.sampled_from([(10, 90), (50, 50), (10, 20, 70), (30, 30, 40)]))
        ]
        asked = (asked * 2)[:parts]
    return items, asked


@given(problems())
@settings(max_examples=60)
def test_small_sets_are_split_as_well_as_can_be(problem):
    items, asked = problem
    every = itertools.product(range(len(asked)), repeat=len(items))
    least = min(deviation(items, asked, parts) for parts in every)
    found = assign(items, asked, seed=1)
    assert found.exact
    assert deviation(items, asked, found.parts) == least
    assert abs(found.deviation - least) <= 1e-9 * max(1, least)
    assert found.bound == found.deviation


@given(problems(most=20), st.integers(0, 3))
@settings(max_examples=8)
def test_no_split_is_worse_than_the_best_of_a_thousand_random_ones(problem, seed):
    items, asked = problem
    chance = random.Random(seed)
    dice = ([chance.randrange(len(asked)) for _ in items] for _ in range(1000))
    best = min(deviation(items, asked, parts) for parts in dice)
    found = assign(items, asked, seed)
    assert deviation(items, asked, found.parts) <= best
    assert found.bound <= found.deviation + 1e-12


@st.composite
def data_sets(draw):
    count = draw(st.integers(2, 14))
    entries = []
    for number in range(count):
        who = draw(st.lists(st.sampled_from("ABCDEFGH") | st.none(), max_size=2))
        entries.append(
            Entry(
                Recording(
                    f"v{number}",
                    duration=draw(st.floats(1, 5000)),
                    language=draw(st.sampled_from(["hi", "kn"])),
                    metadata=draw(st.fixed_dictionaries({}, optional={"village": st.sampled_from("xyz")})),
                ),
                speakers=tuple(Speaker(f"v{number}", f"s{k}", person) for k, person in enumerate(who)),
            )
        )
    return entries


@given(data_sets(), st.sampled_from([(), ("village",)]), st.sampled_from([Unknown.OWN, Unknown.TOGETHER]), st.integers(0, 2))
@settings(max_examples=25)
def test_parts_are_disjoint_and_complete_and_the_same_every_time(entries, group_by, unknown, seed):
    group_by = [field for field in group_by if any(field_value(one, field) for one in entries)]
    plan = Plan(("dev=30%", "eval=rest"), ("language",), group_by, unknown, seed, tolerance=1e9)
    try:
        made = split(Dataset(Path("x"), tuple(entries)), plan)
    except InputError:
        assume(False)  # fewer groups than parts, or nothing for one of them
    assert sorted(session for part in made.parts for session in part.recordings) == sorted(one.session_id for one in entries)
    place = made.of()
    for one, other in itertools.combinations(entries, 2):
        shared = bool(persons(one) & persons(other))
        shared |= (
            bool(group_by)
            and field_value(one, "village") is not None
            and field_value(one, "village") == field_value(other, "village")
        )
        if shared:
            assert place[one.session_id] == place[other.session_id]
    assert abs(sum(part.whole.asked - part.whole.size for part in made.parts)) < 1e-2
    again = split(Dataset(Path("x"), tuple(reversed(entries))), plan)
    assert again.of() == place, "the order of the manifest decides nothing"


@given(data_sets())
def test_groups_are_the_connected_components(entries):
    found = groups(entries, unknown=Unknown.OWN)
    joined = {one.session_id: {one.session_id} for one in entries}
    for _ in entries:  # the slow way: merge until nothing changes
        for one, other in itertools.combinations(entries, 2):
            if persons(one) & persons(other):
                both = joined[one.session_id] | joined[other.session_id]
                for session in both:
                    joined[session] = both
    assert {frozenset(one.session_id for one in group.entries) for group in found} == set(map(frozenset, joined.values()))
    assume(found)
    assert all(group.persons == tuple(sorted(set().union(*map(persons, group.entries)))) for group in found)

"""The fewest errors against a reference with slots are those of the best choice, tried one by one."""

from itertools import pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.diagnostics._lattice_paths import Link, Token, cheapest
from parakh.diagnostics.alignment import align_texts
from parakh.diagnostics.lattice import first_wording, lattice_errors, parse_lattice
from parakh.diagnostics.setup import Setup
from parakh.types import Op

TOKENS = st.sampled_from([("a", False), ("b", False), ("c", False), (",", True), (".", True)])
WORDINGS = st.lists(TOKENS, max_size=3).map(tuple)
LINKS = st.lists(st.lists(WORDINGS, max_size=3).map(tuple), max_size=4)
HYPOTHESES = st.lists(TOKENS, max_size=6)


def slow_distance(said: tuple[Token, ...], heard: list[Token]) -> tuple[int, int]:
    """(errors, matches) of two token sequences: fewest errors, then most matches; a mark only stands for a mark."""
    table = {(i, 0): (i, 0) for i in range(len(said) + 1)} | {(0, j): (j, 0) for j in range(len(heard) + 1)}
    for i, j in product(range(1, len(said) + 1), range(1, len(heard) + 1)):
        one, other = said[i - 1], heard[j - 1]
        change = (0, -1) if one == other else (1 if one[1] == other[1] else 2, 0)
        ways = ((table[i - 1, j - 1], change), (table[i - 1, j], (1, 0)), (table[i, j - 1], (1, 0)))
        table[i, j] = min((before[0] + step[0], before[1] + step[1]) for before, step in ways)
    errors, matches = table[len(said), len(heard)]
    return errors, -matches


def slow(links: list[Link], heard: list[Token]) -> tuple[int, int]:
    """(errors, matches) of the best choice; what any words take is tried stretch by stretch."""
    gaps = [k for k, link in enumerate(links) if not link]
    best = None
    for choice in product(*(link for link in links if link)):
        wordings = iter(choice)
        parts: list[tuple[Token, ...]] = [()]
        for link in links:
            if link:
                parts[-1] += next(wordings)
            else:
                parts.append(())
        for cuts in product(range(len(heard) + 1), repeat=2 * len(gaps)):
            places = (0, *cuts, len(heard))
            if any(one > other for one, other in pairwise(places)):
                continue
            figures = [slow_distance(part, heard[places[2 * k] : places[2 * k + 1]]) for k, part in enumerate(parts)]
            total = sum(errors for errors, _ in figures), -sum(matches for _, matches in figures)
            best = min(best, total) if best else total
    assert best is not None
    return best[0], -best[1]


@settings(deadline=None, max_examples=400)
@given(LINKS.filter(lambda links: sum(not link for link in links) <= 2), HYPOTHESES)
def test_the_best_choice_has_as_few_errors(links: list[Link], heard: list[Token]) -> None:
    path = cheapest(links, heard)
    errors, matches = slow(links, heard)
    assert path.substitutions + path.deletions + path.insertions == errors
    taken = sum(len(link[choice]) for link, (choice, _, _) in zip(links, path.choices, strict=True) if link)
    assert taken - path.substitutions - path.deletions == matches


@settings(deadline=None, max_examples=400)
@given(LINKS, HYPOTHESES)
def test_the_choices_told_make_up_the_errors_told(links: list[Link], heard: list[Token]) -> None:
    path = cheapest(links, heard)
    stretches = [(start, stop) for _, start, stop in path.choices]
    assert all(stop == start for (_, stop), (start, _) in pairwise(stretches))
    before = stretches[0][0] if links else len(heard)
    errors = before + sum(
        slow_distance(link[choice], heard[start:stop])[0]
        for link, (choice, start, stop) in zip(links, path.choices, strict=True)
        if link
    )
    assert errors == path.substitutions + path.deletions + path.insertions


WORDS = st.lists(st.sampled_from(["दवा", "दवाई", "लो", "हाँ", "2", "२", ",", "।"]), max_size=8).map(" ".join)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_without_slots_errors_are_those_of_the_alignment(reference: str, hypothesis: str) -> None:
    setup = Setup("hi", boundaries=False, numbers=False)
    charges = [charge for pair in align_texts(reference, hypothesis, setup) for charge in pair.errors]
    counts = lattice_errors(reference, hypothesis, setup, marks=True)
    assert (counts.errors, counts.length) == (len(charges), len(reference.split()))
    assert counts.substitutions == sum(charge.op is Op.SUBSTITUTION for charge in charges)


SLOTS = st.lists(st.sampled_from(["दवा", "{ दवा / दवाई }", "{*}", "{ लो / ले लो / @ }", "{ / हाँ }"]), max_size=6).map(" ".join)


@settings(deadline=None)
@given(SLOTS, WORDS)
def test_a_slot_never_adds_errors_and_the_length_is_that_of_the_first_wordings(reference: str, hypothesis: str) -> None:
    counts = lattice_errors(reference, hypothesis, Setup("hi"))
    plain = lattice_errors(first_wording(reference), hypothesis, Setup("hi"))
    assert counts.errors <= plain.errors
    assert counts.length == plain.length
    assert len(counts.taken) == sum(len(slot.alternatives) != 1 for slot in parse_lattice(reference))

"""What ranks and letters promise whatever the figures are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parakh.leaderboard.ranking import ranks, sort_key
from parakh.significance import holm, letters

values = st.lists(st.one_of(st.none(), st.sampled_from([0.1, 0.2, 0.30000000000000004, 0.3, 1.5])), max_size=12)


def keys(given_values: list[float | None], metric: str = "wer") -> list[tuple[tuple[bool, float], ...]]:
    return [sort_key([value], [metric]) for value in given_values]


@given(values, st.sampled_from(["wer", "topic_f1"]), st.data())
def test_a_rank_is_one_more_than_the_number_that_are_better(found: list[float | None], metric: str, data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.booleans(), min_size=len(found), max_size=len(found)))
    for value, counted, rank in zip(found, counts, ranks(keys(found, metric), counts), strict=True):
        if value is None or not counted:
            assert rank is None
            continue
        sign = 1 if metric == "wer" else -1
        rivals = [other for other, ranked in zip(found, counts, strict=True) if ranked and other is not None]
        assert rank == 1 + sum(sign * other < sign * value - 1e-12 for other in rivals)


@given(values)
def test_an_undefined_value_never_comes_before_another(found: list[float | None]) -> None:
    for metric in ("wer", "topic_f1"):
        ordered = sorted(found, key=lambda value: sort_key([value], [metric]))
        undefined = [value is None for value in ordered]
        assert undefined == sorted(undefined)


@st.composite
def p_tables(draw: st.DrawFn) -> list[list[float | None]]:
    count = draw(st.integers(1, 8))
    p = st.one_of(st.none(), st.sampled_from([0.0001, 0.01, 0.04, 0.06, 0.5, 1.0]))
    table: list[list[float | None]] = [[None] * count for _ in range(count)]
    for row in range(count):
        for column in range(row):
            table[row][column] = table[column][row] = draw(p)
    return table


@given(p_tables(), st.data())
def test_a_letter_is_carried_by_whoever_does_not_differ_from_its_leader(
    table: list[list[float | None]], data: st.DataObject
) -> None:
    leads = data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    found = letters(leads, table.__getitem__, 0.95)
    for letter in sorted(set("".join(found))):
        # The leader is the best that has no earlier letter.
        leader = next(place for place, own in enumerate(found) if leads[place] and own[:1] == letter)
        for place, p in enumerate(holm(table[leader])):
            assert (letter in found[place]) == (place == leader or (p is not None and p >= 0.05))
    assert all(own for own, may in zip(found, leads, strict=True) if may)
    assert all(list(own) == sorted(own) for own in found)


def test_no_more_than_26_groups() -> None:
    count = 40
    apart: list[list[float | None]] = [[None if row == column else 1e-9 for column in range(count)] for row in range(count)]
    found = letters([True] * count, apart.__getitem__, 0.95)
    assert found == [*"abcdefghijklmnopqrstuvwxyz", *[""] * 14]

"""Order, ranks and groups of systems: pure functions of their figures."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from string import ascii_lowercase

from parakh import metrics as metric_registry
from parakh.metrics import Better
from parakh.significance import holm, steady

SortKey = tuple[tuple[bool, float], ...]


def sort_key(values: Sequence[float | None], metrics: Sequence[str]) -> SortKey:
    """What orders systems, the best first and undefined values last; equal to the twelfth digit is equal.

    Args:
        values: Of the metric that ranks and of those that break ties; None where undefined.
        metrics: Their names.

    >>> sort_key([0.25, None], ["wer", "cer"])
    ((False, 0.25), (True, 0.0))
    """
    return tuple(_key(value, name) for value, name in zip(values, metrics, strict=True))


def ranks(keys: Sequence[SortKey], counts: Sequence[bool]) -> list[int | None]:
    """The rank of each system; equals share one, and the next after two seconds is the fourth.

    Args:
        keys: ``sort_key`` of each, in any order.
        counts: Whether a system has a rank at all (a baseline has none, and takes none away).

    Returns:
        From 1; None for a system that has no rank or no value of the metric that ranks.

    >>> keys = [sort_key([value], ["wer"]) for value in (0.2, 0.1, None, 0.2, 0.3)]
    >>> ranks(keys, [True] * 5)
    [2, 1, None, 2, 4]
    """
    competing = sorted(key for key, ranked in zip(keys, counts, strict=True) if ranked and _has_value(key))
    return [
        bisect_left(competing, key) + 1 if ranked and _has_value(key) else None for key, ranked in zip(keys, counts, strict=True)
    ]


def letters(leads: Sequence[bool], p_values: Callable[[int], Sequence[float | None]], level: float) -> list[str]:
    """The groups of systems that are not significantly different from the group's best.

    The best system leads group "a". Every other is tested against it, and those that do not differ carry its letter. The best
    that carries no letter leads the next group, and is tested against all others again; so systems between two groups carry
    both letters. Within a group's tests the p-values are adjusted (Holm). No more than 26 groups are formed.

    Args:
        leads: Whether a system may lead a group; systems from the best to the worst.
        p_values: Of the tests of one system, by its place, against all; None for itself and where no test can be made.
        level: Of the tests, in (0, 1); 0.95 calls those different whose adjusted p is below 0.05.

    Returns:
        The letters of each system; "" beyond the last group, or where no test can be made.

    >>> table = [[None, 0.4, 0.001], [0.4, None, 0.2], [0.001, 0.2, None]]
    >>> letters([True, True, True], table.__getitem__, 0.95)
    ['a', 'ab', 'b']
    """
    found = [""] * len(leads)
    for letter in ascii_lowercase:
        leader = next((place for place, may in enumerate(leads) if may and not found[place]), None)
        if leader is None:
            break
        for place, p in enumerate(holm(p_values(leader))):
            if place == leader or (p is not None and p >= steady(1 - level)):
                found[place] += letter
    return found


def _key(value: float | None, metric: str) -> tuple[bool, float]:
    if value is None:
        return True, 0.0
    return False, steady(value if metric_registry.get(metric).better is Better.LOWER else -value)


def _has_value(key: SortKey) -> bool:
    return not key[0][0]

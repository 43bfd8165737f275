"""Order and ranks of systems: pure functions of their figures."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from parakh import metrics as metric_registry
from parakh.metrics import Better
from parakh.significance import steady

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


def _key(value: float | None, metric: str) -> tuple[bool, float]:
    if value is None:
        return True, 0.0
    return False, steady(value if metric_registry.get(metric).better is Better.LOWER else -value)


def _has_value(key: SortKey) -> bool:
    return not key[0][0]

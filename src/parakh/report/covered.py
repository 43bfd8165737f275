"""Which recordings the values of a table or a figure are of, as a sentence: systems need not have the same ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from parakh.comparison import Comparison
from parakh.errors import counted, listed
from parakh.significance import least_p, steady


def by_all(common: int, subset: Mapping[str, Mapping[str, int]], own: Mapping[str, int]) -> str:
    """What values on common recordings are of.

    Args:
        common: How many recordings all systems have.
        subset: How many of them fall under each value of each field.
        own: How many recordings each system has.

    >>> by_all(2, {"language": {"hi": 2}}, {"a": 3, "b": 2})
    'Values are of the 2 recordings that all were scored on (language hi 2); each was scored on: a 3, b 2.'
    """
    cuts = [f"{field} {', '.join(f'{value} {count}' for value, count in held.items())}" for field, held in subset.items()]
    cut = f" ({'; '.join(cuts)})" if cuts else ""
    return f"Values are of the {counted(common, 'recording')} that all were scored on{cut}; each was scored on: {_listed(own)}."


def by_each(own: Mapping[str, int]) -> str:
    """What values are of where nothing is common to all systems.

    >>> by_each({"a": 3, "b": 2})
    'Values are of different recordings: a 3, b 2.'
    """
    return f"Values are of different recordings: {_listed(own)}."


def charged(missing: Mapping[str, int]) -> Iterator[str]:
    """Which systems have no answer for some of the recordings that they were scored on; nothing where none lacks one.

    Args:
        missing: How many recordings each system has no answer for.

    >>> list(charged({"a": 0, "b": 2}))
    ['Without an answer, charged in full: b 2 recordings.']
    """
    told = [f"{name} {counted(count, 'recording')}" for name, count in missing.items() if count]
    if told:
        yield f"Without an answer, charged in full: {', '.join(told)}."


def is_too_few(comparison: Comparison) -> bool:
    """Whether no figures whatever on so few recordings would tell the best of several systems apart from another."""
    others = len({one.system for one in comparison.ranking}) - 1
    return others > 0 and others * least_p(comparison.units, comparison.plan.samples) >= steady(1 - comparison.plan.level)


def _listed(own: Mapping[str, int]) -> str:
    return ", ".join(f"{listed([name])} {count}" for name, count in own.items())

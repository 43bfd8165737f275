"""Seconds, counts and ratios in words."""

from __future__ import annotations


def as_time(seconds: float) -> str:
    """A duration in its two greatest units.

    >>> as_time(4.2), as_time(95), as_time(7300), as_time(200000)
    ('4.2 s', '1 min 35 s', '2 h 1 min', '2 d 7 h')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def as_count(number: float) -> str:
    """A large number, rounded.

    >>> as_count(950), as_count(74_000_000), as_count(1.55e9)
    ('950', '74.0 million', '1.6 billion')
    """
    for unit, size in (("billion", 1e9), ("million", 1e6)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:,.0f}"


def as_percent(ratio: float | None) -> str:
    """A ratio for people.

    >>> as_percent(0.2345), as_percent(None)
    ('23.45 %', 'n/a')
    """
    return "n/a" if ratio is None else f"{100 * ratio:.2f} %"

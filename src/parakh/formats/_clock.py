"""Times in the forms that services give them: the clock, ISO 8601 durations, seconds with an s, whole numbers of small units."""

from __future__ import annotations

import re
from decimal import Decimal

from parakh.formats._text import between, later, number

_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{2})(?:[.,](\d{1,9}))?", re.ASCII)
_ISO = re.compile(r"P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?", re.ASCII)
_LONGEST = 60
_SECONDS = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*s(?:ec(?:onds?)?)?", re.ASCII)


def from_clock(text: str) -> float | None:
    """Seconds of a time as ``MM:SS``, ``HH:MM:SS``, either with a fraction, or plain seconds; None for anything else.

    >>> [from_clock(text) for text in ("02:05", "1:02:05.250", "12.5", "12.5s", "00:75", "00:12:345")]
    [125.0, 3725.25, 12.5, 12.5, None, None]
    """
    match = _CLOCK.fullmatch(text[:_LONGEST])
    if match is None:
        plain = _SECONDS.fullmatch(text[:_LONGEST])
        return number(plain[1] if plain else text)
    hours, minutes, seconds, fraction = match.groups()
    if int(seconds) > 59 or (hours and int(minutes) > 59):
        return None
    return float(Decimal(int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)) + Decimal(f"0.{fraction or 0}"))


def iso_duration(text: str) -> float | None:
    """Seconds of an ISO 8601 duration of days, hours, minutes and seconds; None for anything else.

    >>> iso_duration("PT1H0M2.58S"), iso_duration("PT0S"), iso_duration("PT")
    (3602.58, 0.0, None)
    """
    match = _ISO.fullmatch(text[:_LONGEST])
    if match is None or not any(match.groups()):
        return None
    days, hours, minutes = (int(part or 0) for part in match.groups()[:3])
    return float(Decimal(days * 86400 + hours * 3600 + minutes * 60) + Decimal((match[4] or "0").replace(",", ".")))


def end_of(start: float, duration: float) -> float:
    """Where a stretch ends, to 10 ns: durations that others computed as a difference of floats carry noise below that.

    >>> end_of(0.1, 0.2), end_of(93.94, 1.740000000000009)
    (0.3, 95.68)
    """
    return max(start, round(later(repr(start), repr(duration)), 8))


def duration_of(start: float | None, end: float | None) -> float | None:
    """How long a stretch is, so that ``end_of`` gives its end to 10 ns; None without times.

    >>> duration_of(0.1, 0.3), end_of(0.1, 0.2)
    (0.2, 0.3)
    """
    if start is None or end is None:
        return None
    return float(between(repr(float(start)), repr(max(float(start), round(end, 8)))))

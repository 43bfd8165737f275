r"""Masking of personal numbers in what is printed, in one place.

Whoever prints something that may hold words of a recording, a path or an id passes it through ``masked``. It is wider than the
checks, which look for numbers of a certain kind: whatever could be a part of one goes. What stays readable: dates
(``2023-05-22``, ``20230522_101530``), times in seconds (also 0.30000000000000004), checksums, and numbers of up to six digits. A
number written as a list of small ones ("93, 5006, 794") stays too, and so do number words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from parakh.errors import InputError, ParakhError
from parakh.text.folds import ascii_digits
from parakh.text.personal import Group, Kind, find, runs

MARK = "•"
"""Stands for a sign that is not shown."""
_SHOWN = 2
_LEAST = 7
_LEAST_JOINED = 10
_LISTED = re.compile("[,।॥|/]")
_DATE = re.compile("(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9])?")
_DAY = re.compile(
    r"(?:19|20)[0-9]{2}([-./_])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12][0-9]|3[01])"
    r"|(?:0?[1-9]|[12][0-9]|3[01])([-./_])(?:0?[1-9]|1[0-2])\2(?:19|20)[0-9]{2}"
)
_CLOCK = re.compile("(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]")
_DECIMAL = re.compile(r"[0-9]{1,6}\.[0-9]{1,3}")
_ITEM = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,3})?")
_FLOAT = re.compile(r"(?<![0-9.])(?=[0-9.]{16})[0-9]{1,6}\.[0-9]+(?![0-9.])")
"""A number as computers write it, to the noise of its last digits."""
_CHECKSUM = re.compile(r"(?<![0-9A-Za-z])(?=[0-9]*[a-f])[0-9a-f]{64}(?![0-9A-Za-z])")
_UNIT = re.compile(r" (?:bytes|samples|frames|Hz|ms)\b")


def private(error: ParakhError) -> ParakhError:
    """An error as it may be printed: files, recordings and fields are sometimes called after somebody's telephone number.

    >>> from parakh.errors import Fault
    >>> print(private(InputError(Fault("98765432.lm", "", "call 9876543210", "text"))))
    ••••••32.lm: found call ••••••••10, expected text.
    """
    if not isinstance(error, InputError):
        return error
    faults = [
        one
        if one.path.startswith("-")  # an option; the limits that it names are no data
        else replace(one, path=masked(one.path), field=masked(one.field), found=masked(one.found), expected=masked(one.expected))
        for one in error.faults
    ]
    return InputError(faults, error.more)


def masked(text: str) -> str:
    """A text in which no personal number can be read: all but its last two digits become marks, an address all of it.

    Args:
        text: A message, a path, an id, a stretch of a transcript.

    Returns:
        A text of the same length. What was masked once stays as it is.

    >>> masked("call 98765-43210 or asha@example.com, BP 140/90, 2023-05-22")
    'call •••••-•••10 or ••••••••••••••••, BP 140/90, 2023-05-22'
    """
    if not any(sign.isdecimal() or sign == "@" for sign in text) and not find(text):
        return text
    signs = list(text)
    plain = ascii_digits(text)
    floats = [match.span() for match in _FLOAT.finditer(plain)]
    for one in find(text, name=True, strict=False):
        if not _is_inside(floats, one.start, one.end):
            _cover(signs, one.start, one.end, digits_only=one.kind in (Kind.PHONE, Kind.AADHAAR))
    kept = floats + [match.span() for match in _CHECKSUM.finditer(plain)]
    for run in runs(text):
        parts = _parts(run)
        for part in [run] if _is_disguised(plain, parts) else parts:
            start, end = part[0].start, part[-1].end
            if not _is_inside(kept, start, end) and _could_be_personal(plain, part):
                _cover(signs, start, end, digits_only=True)
    return "".join(signs)


def _is_inside(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def _cover(signs: list[str], start: int, end: int, *, digits_only: bool) -> None:
    places = [at for at in range(start, end) if signs[at].isdecimal() or (not digits_only and not signs[at].isspace())]
    shown = places[-_SHOWN:] if digits_only else []
    for at in places:
        if at not in shown:
            signs[at] = MARK


def _parts(run: Sequence[Group]) -> list[list[Group]]:
    """A run cut at commas, dandas and slashes, which separate the items of a list, values and the folders of a path."""
    parts: list[list[Group]] = []
    for group in run:
        if group.gap is None or _LISTED.search(group.gap):
            parts.append([group])
        else:
            parts[-1].append(group)
    return parts


def _is_disguised(plain: str, parts: Sequence[Sequence[Group]]) -> bool:
    """Whether the items of a list are no small plain numbers, so that it may be one number with odd signs in it."""
    count = sum(len(group.digits) for part in parts for group in _without_dates(plain, part))
    return count >= _LEAST_JOINED and not all(
        _ITEM.fullmatch(plain[part[0].start : part[-1].end]) or not _without_dates(plain, part) for part in parts
    )


def _could_be_personal(plain: str, part: Sequence[Group]) -> bool:
    """Whether that many digits stand together which are neither a date nor a decimal number nor a size."""
    rest = _without_dates(plain, part)
    count = sum(len(group.digits) for group in rest)
    if count < _LEAST:
        return False
    text = plain[rest[0].start : rest[-1].end]
    if count < _LEAST_JOINED and (_DECIMAL.fullmatch(text) or (len(rest) == 1 and _UNIT.match(plain, rest[-1].end))):
        return False
    return count >= _LEAST_JOINED or max(len(group.digits) for group in rest) >= 5 or len(rest) <= 3


def _without_dates(plain: str, part: Sequence[Group]) -> list[Group]:
    rest = list(part)
    for at in range(len(part)):
        three = part[at : at + 3]
        if len(three) == 3 and _DAY.fullmatch(plain[three[0].start : three[-1].end]):
            rest = [group for group in rest if group not in three]
        elif _DATE.fullmatch(part[at].digits):
            clock = part[at + 1 : at + 2]
            dated = [part[at], *(group for group in clock if _CLOCK.fullmatch(group.digits))]
            rest = [group for group in rest if group not in dated]
    return rest

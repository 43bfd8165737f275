"""The parts that a data set is to be split into, as they are asked for: ``dev1=2h``, ``dev2=10%``, ``test=30``, ``eval=rest``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parakh.dataset.values import is_text
from parakh.errors import Fault, InputError

REST = "rest"
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(h|m|min|%)|(\d+)", re.ASCII)
_EXPECTED = "NAME=AMOUNT, the amount as 2h, 90m, 10%, 30 (recordings) or rest"
_MS = {"h": 3_600_000, "m": 60_000, "min": 60_000}


@dataclass(frozen=True)
class Part:
    """One part.

    Args:
        name: What it is called.
        asked: The amount, as it was asked for.
        size: Milliseconds, or recordings.
        by_count: Whether the size is a number of recordings.
    """

    name: str
    asked: str
    size: int
    by_count: bool = False


def read_parts(texts: Sequence[str], total_ms: int, recordings: int) -> list[Part]:
    """The parts with their sizes, which together are the whole.

    Args:
        texts: ``NAME=AMOUNT``, in the order of the parts.
        total_ms: Milliseconds of all recordings.
        recordings: How many there are.

    Raises:
        InputError: A text is no part; a name comes twice; the amounts are more than there is, or less and nothing is the rest.

    >>> [(part.name, part.size) for part in read_parts(["dev=25%", "test=1h", "eval=rest"], 4 * 3_600_000, 40)]
    [('dev', 3600000), ('test', 3600000), ('eval', 7200000)]
    """
    faults: list[Fault] = []
    seen: set[str] = set()
    for text in texts:
        name, _, amount = text.partition("=")
        if not is_text(name) or (amount != REST and not _is_amount(amount)):
            faults.append(Fault("--part", "", repr(text), _EXPECTED))
        elif name in seen:
            faults.append(Fault("--part", name, "the name twice", "a name for each part"))
        seen.add(name)
    rests = [text for text in texts if text.endswith(f"={REST}")]
    if not faults and len(texts) < 2:
        faults.append(Fault("--part", "", "one part" if texts else "none", "two or more"))
    if not faults and len(rests) > 1:
        faults.append(Fault("--part", "", " and ".join(rests), "one part that is the rest"))
    if faults:
        raise InputError(faults)
    parts = [_part(text, total_ms, recordings) for text in texts]
    return _completed(parts, total_ms, recordings)


def needs_durations(texts: Sequence[str]) -> bool:
    """Whether some part is asked for in time, or in percent of it."""
    return any(text.endswith((*_MS, "%")) for text in texts)


def _is_amount(text: str) -> bool:
    found = _AMOUNT.fullmatch(text)
    return found is not None and float(found[1] or found[3]) > 0


def _part(text: str, total_ms: int, recordings: int) -> Part:
    name, _, asked = text.partition("=")
    found = _AMOUNT.fullmatch(asked)
    if found is None:
        return Part(name, REST, 0)
    if found[3]:
        return Part(name, asked, int(found[3]), by_count=True)
    whole = float(found[1])
    return Part(name, asked, round(whole * total_ms / 100 if found[2] == "%" else whole * _MS[found[2]]))


def _completed(parts: Sequence[Part], total_ms: int, recordings: int) -> list[Part]:
    """The parts with the size of the rest, once it is sure that they are the whole."""
    by_count = not total_ms or all(part.by_count for part in parts if part.asked != REST)
    total = recordings if by_count else total_ms
    sizes = [part.size * total_ms / recordings if part.by_count and not by_count else part.size for part in parts]
    left = total - round(sum(sizes))
    rest = [part for part in parts if part.asked == REST]
    whole = f"{recordings} recordings" if by_count else f"{total_ms / _MS['h']:.2f} h"
    asked = ", ".join(f"{part.name}={part.asked}" for part in parts)
    if rest and left <= 0:
        raise InputError(
            Fault("--part", "", f"{asked}, which leaves nothing for {rest[0].name}", f"less than the {whole} there are")
        )
    if not rest and abs(left) * 1000 > total:
        action = f"Make one of them the {REST}." if left > 0 else ""
        raise InputError(Fault("--part", "", asked, f"parts that together are the {whole} there are", action))
    return [Part(part.name, part.asked, left, by_count) if part.asked == REST else part for part in parts]

"""Several systems' answers made one: a file a method.

A method is a module with ``TRACK`` (the track whose answers it takes) and a frozen dataclass ``Backend`` whose fields are its
options and which has the one method ``fuse``. What is shared stands in modules whose names begin with an underscore.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from parakh.errors import Fault, InputError, UnknownNameError, counted
from parakh.selection import by_session
from parakh.types import Finding, Segment


@dataclass(frozen=True, slots=True)
class Answer:
    """What one system says of one recording.

    Args:
        system: The system's name.
        segments: Its turns, any order.
        weight: How much its vote counts beside the others', >= 0; None leaves that to the method.
    """

    system: str
    segments: Sequence[Segment]
    weight: float | None = None


class Fusion(Protocol):
    """A method that fuses answers."""

    def fuse(self, answers: Sequence[Answer]) -> tuple[list[Segment], list[Finding]]:
        """One answer from several systems' answers on one recording, sorted by start time, and what was odd about them."""
        ...


def methods(track: str) -> list[str]:
    """The names of the methods that fuse answers of a track.

    >>> methods("diarization"), methods("asr")
    (['dover-lap'], ['rover'])
    """
    from parakh import registry

    return [name for name in registry.names("fusion") if track == registry.load("fusion", name).TRACK]


def method(track: str, name: str | None, options: Mapping[str, object]) -> Fusion:
    """A method with its options.

    Args:
        track: The track whose answers it has to fuse.
        name: Its name; None is the track's first.
        options: Values of the fields of its ``Backend``.

    Raises:
        UnknownNameError: No method of the track has that name.
        InputError: An option is out of range.

    >>> method("diarization", None, {"smoothing": 0.1}).smoothing
    0.1
    """
    from parakh import registry

    known = methods(track)
    chosen = known[0] if name is None and known else name
    if chosen not in known:
        raise UnknownNameError(f"method that fuses answers of {track}", str(chosen), known)
    backend: Fusion = registry.load("fusion", str(chosen)).Backend(**options)
    return backend


def require(method: str, options: object, rules: Mapping[str, tuple[bool, str]]) -> None:
    """Refuse options out of range, all of them at once.

    Args:
        method: The method's name, for messages.
        options: Its ``Backend``.
        rules: ``{option: (whether it is right, what is expected)}``.

    Raises:
        InputError: One fault an option that is wrong.
    """
    wrong = {name: expected for name, (right, expected) in rules.items() if not right}
    if wrong:
        raise InputError(Fault(method, name, repr(getattr(options, name)), expected) for name, expected in wrong.items())


def sessions(
    answers: Sequence[Answer], allow_missing: bool = False, wanted: Sequence[str] = ()
) -> Iterator[tuple[str, list[Answer]]]:
    """Each recording with the answers of the systems that have it.

    Args:
        answers: One a system, on all its recordings.
        allow_missing: Whether a system may lack recordings that others have.
        wanted: Only these recordings; empty takes all.

    Returns:
        (session id, the answers on it in the order of the systems), sorted by session id.

    Raises:
        InputError: A system lacks a recording, or nobody has one that is wanted; one fault each.

    >>> one, other = Answer("a", [Segment("v1", "x", 0, 1)]), Answer("b", [Segment("v1", "y", 0, 1)])
    >>> [(name, len(own)) for name, own in sessions([one, other])]
    [('v1', 2)]
    """
    own = [by_session(answer.segments) for answer in answers]
    there = {name for one in own for name in one}
    names = sorted(set(wanted) or there)
    faults = [Fault("--session", "", repr(name), "a recording of the systems") for name in names if name not in there]
    for answer, has in zip(answers, own, strict=True):
        lacking = [name for name in names if name in there and name not in has]
        if lacking and not allow_missing:
            found = f"{counted(len(lacking), 'recording')} missing that others have ({', '.join(lacking[:5])})"
            faults.append(Fault(answer.system, "", found, "every recording", "Give --allow-missing to fuse the others' answers."))
    if faults:
        raise InputError(faults)
    for name in names:
        yield name, [replace(answer, segments=has[name]) for answer, has in zip(answers, own, strict=True) if name in has]

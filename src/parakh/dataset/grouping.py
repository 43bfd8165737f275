"""Which recordings have to stay together: those that share a person, or a value of a field, directly or through others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from parakh.dataset.values import field_value, speaker_values
from parakh.errors import Fault, InputError, counted
from parakh.types import Entry


class Unknown(StrEnum):
    """What becomes of recordings in which somebody's person is not known."""

    REFUSE = "refuse"
    OWN = "own"
    TOGETHER = "together"


@dataclass(frozen=True)
class Group:
    """Recordings that have to stay together.

    Args:
        entries: In the order of the manifest.
        persons: Who is known to speak in them, sorted.
    """

    entries: tuple[Entry, ...]
    persons: tuple[str, ...]


def persons(entry: Entry) -> set[str]:
    """Codes of the persons who are known to speak in a recording."""
    return {one.person for one in entry.speakers if one.person}


def has_unknown(entry: Entry) -> bool:
    """Whether somebody may speak in a recording whose person is not known.

    >>> from parakh.types import Recording, Speaker
    >>> has_unknown(Entry(Recording("v1"))), has_unknown(Entry(Recording("v1"), speakers=(Speaker("v1", "a", "P01"),)))
    (True, False)
    """
    return not entry.speakers or any(not one.person for one in entry.speakers)


def groups(entries: Sequence[Entry], group_by: Sequence[str] = (), unknown: Unknown = Unknown.REFUSE) -> list[Group]:
    """The recordings in groups of which no two share a person, nor a value of a field of ``group_by``.

    Args:
        entries: The recordings.
        group_by: Fields whose values keep recordings together, beside the person; a recording without the field is not joined.
        unknown: What becomes of recordings with a person who is not known.

    Returns:
        Groups in order of their smallest session id.

    Raises:
        InputError: A field that nobody knows; or recordings with unknown persons, which are to be refused.

    >>> from parakh.types import Recording, Speaker
    >>> who = {"v1": "AB", "v2": "BC", "v3": "D"}
    >>> entries = [Entry(Recording(v), speakers=tuple(Speaker(v, p, p) for p in who[v])) for v in who]
    >>> [[one.session_id for one in group.entries] for group in groups(entries)]
    [['v1', 'v2'], ['v3']]
    """
    check_fields(entries, "--group-by", group_by)
    if unknown is Unknown.REFUSE:
        _check_known(entries)
    first: dict[tuple[str, str], str] = {}
    parent = {one.session_id: one.session_id for one in entries}
    find = _finder(parent)
    for entry in entries:
        keys = [("", one) for one in sorted(persons(entry))]
        keys += [(field, value) for field in group_by if (value := field_value(entry, field)) is not None]
        if unknown is Unknown.TOGETHER and has_unknown(entry):
            keys.append(("", ""))
        for key in keys:
            one, other = find(entry.session_id), find(first.setdefault(key, entry.session_id))
            parent[max(one, other)] = min(one, other)
    together: dict[str, list[Entry]] = {}
    for entry in entries:
        together.setdefault(find(entry.session_id), []).append(entry)
    return [Group(tuple(own), tuple(sorted({p for one in own for p in persons(one)}))) for _, own in sorted(together.items())]


def _finder(parent: dict[str, str]) -> Callable[[str], str]:
    def find(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    return find


def _check_known(entries: Sequence[Entry]) -> None:
    unknown = [one.session_id for one in entries if has_unknown(one)]
    if unknown:
        found = f"{counted(len(unknown), 'recording')} with a speaker whose person is not known ({', '.join(unknown[:5])}"
        action = "Fill in the column, or give --unknown-persons own (each may go anywhere) or together (all into one part)."
        raise InputError(
            Fault("metadata.csv", "person", f"{found}{' ...' * (len(unknown) > 5)})", "a person for every speaker", action)
        )


def check_fields(entries: Sequence[Entry], option: str, fields: Sequence[str]) -> None:
    """See that each field is known of some recording.

    Raises:
        InputError: One is not; those that are are listed.
    """
    known = known_fields(entries)
    expected = f"a field of the data set: {', '.join(known) or 'it has none'}"
    faults = [Fault(option, "", repr(one), expected) for one in dict.fromkeys(fields) if one not in known]
    if faults:
        raise InputError(faults)


def known_fields(entries: Sequence[Entry]) -> list[str]:
    """Every field of which some recording or speaker has a value, sorted."""
    names = {name for entry in entries for name in entry.recording.metadata}
    names |= {name for entry in entries for one in entry.speakers for name in speaker_values(one)}
    names |= {name for name in ("language", "split") if any(field_value(entry, name) for entry in entries)}
    return sorted(names)

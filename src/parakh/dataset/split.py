"""Splitting a data set into parts that share no person, balanced over strata, with the proof that they share none."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from parakh.dataset.assignment import Answer, Item, assign
from parakh.dataset.grouping import Group, Unknown, check_fields, groups, has_unknown, persons
from parakh.dataset.manifest import Dataset
from parakh.dataset.parts import Part, needs_durations, read_parts
from parakh.dataset.values import field_value
from parakh.errors import Fault, InputError, counted
from parakh.text.masking import masked
from parakh.types import Entry

SCHEMA = "parakh.split/1"
TOLERANCE = 0.2
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Plan:
    """What is asked for.

    Args:
        parts: ``NAME=AMOUNT`` each.
        stratify: Fields whose combinations of values are balanced over the parts.
        group_by: Fields whose values keep recordings together, beside the person.
        unknown: What becomes of recordings with a person who is not known.
        seed: Decides between splits that are equally good.
        tolerance: By what share of its asked size a part may be off.
    """

    parts: Sequence[str]
    stratify: Sequence[str] = ()
    group_by: Sequence[str] = ()
    unknown: Unknown = Unknown.REFUSE
    seed: int = 1
    tolerance: float = TOLERANCE


@dataclass(frozen=True)
class Share:
    """What a part holds of a stratum, or of everything: recordings, seconds, and what was asked, in the unit of the part."""

    recordings: int
    seconds: float | None
    size: float
    asked: float


@dataclass(frozen=True)
class Made:
    """One part as it was made.

    Args:
        name: What it is called.
        asked: The amount, as it was asked for.
        by_count: Whether its sizes are numbers of recordings; else they are seconds.
        whole: All of it.
        strata: By the value of each stratum.
        recordings: Session ids, in the order of the manifest.
        persons: Who is known to speak in it, sorted; personal numbers are masked.
    """

    name: str
    asked: str
    by_count: bool
    whole: Share
    strata: Mapping[str, Share]
    recordings: tuple[str, ...]
    persons: tuple[str, ...]

    @property
    def off(self) -> float:
        """By what share of what was asked the part is larger (smaller, if negative)."""
        return (self.whole.size - self.whole.asked) / self.whole.asked


@dataclass(frozen=True)
class Split:
    """A split.

    Args:
        parts: In the order asked for.
        unknown: Recordings with a person who is not known: of these nothing is proved.
        groups: How many groups had to stay together.
        answer: How near it is to what was asked.
    """

    parts: tuple[Made, ...]
    unknown: tuple[str, ...]
    groups: int
    answer: Answer

    def of(self) -> dict[str, str]:
        """Name of the part by session id."""
        return {session: part.name for part in self.parts for session in part.recordings}

    def to_json(self) -> str:
        """As JSON (``parakh.split/1``)."""
        parts = [{**asdict(part), "off": part.off} for part in self.parts]
        answer = {"deviation": self.answer.deviation, "bound": self.answer.bound, "exact": self.answer.exact}
        pairs = [list(pair) for pair in itertools.combinations([part.name for part in self.parts], 2)]
        proof: dict[str, object] = {"pairs": pairs, "shared_persons": [], "unknown_persons": list(self.unknown)}
        made = {"schema": SCHEMA, "parts": parts, "groups": self.groups, **answer, "disjoint": proof}
        return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def split(dataset: Dataset, plan: Plan) -> Split:
    """Split a data set; nothing is written.

    Args:
        dataset: With a ``person`` for every speaker, unless the plan says otherwise.
        plan: What is asked for.

    Returns:
        The parts: disjoint in persons and in the fields of ``group_by``, together the whole data set.

    Raises:
        InputError: The request cannot be met; the reason is told.
    """
    entries = dataset.entries
    if not entries:
        raise InputError(Fault(str(dataset.folder), "", "no recordings", "recordings to split"))
    check_fields(entries, "--stratify", plan.stratify)
    _check_durations(entries, plan.parts)
    found = groups(entries, plan.group_by, plan.unknown)
    total = sum(_ms(one) for one in entries)
    parts = read_parts(plan.parts, total, len(entries))
    if len(found) < len(parts):
        expected = f"at least {len(parts)}, one for each part"
        raise InputError(
            Fault("--part", "", f"{counted(len(found), 'group')} that must stay together", expected, _largest(found))
        )
    answer = assign([_item(group, parts, plan.stratify) for group in found], [part.size for part in parts], plan.seed)
    place = {one.session_id: part for group, part in zip(found, answer.parts, strict=True) for one in group.entries}
    made = tuple(_made(part, k, entries, place, plan.stratify) for k, part in enumerate(parts))
    _check_sizes(made, found, plan.tolerance)
    check_disjoint(
        {part.name: [one for one in entries if place[one.session_id] == k] for k, part in enumerate(parts)}, plan.group_by
    )
    return Split(made, tuple(one.session_id for one in entries if has_unknown(one)), len(found), answer)


def check_disjoint(parts: Mapping[str, Sequence[Entry]], group_by: Sequence[str] = ()) -> None:
    """See that no two parts share a person, or a value of a field.

    Raises:
        InputError: Two do; each such person or value is told.

    >>> from parakh.types import Recording, Speaker
    >>> entries = [Entry(Recording(v), speakers=(Speaker(v, "a", person="P01"),)) for v in ("v1", "v2")]
    >>> check_disjoint({"dev": entries, "eval": []})
    """
    faults = []
    for (one, these), (other, those) in itertools.combinations(parts.items(), 2):
        pair = f"{one} and {other}"
        shared = set().union(*map(persons, these)) & set().union(*map(persons, those))
        faults += [Fault(pair, "person", f"{masked(name)} in both", "parts that share no person") for name in sorted(shared)]
        for field in group_by:
            both = {field_value(entry, field) for entry in these} & {field_value(entry, field) for entry in those}
            faults += [
                Fault(pair, field, f"{masked(value)} in both", "parts that share none") for value in sorted(filter(None, both))
            ]
    if faults:
        raise InputError(faults)


def _ms(entry: Entry) -> int:
    return round((entry.recording.duration or 0) * 1000)


def _check_durations(entries: Sequence[Entry], parts: Sequence[str]) -> None:
    without = [one.session_id for one in entries if one.recording.duration is None]
    if without and needs_durations(parts):
        found = f"nothing for {', '.join(without[:5])}{' ...' * (len(without) > 5)} ({counted(len(without), 'recording')})"
        action = "Fill it in, or ask for numbers of recordings."
        raise InputError(Fault("recordings.jsonl", "duration", found, "seconds, as parts are asked for in time", action))


def _stratum(entry: Entry, fields: Sequence[str]) -> str:
    return ", ".join(field_value(entry, field) or _UNKNOWN for field in fields)


def _item(group: Group, parts: Sequence[Part], fields: Sequence[str]) -> Item:
    strata: dict[str, list[Entry]] = {}
    for entry in group.entries if fields else ():
        strata.setdefault(_stratum(entry, fields), []).append(entry)
    return Item(_sizes(group.entries, parts), {name: _sizes(own, parts) for name, own in strata.items()})


def _sizes(entries: Sequence[Entry], parts: Sequence[Part]) -> list[int]:
    ms = sum(map(_ms, entries))
    return [len(entries) if part.by_count else ms for part in parts]


def _made(part: Part, number: int, entries: Sequence[Entry], place: Mapping[str, int], fields: Sequence[str]) -> Made:
    own = [one for one in entries if place[one.session_id] == number]
    whole = _share(own, entries, entries, part)
    strata = {}
    for name in sorted({_stratum(one, fields) for one in entries}) if fields else ():
        these = [one for one in entries if _stratum(one, fields) == name]
        strata[name] = _share([one for one in these if place[one.session_id] == number], these, entries, part)
    who = sorted(set().union(*map(persons, own)))
    return Made(
        part.name, part.asked, part.by_count, whole, strata, tuple(one.session_id for one in own), tuple(map(masked, who))
    )


def _share(own: Sequence[Entry], these: Sequence[Entry], everything: Sequence[Entry], part: Part) -> Share:
    """What a part has of some recordings, and what it would have if it were exactly as asked."""
    seconds = None if any(one.recording.duration is None for one in own) else sum(map(_ms, own)) / 1000
    (size,), (of_these,), (of_all,) = (_sizes(some, [part]) for some in (own, these, everything))
    scale = 1 if part.by_count else 1000
    return Share(len(own), seconds, size / scale, part.size * of_these / of_all / scale)


def _check_sizes(made: Sequence[Made], found: Sequence[Group], tolerance: float) -> None:
    faults = []
    for part in made:
        if not part.recordings or abs(part.off) > tolerance:
            unit = (1, "recordings") if part.by_count else (3600, "h")
            reached = f"{part.whole.size / unit[0]:.4g} {unit[1]} at the best"
            expected = f"{part.whole.asked / unit[0]:.4g} {unit[1]}, {100 * tolerance:g} % more or less"
            faults.append(Fault("--part", part.name, reached, expected, _largest(found)))
    if faults:
        raise InputError(faults)


def _largest(found: Sequence[Group]) -> str:
    """Which group stands most in the way."""
    group = max(found, key=lambda one: (sum(map(_ms, one.entries)), len(one.entries)))
    total = sum(_ms(entry) for one in found for entry in one.entries)
    own = sum(map(_ms, group.entries))
    hours = f" with {100 * own / total:.1f} % of the hours" if total else ""
    who = f", joined by {masked(', '.join(group.persons[:5]))}{' ...' * (len(group.persons) > 5)}" if group.persons else ""
    what = f"{counted(len(group.entries), 'recording')}{hours}{who}"
    return f"The largest group that must stay together: {what}. Ask for other sizes, or allow more with --tolerance."

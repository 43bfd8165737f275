"""Spot audits: how likely a recording is to hold mistakes, and a seeded, stratified draw that looks there more often.

The risk of a recording is the mean of those of its signs that are known, each in [0, 1]:

- ``overlap``: overlapped time over the time with speech, 30 % and more is 1;
- ``speakers``: two speakers 0, five and more 1;
- ``noise``: a signal-to-noise ratio of 20 dB and more 0, of 0 dB 1;
- ``words``: word error rate of a recogniser against the transcript, 100 % and more is 1;
- ``short_turns``: turns under a second among all turns, half and more is 1;
- ``annotator``: (rejected + 1) / (handed in + 2) of the recordings of who annotated it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from parakh.dataset.workflow import Status, Step, rejections
from parakh.errors import Fault, InputError
from parakh.metrics import der
from parakh.results import ratio
from parakh.types import Segment

SIGNS = ("overlap", "speakers", "noise", "words", "short_turns", "annotator")
_FLOOR = 0.05
"""Weight of a recording without any risk: it can be drawn, too."""
_SHORT_S = 1.0


@dataclass(frozen=True)
class Risk:
    """The risk of one recording.

    Args:
        session_id: The recording.
        signs: Each sign, in [0, 1]; None where it is not known.
    """

    session_id: str
    signs: Mapping[str, float | None]

    @property
    def score(self) -> float | None:
        """Mean of the signs that are known, in [0, 1]; None if none is."""
        known = [value for value in self.signs.values() if value is not None]
        return ratio(math.fsum(known), len(known))


def risk(
    session_id: str,
    segments: Sequence[Segment],
    *,
    snr_db: float | None = None,
    word_error_rate: float | None = None,
    history: tuple[int, int] | None = None,
) -> Risk:
    """The risk that a recording's annotation holds mistakes.

    Args:
        session_id: The recording.
        segments: Its turns or transcript.
        snr_db: Signal-to-noise ratio in dB; None if unknown.
        word_error_rate: Of a recogniser against the transcript, a ratio; None if unknown.
        history: Recordings handed in and rejected by who annotated it (``workflow.rejections``); None if unknown.

    Raises:
        InputError: A segment has times that make no sense.

    >>> found = risk("v1", [Segment("v1", "a", 0.0, 4.0), Segment("v1", "b", 4.0, 8.0)], snr_db=10.0)
    >>> found.signs["noise"], round(found.score, 3)
    (0.5, 0.125)
    """
    turns = [one for one in segments if one.speaker is not None and one.start_time is not None and one.duration > 0]
    heard = der.stats(turns, turns) if turns else None
    overlap = ratio(heard["overlap"], heard["speech"]) if heard else None
    short = ratio(sum(one.duration < _SHORT_S for one in turns), len(turns))
    speakers = len({one.speaker for one in turns}) if turns else None
    signs = {
        "overlap": None if overlap is None else _clip(overlap / 0.3),
        "speakers": None if speakers is None else _clip((speakers - 2) / 3),
        "noise": None if snr_db is None else _clip((20 - snr_db) / 20),
        "words": None if word_error_rate is None else _clip(word_error_rate),
        "short_turns": None if short is None else _clip(short / 0.5),
        "annotator": None if history is None else (history[1] + 1) / (history[0] + 2),
    }
    return Risk(session_id, signs)


def histories(steps: Sequence[Step]) -> dict[str, tuple[int, int]]:
    """(handed in, rejected) of who annotated each recording last, by recording.

    >>> histories([])
    {}
    """
    owner = {step.session_id: step.by for step in steps if step.status in (Status.SEGMENTED, Status.TRANSCRIBED)}
    counts = rejections(steps)
    return {session: counts[by] for session, by in owner.items() if by in counts}


def draw(risks: Iterable[Risk], strata: Mapping[str, str], size: str, seed: int) -> list[str]:
    """Draw recordings for an audit: each stratum by its share, within it the riskier the likelier.

    Without replacement; the weight of a recording is its risk plus 0.05 (the mean risk where its own is unknown). Which are
    drawn depends on the seed and the ids alone, not on their order or the machine.

    Args:
        risks: The recordings.
        strata: Stratum of each recording; a missing one is a stratum of its own kind, "".
        size: How many: a number ("12") or a percentage ("10%"), rounded up.
        seed: Starts the draw.

    Returns:
        Ids, sorted.

    Raises:
        InputError: The size is no number or percentage, or more than there are.

    Source: Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006): the largest u^(1/w).

    >>> draw([Risk(f"v{k}", {"noise": k / 10}) for k in range(10)], {}, "20%", seed=1)
    ['v4', 'v8']
    """
    each = sorted(risks, key=lambda one: one.session_id)
    count = _count(size, len(each))
    known = [one.score for one in each if one.score is not None]
    usual = ratio(math.fsum(known), len(known)) or 0.0
    groups: dict[str, list[tuple[float, str]]] = {}
    for one in each:
        weight = (usual if one.score is None else one.score) + _FLOOR
        key = math.log(_uniform(seed, one.session_id)) / weight
        groups.setdefault(strata.get(one.session_id, ""), []).append((key, one.session_id))
    shares = _shares({name: len(group) for name, group in groups.items()}, count)
    drawn = (one for name, group in groups.items() for _, one in sorted(group, reverse=True)[: shares[name]])
    return sorted(drawn)


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))


def _count(size: str, most: int) -> int:
    number = size.removesuffix("%")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if math.isfinite(value) and size.endswith("%"):
        value = math.ceil(value * most / 100 - 1e-9)
    if not 0 <= value <= most or value != int(value) or number.startswith("-"):
        raise InputError(Fault("--size", "", repr(size), f"a number up to {most}, or a percentage as 10%"))
    return int(value)


def _uniform(seed: int, session_id: str) -> float:
    """A number in (0, 1) that depends on the seed and the id alone."""
    digest = hashlib.blake2b(f"{seed}:{session_id}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") + 0.5) / 2**64


def _shares(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """How many of each stratum: by share, the largest remainders first, none more than it has."""
    whole = sum(sizes.values())
    exact = {name: size * count / whole for name, size in sizes.items()} if whole else {}
    shares = {name: int(value) for name, value in exact.items()}
    order = sorted(exact, key=lambda name: (shares[name] - exact[name], name))
    for name in order[: count - sum(shares.values())]:
        shares[name] += 1
    return shares

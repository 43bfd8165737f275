"""Rates that stand beside the word error rate, never in its place: across scripts, and on points of interest.

**Across scripts.** Which script an English word is written in is often a transcriber's choice: doctor, डॉक्टर. Here a word is no
error if the word that stands for it is in another script and sounds alike (``parakh.text.sounds``). Words of one script are
compared as everywhere. Within a run of errors the words are paired anew, so that as many as possible are forgiven; nothing
outside of the run changes, and there are never more errors than in the alignment.

**Points of interest.** Only the words of one view or category are counted, as those of another language within a sentence:

    PIER = (S + D of reference words that are points + I of hypothesis words that are) / points in the reference

Source: Ugan et al., "PIER: a novel metric for evaluating what matters in code-switching", arXiv 2501.09512.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from parakh.diagnostics import Pair, Unit
from parakh.diagnostics._pairing import cheapest_steps
from parakh.diagnostics.likeness import of_other_scripts, scripts_in
from parakh.diagnostics.passages import Corpus
from parakh.results import ratio
from parakh.text.sounds import sound_alike
from parakh.text.tokens import Kind
from parakh.types import Op

_MOST_CELLS = 10_000
"""A run whose table would be larger keeps the pairs it has."""


@dataclass(frozen=True, slots=True)
class Forgiven:
    """A word that counts as right in another script.

    Args:
        reference: As the reference writes it.
        hypothesis: As the hypothesis does.
        count: How often.
    """

    reference: str
    hypothesis: str
    count: int


@dataclass(frozen=True, slots=True)
class Lenient:
    """The errors that are left when words of two scripts that sound alike are the same.

    Args:
        errors: How many are left.
        length: Reference units, as in the breakdown.
        rate: errors / length, >= 0; None without reference units.
        forgiven: What was forgiven, the most frequent first.
    """

    errors: int
    length: int
    rate: float | None
    forgiven: tuple[Forgiven, ...]


def transliterated(corpus: Corpus, collar: float | None = None) -> Lenient:
    """The error rate when a word in another script is right if it sounds alike.

    rate = least errors with such words as matches / reference units

    Args:
        corpus: (session_id, pair) of every recording, in order.
        collar: The one of the alignment: units whose times do not meet within it stay apart.

    Returns:
        The errors that are left, and every pair of words that was forgiven.

    >>> said, heard = (Unit(text, Kind.LEXICAL, "LEXICAL") for text in ("doctor", "डॉक्टर"))
    >>> from parakh.diagnostics import Charge
    >>> one = Pair((said,), (heard,), (Charge(Op.SUBSTITUTION, "LEXICAL", said, heard),))
    >>> transliterated([("v1", one)])
    Lenient(errors=0, length=1, rate=0.0, forgiven=(Forgiven(reference='doctor', hypothesis='डॉक्टर', count=1),))
    """
    errors = 0
    found: Counter[tuple[str, str]] = Counter()
    voices = _voices(corpus)
    for session, run in _runs(corpus):
        left, met = _realigned(run, _Meeting(session, voices, collar))
        errors += left
        found.update(met)
    length = sum(len(pair.reference) for _, pair in corpus)
    rows = sorted(found.items(), key=lambda row: (-row[1], row[0]))
    return Lenient(errors, length, ratio(errors, length), tuple(Forgiven(*words, count) for words, count in rows))


Voices = Set[tuple[str, str | None, str | None]]
Words = tuple[str, str]


def _voices(corpus: Corpus) -> Voices:
    """Sessions with the speakers of either side that were assigned to each other."""
    sides = ((session, pair.reference, pair.hypothesis) for session, pair in corpus if pair.reference and pair.hypothesis)
    return {(session, said[0].speaker, heard[0].speaker) for session, said, heard in sides}


def _runs(corpus: Corpus) -> Iterator[tuple[str, list[Pair]]]:
    """Neighbouring plain errors of one recording; any other pair with errors by itself."""
    for (session, plain), group in groupby(corpus, key=lambda item: (item[0], _is_plain_error(item[1]))):
        pairs = [pair for _, pair in group]
        if plain:
            yield session, pairs
        else:
            yield from ((session, [pair]) for pair in pairs if pair.errors)


def _is_plain_error(pair: Pair) -> bool:
    return len(pair.errors) == 1 and not pair.events and len(pair.reference) < 2 and len(pair.hypothesis) < 2


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Which units of a recording may stand for each other."""

    session: str
    voices: Voices
    collar: float | None

    def may_meet(self, said: Unit, heard: Unit) -> bool:
        if (said.kind is Kind.PUNCT) != (heard.kind is Kind.PUNCT):
            return False
        if None not in (said.speaker, heard.speaker) and (self.session, said.speaker, heard.speaker) not in self.voices:
            return False
        if self.collar is None or said.time is None or heard.time is None:
            return True
        centre = (heard.time[0] + heard.time[1]) / 2  # as the alignment widens it
        return said.time[0] < centre + self.collar and centre - self.collar < said.time[1]


def _realigned(run: Sequence[Pair], meeting: _Meeting) -> tuple[int, list[Words]]:
    """The errors of a run that are left, and the words that are forgiven."""
    charges = [charge for pair in run for charge in pair.errors]
    said = [unit for pair in run for unit in pair.reference]
    heard = [unit for pair in run for unit in pair.hypothesis]
    if not _has_other_scripts(said, heard):
        return len(charges), []
    if len(said) * len(heard) <= _MOST_CELLS and all(map(_is_plain_error, run)):
        left, words = _fewest(said, heard, meeting)
        return (left, words) if words and left < len(charges) else (len(charges), [])
    met = [
        (charge.reference.text, charge.hypothesis.text)
        for charge in charges
        if charge.reference and charge.hypothesis and _alike(charge.reference, charge.hypothesis)
    ]
    return len(charges) - len(met), met


def _has_other_scripts(said: Sequence[Unit], heard: Sequence[Unit]) -> bool:
    scripts = [frozenset().union(*(scripts_in(unit.text) for unit in side)) for side in (said, heard)]
    return bool(scripts[0] and scripts[1]) and len(scripts[0] | scripts[1]) > 1


def _alike(said: Unit, heard: Unit) -> bool:
    return of_other_scripts(said.text, heard.text) and sound_alike(said.text, heard.text)


def _fewest(said: Sequence[Unit], heard: Sequence[Unit], meeting: _Meeting) -> tuple[int, list[Words]]:
    """The least errors with words that sound alike as matches, and those words; of ways with as few errors most matches."""
    error = min(len(said), len(heard)) + 1
    steps = cheapest_steps(len(said), len(heard), lambda i, j: _change(said[i], heard[j], meeting, error), error)
    both = [(said[i0], heard[j0]) for i0, i1, j0, j1 in steps if i0 < i1 and j0 < j1]
    met = [(one.text, other.text) for one, other in both if _alike(one, other)]
    return len(steps) - len(met), met


def _change(said: Unit, heard: Unit, meeting: _Meeting, error: int) -> int:
    if not meeting.may_meet(said, heard):
        return 3 * error
    return -1 if _alike(said, heard) else error


@dataclass(frozen=True, slots=True)
class Points:
    """What became of the points of interest.

    Args:
        length: Reference units that are points.
        substitutions: Those that became another.
        deletions: Those that were left out.
        insertions: Hypothesis units that are points and that nobody said.
        rate: (substitutions + deletions + insertions) / length, >= 0; None without points in the reference.
    """

    length: int
    substitutions: int
    deletions: int
    insertions: int
    rate: float | None


def all_points(corpus: Corpus) -> dict[str, Points]:
    """The error rate on the words of every view and category that occurs on either side, by name: PIER.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        Name -> counts and rate.

    Source: Ugan et al., arXiv 2501.09512.

    >>> from parakh.diagnostics import Charge
    >>> said = Unit("tablet", Kind.LEXICAL, "LEXICAL", frozenset({"ENGLISH"}))
    >>> lost = Pair((said,), (), (Charge(Op.DELETION, "LEXICAL", said, None),))
    >>> all_points([("v1", lost), ("v1", Pair((said,), (said,)))])["ENGLISH"].rate
    0.5
    """
    lengths: Counter[str] = Counter()
    charged: Counter[tuple[str, Op]] = Counter()
    names: set[str] = set()
    for _, pair in corpus:
        for unit in pair.reference:
            lengths.update(_names(unit))
        for unit in pair.hypothesis:
            names |= _names(unit)
        for charge in pair.errors:
            charged.update(
                (name, charge.op) for unit in (charge.reference or charge.hypothesis,) if unit for name in _names(unit)
            )
    return {name: _points(name, lengths[name], charged) for name in sorted(names | lengths.keys())}


def _names(unit: Unit) -> frozenset[str]:
    return unit.views | {unit.category}


def _points(name: str, length: int, charged: Counter[tuple[str, Op]]) -> Points:
    lost, left_out, added = (charged[name, op] for op in (Op.SUBSTITUTION, Op.DELETION, Op.INSERTION))
    return Points(length, lost, left_out, added, ratio(lost + left_out + added, length))

"""How the errors divide: over categories, speakers, roles or languages, over the terms found, over what was left out.

rate = errors charged / ALL reference units of the group, so that the rates of its categories add up to the rate of the group.
N counts reference units only and never depends on the hypothesis. Views are counted beside and add to nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache

from parakh import languages
from parakh.diagnostics import Charge, Unit
from parakh.diagnostics.passages import Corpus
from parakh.results import ratio
from parakh.text.tiers import fold
from parakh.text.tokens import Kind
from parakh.types import Op

FILLER = "FILLER"
_OPS = (Op.SUBSTITUTION, Op.DELETION, Op.INSERTION)

Key = Callable[[str, Unit], str | None]
"""The group of a reference unit of a recording: its speaker, role or language; None for those without."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the units of one category.

    Args:
        n: Reference units.
        substitutions: Reference units that became another.
        deletions: Reference units that were left out.
        insertions: Hypothesis units that nobody said.
        rate: Errors over all reference units of the group, of every category, >= 0; None where it has none.
        errors: Substitutions, deletions and insertions.
        hits: Reference units without error.
    """

    n: int
    substitutions: int
    deletions: int
    insertions: int
    rate: float | None
    errors: int = field(init=False)
    hits: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "errors", self.substitutions + self.deletions + self.insertions)
        object.__setattr__(self, "hits", self.n - self.substitutions - self.deletions)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The errors of one group.

    Args:
        total: Of all categories together.
        categories: By category; their counts add up to the total.
        views: By view; a unit may be in none or several.
    """

    total: Counts
    categories: Mapping[str, Counts]
    views: Mapping[str, Counts]


def breakdown(corpus: Corpus) -> Breakdown:
    """The errors of a corpus by category and view.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        The counts; rates are None without reference units.

    >>> from parakh.diagnostics import Charge, Pair
    >>> said = Unit("हम्म", Kind.LEXICAL, "FILLER")
    >>> lost = Pair((said,), (), (Charge(Op.DELETION, "FILLER", said, None),))
    >>> word = Unit("ठीक", Kind.LEXICAL, "LEXICAL")
    >>> parts = breakdown([("visit01", lost), ("visit01", Pair((word,), (word,)))])
    >>> {name: (one.n, one.deletions, one.rate) for name, one in parts.categories.items()}
    {'FILLER': (1, 1, 0.5), 'LEXICAL': (1, 0, 0.0)}
    """
    said = Counter((unit.category, unit.views) for _, pair in corpus for unit in pair.reference)
    return _broken_down(said, Counter(_charged(charge) for _, pair in corpus for charge in pair.errors))


def breakdowns(corpus: Corpus, key: Key) -> dict[str | None, Breakdown]:
    """The errors of a corpus by category, for each group of reference units.

    An insertion belongs to the reference words that stand before it in what the same speaker of the hypothesis said, or, at
    the beginning, after it. One of a speaker who meets no reference word belongs to the group of its recording, to none where
    the recording has several.

    Args:
        corpus: (session_id, pair) of every recording, in order.
        key: The group of a reference unit of a recording.

    Returns:
        Group -> its counts, by name, that of no name last; their sums are those of ``breakdown``.

    >>> from parakh.diagnostics import Pair
    >>> unit = Unit("ठीक", Kind.LEXICAL, "LEXICAL", speaker="asha")
    >>> {group: parts.total.n for group, parts in breakdowns([("v", Pair((unit,), (unit,)))], lambda _, one: one.speaker).items()}
    {'asha': 1}
    """
    said: dict[str | None, Counter[_Belonging]] = defaultdict(Counter)
    charged: dict[str | None, Counter[_Charged]] = defaultdict(Counter)
    groups: dict[str, set[str | None]] = defaultdict(set)
    unowned: list[tuple[str, Charge]] = []
    owners = _insertion_owners(corpus)
    for at, (session, pair) in enumerate(corpus):
        for unit in pair.reference:
            group = key(session, unit)
            groups[session].add(group)
            said[group][unit.category, unit.views] += 1
        for place, charge in enumerate(pair.errors):
            owner = charge.reference or owners.get((at, place))
            if owner is not None:
                charged[key(session, owner)][_charged(charge)] += 1
            else:
                unowned.append((session, charge))
    for session, charge in unowned:
        (only,) = groups[session] if len(groups[session]) == 1 else (None,)
        charged[only][_charged(charge)] += 1
    names = sorted({*said, *charged}, key=lambda name: (name is None, name or ""))
    return {name: _broken_down(said[name], charged[name]) for name in names}


_Belonging = tuple[str, frozenset[str]]
"""Category and views."""
_Charged = tuple[str, frozenset[str], Op]


def _charged(charge: Charge) -> _Charged:
    unit = charge.reference or charge.hypothesis
    return charge.category, unit.views if unit is not None else frozenset(), charge.op


def _broken_down(said: Mapping[_Belonging, int], charged: Mapping[_Charged, int]) -> Breakdown:
    everything = sum(said.values())
    total, categories, views = _Tally(), defaultdict[str, _Tally](_Tally), defaultdict[str, _Tally](_Tally)
    for (category, seen), count in said.items():
        for tally in (total, categories[category], *(views[view] for view in seen)):
            tally.n += count
    for (category, seen, op), count in charged.items():
        for tally in (total, categories[category], *(views[view] for view in seen)):
            tally.errors[op] += count
    return Breakdown(
        total.counts(everything),
        {name: categories[name].counts(everything) for name in sorted(categories)},
        {name: views[name].counts(everything) for name in sorted(views)},
    )


@dataclass(slots=True)
class _Tally:
    n: int = 0
    errors: Counter[Op] = field(default_factory=Counter)

    def counts(self, everything: int) -> Counts:
        substitutions, deletions, insertions = (self.errors[op] for op in _OPS)
        return Counts(self.n, substitutions, deletions, insertions, ratio(self.errors.total(), everything))


def _insertion_owners(corpus: Corpus) -> dict[tuple[int, int], Unit]:
    """The reference unit that an insertion is counted with, by the indices of its pair and charge."""
    owners: dict[tuple[int, int], Unit] = {}
    last: dict[Hashable, Unit] = {}
    waiting: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for at, (session, pair) in enumerate(corpus):
        for place, charge in enumerate(pair.errors):
            if charge.reference is not None or charge.hypothesis is None:
                continue
            voice = (session, charge.hypothesis.speaker)
            if voice in last:
                owners[at, place] = last[voice]
            else:
                waiting[voice].append((at, place))
        if pair.reference and pair.hypothesis:
            voice = (session, pair.hypothesis[0].speaker)
            last[voice] = pair.reference[-1]
            owners.update(dict.fromkeys(waiting.pop(voice, ()), pair.reference[0]))
    return owners


@dataclass(frozen=True, slots=True)
class Found:
    """How well the terms of one category or view are told.

    Args:
        said: Terms of the reference.
        found: Of these, those without an error.
        written: Terms of the hypothesis.
        right: Of these, those without an error.
        recall: found / said in [0, 1]; None without terms in the reference.
        precision: right / written in [0, 1]; None without terms in the hypothesis.
        missed: (term, how often) of terms said and not found, most frequent first.
        invented: (term, how often) of terms written and not right.
    """

    said: int
    found: int
    written: int
    right: int
    recall: float | None
    precision: float | None
    missed: tuple[tuple[str, int], ...]
    invented: tuple[tuple[str, int], ...]


def terms_found(corpus: Corpus) -> dict[str, Found]:
    """Recall and precision of the terms of every category and view.

    A term is found if nothing is charged in its pair: differences in writing lose no term, and neither does a mark that is
    lost beside it.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        Category or view -> its counts, by name.

    >>> from parakh.diagnostics import Pair
    >>> word = Unit("बुखार", Kind.LEXICAL, "LEXICAL", frozenset({"MEDICAL"}))
    >>> terms_found([("visit01", Pair((word,), (word,)))])["MEDICAL"].recall
    1.0
    """
    said: Counter[_Term] = Counter()
    written: Counter[_Term] = Counter()
    for _, pair in corpus:
        wrong = bool(pair.errors) and any(_is_word(charge) for charge in pair.errors)
        for units, counts in ((pair.reference, said), (pair.hypothesis, written)):
            for unit in units:
                bad = bool(pair.errors) if unit.kind is Kind.PUNCT else wrong
                counts[unit.category, unit.views, unit.text, bad] += 1
    reference, hypothesis = _by_name(said), _by_name(written)
    names = sorted({name for name, _ in (*reference, *hypothesis)})
    return {name: _found(*(counts[name, bad] for counts in (reference, hypothesis) for bad in (False, True))) for name in names}


_Term = tuple[str, frozenset[str], str, bool]
"""Category, views and text of a term, and whether it is wrong."""


def _by_name(terms: Mapping[_Term, int]) -> dict[tuple[str, bool], Counter[str]]:
    """Counts of terms by category or view and by whether they are wrong."""
    counts: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    for (category, views, text, bad), count in terms.items():
        for name in (category, *views):
            counts[name, bad][text] += count
    return counts


def _is_word(charge: Charge) -> bool:
    return any(unit is not None and unit.kind is not Kind.PUNCT for unit in (charge.reference, charge.hypothesis))


def _found(found: Counter[str], missed: Counter[str], right: Counter[str], invented: Counter[str]) -> Found:
    said, written = found.total() + missed.total(), right.total() + invented.total()
    recall, precision = ratio(found.total(), said), ratio(right.total(), written)
    return Found(said, found.total(), written, right.total(), recall, precision, _ranked(missed), _ranked(invented))


def _ranked(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Omitted:
    """Words and numerals that were left out.

    Args:
        deletions: How many; marks are not counted.
        fillers: Hesitations among them.
        particles: Particles and words of assent among them, that are no fillers.
        share: (fillers + particles) / deletions in [0, 1]; None without deletions.
    """

    deletions: int
    fillers: int
    particles: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Omissions:
    """What was left out, of all languages together and of each; languages by tag, an unknown one last."""

    total: Omitted
    languages: Mapping[str | None, Omitted]


def omissions(corpus: Corpus) -> Omissions:
    """How many of the words left out carry little: fillers, and particles of their language.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        The counts; a unit of the category FILLER is a filler in every language.

    >>> from parakh.diagnostics import Pair
    >>> units = [Unit(text, Kind.LEXICAL, "LEXICAL", language="hi") for text in ("हम्म", "दवा")]
    >>> lost = [("v", Pair((one,), (), (Charge(Op.DELETION, "LEXICAL", one, None),))) for one in units]
    >>> omissions(lost).languages["hi"].share
    0.5
    """
    counts: dict[str | None, Counter[str]] = defaultdict(Counter)
    for _, pair in corpus:
        for charge in pair.errors:
            if charge.op is Op.DELETION and charge.reference is not None and charge.reference.kind is not Kind.PUNCT:
                counts[charge.reference.language][_weight(charge.reference)] += 1
    tags = sorted(counts, key=lambda tag: (tag is None, tag or ""))
    return Omissions(_omitted(sum(counts.values(), Counter())), {tag: _omitted(counts[tag]) for tag in tags})


def _weight(unit: Unit) -> str:
    fillers, particles = _light_words(unit.language)
    word = fold(unit.text)
    if unit.category == FILLER or FILLER in unit.views or word in fillers:
        return "filler"
    return "particle" if word in particles else "other"


@cache
def _light_words(language: str | None) -> tuple[frozenset[str], frozenset[str]]:
    known = languages.get(language)
    return frozenset(map(fold, known.fillers)), frozenset(map(fold, known.particles))


def _omitted(counts: Counter[str]) -> Omitted:
    light = counts["filler"] + counts["particle"]
    return Omitted(counts.total(), counts["filler"], counts["particle"], ratio(light, counts.total()))

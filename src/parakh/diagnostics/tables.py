"""What was mistaken for what, how often, and where: the error tables of a corpus.

Rows are counted over every pair and shown most frequent first, ties by text. An error is a row of ``edits``; a difference in
writing that is no error is a row of ``merges``, ``splits``, ``variants``, ``formats`` or ``encodings``, by its kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from parakh.diagnostics import Event, EventKind
from parakh.diagnostics.likeness import Likeness, likenesses
from parakh.diagnostics.passages import Corpus, Example, example_at, sides
from parakh.types import Op

TOP = 50
EXAMPLES = 3

Key = tuple[str, str, str]
"""(label, reference, hypothesis) of a row."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table.

    Args:
        label: The category an error is charged to, or the rule that licensed a difference in writing.
        reference: What was said; "" for an insertion.
        hypothesis: What the system wrote; "" for a deletion.
        count: How often.
        examples: The first places of it.
    """

    label: str
    reference: str
    hypothesis: str
    count: int
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one sort.

    Args:
        count: Of how many places, rows not shown included.
        distinct: How many different rows there are.
        rows: The most frequent ones.
    """

    count: int
    distinct: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Edits:
    """Substitutions, deletions and insertions."""

    substitutions: Table
    deletions: Table
    insertions: Table


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two words that are taken for one another, in both directions.

    Args:
        one: The word that is more often mistaken for the other; the first by text where both are equal.
        other: The other word.
        there: How often ``one`` became ``other``.
        back: How often ``other`` became ``one``.
    """

    one: str
    other: str
    there: int
    back: int


@dataclass(frozen=True, slots=True)
class ErrorTables:
    """Every error table of a corpus.

    Args:
        edits: All errors.
        edits_by_category: The same for each category that has an error, by name.
        merges: Words written together that the reference has apart.
        splits: Words written apart that the reference has together.
        variants: The same word in another spelling.
        formats: The same number, date, time or unit in another notation.
        encodings: The same letters in other code points.
        events_by_rule: Number of events by kind and rule.
        same_skeleton: Substitutions with the same consonants.
        vowel_length: Substitutions that differ in the length of vowels only.
        one_sign: Substitutions that are one code point apart.
        other_script: Substitutions by a word in another script.
        confusions: Pairs of words substituted in both directions.
    """

    edits: Edits
    edits_by_category: Mapping[str, Edits]
    merges: Table
    splits: Table
    variants: Table
    formats: Table
    encodings: Table
    events_by_rule: Mapping[str, Mapping[str, int]]
    same_skeleton: Likeness
    vowel_length: Likeness
    one_sign: Likeness
    other_script: Likeness
    confusions: tuple[Confusion, ...]


def error_tables(corpus: Corpus, top: int = TOP, examples: int = EXAMPLES) -> ErrorTables:
    """The error tables of a corpus, in one pass over its pairs.

    Args:
        corpus: (session_id, pair) of every recording, in order.
        top: Rows shown of each table; counts are of all.
        examples: Places shown of each row.

    Returns:
        The tables; those of an empty corpus are empty.

    >>> from parakh.diagnostics import Charge, Pair, Unit
    >>> from parakh.text.tokens import Kind
    >>> there, here = (Unit(text, Kind.LEXICAL, "LEXICAL") for text in ("हैं", "है"))
    >>> pair = Pair((there,), (here,), (Charge(Op.SUBSTITUTION, "LEXICAL", there, here),))
    >>> tables = error_tables([("visit01", pair)])
    >>> [(row.reference, row.hypothesis, row.count) for row in tables.edits.substitutions.rows]
    [('हैं', 'है', 1)]
    """
    tallies: dict[str, _Tally] = defaultdict(lambda: _Tally(examples))
    rules: Counter[tuple[str, str]] = Counter()
    for at, (_, pair) in enumerate(corpus):
        for charge in pair.errors:
            tallies[charge.op].add((charge.category, *sides(pair, charge)), at)
        for event in pair.events:
            rules[event.kind, event.rule] += 1
            tallies[_table_of(event)].add((event.rule, event.before, event.after), at)
    substituted = _without_label(tallies[Op.SUBSTITUTION].counts)
    like = likenesses(substituted, top)
    shown = _Shown(corpus, tallies, top)
    return ErrorTables(
        edits=shown.edits(),
        edits_by_category={name: shown.edits(name) for name in _categories(tallies)},
        merges=shown.table("merges"),
        splits=shown.table("splits"),
        variants=shown.table(EventKind.ORTHOGRAPHIC),
        formats=shown.table(EventKind.FORMAT),
        encodings=shown.table(EventKind.ENCODING),
        events_by_rule=_by_rule(rules),
        same_skeleton=like["skeleton"],
        vowel_length=like["vowel_length"],
        one_sign=like["one_sign"],
        other_script=like["other_script"],
        confusions=tuple(_confusions(substituted)[:top]),
    )


@dataclass(slots=True)
class _Tally:
    """Counts of rows, and the indices of the first pairs of each."""

    limit: int
    counts: Counter[Key] = field(default_factory=Counter)
    places: dict[Key, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, key: Key, at: int) -> None:
        self.counts[key] += 1
        places = self.places[key]
        if len(places) < self.limit:
            places.append(at)


@dataclass(frozen=True, slots=True)
class _Shown:
    """Tallies as tables; passages are made here, for the rows shown only."""

    corpus: Corpus
    tallies: Mapping[str, _Tally]
    top: int

    def edits(self, category: str | None = None) -> Edits:
        kept = None if category is None else lambda key: key[0] == category
        return Edits(*(self.table(op, kept) for op in (Op.SUBSTITUTION, Op.DELETION, Op.INSERTION)))

    def table(self, name: str, kept: Callable[[Key], bool] | None = None) -> Table:
        tally = self.tallies.get(name)
        if tally is None:
            return Table(0, 0, ())
        counts = tally.counts if kept is None else {key: count for key, count in tally.counts.items() if kept(key)}
        rows = tuple(
            Row(*key, count, tuple(example_at(self.corpus, at) for at in tally.places[key]))
            for key, count in most_frequent(counts)[: self.top]
        )
        return Table(sum(counts.values()), len(counts), rows)


def most_frequent(counts: Mapping[Key, int]) -> list[tuple[Key, int]]:
    """Rows by falling count, ties by their texts and then their label."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0][1:], item[0][0]))


def _table_of(event: Event) -> str:
    if event.kind is not EventKind.BOUNDARY:
        return event.kind
    return "merges" if len(event.before.split()) > len(event.after.split()) else "splits"


def _categories(tallies: Mapping[str, _Tally]) -> list[str]:
    return sorted({key[0] for op in Op if op in tallies for key in tallies[op].counts})


def _by_rule(rules: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for (kind, rule), count in sorted(rules.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        table.setdefault(str(kind), {})[rule] = count
    return table


def _without_label(counts: Mapping[Key, int]) -> Counter[tuple[str, str]]:
    """Counts of (reference, hypothesis), whatever the category."""
    plain: Counter[tuple[str, str]] = Counter()
    for (_, reference, hypothesis), count in counts.items():
        plain[reference, hypothesis] += count
    return plain


def _confusions(substituted: Mapping[tuple[str, str], int]) -> list[Confusion]:
    found = [
        Confusion(one, other, there, substituted[other, one])
        for (one, other), there in substituted.items()
        if (other, one) in substituted and (-there, one) < (-substituted[other, one], other)
    ]
    return sorted(found, key=lambda pair: (-pair.there - pair.back, pair.one, pair.other))

"""What may meet as a whole: words written together or apart, the same value in another notation, the words of a term.

A span is a stretch of units of one side; spans of both sides with the same key may meet. Each row of a side is start, stop, key,
cost, as the kernel takes it; ``rules`` names what licensed a row. Keys are numbers; a key is given only to what occurs on both
sides.

**Boundaries.** Up to four words, not numerals or marks, whose concatenation is the same, or becomes the same by a sandhi rule of
the language. A mark between them is charged, the boundary is not. Two spans meet only if no border of words is common to
both: otherwise they are two events, or a match and an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from parakh.diagnostics import Unit
from parakh.languages import Language
from parakh.languages.values import ValueSpan, value_spans
from parakh.text.sandhi import joined_forms
from parakh.text.tokens import Kind, Token

MOST_WORDS = 4
"""How many words may meet one."""
_MOST_MARKS = 2
"""How many marks may stand between two of them."""
_HYPHENS = str.maketrans("", "", "-\u2010\u2011")
PLAIN = "concatenation"
_CHANGED = -1

Row = tuple[int, int, int, int]


@dataclass
class Spans:
    """Rows of both sides, and what licensed each.

    Args:
        reference: Rows start, stop, key, cost.
        hypothesis: The same of the hypothesis.
        reference_rules: Kind and rule of each row.
        hypothesis_rules: The same of the hypothesis.
    """

    reference: list[Row] = field(default_factory=list)
    hypothesis: list[Row] = field(default_factory=list)
    reference_rules: list[tuple[str, str]] = field(default_factory=list)
    hypothesis_rules: list[tuple[str, str]] = field(default_factory=list)
    keys: int = 0

    def new_key(self) -> int:
        """A key that no row has."""
        self.keys += 1
        return self.keys

    def add(self, key: int, reference: Sequence[Stretch], hypothesis: Sequence[Stretch], kind: str) -> None:
        """Let stretches of either side meet."""
        for one in reference:
            self.reference.append((one.start, one.stop, key, one.cost))
            self.reference_rules.append((kind, one.rule))
        for one in hypothesis:
            self.hypothesis.append((one.start, one.stop, key, one.cost))
            self.hypothesis_rules.append((kind, one.rule))


@dataclass(frozen=True, slots=True)
class Stretch:
    """Units that may meet others: where they are, what it costs, by which rule, and where words border inside."""

    start: int
    stop: int
    cost: int
    rule: str
    borders: tuple[int, ...] = ()


def solid(folded: str) -> str:
    """A folded unit without what only separates words inside it."""
    return folded.replace(" ", "").translate(_HYPHENS)


def add_boundaries(
    spans: Spans, reference: Sequence[Unit], hypothesis: Sequence[Unit], folded: tuple[list[str], list[str]], language: Language
) -> None:
    """Add the words that may be written together or apart.

    Args:
        spans: Where the rows go.
        reference: Units of the reference.
        hypothesis: Units of the hypothesis.
        folded: The folded text of each unit, of either side.
        language: For its sandhi rules.
    """
    words = [
        [solid(text) if unit.kind is Kind.LEXICAL else "" for unit, text in zip(side, texts, strict=True)]
        for side, texts in zip((reference, hypothesis), folded, strict=True)
    ]
    forms = [_by_form(side, units, language) for side, units in zip(words, (reference, hypothesis), strict=True)]
    for form in sorted(forms[0].keys() & forms[1].keys()):
        said, heard = _by_borders(forms[0][form]), _by_borders(forms[1][form])
        for first, stretches in said.items():
            for second, others in heard.items():
                single = not first and not second
                if set(first) & set(second) or (single and not _hyphenated(stretches, others, folded)):
                    continue
                spans.add(spans.new_key(), stretches, others, "boundary")


def _hyphenated(first: Sequence[Stretch], second: Sequence[Stretch], folded: tuple[list[str], list[str]]) -> bool:
    """Whether single units with the same letters are written otherwise somewhere: with and without a hyphen."""
    return len({folded[0][one.start] for one in first} | {folded[1][one.start] for one in second}) > 1


def _by_borders(stretches: Sequence[Stretch]) -> dict[tuple[int, ...], list[Stretch]]:
    groups: dict[tuple[int, ...], list[Stretch]] = {}
    for one in stretches:
        groups.setdefault(one.borders, []).append(one)
    return groups


def _by_form(words: Sequence[str], units: Sequence[Unit], language: Language) -> dict[str, list[Stretch]]:
    """The written forms of one to four neighbouring words; "" stands for what is no word."""
    found: dict[str, list[Stretch]] = {}
    for start, word in enumerate(words):
        if not word:
            continue
        found.setdefault(word, []).append(Stretch(start, start + 1, 0, PLAIN))
        places = [start]
        for stop, marks in _further(words, units, start):
            places.append(stop - 1)
            parts = tuple(words[place] for place in places)
            for form, rules in joined_forms(parts, language.rules):
                rule = next((rule for rule in rules if rule != PLAIN), PLAIN)
                found.setdefault(form, []).append(Stretch(start, stop, marks, rule, _borders(form, parts, rules)))
    return found


def _borders(form: str, parts: Sequence[str], rules: Sequence[str]) -> tuple[int, ...]:
    """Offsets in a written form at which words border; ``_CHANGED`` for one that a sandhi rule has changed."""
    if all(rule == PLAIN for rule in rules):
        return tuple(accumulate(map(len, parts[:-1])))
    changed = [place for place, rule in enumerate(rules) if rule != PLAIN]
    before = accumulate(map(len, parts[: changed[0]]))
    after = (len(form) - rest for rest in accumulate(map(len, reversed(parts[changed[-1] + 2 :]))))
    return (*before, *after, _CHANGED)


def _further(words: Sequence[str], units: Sequence[Unit], start: int) -> Iterator[tuple[int, int]]:
    """(index after a further word, marks passed so far) of up to three words after a word."""
    passed, count, in_a_row = 0, 1, 0
    for place in range(start + 1, len(words)):
        if units[place].kind is Kind.PUNCT:
            passed, in_a_row = passed + 1, in_a_row + 1
            if in_a_row > _MOST_MARKS:
                return
            continue
        if not words[place] or count == MOST_WORDS:
            return
        count, in_a_row = count + 1, 0
        yield place + 1, passed


def add_values(spans: Spans, reference: Sequence[Unit], hypothesis: Sequence[Unit], language: Language) -> None:
    """Add the same values in other notations, and let a number phrase stand for another number as one substitution."""
    said, heard = (value_spans(_tokens(side), language.tag) for side in (reference, hypothesis))
    keys: dict[str, tuple[list[Stretch], list[Stretch]]] = {}
    for place, side in enumerate((said, heard)):
        for span in side:
            for key in span.keys:
                keys.setdefault(key, ([], []))[place].append(Stretch(span.start, span.stop, 0, span.kind))
    for key in sorted(keys):
        if all(keys[key]):
            spans.add(spans.new_key(), *keys[key], "format")
    _add_changed_numbers(spans, said, heard)


def _add_changed_numbers(spans: Spans, said: Sequence[ValueSpan], heard: Sequence[ValueSpan]) -> None:
    """A number of k units and a longer phrase of another value: k errors, and the phrase counts as one word."""
    sides = [[span for span in side if span.kind in _COUNTED] for side in (said, heard)]
    for count in sorted({span.stop - span.start for span in sides[0]}):
        same = [Stretch(span.start, span.stop, count, "") for span in sides[0] if span.stop - span.start == count]
        longer = [Stretch(span.start, span.stop, 0, "") for span in sides[1] if span.stop - span.start > count]
        if longer:
            spans.add(spans.new_key(), same, longer, "number")


_COUNTED = frozenset({"number", "date", "time", "ratio", "currency", "ordinal", "digits", "range"})


def _tokens(units: Sequence[Unit]) -> list[Token]:
    return [Token(unit.text, unit.kind, unit.start, unit.end) for unit in units]

"""What a stretch of either side states that must not change: negations, numbers with their units, medicines, body parts, sides.

A statement knows the first and last pair it spans, so that one phrase of several units on one side meets another on the other.
It is found in the units of a side as they stand, never in one pair alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby, pairwise

from parakh import languages
from parakh.clinical.cues import Phrases
from parakh.clinical.folding import Word, tight, words_of
from parakh.clinical.medicines import medicines
from parakh.clinical.quantities import units_by_name
from parakh.diagnostics import Unit
from parakh.diagnostics.categories import Category, Term, bundled, find_terms, parse_terms
from parakh.diagnostics.notations import values_of
from parakh.languages.values import ValueSpan
from parakh.text.tokens import Kind, Token, tokenize

NEGATION, NUMBER, UNIT, DRUG, BODY, SIDE = "negation", "number", "unit", "drug", "body part", "side"
_VALUES = frozenset({"number", "ordinal", "date", "time", "currency", "ratio", "digits"})
_SMALL = frozenset({"n:1", "n:2", "o:1", "o:2"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said.

    Args:
        kind: NEGATION, NUMBER, UNIT, DRUG, BODY or SIDE.
        values: What it can mean; two statements of a kind are the same if they share one.
        text: As written.
        first: Index of the first pair it spans.
        last: Index of the last.
        sure: Whether the words mean this wherever they stand: "ना" is a particle too, "एक" an article.
        unit: Of a number: name of the unit after it; "" without one.
    """

    kind: str
    values: tuple[str, ...]
    text: str
    first: int
    last: int
    sure: bool = True
    unit: str = ""


def statements(said: Sequence[tuple[int, Unit]]) -> list[Statement]:
    """The statements of one side.

    Args:
        said: (index of its pair, unit) in order.

    Returns:
        Statements, kind by kind, in order of their places.

    >>> from parakh.text.tokens import tokenize
    >>> units = [Unit(one.text, one.kind, one.kind, language="hi") for one in tokenize("दाएं घुटने पर 500 एमजी मत लो")]
    >>> [(one.kind, one.values, one.unit) for one in statements(list(enumerate(units)))]
    [('negation', ('not',), ''), ('body part', ('knee',), ''), ('side', ('right',), ''), ('number', ('n:500',), 'mg')]
    """
    found: list[Statement] = []
    for (_, language), run in groupby(said, key=lambda one: (one[1].segment, one[1].language)):
        words = [
            (at, Token(part.text, part.kind, unit.start + part.start, unit.start + part.end))
            for at, unit in run
            for part in (tokenize(unit.text) if " " in unit.text else [Token(unit.text, unit.kind, 0, len(unit.text))])
        ]
        places, tokens = [at for at, _ in words], [token for _, token in words]
        found += _named(places, tokens, language)
        found += _numbers(places, tokens, language)
        found += _drugs(places, tokens)
    return sorted(found, key=lambda one: (_ORDER.index(one.kind), one.first, one.last))


_ORDER = (NEGATION, BODY, SIDE, NUMBER, DRUG)


def _named(places: Sequence[int], tokens: Sequence[Token], language: str | None) -> Iterator[Statement]:
    """Negations, body parts and sides."""
    spans = find_terms(tokens, _watched(language), tight)
    denied = {at for span in spans if span.category == NEGATION for at in range(span.start, span.stop)}
    words = [at for at, token in enumerate(tokens) if token.kind is not Kind.PUNCT] if denied else []
    negations = ((rank, at) for rank, at in enumerate(words) if at in denied)
    for _, run in groupby(enumerate(negations), key=lambda one: one[1][0] - one[0]):
        row = [at for _, (_, at) in run]  # "नहीं, नहीं" denies once
        sure = any(tight(tokens[at].text) not in _particles(language) for at in row)
        yield _statement(NEGATION, ("not",), places, tokens, row[0], row[-1] + 1, sure)
    for span in spans:
        if span.category != NEGATION:
            sure = not (span.category == SIDE and tokens[span.start].text.isascii())  # "right" is correct, "left" went away
            yield _statement(span.category, (span.term,), places, tokens, span.start, span.stop, sure)


def _statement(
    kind: str,
    values: tuple[str, ...],
    places: Sequence[int],
    tokens: Sequence[Token],
    start: int,
    stop: int,
    sure: bool = True,
    unit: str = "",
) -> Statement:
    text = tokens[start].text
    for before, token in pairwise(tokens[start:stop]):
        text += token.text if token.start == before.end else f" {token.text}"
    return Statement(kind, values, text, places[start], places[stop - 1], sure, unit)


def _numbers(places: Sequence[int], tokens: Sequence[Token], language: str | None) -> Iterator[Statement]:
    texts = tuple([token.text for token in tokens])
    spans = [span for span in values_of(texts, languages.get(language).tag) if span.kind in _VALUES]
    for span in _longest(spans):
        unit, stop = _unit_at(tokens, span.stop)
        text = [token.text for token in tokens[span.start : span.stop]]
        small = not _SMALL.isdisjoint(span.keys) and not text[0][-1].isdecimal()
        yield _statement(NUMBER, span.keys, places, tokens, span.start, stop, bool(unit) or not small, unit)


def _longest(spans: Sequence[ValueSpan]) -> list[ValueSpan]:
    """Spans that do not overlap: the longest first, then from the left."""
    taken: set[int] = set()
    kept: list[ValueSpan] = []
    for span in sorted(spans, key=lambda span: (span.start - span.stop, span.start)):
        inside = range(span.start, span.stop)
        if taken.isdisjoint(inside):
            taken.update(inside)
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)


def _unit_at(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The longest unit that begins at a token and the index after it; "" and the same index without one."""
    begun = _units_beginning(tokens[at].text) if at < len(tokens) else ()
    row = [_word(token.text) for token in tokens[at : at + 4]] if begun else []
    ends = ((phrases.at(row, 0, len(row)), name) for name, phrases in begun)
    end, unit = max(((end, name) for end, name in ends if end is not None), default=(0, ""))
    return unit, at + end


@lru_cache(maxsize=65536)
def _units_beginning(text: str) -> tuple[tuple[str, Phrases], ...]:
    """The units that may begin with a word, with their phrases."""
    word = _word(text).tight
    return tuple(item for item in units_by_name().items() if word in item[1].exact or word.startswith(item[1].heads))


@lru_cache(maxsize=65536)
def _word(text: str) -> Word:
    spelled = "percent" if text == "%" else text
    return Word(spelled, tight(spelled), 0)


def _drugs(places: Sequence[int], tokens: Sequence[Token]) -> Iterator[Statement]:
    rows = [(at, word) for at, token in enumerate(tokens) if token.kind is Kind.LEXICAL for word in _words(token.text)]
    for one in medicines([word for _, word in rows]):
        start, stop = rows[one.start][0], rows[one.end - 1][0] + 1
        yield _statement(DRUG, ("+".join(one.parts),), places, tokens, start, stop)


@lru_cache(maxsize=65536)
def _words(text: str) -> tuple[Word, ...]:
    return words_of(text)


@cache
def _watched(language: str | None) -> tuple[Category, Category, Category]:
    """Negations, body parts and sides of a language and of English; of all languages where it is not known."""
    known = languages.get(language)
    sides = zip(("left", "right"), known.body_sides, languages.get("en").body_sides, strict=True)
    lines = [f"{name} = {' | '.join(dict.fromkeys(own + english))}" for name, own, english in sides]
    parts = (files("parakh.diagnostics") / "lists" / "body_parts.txt").read_text("utf-8").split("\n")
    tags = {known.tag, "en"} if known.tag != "und" else None
    body = tuple(term for term in parse_terms(BODY, parts, "body_parts.txt").terms if _is_of(term, tags))
    negation = Category(NEGATION, bundled("NEGATION", tags).terms)
    return negation, Category(BODY, body), parse_terms(SIDE, lines, "body_sides")


def _is_of(term: Term, tags: set[str] | None) -> bool:
    return tags is None or term.language in tags


@cache
def _particles(language: str | None) -> frozenset[str]:
    return frozenset(map(tight, languages.get(language).particles))

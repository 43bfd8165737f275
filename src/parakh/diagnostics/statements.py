"""What a stretch of either side states that must not change: negations, numbers with their units, medicines, body parts, sides,
and when something is taken.

A statement knows the first and last pair it spans, so that one phrase of several units on one side meets another on the other.
It is found in the units of a side as they stand, never in one pair alone.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby, pairwise
from typing import NamedTuple

from parakh import languages
from parakh.clinical.folding import Word, tight, words_of
from parakh.clinical.medicines import medicines
from parakh.clinical.quantities import units_by_name
from parakh.diagnostics import Unit
from parakh.diagnostics.categories import Category, Term, TermSpan, bundled, find_terms, parse_terms
from parakh.diagnostics.notations import values_of
from parakh.languages.value_words import unit_word, units_beginning
from parakh.languages.values import ValueSpan
from parakh.text.tokens import Kind, Token, tokenize

NEGATION, NUMBER, UNIT, DRUG, BODY, SIDE = "negation", "number", "unit", "drug", "body part", "side"
MEAL, PERIOD, DAYPART, CLOCK, WEEKDAY = "meal", "period", "time of day", "clock", "weekday"
TIMINGS = (MEAL, PERIOD, DAYPART, CLOCK, WEEKDAY)
"""Kinds of ``lists/timings.txt``: before or after food, a day or a week, morning or evening, am or pm, Monday or Tuesday."""
_GREETING = "greeting"
_FREQUENCY = "frequency"
_LONG_DATE = re.compile(r"d:\d{4}-\d{2}-\d{2}")
_VALUES = frozenset({"number", "ordinal", "date", "time", "currency", "ratio", "digits"})
_SMALL = frozenset({"n:1", "n:2", "o:1", "o:2"})
_TIMES = {"once": "n:1", "twice": "n:2", "thrice": "n:3"}
_AFTER_ONCE = frozenset({"a", "an", "per", "each", "every", "daily", "weekly", "monthly", "in"})
_BEFORE_PART = frozenset({"upper", "lower", "inner", "outer", "front", "big", "index", "middle", "ring", "little"})
_SIDED = frozenset({"side", "lobe", "flank", "quadrant", "ventricle", "atrium", "ovary", "cheek", "temple", "testicle"})
"""What has a left and a right besides the body parts of the list."""
_EACH = {"ಒಂದೊಂದು": "n:1", "ಎರಡೆರಡು": "n:2", "ಮೂರುಮೂರು": "n:3", "ಮೂರ್ಮೂರು": "n:3", "ನಾಲ್ಕುನಾಲ್ಕು": "n:4", "ಅರ್ಧರ್ಧ": "n:0.5"}
_TAG = "न"
_CALLED = frozenset(
    map(tight, "दीदी भैया भाई बहन सर मैडम मैम डॉक्टर जी बेटा बेटी आंटी अंकल साहब माँ अम्मा यार".split())  # noqa: SIM905
)
"""Whom a sentence may call after the "न" that asks for assent, or after a "no": "ठीक है न दीदी"."""
_STOPS = frozenset("।॥.?!|۔")
"""Marks that end a sentence."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said.

    Args:
        kind: NEGATION, NUMBER, UNIT, DRUG, BODY, SIDE or one of TIMINGS.
        values: What it can mean; two statements of a kind are the same if they share one.
        text: As written.
        first: Index of the first pair it spans.
        last: Index of the last.
        sure: Whether the words mean this wherever they stand: "ना" is a particle too, "एक" an article.
        unit: Of a number: name of the unit after it, or code of its currency; "" without one.
        form: Of a number: the kind of its ``ValueSpan``.
        each: Of a number: it is said twice, as in "दो दो गोली", two each.
    """

    kind: str
    values: tuple[str, ...]
    text: str
    first: int
    last: int
    sure: bool = True
    unit: str = ""
    form: str = ""
    each: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A statement that became another one, was lost (``heard`` is None) or gained (``said`` is None).

    A quiet one is not told: it only makes good for what another speaker gained or lost.
    """

    kind: str
    said: Statement | None
    heard: Statement | None
    quiet: bool = False

    @property
    def both(self) -> list[Statement]:
        """The statements there are."""
        return [one for one in (self.said, self.heard) if one is not None]

    @property
    def first(self) -> int:
        """Index of the first pair."""
        return min(one.first for one in self.both)

    @property
    def last(self) -> int:
        """Index of the last pair."""
        return max(one.last for one in self.both)


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
        found += _parts_of_day(places, tokens, language)
        found += _numbers(places, tokens, language)
        found += _drugs(places, tokens)
    return sorted(found, key=lambda one: (_ORDER.index(one.kind), one.first, one.last))


_ORDER = (NEGATION, BODY, SIDE, NUMBER, DRUG, *TIMINGS)


def _named(places: Sequence[int], tokens: Sequence[Token], language: str | None) -> Iterator[Statement]:
    """Negations, body parts, sides and times."""
    spans = find_terms(tokens, _watched(language), tight)
    denied = {at for span in spans if span.category == NEGATION for at in range(span.start, span.stop)}
    words = [at for at, token in enumerate(tokens) if token.kind is not Kind.PUNCT] if denied else []
    negations = ((rank, at) for rank, at in enumerate(words) if at in denied)
    for _, run in groupby(enumerate(negations), key=lambda one: one[1][0] - one[0]):
        row = [at for _, (_, at) in run]  # "नहीं, नहीं" denies once
        sure = any(_denies(tokens, at, language) for at in row) and not _is_answer(tokens, row, denied)
        text = " ".join(tokens[at].text for at in row)
        yield Statement(NEGATION, ("not",), text, places[row[0]], places[row[-1]], sure)
    bodies = {span.start for span in spans if span.category == BODY}
    for span in spans:
        if span.category not in (NEGATION, _GREETING):
            sure = span.category != SIDE or _is_side(tokens, span, bodies)
            yield _statement(span.category, (span.term,), places, tokens, span.start, span.stop, sure)


def _denies(tokens: Sequence[Token], at: int, language: str | None) -> bool:
    """Whether a negation is no particle: "ना", or a "न" that ends its sentence or stands before the one who is called."""
    word = tight(tokens[at].text)
    if word in _particles(language):
        return False
    if word != _TAG or at == 0 or tokens[at - 1].kind is Kind.PUNCT:
        return True
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and after.kind is not Kind.PUNCT and tight(after.text) not in _CALLED


def _is_answer(tokens: Sequence[Token], row: Sequence[int], denied: Container[int]) -> bool:
    """Whether negations only begin an answer whose sentence denies once more: "नहीं दीदी, दर्द नहीं" means the same without."""
    if row[0] and tokens[row[0] - 1].text not in _STOPS:
        return False
    after = row[-1] + 1
    if after < len(tokens) and tokens[after].text != "," and tight(tokens[after].text) not in _CALLED:
        return False
    stop = next((at for at in range(after, len(tokens)) if tokens[at].text in _STOPS), len(tokens))
    return any(at in denied for at in range(after, stop))


def _is_side(tokens: Sequence[Token], span: TermSpan, bodies: Container[int]) -> bool:
    """Whether a side is one wherever it stands; English "right" is correct and "left" went away but before a body part."""
    if not tokens[span.start].text.isascii():
        return True
    at = span.stop
    if at < len(tokens) and tokens[at].text.lower() in _BEFORE_PART:
        at += 1
    return at in bodies or (at < len(tokens) and tokens[at].text.lower() in _SIDED)


def _parts_of_day(places: Sequence[int], tokens: Sequence[Token], language: str | None) -> Iterator[Statement]:
    """Parts of the day in words with a hyphen: "सुबह-शाम"."""
    daypart = tuple(one for one in _watched(language) if one.name == DAYPART)
    for place, token in zip(places, tokens, strict=True):
        if "-" in token.text and token.kind is Kind.LEXICAL:
            parts = [Token(part, token.kind, token.start, token.end) for part in token.text.split("-") if part]
            for span in find_terms(parts, daypart, tight):
                yield Statement(span.category, (span.term,), parts[span.start].text, place, place)


def _statement(
    kind: str, values: tuple[str, ...], places: Sequence[int], tokens: Sequence[Token], start: int, stop: int, sure: bool = True
) -> Statement:
    return Statement(kind, values, _text(tokens[start:stop]), places[start], places[stop - 1], sure)


def _text(tokens: Sequence[Token]) -> str:
    text = tokens[0].text
    for before, token in pairwise(tokens):
        text += token.text if token.start == before.end else f" {token.text}"
    return text


class _Number(NamedTuple):
    """Tokens that say a number, without its unit."""

    start: int
    stop: int
    keys: tuple[str, ...]
    form: str
    each: bool = False


def _numbers(places: Sequence[int], tokens: Sequence[Token], language: str | None) -> Iterator[Statement]:
    tag = languages.get(language).tag
    beside = enumerate(pairwise(tokens), 1)
    onto = tuple(at for at, (one, other) in beside if one.end == other.start and one.text.isdecimal())
    spans = values_of(tuple([token.text for token in tokens]), tag, onto)
    numbers = [one for span in _longest([span for span in spans if _counts(span)]) for one in _of_span(span)]
    numbers = sorted((*numbers, *_frequencies(tokens)))
    for one in numbers if tag == "en" else _doubled(tokens, numbers):
        unit, stop = ("time", one.stop) if one.form == _FREQUENCY else _unit_at(tokens, one.stop)
        unit = unit or next((key.split(":")[1] for key in one.keys if key.startswith("c:")), "")
        small = not _SMALL.isdisjoint(one.keys) and not tokens[one.start].text[-1].isdecimal()
        sure = bool(unit) or not small
        text = _text(tokens[one.start : stop])
        yield Statement(NUMBER, one.keys, text, places[one.start], places[stop - 1], sure, unit, one.form, one.each)


def _counts(span: ValueSpan) -> bool:
    return span.kind in _VALUES or (span.kind == "range" and span.stop == span.start + 1)


def _of_span(span: ValueSpan) -> Iterator[_Number]:
    """The numbers of a span: of "दो-तीन" both, of "दो-दो" one that is said twice; a date has its year in two digits as well."""
    if span.kind != "range":
        short = (f"d:{key[4:]}" for key in span.keys if _LONG_DATE.fullmatch(key))
        yield _Number(span.start, span.stop, (*span.keys, *short), span.kind)
        return
    values = dict.fromkeys(span.keys[0][2:].split("-"))
    for value in values:
        yield _Number(span.start, span.stop, (f"n:{value}",), "number", len(values) == 1)


def _frequencies(tokens: Sequence[Token]) -> Iterator[_Number]:
    """English "once", "twice", "thrice"; "once" alone is "formerly" too. Kannada words that say a number of each."""
    for at, token in enumerate(tokens):
        if token.text in _EACH:
            yield _Number(at, at + 1, (_EACH[token.text],), "number", True)
        word = token.text.lower()
        after = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        if word in _TIMES and (word != "once" or after in _AFTER_ONCE):
            yield _Number(at, at + 1, (_TIMES[word],), _FREQUENCY)


def _doubled(tokens: Sequence[Token], numbers: Sequence[_Number]) -> Iterator[_Number]:
    """The same small number twice before a unit is one number, so many each; in English it is a slip of the tongue."""
    at = 0
    while at < len(numbers):
        one = numbers[at]
        after = numbers[at + 1] if at + 1 < len(numbers) else one
        if one.stop == after.start and one.keys == after.keys and one.form == "number" and _unit_at(tokens, after.stop)[0]:
            yield one._replace(stop=after.stop, each=True)
            at += 1
        else:
            yield one
        at += 1


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
    begun = units_beginning(tokens[at].text, every=True) if at < len(tokens) else ()
    row = [unit_word(token.text) for token in tokens[at : at + 4]] if begun else []
    ends = ((units_by_name()[name].at(row, 0, len(row)), name) for name in begun)
    end, unit = max(((end, name) for end, name in ends if end is not None), default=(0, ""))
    return unit, at + end


def _drugs(places: Sequence[int], tokens: Sequence[Token]) -> Iterator[Statement]:
    rows = [(at, word) for at, token in enumerate(tokens) if token.kind is Kind.LEXICAL for word in _words(token.text)]
    for one in medicines([word for _, word in rows]):
        start, stop = rows[one.start][0], rows[one.end - 1][0] + 1
        yield _statement(DRUG, ("+".join(one.parts),), places, tokens, start, stop)


@lru_cache(maxsize=65536)
def _words(text: str) -> tuple[Word, ...]:
    return words_of(text)


@cache
def _watched(language: str | None) -> tuple[Category, ...]:
    """Negations, body parts, sides and times of a language and of English; of all languages where it is not known."""
    known = languages.get(language)
    sides = zip(("left", "right"), known.body_sides, languages.get("en").body_sides, strict=True)
    lines = [f"{name} = {' | '.join(dict.fromkeys(own + english))}" for name, own, english in sides]
    tags = {known.tag, "en"} if known.tag != "und" else None
    negation = Category(NEGATION, bundled("NEGATION", tags).terms)
    times = _listed("timings.txt", tags)
    timings = (
        Category(kind, tuple(term for term in times if term.name.startswith(f"{kind}:"))) for kind in (*TIMINGS, _GREETING)
    )
    return negation, Category(BODY, _listed("body_parts.txt", tags)), parse_terms(SIDE, lines, "body_sides"), *timings


def _listed(name: str, tags: set[str] | None) -> tuple[Term, ...]:
    """The terms of a list that are of some languages."""
    lines = (files("parakh.diagnostics") / "lists" / name).read_text("utf-8").split("\n")
    return tuple(term for term in parse_terms(name, lines, name).terms if _is_of(term, tags))


def _is_of(term: Term, tags: set[str] | None) -> bool:
    return tags is None or term.language in tags


@cache
def _particles(language: str | None) -> frozenset[str]:
    return frozenset(map(tight, languages.get(language).particles))

"""Where the terms of a category stand in a text.

Terms are found from left to right; of those that begin at a token the longest wins, whatever the order of the list, and of
equally long ones that of the category given first. Words are compared by a fold the caller chooses, without regard to case
unless the list asks for it; white space within a term does not matter ("500mg", "500 mg").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from parakh.diagnostics._bundled import BUNDLED, bundled
from parakh.diagnostics._term_lists import Category, Term, parse_terms, read_terms
from parakh.errors import Fault, InputError
from parakh.text.normalize import canonical
from parakh.text.tokens import Token

__all__ = ["BUNDLED", "Category", "Term", "TermSpan", "bundled", "find_all", "find_terms", "parse_terms", "read_terms"]

Fold = Callable[[str], str]

_PATIENCE = 5.0  # seconds that one pattern may take for one text; an honest one takes microseconds


@dataclass(frozen=True, slots=True)
class TermSpan:
    """A term in a text.

    Args:
        start: Index of its first token.
        stop: Index after its last token.
        category: The category that lists it.
        term: What it is reported as.
    """

    start: int
    stop: int
    category: str
    term: str


def find_terms(tokens: Sequence[Token], categories: Sequence[Category], fold: Fold) -> list[TermSpan]:
    """The terms of a text, without overlap, from left to right, the longest first.

    Args:
        tokens: The tokens of one text, in order.
        categories: Where to look; of equally long terms that of the category given first is taken.
        fold: Makes of a word the key it is compared by; applied to the terms as well. What it was once is remembered, so it
            must be one function, not one made anew for every call.

    Returns:
        Spans in the order of the text.

    Raises:
        InputError: A pattern takes longer than 5 seconds.

    >>> from parakh.text.tokens import tokenize
    >>> drugs = parse_terms("MEDICAL", ["आयरन", "आयरन की गोली", "मात्र*"])
    >>> find_terms(tokenize("आयरन की गोली लो"), [drugs], str)
    [TermSpan(start=0, stop=3, category='MEDICAL', term='आयरन की गोली')]
    """
    index = _index(tuple(categories), fold)
    seen = index.seen
    keys = [seen[token.text] for token in tokens]
    by_pattern = _pattern_hits(tokens, index.patterns) if index.patterns else {}
    spans: list[TermSpan] = []
    if not by_pattern and not any(nodes for _, nodes in keys):
        return spans
    at = 0
    while at < len(tokens):
        best = None
        if keys[at][1] or at in by_pattern:
            best = min((*_word_hits(index, tokens, keys, at), *by_pattern.get(at, ())), default=None, key=_preference)
        if best is None:
            at += 1
        else:
            spans.append(TermSpan(at, best.stop, best.entry.category, best.entry.term.name))
            at = best.stop
    return spans


def find_all(tokens: Sequence[Token], category: Category, fold: Fold) -> list[TermSpan]:
    """The terms of one category alone, as ``find_terms`` finds them; what other categories claim does not matter.

    >>> from parakh.text.tokens import tokenize
    >>> find_all(tokenize("दवा नहीं ली"), bundled("NEGATION"), str)
    [TermSpan(start=1, stop=2, category='NEGATION', term='नहीं')]
    """
    return find_terms(tokens, (category,), fold)


@lru_cache(maxsize=64)
def beginnings(categories: tuple[Category, ...], fold: Fold) -> Mapping[str, Collection[Category]]:
    """By the text of a token, the categories of which a term may begin with it or a pattern may match it.

    A text has terms of no other category than those of its tokens; most words begin none.

    >>> beginnings((bundled("NEGATION", ("hi",)), bundled("FILLER")), str)["दवा"]
    ()
    """
    return _Beginnings(categories, fold)


class _Beginnings(dict[str, tuple[Category, ...]]):
    def __init__(self, categories: tuple[Category, ...], fold: Fold) -> None:
        super().__init__()
        self.indices = [(category, _index((category,), fold)) for category in categories]

    def __missing__(self, text: str) -> tuple[Category, ...]:
        latin = _LATIN.search(text) is not None
        found = self[text] = tuple(
            category
            for category, index in self.indices
            if index.seen[text][1] or any(latin or entry.term.language != "en" for entry in index.patterns)
        )
        return found


@dataclass(frozen=True, slots=True)
class _Entry:
    """A term of the categories given and its place among them."""

    rank: tuple[int, int, int]
    category: str
    term: Term


@dataclass(frozen=True, slots=True)
class _Hit:
    stop: int
    entry: _Entry


def _preference(hit: _Hit) -> tuple[int, tuple[int, int, int]]:
    return -hit.stop, hit.entry.rank


@dataclass(slots=True)
class _Node:
    """What may follow the words so far: whole words, stems by their first letters, and the terms that end here."""

    words: dict[str, _Node] = field(default_factory=dict)
    stems: dict[str, _Node] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)
    ends: list[_Entry] = field(default_factory=list)

    def after(self, key: str) -> Iterator[_Node]:
        """The nodes that a word leads to."""
        if (exact := self.words.get(key)) is not None:
            yield exact
        for length in self.lengths:
            if length <= len(key) and (stem := self.stems.get(key[:length])) is not None:
                yield stem


@dataclass(slots=True)
class _Index:
    """The terms of some categories by their first word, each word folded."""

    fold: Fold
    root: _Node = field(default_factory=_Node)
    patterns: list[_Entry] = field(default_factory=list)
    seen: _Seen = field(init=False)

    def __post_init__(self) -> None:
        self.seen = _Seen(self)

    def key(self, word: str) -> str:
        """What a word is compared by; what the fold leaves nothing of, as it may of a mark, by itself."""
        return self.fold(word).casefold() or word


class _Seen(dict[str, tuple[str, tuple[_Node, ...]]]):
    """The key of each word and where it leads as the first of a term; remembered, as the words of a text recur."""

    def __init__(self, index: _Index) -> None:
        super().__init__()
        self.index = index

    def __missing__(self, word: str) -> tuple[str, tuple[_Node, ...]]:
        key = self.index.key(word)
        found = self[word] = key, tuple(self.index.root.after(key))
        return found


@lru_cache(maxsize=64)
def _index(categories: tuple[Category, ...], fold: Fold) -> _Index:
    index = _Index(fold)
    for place, category in enumerate(categories):
        for number, term in enumerate(category.terms):
            kind = 2 if term.pattern else bool(term.stems)
            entry = _Entry((place, kind, number), category.name, term)
            if term.pattern:
                index.patterns.append(entry)
            else:
                _add(index, entry)
    return index


def _add(index: _Index, entry: _Entry) -> None:
    node = index.root
    for number, word in enumerate(entry.term.words):
        key = index.key(word)
        if number in entry.term.stems:
            node.lengths.add(len(key))
            node = node.stems.setdefault(key, _Node())
        else:
            node = node.words.setdefault(key, _Node())
    node.ends.append(entry)


def _word_hits(index: _Index, tokens: Sequence[Token], keys: Sequence[tuple[str, tuple[_Node, ...]]], at: int) -> Iterator[_Hit]:
    nodes: Sequence[_Node] = keys[at][1]
    stop = at + 1
    while nodes:
        for node in nodes:
            for entry in node.ends:
                if not entry.term.case_sensitive or _same_case(entry.term, tokens[at:stop]):
                    yield _Hit(stop, entry)
        if stop == len(tokens):
            return
        nodes = [after for node in nodes for after in node.after(keys[stop][0])]
        stop += 1


def _same_case(term: Term, tokens: Sequence[Token]) -> bool:
    for number, (word, token) in enumerate(zip(term.words, tokens, strict=True)):
        wanted, found = _cased(word), _cased(token.text)
        if found != wanted and not (number in term.stems and found.startswith(wanted)):
            return False
    return True


def _cased(word: str) -> str:
    """The letters that have a case."""
    return "".join(sign for sign in canonical(word) if sign.lower() != sign.upper())


_LATIN = re.compile(
    "[A-Za-z\xaa\xba\xc0-\u02ff\u1d00-\u1dff\u1e00-\u1eff\u2071-\u209f\u2100-\u218f\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f"
    "\ufb00-\ufb06\uff21-\uff5a\U00010780-\U000107bf\U0001df00-\U0001dfff]"
)
"""What every pattern of an English list needs; most texts have none of it."""


def _pattern_hits(tokens: Sequence[Token], entries: Sequence[_Entry]) -> dict[int, list[_Hit]]:
    """What patterns match, by the index of the first token; a match begins and ends with whole tokens."""
    if not any(_LATIN.search(token.text) for token in tokens):
        entries = [entry for entry in entries if entry.term.language != "en"]
    if not entries:
        return {}
    text, starts, ends = _joined(tokens)
    hits: dict[int, list[_Hit]] = {}
    for entry in entries:
        for start, stop in _matches(entry.term, text, starts, ends):
            hits.setdefault(start, []).append(_Hit(stop, entry))
    return hits


def _joined(tokens: Sequence[Token]) -> tuple[str, dict[int, int], dict[int, int]]:
    """The text of the tokens with one space where there was any, and which token starts and ends where in it."""
    pieces: list[str] = []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    at = 0
    for number, token in enumerate(tokens):
        if number and tokens[number - 1].end != token.start:
            pieces.append(" ")
            at += 1
        pieces.append(canonical(token.text))
        starts[at] = number
        at += len(pieces[-1])
        ends[at] = number + 1
    return "".join(pieces), starts, ends


def _matches(term: Term, text: str, starts: dict[int, int], ends: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The longest match of a pattern at every token, as token indices; white space at its end does not count."""
    assert term.pattern is not None
    try:
        for match in term.pattern.finditer(text, overlapped=True, timeout=_PATIENCE):
            start, whole = match.start(), match.start() + len(match[0].rstrip())
            if start not in starts:
                continue
            for end in range(whole, start, -1):
                if end in ends and (end == whole or term.pattern.fullmatch(text, start, end, timeout=_PATIENCE)):
                    yield starts[start], ends[end]
                    break
    except (TimeoutError, MemoryError) as error:
        path, _, line = term.place.rpartition(":")
        effort = f"over {_PATIENCE:g} seconds" if isinstance(error, TimeoutError) else "all memory"
        found = f"the pattern {term.name!r}, which takes {effort} for one text"
        action = "Write it without a repetition within a repetition."
        raise InputError(Fault(path, "", found, "a pattern that is quick", action, int(line))) from error

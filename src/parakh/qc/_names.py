"""Names of people beside the words that introduce them: "मेरा नाम ...", "ನನ್ನ ಹೆಸರು ...", "my name is ...", "Mrs ...", "...
देवी".

The words stand in ``lists/names.toml``. Without such a word beside it a name is not found.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from parakh.files import read_text
from parakh.languages.number_tables import fold
from parakh.qc._texts import tokens as tokens_of
from parakh.text.tokens import Kind, Token, tokenize

_LIST = Path(__file__).parent / "lists" / "names.toml"
Phrase = tuple[str, ...]
_STOPS = frozenset("?.!।॥;:…")


@dataclass(frozen=True, slots=True)
class Named:
    """A word that stands where a name would.

    Args:
        start: Offset of the name in the text.
        end: Offset after it.
        cue: The words that introduce it, as a message may quote them.
    """

    start: int
    end: int
    cue: str


@dataclass(frozen=True, slots=True)
class _Row:
    """The words of a text, folded, and whether a mark stands behind each: any, or one that ends a sentence."""

    text: str
    tokens: Sequence[Token]
    words: Sequence[str]
    marks: Sequence[bool]
    stops: Sequence[bool]

    def has(self, at: int, phrase: Sequence[str]) -> bool:
        return at >= 0 and tuple(self.words[at : at + len(phrase)]) == tuple(phrase)

    def cue(self, at: int, count: int) -> str:
        """Some words as written."""
        return self.text[self.tokens[at].start : self.tokens[at + count - 1].end]

    def is_name(self, at: int) -> bool:
        """Whether a word may be a name."""
        return 0 <= at < len(self.words) and not _is_no_name(self.words[at]) and not self.words[at].isdecimal()

    def is_capital(self, at: int) -> bool:
        """Whether a word in Latin letters is written as a name: a capital and small letters."""
        text = self.tokens[at].text if 0 <= at < len(self.tokens) else ""
        return text.isascii() and len(text) > 2 and text[:1].isupper() and text[1:].islower()


def names_in(text: str) -> list[Named]:
    """The words of a text that stand where a name would.

    Args:
        text: What was said.

    Returns:
        From left to right, each word once.

    >>> [(one.cue, one.end - one.start) for one in names_in("जी, मेरा नाम रेखा है। दवा का नाम पैरासिटामोल है")]
    [('मेरा नाम', 4)]
    """
    row = _row(text)
    found: dict[int, Named] = {}
    for at in range(len(row.words)):
        for place, cue in (*_after_cue(row, at), *_before_cue(row, at), *_beside(row, at)):
            if row.is_name(place) and place not in found:
                found[place] = Named(row.tokens[place].start, row.tokens[place].end, cue)
    return [found[place] for place in sorted(found)]


@lru_cache(maxsize=1 << 16)
def has_cue(text: str) -> bool:
    """Whether a text has a word that some cue needs; without any it holds no name that is found.

    >>> has_cue("नाम?"), has_cue("का")
    (True, False)
    """
    return not _cue_words().isdisjoint(fold(token.text) for token in tokenize(text))


def _row(text: str) -> _Row:
    words: list[Token] = []
    marks: list[bool] = []
    stops: list[bool] = []
    for token in tokens_of(text):
        if token.kind is not Kind.PUNCT:
            words.append(token)
            marks.append(False)
            stops.append(False)
        elif words and not (token.text == "." and fold(words[-1].text) in _words("titles")):
            marks[-1] = True
            stops[-1] = stops[-1] or token.text in _STOPS
    return _Row(text, words, [fold(word.text) for word in words], marks, stops)


def _after_cue(row: _Row, at: int) -> Iterator[tuple[int, str]]:
    """Where a name would follow the phrase that begins at a word; the longest phrase counts."""
    phrase = next((one for one in _phrases("before").get(row.words[at], ()) if row.has(at, one)), None)
    if phrase is None or _of_thing(row, at):
        return
    place = at + len(phrase)
    while place < len(row.words) and not row.stops[place - 1] and row.words[place] in _words("between"):
        place += 1
    if place < len(row.words) and not row.stops[place - 1]:
        place += row.words[place] in _words("titles") or row.words[place] in _words("professions")
        if len(phrase) > 1 or _is_closed(row, place):
            yield place, row.cue(at, len(phrase))


def _is_closed(row: _Row, at: int) -> bool:
    """Whether a name of one word or two at a place is the end of its sentence or has "is" after it."""
    for last in range(at, min(at + 2, len(row.words))):
        if row.stops[last] or last + 1 == len(row.words) or row.words[last + 1] in _words("closing"):
            return True
    return False


def _of_thing(row: _Row, at: int) -> bool:
    """Whether the name spoken of is that of a thing: "दवा का नाम", "name of the village"."""
    of = row.words[at + 1 : at + 5] if row.has(at + 1, ("of",)) else ()
    return any(word in _words("things") for word in (*row.words[max(0, at - 2) : at + 1], *of))


def _before_cue(row: _Row, at: int) -> Iterator[tuple[int, str]]:
    """A name right before a phrase: "रेखा नाम है", "रेखा देवी"."""
    after = row.words[at + 1] if at + 1 < len(row.words) and not row.marks[at] else ""
    for phrase in _phrases("after").get(after, ()):
        if row.has(at + 1, phrase) and not _of_thing(row, at):
            yield at, row.cue(at + 1, len(phrase))
            break
    if after in _words("endings"):
        yield at, row.cue(at + 1, 1)


def _beside(row: _Row, at: int) -> Iterator[tuple[int, str]]:
    """A name after a title or a profession, within "मैं ... बोल रही", or with a capital after "I am"."""
    word, place = row.words[at], at + 1
    if place >= len(row.words) or row.marks[at]:
        return
    if word in _words("titles") and not (row.tokens[place].text.isascii() and _is_lower_case(row, place)):
        yield place, row.cue(at, 1)
    if word in _words("professions") and row.words[place] in _words("surnames"):
        yield place, row.cue(at, 1)
    for phrase in _phrases("capital").get(word, ()):
        if row.has(at, phrase) and row.is_capital(at + len(phrase)) and not any(row.marks[at : at + len(phrase)]):
            yield at + len(phrase), row.cue(at, len(phrase))
    for first, second in _frames().get(word, ()):
        for length in (1, 2):
            if row.has(at, first) and row.has(at + len(first) + length, second):
                yield at + len(first), row.cue(at, len(first))


def _is_lower_case(row: _Row, at: int) -> bool:
    """Whether a Latin word has a small letter where the text has capitals elsewhere, or is no known surname."""
    return row.tokens[at].text[:1].islower() and row.words[at] not in _words("surnames")


@cache
def _lists() -> dict[str, list[str]]:
    lists: dict[str, list[str]] = tomllib.loads(read_text(_LIST))
    return lists


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(fold(word) for word in _lists()[name])


@cache
def _cue_words() -> frozenset[str]:
    """A word of every cue, of several the longest, which is the rarest."""
    phrases = [phrase for name in ("before", "after", "capital") for own in _phrases(name).values() for phrase in own]
    phrases += [second + first for own in _frames().values() for first, second in own]
    return frozenset({max(phrase, key=len) for phrase in phrases}.union(*map(_words, ("titles", "surnames", "endings"))))


@cache
def _phrases(name: str) -> dict[str, list[Phrase]]:
    """The phrases of a list by their first word, the longest first."""
    found: dict[str, list[Phrase]] = {}
    for phrase in sorted({_folded(one) for one in _lists()[name]}, key=lambda one: (-len(one), one)):
        found.setdefault(phrase[0], []).append(phrase)
    return found


@cache
def _frames() -> dict[str, list[tuple[Phrase, Phrase]]]:
    """The pairs of phrases around a name, by the first word of the first."""
    found: dict[str, list[tuple[Phrase, Phrase]]] = {}
    for first, second in tomllib.loads(read_text(_LIST))["around"]:
        found.setdefault(_folded(first)[0], []).append((_folded(first), _folded(second)))
    return found


def _folded(phrase: str) -> Phrase:
    return tuple(map(fold, phrase.split()))


@lru_cache(maxsize=1 << 14)
def _is_no_name(word: str) -> bool:
    exact, stems = _no_names()
    others = any(word in _words(name) for name in ("between", "titles", "professions", "endings"))
    return word in exact or word.startswith(stems) or others or len(word) < 2


@cache
def _no_names() -> tuple[frozenset[str], tuple[str, ...]]:
    listed = _lists()["no_names"]
    return (
        frozenset(fold(word) for word in listed if not word.endswith("*")),
        tuple(fold(word[:-1]) for word in listed if word.endswith("*")),
    )

"""Digits that are read out one after another: runs of number words and written digits over the words of a speaker.

A run goes on over marks, hesitations and words like "and then" and "हाँ", from one segment of a speaker to the next. Number words
are those of the language and English ones; in Latin letters the language's words are told by their sounds ("paanch", "aidu").
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from parakh import languages
from parakh.files import read_text
from parakh.languages.number_tables import Role, fold, grammar
from parakh.languages.number_words import read
from parakh.languages.value_words import sense
from parakh.qc._texts import BETWEEN_WORDS, without_tags
from parakh.text.folds import ascii_digits
from parakh.text.personal import find
from parakh.text.sounds import sounds
from parakh.text.tokens import Kind, Token, tokenize
from parakh.text.transliteration import script_in
from parakh.types import Segment

_LIST = Path(__file__).parent / "lists" / "digits.toml"
_MOST_FILLERS = 2
_MOST_OF_WORD = 2
"""Digits of a number below 100; also what "triple" adds to the digit after it."""
_DIGIT, _END = "1", "."
_BEFORE_CODE = 6
_MARKS = frozenset(",.।-–—…;:'\"“”‘’?!()")


@dataclass(frozen=True, slots=True)
class Part:
    """What one or several tokens add to a run.

    Args:
        segment: Index of the segment.
        digits: What is said, in ASCII.
        written: Whether in digits.
        repeated: Whether as "double" or "triple".
    """

    segment: int
    digits: str
    written: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Digits one after another.

    Args:
        parts: The numbers said, in order.
        before: The words before it, in lower case, nearest last.
    """

    parts: tuple[Part, ...]
    before: tuple[str, ...] = ()

    @property
    def digits(self) -> str:
        """All its digits."""
        return "".join(part.digits for part in self.parts)


@dataclass(frozen=True, slots=True)
class Said:
    """A number as it stands in a text: as in ``Part``; weak if it may be another word where no digit stands before it."""

    digits: str
    written: bool = False
    repeated: bool = False
    weak: bool = False


def runs(segments: Sequence[tuple[int, Segment]], tag: str | None, gap_s: float) -> list[Run]:
    """Every run of digits in the words of one speaker.

    Args:
        segments: Index and segment, in order of time.
        tag: BCP-47 primary tag of the language of segments that carry none.
        gap_s: Seconds after which the next segment begins a new run.

    >>> said = [(0, Segment("v1", words="मेरा नंबर नौ आठ डबल सात")), (1, Segment("v1", words="six पाँच 4 है"))]
    >>> [run.digits for run in runs(said, "hi", 5.0)]
    ['9877654']
    """
    found: list[Run] = []
    parts: list[Part] = []
    before: list[str] = []
    fillers, end = 0, None

    def close() -> None:
        if parts:
            found.append(Run(tuple(parts), tuple(before[-_BEFORE_CODE:])))
        parts.clear()

    for index, segment in segments:
        if end is not None and segment.start_time is not None and segment.start_time - end > gap_s:
            close()
        end = segment.end_time
        if not parts and not _has_number(segment.words, segment.language or tag):
            before += map(fold, segment.words.split()[-_BEFORE_CODE:])
            continue
        for said in _said(segment.words, segment.language or tag):
            if isinstance(said, Said) and (parts or not said.weak):
                parts.append(Part(index, said.digits, said.written, said.repeated))
                fillers = 0
            elif isinstance(said, Said):
                before.append("")
            elif said and parts and _is_filler(said, segment.language or tag) and fillers < _MOST_FILLERS:
                fillers += 1
            else:
                close()
                fillers = 0
                before.append(said)
    close()
    return found


def may_reach(count: int, segments: Sequence[tuple[int, Segment]], tag: str | None, gap_s: float) -> bool:
    """Whether so many digits can follow one another at all; a quick look, for which the words about them do not count.

    >>> said = [(0, Segment("v1", words="नौ आठ डबल सात है")), (1, Segment("v1", words="एक बार"))]
    >>> may_reach(4, said, "hi", 5.0), may_reach(4, said[1:], "hi", 5.0)
    (True, False)
    """
    signs: list[str] = []
    end = None
    for _, segment in segments:
        if end is not None and segment.start_time is not None and segment.start_time - end > gap_s:
            signs.append(_END)
        end = segment.end_time
        signs += map(_sign_of(segment.language or tag), without_tags(segment.words).split(" "))
    return _DIGIT * count in "".join(signs)


@cache
def _sign_of(tag: str | None) -> Callable[[str], str]:
    """``_sign`` in a language; what it said of a word is kept."""
    return lru_cache(maxsize=1 << 16)(lambda text: _sign(text, tag))


def _sign(text: str, tag: str | None) -> str:
    """A mark for each digit that what stands between two blanks may add to a run, or one for the end of every run."""
    parts = _parts(text)
    count = sum(_length(part, tag) for part in parts if part.kind is not Kind.PUNCT)
    goes_on = all(part.text in _MARKS if part.kind is Kind.PUNCT else _is_filler(fold(part.text), tag) for part in parts)
    return _DIGIT * count if count or goes_on else _END


def _length(token: Token, tag: str | None) -> int:
    if token.kind is Kind.NUMERAL:
        return sum(map(str.isdecimal, token.text))
    if not may_begin(token.text, tag):
        return 0
    if _is_scale(token.text, tag):
        return 0
    value = _value((token.text,), tag)
    return _MOST_OF_WORD if value is None else len(str(value))


def _is_scale(word: str, tag: str | None) -> bool:
    """Whether a word says a hundred or more wherever it stands, unless "a quarter less" stands before it."""
    forms = grammar(tag).forms.get(fold(word), ())
    return bool(forms) and all(form.value >= 100 for form in forms)


def _has_number(text: str, tag: str | None) -> bool:
    """Whether a text may hold a number at all; most do not, and need no tokens."""
    words = BETWEEN_WORDS.split(text)
    return any(word and (word[-1].isdecimal() or word[0].isdecimal() or may_begin(word, tag)) for word in words)


def _said(text: str, tag: str | None) -> Iterator[Said | str]:
    """The numbers of a text, and its other words folded; "" for what ends a run."""
    tokens = [part for word in without_tags(text).split(" ") for part in _parts(word)]
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind is Kind.PUNCT:
            if token.text not in _MARKS:
                yield ""
            at += 1
            continue
        step, said = _number(tokens, at, tag)
        yield said if said else fold(token.text)
        at += step


@lru_cache(maxsize=1 << 16)
def _parts(text: str) -> tuple[Token, ...]:
    """The tokens of what stands between two blanks; where they stand does not matter here."""
    return tuple(part for token in tokenize(text) for part in _apart(token))


def _apart(token: Token) -> Iterator[Token]:
    """A word with hyphens as its parts: "नौ-आठ-सात"."""
    if token.kind is not Kind.LEXICAL or "-" not in token.text:
        yield token
        return
    for part in token.text.split("-"):
        if part:
            yield token._replace(text=part)


def _number(tokens: Sequence[Token], at: int, tag: str | None) -> tuple[int, Said | None]:
    """The number that begins at a token, with how many tokens it takes."""
    token = tokens[at]
    if token.kind is Kind.LEXICAL and not may_begin(token.text, tag):
        return 1, None
    if token.kind is Kind.NUMERAL:
        plain = ascii_digits(token.text).removeprefix("+")
        return 1, Said(plain, written=True) if plain.isdecimal() else None
    repeat = _repeats(token.text, tag)
    if repeat:
        after = _number(tokens, at + 1, tag)[1] if at + 1 < len(tokens) and tokens[at + 1].kind is not Kind.PUNCT else None
        whole = after and len(after.digits) == 1
        return (2, Said(after.digits * repeat, after.written, repeated=True)) if after and whole else (1, None)
    words = tuple(other.text for other in tokens[at : at + 2])
    for count in (2, 1):
        if len(words) >= count and all(other.kind is Kind.LEXICAL for other in tokens[at : at + count]):
            value = _value(words[:count], tag)
            if value is not None:
                return count, Said(str(value), weak=count == 1 and token.text.lower() in _words("weak"))
    return 1, None


@lru_cache(maxsize=1 << 15)
def may_begin(word: str, tag: str | None) -> bool:
    """Whether a word may begin a number or repeat a digit."""
    here = sense(word, tag)
    return bool(here and here.number) or bool(_repeats(word, tag)) or _value((word,), tag) is not None


@lru_cache(maxsize=1 << 15)
def _value(words: tuple[str, ...], tag: str | None) -> int | None:
    """The number below 100 that one or two words say; None for anything else."""
    known = [sense(word, tag) for word in words]
    if len(words) == 1 and known[0] and known[0].digits:
        return int(known[0].digits)
    if all(one and one.number for one in known):
        values = [int(value) for value in read(" ".join(words), grammar(tag)) if value == int(value) and 0 <= value < 100]
        if values:
            return min(values)
    if len(words) == 1 and script_in(words[0]) == "Latn" and words[0].lower() not in _words("no_numbers"):
        return _by_sound(words[0].lower(), tag)
    return None


def _by_sound(word: str, tag: str | None) -> int | None:
    table = _sounding(tag)
    values = {value for key in sounds(word.replace("chh", "ch")) for value in table.get(key, ())}
    return min(values, default=None)


@cache
def _sounding(tag: str | None) -> dict[str, frozenset[int]]:
    """Numbers below 100 by the sounds of the language's words for them; no English words."""
    found: dict[str, set[int]] = {}
    for word, forms in grammar(tag).forms.items() if tag else ():
        values = {int(form.value) for form in forms if form.role is Role.VALUE and not form.onto and form.value < 100}
        if values and not word.isascii() and script_in(word) != "Latn":
            for key in sounds(word):
                found.setdefault(key, set()).update(values)
    return {key: frozenset(values) for key, values in found.items()}


@lru_cache(maxsize=4096)
def _is_filler(word: str, tag: str | None) -> bool:
    here = sense(word, tag) if word else None
    return word in _words("connecting") or word in _fillers(tag) or bool(here and here.repeat)


@cache
def _fillers(tag: str | None) -> frozenset[str]:
    return frozenset(
        fold(word) for name in (tag, "en") for word in (*languages.get(name).fillers, *languages.get(name).particles)
    )


def _repeats(word: str, tag: str | None) -> int:
    """How often a word says the next digit; 0 for most words."""
    here = sense(word, tag)
    if here and here.repeat:
        return here.repeat
    return 2 if word.lower() in _words("double") else 3 if word.lower() in _words("triple") else 0


@cache
def _words(name: str) -> frozenset[str]:
    """The words of a list, folded."""
    return frozenset(fold(word) for word in tomllib.loads(read_text(_LIST))[name])


# --- Whether a run can be a personal number ---------------------------------------------------------------------------------


def is_personal(run: Run, least: int) -> bool:
    """Whether a run of digits can be a number of a person, and is no list of values, count, dose scheme, date or pin code.

    Args:
        run: The run.
        least: Digits from which a run counts.

    >>> def said(text):
    ...     return runs([(0, Segment("v1", words=text))], "en", 5.0)[0]
    >>> is_personal(said("nine eight seven six five four"), 6), is_personal(said("one two three four five six seven"), 6)
    (True, False)
    """
    run = _without_year(run)
    digits, groups = run.digits, [part.digits for part in run.parts]
    values = [int(group) for group in groups]
    steps = [later - earlier for earlier, later in pairwise(values)]
    rising = bool(steps) and (min(steps) > 0 or sum(step == 1 for step in steps) >= 0.7 * len(steps))
    if len(digits) < least or set(digits) <= set("012") or rising or _is_date(groups):
        return False
    if len(digits) <= _BEFORE_CODE and any(word in _words("code") for word in run.before[-4:]):
        return False
    singles = sum(len(part.digits) == 1 or part.repeated for part in run.parts)
    if all(part.written for part in run.parts) and singles < 3:
        return len({part.segment for part in run.parts}) > 1 and bool(find(" ".join(groups)))
    if not singles:
        even = (
            (len(set(steps)) == 1 and 0 < steps[0] <= 10)
            or all(value % 5 == 0 for value in values)
            or max(values) - min(values) <= 12
        )
        return len(digits) >= max(least, 8) and not even
    return singles >= 3 or len(digits) >= 10


def _without_year(run: Run) -> Run:
    """A run without a year in two numbers before single digits: "nineteen fifty eight. Seven three four"."""
    first = [part.digits for part in run.parts[:3]]
    is_year = len(first) == 3 and first[0] in ("19", "20") and len(first[1]) == 2 and len(first[2]) == 1
    return Run(run.parts[2:], run.before) if is_year else run


def _is_date(groups: Sequence[str]) -> bool:
    """Day, month and year, the year in one number or two."""
    if len(groups) not in (3, 4) or any(len(group) > 2 for group in groups[:2]):
        return False
    day, month, year = int(groups[0]), int(groups[1]), "".join(groups[2:])
    return 1 <= day <= 31 and 1 <= month <= 12 and (len(year) == 2 or (len(year) == 4 and year[:2] in ("19", "20")))

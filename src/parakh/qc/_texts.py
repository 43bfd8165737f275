"""The texts of a recording, and the words in them.

Words repeat, so a check of words looks closely only at the texts that hold a word which passes a test (``holding``): each
different word of a recording is tested once, and a test may remember its answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from parakh import languages
from parakh.errors import counted
from parakh.qc._material import Material, Source
from parakh.text.masking import masked
from parakh.text.scripts import script_of
from parakh.text.tokens import INVISIBLE, Token, tokenize
from parakh.types import Segment

if TYPE_CHECKING:
    import regex

Outcome = TypeVar("Outcome")

_TAG = re.compile(r"</?\s*[^<>\s][^<>]*>")
_SHOWN = 3
BETWEEN_WORDS = re.compile(r"[^\w\u0300-\u036f\u0900-\u0963\u0966-\u0dff\u200c\u200d'’]+")
"""What stands between words, roughly: to see at once that a text holds none of some words."""
BLANKS = f" \t\n{INVISIBLE}"
"""What a segment without text may hold."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of a recording.

    Args:
        source: The file it stands in.
        index: Which of the file's items it is of.
        text: As written.
        segment: The segment it is of; None for a topic or the summary.
    """

    source: Source[Any]
    index: int
    text: str
    segment: Segment | None = None


def kept(look: Callable[[Material], Outcome]) -> Callable[[Material], Outcome]:
    """A function that keeps what it last said: checks look at the same recording one after the other."""
    latest: list[tuple[Material, Outcome]] = []

    @wraps(look)
    def looked(material: Material) -> Outcome:
        if not latest or latest[0][0] is not material:
            latest[:] = [(material, look(material))]
        return latest[0][1]

    return looked


@kept
def segments(material: Material) -> tuple[Passage, ...]:
    """The words of every segment, empty ones too: the transcript first, then its second form."""
    sources = [source for source in (material.transcript, material.native) if source]
    return tuple(Passage(source, index, one.words, one) for source in sources for index, one in enumerate(source.items))


@kept
def passages(material: Material) -> tuple[Passage, ...]:
    """Every text of a recording: what was said, the topics, the summary."""
    return tuple(_passages(material))


def holding(material: Material, is_wanted: Callable[[str], object], *, together: bool = False) -> list[Passage]:
    """The texts of a recording in which a word passes a test.

    Args:
        material: The recording.
        is_wanted: Called with each different word: everything that stands between two blanks, marks and tags too.
        together: Whether lines of words pass the test just if one of the words does: most recordings are then seen at once.
    """
    if together and not is_wanted(_lines(material)):
        return []
    wanted = frozenset(filter(is_wanted, _vocabulary(material)))
    texts = zip(passages(material), _words(material), strict=True) if wanted else ()
    return [one for one, words in texts if not wanted.isdisjoint(words)]


@kept
def _words(material: Material) -> list[list[str]]:
    """What stands between two blanks in each text of a recording."""
    return [one.text.split(" ") for one in passages(material)]


@kept
def _vocabulary(material: Material) -> frozenset[str]:
    return frozenset(chain.from_iterable(_words(material)))


@kept
def _lines(material: Material) -> str:
    return "\n".join(_vocabulary(material))


def _passages(material: Material) -> Iterator[Passage]:
    for one in segments(material):
        if one.text:
            yield one
        forms = one.segment.forms if one.segment else ()
        yield from (Passage(one.source, one.index, text, one.segment) for text in forms if text)
    if material.topics:
        for index, topics in enumerate(material.topics.items):
            yield from (Passage(material.topics, index, topic) for topic in topics.topics)
    if material.summary:
        for index, summary in enumerate(material.summary.items):
            yield Passage(material.summary, index, summary.text)


def spoken(texts: Iterable[Passage]) -> list[Passage]:
    """Those of some texts that were said; not topics and summaries."""
    return [one for one in texts if one.segment]


def without_tags(text: str) -> str:
    """A text with blanks for its tags, so that every offset stays.

    >>> without_tags("<noise> जी")
    '        जी'
    """
    return _TAG.sub(lambda match: " " * len(match[0]), text) if "<" in text else text


@lru_cache(maxsize=1 << 12)
def tokens(text: str) -> tuple[Token, ...]:
    """The words, numerals and marks of a text without its tags; several checks ask for those of the same texts."""
    return tuple(tokenize(without_tags(text)))


@lru_cache(maxsize=1 << 12)
def words(text: str) -> tuple[str, ...]:
    """Runs of letters and the marks on them, in every script; joiners stay, tags are left out.

    >>> words("<noise> BPका, 500mg दवा")
    ('BPका', 'mg', 'दवा')
    """
    return tuple(_word().findall(without_tags(text)))


@cache
def _word() -> regex.Pattern[str]:
    import regex  # takes a while to load

    return regex.compile(rf"[\p{{L}}\p{{M}}](?:[\p{{L}}\p{{M}}{INVISIBLE}]*[\p{{L}}\p{{M}}])?")


_SYMBOLS = frozenset("\u00b5\u03bc\u00aa\u00ba")


@lru_cache(maxsize=8192)
def script(sign: str) -> str | None:
    """The script of a letter or mark, also of scripts that are not of India ("CYRILLIC"); None for what scripts share.

    >>> script("क"), script("a"), script("\u0430"), script("\u03bc")
    ('Deva', 'Latn', 'CYRILLIC', None)
    """
    import unicodedata

    if sign in _SYMBOLS or unicodedata.category(sign)[0] not in "LM" or unicodedata.category(sign) == "Lm":
        return None
    name = unicodedata.name(sign, "")
    return script_of(sign) or (None if name.startswith(("COMBINING", "VARIATION", "VEDIC")) or not name else name.split()[0])


def language_scripts(material: Material, passage: Passage | None = None) -> frozenset[str]:
    """The scripts of the languages that a passage, or every one, may be in; none if no language is known."""
    tags = [material.language, passage.segment.language if passage and passage.segment else None]
    tags += [speaker.language for speaker in material.entry.speakers]
    return frozenset(one for tag in tags if tag for one in languages.get(tag).scripts)


def quoted(items: Sequence[str]) -> str:
    """The first of some words as a message quotes them, without personal numbers, and how many more there are.

    >>> quoted(["a", "b", "a", "c", "d"])
    "'a', 'b', 'c' and 1 more"
    """
    distinct = list(dict.fromkeys(items))
    more = len(distinct) - _SHOWN
    shown = ", ".join(repr(masked(item)) for item in distinct[:_SHOWN])
    return f"{shown} and {more} more" if more > 0 else shown


def at_time(segment: Segment | None) -> str:
    """Where a segment is, for the end of a message; "" without times.

    >>> at_time(Segment("v1", "spk0", 12.5, 14.0))
    ' (at 12.500 s)'
    """
    return "" if segment is None or segment.start_time is None else f" (at {segment.start_time:.3f} s)"


def many(count: int, one: str) -> str:
    """A number with its noun, or the noun alone with its article where there is one.

    >>> many(1, "word"), many(2, "word")
    ('a word', '2 words')
    """
    return f"a {one}" if count == 1 else counted(count, one)

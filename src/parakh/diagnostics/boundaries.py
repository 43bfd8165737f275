"""Words written together on one side and apart on the other: which stretches of units are the same letters.

Up to four words, not numerals or marks, may meet others if their concatenation is the same, or becomes the same by a sandhi rule
of the language. Marks between them are charged, the boundary is not. A hyphen inside a word is no letter. Two stretches
meet only if no border of words is common to both: otherwise they are two events, or a match and an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from parakh.diagnostics import Unit
from parakh.diagnostics.spans import Spans, Stretch
from parakh.languages import Language
from parakh.text.sandhi import PLAIN, edges, joined_forms, joined_to, joins_of, last_sound
from parakh.text.tokens import Kind

MOST_WORDS = 4
"""How many words may meet one."""
_MOST_MARKS = 2
"""How many marks in a row may stand between two of them."""
_HYPHENS = str.maketrans("", "", "-\u2010\u2011")
_CHANGED = -1

Words = list[str | None]
"""The letters of each unit; "" for a numeral, None for a mark."""


class _Window(NamedTuple):
    """Neighbouring words that may be written as ``form``, and the marks between them."""

    form: str
    start: int
    stop: int
    marks: int
    rules: tuple[str, ...] = ()


def solid(folded: str) -> str:
    """A folded unit without what only separates words inside it.

    >>> solid("भाई-साहब")
    'भाईसाहब'
    """
    return folded.replace(" ", "").translate(_HYPHENS)


@cache
def across_words(used: tuple[str, ...]) -> tuple[str, ...]:
    """The tiers that hold for words written together: not one by which a fold depends on where a word begins and ends.

    >>> across_words(("nukta", "colloquial"))
    ('nukta',)
    """
    return tuple(name for name in used if name != "colloquial")


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
    words = _words(reference, folded[0]), _words(hypothesis, folded[1])
    several: set[str] = set()  # forms met with different borders
    written: dict[str, str] = {}  # each form as it was met first, with its borders
    for side, texts in zip(words, folded, strict=True):
        _note_forms(side, texts, written, several)
    changed: list[list[_Window]] = [[], []]
    if language.rules:
        several_words = any(" " in text for side in folded for text in side)
        targets = [_targets(side, several_words) for side in words]
        for k in (0, 1):
            changed[k] = _changed(words[k], targets[1 - k], language)
            if several_words:
                changed[k] += _inside(folded[k], targets[1 - k], language)
    several.update(window.form for side in changed for window in side)
    windows = [_plain(side, several) + changed[k] for k, side in enumerate(words)]
    groups = [_by_borders(side, words[k]) for k, side in enumerate(windows)]
    for form in sorted(groups[0].keys() & groups[1].keys()):
        for borders, said in groups[0][form].items():
            for others, heard in groups[1][form].items():
                if not set(borders) & set(others) and (borders or others or _differ(said, heard, folded)):
                    spans.add(spans.new_key(), said, heard, "boundary")


def _words(units: Sequence[Unit], folded: Sequence[str]) -> Words:
    lexical, mark = Kind.LEXICAL, Kind.PUNCT
    return [
        solid(text) if unit.kind is lexical else None if unit.kind is mark else ""
        for unit, text in zip(units, folded, strict=True)
    ]


def _note_forms(words: Words, folded: Sequence[str], written: dict[str, str], several: set[str]) -> None:
    """Note how one to four neighbouring words are written, and which forms occur with different borders."""
    count = len(words)
    for start, word in enumerate(words):
        if not word:
            continue
        form, parts = word, folded[start]
        if written.setdefault(form, parts) != parts:
            several.add(form)
        left, marks, place = MOST_WORDS - 1, 0, start + 1
        while left and place < count and marks <= _MOST_MARKS:
            following = words[place]
            if following is None:
                marks += 1
            elif following:
                form, parts = form + following, f"{parts}\n{following}"  # no border inside a term
                if written.setdefault(form, parts) != parts:
                    several.add(form)
                left, marks = left - 1, 0
            else:
                break
            place += 1


def _plain(words: Words, forms: set[str]) -> list[_Window]:
    """Where one to four neighbouring words are one of some forms."""
    found: list[_Window] = []
    begun = {form[:size] for form in forms for size in range(1, len(form))}
    for start, word in enumerate(words) if forms else ():
        if not word:
            continue
        form = word
        if form in forms:
            found.append(_Window(form, start, start + 1, 0))
        for place, marks in _further(words, start) if form in begun else ():
            form += words[place] or ""
            if form in forms:
                found.append(_Window(form, start, place + 1, marks))
            if form not in begun:
                break
    return found


def _further(words: Words, start: int) -> Iterator[tuple[int, int]]:
    """(index, marks passed so far) of up to three words after a word."""
    passed = in_a_row = 0
    left = MOST_WORDS - 1
    for place in range(start + 1, len(words)):
        word = words[place]
        if word is None:
            passed, in_a_row = passed + 1, in_a_row + 1
            if in_a_row > _MOST_MARKS:
                return
            continue
        if not word:
            return
        yield place, passed
        in_a_row, left = 0, left - 1
        if not left:
            return


def _targets(words: Words, several_words: bool) -> set[str]:
    """What neighbouring words of the other side may become: a word of this side, or two, where a term of several may be one."""
    single = {word for word in words if word}
    if several_words:
        single |= {one + other for one, other in pairwise(words) if one and other}
    return single


def _inside(folded: Sequence[str], single: set[str], language: Language) -> list[_Window]:
    """Terms of several words whose words sandhi makes a word of the other side."""
    found: list[_Window] = []
    for place, text in enumerate(folded):
        if " " in text:
            forms = joined_forms(tuple(map(solid, text.split())), language.rules)
            found += [_Window(form, place, place + 1, 0, rules) for form, rules in forms[1:] if form in single]
    return found


def _changed(words: Words, single: set[str], language: Language) -> list[_Window]:
    """Two to four neighbouring words that sandhi makes one word of the other side."""
    begun = {word[:size] for word in single for size in range(1, len(word))}
    found: list[_Window] = []
    for start in _going_on(words, single, begun, language):
        if _may_change(words, start, language):
            found += _changed_at(words, start, single, begun, language)
    return found


def _may_change(words: Words, start: int, language: Language) -> bool:
    """Whether sandhi may change anything between a word and up to three after it."""
    ends, starts = edges(language.rules)
    last = words[start] or ""
    for place, _ in _further(words, start):
        following = words[place] or ""
        if following[0] in starts and last_sound(last) in ends:
            return True
        last = following
    return False


def _going_on(words: Words, single: set[str], begun: set[str], language: Language) -> list[int]:
    """Where a word and the next one, joined in any way, are a word of the other side or begin one: hardly anywhere."""
    found: list[int] = []
    joined = joins_of(language.rules)
    before, marks = -1, 0
    for place, word in enumerate(words):
        if word is None:
            marks += 1
            continue
        if word and before >= 0 and marks <= _MOST_MARKS:
            first = words[before] or ""
            for form in (first + word, *joined[first, word]):
                if form in single or form[:-1] in begun:
                    found.append(before)
                    break
        before, marks = place if word else -1, 0
    return found


def _changed_at(words: Words, start: int, single: set[str], begun: set[str], language: Language) -> Iterator[_Window]:
    """The stretches that begin at a word; a form is followed only while a word of the other side begins so."""
    last = words[start] or ""
    forms: list[tuple[str, tuple[str, ...]]] = [(last, ())]
    for place, marks in _further(words, start):
        following = words[place] or ""
        longer = [(form + following, (*used, PLAIN)) for form, used in forms]
        for form, used in forms:
            longer += [(joined, (*used, rule)) for joined, rule in joined_to(form, last, following, language.rules)]
        forms = [(form, used) for form, used in longer if form in single or form[:-1] in begun]
        if not forms:
            return
        for form, used in forms:
            if form in single and any(rule != PLAIN for rule in used):
                yield _Window(form, start, place + 1, marks, used)
        last = following


def _by_borders(windows: Sequence[_Window], words: Words) -> dict[str, dict[tuple[int, ...], list[Stretch]]]:
    """Stretches by their form and by where words border in it."""
    groups: dict[str, dict[tuple[int, ...], list[Stretch]]] = {}
    for form, start, stop, marks, rules in windows:
        parts = [word for word in words[start:stop] if word]
        rule = next((rule for rule in rules if rule != PLAIN), PLAIN)
        stretch = Stretch(start, stop, marks, rule)
        groups.setdefault(form, {}).setdefault(_borders(form, parts, rules), []).append(stretch)
    return groups


def _borders(form: str, parts: Sequence[str], rules: Sequence[str]) -> tuple[int, ...]:
    """Offsets in a form at which words border; ``_CHANGED`` for one that sandhi has changed."""
    changed = [place for place, rule in enumerate(rules) if rule != PLAIN]
    if not changed:
        return tuple(accumulate(map(len, parts[:-1])))
    before = accumulate(map(len, parts[: changed[0]]))
    after = (len(form) - rest for rest in accumulate(map(len, reversed(parts[changed[-1] + 2 :]))))
    return (*before, *after, _CHANGED)


def _differ(said: Sequence[Stretch], heard: Sequence[Stretch], folded: tuple[list[str], list[str]]) -> bool:
    """Whether single units with the same letters are written otherwise somewhere: with and without a hyphen."""
    return len({folded[0][one.start] for one in said} | {folded[1][one.start] for one in heard}) > 1

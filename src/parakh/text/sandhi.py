"""Sandhi: the further ways in which a language writes two words as one.

Rules speak of sounds, not of letters. An abugida writes the vowel of a consonant as a sign on it and one vowel not at all, so
both words are opened where they meet: महा ends in म् आ, അവൻ in വ് അ ന്, इन्द्र begins with इ. A junction then reads
``आ + इ -> ए``: the sounds before ``+`` end the first word, those after it begin the second, and what stands after ``->`` takes
their place; ``1`` and ``2`` in it are the sounds as they were. ``|`` separates sounds for which it holds alike, ``VOWEL`` and
``CONSONANT`` are all of the script. Closing the letters again gives महेन्द्र.

What holds for every rule, whatever a file says:

- No consonant is lost: a junction gives at least as many as it takes. A junction that does not is refused.
- The vowel of a word of one syllable stays, unless the rule says otherwise.
- A negation keeps its letters, but that the last vowel of one of several syllables may be elided; no word becomes a negation.
- Where a sound is lost or changed, the second word has a consonant: a word of one vowel would vanish.

The letters of the nine scripts of Brahmi descent lie at the same offsets in their Unicode blocks (the layout of ISCII, IS
13194:1991), so one account serves them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from parakh.text.scripts import PARALLEL

PLAIN = "concatenation"
"""The rule of words that are written together unchanged."""

MOST_WORDS = 4
_MOST_FORMS = 64

_INHERENT, _VIRAMA, _NUKTA = 0x05, 0x4D, 0x3C
_SIGN_OF = dict(
    zip(
        (*range(0x06, 0x0C), 0x60, 0x0C, 0x61, *range(0x0D, 0x15)),
        (*range(0x3E, 0x44), 0x44, 0x62, 0x63, *range(0x45, 0x4D)),
        strict=True,
    )
)
"""Offset of the sign of each vowel but the inherent one."""
_VOWELS = (_INHERENT, *_SIGN_OF)
_CONSONANTS = (*range(0x15, 0x3A), *range(0x58, 0x60))
_MARKS = (0x00, 0x01, 0x02, 0x03)


def _letters(offsets: tuple[int, ...]) -> str:
    return "".join(chr(block + offset) for block in PARALLEL.values() for offset in offsets)


_SIGNS = {chr(block + vowel): chr(block + sign) for block in PARALLEL.values() for vowel, sign in _SIGN_OF.items()}
_SIGNS |= {chr(block + _INHERENT): "" for block in PARALLEL.values()} | {"ഔ": "\u0d57"}
_VOWEL_OF = {sign: vowel for vowel, sign in _SIGNS.items() if sign} | {"\u0d4c": "ഔ"}
_BASE = {letter: block for block in PARALLEL.values() for letter in map(chr, range(block, block + 0x80))}
_CLOSED = {"ൺ": "ണ്", "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൿ": "ക്", "ৎ": "ত্"}
"""Letters for a consonant without a vowel."""
_IS_CONSONANT = frozenset(_letters(_CONSONANTS)) | frozenset("ৰৱୱ")
_IS_NUKTA = frozenset(_letters((_NUKTA,)))
_IS_VIRAMA = frozenset(_letters((_VIRAMA,)))
_IS_MARK = frozenset(_letters(_MARKS))
_IS_VOWEL = frozenset(_SIGNS)
_IS_NASAL_MARK = frozenset(_letters((0x02,)))
_VOWELLED = re.compile(f"[{''.join(sorted(_IS_VIRAMA))}]([{''.join(sorted(_IS_VOWEL))}])")


@dataclass(frozen=True, slots=True)
class Junction:
    """What becomes of the sounds at which two words meet.

    Args:
        left: Last sounds of the first word, any of them.
        right: First sounds of the second word, any of them.
        joined: What takes their place; ``1`` and ``2`` are the sounds as they were.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    joined: str


@dataclass(frozen=True, slots=True, eq=False)
class SandhiRule:
    """One rule of a language; the same only as itself, as rules are part of every key of a cache.

    Args:
        name: As events call it.
        junctions: What it does.
        source: The grammar that has it, with the place.
        first: The only first words it holds for; a ``*`` at the end stands for any ending; empty for all.
        second: The same of second words.
        not_first: First words it does not hold for.
        not_second: The same of second words.
        syllables: Vowels that the first word has at least where the rule changes its vowel.
        negations: Words of the language that deny or forbid, whose letters it keeps.
    """

    name: str
    junctions: tuple[Junction, ...]
    source: str = ""
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    not_first: tuple[str, ...] = ()
    not_second: tuple[str, ...] = ()
    syllables: int = 2
    negations: tuple[str, ...] = ()


def parse_junction(text: str, script: str) -> Junction:
    """A junction as written in a file.

    Args:
        text: ``left + right -> joined``.
        script: ISO 15924 name of the script it is written in.

    Raises:
        ValueError: It is not of that form, or it loses a consonant; the message says which.

    >>> parse_junction("अ|आ + इ|ई -> ए", "Deva").joined
    'ए'
    """
    before, arrow, joined = text.partition("->")
    left, plus, right = before.partition("+")
    if not (arrow and plus and left.strip() and right.strip() and joined.strip()):
        raise ValueError("a junction is written 'LEFT + RIGHT -> JOINED'")
    junction = Junction(_sounds(left, script), _sounds(right, script), joined.replace(" ", ""))
    for one in junction.left:
        for two in junction.right:
            if _count(_fill(junction.joined, one, two)) < _count(one + two):
                raise ValueError(f"a consonant of {one} + {two} is lost")
    return junction


def _sounds(text: str, script: str) -> tuple[str, ...]:
    block = PARALLEL[script]
    classes = {
        "VOWEL": [chr(block + offset) for offset in _VOWELS],
        "CONSONANT": [chr(block + offset) + chr(block + _VIRAMA) for offset in _CONSONANTS],
    }
    return tuple(sound for part in text.split("|") for sound in classes.get(part.strip(), [part.replace(" ", "")]))


def _fill(joined: str, one: str, two: str) -> str:
    return joined.replace("1", one).replace("2", two)


def _count(sounds: str) -> int:
    """Consonants, the nasal that anusvara writes among them."""
    return sum(sound in _IS_CONSONANT or sound in _CLOSED or sound in _IS_NASAL_MARK for sound in sounds)


def transposed(text: str, script: str, letters: Mapping[str, str]) -> str:
    """Devanagari in another script of the same layout, letter by letter.

    Args:
        text: In Devanagari.
        script: ISO 15924 name of the other.
        letters: Letters for which that script has another than the one at the same place.

    >>> transposed("आ + इ -> ए", "Knda", {}), transposed("व्", "Beng", {"व": "ব"})
    ('ಆ + ಇ -> ಏ', 'ব্')
    """
    shift = PARALLEL[script] - PARALLEL["Deva"]
    return "".join(letters.get(sign) or (chr(ord(sign) + shift) if 0x900 <= ord(sign) < 0x964 else sign) for sign in text)


def open_end(word: str) -> str:
    """A word with the sounds of its last letter apart.

    >>> open_end("महा"), open_end("मनः"), open_end("അവൻ")
    ('मह्आ', 'मन्अः', 'അവന്')
    """
    core = word
    while core and core[-1] in _IS_MARK:
        core = core[:-1]
    if not core:
        return word
    last, marks = core[-1], word[len(core) :]
    if last in _CLOSED:
        return core[:-1] + _CLOSED[last] + marks
    if last in _VOWEL_OF:
        return core[:-1] + chr(_BASE[last] + _VIRAMA) + _VOWEL_OF[last] + marks
    if last in _IS_CONSONANT or last in _IS_NUKTA:
        return core + chr(_BASE[last] + _VIRAMA) + chr(_BASE[last] + _INHERENT) + marks
    return word


def open_start(word: str) -> str:
    """A word with the sounds of its first letter apart.

    >>> open_start("नीर"), open_start("कब"), open_start("इन्द्र")
    ('न्ईर', 'क्अब', 'इन्द्र')
    """
    if not word or word[0] not in _IS_CONSONANT:
        return word
    place = 2 if len(word) > 1 and word[1] in _IS_NUKTA else 1
    following, virama = word[place : place + 1], chr(_BASE[word[0]] + _VIRAMA)
    if following in _IS_VIRAMA:
        return word
    if following in _VOWEL_OF:
        return word[:place] + virama + _VOWEL_OF[following] + word[place + 1 :]
    return word[:place] + virama + chr(_BASE[word[0]] + _INHERENT) + word[place:]


def closed(sounds: str) -> str:
    """Sounds written as letters again.

    >>> closed("मह्एन्द्र")
    'महेन्द्र'
    """
    return _VOWELLED.sub(lambda match: _SIGNS[match[1]], sounds)


@dataclass(frozen=True, slots=True)
class _Table:
    """The junctions of a language by the sounds that meet."""

    by_sounds: dict[tuple[str, str], list[tuple[SandhiRule, str]]]
    lefts: tuple[int, ...]
    rights: tuple[int, ...]
    ends: frozenset[str]
    starts: frozenset[str]


@lru_cache(maxsize=64)
def _table(rules: tuple[SandhiRule, ...]) -> _Table:
    by_sounds: dict[tuple[str, str], list[tuple[SandhiRule, str]]] = {}
    for rule in rules:
        for junction in rule.junctions:
            for left in junction.left:
                for right in junction.right:
                    by_sounds.setdefault((left, right), []).append((rule, junction.joined))
    return _Table(
        by_sounds,
        tuple(sorted({len(left) for left, _ in by_sounds})),
        tuple(sorted({len(right) for _, right in by_sounds})),
        frozenset(left[-1] for left, _ in by_sounds),
        frozenset(right[0] for _, right in by_sounds),
    )


def joins(first: str, second: str, rules: tuple[SandhiRule, ...]) -> tuple[tuple[str, str], ...]:
    """Every form, other than their concatenation, in which rules write two words as one.

    Args:
        first: A word, in NFC.
        second: The word after it.
        rules: Of the language.

    Returns:
        (joined form, name of the rule); empty for most words.

    >>> guna = SandhiRule("guna", (parse_junction("अ|आ + इ|ई -> ए", "Deva"),))
    >>> joins("महा", "इन्द्र", (guna,)), joins("कब", "नहीं", (guna,))
    ((('महेन्द्र', 'guna'),), ())
    """
    return _joins(first, first, second, rules) if rules and first and second else ()


@lru_cache(maxsize=64)
def joins_of(rules: tuple[SandhiRule, ...]) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The forms of ``joins`` by the two words, each found once: looked up more cheaply than called."""
    return _JoinsOf(rules)


class _JoinsOf(dict[tuple[str, str], tuple[str, ...]]):
    def __init__(self, rules: tuple[SandhiRule, ...]) -> None:
        super().__init__()
        self.rules = rules
        self.meeting = frozenset((left[-1], right[0]) for left, right in _table(rules).by_sounds)

    def __missing__(self, words: tuple[str, str]) -> tuple[str, ...]:
        may_join = (last_sound(words[0]), words[1][:1]) in self.meeting  # of most it is not, and no more is asked
        found = self[words] = tuple(form for form, _ in joins(*words, self.rules)) if may_join else ()
        return found


@lru_cache(maxsize=65536)
def last_sound(word: str) -> str:
    """The last sound of a word, or the last of the marks that follow it."""
    return open_end(word)[-1:]


def edges(rules: tuple[SandhiRule, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Last sounds of first words, and first letters of second words, that a rule can change."""
    table = _table(rules)
    return table.ends, table.starts


def joined_to(written: str, first: str, second: str, rules: tuple[SandhiRule, ...]) -> tuple[tuple[str, str], ...]:
    """As ``joins``, of what is written so far, which ends in the word ``first``, with the word ``second``."""
    return _joins(written, first, second, rules) if rules and first and second else ()


@lru_cache(maxsize=65536)
def _joins(written: str, first: str, second: str, rules: tuple[SandhiRule, ...]) -> tuple[tuple[str, str], ...]:
    """Forms of what is written so far, which ends in the word ``first``, with ``second``."""
    table = _table(rules)
    start = open_start(second)
    if start[0] not in table.starts:
        return ()
    end = open_end(written)
    if end[-1] not in table.ends:
        return ()
    found: dict[str, str] = {}
    for left in table.lefts:
        for right in table.rights:
            for rule, joined in table.by_sounds.get((end[-left:], start[:right]), ()):
                if not _holds(rule, joined, end[-left:], first, start[:right], second):
                    continue
                form = closed(end[:-left] + _fill(joined, end[-left:], start[:right]) + start[right:])
                if form not in (written + second, first, second):
                    found.setdefault(form, rule.name)
    return tuple(found.items())


def _holds(rule: SandhiRule, joined: str, left: str, first: str, right: str, second: str) -> bool:
    """Whether a rule that fits the sounds holds for the words."""
    if not _among(first, second, rule):
        return False
    keeps_left, keeps_right = joined.startswith("1"), joined.endswith("2")
    if not keeps_left:
        vowel = left[0] in _IS_VOWEL
        kept = joined[0] == left[0] and keeps_right
        if vowel and not kept and _syllables(first) < rule.syllables:
            return False
        if matches(first, rule.negations) and (joined != "2" or _syllables(first) < 2):
            return False
    if not keeps_right and matches(second, rule.negations):
        return False
    became = closed(_fill(joined.removeprefix("1"), "", right) + open_start(second)[len(right) :])
    if became != second and matches(became, rule.negations):
        return False
    return (keeps_left and keeps_right) or any(letter in _IS_CONSONANT or letter in _CLOSED for letter in second)


def _among(first: str, second: str, rule: SandhiRule) -> bool:
    if rule.first and not matches(first, rule.first):
        return False
    if rule.second and not matches(second, rule.second):
        return False
    return not (matches(first, rule.not_first) or matches(second, rule.not_second))


def matches(word: str, patterns: tuple[str, ...]) -> bool:
    """Whether a word is one of a list, in which ``*`` at the end stands for any ending.

    >>> matches("आलयों", ("आलय*",)), matches("आल", ("आलय*",))
    (True, False)
    """
    return any(word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern for pattern in patterns)


def _syllables(word: str) -> int:
    """Vowels, inherent ones included; one that ends a word after a consonant counts, whether it is spoken or not."""
    count = 0
    for place, letter in enumerate(word):
        following = word[place + 1 : place + 2]
        if letter in _IS_VOWEL or letter in _VOWEL_OF:
            count += 1
        elif (letter in _IS_CONSONANT and following not in _IS_NUKTA) or letter in _IS_NUKTA:
            count += following not in _VOWEL_OF and following not in _IS_VIRAMA
    return count


def joined_forms(words: tuple[str, ...], rules: tuple[SandhiRule, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every form in which two to four words may be written as one, their concatenation first.

    Args:
        words: In NFC; more than four give their concatenation only.
        rules: Of the language.

    Returns:
        (form, what licensed each of its junctions: ``PLAIN`` or the name of a rule); no form twice.

    >>> guna = SandhiRule("guna", (parse_junction("अ|आ + इ|ई -> ए", "Deva"),))
    >>> joined_forms(("महा", "इन्द्र"), (guna,))
    (('महाइन्द्र', ('concatenation',)), ('महेन्द्र', ('guna',)))
    """
    plain = ("".join(words), (PLAIN,) * (len(words) - 1))
    if not rules or not 1 < len(words) <= MOST_WORDS:
        return (plain,)
    forms: list[tuple[str, tuple[str, ...]]] = [(words[0], ())]
    for first, second in pairwise(words):
        forms = list(islice(_longer(forms, first, second, rules), _MOST_FORMS))
    unique: dict[str, tuple[str, ...]] = {}
    for form, used in forms:
        unique.setdefault(form, used)
    return tuple(unique.items())


def _longer(
    forms: list[tuple[str, tuple[str, ...]]], first: str, second: str, rules: tuple[SandhiRule, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every form with a further word; the concatenations lead."""
    yield from ((form + second, (*used, PLAIN)) for form, used in forms)
    for form, used in forms:
        if first and second:
            yield from ((joined, (*used, rule)) for joined, rule in _joins(form, first, second, rules))

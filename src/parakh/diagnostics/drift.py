"""How a transcript drifts from the writing of its language: between spoken and written forms, and into other scripts.

Two words with the same consonants differ in vowel signs and viramas; the one with fewer vowels is the spoken form
("formal to spoken": ಅಂದರೆ heard as ಅಂದ್ರೆ). Scripts are told letter by letter; a word with letters of two scripts is no word of
either, and looks like one where the scripts look alike.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from parakh import languages
from parakh.diagnostics import EventKind, Pair
from parakh.diagnostics.likeness import same_skeleton
from parakh.diagnostics.passages import Corpus, Example, example_at
from parakh.text.scripts import script_of
from parakh.text.tiers import skeleton_direction
from parakh.text.tokens import Kind

_EXAMPLES = 3
_OTHER_SCRIPTS = {"CYRILLIC": "Cyrl", "GREEK": "Grek", "CJK": "Hani", "HANGUL": "Hang", "THAI": "Thai", "SINHALA": "Sinh"}
_OTHER_SCRIPTS |= {"HIRAGANA": "Hira", "KATAKANA": "Kana", "HEBREW": "Hebr", "TIBETAN": "Tibt", "MYANMAR": "Mymr"}
_UNKNOWN = "Zzzz"
_LOOK_ALIKE = (frozenset({"Latn", "Cyrl", "Grek"}), frozenset({"Telu", "Knda"}), frozenset({"Taml", "Mlym"}))


@dataclass(frozen=True, slots=True)
class Direction:
    """Words of one language written with the same consonants and other vowels.

    Args:
        spoken_to_formal: The hypothesis has more vowels.
        formal_to_spoken: The hypothesis has fewer vowels.
        level: It has as many, and others: endings, not contractions.
        rows: (reference, hypothesis, how often) of those that are not level, most frequent first.
    """

    spoken_to_formal: int
    formal_to_spoken: int
    level: int
    rows: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class ScriptUse:
    """Words of one language in one script.

    Args:
        language: BCP-47 primary tag; None if unknown.
        script: ISO 15924 code; "Zzzz" for scripts not known here.
        expected: Whether the language is written in it; None for an unknown language.
        reference: Words of the reference, a word of two scripts with each.
        hypothesis: Words of the hypothesis.
    """

    language: str | None
    script: str
    expected: bool | None
    reference: int
    hypothesis: int


@dataclass(frozen=True, slots=True)
class MixedWord:
    """A word with letters of several scripts.

    Args:
        text: As written.
        scripts: ISO 15924 codes, by name.
        look_alike: Whether the scripts have letters that look alike, so that nobody sees the mixture.
        side: "reference" or "hypothesis".
        count: How often.
        examples: The first places.
    """

    text: str
    scripts: tuple[str, ...]
    look_alike: bool
    side: str
    count: int
    examples: tuple[Example, ...]


def directions(corpus: Corpus) -> dict[str | None, Direction]:
    """How often spoken forms became written ones and the reverse, by language.

    Substitutions count, and so do differences in spelling that a tier forgave.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        Language of the reference words -> its counts, by tag; languages without such words are left out.

    >>> from parakh.diagnostics import Charge, Unit
    >>> from parakh.types import Op
    >>> said, heard = (Unit(text, Kind.LEXICAL, "LEXICAL", language="kn") for text in ("ಅಂದ್ರೆ", "ಅಂದರೆ"))
    >>> pair = Pair((said,), (heard,), (Charge(Op.SUBSTITUTION, "LEXICAL", said, heard),))
    >>> directions([("v", pair)])["kn"].spoken_to_formal
    1
    """
    counts: dict[str | None, Counter[tuple[str, str]]] = defaultdict(Counter)
    for _, pair in corpus:
        for said, heard in _respelt(pair):
            if said != heard and same_skeleton(said, heard):
                counts[pair.reference[0].language][said, heard] += 1
    return {tag: _direction(counts[tag]) for tag in sorted(counts, key=lambda tag: (tag is None, tag or ""))}


def _respelt(pair: Pair) -> Iterator[tuple[str, str]]:
    """Words of a pair that were written another way, rightly or wrongly."""
    for charge in pair.errors:
        if charge.reference is not None and charge.hypothesis is not None:
            yield charge.reference.text, charge.hypothesis.text
    for event in pair.events:
        if event.kind is EventKind.ORTHOGRAPHIC:
            yield event.before, event.after


def _direction(counts: Counter[tuple[str, str]]) -> Direction:
    ways = {pair: skeleton_direction(*pair) for pair in counts}
    told = {way: sum(count for pair, count in counts.items() if ways[pair] == way) for way in ("expanded", "contracted", None)}
    rows = sorted((pair for pair in counts if ways[pair]), key=lambda pair: (-counts[pair], pair))
    return Direction(told["expanded"], told["contracted"], told[None], tuple((*pair, counts[pair]) for pair in rows))


def script_uses(corpus: Corpus) -> tuple[ScriptUse, ...]:
    """How many words of each language are in which script, on both sides.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        One record for every language and script that occur, by name.

    >>> from parakh.diagnostics import Unit
    >>> word = Unit("doctor", Kind.LEXICAL, "LEXICAL", language="hi")
    >>> [(one.script, one.expected, one.reference) for one in script_uses([("v", Pair((word,), ()))])]
    [('Latn', False, 1)]
    """
    counts: dict[tuple[str | None, str], list[int]] = defaultdict(lambda: [0, 0])
    for _, pair in corpus:
        language = pair.reference[0].language if pair.reference else pair.hypothesis[0].language
        for side, units in enumerate((pair.reference, pair.hypothesis)):
            for unit in units:
                for script in scripts_of(unit.text) if unit.kind is Kind.LEXICAL else ():
                    counts[unit.language or language, script][side] += 1
    rows = sorted(counts, key=lambda key: (key[0] is None, key[0] or "", key[1]))
    return tuple(ScriptUse(*key, _expected(*key), *counts[key]) for key in rows)


def mixed_words(corpus: Corpus) -> tuple[MixedWord, ...]:
    """The words with letters of several scripts, on both sides.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        One record a word and side, the most frequent first.

    >>> from parakh.diagnostics import Unit
    >>> word = Unit("doctorजी", Kind.LEXICAL, "LEXICAL", language="hi")
    >>> [(one.text, one.scripts, one.side) for one in mixed_words([("v", Pair((), (word,)))])]
    [('doctorजी', ('Deva', 'Latn'), 'hypothesis')]
    """
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, (_, pair) in enumerate(corpus):
        for side, units in (("reference", pair.reference), ("hypothesis", pair.hypothesis)):
            for unit in units:
                # A term may be of several words, each in its own script.
                for word in unit.words if unit.kind is Kind.LEXICAL else ():
                    if len(scripts_of(word)) > 1:
                        places[word, side].append(at)
    return tuple(
        MixedWord(
            text,
            scripts_of(text),
            any(len(alike & set(scripts_of(text))) > 1 for alike in _LOOK_ALIKE),
            side,
            len(found),
            tuple(example_at(corpus, at) for at in found[:_EXAMPLES]),
        )
        for (text, side), found in sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    )


@lru_cache(maxsize=65536)
def scripts_of(text: str) -> tuple[str, ...]:
    """The scripts of the letters of a text, by name.

    >>> scripts_of("doctor जी"), scripts_of("сode"), scripts_of("12")
    (('Deva', 'Latn'), ('Cyrl', 'Latn'), ())
    """
    return tuple(sorted({_script(sign) for sign in text if unicodedata.category(sign)[0] == "L"}))


def _script(sign: str) -> str:
    return script_of(sign) or _OTHER_SCRIPTS.get(unicodedata.name(sign, "").split(" ")[0].split("-")[0], _UNKNOWN)


def _expected(language: str | None, script: str) -> bool | None:
    scripts = languages.get(language).scripts
    return script in scripts if scripts else None

"""Tiers of normalisation: what counts as the same word in another writing, each tier switched, typed and counted by itself.

Nothing is rewritten: a text is folded to be compared, and what a fold did is a record (``differences``, ``changes``). NFC comes
first and is no tier, because canonically equal text is the same text. Then the tiers named apply in the order of ``TIERS``, as
often as needed for nothing to change, so that folding twice is folding once.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from parakh.errors import UnknownNameError
from parakh.text import folds
from parakh.text.folds import canonical
from parakh.text.graphemes import aksharas


@dataclass(frozen=True)
class Tier:
    """One kind of difference in writing.

    Args:
        name: As languages and options name it.
        title: What is equal under it, for people.
        kind: "encoding" (other code points, the same look), "orthographic" (another spelling) or "format" (another notation).
        fold: Gives all spellings one form.
    """

    name: str
    title: str
    kind: str
    fold: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Change:
    """What a tier made of a word.

    Args:
        tier: Its name; "nfc" for canonical equivalence.
        before: The word as it reached the tier.
        after: The word as it left it.
        count: How often.
    """

    tier: str
    before: str
    after: str
    count: int


def skeleton(word: str) -> str:
    """A word of an Indian script without vowel signs, viramas and joiners: its consonants and all that is no vowel of theirs.

    Args:
        word: One word, or a text.

    Returns:
        Consonants, independent vowels, nuktas, nasal signs and visarga in order; text in other scripts as it is.

    >>> skeleton("ಅಂದ್ರೆ") == skeleton("ಅಂದರೆ"), skeleton("ಮಾಡಿ")
    (True, 'ಮಡ')
    """
    return folds.joiners(canonical(word)).translate(_vowel_signs())


def skeleton_direction(reference: str, hypothesis: str) -> str | None:
    """Which of two spellings with one skeleton has fewer vowels: that of speech, or that of the book.

    Args:
        reference: A word.
        hypothesis: What was heard instead.

    Returns:
        "contracted" when the hypothesis has fewer vowels, "expanded" when it has more; None for as many, or another skeleton.

    >>> skeleton_direction("ಅಂದರೆ", "ಅಂದ್ರೆ"), skeleton_direction("ಮಾಡ್ಬೇಕು", "ಮಾಡಬೇಕು"), skeleton_direction("ಮಾಡಿ", "ಮಾಡು")
    ('contracted', 'expanded', None)
    """
    reference, hypothesis = canonical(reference), canonical(hypothesis)
    if skeleton(reference) != skeleton(hypothesis):
        return None
    # One skeleton, so as many places for a vowel; a virama is a vowel less.
    lost = sum(map(hypothesis.count, _VIRAMAS)) - sum(map(reference.count, _VIRAMAS))
    return None if lost == 0 else "contracted" if lost > 0 else "expanded"


_VIRAMAS = "".join(chr(block + 0x4D) for block in range(0x900, 0xD80, 0x80))


@cache
def _vowel_signs() -> Mapping[int, None]:
    """The dependent vowels and viramas of the nine scripts from Devanagari to Malayalam."""
    signs = [
        block + offset
        for block in range(0x900, 0xD80, 0x80)
        for offset in (*range(0x3E, 0x50), 0x55, 0x56, 0x57, 0x62, 0x63)
        if unicodedata.category(chr(block + offset)) in ("Mn", "Mc")
    ]
    return dict.fromkeys([*signs, 0x93A, 0x93B, 0xD3B, 0xD3C])


_SOUTHERN = re.compile("[\u0c00-\u0cff]+")
_SHORT = "ಿುೆೊ್ిుెొ్"
"""What a contraction loses or writes: the signs of short vowels, and viramas."""
_BEFORE_LAST = "(?=.*[ಅ-ಹఅ-హ])"
_SPOKEN = re.compile(f"(?P<kept>[{_SHORT}]?ಲ್ಲ[{_SHORT}]?)|[{_SHORT}]{_BEFORE_LAST}(?P<da>(?=[ದద]))?")


def _contractions(text: str) -> str:
    """Kannada and Telugu words without the short vowels and viramas that speech drops and puts in.

    What stays: the first akshara; the last letter with its vowel; long vowels; and what tells a negation, which is the vowels
    around ಲ್ಲ (ಇಲ್ಲ, ಅಲ್ಲ "not", ಇಲ್ಲಿ, ಅಲ್ಲಿ "here, there") and whether there is a sign before ದ, ద (ಮಾಡದೆ "undone", ಮಾಡಿದೆ "did").
    """
    return text if text.isascii() else _SOUTHERN.sub(lambda match: _contracted(match[0]), text)


def _contracted(word: str) -> str:
    first = aksharas(word)[0]
    virama = "\u0c4d" if word < "\u0c80" else "\u0ccd"
    return first + _SPOKEN.sub(lambda match: match["kept"] or ("" if match["da"] is None else virama), word[len(first) :])


TIERS: Mapping[str, Tier] = {
    tier.name: tier
    for tier in (
        Tier("chillu", "Malayalam chillu, atomic or with virama and ZWJ", "encoding", folds.chillu),
        Tier("khanda_ta", "Bengali and Assamese khanda ta, atomic or with virama and ZWJ", "encoding", folds.khanda_ta),
        Tier("eyelash_ra", "Marathi and Nepali eyelash ra, by rra or by ZWJ", "encoding", folds.eyelash_ra),
        Tier("joiner", "joiners, zero-width spaces, soft hyphens, direction marks", "encoding", folds.joiners),
        Tier("nta", "Malayalam conjunct nta in its four encodings", "encoding", folds.nta),
        Tier("au_sign", "Malayalam vowel sign au, old or new", "encoding", folds.au_sign),
        Tier("vowel_letter", "independent vowel, atomic or in parts", "encoding", folds.vowel_letters),
        Tier("urdu_letters", "Arabic forms of Urdu letters and marks", "encoding", folds.urdu_letters),
        Tier("visarga", "colon for visarga inside a word", "orthographic", folds.visarga),
        Tier("chandrabindu", "chandrabindu or anusvara", "orthographic", folds.chandrabindu),
        Tier("nasal", "nasal consonant or anusvara before a stop of its class", "orthographic", folds.nasals),
        Tier("nukta", "nukta of k, kh, g, j, ph, written or not", "orthographic", folds.nuktas),
        Tier("danda", "danda, bar or full stop", "orthographic", folds.sentence_ends),
        Tier("quotes", "typographic or ASCII quotation marks", "orthographic", folds.quotes),
        Tier("dash", "hyphens and dashes of any length", "orthographic", folds.dashes),
        Tier("digits", "decimal digits of any script", "format", folds.ascii_digits),
        Tier("case", "capital or small letters", "orthographic", folds.lower_case),
        Tier("ye_e", "Hindi ये, यी or ए, ई after a vowel", "orthographic", folds.glides),
        Tier("colloquial", "Kannada and Telugu spoken contractions: short vowels inside a word", "orthographic", _contractions),
    )
}
"""Every tier by name, in the order in which they apply: what must come before the joiners go, the joiners, then the rest.

``colloquial`` equates words that differ only in short vowels and viramas between the first akshara and the last letter, so it
also loses what only such a vowel tells; consonants, doubled ones too, long vowels, the first and the last vowel (ನಾನು, ನೀನು; ಮಾಡಿ,
ಮಾಡು) always tell, and no negation is lost (ಇಲ್ಲ, ಇಲ್ಲಿ; ಮಾಡದೆ, ಮಾಡಿದೆ; కొట్టను, కొట్టాను).
"""

DEFAULT = (
    *("chillu", "khanda_ta", "joiner", "nta", "au_sign", "vowel_letter"),
    *("visarga", "danda", "quotes", "dash", "digits", "case"),
)
"""The tiers that hold in every language; the others are a language's or the user's to name."""


@lru_cache(maxsize=1 << 17)
def fold(text: str, tiers: tuple[str, ...] = DEFAULT) -> str:
    r"""A text in the one form that all its spellings share under some tiers.

    Args:
        text: A token or a whole text, as written.
        tiers: Names, in any order.

    Returns:
        The folded text; the same if folded again.

    Raises:
        UnknownNameError: There is no such tier; close matches are listed.

    >>> fold("अवन\u094d\u200d “२५०”"), fold("सम्बन्ध", ("nasal",))
    ('अवन् "250"', 'संबंध')
    """
    return _folded(text, _rules(tiers))


def _folded(text: str, rules: tuple[Tier, ...]) -> str:
    while True:
        folded = canonical(text)
        for tier in rules:
            folded = tier.fold(folded)
        if folded == text:
            return folded
        text = folded


@cache
def _rules(tiers: tuple[str, ...]) -> tuple[Tier, ...]:
    """The tiers of these names, in the order in which they apply."""
    for name in tiers:
        if name not in TIERS:
            raise UnknownNameError("tier of normalisation", name, list(TIERS))
    return tuple(tier for tier in TIERS.values() if tier.name in tiers)


@lru_cache(maxsize=1 << 16)
def differences(reference: str, hypothesis: str, tiers: tuple[str, ...] = DEFAULT) -> tuple[str, ...] | None:
    """The tiers that it takes to make two tokens equal.

    A tier is left out when the others do without it, from the last to the first: of two that would do, the earlier stays.

    Args:
        reference: A token or text.
        hypothesis: Another.
        tiers: Names of those that may be used.

    Returns:
        Names in order of application, of which none can be spared; () when both are equal under NFC alone; None when they
        differ under all tiers given.

    Raises:
        UnknownNameError: There is no such tier; close matches are listed.

    >>> differences("हूँ", "हूं", ("nukta", "chandrabindu")), differences("पड़ा", "पडा", ("nukta",))
    (('chandrabindu',), None)
    """
    if fold(reference, tiers) != fold(hypothesis, tiers):
        return None
    needed = _rules(tiers)
    for tier in reversed(needed):
        fewer = tuple(other for other in needed if other is not tier)
        if _folded(reference, fewer) == _folded(hypothesis, fewer):
            needed = fewer
    return tuple(tier.name for tier in needed)


def changes(text: str, tiers: tuple[str, ...] = DEFAULT) -> list[Change]:
    """What each tier changes in a text: the record that no fold goes without.

    Args:
        text: Any text, as written.
        tiers: Names, in any order.

    Returns:
        Every distinct word that a tier changed, with its count; in order of application, then by word.

    Raises:
        UnknownNameError: There is no such tier; close matches are listed.

    >>> changes("हूँ हूँ २", ("chandrabindu", "digits"))[0]
    Change(tier='chandrabindu', before='हूँ', after='हूं', count=2)
    """
    rules = (Tier("nfc", "canonical equivalence", "encoding", canonical), *_rules(tiers))
    counts: Counter[tuple[int, str, str]] = Counter()
    for word, count in Counter(text.split()).items():
        start, now = None, word
        while now != start:
            start = now
            for place, tier in enumerate(rules):
                before, now = now, tier.fold(now)
                if now != before:
                    counts[place, before, now] += count
    return [Change(rules[place].name, before, after, counts[place, before, after]) for place, before, after in sorted(counts)]

"""The same word spelt in two ways within the references: where annotators do not agree, no system can be right.

Evidence, the strongest first; of spellings that are equal by stronger evidence, weaker evidence lists the most frequent one:

- "fold": equal under the tiers of the language, those off by default too, though written differently (हूँ, हूं; गये, गए).
- "variant": the same word by a list of variants.
- "skeleton": the same consonants, and vowels that only one spelling has (ಅಂದ್ರೆ, ಅಂದರೆ): spoken and written forms. Words with
  other vowels (दिन, दान) are other words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import combining

from parakh import languages
from parakh.diagnostics.passages import Corpus, Example, example_at
from parakh.text.normalize import canonical
from parakh.text.tiers import fold, skeleton
from parakh.text.tokens import Kind

_EXAMPLES = 3
_VIRAMA = 9
"""Canonical combining class of the sign for no vowel, in every script."""
_SPOKEN = "colloquial"
_NOTATION = ("case", "digits")
"""Tiers that are no spelling: a capital at the start of a sentence, digits of two scripts."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way a word is written.

    Args:
        text: As written.
        count: How often in the references.
        examples: The first places.
    """

    text: str
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """One word written in several ways.

    Args:
        evidence: "fold", "variant" or "skeleton".
        language: BCP-47 primary tag; None if unknown.
        spellings: The most frequent one first.
        minority: How many words are not in the most frequent spelling.
    """

    evidence: str
    language: str | None
    spellings: tuple[Spelling, ...]
    minority: int


def inconsistencies(corpus: Corpus, variants: Mapping[str, str] | None = None) -> tuple[Inconsistency, ...]:
    """The words that the references of a corpus write in several ways.

    Args:
        corpus: (session_id, pair) of every recording, in order; only its reference units are read.
        variants: Spelling -> the word that it stands for.

    Returns:
        Groups of spellings: the strongest evidence first, then those that most words are concerned by.

    >>> from parakh.diagnostics import Pair, Unit
    >>> words = [Unit(text, Kind.LEXICAL, "LEXICAL", language="hi") for text in ("हूँ", "हूं", "हूँ")]
    >>> (found,) = inconsistencies([("v1", Pair((word,), ())) for word in words])
    >>> found.evidence, [(one.text, one.count) for one in found.spellings]
    ('fold', [('हूँ', 2), ('हूं', 1)])
    """
    words: dict[str | None, _Words] = defaultdict(_Words)
    for at, (_, pair) in enumerate(corpus):
        for unit in pair.reference:
            if unit.kind is Kind.LEXICAL:
                words[unit.language].add(unit.text, at)
    found: list[Inconsistency] = []
    for language in sorted(words, key=lambda tag: (tag is None, tag or "")):
        groups = _groups(words[language].counts, language, variants or {})
        found += [_inconsistency(corpus, words[language], evidence, language, group) for evidence, group in groups]
    return tuple(sorted(found, key=lambda one: (_EVIDENCE.index(one.evidence), -one.minority, one.spellings[0].text)))


_EVIDENCE = ("fold", "variant", "skeleton")


@dataclass(slots=True)
class _Words:
    """Counts of the words of a language, and the indices of the first pairs of each."""

    counts: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, text: str, at: int) -> None:
        self.counts[text] += 1
        if len(self.places[text]) < _EXAMPLES:
            self.places[text].append(at)


def _groups(counts: Mapping[str, int], language: str | None, variants: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Groups of two spellings or more, with the evidence for each."""
    known = languages.get(language)
    spoken = _SPOKEN in known.opt_in
    tiers = (*known.folds, *(name for name in known.opt_in if name != _SPOKEN))
    folded = _grouped(counts, lambda word: fold(word, tiers))
    yield from (("fold", group) for group in folded.values() if len({fold(word, _NOTATION) for word in group}) > 1)
    usual = {key: min(group, key=lambda word: (-counts[word], word)) for key, group in folded.items()}
    stands_for = {fold(one, tiers): fold(word, tiers) for one, word in variants.items()}
    meant = _grouped(usual, lambda key: stands_for.get(key, key))
    yield from (("variant", [usual[key] for key in group]) for group in meant.values() if len(group) > 1)
    for keys in _grouped((key for key in meant if not key.isascii()), skeleton).values():
        for group in _contractions(keys, spoken):
            yield "skeleton", [usual.get(key, key) for key in group]


def _grouped(words: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for word in words:
        groups[key(word)].append(word)
    return groups


def _contractions(words: Sequence[str], any_vowel: bool) -> Iterator[list[str]]:
    """Words of one skeleton that become each other by leaving out vowels, and no other vowel differs."""
    left = sorted(words)
    while len(left) > 1:
        group, left = [left[0]], left[1:]
        for word in group:  # it grows while it is read
            near = [other for other in left if is_contraction(word, other, any_vowel)]
            group += near
            left = [other for other in left if other not in near]
        if len(group) > 1:
            yield group


def is_contraction(one: str, other: str, any_vowel: bool = True) -> bool:
    """Whether two words differ only where one has a vowel and the other has none.

    Args:
        one: A word.
        other: Another.
        any_vowel: Whether any vowel may go, as in Kannada and Telugu speech, or only the short a that is not written.

    >>> is_contraction("ಅಂದ್ರೆ", "ಅಂದರೆ"), is_contraction("ಮಾಡಿ", "ಮಾಡು"), is_contraction("ಮಾಡು", "ಮಾಡ್")
    (True, False, True)
    >>> is_contraction("गरम", "गर्म", any_vowel=False), is_contraction("किया", "क्या", any_vowel=False)
    (True, False)
    """
    first, second = _vowels(one), _vowels(other)
    differing = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    same_places = len(first) == len(second) and bool(differing)
    return same_places and all(any(map(_is_virama, pair)) and (any_vowel or "" in pair) for pair in differing)


def _vowels(word: str) -> list[str]:
    """The vowel signs or virama after each letter of a word."""
    signs: list[str] = []
    for sign in canonical(word):
        if signs and not skeleton(sign):
            signs[-1] += sign
        else:
            signs.append("")
    return signs


def _is_virama(signs: str) -> bool:
    return len(signs) == 1 and combining(signs) == _VIRAMA


def _inconsistency(corpus: Corpus, words: _Words, evidence: str, language: str | None, group: Sequence[str]) -> Inconsistency:
    ranked = sorted(group, key=lambda word: (-words.counts[word], word))
    spellings = tuple(
        Spelling(word, words.counts[word], tuple(example_at(corpus, at) for at in words.places[word])) for word in ranked
    )
    return Inconsistency(evidence, language, spellings, sum(one.count for one in spellings[1:]))

"""What a diagnosis takes for the same, and what it charges errors to: the choices behind every count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from parakh import languages
from parakh.diagnostics.categories import Category
from parakh.errors import Fault, InputError, UnknownNameError
from parakh.languages import Language
from parakh.text import tiers
from parakh.text.scripts import main_script
from parakh.text.tokens import Kind
from parakh.types import Segment

_USUAL = {
    "Deva": "hi",
    "Beng": "bn",
    "Guru": "pa",
    "Gujr": "gu",
    "Orya": "or",
    "Taml": "ta",
    "Telu": "te",
    "Knda": "kn",
    "Mlym": "ml",
    "Arab": "ur",
    "Olck": "sat",
    "Mtei": "mni",
    "Latn": "en",
}
"""The language that a text of a script is taken for where nothing says which it is."""
_SCANNED = 20_000
RESERVED = frozenset((*map(str, Kind), "REGEX"))
"""What no category may be called: the kinds of units, and the mark of a pattern."""


@dataclass(frozen=True)
class Setup:
    """The choices of a diagnosis.

    Args:
        language: BCP-47 primary tag of texts that carry none; None guesses it from the script of the reference.
        categories: Categories that errors are charged to, beside words, numerals and marks; a term of several words counts as
            one. Which of two overlapping terms counts is decided by their length, then by this order.
        views: Categories that are counted beside and never charged.
        add: Names of tiers to use beside those of the language ("colloquial").
        drop: Names of tiers not to use.
        variants: Spellings that are the same word: each maps to the word it stands for.
        boundaries: Whether words written together or apart are the same.
        numbers: Whether a number is the same in another notation.

    Raises:
        UnknownNameError: There is no such tier.
        InputError: A category has the name of a kind of unit.

    >>> "colloquial" in Setup("kn", add=("colloquial",)).tiers("kn")
    True
    """

    language: str | None = None
    categories: tuple[Category, ...] = ()
    views: tuple[Category, ...] = ()
    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    variants: Mapping[str, str] = field(default_factory=dict)
    boundaries: bool = True
    numbers: bool = True

    def __post_init__(self) -> None:
        for name in (*self.add, *self.drop):
            if name not in tiers.TIERS:
                raise UnknownNameError("tier", name, list(tiers.TIERS))
        for category in self.categories:
            if category.name in RESERVED:
                raise InputError(Fault("category", "", repr(category.name), f"another name than {', '.join(sorted(RESERVED))}"))

    def tiers(self, language: str | None) -> tuple[str, ...]:
        """The tiers of a language with those added and dropped, in the order in which they are applied."""
        return _tiers(language, self.add, self.drop)

    def language_of(self, reference: Sequence[Segment]) -> Language:
        """The language of a session: the one most segments carry, else the one set, else that of the script."""
        tags = [segment.language for segment in reference if segment.language]
        if tags:
            return languages.get(max(sorted(set(tags)), key=tags.count))
        return languages.get(self.language or guess(" ".join(segment.words for segment in reference)))

    @cached_property
    def folded_variants(self) -> dict[tuple[str, ...], dict[str, str]]:
        """Per set of tiers, folded spellings and the folded word that each stands for; filled by ``canonical``."""
        return {}

    def canonical(self, folded: str, used: tuple[str, ...]) -> str:
        """The folded word that a folded word is a variant of, or itself."""
        if not self.variants:
            return folded
        table = self.folded_variants.get(used)
        if table is None:
            table = {tiers.fold(one, used): tiers.fold(word, used) for one, word in self.variants.items()}
            self.folded_variants[used] = table
        return table.get(folded, folded)


@lru_cache(maxsize=256)
def _tiers(language: str | None, add: tuple[str, ...], drop: tuple[str, ...]) -> tuple[str, ...]:
    wanted = {*tiers.DEFAULT, *languages.get(language).folds, *add} - set(drop)
    return tuple(name for name in tiers.TIERS if name in wanted)


def guess(text: str) -> str | None:
    """The language that a text is taken for by its script; code-mixed text by the script that is not Latin.

    >>> guess("मुझे paracetamol 500 लेनी है"), guess("1 2")
    ('hi', None)
    """
    text = text[:_SCANNED]
    script = main_script(text)
    if script == "Latn":
        other = main_script("".join(sign for sign in text if not sign.isascii()))
        script = other or script
    return _USUAL.get(script or "")


def languages_of(segments: Sequence[Segment], language: str | None = None) -> tuple[str, ...]:
    """The languages of segments: those they carry; for segments that carry none the one given, or that of their script.

    >>> languages_of([Segment("v1", words="दवा", language="hi"), Segment("v2", words="ಜ್ವರ")])
    ('hi', 'kn')
    """
    tags = {segment.language for segment in segments if segment.language}
    if language:
        tags.add(language)
    else:
        tags |= {tag for segment in segments if not segment.language and (tag := guess(segment.words))}
    return tuple(sorted(tags))

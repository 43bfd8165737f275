"""Hindi in Urdu spelling to Devanagari: the likeliest Hindi words for what a recogniser wrote.

Whisper base hears Hindi far better when it may write it as Urdu. Urdu leaves short vowels out and has letters
of one sound, so each word is looked up: of all Hindi words ``h``, the one with the least

    channel(u, h) + weight * -ln P(h | the word before)

where the channel is a weighted edit distance from Urdu letters to Hindi sounds (``channel.tsv``) that also
forgives what the recogniser mishears. Two words may stand for one (اس کے for उसके). What no word explains is
transliterated by rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.biasing.spelling import WordModel
from parakh.cascade.whisper.lexicon import sounds, table

_LETTERS = "\u0600-\u06ff\u200c\u200d"
_MARK = r".,;:?!।\"'()\[\]«»“”‘’…–—-"
_URDU = re.compile(f"[{_LETTERS}]")
_TOKEN = re.compile(rf"([{_MARK}]*)([{_LETTERS}]+|[^\s{_LETTERS}{_MARK}]+(?:[.,:'-][^\s{_LETTERS}{_MARK}]+)*)([{_MARK}]*)")
_MARKS = re.compile("[\u064b-\u0652\u0670\u0610-\u061a\u200c-\u200f]")
_SHOWN = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩۔؟،؛", "01234567890123456789।?,;")
_LETTER_CLASSES = ("کگ", "چجز", "ٹتڈد", "ڑر", "پبف", "م", "ل", "سش")
SOUND_CLASSES = ("kg", "cjz", "TtDd", "Rr", "pbf", "m", "l", "sS")
_BITS = np.array([n.bit_count() for n in range(256)], np.uint8)
_CONSONANT_SOUNDS = frozenset("kgcjzTtDdRrpbfmlsSnhyv")


@dataclass(frozen=True)
class Weights:
    """How the costs are weighed, in nats.

    Args:
        prior: Weight of the language model.
        unlike: A letter for a sound that the channel table does not pair, both vowels or both consonants.
        alien: A consonant for a vowel.
        lost: A Hindi consonant with nothing in the Urdu word.
        join: Two Urdu words for one Hindi word.
        unknown: Each letter of a word that is transliterated by rule.
    """

    prior: float = 0.27
    unlike: float = 3.5
    alien: float = 4.5
    lost: float = 3.0
    join: float = 0.5
    unknown: float = 0.1


Candidate = tuple[str, float]
"""A Hindi word and its channel cost."""


@dataclass(frozen=True)
class Script:
    """How the words to be spelled are written.

    Args:
        word: Finds in a text what is a word of the script.
        letters: The letters of a word, as the channel knows them.
        unknown: What is written for the letters of a word that no Hindi word explains, given the word too.
        channel: ``(letter, sound, cost)`` of every pair that is alike; ``-`` stands for nothing.
        consonants: Classes of strong consonants, in the order of those of the sounds.
    """

    word: re.Pattern[str]
    letters: Callable[[str], list[str]]
    unknown: Callable[[str, Sequence[str]], str]
    channel: Sequence[tuple[str, ...]]
    consonants: Sequence[str]


class Speller:
    """Writes Hindi that is spelled in another way in Devanagari, as Hindi words.

    Args:
        model: The Hindi words and how likely they are.
        english: Devanagari of English words (lower case) that come in Latin script.
        weights: How the costs are weighed.
        script: How the words are spelled; None is Urdu.
    """

    def __init__(
        self,
        model: WordModel,
        english: Mapping[str, str] | None = None,
        weights: Weights | None = None,
        script: Script | None = None,
    ) -> None:
        self._script = script or urdu_script()
        self._model = model
        self._english = english or {}
        self._weights = weights or Weights()
        self._channel = _Channel(self._weights, self._script)
        self._words = [word for word in model.words if sounds(word)]
        spoken = [sounds(word) for word in self._words]
        self._sounds = self._channel.matrix(spoken)
        self._lengths = np.array([len(word) for word in spoken])
        self._masks = np.array([_mask(word, SOUND_CLASSES) for word in spoken], np.uint8)
        self._strong = np.array([_strong(word, SOUND_CLASSES) for word in spoken])
        self._prior = self._weights.prior * np.array([model.cost(word) for word in self._words], np.float32)
        self.candidates = lru_cache(maxsize=20_000)(self._candidates)

    def spell(self, text: str) -> str:
        """The text in Devanagari; other scripts, digits and punctuation at words stay.

        Args:
            text: Words in Urdu spelling.

        Returns:
            The words in Devanagari, with Devanagari's punctuation and ASCII digits.
        """
        tokens = [_Token(*parts) for parts in _TOKEN.findall(text.translate(_SHOWN))]
        best: list[dict[str, _Path]] = [{"": _Path(0.0)}]
        for end in range(1, len(tokens) + 1):
            best.append({})
            for length in (1, 2)[:end]:
                span = tokens[end - length : end]
                for word, cost in self._choices(span):
                    self._extend(best[end - length], best[end], word, cost, _dressed(span, word))
        return min(best[-1].values(), key=lambda path: path.cost).text()

    def _extend(self, before: Mapping[str, _Path], after: dict[str, _Path], word: str, cost: float, shown: str) -> None:
        """Let every path end in ``word``, and keep the cheapest."""
        for previous, path in before.items():
            total = path.cost + cost + self._weights.prior * self._model.cost(word, previous)
            if word not in after or total < after[word].cost:
                after[word] = _Path(total, shown, path)

    def _choices(self, span: Sequence[_Token]) -> Iterable[Candidate]:
        if len(span) == 1:
            core = span[0].core
            return self.candidates(core) if self._script.word.search(core) else [(self._english.get(core.lower(), core), 0.0)]
        if span[0].after or span[1].before or not all(self._script.word.search(token.core) for token in span):
            return []
        joined = self.candidates(span[0].core + span[1].core)
        return [(word, cost + self._weights.join) for word, cost in joined if word in self._model.words][:3]

    def _candidates(self, spelled: str, count: int = 8) -> tuple[Candidate, ...]:
        """The likeliest words for one spelled word, and what it is by rule."""
        letters = self._script.letters(spelled)
        rule = (self._script.unknown(spelled, letters), self._weights.unknown * len(letters))
        mask = _mask(letters, self._script.consonants)
        alike = _BITS[self._masks ^ mask] <= 1
        alike &= np.abs(self._strong - _strong(letters, self._script.consonants)) <= 1
        near = np.flatnonzero(alike & (self._lengths <= 2 * len(letters) + 2))
        if not len(near):
            return (rule,)
        costs = self._channel.costs(letters, self._sounds[:, near], self._lengths[near])
        order = np.argsort(costs + self._prior[near], kind="stable")[:count]
        return (*((self._words[near[i]], float(costs[i])) for i in order), rule)


def urdu_script() -> Script:
    """Urdu spelling: what no word explains is transliterated."""
    return Script(_URDU, fold, lambda word, letters: transliterate(letters), table("channel.tsv"), _LETTER_CLASSES)


def fold(urdu: str) -> list[str]:
    """The letters of an Urdu word: marks off, letters of one sound made one, ہ and ی marked ``$`` at the end.

    >>> fold("صحیح"), fold("کھانسی")
    (['س', 'ہ', 'ی', 'ہ$'], ['ک', 'ھ', 'ا', 'ن', 'س', 'ی$'])
    """
    text = _MARKS.sub("", unicodedata.normalize("NFC", urdu))
    for old, new in (row if len(row) == 2 else (*row, "") for row in table("fold.tsv")):
        text = text.replace(old, new)
    final = not text.endswith("ہہ")
    letters = list(re.sub(r"([^ا])\1", r"\1", text))
    if letters and letters[-1] in "ہی" and final:
        letters[-1] += "$"
    return letters


def transliterate(letters: Sequence[str]) -> str:
    """Devanagari for folded Urdu letters by rule, for when no word is known.

    A vowel letter is a sign after a consonant and a letter of its own elsewhere; و and ی before ا are consonants.

    >>> transliterate(fold("دیدی")), transliterate(fold("کھانا"))
    ('दीदी', 'खाना')
    """
    rules = {row[0]: (*row[1:], "", "")[:3] for row in table("rules.tsv")}
    written, rest, open_consonant = "", list(letters), False
    while rest:
        pair = "".join(rest[:2])
        letter = pair if len(rest) > 1 and pair in rules else rest[0]
        rest = rest[2 if letter == pair and len(rest) > 1 else 1 :]
        sign, own, consonant = rules.get(letter, ("", "", ""))
        as_consonant = bool(consonant) and (not sign or not written or (bool(rest) and rest[0] == "ا"))
        written += consonant if as_consonant else sign if open_consonant else own
        open_consonant = as_consonant
    return written


class _Channel:
    """The weighted edit distance from the letters of a script to many Hindi words at once."""

    def __init__(self, weights: Weights, script: Script) -> None:
        rows = script.channel
        letters = sorted({urdu for urdu, _, _ in rows})
        hindi = sorted({sound for _, sound, _ in rows} | _CONSONANT_SOUNDS)
        self._letter = {letter: i for i, letter in enumerate(letters)}
        self._sound = {sound: i + 1 for i, sound in enumerate(hindi)}
        consonants = frozenset("".join(script.consonants) + "نn")
        kind = np.array([sound in _CONSONANT_SOUNDS for sound in ("", *hindi)])
        self._pair = np.array([np.where(kind == (u in consonants), weights.unlike, weights.alien) for u in letters], np.float32)
        self._pair[:, 0] = 99.0  # padding is never paired
        self._extra = np.full(len(letters), weights.lost, np.float32)
        self._lost = np.full(len(hindi) + 1, weights.lost, np.float32)
        self._lost[0] = 0.0
        for urdu, sound, cost in rows:
            if urdu == "-":
                self._lost[self._sound[sound]] = float(cost)
            elif sound == "-":
                self._extra[self._letter[urdu]] = float(cost)
            else:
                self._pair[self._letter[urdu], self._sound[sound]] = float(cost)

    def matrix(self, words: Sequence[str]) -> NDArray[np.intp]:
        """Words as columns of sound numbers, filled up with 0."""
        rows = np.zeros((len(words), max(map(len, words), default=0)), np.intp)
        for row, word in zip(rows, words, strict=True):
            row[: len(word)] = [self._sound[sound] for sound in word]
        return np.ascontiguousarray(rows.T)

    def costs(self, letters: Sequence[str], words: NDArray[np.intp], lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        """Cost of each word (a column) for the letters, shape (words,)."""
        words = words[: int(lengths.max())]
        lost = self._lost[words]
        before = np.concatenate([np.zeros((1, len(lengths)), np.float32), np.cumsum(lost, axis=0)])
        for letter in (self._letter[x] for x in letters if x in self._letter):
            after = before + self._extra[letter]
            np.minimum(after[1:], before[:-1] + self._pair[letter][words], out=after[1:])
            for j in range(len(words)):
                np.minimum(after[j + 1], after[j] + lost[j], out=after[j + 1])
            before = after
        return before[lengths, np.arange(len(lengths))]


@dataclass(frozen=True, slots=True)
class _Path:
    """The cheapest words so far: the last one as shown, after another path."""

    cost: float
    shown: str = ""
    before: _Path | None = None

    def text(self) -> str:
        words: list[str] = []
        path: _Path | None = self
        while path:
            words.append(path.shown)
            path = path.before
        return " ".join(word for word in reversed(words) if word)


@dataclass(frozen=True)
class _Token:
    """A word with the punctuation around it, in Devanagari's form."""

    before: str
    core: str
    after: str


def _dressed(span: Sequence[_Token], word: str) -> str:
    return f"{span[0].before}{word}{span[-1].after}"


def _mask(signs: Iterable[str], classes: Sequence[str]) -> int:
    """Which classes of strong consonants occur, as bits."""
    return sum({1 << i for sign in signs for i, members in enumerate(classes) if sign[0] in members})


def _strong(signs: Iterable[str], classes: Sequence[str]) -> int:
    """Number of strong consonants."""
    return sum(any(sign[0] in members for members in classes) for sign in signs)

"""Talk of two people in Hindi as a data set has it: in a form with English words in Latin letters and numbers in digits, and in
native script throughout.

The words vary as in real talk: some 4,000 of them, each about as frequent as one over its rank (G. K. Zipf, 1949). The most
frequent are those of the bundled conversations; names of medicines and everyday English words stand among them in both scripts,
and the rare ones are joined from syllables of the others. One word in twenty-five is a number.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain
from pathlib import Path

from parakh import formats
from parakh.text.graphemes import aksharas
from parakh.types import Segment

ROOT = Path(__file__).parents[1]
TYPES = 4000
NUMBERS = 1 / 25
_LATIN_EVERY = 12
"""Among so many ranks one is an English word."""
_ENGLISH = """
tablet टैबलेट  report रिपोर्ट  doctor डॉक्टर  sugar शुगर  test टेस्ट  hospital हॉस्पिटल  pressure प्रेशर  injection इंजेक्शन  fever फीवर
normal नॉर्मल  checkup चेकअप  BP बीपी  time टाइम  problem प्रॉब्लम  weight वेट  delivery डिलीवरी  card कार्ड  phone फोन  mobile मोबाइल
infection इन्फेक्शन  operation ऑपरेशन  gas गैस  vitamin विटामिन  iron आयरन  calcium कैल्शियम  school स्कूल  ultrasound अल्ट्रासाउंड
baby बेबी  tension टेंशन  cream क्रीम  syrup सिरप  diet डाइट  oil ऑयल  market मार्केट  bus बस  family फैमिली  sister सिस्टर  nurse नर्स
"""


@dataclass(frozen=True)
class Word:
    """One word in both forms."""

    plain: str
    native: str


def said(draw: random.Random, count: int) -> list[Word]:
    """So many words, as somebody says them one after the other."""
    words, weights = vocabulary()
    return [
        number(draw.randint(1, 199)) if draw.random() < NUMBERS else word
        for word in draw.choices(words, cum_weights=weights, k=count)
    ]


def digits(text: str) -> list[Word]:
    """Digits read out: together in the one form, word by word in the other."""
    return [Word(text, " ".join(number(int(digit)).native for digit in text))]


@cache
def number(value: int) -> Word:
    """A number below 200: "140", "एक सौ चालीस"."""
    usual = _usual()
    hundreds, rest = divmod(value, 100)
    spoken = [f"{usual[hundreds]} सौ"] * bool(hundreds) + [usual[rest]] * bool(rest or not hundreds)
    return Word(str(value), " ".join(spoken))


@cache
def _usual() -> dict[int, str]:
    """The usual word for each number below 100."""
    table = tomllib.loads((ROOT / "src" / "parakh" / "languages" / "numbers" / "hi.toml").read_text("utf-8"))
    return {int(value): forms[0] for value, forms in table["values"].items()}


@cache
def vocabulary() -> tuple[list[Word], list[float]]:
    """Words from the most frequent to the rarest, and the sums of their weights."""
    heard = [word for word, _ in Counter(_heard()).most_common()]
    english, rare = chain(_english(), _medicines()), chain(heard, _made(heard))
    words: list[Word] = []
    while len(words) < TYPES:
        mixed = next(english, None) if len(words) % _LATIN_EVERY == _LATIN_EVERY - 1 else None
        words.append(mixed or Word(*[next(rare)] * 2))
    return words, list(accumulate(1 / (rank + 2.7) for rank in range(1, TYPES + 1)))


def _heard() -> list[str]:
    paths = sorted((ROOT / "examples" / "transcripts").glob("hi_*.txt"))
    return [word for path in paths for one in formats.load(path, Segment).items for word in one.words.split()]


def _english() -> Iterator[Word]:
    listed = _ENGLISH.split()
    yield from map(Word, listed[::2], listed[1::2])


def _medicines() -> Iterator[Word]:
    table = ROOT / "src" / "parakh" / "clinical" / "data" / "medicines.tsv"
    for line in table.read_text("utf-8").splitlines()[3:]:
        _, english, hindi, *_ = line.split("\t")
        pair = english.split(";")[0].strip(), hindi.split(";")[0].strip()
        if not any(" " in word for word in pair):
            yield Word(*pair)


def _made(heard: list[str]) -> Iterator[str]:
    """Words that nobody says, of syllables that people say."""
    draw = random.Random(1)
    syllables = sorted({one for word in heard for one in aksharas(word) if one[0].isalpha()})
    known = set(heard)
    while True:
        word = "".join(draw.choices(syllables, k=draw.randint(2, 4)))
        if word not in known:
            known.add(word)
            yield word

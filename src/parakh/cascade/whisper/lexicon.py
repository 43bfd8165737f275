"""The Hindi words an Urdu spelling may stand for, with what each costs and how it sounds."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

WORD = re.compile("[\u0901-\u0963\u0971-\u097f]+")
"""Devanagari letters and signs, without digits and punctuation."""


def read_frequencies(path: Path) -> dict[str, float]:
    """Word costs in centibels (-100 log10 of the relative frequency) from a wordfreq file.

    Args:
        path: A gzipped MessagePack list whose n-th entry after its header lists the words of cost n.

    Returns:
        Cost of each Devanagari word, >= 0.
    """
    levels = _unpack(gzip.decompress(path.read_bytes()))[1:]  # the first entry names the format
    costs = ((word, float(cost)) for cost, words in enumerate(levels) if isinstance(words, list) for word in words)
    return {word: cost for word, cost in costs if WORD.fullmatch(word)}


@cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
    """Rows of a table beside this module, without its header."""
    lines = resources.files(__package__).joinpath(name).read_text("utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines[1:] if line)


def sounds(word: str) -> str:
    """A Devanagari word as one sign a sound: consonants, H for breath, ^ for a vowel's own letter, N for nasality.

    The inherent vowel has no sign, doubled consonants count once, and a nukta counts only on ज, ड and ढ.

    >>> sounds("थकान"), sounds("अच्छा"), sounds("हूँ")
    ('tHkAn', '^cHA', 'hUN')
    """
    pattern, signs = _signs()
    found = "".join(signs[letter] for letter in pattern.findall(unicodedata.normalize("NFC", word)))
    return re.sub(r"([^^])\1", r"\1", found)


@cache
def _signs() -> tuple[re.Pattern[str], Mapping[str, str]]:
    signs = {unicodedata.normalize("NFC", letter): sign for letter, sign in table("sounds.tsv")}
    longest_first = sorted(signs, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))), signs


def _unpack(data: bytes) -> list[object]:
    """The part of MessagePack that wordfreq's files use: nested lists of texts and small numbers, and one map."""
    position = 0

    def take(count: int) -> bytes:
        nonlocal position
        position += count
        return data[position - count : position]

    def item() -> object:
        kind = take(1)[0]
        if kind < 0x80:
            return kind
        if kind < 0x90:
            return [(item(), item()) for _ in range(kind & 15)]
        if kind < 0xA0:
            return [item() for _ in range(kind & 15)]
        if kind < 0xC0:
            return take(kind & 31).decode()
        if kind == 0xD9:
            return take(take(1)[0]).decode()
        return [item() for _ in range(int.from_bytes(take(2 if kind == 0xDC else 4), "big"))]

    unpacked = item()
    return unpacked if isinstance(unpacked, list) else []

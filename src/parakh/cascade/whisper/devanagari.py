"""Hindi that was misheard or misspelled in Devanagari: the channel from what was written to the sounds of Hindi words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parakh.cascade.whisper.lexicon import WORD, sounds
from parakh.cascade.whisper.urdu import SOUND_CLASSES, Script

_SOUNDS = "kgcjzTtDdRrpbfmnlsShvyHN^AiIuUeEoO"

_ALIKE = {
    **dict.fromkeys(("iI", "uU", "nN"), 0.4),
    **dict.fromkeys(("eE", "oO", "sS", "jz"), 0.5),
    **dict.fromkeys(("Tt", "Dd", "Rr", "RD", "pf", "ie", "Ie", "EA", "OA", "uo", "Uo"), 0.9),
    **dict.fromkeys(("bv", "nm", "Ee", "Ei", "EI", "Ou", "OU", "ey", "Iy", "iy", "ov", "uv", "cs", "cS"), 1.2),
    **dict.fromkeys(("kg", "cj", "TD", "td", "pb", "lr", "ln", "Rl", "ei", "Ae", "Ao", "zs"), 1.6),
}
"""Pairs of sounds that are taken for each other, with what that costs in nats."""

_LIGHT = {"H": 0.8, "N": 0.5, "^": 0.3, "y": 0.9, "h": 1.0, "v": 1.2, "i": 1.0, "u": 1.0, "A": 1.2, "n": 1.5, "r": 1.6}
"""Sounds that are easily left out, or heard where there are none."""

_LOST = 2.4
"""The same for all others."""


def devanagari_script() -> Script:
    """Devanagari itself: what no word explains stays as it is written."""
    return Script(WORD, lambda word: list(sounds(word)), _as_written, tuple(_channel()), SOUND_CLASSES)


def _as_written(word: str, letters: Sequence[str]) -> str:
    return word


def _channel() -> Iterator[tuple[str, str, str]]:
    for sound in _SOUNDS:
        yield sound, sound, "0"
        yield sound, "-", str(_LIGHT.get(sound, _LOST))
        yield "-", sound, str(_LIGHT.get(sound, _LOST))
    for pair, cost in _ALIKE.items():
        yield pair[0], pair[1], str(cost)
        yield pair[1], pair[0], str(cost)

"""How text becomes the tokens of a language model: a normalisation profile, and words or aksharas."""

from __future__ import annotations

from dataclasses import dataclass

from parakh.errors import Fault, InputError
from parakh.text.graphemes import aksharas
from parakh.text.normalize import get_profile

UNITS = ("word", "akshara")
START = "▁"
"""What stands before the first akshara of a word, as in the vocabularies of sentencepiece."""

RESERVED = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class Preparation:
    """The choices of a model that any text it scores has to go through.

    Args:
        normalize: Name of a normalisation profile.
        unit: ``"word"`` or ``"akshara"``; aksharas know no unknown words, only improbable ones.

    Raises:
        UnknownNameError: There is no such profile.
        InputError: There is no such unit.

    >>> Preparation().tokens("BP ठीक है।"), Preparation(unit="akshara").tokens("दवा लो")
    (['bp', 'ठीक', 'है'], ['▁द', 'वा', '▁लो'])
    """

    normalize: str = "indic"
    unit: str = "word"

    def __post_init__(self) -> None:
        get_profile(self.normalize)
        if self.unit not in UNITS:
            raise InputError(Fault("language model", "unit", repr(self.unit), " or ".join(UNITS)))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, or of a word, in order; the model's own marks are no text."""
        words = [word for word in get_profile(self.normalize)(text).split() if word not in RESERVED]
        if self.unit == "word":
            return words
        return [f"{START if first else ''}{piece}" for word in words for first, piece in _marked(aksharas(word))]


def _marked(pieces: list[str]) -> list[tuple[bool, str]]:
    return [(not at, piece) for at, piece in enumerate(pieces)]

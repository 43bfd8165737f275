"""Fonts for figures: which of those installed have the letters of a label.

matplotlib brings a font with Latin, Greek and Cyrillic letters; for the scripts of India a Noto font is taken where one is
installed. A label that no font can write is a fault, and never a row of boxes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from parakh.errors import Fault, InputError
from parakh.packages import imported
from parakh.text.masking import masked

OWN = "DejaVu Sans"
"""The font that comes with matplotlib."""
_BOXES = "Last Resort"
"""One that has a box for every letter there is."""
_CALLED = {
    "ARABIC": ("Noto Naskh Arabic", "Noto Sans Arabic"),
    "OL": ("Noto Sans Ol Chiki",),
    "MEETEI": ("Noto Sans Meetei Mayek",),
}
"""Fonts of scripts that they are not called after."""


def families(texts: Iterable[str], path: str) -> list[str]:
    """The fonts that together can write all texts, the one for Latin letters first.

    Args:
        texts: What will be drawn.
        path: The figure, for messages.

    Raises:
        InputError: No installed font has some of the letters; one fault a script.
        MissingPackageError: matplotlib is not installed.
    """
    found, faults = [OWN], {}
    held = set(_letters(OWN))
    for text in texts:
        for sign in text:
            if ord(sign) in held or not _visible(sign):
                continue
            family = _family(sign)
            if family is None:
                script = _script(sign).title()
                action = f"Install a font for {script} (Debian: fonts-noto-core), or rename it."
                faults[script] = Fault(path, "label", repr(masked(text)), "letters of an installed font", action)
            else:
                found.append(family)
                held |= _letters(family)
    if faults:
        raise InputError(faults.values())
    return found


def _visible(sign: str) -> bool:
    """Whether a font draws it: spaces, joiners and control characters are not drawn."""
    return unicodedata.category(sign) not in {"Cc", "Cf", "Zs", "Zl", "Zp"}


def _script(sign: str) -> str:
    return unicodedata.name(sign, "UNKNOWN").partition(" ")[0]


@cache
def _family(sign: str) -> str | None:
    """An installed family that has a letter: Noto's of its script before any other."""
    script = _script(sign)
    named = _CALLED.get(script, (f"Noto Sans {script.title()}", f"Noto Serif {script.title()}"))
    candidates = (family for family in (*named, *_others()) if ord(sign) in _letters(family))
    return next(candidates, None)


def _others() -> Iterator[str]:
    yield from sorted(_installed(), key=lambda family: (not family.startswith("Noto Sans"), family))


@cache
def _installed() -> dict[str, str]:
    """The file of each installed family in its regular cut."""
    manager = imported("matplotlib.font_manager", "report", "figures for papers").fontManager
    upright = (font for font in manager.ttflist if font.style == "normal" and str(font.weight) in {"400", "normal", "regular"})
    drawing = (font for font in upright if not font.name.startswith(_BOXES))
    return {font.name: font.fname for font in sorted(drawing, key=lambda font: font.fname, reverse=True)}


@cache
def _letters(family: str) -> frozenset[int]:
    """The code points that a family has; none for one that is not installed or cannot be read."""
    path = _installed().get(family)
    if path is None:
        return frozenset()
    ft2font: Any = imported("matplotlib.ft2font", "report", "figures for papers")
    try:
        return frozenset(ft2font.FT2Font(path).get_charmap())
    except (OSError, RuntimeError):
        return frozenset()

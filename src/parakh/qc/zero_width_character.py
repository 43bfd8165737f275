"""A text has an invisible character that has no effect.

What it does:
    Looks for zero-width spaces, word joiners, byte order marks, soft hyphens and direction marks inside a text, and for ZWJ and
    ZWNJ where they change nothing. They do change something, and pass,

    - after a virama: chillus of Malayalam, eyelash ra of Marathi and Nepali, half forms and explicit viramas of all scripts;
    - before a virama: ya-phala after ra in Bengali, ra that is no reph in Kannada;
    - after a chillu letter, and between letters of Urdu, Kashmiri and Sindhi.

    ZWNJ after a virama at the end of a word is seen only once a suffix follows; keyboards of Kannada and Telugu write it, and it
    passes too.

Why it matters:
    Two words that look the same are not, for a scorer that does not know of them and for every search.

How to mend:
    Delete the character; editors show it with "show invisibles". A byte order mark within a file comes of files being joined.

Example:
    A zero-width space (U+200B) copied from a web page: it stands within "बुखार" and cannot be seen.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding
from parakh.text.scripts import script_of
from parakh.text.tokens import INVISIBLE
from parakh.types import Finding, Severity

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_JOINERS = "\u200c\u200d"
_CHILLUS = frozenset("ൺൻർൽൾൿൎ")
_VIRAMA_CLASS = 9
"""Canonical combining class of every virama."""


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text."""
    for passage in holding(material, _INVISIBLE.search, together=True):
        text = passage.text
        counts = Counter(text[at] for at in range(len(text)) if text[at] in INVISIBLE and not has_effect(text, at))
        if counts:
            names = ", ".join(f"{count} x U+{ord(sign):04X} {_name(sign)}" for sign, count in sorted(counts.items()))
            message = f"invisible characters without effect: {names}{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


def has_effect(text: str, at: int) -> bool:
    r"""Whether the invisible character at an offset changes how the text reads.

    >>> has_effect("ನ್\u200cಗೆ", 2), has_effect("दवा\u200d", 3), has_effect("র\u200d্য", 1)
    (True, False, True)
    """
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign not in _JOINERS or not before:
        return False
    if _is_virama(before) or before in _CHILLUS:
        return True
    if after and _is_virama(after) and unicodedata.category(before) == "Lo":
        return True
    return bool(after) and script_of(before) == script_of(after) == "Arab"


def _is_virama(sign: str) -> bool:
    return unicodedata.combining(sign) == _VIRAMA_CLASS


def _name(sign: str) -> str:
    return "byte order mark" if sign == "\ufeff" else unicodedata.name(sign, "").lower()


CHECK = Check("QC112", "zero-width-character", "A text has invisible characters without effect", Severity.WARNING, recording)

"""Which script a letter is of, for the scripts of India, and which one a text is mostly written in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

BLOCKS: dict[str, tuple[tuple[int, int], ...]] = {
    "Latn": ((0x41, 0x5A), (0x61, 0x7A), (0xAA, 0xAA), (0xBA, 0xBA), (0xC0, 0x24F), (0x1E00, 0x1EFF)),
    "Arab": ((0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC)),
    "Deva": ((0x900, 0x963), (0x966, 0x97F), (0xA8E0, 0xA8FF), (0x1CD0, 0x1CFF)),
    "Beng": ((0x980, 0x9FF),),
    "Guru": ((0xA00, 0xA7F),),
    "Gujr": ((0xA80, 0xAFF),),
    "Orya": ((0xB00, 0xB7F),),
    "Taml": ((0xB80, 0xBFF),),
    "Telu": ((0xC00, 0xC7F),),
    "Knda": ((0xC80, 0xCFF),),
    "Mlym": ((0xD00, 0xD7F),),
    "Olck": ((0x1C50, 0x1C7F),),
    "Mtei": ((0xABC0, 0xABFF), (0xAAE0, 0xAAFF)),
}
"""ISO 15924 code -> first and last code points of its letters, signs and digits (Unicode 15, Blocks.txt)."""
PARALLEL = {name: BLOCKS[name][0][0] for name in ("Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym")}
"""First code points of the blocks in which the same letter stands at the same place (the order of ISCII)."""


@lru_cache(maxsize=4096)
def script_of(sign: str) -> str | None:
    """The script of one code point; None for digits and marks that several scripts share, and for other scripts.

    >>> [script_of(sign) for sign in "कa1।"]
    ['Deva', 'Latn', None, None]
    """
    code = ord(sign)
    for script, blocks in BLOCKS.items():
        if any(first <= code <= last for first, last in blocks):
            return script if unicodedata.category(sign)[0] in "LMN" else None
    return None


def main_script(text: str) -> str | None:
    """The script that most letters of a text are of; None without a letter of a known script.

    >>> main_script("डॉक्टर ने paracetamol दी")
    'Latn'
    """
    counts = Counter(text)
    totals: Counter[str] = Counter()
    for sign, count in counts.items():
        script = script_of(sign)
        if script is not None:
            totals[script] += count
    return max(sorted(totals), key=totals.__getitem__) if totals else None

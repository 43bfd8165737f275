"""A word has letters of two scripts.

What it does:
    Looks for words with letters of two scripts: a Latin letter inside a Devanagari word, a Devanagari sign on a Kannada letter,
    a Cyrillic or Greek look-alike inside a Latin word.
    Capitals with an ending in an Indian script are usual in code-mixed speech and pass ("BPका", "PHCಗೆ"), and so do small letters,
    in Devanagari and Gurmukhi only before a known ending ("reportको"), unless both parts sound the same ("dotडॉट").

Why it matters:
    Such a word looks right and matches nothing: it is an error in every score, a word of its own in every vocabulary, and is
    found by no search.

How to mend:
    Type the word again in one script. Divide what belongs apart ("दवाtablet").

Limits:
    `latin-endings` (0): 1 also flags Latin words with an Indian ending.

Example:
    "दवाe" ends in a Latin e.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding, quoted, script, words
from parakh.text.sounds import sound_alike
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text."""
    strict = settings.limit("latin-endings") > 0
    for passage in holding(material, _has_mixed):
        found = [word for word in words(passage.text) if is_mixed(word, strict=strict)]
        if found:
            message = f"letters of {' and '.join(_scripts(found[0]))} in one word: {quoted(found)}{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


@lru_cache(maxsize=1 << 16)
def _has_mixed(text: str) -> bool:
    return not text.isascii() and any(is_mixed(word, strict=True) for word in words(text))


@lru_cache(maxsize=1 << 16)
def is_mixed(word: str, *, strict: bool = False) -> bool:
    r"""Whether a word has letters of several scripts and is no Latin word with an Indian ending.

    >>> is_mixed("BPका"), is_mixed("दवाe"), is_mixed("p\u0430in"), is_mixed("BPका", strict=True)
    (False, True, True, True)
    """
    if word.isascii():
        return False
    parts = [(name, "".join(signs)) for name, signs in groupby(filter(script, word), script)]
    if len(parts) < 2:
        return False
    (first, stem), (second, _) = parts[:2]
    ends = len(parts) == 2 and first == "Latn" and second in _INDIAN and _is_ending(stem, word.removeprefix(stem), second)
    return strict or not ends


def _is_ending(stem: str, ending: str, name: str) -> bool:
    if stem.isupper():
        return True
    if len(stem) < 2 or sound_alike(stem, ending):
        return False
    return name not in _APART or ending in _ENDINGS or unicodedata.category(ending[0]) in ("Mn", "Mc")


def _scripts(word: str) -> list[str]:
    return sorted({_NAMES.get(name, name.capitalize()) for name in map(script, word) if name})


_NAMES = {
    "Latn": "Latin", "Arab": "Arabic", "Deva": "Devanagari", "Beng": "Bengali", "Guru": "Gurmukhi", "Gujr": "Gujarati",
    "Orya": "Odia", "Taml": "Tamil", "Telu": "Telugu", "Knda": "Kannada", "Mlym": "Malayalam", "Olck": "Ol Chiki",
    "Mtei": "Meetei Mayek",
}  # fmt: skip
_INDIAN = frozenset(_NAMES) - {"Latn"}

_APART = frozenset({"Deva", "Guru"})
"""Scripts of languages that write most endings apart."""
_ENDINGS = frozenset({
    "का", "की", "के", "को", "से", "में", "ने", "पर", "वाला", "वाली", "वाले", "ओं", "ए", "एं", "एँ", "ओ", "यों", "वां", "वीं",
    "वें", "ला", "चा", "ची", "चे", "च्या", "त", "मध्ये", "वर", "हून", "शी", "नी", "ना", "लाई", "ले", "मा", "बाट", "हरू", "ਦਾ",
    "ਦੀ", "ਦੇ", "ਨੂੰ", "ਤੋਂ", "ਵਿੱਚ", "ਨੇ", "ਤੇ", "ਵਾਲਾ", "ਵਾਲੀ", "ਵਾਲੇ", "ਆਂ",
})  # fmt: skip

CHECK = Check(
    "QC110", "mixed-scripts", "A word has letters of two scripts", Severity.WARNING, recording, limits={"latin-endings": 0}
)

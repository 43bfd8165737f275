"""A word is in a script that the language of the recording is not written in.

What it does:
    Compares the script of every word with those of the recording's language, of its segment's and its speakers' languages, and
    with Latin, which code-mixed speech may always use. A recording whose language is unknown is passed over.

Why it matters:
    A Kannada word in a Hindi transcript is a wrong keyboard, a wrong language label or the text of another recording.

How to mend:
    Write the word in the script of the language, or give the recording, the segment or the speaker the right `language`.

Example:
    "ಜ್ವರ" in a recording with `language` "hi" whose speakers speak Hindi.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding, language_scripts, quoted, script, words
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text."""
    allowed = language_scripts(material) | {"Latn"}
    for passage in holding(material, lambda text: _has_foreign(text, allowed)):
        own = language_scripts(material, passage)
        if not own:
            continue
        found = [word for word in words(passage.text) if _is_foreign(word, own | {"Latn"})]
        if found:
            message = f"words in a script of another language: {quoted(found)}{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


@lru_cache(maxsize=1 << 16)
def _has_foreign(text: str, allowed: frozenset[str]) -> bool:
    return not text.isascii() and any(_is_foreign(word, allowed) for word in words(text))


@lru_cache(maxsize=1 << 16)
def _is_foreign(word: str, allowed: frozenset[str]) -> bool:
    """Whether all letters of a word are of one other script; a single Greek letter is a symbol."""
    scripts = {name for name in map(script, word) if name}
    return len(scripts) == 1 and not scripts & allowed and not (scripts == {"GREEK"} and len(word) == 1)


CHECK = Check("QC114", "foreign-script", "A word is in a script of another language", Severity.WARNING, recording)

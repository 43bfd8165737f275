"""HTML that is escaped by its type: plain text is always escaped, only ``Html`` goes through as it is."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

_SPECIAL = re.compile("[&<>\"'\0\ud800-\udfff]")
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "wbr"}
_SCRIPTS = {
    "DEVANAGARI": "hi",
    "KANNADA": "kn",
    "BENGALI": "bn",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "MALAYALAM": "ml",
    "ORIYA": "or",
    "TAMIL": "ta",
    "TELUGU": "te",
    "ARABIC": "ur",
    "OL": "sat",
    "MEETEI": "mni",
}
"""First word of the Unicode names of a script's letters -> language tag."""


class Html(str):
    """Markup that is ready to be written; everything that is not ``Html`` is text and gets escaped."""

    __slots__ = ()

    def __html__(self) -> str:
        """As it is: what template engines ask a text for that needs no escaping."""
        return self


def escape(text: str) -> Html:
    """Text as HTML: the five special characters escaped, lone surrogates and NUL replaced so that the page can be written.

    >>> escape('<b> & "q"')
    '&lt;b&gt; &amp; &quot;q&quot;'
    """
    if isinstance(text, Html):
        return text
    if _SPECIAL.search(text) is None:
        return Html(text)
    return Html(html.escape(text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")))


def join(parts: Iterable[str]) -> Html:
    """The parts one after another; text among them is escaped.

    >>> join([Html("<br>"), "<br>"])
    '<br>&lt;br&gt;'
    """
    return Html("".join(escape(part) for part in parts))


def tag(name: str, attributes: Mapping[str, str | None] | None = None, *children: str) -> Html:
    """One element; an attribute whose value is None is left out, an empty one stands alone.

    >>> tag("a", {"href": "#x", "title": None}, "1 < 2")
    '<a href="#x">1 &lt; 2</a>'
    """
    pairs = ((key, value) for key, value in (attributes or {}).items() if value is not None)
    inside = "".join(f' {key}="{escape(value)}"' if value else f" {key}" for key, value in pairs)
    return Html(f"<{name}{inside}>") if name in VOID else Html(f"<{name}{inside}>{join(children)}</{name}>")


def language(text: str) -> str | None:
    """The ``lang`` attribute for a text, told from its most frequent script; None for Latin and unknown scripts.

    A script used by several languages gives the most widely spoken one: enough to choose a font and a voice.

    >>> language("नमस्ते, BP 140"), language("ನಮಸ್ಕಾರ"), language("hello")
    ('hi', 'kn', None)
    """
    counts: dict[str, int] = {}
    for character, count in Counter(text).items():
        if (script := _script(character)) is not None:
            counts[script] = counts.get(script, 0) + count
    return _SCRIPTS.get(max(counts, key=lambda script: counts[script])) if counts else None


@lru_cache(maxsize=4096)
def _script(character: str) -> str | None:
    """The first word of the name of a letter that is not ASCII."""
    if character.isascii() or not character.isalpha():
        return None
    return unicodedata.name(character, "").partition(" ")[0]


def spoken(
    name: str,
    attributes: Mapping[str, str | None],
    text: str,
    *children: str,
    tongues: Mapping[str | None, str] | None = None,
) -> Html:
    """An element that holds somebody's own words: with its language and direction, showing children or else the text.

    Args:
        name: Of the element.
        attributes: Its further attributes.
        text: The words, which tell the script: most of them in Arabic letters run from the right, whatever begins them.
        children: What is shown instead of the text.
        tongues: By the language that a script is usually taken for (``language``), the one that is known to be written in it.

    >>> spoken("p", {}, "BP چیک کریں"), spoken("p", {}, "ताप आहे", tongues={"hi": "mr"})
    ('<p lang="ur" dir="rtl">BP چیک کریں</p>', '<p lang="mr" dir="auto">ताप आहे</p>')
    """
    usual = language(text)
    tongue = (tongues or {}).get(usual, usual) if usual else None
    direction = "rtl" if usual == _SCRIPTS["ARABIC"] else "auto"
    return tag(name, {**attributes, "lang": tongue, "dir": direction}, *(children or (text,)))


def wide(table: Html, attributes: Mapping[str, str | None] | None = None) -> Html:
    """A table that scrolls sideways where it is wider than the page, by the keyboard too."""
    scrolls = {"class": "wide", "tabindex": "0", "role": "group", "aria-label": "Table, scrolls sideways"}
    return tag("div", {**scrolls, **(attributes or {})}, table)


def percent(value: float | None) -> str:
    """A ratio as people read it; None is "n/a".

    >>> percent(0.2345), percent(None)
    ('23.4%', 'n/a')
    """
    return "n/a" if value is None else f"{100 * value:.1f}%"

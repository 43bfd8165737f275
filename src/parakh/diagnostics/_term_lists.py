"""Lists of terms: what stands on a line of one, and what is wrong with it.

A line is a term of one or several words; ``stem*`` stands for every word that starts so, ``REGEX: pattern`` for whatever whole
tokens a pattern matches. ``canonical = alias | alias`` reports its aliases under the canonical term; ``term | term`` is short
for two lines. ``#`` at the start of a line or after white space begins a comment. ``@key: value`` tells about the terms that
follow. The format is scribe-eval's, which has the literals, the patterns, the comments and the first three keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from parakh.errors import Fault, InputError
from parakh.files import read_text
from parakh.text.normalize import canonical
from parakh.text.tokens import Kind, tokenize

if TYPE_CHECKING:
    import regex

_KEYS = ("name", "category", "case_sensitive", "language")
_SWITCHES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_COMMENT = re.compile(r"(?:^|\s+)#.*")
_RECURSION = re.compile(r"\(\?(?:R|\d|&|P>)")  # without end where it consumes nothing, in gigabytes
_PLAIN = re.compile(r"(?:[A-Za-z]|[^\x00-\x7f])+(?:\\s\+(?:[A-Za-z]|[^\x00-\x7f])+)*")
_NAME_END = re.compile(r"[-_ ]?(?:terms|words|list)$", re.IGNORECASE)
_LONGEST = 200  # code points of a term in a message


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a list names.

    Args:
        name: What it is reported as.
        words: Its tokens as written, without the star of a stem; empty for a pattern.
        stems: Indices of the words that stand for every word that starts so.
        pattern: The compiled pattern of a ``REGEX:`` line; None for words.
        case_sensitive: Whether capitals must agree.
        language: BCP-47 primary tag from ``@language``; None for a term of any language.
        place: The file and line that it comes from, for messages.
    """

    name: str
    words: tuple[str, ...] = ()
    stems: frozenset[int] = frozenset()
    pattern: regex.Pattern[str] | None = None
    case_sensitive: bool = False
    language: str | None = None
    place: str = ""


@dataclass(frozen=True, eq=False)
class Category:
    """A named list of terms. Two are equal only if they are the same object, so that one is a cheap key of a cache.

    Args:
        name: What errors and counts are reported under ("MEDICAL").
        terms: Its terms, in the order of the list.
    """

    name: str
    terms: tuple[Term, ...]


def parse_terms(name: str, lines: Iterable[str], path: str = "list of terms") -> Category:
    """One category from the lines of a list; ``@name`` and ``@category`` lines do not change its name.

    Args:
        name: The category's name.
        lines: One term, comment or ``@key: value`` a line.
        path: What messages call the list.

    Raises:
        InputError: A fault a line: an empty term, a bad pattern, a star within a word, an unknown key, or no term at all.

    >>> [(term.name, term.words) for term in parse_terms("MEDICAL", ["# drugs", "iron = आयरन | आयरन की गोली"]).terms]
    [('iron', ('iron',)), ('iron', ('आयरन',)), ('iron', ('आयरन', 'की', 'गोली'))]
    """
    return Category(name, tuple(term for _, term in _terms(name, lines, path)))


def read_terms(path: Path | str) -> tuple[Category, ...]:
    r"""The categories of a file of terms: one, or more where ``@category`` lines divide it.

    Args:
        path: A UTF-8 text file. Without ``@category`` or ``@name`` the category is named after the file.

    Raises:
        InputError: The file cannot be read, or some of its lines are faulty.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "legal_terms.txt"
    ...     _ = file.write_text("u/s\nസാക്ഷി*\n", "utf-8")
    ...     [(one.name, [term.name for term in one.terms]) for one in read_terms(file)]
    [('LEGAL', ['u/s', 'സാക്ഷി*'])]
    """
    name = _NAME_END.sub("", Path(path).stem).strip().upper() or "TERMS"
    found: dict[str, list[Term]] = {}
    for category, term in _terms(name, read_text(path).split("\n"), str(path)):
        found.setdefault(category, []).append(term)
    return tuple(Category(category, tuple(terms)) for category, terms in found.items())


class _BadTermError(Exception):
    """What is wrong with a line."""

    def __init__(self, found: str, expected: str, action: str) -> None:
        super().__init__(found)
        self.found, self.expected, self.action = found, expected, action


@dataclass(frozen=True, slots=True)
class _Setting:
    """What the ``@`` lines so far say of the terms that follow."""

    category: str
    named: bool = False
    case_sensitive: bool = False
    language: str | None = None


def _terms(name: str, lines: Iterable[str], path: str) -> list[tuple[str, Term]]:
    """Every term with its category; one fault a line that cannot be read."""
    setting = _Setting(name)
    terms: list[tuple[str, Term]] = []
    faults: list[Fault] = []
    for number, line in enumerate(lines, 1):
        text = (_COMMENT.sub("", line) if "#" in line else line).strip("\ufeff \t\r\n")
        try:
            if text.startswith("@"):
                setting = _changed(setting, text)
            elif text:
                terms.extend((setting.category, term) for term in _line_terms(canonical(text), setting, f"{path}:{number}"))
        except _BadTermError as error:
            faults.append(Fault(path, "", error.found, error.expected, error.action, number))
    if faults:
        raise InputError(faults)
    if not terms:
        raise InputError(Fault(path, "", "no term", "one term a line", "Give at least one term."))
    return terms


def _changed(setting: _Setting, text: str) -> _Setting:
    key, colon, value = (part.strip() for part in text[1:].partition(":"))
    if key not in _KEYS:
        raise _BadTermError(
            f"the key {_quoted('@' + key)}", "@" + ", @".join(_KEYS), "Correct the key, or put # before the line."
        )
    if not colon or not value:
        raise _BadTermError(f"{_quoted(text)} without a value", f"'@{key}: value'", "Add the value.")
    if key == "category":
        return _Setting(value, named=True, case_sensitive=setting.case_sensitive)
    if key == "name":
        return setting if setting.named else replace(setting, category=value.upper())
    if key == "language":
        return replace(setting, language=value.lower())
    if value.lower() not in _SWITCHES:
        raise _BadTermError(f"@case_sensitive: {_quoted(value)}", "true or false", "Correct the value.")
    return replace(setting, case_sensitive=_SWITCHES[value.lower()])


def _line_terms(text: str, setting: _Setting, place: str) -> Iterator[Term]:
    if text.startswith("REGEX:"):
        yield _pattern_term(text.removeprefix("REGEX:").strip(), setting, place)
        return
    name, equals, aliases = (part.strip() for part in text.partition("="))
    if equals:
        yield _literal(name, name, setting, place)
    for one in (aliases if equals else text).split("|"):
        yield _literal(one.strip(), name if equals else one.strip(), setting, place)


def _literal(text: str, name: str, setting: _Setting, place: str) -> Term:
    if not text:
        raise _BadTermError("an empty term", "a term on either side of '=' and '|'", "Write the term, or remove the sign.")
    words: list[str] = []
    stems: set[int] = set()
    wordless = True
    for piece in text.split():
        body = piece.removesuffix("*")
        if "*" in body:
            action = "Move it to the end of the word, or use REGEX: for a pattern."
            raise _BadTermError(f"{_quoted(text)}, with a star within a word", "'*' at the end of a word", action)
        tokens = tokenize(body)
        wordless &= all(token.kind is Kind.PUNCT for token in tokens)
        words += [token.text for token in tokens]
        if body != piece:
            if not tokens or tokens[-1].kind is Kind.PUNCT:
                raise _BadTermError(f"{_quoted(text)}, with a star after no word", "'*' at the end of a word", "Write the stem.")
            stems.add(len(words) - 1)
    if wordless:
        action = "Remove it; marks are counted as PUNCT already."
        raise _BadTermError(f"{_quoted(text)}, which holds no word", "a word or a number", action)
    return Term(name, tuple(words), frozenset(stems), None, setting.case_sensitive, setting.language, place)


def _pattern_term(text: str, setting: _Setting, place: str) -> Term:
    r"""The term of a pattern; one of words and ``\s+`` alone is the term of these words."""
    import regex  # takes a while to load

    if not text:
        raise _BadTermError("REGEX: without a pattern", "'REGEX: pattern'", "Write the pattern.")
    if _RECURSION.search(text):
        raise _BadTermError(f"the pattern {_quoted(text)}, which calls itself", "a pattern without recursion", "Write it out.")
    if _PLAIN.fullmatch(text):
        return _literal(text.replace(r"\s+", " "), text, setting, place)
    flags = regex.POSIX | regex.VERSION0 | (0 if setting.case_sensitive else regex.IGNORECASE)
    try:
        pattern = regex.compile(text, flags)
    except (regex.error, RecursionError, OverflowError, MemoryError, ValueError, IndexError, KeyError) as error:
        reason = str(error) or type(error).__name__
        raise _BadTermError(f"the pattern {_quoted(text)} ({reason})", "a regular expression", "Correct the pattern.") from error
    return Term(text, (), frozenset(), pattern, setting.case_sensitive, setting.language, place)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")

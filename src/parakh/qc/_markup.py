"""Annotation tags in a transcript: ``<noise>``, ``</overlap>``, ``<noise/>``, ``[laughter]``, and what is a broken one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from parakh.qc._settings import Vocabulary
from parakh.text.folds import canonical

_ANGLE = re.compile(r"<(?P<close>\s*/)?(?P<name>[^<>]*?)(?P<empty>/\s*)?>")
_SQUARE = re.compile(r"\[(?P<close>\s*/)?(?P<name>[^\[\]]*?)(?P<empty>/\s*)?\]")
_LONE = re.compile("[<>]")
OPENING = re.compile(r"[<\[]")
"""Without it a text has no tags."""
CLOSE = 85.0
"""Likeness of two names, 0 to 100, from which one is taken for a slip of the other."""
_SUGGESTED = 60.0


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag as it stands in a text.

    Args:
        text: As written.
        name: What it is called, in lower case, without the blanks around it.
        bracket: "<" or "[".
        opens: It may open a stretch: neither ``</x>`` nor ``<x/>``.
        closes: It closes a stretch: ``</x>``.
        start: Offset in the text.
    """

    text: str
    name: str
    bracket: str
    opens: bool
    closes: bool
    start: int

    @property
    def key(self) -> str:
        """As a vocabulary writes it: "<noise>"."""
        return f"{self.bracket}{self.name}{'>' if self.bracket == '<' else ']'}"

    @property
    def is_broken(self) -> bool:
        """Whether its name is empty or has blanks around it: "< noise >"."""
        inner = self.text.strip("<>[]/")
        return not self.name or inner != inner.strip()


@lru_cache(maxsize=1 << 14)
def tags(text: str, bracket: str = "<") -> tuple[Tag, ...]:
    """The tags of a text in one kind of brackets.

    >>> [(tag.key, tag.opens, tag.closes) for tag in tags("<Noise> जी </overlap> <cough/>")]
    [('<noise>', True, False), ('<overlap>', False, True), ('<cough>', False, False)]
    """
    found = (_ANGLE if bracket == "<" else _SQUARE).finditer(text) if bracket in text else ()
    return tuple(
        Tag(
            match[0],
            _name(match["name"]),
            bracket,
            not match["close"] and not match["empty"],
            bool(match["close"]),
            match.start(),
        )
        for match in found
    )


def _name(text: str) -> str:
    return " ".join(canonical(text).lower().split())


def lone_brackets(text: str) -> list[str]:
    """What stands around each angle bracket that no tag uses.

    >>> lone_brackets("<noise जी <laugh>")
    ['<noise']
    """
    rest = _ANGLE.sub(lambda match: " " * len(match[0]), text)
    return [_around(text, match.start()) for match in _LONE.finditer(rest)]


def _around(text: str, at: int) -> str:
    """The word that holds a bracket."""
    start = max(text.rfind(" ", 0, at) + 1, text.rfind(">", 0, at) + 1)
    stop = text.find(" ", at + 1)
    return text[start : stop if stop >= 0 else len(text)][:40]


def nearest(name: str, known: Sequence[str], least: float = _SUGGESTED) -> str | None:
    """The tag of a vocabulary whose name is most like one; None if none is.

    >>> nearest("noize", ["<noise>", "[laughter]"]), nearest("हँसी", ["<noise>"])
    ('<noise>', None)
    """
    from rapidfuzz import fuzz, process

    found = process.extractOne(name, [bare(one) for one in known], scorer=fuzz.ratio, score_cutoff=least)
    return known[found[2]] if found else None


def bare(tag: str) -> str:
    """The name in a tag of a vocabulary.

    >>> bare("</Overlap>")
    'overlap'
    """
    return _name(tag.strip().strip("<>[]/"))


def keys(vocabulary: Sequence[str]) -> frozenset[str]:
    """A vocabulary's tags as ``Tag.key`` has them; a name without brackets is one in angle brackets.

    >>> sorted(keys(["<Noise>", "[laughter]", "cough"]))
    ['<cough>', '<noise>', '[laughter]']
    """
    return frozenset(f"[{bare(one)}]" if one.strip().startswith("[") else f"<{bare(one)}>" for one in vocabulary)


def overlap_keys(vocabulary: Vocabulary) -> frozenset[str]:
    """The tags of a vocabulary that mark overlapped speech, as ``Tag.key`` has them.

    >>> overlap_keys(Vocabulary(tags=("<noise>", "<Overlap>")))
    frozenset({'<overlap>'})
    """
    return frozenset(key for key in keys((*vocabulary.tags, *vocabulary.paired)) if "overlap" in key)


def has_any(text: str, wanted: frozenset[str]) -> bool:
    """Whether any of some tags, by their keys, stands in a text.

    >>> has_any("<Overlap> जी", frozenset({"<overlap>"})), has_any("overlap", frozenset({"<overlap>"}))
    (True, False)
    """
    return any(tag.key in wanted for bracket in "<[" if bracket in text for tag in tags(text, bracket))


def unbalanced(found: Sequence[Tag], paired: frozenset[str]) -> Iterator[Tag]:
    """Tags that open without being closed, close what is not open, or cross one another.

    Args:
        found: The tags of one text, in order.
        paired: Keys of those that open and close; a tag with a closing form somewhere in the text is one too.

    >>> [tag.text for tag in unbalanced(tags("<overlap> जी <x> </x>"), frozenset({"<overlap>"}))]
    ['<overlap>']
    """
    pairs = paired | {tag.key for tag in found if tag.closes}
    opened: list[Tag] = []
    for tag in found:
        if tag.key not in pairs or (not tag.opens and not tag.closes):
            continue
        if tag.opens:
            opened.append(tag)
        elif opened and opened[-1].key == tag.key:
            opened.pop()
        else:
            yield tag
            place = next((at for at in reversed(range(len(opened))) if opened[at].key == tag.key), None)
            if place is not None:
                del opened[place]  # it crosses another, which is told once
    yield from opened

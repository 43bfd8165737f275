"""Tags of overlapped speech in a transcript."""

from __future__ import annotations

from collections.abc import Sequence

from parakh.qc._settings import Vocabulary


def overlap_tags(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The tags of a vocabulary that mark overlapped speech, in lower case.

    >>> overlap_tags(Vocabulary())
    ('<overlap>',)
    """
    return tuple(tag.lower() for tag in (*vocabulary.tags, *vocabulary.paired) if "overlap" in tag.lower())


def has_any(text: str, tags: Sequence[str]) -> bool:
    """Whether any of some tags stands in a text, in upper or lower case."""
    lower = text.lower()
    return any(tag in lower for tag in tags)

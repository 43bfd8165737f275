"""An exporter for every format that is written: a file a recording."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.dataset.content import Content
from parakh.dataset.exporting._exporter import Exporter, Options
from parakh.errors import Fault, InputError
from parakh.formats import Format
from parakh.types import Recording, Region, Segment, Summary, Topics

_WORDLESS = "words"
_FIELDS = {
    "times,": "start_time",  # one of those that are listed; rounded times ("times are rounded") are not lost
    "speaker": "speaker",
    "role": "role",
    "language": "language",
    "segment id": "segment_id",
    "channel": "channel",
    "confidence": "confidence",
    "forms": "forms",
}


def exporter_of(form: Format) -> Exporter:
    """The exporter that writes a format."""
    return Exporter(
        name=form.name,
        title=f"A file a recording: {form.title}",
        write=partial(_write, form),
        holds=frozenset(_holds(form)),
        audio=("none",),
        loses=form.loses,
    )


def _holds(form: Format) -> set[str]:
    if form.item is Segment and _is_wordless(form):
        return {"turns", "own-turns", *(f"turn.{field}" for name, field in _FIELDS.items() if name not in form.loses.lower())}
    if form.item is Segment:
        return {"transcript", "turns", *(f"segment.{field}" for name, field in _FIELDS.items() if name not in form.loses.lower())}
    return {Region: {"uem"}, Topics: {"topics"}, Summary: {"summary"}}.get(form.item, {"duration", "language", "metadata.*"})


def _is_wordless(form: Format) -> bool:
    return _WORDLESS in form.loses.lower()


def _write(form: Format, contents: Sequence[Content], folder: Path, options: Options) -> None:
    items = [item for content in contents for item in _items(form, content)]
    if not items:
        raise InputError(Fault(str(options.final), "", f"a data set without anything that {form.name} holds", "another format"))
    formats.write_each(items, folder, form.name)


def _items(form: Format, content: Content) -> Sequence[Any]:
    if form.item is Segment:
        return (content.turns or ()) if _is_wordless(form) else content.spoken
    if form.item is Region:
        return content.regions or ()
    if form.item is Recording:
        return [content.entry.recording]
    one = content.topics if form.item is Topics else content.summary
    return () if one is None else [one]

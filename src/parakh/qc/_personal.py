"""What the checks of written personal numbers share: one look at each text, one finding a number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._texts import at_time, passages
from parakh.text.masking import masked
from parakh.text.personal import Kind, Personal, find
from parakh.types import Finding


def written(check: Check, material: Material, kind: Kind) -> Iterator[Finding]:
    """The findings of one kind in all texts of a recording; the number is shown masked."""
    for passage in passages(material):
        for one in _found(passage.text):
            if one.kind is kind:
                shown = masked(passage.text[one.start : one.end])
                article = "an" if kind.value[0] in "AEe" else "a"
                message = f"{article} {kind}, {shown}{at_time(passage.segment)}"
                yield check.at(material, message, passage.source, passage.index)


@lru_cache(maxsize=1 << 14)
def _found(text: str) -> tuple[Personal, ...]:
    return tuple(find(text))

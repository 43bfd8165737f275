"""What the checks of written personal numbers share: one look at each text, one finding a number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._texts import Passage, at_time, holding, kept
from parakh.text.masking import masked
from parakh.text.personal import Kind, Personal, find, may_hold
from parakh.types import Finding


def written(check: Check, material: Material, kind: Kind) -> Iterator[Finding]:
    """The findings of one kind in all texts of a recording; the number is shown masked."""
    for passage, one in _found(material):
        if one.kind is kind:
            shown = masked(passage.text[one.start : one.end])
            article = "an" if kind.value[0] in "AEe" else "a"
            message = f"{article} {kind}, {shown}{at_time(passage.segment)}"
            yield check.at(material, message, passage.source, passage.index)


@kept
def _found(material: Material) -> list[tuple[Passage, Personal]]:
    """What all of them are about, by text."""
    texts = holding(material, _may_belong)
    return [(passage, one) for passage in texts for one in find(passage.text)]


_may_belong = lru_cache(maxsize=1 << 16)(may_hold)

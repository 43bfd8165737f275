"""What the checks of written personal numbers share: one look at each text, one finding a number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import Passage, at_time, holding, kept
from parakh.text.masking import masked
from parakh.text.personal import Kind, Personal, find, may_hold
from parakh.types import Finding, Severity


def check_for(code: str, name: str, title: str, kind: Kind) -> Check:
    """The check of one kind of personal number: a finding a number, in all texts of a recording; it is shown masked."""

    def recording(material: Material, settings: Settings) -> Iterator[Finding]:
        for passage, one in _found(material):
            if one.kind is kind:
                shown = masked(passage.text[one.start : one.end])
                article = "an" if kind.value[0] in "AEe" else "a"
                message = f"{article} {kind}, {shown}{at_time(passage.segment)}"
                yield check.at(material, message, passage.source, passage.index)

    check = Check(code, name, title, Severity.ERROR, recording)  # the function above asks for it when it runs
    return check


@kept
def _found(material: Material) -> list[tuple[Passage, Personal]]:
    """What all of them are about, by text."""
    texts = holding(material, _may_belong)
    return [(passage, one) for passage in texts for one in find(passage.text)]


_may_belong = lru_cache(maxsize=1 << 16)(may_hold)

"""The recordings of a diagnosis as the page's script reads them: their figures, and their alignments turn by turn.

A turn holds what one speaker said in a segment of the reference. Words that a system added stand in the turn that the same
segment of the hypothesis met before, or after; where it met none, in a turn of their own. What is the same on both sides is kept
as plain text. A page holds the alignments of the recordings with most errors, up to a size; the figures are of all.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from parakh.diagnosis import Diagnosis, Recording
from parakh.diagnostics import Pair
from parakh.diagnostics.passages import joined
from parakh.markup import Html, percent, tag
from parakh.report.diagnosis_parts import Cell, Column, Figure, table
from parakh.text.tokens import Kind
from parakh.types import Op

BUDGET = 8_000_000
"""Bytes of alignments that a page holds."""
SHOWN = 100
"""Recordings listed without the script."""

_INERT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}

_Key = tuple[str, int]
"""The side and the segment of a turn."""
Turns = dict[_Key, list[Pair]]


def ranked(found: Diagnosis) -> list[str]:
    """The recordings, those with most errors of any system first."""
    worst: dict[str, int] = defaultdict(int)
    for system in found.systems:
        for one in system.recordings:
            worst[one.id] = max(worst[one.id], one.errors)
    return sorted(worst, key=lambda name: (-worst[name], name))


def listing(found: Diagnosis, order: Sequence[str]) -> Html:
    """The recordings with most errors as a table; the script shows all of them in its place."""
    by_id = [{one.id: one for one in system.recordings} for system in found.systems]
    rows: list[list[Cell]] = [[tag("bdi", {}, name), *(_figure(some.get(name)) for some in by_id)] for name in order[:SHOWN]]
    heads = [Column("recording"), *(Column(system.system, number=True) for system in found.systems)]
    return table("Recordings, those with most errors first", heads, rows, of=len(order))


def _figure(one: Recording | None) -> Figure:
    return Figure("–", None) if one is None else Figure(f"{percent(one.rate)} ({one.errors} of {one.n})", one.rate)


def data(found: Diagnosis, order: Sequence[str], budget: int = BUDGET) -> tuple[Html, int]:
    """What the script reads, and how many recordings it can show in full.

    Args:
        found: The diagnosis.
        order: Recordings, those shown first first.
        budget: Bytes of alignments.

    Returns:
        Two data blocks: figures of all recordings, and the alignments of the first ones; how many those are.
    """
    by_id = [{one.id: one for one in system.recordings} for system in found.systems]
    kept: list[str] = []
    left = budget
    for name in order:
        text = f"{_json(name)}:{_json([turns(some[name].pairs) if name in some else None for some in by_id])}"
        left -= len(text.encode("utf-8", "replace"))
        if left < 0 and kept:
            break
        kept.append(text)
    figures = [[name, [_counts(some.get(name)) for some in by_id]] for name in order]
    index = _json({"systems": [system.system for system in found.systems], "recordings": figures})
    return Html(_block("index", index) + _block("alignments", "{" + ",\n".join(kept) + "}")), len(kept)


def _counts(one: Recording | None) -> list[int] | None:
    return None if one is None else [one.errors, one.n]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _block(name: str, text: str) -> Html:
    """Data that no parser of HTML takes for markup."""
    for sign, escape in _INERT.items():
        text = text.replace(sign, escape)
    inert = text.encode("utf-8", "replace").decode("utf-8")
    return tag("script", {"type": "application/json", "id": name}, Html(inert))


def turns(pairs: Sequence[Pair]) -> list[list[Any]]:
    """The turns of one recording in time order, without times in the order of the reference.

    Returns:
        Each turn: speaker, who the system says it is, start, end, language, its items, and under whom else its words stand: of
        words that a system added, who said them then; of words that are missing, as whom the system wrote them. An item is a
        text that is the same on both sides, or (what became of it, reference, hypothesis, categories, differences in writing),
        where the first is "s", "d", "i", or "e" for what is no error.

    >>> from parakh.diagnostics.alignment import align_texts
    >>> from parakh.diagnostics.setup import Setup
    >>> turns(align_texts("दवा ली नहीं", "दवा नहीं", Setup("hi")))
    [[None, None, None, None, 'hi', ['दवा', ['d', 'ली', '', 'LEXICAL', ''], 'नहीं'], None]]
    """
    placed = _by_turn(pairs)
    keys = sorted(placed, key=lambda key: _order(key, placed[key]))
    found = {key: _turn(placed[key]) for key in keys}
    for one, other in _misattributed(placed, found):
        found[one][-1], found[other][-1] = found[other][0], found[one][1]
    return list(found.values())


def _misattributed(placed: Turns, found: Mapping[_Key, list[Any]]) -> Iterator[tuple[_Key, _Key]]:
    """(added turn, missing turn) with mostly the same words at the same time under different speakers."""
    missing = {key: _words(pairs, Op.DELETION) for key, pairs in placed.items() if key[0] == "reference"}
    missing = {key: lost for key, lost in missing.items() if lost}
    for key, pairs in placed.items():
        added = _words(pairs, Op.INSERTION) if key[0] == "hypothesis" else None
        for other, lost in missing.items() if added else ():
            if added and _meet(found[key], found[other]) and 2 * (added & lost).total() > added.total():
                yield key, other
                break


def _words(pairs: Sequence[Pair], op: Op) -> Counter[str]:
    """The words and numerals that were lost or added."""
    units = (charge.reference or charge.hypothesis for pair in pairs for charge in pair.errors if charge.op is op)
    return Counter(unit.text for unit in units if unit is not None and unit.kind is not Kind.PUNCT)


def _meet(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two turns share time."""
    (start, end), (begin, stop) = one[2:4], other[2:4]
    return start is not None and begin is not None and min(end, stop) > max(start, begin)


def _by_turn(pairs: Sequence[Pair]) -> Turns:
    found: Turns = {}
    home: dict[int, _Key] = {}
    waiting: dict[int, list[Pair]] = {}
    for pair in pairs:
        segment = pair.hypothesis[0].segment if pair.hypothesis else None
        if pair.reference:
            key = "reference", pair.reference[0].segment
            if segment is not None:
                found.setdefault(key, []).extend(waiting.pop(segment, ()))
                home[segment] = key
            found.setdefault(key, []).append(pair)
        elif segment in home:
            found[home[segment]].append(pair)
        elif segment is not None:
            waiting.setdefault(segment, []).append(pair)
    return found | {("hypothesis", segment): some for segment, some in waiting.items()}


def _order(key: _Key, pairs: Sequence[Pair]) -> tuple[float, str, int]:
    start, _ = _span(pairs)
    return start if start is not None else 0.0 if key[0] == "reference" else float("inf"), key[0], key[1]


def _span(pairs: Sequence[Pair]) -> tuple[float | None, float | None]:
    said = [unit.time for pair in pairs for unit in pair.reference if unit.time]
    times = said or [unit.time for pair in pairs for unit in pair.hypothesis if unit.time]
    if not times:
        return None, None
    return round(min(start for start, _ in times), 2), round(max(end for _, end in times), 2)


def _turn(pairs: Sequence[Pair]) -> list[Any]:
    said = next((unit for pair in pairs for unit in pair.reference), None)
    heard = next((unit for pair in pairs for unit in pair.hypothesis), None)
    first = said or heard
    start, end = _span(pairs)
    language = first.language if first else None
    return [said and said.speaker, heard and heard.speaker, start, end, language, list(_items(pairs)), None]


def _items(pairs: Sequence[Pair]) -> Iterator[str | list[str]]:
    same: list[str] = []
    for pair in pairs:
        if pair.errors or pair.events:
            if same:
                yield "".join(same).lstrip()
                same = []
            yield _item(pair)
        else:
            for unit in pair.reference:
                same.append(unit.text if unit.glued else " " + unit.text)
    if same:
        yield "".join(same).lstrip()


def _item(pair: Pair) -> list[str]:
    names = ", ".join(dict.fromkeys(charge.category for charge in pair.errors))
    rules = "; ".join(f"{event.kind}: {event.rule}" for event in pair.events)
    ops = {charge.op for charge in pair.errors}
    both = bool(pair.reference) and bool(pair.hypothesis)
    what = "e" if not ops else "s" if both else "d" if Op.DELETION in ops else "i"
    return [what, joined(pair.reference), joined(pair.hypothesis), names, rules]

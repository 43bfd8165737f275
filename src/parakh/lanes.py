"""Who spoke when, as lanes of a small drawing: for a notebook as SVG, for a terminal as blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parakh.errors import clock, counted
from parakh.markup import Html, tag

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""Of the persons, in order of appearance; Okabe and Ito's, told apart by colour-blind readers."""
KINDS = {"miss": ("missed", "#d55e00"), "false_alarm": ("invented", "#56b4e9"), "confusion": ("wrong person", "#cc79a7")}
"""What each kind of error is called, and its colour."""
_NOBODY = "#888888"
_HEIGHT = 16
_LABEL = 22
"""Share of the width, in percent, that the names take."""

Span = tuple[float, float]


@dataclass(frozen=True)
class Lane:
    """The turns of one speaker on one side.

    Args:
        name: The speaker's label.
        side: "reference" or "system".
        colour: Of the person in the reference; grey for a speaker of the system who stands for nobody.
        spans: (start, end) of each turn in seconds.
    """

    name: str
    side: str
    colour: str
    spans: tuple[Span, ...]


def lanes(detail: Mapping[str, Any]) -> list[Lane]:
    """Lanes of both sides: each person of the reference, followed by the speakers of the system that stand for this person.

    Args:
        detail: What results keep of a recording of the diarization track.

    >>> turns = {"reference": [["asha", 0.0, 2.0]], "hypothesis": [["s0", 0.0, 1.0]]}
    >>> [(lane.name, lane.side) for lane in lanes({**turns, "mapping": {"s0": "asha"}})]
    [('asha', 'reference'), ('s0', 'system')]
    """
    said, heard = _turns(detail.get("reference") or ()), _turns(detail.get("hypothesis") or ())
    mapping = {str(name): str(person) for name, person in (detail.get("mapping") or {}).items()}
    found = []
    for place, (person, spans) in enumerate(said.items()):
        colour = COLOURS[place % len(COLOURS)]
        found.append(Lane(person, "reference", colour, spans))
        found += [Lane(name, "system", colour, own) for name, own in heard.items() if mapping.get(name) == person]
    return found + [Lane(name, "system", _NOBODY, own) for name, own in heard.items() if mapping.get(name) not in said]


def errors(detail: Mapping[str, Any]) -> dict[str, tuple[Span, ...]]:
    """The stretches in error, by kind: "miss", "false_alarm" and "confusion".

    >>> errors({"errors": [[0.0, 1.5, "miss"]]})["miss"]
    ((0.0, 1.5),)
    """
    held = detail.get("errors") or ()
    return {kind: tuple((float(one[0]), float(one[1])) for one in held if one[2] == kind) for kind in KINDS}


def svg(drawn: Sequence[Lane], wrong: Mapping[str, Sequence[Span]], title: str) -> Html:
    """The drawing, as wide as its place: a lane a speaker, and what went wrong below.

    Args:
        drawn: The lanes.
        wrong: Stretches in error by kind.
        title: What it shows, for those who do not see it.

    >>> svg([], {}, "nothing").startswith("<svg")
    True
    """
    end = duration(drawn, wrong)
    names = [f"{one.name}{' (system)' * (one.side == 'system')}" for one in drawn]
    rows: list[tuple[str, str, Sequence[Span]]] = [(name, one.colour, one.spans) for name, one in zip(names, drawn, strict=True)]
    rows += [(KINDS[kind][0], KINDS[kind][1], spans) for kind, spans in wrong.items() if spans]
    parts = [part for place, row in enumerate(rows) for part in _row(place, *row, end)]
    height = (len(rows) + 1) * _HEIGHT
    axis = [
        tag("text", {"x": f"{_LABEL}%", "y": str(height - 4), "fill": "currentColor"}, clock(0.0)),
        tag("text", {"x": "100%", "y": str(height - 4), "fill": "currentColor", "text-anchor": "end"}, clock(end)),
    ]
    size = {"role": "img", "aria-label": title, "width": "100%", "height": str(height), "font-size": "11"}
    return tag("svg", {**size, "xmlns": "http://www.w3.org/2000/svg"}, tag("title", {}, title), *parts, *axis)


def duration(drawn: Sequence[Lane], wrong: Mapping[str, Sequence[Span]]) -> float:
    """Second at which the last turn or error ends; 0.0 without any.

    >>> duration([Lane("a", "reference", "", ((0.0, 2.5),))], {})
    2.5
    """
    spans = [span for lane in drawn for span in lane.spans] + [span for held in wrong.values() for span in held]
    return max((span[1] for span in spans), default=0.0)


def _row(place: int, label: str, colour: str, spans: Sequence[Span], end: float) -> list[Html]:
    """A name and one path of all its turns, in seconds: hours with thousands of turns stay small."""
    top = place * _HEIGHT
    name = label if len(label) <= 24 else label[:23] + "…"
    least = end / 2000  # half a pixel of a thousand
    outline = "".join(f"M{start:.2f} 0h{max(stop - start, least):.2f}v1H{start:.2f}z" for start, stop in spans)
    told = f"{label}: {sum(stop - start for start, stop in spans):.1f} s in {counted(len(spans), 'stretch', 'stretches')}"
    box = {"x": f"{_LABEL}%", "y": str(top + 2), "width": f"{100 - _LABEL}%", "height": str(_HEIGHT - 4)}
    scale = {"viewBox": f"0 0 {end or 1.0:.2f} 1", "preserveAspectRatio": "none"}
    turns = tag("svg", {**box, **scale}, tag("path", {"d": outline, "fill": colour}, tag("title", {}, told)))
    return [tag("text", {"x": "0", "y": str(top + 12), "fill": "currentColor"}, name), turns]


def _turns(turns: Sequence[Any]) -> dict[str, tuple[Span, ...]]:
    found: dict[str, list[Span]] = {}
    for speaker, start, end in turns:
        found.setdefault(str(speaker), []).append((float(start), float(end)))
    return {name: tuple(spans) for name, spans in found.items()}


def blocks(spans: Sequence[Span], end: float, cells: int) -> str:
    """Turns as a line of blocks, each cell by how much of its time is taken: all of it, some, or none.

    Args:
        spans: (start, end) of each turn in seconds.
        end: Second at which the line ends.
        cells: How many cells it has.

    >>> blocks([(0.0, 2.0), (3.0, 3.2)], 4.0, 4)
    '██·░'
    """
    share = end / cells if end > 0 else 1.0
    taken = [0.0] * cells
    for start, stop in spans:
        for cell in range(int(start / share), min(int(stop / share) + 1, cells)):
            taken[cell] += max(0.0, min(stop, (cell + 1) * share) - max(start, cell * share)) / share
    return "".join("█" if one > 0.75 else "▒" if one > 0.25 else "░" if one > 0 else "·" for one in taken)

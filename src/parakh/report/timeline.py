"""Who spoke when as a drawing: a lane a speaker, the system's under the reference's, and a strip of the errors below.

The drawing is SVG with horizontal places in percent, so it fits any width and zooms by being made wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parakh.errors import clock
from parakh.lanes import KINDS
from parakh.markup import Html, escape, join, tag

LANE = 24
GAP = 8
AXIS = 22
COLOURS = 6
STEPS = (0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)
_MEANING = {
    "miss": "somebody spoke and the system has too few speakers, as where two speak at once",
    "false_alarm": "the system has more speakers than spoke, or nobody did",
    "confusion": "given to the wrong person",
}
ERRORS = {kind: (name, _MEANING[kind]) for kind, (name, _) in KINDS.items()}
"""What each kind of error is called, and what it means."""

SHORT = {"reference": "ref", "system": "sys", "system, matches nobody": "sys?"}
"""The side of a lane where there is little room."""

Turn = Sequence[Any]  # speaker, start, end


def colours(speakers: Sequence[str]) -> dict[str, str]:
    """CSS class of each reference speaker, in order of appearance; more speakers than colours go round again."""
    return {speaker: f"s-{place % COLOURS}" for place, speaker in enumerate(dict.fromkeys(speakers))}


def render(detail: Mapping[str, Any], hues: Mapping[str, str]) -> Html:
    """The timeline of one recording with its legend.

    Args:
        detail: ``regions``, ``reference``, ``hypothesis``, ``mapping`` and ``errors`` as results store them; any may be absent.
        hues: CSS class of each reference speaker.
    """
    reference, hypothesis = detail.get("reference") or [], detail.get("hypothesis") or []
    errors, regions = detail.get("errors") or [], detail.get("regions") or []
    end = max([float(span[-1]) for span in [*reference, *hypothesis, *regions]] + [float(e[1]) for e in errors], default=0.0)
    if end <= 0:
        return tag("p", {"class": "blank"}, "No turn to draw.")
    lanes = _lanes(reference, hypothesis, detail.get("mapping") or {}, hues)
    labels, drawing, height = _draw(lanes, errors, regions, end)
    axis = _axis(end, height)
    size: dict[str, str | None] = {"height": str(height + AXIS), "width": "100%", "data-end": f"{end:.3f}", "role": "img"}
    size["aria-label"] = f"Timeline of {clock(end)}: " + ", ".join(f"{name} {clock(s)}" for name, s in totals(errors).items())
    svg = tag("svg", size, tag("g", {"class": "axis", "data-y": str(height)}, axis), drawing)
    scroll = tag("div", {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": "Timeline, scrolls sideways"}, svg)
    side = tag("div", {"class": "lanes"}, labels)
    return join([_legend(errors), tag("div", {"class": "timeline"}, side, scroll)])


def totals(errors: Sequence[Turn]) -> dict[str, float]:
    """Seconds of each kind of error, by its plain name.

    >>> totals([[0.0, 1.5, "miss"]])
    {'missed': 1.5, 'invented': 0.0, 'wrong person': 0.0}
    """
    return {name: sum((float(e[1]) - float(e[0]) for e in errors if e[2] == kind), 0.0) for kind, (name, _) in ERRORS.items()}


def _lanes(
    reference: Sequence[Turn], hypothesis: Sequence[Turn], mapping: Mapping[str, str], hues: Mapping[str, str]
) -> list[tuple[str, str, str, list[Turn]]]:
    """Lanes as (label, side, colour, turns): each reference speaker followed by the system's speakers that match."""
    people = list(dict.fromkeys(str(turn[0]) for turn in reference))
    found = list(dict.fromkeys(str(turn[0]) for turn in hypothesis))
    lanes: list[tuple[str, str, str, list[Turn]]] = []

    def add(side: str, turns: Sequence[Turn], speaker: str, colour: str) -> None:
        lanes.append((speaker, side, colour, [turn for turn in turns if str(turn[0]) == speaker]))

    for person in people:
        add("reference", reference, person, hues.get(person, "s-none"))
        for speaker in (one for one in found if mapping.get(one) == person):
            add("system", hypothesis, speaker, hues.get(person, "s-none"))
    for speaker in (one for one in found if mapping.get(one) not in people):
        add("extra", hypothesis, speaker, "s-none")
    return lanes


def _draw(
    lanes: Sequence[tuple[str, str, str, list[Turn]]], errors: Sequence[Turn], regions: Sequence[Turn], end: float
) -> tuple[Html, Html, int]:
    labels, shapes, y = [], [], 0
    names = {"reference": "reference", "system": "system", "extra": "system, matches nobody"}
    for speaker, side, colour, turns in lanes:
        y += GAP if side != "system" else 0
        labels.append(_label(speaker, names[side], starts=side != "system"))
        kind = f"bar {colour}" if side == "reference" else f"bar sys {colour}"
        marks = f'class="{kind}" data-who="{escape(speaker)}"'
        shapes += [_bar(turn[1], turn[2], y, marks, end) for turn in turns]
        y += LANE
    if errors:
        y += GAP
        labels.append(_label("Errors", "", starts=True))
        shapes += [_bar(e[0], e[1], y, f'class="error {e[2]}"', end) for e in errors if e[2] in ERRORS]
        y += LANE
    closed = [_closed(start, stop, y, end) for start, stop in _outside(regions, end)]
    return join(labels), join([*closed, *shapes]), y


def _label(speaker: str, side: str, *, starts: bool) -> Html:
    """The name of a lane; one that starts a group stands ``GAP`` below the lane above, which the page's style does."""
    note = tag("small", {"data-short": SHORT.get(side)}, side) if side else Html("")
    return tag("div", {"class": "starts" if starts else None, "title": speaker}, tag("b", {"dir": "auto"}, speaker), note)


def _bar(start: float, stop: float, y: int, marks: str, end: float) -> Html:
    """A bar; when it is, and what it means, the script reads from its place and class."""
    x, width = 100 * start / end, 100 * (stop - start) / end
    return Html(f'<rect {marks} x="{x:.4f}%" width="{width:.4f}%" y="{y + 3}" height="{LANE - 6}"/>')


def _closed(start: float, stop: float, height: int, end: float) -> Html:
    x, width = 100 * start / end, 100 * (stop - start) / end
    return Html(f'<rect class="closed" x="{x:.4f}%" width="{width:.4f}%" y="0" height="{height}"/>')


def _outside(regions: Sequence[Turn], end: float) -> list[tuple[float, float]]:
    """The stretches of [0, end] that no region covers; none when there are no regions."""
    gaps, reached = [], 0.0
    for start, stop in sorted((float(one[0]), float(one[1])) for one in regions):
        if start > reached:
            gaps.append((reached, start))
        reached = max(reached, stop)
    return [*gaps, (reached, end)] if regions and reached < end else gaps


def _axis(end: float, y: int) -> Html:
    step = next((one for one in STEPS if end / one <= 6), STEPS[-1] * max(1, round(end / STEPS[-1] / 6)))
    marks = []
    for number in range(int(end / step) + 1):
        x = f"{100 * number * step / end:.3f}%"
        marks.append(tag("line", {"x1": x, "x2": x, "y1": "0", "y2": str(y + 4)}))
        near = "end" if number * step / end > 0.95 else None
        marks.append(tag("text", {"x": x, "y": str(y + 17), "text-anchor": near}, clock(number * step).removesuffix(".0")))
    return join(marks)


def _legend(errors: Sequence[Turn]) -> Html:
    seconds = totals(errors)
    swatch = {kind: tag("svg", {"class": "swatch", "aria-hidden": "true"}, _swatch(kind)) for kind in ERRORS}
    items = [tag("li", {}, swatch[kind], f" {name} {seconds[name]:.1f} s – {why}") for kind, (name, why) in ERRORS.items()]
    return tag("ul", {"class": "legend"}, *items)


def _swatch(kind: str) -> Html:
    return tag("rect", {"class": f"error {kind}", "width": "100%", "height": "100%"})

"""What to work on next, as a page says it: the ledger as sentences, tables and bars.

The bar of "in turn" is a waterfall: it reaches from the errors left after the repair to those before it. The bar of "alone"
begins at 0. Both are drawn to the scale of the headline; a repair that costs is drawn as a dashed outline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parakh.diagnosis import System
from parakh.diagnostics.ledger import REST, Item, Ledger, best_next
from parakh.errors import counted
from parakh.markup import Html, join, percent, tag, wide
from parakh.report.diagnosis_parts import Cell, Column, Figure, points, table
from parakh.typeset import short

NAMES = {
    "timing": ("word times", "words written outside the time in which they were said"),
    "speaker": ("who spoke", "right words under the wrong speaker"),
    "encoding": ("code points", "the same letters in other code points of Unicode"),
    "orthographic": ("spelling", "the same word in another accepted spelling"),
    "boundary": ("word boundaries", "the same words written together or apart"),
    "format": ("notation of numbers", "the same number, date, time or unit in another notation"),
    "punctuation": ("marks", "marks that are wrong, missing or added"),
    "FILLER": ("hesitations", "um, hmm and the like"),
    "MEDICAL": ("medical words", "words of health that are wrong, missing or added"),
    "NEGATION": ("negations", "words of denial that are wrong, missing or added"),
    "NUMBER": ("number words", "numbers in words that are wrong, missing or added"),
    "ENGLISH": ("English words", "English words, in either script, that are wrong, missing or added"),
    "numerals": ("numbers", "numbers in digits that are wrong, missing or added"),
    "substitutions": ("other wrong words", "words of no kind above that became others"),
    "deletions": ("other missing words", "words of no kind above that were left out"),
    "insertions": ("other added words", "words of no kind above that nobody said"),
    "other": ("what no transcript could mend", "words that last no time, which meet nothing"),
}


def named(item: str) -> tuple[str, str]:
    """The name of an item for people, and what it is in one phrase.

    >>> named("boundary")[0], named("DRUG")[0]
    ('word boundaries', 'words of DRUG')
    """
    return NAMES.get(item, (f"words of {item}", "terms of a list of yours that are wrong, missing or added"))


def sentence(one: System) -> Html:
    """How wrong a system is, what would buy most, and how many changes may hurt."""
    found = one.ledger
    if found.rate is None:
        return Html("The references hold no words, so there is no rate.")
    said = f"Of 100 words {100 * found.rate:.1f} are wrong" if found.rate <= 1 else f"For 100 words {100 * found.rate:.1f} errors"
    parts: list[str] = [f"{said} ({short(found.metric)})", _missing(one), "; " if found.errors else ".", _buys(found)]
    if one.alarms:
        grave = sum(alarm.severity == "error" for alarm in one.alarms)
        plural = "changes" if len(one.alarms) > 1 else "change"
        parts += [
            " ",
            tag("a", {"href": "#alarms"}, f"{len(one.alarms)} {plural} of meaning"),
            f" may hurt a patient or a record; {grave} certain{_beside(one)}.",
        ]
    return join(parts)


def _buys(found: Ledger) -> Html:
    first = best_next(found)
    if first is None:
        return Html("no single repair would lower that." if found.errors else "")
    rest = replace(found, items=tuple(item for item in found.items if item is not first))
    second = best_next(rest)
    then = (
        f", then {named(second.name)[0]} ({points(second.marginal_points).shown})" if second and second.name not in REST else ""
    )
    most = max((item for item in rest.items if item.name in REST), key=lambda item: item.marginal, default=None)
    more = ""
    if most is not None and most.marginal > first.marginal and first.name not in REST:
        more = f"; {named(most.name)[0]}, of no one kind, hold {points(most.marginal_points).shown}"
    said = (tag("b", {}, named(first.name)[0]), f" ({points(first.marginal_points).shown} points)", then, more, ".")
    return join(["the kind of error that would buy most is " if first.name not in REST else "what would buy most is ", *said])


def _beside(one: System) -> str:
    return "; recordings without an answer raise none" if _missing(one) else ""


def _missing(one: System) -> str:
    """How many recordings have no answer, where some have none: that is what to mend first."""
    count = sum(finding.code == "missing-recording" for finding in one.findings)
    return f", with {counted(count, 'recording')} that it has no answer to charged in full" if count else ""


def comparison(systems: Sequence[System]) -> Html:
    """What each repair alone would buy each system, side by side."""
    names = list(dict.fromkeys(item.name for one in systems for item in one.ledger.items if item.marginal or item.step))
    by_system = [{item.name: item for item in one.ledger.items} for one in systems]
    best = [max((item.marginal for item in items.values()), default=0) for items in by_system]
    rows: list[list[Cell]] = []
    for name in names:
        cells = [items.get(name) for items in by_system]
        rows.append([_title(name), *(_compared(cell, most) for cell, most in zip(cells, best, strict=True))])
    heads = [Column("if only this were perfect"), *(Column(one.system, number=True) for one in systems)]
    return table("Points that each repair alone would buy", heads, rows)


def _compared(item: Item | None, most: int) -> Figure:
    if item is None:
        return Figure("–", None)
    shown, value = points(item.marginal_points)
    return Figure(tag("b", {}, shown) if item.marginal == most and most > 0 else shown, value)


def ledger(one: System) -> Html:
    """The ledger of one system, item by item."""
    found = one.ledger
    if not found.errors:
        return tag("p", {"class": "blank"}, f"No errors by {short(found.metric)}.")
    best, left = best_next(found), found.errors
    rows = []
    for item in found.items:
        before, left = left, left - item.step
        if item.marginal or item.step:
            rows.append(_row(item, item is best, before, found.errors))
    head = tag("tr", {}, *(tag("th", {"scope": "col", "colspan": span}, name) for name, span in _HEADS))
    total = [tag("th", {"scope": "row", "colspan": "4"}, "All"), tag("td", {"class": "figure"}, str(found.errors))]
    total += [tag("td", {"class": "figure"}, points(found.rate).shown), tag("td", {})]
    caption = tag("caption", {}, f"{short(found.metric)} {percent(found.rate)}: {found.errors} errors on {found.length} words")
    body = [tag("thead", {}, head), tag("tbody", {}, *rows), tag("tfoot", {}, tag("tr", {}, *total))]
    return wide(tag("table", {"class": "ledger"}, caption, *body))


_HEADS = (
    ("What would be mended", None),
    ("alone: errors", None),
    ("points", None),
    ("", None),
    ("in turn: errors", None),
    ("points", None),
    ("", None),
)


def _row(item: Item, best: bool, before: int, errors: int) -> Html:
    alone, turn = points(item.marginal_points, item.marginal_interval), points(item.points, item.interval)
    cells = [
        tag("th", {"scope": "row"}, _title(item.name), tag("span", {"class": "flag"}, "most of one kind") if best else ""),
        tag("td", {"class": "figure"}, str(item.marginal)),
        tag("td", {"class": "figure"}, alone.shown),
        tag("td", {"class": "bars"}, _bar(0, item.marginal, errors, "alone")),
        tag("td", {"class": "figure"}, str(item.step)),
        tag("td", {"class": "figure"}, turn.shown),
        tag("td", {"class": "bars"}, _bar(before - item.step, before, errors, "turn")),
    ]
    return tag("tr", {"class": "best" if best else None}, *cells)


def _title(item: str) -> Html:
    name, what = named(item)
    return join([tag("b", {}, name), tag("small", {"class": "what"}, what)])


def _bar(low: int, high: int, whole: int, kind: str) -> Html:
    """A bar from one number of errors to another; one that runs backwards is a cost."""
    cost = high < low
    low, high = sorted((low, high))
    start, width = (100 * max(0, low) / whole, 100 * (high - max(0, low)) / whole)
    shape = {"x": f"{start:.2f}%", "width": f"{max(width, 0.4):.2f}%", "height": "12", "class": f"{kind} cost" if cost else kind}
    return tag("svg", {"width": "100%", "height": "12", "aria-hidden": "true"}, tag("rect", shape))

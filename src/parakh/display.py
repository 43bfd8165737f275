"""How results show themselves: in a notebook as HTML without scripts, in a console as lines that fit it.

Colours are half transparent and text takes the notebook's own colour, so that light and dark ones serve alike. Styles stand in
the elements, as notebooks that are shown elsewhere lose style sheets; what they lose too, elements and signs still say.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from parakh import lanes, registry
from parakh.alignment import NAMES, Alignment, Line
from parakh.errors import UnknownNameError, counted, printable
from parakh.markup import Html, escape, spoken, tag
from parakh.results import RecordingResult, Results, Score
from parakh.text.masking import masked
from parakh.types import AlignedWord, Finding, Op, Severity

_WORST = 5
_LINES = 400
_FINDINGS = 10
_WIDTH = 78
_CELL = "padding:.15em .6em;text-align:right;border-top:1px solid rgba(128,128,128,.35);white-space:nowrap"
_FIRST = _CELL.replace("right", "left")
_SOFT = "opacity:.75"
_ARROW = {True: "↓", False: "↑"}
STYLES = {
    Op.SUBSTITUTION: "background:rgba(230,159,0,.35);color:inherit;border-radius:.2em",
    Op.DELETION: "background:rgba(213,94,0,.3);color:inherit;border-radius:.2em",
    Op.INSERTION: "background:rgba(86,180,233,.35);color:inherit;border-radius:.2em",
}
"""Of the words that are not right; the colours are those of Okabe and Ito."""


def lower_is_better(metric: str) -> bool:
    """Which way a metric improves; one that this installation does not know is taken for an error rate.

    >>> lower_is_better("der"), lower_is_better("rougeL")
    (True, False)
    """
    found = _declared(metric)
    return found is None or str(found.better) == "lower"


def shown(metric: str, value: float | None) -> str:
    """A value as people read it: a ratio in percent, anything else with its unit; n/a when undefined.

    >>> shown("der", 0.12345), shown("der", None), shown("mi", 0.5)
    ('12.35', 'n/a', '0.50 bits')
    """
    found = _declared(metric)
    if found is not None:
        return str(found.shown(value))
    return "n/a" if value is None else f"{value:.4g}"


def heading(metric: str) -> str:
    """A metric's name with an arrow for the way it improves."""
    return f"{metric} {_ARROW[lower_is_better(metric)]}"


def grid(columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> Html:
    """A small table: the first column is text, the others are numbers.

    Args:
        columns: Headings.
        rows: Cells; what is not ``Html`` is escaped.
        caption: What it shows; "" for none.

    >>> "&lt;b&gt;" in grid(["system"], [["<b>"]])
    True
    """
    head = [tag("th", {"scope": "col", "style": _FIRST if not place else _CELL}, one) for place, one in enumerate(columns)]
    first = {"scope": "row", "style": _FIRST + ";font-weight:normal"}
    lines = [tag("tr", {}, tag("th", first, row[0]), *_cells(row[1:])) for row in rows]
    title = [tag("caption", {"style": "text-align:left;font-weight:bold"}, caption)] if caption else []
    style = {"style": "border-collapse:collapse;margin:.4em 0;font-variant-numeric:tabular-nums"}
    return tag("table", style, *title, tag("thead", {}, tag("tr", {}, *head)), tag("tbody", {}, *lines))


def block(heading: str, *parts: str) -> Html:
    """What one object shows: a heading and its parts."""
    return tag("div", {"style": "overflow-x:auto"}, tag("div", {"style": "font-weight:bold"}, heading), *parts)


def folded(heading: str, *parts: str) -> Html:
    """Parts that open when asked for."""
    return tag("details", {}, tag("summary", {"style": "cursor:pointer"}, heading), *parts)


def findings_html(findings: Sequence[Finding]) -> Html:
    """What was noticed, the gravest first; nothing where nothing was."""
    order = list(Severity)
    ordered = sorted(findings, key=lambda one: order.index(one.severity))
    lines = [tag("li", {}, tag("b", {}, str(one.severity)), f" {printable(masked(_said(one)))}") for one in ordered[:_FINDINGS]]
    if len(ordered) > _FINDINGS:
        lines.append(tag("li", {"style": _SOFT}, f"and {len(ordered) - _FINDINGS} more"))
    return tag("ul", {"style": "margin:.4em 0"}, *lines) if lines else Html("")


def results_html(results: Results) -> Html:
    """What a notebook shows of results: metrics, slices, the worst recordings, findings, signature."""
    metrics = list(results.metrics)
    worst = [[one.id, *(shown(name, one.metrics.get(name)) for name in metrics)] for one in results.worst(_WORST)]
    slices = [
        grid([field, *map(heading, metrics)], [_slice(value, scores, metrics) for value, scores in values.items()])
        for field, values in results.slices.items()
    ]
    found = [*results.findings, *(finding for one in results.recordings for finding in one.findings)]
    signature = tag("code", {"style": "overflow-wrap:anywhere;white-space:normal"}, str(results.signature))
    return block(
        _title(results),
        _metrics(results),
        *slices,
        grid(["worst recordings", *map(heading, metrics)], worst) if worst else Html(""),
        folded(f"{counted(len(found), 'finding')}", findings_html(found)) if found else Html(""),
        folded("signature", signature),
    )


def results_text(results: Results) -> str:
    """What a console shows of results: metrics with intervals, the worst recordings, findings by number, signature."""
    width = max([len(name) for name in results.metrics] + [len("metric")])
    lines = [_title(results), f"{'metric':<{width}}  {'value':>8}  interval"]
    for name, score in results.metrics.items():
        lines.append(f"{name:<{width}}  {shown(name, score.value):>8}  {_interval(name, score) or '-'}".rstrip())
    first = next(iter(results.metrics), "")
    worst = ", ".join(f"{one.id} {shown(first, one.metrics.get(first))}" for one in results.worst(_WORST))
    found = len(results.findings) + sum(len(one.findings) for one in results.recordings)
    lines += [f"worst: {worst}"] if worst else []
    lines += [counted(found, "finding")] if found else []
    return "\n".join(_fitted(printable(one)) for one in [*lines, f"signature: {str(results.signature).replace('|', ' | ')}"])


def recording_html(one: RecordingResult) -> Html:
    """What a notebook shows of one recording: its figures, and what it looks like, where results keep that."""
    figures = " · ".join(f"{name} {shown(name, value)}" for name, value in one.metrics.items())
    return block(one.id, tag("div", {}, figures), findings_html(one.findings), *_detail(one))


def recording_text(one: RecordingResult) -> str:
    """What a console shows of one recording: its figures."""
    figures = "  ".join(f"{name} {shown(name, value)}" for name, value in one.metrics.items())
    more = [counted(len(one.findings), "finding")] if one.findings else []
    return _fitted(printable("  ".join([f"{one.id}:", figures, *more])))


def alignment_html(alignment: Alignment) -> Html:
    """What a notebook shows of an alignment: a legend, then its lines with the words that are not right in colour."""
    legend = [
        tag("span", {"style": STYLES.get(op, "") + ";margin-right:1em"}, f"{count} {NAMES[op]}")
        for op, count in alignment.counts().items()
    ]
    lines = alignment.lines()
    more = [tag("p", {"style": _SOFT}, f"and {counted(len(lines) - _LINES, 'more line')}")] if len(lines) > _LINES else []
    return tag("div", {"style": "line-height:1.7"}, tag("div", {}, *legend), *map(_shown_line, lines[:_LINES]), *more)


def _shown_line(line: Line) -> Html:
    head = tag("span", {"style": _SOFT + ";font-size:.85em"}, line.head(), " ")
    text = " ".join(step.reference or step.hypothesis or "" for step in line.steps)
    words = [part for step in line.steps for part in (_word(step), " ")]
    return tag("div", {"style": "margin:.2em 0"}, head, spoken("div", {}, text, *words))


def _word(step: AlignedWord) -> str:
    if step.op is Op.MATCH:
        return str(step.reference)
    style = {"style": STYLES[step.op], "title": step.kind}
    if step.op is Op.SUBSTITUTION:
        return tag(
            "mark",
            style,
            tag("s", {"style": "text-decoration-thickness:1px;opacity:.75"}, str(step.reference)),
            " ",
            str(step.hypothesis),
        )
    return tag("del", style, str(step.reference)) if step.op is Op.DELETION else tag("ins", style, str(step.hypothesis))


def _detail(one: RecordingResult) -> Iterator[Html]:
    """What a recording looks like: by what its detail holds, whichever track it is of."""
    detail, sides = one.detail, ("reference", "hypothesis")
    if "alignment" in detail:
        yield alignment_html(one.alignment())
    elif "mapping" in detail:
        yield lanes.svg(lanes.lanes(detail), lanes.errors(detail), f"Who spoke when in {one.id}")
    elif detail:
        yield from (_text(side, detail.get(side)) for side in sides)


def _text(side: str, held: Any) -> Html:
    text = held if isinstance(held, str) else "no answer" if held is None else ", ".join(map(str, held)) or "none"
    return tag("div", {}, tag("b", {}, side), spoken("div", {}, text))


def _title(results: Results) -> str:
    return f"{results.track}: {results.system}, {counted(len(results.recordings), 'recording')}"


def _metrics(results: Results) -> Html:
    intervals = any(score.interval for score in results.metrics.values())
    rows = [
        [
            Html(f"<b>{escape(heading(name))}</b>"),
            Html(f"<b>{escape(shown(name, score.value))}</b>"),
            *([_interval(name, score)] if intervals else []),
            " · ".join(f"{part.replace('_', ' ')} {shown(_RATE, value)}" for part, value in score.parts.items()),
            shown(name, score.macro),
        ]
        for name, score in results.metrics.items()
    ]
    return grid(["metric", "%", *(["interval"] if intervals else []), "parts", "macro"], rows)


_RATE = "der"
"""Any metric in percent: parts are rates."""


def _slice(value: str, scores: Mapping[str, Score], metrics: Sequence[str]) -> list[str]:
    cells = [shown(name, scores[name].value) + f" {_interval(name, scores[name])}" if name in scores else "" for name in metrics]
    return [value, *map(str.rstrip, cells)]


def _interval(metric: str, score: Score) -> str:
    return "" if score.interval is None else "[" + ", ".join(shown(metric, end) for end in score.interval) + "]"


def _cells(row: Sequence[str]) -> Iterator[Html]:
    return (tag("td", {"style": _CELL}, one) for one in row)


def _said(finding: Finding) -> str:
    return f"{finding.session_id}: {finding.message}" if finding.session_id else finding.message


def _fitted(line: str) -> str:
    """A line cut into lines that fit a console, six at most."""
    return "\n".join(textwrap.wrap(line, _WIDTH, subsequent_indent="  ", max_lines=6, placeholder=" …", break_on_hyphens=False))


def _declared(metric: str) -> Any:
    """A metric's declaration; None for one that this installation does not have."""
    try:
        return registry.package("metric").get(metric)
    except UnknownNameError:
        return None

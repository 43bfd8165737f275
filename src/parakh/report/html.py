"""One offline page that shows what a system got right and wrong, from the one-glance answer down to each word.

All of it is written here as HTML and SVG; the script only sorts, zooms and shows hints, so the page can be read, printed
and searched without it. A content security policy forbids the page every request and every script but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from string import Template

from parakh.files import write_atomic
from parakh.markup import Html, escape, join, percent, tag, wide
from parakh.metrics import Better
from parakh.report import recording
from parakh.report.audio import Sound
from parakh.report.inputs import Inputs
from parakh.report.resources import resource
from parakh.report.summary import (
    TaskSummary,
    describe,
    headline,
    missing_reason,
    reading,
    shown,
    summarise,
    tasks,
    verdict,
    worst_task,
)
from parakh.results import Results, Score, Signature

LIMIT = 3_000_000
"""Bytes of a page without its sound."""


def render(inputs: Inputs, *, title: str, sound: Sound | None = None, limit: int = LIMIT) -> str:
    """The page of results and diagnoses of one or several systems.

    Args:
        inputs: What scoring returned, with detail for the timelines and texts; and what a diagnosis found.
        title: The page's heading.
        sound: What can be heard; None without sound.
        limit: Bytes of the page without its sound; recordings beyond it are left out, and that is told.

    Returns:
        A complete HTML document that needs no other file and no network.

    Raises:
        InputError: A detail is not of the shape that scoring stores.

    >>> "No results" in render(Inputs(()), title="Visits")
    True
    """
    systems = _by_system(inputs.results)
    sections = [_system(name, summaries, f"s{place}") for place, (name, summaries) in enumerate(systems)]
    lead = [_lead(summaries, f"s{place}", name, len(systems) > 1) for place, (name, summaries) in enumerate(systems)]
    body = join([_header(title, lead), *sections])
    script = resource("page/page.js") + resource("page/transcript.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = Template(resource("page/page.html"))
    style, patterns = resource("page/page.css") + resource("page/transcript.css"), resource("page/patterns.html")
    return page.substitute(title=escape(title), digest=digest, style=style, patterns=patterns, script=script, body=body)


def recordings(inputs: Inputs) -> list[str]:
    """The recordings that the page has a row for, by name."""
    scored = {one.id for results in inputs.results for one in results.recordings}
    return sorted(scored | {one.id for results in inputs.results for one in results.unscored})


def write(
    inputs: Inputs, path: str | Path, *, title: str = "Parakh report", sound: Sound | None = None, limit: int = LIMIT
) -> None:
    """Write the page to a file, whole or not at all; the arguments are those of ``render``.

    Raises:
        InputError: It cannot be written there, or a detail is not of the shape that scoring stores.
    """
    write_atomic(path, render(inputs, title=title, sound=sound, limit=limit))


def _by_system(results: Sequence[Results]) -> list[tuple[str, list[TaskSummary]]]:
    """Systems in the order given, tasks in reading order; a second results of one track opens a further section."""
    systems: list[tuple[str, list[Results]]] = []
    for one in results:
        free = (held for name, held in systems if name == one.system and one.track not in {other.track for other in held})
        held = next(free, None)
        if held is None:
            systems.append((one.system, [one]))
        else:
            held.append(one)
    order = [*tasks()]
    place = {track: number for number, track in enumerate(order)}
    return [
        (name, [summarise(one) for one in sorted(held, key=lambda one: place.get(one.track, len(order)))])
        for name, held in systems
    ]


def _header(title: str, lead: Sequence[Html]) -> Html:
    if not lead:
        return tag("header", {"class": "page"}, tag("h1", {}, title), tag("p", {"class": "lead"}, "No results were given."))
    why = tag("a", {"href": "#how"}, "how it is made")
    note = tag(
        "p", {"class": "note"}, "The figures are of different kinds; “of 100 right” is one common reading of them (", why, ")."
    )
    return tag("header", {"class": "page"}, tag("h1", {}, title), *lead, note)


def _lead(summaries: Sequence[TaskSummary], anchor: str, name: str, named: bool) -> Html:
    said = headline(summaries)
    where = _ids(summaries)
    link: Html | str = said.recording
    if said.recording in where:
        link = tag("a", {"href": f"#{anchor}-r{where.index(said.recording)}"}, said.recording)
    who = tag("a", {"href": f"#{anchor}"}, f"{name}: ") if named else ""
    return tag("p", {"class": "lead"}, who, said.before, link, said.after)


def _system(name: str, summaries: Sequence[TaskSummary], anchor: str) -> Html:
    worst = worst_task(summaries)
    cards = tag("div", {"class": "cards"}, *(_card(one, one is worst and len(summaries) > 1) for one in summaries))
    ids = _ids(summaries)
    table = _table(ids, summaries, anchor)
    articles = [recording.render(one, summaries, f"{anchor}-r{place}", f"{anchor}-table") for place, one in enumerate(ids)]
    heading = tag("h2", {}, tag("small", {}, "System "), name)
    return tag("section", {"id": anchor}, heading, cards, _cost(summaries), table, _noticed(summaries, ids), *articles)


def _cost(summaries: Sequence[TaskSummary]) -> Html:
    """What the system's answers cost to make, where that is known."""
    cost = next((one.results.cost for one in summaries if one.results.cost), None)
    if cost is None:
        return Html("")
    spent = " · ".join(f"{name} {value}" for name, value in cost.rows().items())
    return tag("p", {"class": "note"}, f"What it took, over {cost.audio_seconds / 3600:.2f} h of audio: {spent}.")


def _noticed(summaries: Sequence[TaskSummary], ids: Sequence[str]) -> Html:
    """The findings that belong to none of the recordings shown."""
    found = [finding for one in summaries for finding in one.results.findings if finding.session_id not in ids]
    if not found:
        return Html("")
    shown = recording.findings(list(dict.fromkeys(found)))
    return tag("section", {"class": "noticed"}, tag("h3", {}, "What was noticed"), shown)


def _ids(summaries: Sequence[TaskSummary]) -> list[str]:
    scored = {one.id for summary in summaries for one in summary.results.recordings}
    return sorted(scored | {one.id for summary in summaries for one in summary.results.unscored})


def _card(one: TaskSummary, worst: bool) -> Html:
    value = one.score.value if one.score else None
    kind = "Error rate" if one.better is Better.LOWER else "Score"
    metric = tag("abbr", {"title": one.title}, one.metric)
    bar = tag("span", {"style": f"width:{100 * one.right:.1f}%"}) if one.right is not None else ""
    noticed = "; ".join(finding.message for finding in one.results.findings) or "there was nothing to compute it from"
    words = f"{verdict(one.right)}: " + (noticed if one.right is None else f"{100 * one.right:.0f} of 100 right")
    flag = tag("span", {"class": "flag"}, "went worst") if worst else Html("")
    return tag(
        "section",
        {"class": "card worst" if worst else "card"},
        tag("h3", {}, one.task.name, " ", flag),
        tag("p", {"class": "asks"}, one.task.asks),
        tag("p", {"class": "value"}, percent(value)),
        tag("p", {"class": "metric"}, f"{kind} (", metric, "): ", tag("b", {}, f"{one.better} is better")),
        tag("div", {"class": "meter", "aria-hidden": "true"}, bar),
        tag("p", {"class": "verdict"}, words),
        _figures(one),
        tag("p", {"class": "signature"}, _signature(one.results.signature)),
    )


def _signature(signature: Signature) -> Html:
    """The signature, which may break only between its choices."""
    first, *others = str(signature).split("|")
    return join([first, *(part for choice in others for part in ("|", tag("wbr"), choice))])


def _figures(one: TaskSummary) -> Html:
    rows = []
    for name, score in one.results.metrics.items():
        title, _ = describe(name, one.better)
        rows.append(_figure(name, shown(name, score.value), _interval(name, score), title if title != name else ""))
        rows += [_figure(part.replace("_", " "), percent(value), part_of=name) for part, value in score.parts.items()]
        rows.append(_figure("macro", shown(name, score.macro), part_of=name))
        if score.by_duration is not None:
            rows.append(_figure("by duration", shown(name, score.by_duration), part_of=name))
    for field, values in one.results.slices.items():
        ranked = {value: scores[one.metric] for value, scores in values.items() if one.metric in scores}
        rows += [
            _figure(f"{one.metric}, {field} {value}", shown(one.metric, score.value), _interval(one.metric, score))
            for value, score in ranked.items()
        ]
    mind = tag("p", {}, one.task.mind) if one.task.mind else Html("")
    means = "macro is the plain mean over them, by duration the mean in which each weighs its seconds"
    scored = tag("p", {}, f"{len(one.results.recordings)} recordings; {means}.")
    return tag("details", {}, tag("summary", {}, "All figures"), mind, tag("table", {"class": "figures"}, *rows), scored)


def _figure(name: str, value: str, interval: str = "", title: str = "", part_of: str | None = None) -> Html:
    head = tag("th", {"scope": "row"}, name, tag("small", {}, title) if title else "")
    return tag("tr", {"class": part_of and "part", "title": part_of}, head, tag("td", {}, value, tag("small", {}, interval)))


def _interval(metric: str, score: Score) -> str:
    return f" ({shown(metric, score.interval[0])} – {shown(metric, score.interval[1])})" if score.interval else ""


def _table(ids: Sequence[str], summaries: Sequence[TaskSummary], anchor: str) -> Html:
    heads = [tag("th", {"scope": "col", "aria-sort": "ascending"}, tag("button", {"type": "button"}, "Recording"))]
    for one in summaries:
        note = tag("small", {}, f"{one.metric}, {one.better} is better")
        heads.append(tag("th", {"scope": "col"}, tag("button", {"type": "button"}, one.task.name), note))
    rows = []
    for place, session_id in enumerate(ids):
        link = tag("a", {"href": f"#{anchor}-r{place}"}, session_id)
        cells = [_cell(session_id, one, f"{anchor}-r{place}") for one in summaries]
        rows.append(tag("tr", {}, tag("th", {"scope": "row", "data-value": str(place)}, link), *cells))
    caption = tag("caption", {}, "Each recording, each task")
    foot = tag("tr", {}, tag("th", {"scope": "row"}, "All together"), *(_total(one) for one in summaries))
    parts = [caption, tag("thead", {}, tag("tr", {}, *heads)), tag("tbody", {}, *rows), tag("tfoot", {}, foot)]
    return wide(tag("table", {"class": "overview"}, *parts), {"id": f"{anchor}-table"})


def _cell(session_id: str, summary: TaskSummary, anchor: str) -> Html:
    one = recording.find(summary, session_id)
    value = one.metrics.get(summary.metric) if one else None
    right = reading(value, summary.better)
    if right is None:
        reason = missing_reason(summary.results, session_id)
        return tag("td", {"class": "none", "title": reason}, tag("abbr", {"title": reason}, "n/a"))
    worst = summary.worst is not None and summary.worst.id == session_id and summary.worst.of > 1
    shade = {"class": "shade", "style": f"--right:{100 * right:.0f}%", "data-value": f"{value:.6f}"}
    mark = tag("small", {}, " worst") if worst else Html("")
    return tag("td", shade, tag("a", {"href": f"#{anchor}-{summary.results.track}"}, percent(value)), mark)


def _total(one: TaskSummary) -> Html:
    return tag("td", {}, percent(one.score.value if one.score else None))

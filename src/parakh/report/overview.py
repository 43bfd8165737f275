"""How each task of each system went: a card a task, or one table where there are many systems."""

from __future__ import annotations

from collections.abc import Sequence

from parakh.comparable import choose_metrics, differing, ids_of
from parakh.errors import InputError, UnknownNameError, counted
from parakh.markup import Html, join, percent, tag, wide
from parakh.metrics import Better
from parakh.report import recording
from parakh.report.places import Places
from parakh.report.summary import SystemSummary, TaskSummary, describe, shown, verdict, worst_task
from parakh.results import Score, Signature

CARDS = 3
"""Systems that are shown as cards; more make a table."""
PUBLISHED = "*"
"""The mark of published figures."""


def render(systems: Sequence[SystemSummary], places: Places) -> Html:
    """The summary of all systems.

    >>> render([], Places(()))
    ''
    """
    if len(systems) <= CARDS:
        return join(_system(one, places) for one in systems)
    each = [tag("details", {"class": "of-system"}, tag("summary", {}, one.name), _system(one, places)) for one in systems]
    return join([_table(systems), tag("h3", {}, "Each system"), *each])


def _system(one: SystemSummary, places: Places) -> Html:
    worst = worst_task(one.tasks)
    cards = [_card(task, task is worst and len(one.tasks) > 1, f"{one.anchor}-t{place}") for place, task in enumerate(one.tasks)]
    heading = tag("h3", {}, tag("small", {}, "System "), one.name)
    shown = tag("div", {"class": "cards"}, *cards)
    return tag("section", {"id": one.anchor, "class": "system"}, heading, shown, _cost(one.tasks), _noticed(one.tasks, places))


def _noticed(summaries: Sequence[TaskSummary], places: Places) -> Html:
    """The findings that belong to none of the recordings shown."""
    known = set(places.ids)
    found = [finding for one in summaries for finding in one.results.findings if finding.session_id not in known]
    if not found:
        return Html("")
    listed = recording.findings(list(dict.fromkeys(found)))
    return tag("section", {"class": "noticed"}, tag("h4", {}, "What was noticed"), listed)


def _table(systems: Sequence[SystemSummary]) -> Html:
    """A row a system, a column a task by one metric; the best in bold where all that were scored have the same recordings."""
    tracks = list(dict.fromkeys(task.results.track for one in systems for task in one.tasks))
    by_system = [{task.results.track: task for task in one.tasks} for one in systems]
    columns = [[held.get(track) for held in by_system] for track in tracks]
    named = [_first([task for task in column if task]) for column in columns]
    best = [_best(column, one) for column, one in zip(columns, named, strict=True)]
    notes = [
        tag("small", {}, f"{one.metric}, {one.better} is better{'' if _is_even(column) else '; of different recordings'}")
        for one, column in zip(named, columns, strict=True)
    ]
    heads = [tag("th", {"scope": "col"}, one.task.name, note) for one, note in zip(named, notes, strict=True)]
    rows = []
    for place, one in enumerate(systems):
        cells = [_value(column[place], head.metric, most) for column, head, most in zip(columns, named, best, strict=True)]
        rows.append(tag("tr", {}, tag("th", {"scope": "row"}, tag("a", {"href": f"#{one.anchor}"}, one.name)), *cells))
    bold = "; in bold the best of the same recordings" if any(value is not None for value in best) else ""
    parts = [
        tag("caption", {}, "Each system, each task", tag("small", {}, bold)),
        tag("thead", {}, tag("tr", {}, tag("th", {"scope": "col"}, "System"), *heads)),
        tag("tbody", {}, *rows),
    ]
    return join([wide(tag("table", {"class": "overview systems"}, *parts)), _sources(systems)])


def _sources(systems: Sequence[SystemSummary]) -> Html:
    """What the mark of published figures means, and where they come from."""
    named = list(dict.fromkeys(task.source for one in systems for task in one.tasks if task.source))
    if not named:
        return Html("")
    told = f"{PUBLISHED} published figures, on recordings of their source: neither tested nor compared with the others. "
    return tag("p", {"class": "note"}, told, "; ".join(named), ".")


def _first(tasks: Sequence[TaskSummary]) -> TaskSummary:
    """The one that says by which metric a column is: the first that was scored, else the first."""
    return next((task for task in tasks if task.source is None and task.metric), tasks[0])


def _is_even(column: Sequence[TaskSummary | None]) -> bool:
    """Whether the systems of a column that were scored have the same recordings."""
    return len({tuple(ids_of(task.results)) for task in column if task and task.results.recordings}) < 2


def _best(column: Sequence[TaskSummary | None], named: TaskSummary) -> float | None:
    """The best value of those that were scored; None where fewer than two were, or they may not be compared."""
    scored = [task for task in column if task and task.source is None and task.metric == named.metric]
    values = [task.score.value for task in scored if task.score and task.score.value is not None]
    if len(values) < 2 or not _is_even(column):
        return None
    results = [task.results for task in scored]
    names = [one.system for one in results]
    try:
        if differing(results, choose_metrics(results, [named.metric], names), names):
            return None
    except (InputError, UnknownNameError):  # a metric that is not installed
        return None
    return min(values) if named.better is Better.LOWER else max(values)


def _value(task: TaskSummary | None, metric: str, best: float | None) -> Html:
    if task is None or task.score is None or task.score.value is None or task.metric != metric:
        return tag("td", {"class": "none"}, "n/a")
    value = shown(task.metric, task.score.value)
    if task.source:
        return tag("td", {"title": f"published: {task.source}"}, value, PUBLISHED)
    first = task.score.value == best
    return tag("td", {}, tag("b", {}, value) if first else value, tag("small", {}, _interval(task.metric, task.score)))


def _cost(summaries: Sequence[TaskSummary]) -> Html:
    """What the system's answers cost to make, where that is known."""
    cost = next((one.results.cost for one in summaries if one.results.cost), None)
    if cost is None:
        return Html("")
    spent = " · ".join(f"{name} {value}" for name, value in cost.rows().items())
    return tag("p", {"class": "note"}, f"What it took, over {cost.audio_seconds / 3600:.2f} h of audio: {spent}.")


def _card(one: TaskSummary, worst: bool, anchor: str) -> Html:
    value = one.score.value if one.score else None
    kind = "Error rate" if one.better is Better.LOWER else "Score"
    about = [f"{kind} (", tag("abbr", {"title": one.title}, one.metric), "): ", tag("b", {}, f"{one.better} is better")]
    bar = tag("span", {"style": f"width:{100 * one.right:.1f}%"}) if one.right is not None else ""
    noticed = "; ".join(finding.message for finding in one.results.findings) or "there was nothing to compute it from"
    words = f"{verdict(one.right)}: " + (noticed if one.right is None else f"{100 * one.right:.0f} of 100 right")
    told = f"Published: {one.source}. Neither tested nor compared with the others."
    flag = tag("span", {"class": "flag"}, "went worst") if worst else Html("")
    ends = tag("small", {}, _interval(one.metric, one.score)) if one.score else ""
    return tag(
        "section",
        {"class": "card worst" if worst else "card", "id": anchor},
        tag("h3", {}, one.task.name, " ", flag),
        tag("p", {"class": "asks"}, one.task.asks),
        tag("p", {"class": "value"}, shown(one.metric, value), ends),
        tag(
            "p",
            {"class": "metric"},
            *(about if one.metric else ()),
        ),
        tag("div", {"class": "meter", "aria-hidden": "true"}, bar),
        tag("p", {"class": "verdict"}, words),
        tag("p", {"class": "note"}, told) if one.source else "",
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
    scored = tag("p", {}, f"{counted(len(one.results.recordings), 'recording')}; {means}.")
    return tag("details", {}, tag("summary", {}, "All figures"), mind, tag("table", {"class": "figures"}, *rows), scored)


def _figure(name: str, value: str, interval: str = "", title: str = "", part_of: str | None = None) -> Html:
    head = tag("th", {"scope": "row"}, name, tag("small", {}, title) if title else "")
    return tag("tr", {"class": part_of and "part", "title": part_of}, head, tag("td", {}, value, tag("small", {}, interval)))


def _interval(metric: str, score: Score) -> str:
    return f" ({shown(metric, score.interval[0])} – {shown(metric, score.interval[1])})" if score.interval else ""

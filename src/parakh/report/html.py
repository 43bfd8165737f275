"""One offline page that shows what systems got right and wrong, from what to fix first down to each word.

All of it is written here as HTML and SVG. The script sorts, filters, zooms and plays, and opens the recordings that are packed
where there are too many to stand in the page as they are. A content security policy forbids the page every request and every
script but its own; where sound is linked, it may ask for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from string import Template

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.markup import Html, escape, join, tag
from parakh.report import figures, overview, priorities, recording, recordings_table, standings, svg
from parakh.report.audio import Sound
from parakh.report.inputs import Inputs, told_apart
from parakh.report.packing import Recordings, fit
from parakh.report.places import Places, identifier, recordings, right_of
from parakh.report.resources import resource, scripts, styles
from parakh.report.summary import SystemSummary, by_system, headline, shown

LIMIT = 3_000_000
"""Bytes of a page without its sound."""
_NOTES = 1_000
"""Bytes kept for what is said about the recordings."""


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
    inputs = replace(inputs, results=told_apart(inputs.results))
    systems = by_system(inputs.results)
    places = Places(recordings(systems))
    drawn = {name: svg.draw(one) for name, one in figures.charts(inputs).items()}
    fixed = _Fixed(title, drawn, standings.compared(inputs))
    front = _front(systems, inputs, places, fixed)
    frame = _frame(title, sound)
    order = _worst_first(systems, places)
    found = fit(_articles(order), limit - _NOTES - len((frame("") + front).encode()))
    left_out = frozenset(anchor for anchor, _, _ in order if anchor not in found.blocks)
    if left_out:
        front = _front(systems, inputs, replace(places, left_out=left_out), fixed)
    heard = sound.blocks if sound else ()
    return frame(join([front, _recordings(found, len(order), sound, limit), *heard]))


def write(
    inputs: Inputs, path: str | Path, *, title: str = "Parakh report", sound: Sound | None = None, limit: int = LIMIT
) -> None:
    """Write the page to a file, whole or not at all; the arguments are those of ``render``.

    Raises:
        InputError: It cannot be written there, or a detail is not of the shape that scoring stores.
    """
    write_atomic(path, render(inputs, title=title, sound=sound, limit=limit))


def by_need(inputs: Inputs) -> list[str]:
    """The recordings of the page by name, those that went worst first: whose sound is wanted most.

    >>> by_need(Inputs(()))
    []
    """
    systems = by_system(inputs.results)
    return list(dict.fromkeys(name for _, _, name in _worst_first(systems, Places(recordings(systems)))))


def _frame(title: str, sound: Sound | None) -> Callable[[str], str]:
    """The document around a body."""
    page = Template(resource("page/page.html"))
    given = {
        "title": escape(title),
        "media": _media(sound),
        "style": styles("page", "transcript", "charts", "report"),
        "patterns": resource("page/patterns.html"),
        **scripts("elements", "page", "transcript", "report"),
    }
    return lambda body: page.substitute(given, body=body)


def _media(sound: Sound | None) -> str:
    """What the content security policy says of sound: what is in the page, and files beside it where they are linked."""
    if sound is None or not sound.blocks:
        return ""
    return " media-src 'self' data: blob:;" if sound.linked else " media-src data: blob:;"


@dataclass(frozen=True)
class _Fixed:
    """What is the same whichever recordings have room: made once."""

    title: str
    figures: Mapping[str, Html]
    compared: Mapping[str, standings.Track]


def _front(systems: Sequence[SystemSummary], inputs: Inputs, places: Places, fixed: _Fixed) -> Html:
    """Everything but the recordings."""
    title = tag("h1", {}, fixed.title)
    if not systems:
        return tag("header", {"class": "page"}, title, tag("p", {"class": "lead"}, "No results were given."))
    drawn = join(tag("div", {"id": f"figure-{identifier(name)}"}, one) for name, one in fixed.figures.items())
    repairs = "figure-waterfall" if "waterfall" in fixed.figures else None
    sections = {
        "first": ("What to fix first", _first(systems, inputs, places, repairs)),
        "summary": ("Summary", overview.render(systems, places)),
        "standings": ("Which systems are told apart", standings.draw(fixed.compared)),
        "table": ("Recordings", recordings_table.render(systems, places)),
        "figures": ("Figures", tag("div", {"class": "plots"}, drawn) if drawn else drawn),
    }
    held = {name: (label, body) for name, (label, body) in sections.items() if body}
    links = (tag("li", {}, tag("a", {"href": f"#{name}"}, label)) for name, (label, _) in held.items())
    lead = _leads(systems, places, fixed.compared)
    nav = tag("nav", {"aria-label": "Parts"}, tag("ul", {}, *links))
    header = tag("header", {"class": "page"}, title, *lead, nav)
    parts = [tag("section", {"id": name}, tag("h2", {}, label), body) for name, (label, body) in held.items()]
    return join([header, *parts])


def _leads(systems: Sequence[SystemSummary], places: Places, compared: Mapping[str, standings.Track]) -> list[Html]:
    """A sentence a system where they are few, else a sentence a task."""
    if len(systems) > overview.CARDS:
        return [*_best(systems, compared)]
    leads = []
    for one in systems:
        if one.scored:
            said = headline([task for task in one.tasks if task.source is None])
            link = places.link(one, said.recording, said.recording) if said.recording else ""
            who = tag("a", {"href": f"#{one.anchor}"}, f"{one.name}: ") if len(systems) > 1 else ""
            leads.append(tag("p", {"class": "lead"}, who, said.before, link, said.after))
    if len({task.results.track for one in systems for task in one.tasks}) < 2:
        return leads
    why = tag("a", {"href": "#how"}, "how it is made")
    note = "The figures are of different kinds; “of 100 right” is one common reading of them ("
    return [*leads, tag("p", {"class": "note"}, note, why, ").")]


def _best(systems: Sequence[SystemSummary], compared: Mapping[str, standings.Track]) -> Iterator[Html]:
    """Of each task the best of the systems that may be compared, on the recordings that all of them have."""
    anchors = {one.name: one.anchor for one in systems}
    for track in dict.fromkeys(task.results.track for one in systems for task in one.tasks):
        held = [task for one in systems for task in one.tasks if task.results.track == track]
        published = sum(task.source is not None for task in held)
        whose = f"{counted(published, 'published system')}, whose figures are of other recordings"
        beside = f" Not compared with {whose}." if published else ""
        name, known = f"“{held[0].task.name}”", compared.get(track)
        best = known.found.ranking[0] if known and known.found and known.found.ranking else None
        if known and known.found and best and best.value is not None:
            link = tag("a", {"href": f"#{anchors[best.system]}"}, best.system)
            on = f"the {counted(len(known.found.recordings), 'recording')} that all of them have"
            value = f"{best.metric} {shown(best.metric, best.value)}"
            of = f" of {counted(len(known.found.ranking), 'system')} on {on} ({value})."
            yield tag("p", {"class": "lead"}, f"{name} is best by ", link, of, beside)
        elif known:
            why = ": no best is named, as the systems have no recordings in common or were scored otherwise."
            yield tag("p", {"class": "lead"}, name, why, beside)
        elif one := next((task for task in held if task.source is None and task.score), None):
            link = tag("a", {"href": f"#{anchors[one.results.system]}"}, one.results.system)
            value = shown(one.metric, one.score.value if one.score else None)
            yield tag("p", {"class": "lead"}, f"{name}: ", link, f" has {one.metric} {value}.", beside)


def _first(systems: Sequence[SystemSummary], inputs: Inputs, places: Places, repairs: str | None) -> Html:
    """What to fix first, of each system; with many systems folded, but for the first."""
    held = [one for one in systems if one.scored]
    lists = [(one, priorities.render(one, inputs.diagnosis(one.name), places, repairs=repairs)) for one in held]
    told = [(one.name, body) for one, body in lists if body]
    named = {one.name for one in systems}
    for found in inputs.diagnosed:
        if found.system not in named and held:
            body = priorities.diagnosis_alone(found, held[0], places, repairs=repairs)
            told.append((f"Diagnosis of {found.system}", body))
    if len(held) == 1 and [name for name, _ in told] == [held[0].name]:
        return told[0][1]
    few = len(told) <= overview.CARDS
    return join(
        tag("details", {"open": "" if few or place == 0 else None}, tag("summary", {}, name), body)
        for place, (name, body) in enumerate(told)
    )


Wanted = tuple[str, SystemSummary, str]
"""Anchor, system and name of a recording."""


def _worst_first(systems: Sequence[SystemSummary], places: Places) -> list[Wanted]:
    """Every recording of every system, those with the least right first and those without a value last."""
    ranked: list[tuple[float, Wanted]] = []
    for one in systems:
        for name in places.ids:
            anchor = places.anchor(one, name)
            if anchor is not None:
                right = right_of(one, name)
                ranked.append((inf if right is None else right, (anchor, one, name)))
    return [wanted for _, wanted in sorted(ranked, key=lambda item: item[0])]


def _articles(order: Sequence[Wanted]) -> Iterator[tuple[str, Callable[[], Html]]]:
    for anchor, system, name in order:
        yield anchor, partial(recording.render, name, system.tasks, anchor, "table")


def _recordings(found: Recordings, whole: int, sound: Sound | None, limit: int) -> Html:
    """The recordings one below the other, with what to know about them."""
    if not whole:
        return Html("")
    notes = []
    kept = len(found.blocks)
    if found.packed:
        notes.append("Open a recording by its name or a figure in the table. It is kept packed until then, and needs the script.")
    if kept < whole:
        size = f"{limit / 1e6:g} MB"
        more = f"with all of them the page would pass {size}. parakh report --limit 20MB makes it larger."
        notes.append(f"The {kept} that went worst of {counted(whole, 'recording')} are on this page: {more}")
    if sound and sound.left_out:
        notes.append(f"The sound of {counted(sound.left_out, 'recording')} would have made the page too large and is not on it.")
    told = tag("p", {"class": "note", "id": "left-out"}, " ".join(notes)) if notes else ""
    in_order = sorted(
        found.blocks, key=lambda anchor: int(anchor.removeprefix("s").partition("-")[0])
    )  # by system, the worst first
    head = tag("h2", {}, "Recordings, turn by turn")
    return tag("section", {"id": "recordings"}, head, told, *(found.blocks[anchor] for anchor in in_order))

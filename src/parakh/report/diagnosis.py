"""The page of a diagnosis: how wrong, what to work on next, what hurts, what was mistaken for what, and every word of it.

It is one offline file. Tables are written here and complete without the script, which sorts, filters and folds them, and draws
the recordings, whose alignments lie in the page as data. A content security policy forbids every request and every script but the
page's own; sound comes from data in the page only.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from parakh.diagnosis import Diagnosis, System
from parakh.markup import Html, escape, join, tag
from parakh.report import audio as sounds
from parakh.report import diagnosis_ledger, diagnosis_recordings
from parakh.report.diagnosis_compared import compared
from parakh.report.diagnosis_parts import Cell, Column, Figure, share, table
from parakh.report.diagnosis_tables import KINDS, PARTS, folds, inconsistencies
from parakh.report.resources import resource, scripts, styles
from parakh.text.masking import masked
from parakh.typeset import short


def page(found: Diagnosis, audio: Sequence[str]) -> str:
    """The page of a diagnosis.

    Args:
        found: What was found, of one or several systems.
        audio: Audio files and folders; a file belongs to the recording whose id is its name without the ending.

    Returns:
        A complete HTML document that needs no other file and no network.

    Raises:
        InputError: An audio path does not exist or cannot be read.

    >>> from parakh.diagnosis import Choices, diagnose
    >>> from parakh.diagnostics.setup import Setup
    >>> from parakh.types import Segment
    >>> found = diagnose([Segment("v1", words="दवा ली")], {"ours": [Segment("v1", words="दवा")]}, Choices(Setup("hi")))
    >>> "Of 100 words 50.0 are wrong" in page(found, [])
    True
    """
    order = diagnosis_recordings.ranked(found)
    sound = sounds.embedded(audio, order)
    blocks, shown = diagnosis_recordings.data(found, order)
    sections = [_header(found), _systems(found), _next(found), *_parts(found), _references(found)]
    recordings = _recordings(found, order, shown, sound)
    return Template(resource("page/diagnosis.html")).substitute(
        style=styles("page", "diagnosis"),
        body=join([*sections, recordings]),
        choices=_choices(found),
        data=join([blocks, *sound.blocks]),
        **scripts("elements", "diagnosis"),
    )


def _header(found: Diagnosis) -> Html:
    several = len(found.systems) > 1
    leads = [
        tag("p", {"class": "lead"}, f"{one.system}: " if several else "", diagnosis_ledger.sentence(one)) for one in found.systems
    ]
    links = {"next": "Work on next", **{part.id: part.title for part in PARTS}, "references": "Texts", "recordings": "Recordings"}
    toc = tag("ul", {}, *(tag("li", {}, tag("a", {"href": f"#{name}"}, title)) for name, title in links.items()))
    return tag("header", {"class": "page"}, tag("h1", {}, "Diagnosis"), *leads, tag("nav", {"aria-label": "Parts"}, toc))


def _systems(found: Diagnosis) -> Html:
    names = list(dict.fromkeys(name for one in found.systems for name in one.parts.categories))
    metric = short(found.systems[0].ledger.metric)
    heads = [
        *(Column("system"), Column(metric, number=True), Column("wrong units", number=True)),
        *(Column(f"{name} ({KINDS[name]})" if name in KINDS else name, number=True) for name in names),
        *(Column("alarms", number=True), Column("certain", number=True)),
    ]
    note = (
        f"{metric} counts every difference in writing. A unit (word, number, mark) is wrong only where it is another one; "
        "the categories add up to the wrong units."
    )
    rows = [_system(one, names) for one in found.systems]
    findings = list(dict.fromkeys(masked(str(finding)) for one in found.systems for finding in one.findings))
    noticed = tag("ul", {"class": "findings"}, *(tag("li", {}, text) for text in findings[:50])) if findings else ""
    return tag("section", {"id": "systems"}, table("How wrong each system is", heads, rows, note=note), noticed)


def _system(one: System, names: Sequence[str]) -> list[Cell]:
    parts, n = one.parts.categories, one.parts.total.n
    shares = [
        share(parts[name].errors / n if n else None, one.intervals.get(name)) if name in parts else Figure("–", None)
        for name in names
    ]
    grave = sum(alarm.severity == "error" for alarm in one.alarms)
    total = share(one.parts.total.rate, one.intervals.get("total"))
    return [tag("b", {}, one.system), share(one.ledger.rate), total, *shares, len(one.alarms), grave]


def _next(found: Diagnosis) -> Html:
    note = (
        "“Alone”: errors fewer if only this were perfect, which is what mending it first would buy. “In turn”: errors fewer when "
        "it is mended after everything above it; these sum to the headline. After each repair the metric itself counts again."
    )
    compared = diagnosis_ledger.comparison(found.systems) if len(found.systems) > 1 else ""
    panels = [_panel(place, one, found, diagnosis_ledger.ledger(one)) for place, one in enumerate(found.systems)]
    return _section("next", "What should we work on next?", note, compared, *panels)


def _parts(found: Diagnosis) -> list[Html]:
    several = len(found.systems) > 1
    sections = []
    for part in PARTS:
        panels = [_panel(place, one, found, part.render(one)) for place, one in enumerate(found.systems)]
        sections.append(_section(part.id, part.title, part.note, compared(part.id, found.systems) if several else "", *panels))
    return sections


def _panel(place: int, one: System, found: Diagnosis, content: Html) -> Html:
    """What belongs to one system; with several, the script shows one at a time."""
    name = tag("h3", {"class": "whose"}, one.system) if len(found.systems) > 1 else ""
    return tag(
        "div", {"class": "of-system", "data-system": str(place)}, name, content or tag("p", {"class": "blank"}, "Nothing.")
    )


def _section(name: str, title: str, note: str, *content: str) -> Html:
    said = tag("p", {"class": "note"}, note) if note else ""
    return tag("section", {"id": name, "class": "part"}, tag("h2", {}, title), said, *content)


def _references(found: Diagnosis) -> Html:
    shown = [one for one in (inconsistencies(found), folds(found)) if one]
    return _section("references", "The texts themselves", "", *shown or [tag("p", {"class": "blank"}, "Nothing.")])


def _recordings(found: Diagnosis, order: Sequence[str], shown: int, sound: sounds.Sound) -> Html:
    notes = []
    if shown < len(order):
        notes.append(f"The {shown} recordings with most errors of {len(order)} can be opened here; --json holds all.")
    if sound.left_out:
        notes.append(f"The sound of {sound.left_out} recordings would have made the page too large and is not on it.")
    listing = tag("div", {"id": "listing"}, diagnosis_recordings.listing(found, order))
    viewer = tag("div", {"id": "viewer", "tabindex": "-1", "aria-label": "Recording", "role": "region"})
    return _section("recordings", "Recordings, word by word", " ".join(notes), listing, viewer)


def _choices(found: Diagnosis) -> Html:
    return tag(
        "dl", {"class": "choices"}, *(escape(part) for name, value in found.choices.items() for part in _choice(name, value))
    )


def _choice(name: str, value: str) -> tuple[Html, Html]:
    return tag("dt", {}, name), tag("dd", {}, value)

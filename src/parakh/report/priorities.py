"""What to fix first: a short list, each line with its figure and a link to the place on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log2

from parakh.diagnostics.alarms import Alarm
from parakh.diagnostics.ledger import REST, Ledger, best_next
from parakh.errors import clock, counted
from parakh.markup import Html, join, spoken, tag
from parakh.report.diagnosed import Diagnosed
from parakh.report.diagnosis_ledger import named
from parakh.report.diagnosis_parts import points
from parakh.report.places import Places
from parakh.report.summary import SystemSummary, TaskSummary, errors, shown, unanswered, worst_task
from parakh.resample import TIE
from parakh.text.masking import masked
from parakh.types import Severity
from parakh.typeset import short

NAMED = 5
"""Recordings that one line names."""
ALARMS = 3
"""Changes of meaning that are shown at once, and how many more on demand."""
MORE_ALARMS = 100
TELLING = 3
"""Half of the errors in fewer than one of so many recordings is worth a line."""
DOSES = frozenset({"number", "digits", "unit", "drug"})
"""Changes of what is taken, and how much, by the first word of their kind."""
REPAIRS = 3
"""Kinds of error that are named."""


def render(system: SystemSummary, diagnosed: Diagnosed | None, places: Places, *, repairs: str | None = None) -> Html:
    """The list of one system; nothing where nothing is known to be wrong.

    Args:
        system: How its tasks went.
        diagnosed: What its diagnosis found; None without one.
        places: Where its recordings stand.
        repairs: The id in the page of what every repair would buy; None where it is not there.
    """
    worst = worst_task(system.tasks)
    lines = [*_unanswered(system, places)]
    if worst is not None:
        lines += _worst(system, worst)
    if diagnosed is not None:  # what may hurt a patient before what only costs points
        lines += [*_alarms(system, diagnosed, places), *_repairs(diagnosed, repairs)]
    for one in system.tasks:
        lines += _recordings(system, one, places, one is worst)
    return _list(lines)


def diagnosis_alone(diagnosed: Diagnosed, system: SystemSummary, places: Places, *, repairs: str | None = None) -> Html:
    """The list of a diagnosis that no results bear the name of; its links lead to the recordings of a system that has them."""
    return _list([*_alarms(system, diagnosed, places), *_repairs(diagnosed, repairs)])


def _list(lines: Sequence[Html]) -> Html:
    return tag("ol", {"class": "first"}, *(tag("li", {}, line) for line in lines)) if lines else Html("")


def _unanswered(system: SystemSummary, places: Places) -> Iterator[Html]:
    """Recordings without an answer, those of several tasks on one line."""
    by_recordings: dict[tuple[str, ...], list[TaskSummary]] = {}
    for one in system.tasks:
        if lacking := tuple(unanswered(one)):
            by_recordings.setdefault(lacking, []).append(one)
    for lacking, lacked in by_recordings.items():
        names = " and ".join(f"“{one.task.name}”" for one in lacked)
        said = f"{counted(len(lacking), 'recording')} of {len(places.ids)} without an answer to {names}"
        yield join([tag("b", {}, said), ": ", _some(system, lacking, places, ""), "."])


def _worst(system: SystemSummary, worst: TaskSummary) -> Iterator[Html]:
    if len(system.tasks) < 2 or worst.score is None or worst.right is None:
        return
    link = tag("a", {"href": f"#{system.anchor}-t{system.tasks.index(worst)}"}, f"“{worst.task.name}”")
    right = tag("b", {}, f"{100 * worst.right:.0f} of 100 right")
    yield join([link, " went worst of the tasks: ", right, f" ({worst.metric} {shown(worst.metric, worst.score.value)})."])


def _repairs(diagnosed: Diagnosed, place_of_all: str | None) -> Iterator[Html]:
    """The kinds of error whose repair alone would buy most, in plain words with points."""
    left = diagnosed.ledger
    for place in range(REPAIRS):
        item = best_next(left)
        if item is None or (item.name in REST and place):
            break
        name, what = named(item.name)
        bought = points(item.marginal_points, item.marginal_interval).shown
        said = f" ({what}): with that alone put right, {short(left.metric)} would be {bought} points lower."
        link = tag("a", {"href": f"#{place_of_all}"}, name) if place_of_all else name
        yield join(["Mend ", tag("b", {}, link), said])
        left = replace(left, items=tuple(other for other in left.items if other is not item))
    yield from _rest(left)


def _rest(left: Ledger) -> Iterator[Html]:
    """What is of no one kind, and so of no one repair."""
    rest = sorted((item for item in left.items if item.name in REST and item.marginal > 0), key=lambda item: -item.marginal)
    if rest:
        parts = ", ".join(f"{named(item.name)[0]} {points(item.marginal_points).shown} points" for item in rest)
        said = " words are of no one kind: a better recogniser, or one tuned on recordings like these, would lower them."
        yield join(["The rest: ", tag("b", {}, parts), ". These", said])


def _alarms(system: SystemSummary, diagnosed: Diagnosed, places: Places) -> Iterator[Html]:
    certain = sorted((one for one in diagnosed.alarms if one.severity is Severity.ERROR), key=_gravity)
    if not certain:
        return
    head = tag("b", {}, counted(len(certain), "change of meaning", "changes of meaning"))
    lines = [tag("li", {}, _alarm(system, one, places)) for one in certain[: ALARMS + MORE_ALARMS]]
    more = Html("")
    if len(lines) > ALARMS:
        rest = f"{len(lines) - ALARMS} more" + (f" of {len(certain) - ALARMS}" if len(certain) > len(lines) else "")
        more = tag("details", {}, tag("summary", {}, rest), tag("ul", {}, *lines[ALARMS:]))
    yield join([head, " may hurt a patient or a record, for certain:", tag("ul", {}, *lines[:ALARMS]), more])


def _gravity(alarm: Alarm) -> tuple[bool, float]:
    """Medicines, numbers and doses before all others, those that changed most first; a change of unknown size is in between."""
    medical = alarm.kind.partition(" ")[0] in DOSES
    return not medical, -abs(log2(alarm.factor)) if alarm.factor and alarm.factor > 0 else -1.0


def _alarm(system: SystemSummary, alarm: Alarm, places: Places) -> Html:
    start = alarm.time[0] if alarm.time else None
    place = alarm.session_id if start is None else f"{alarm.session_id} · {clock(start)}"
    link = places.link(system, alarm.session_id, place, track="asr", time=start)
    return join([tag("bdi", {}, masked(alarm.message)), " – ", link, _passage(alarm)])


def _passage(alarm: Alarm) -> Html:
    sides = [("said", alarm.reference, "del"), ("written", alarm.hypothesis, "ins")]
    shown = [(name, side, mark) for name, side, mark in sides if str(side).strip()]
    parts = [
        join([tag("small", {}, name), " ", spoken("span", {}, str(side), side.before, _marked(mark, side.here), side.after)])
        for name, side, mark in shown
    ]
    return tag("div", {"class": "said"}, *(tag("div", {}, part) for part in parts))


def _marked(mark: str, words: str) -> Html:
    return tag(mark, {}, words) if words else Html("")


def _recordings(system: SystemSummary, task: TaskSummary, places: Places, is_worst: bool) -> Iterator[Html]:
    """The few recordings that hold half of the errors; of the worst task, where errors do not add up, the worst recording."""
    track = task.results.track
    counts = {one.id: count for one in task.results.recordings if (count := errors(one, task.metric)) is not None}
    whole = sum(counts.values())
    most = _half(counts, whole) if whole > 0 else []
    if most and len(most) * TELLING < len(counts):
        said = f"{counted(len(most), 'recording')} of {len(counts)} hold{'s' if len(most) == 1 else ''} half of the errors"
        yield join([tag("b", {}, said), f" of “{task.task.name}”: ", _some(system, most, places, track), "."])
    elif is_worst and task.worst is not None and task.worst.of > 1:
        link = places.link(system, task.worst.id, task.worst.id, track=track)
        yield join([f"“{task.task.name}” went worst on ", link, f" ({task.metric} {shown(task.metric, task.worst.value)})."])


def _half(counts: dict[str, float], whole: float) -> list[str]:
    """The fewest recordings that hold half of the errors, those with most first."""
    most: list[str] = []
    held = 0.0
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        if 2 * held >= whole * (1 - TIE):  # sums of seconds end in dust
            break
        most.append(name)
        held += counts[name]
    return most


def _some(system: SystemSummary, names: Sequence[str], places: Places, track: str) -> Html:
    links = [places.link(system, name, name, track=track) for name in names[:NAMED]]
    parts = [part for link in links for part in (", ", link)][1:]
    return join([*parts, f" and {len(names) - NAMED} more" if len(names) > NAMED else ""])

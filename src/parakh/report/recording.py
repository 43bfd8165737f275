"""The section of one recording: each task's figures, and what they look like in the recording itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parakh.errors import Fault, InputError
from parakh.markup import Html, join, spoken, tag
from parakh.report import clinical, timeline, transcript
from parakh.report.places import task_anchor
from parakh.report.summary import TaskSummary, missing_reason, noticed, reading, shown, verdict
from parakh.report.tongues import tongues
from parakh.results import RecordingResult
from parakh.text.masking import masked
from parakh.types import Finding


def render(session_id: str, summaries: Sequence[TaskSummary], anchor: str, top: str) -> Html:
    """One recording as an article that the table links to.

    Args:
        session_id: The recording.
        summaries: One a task, in reading order.
        anchor: The article's id in the page.
        top: The id to go back to.

    Raises:
        InputError: A detail is not of the shape that scoring stores.
    """
    back = tag("a", {"href": f"#{top}", "class": "back"}, "back to the table")
    head = tag("header", {}, tag("h3", {"dir": "auto"}, session_id), back)
    own = {"id": anchor, "class": "recording", "data-rec": session_id}
    return tag("article", own, head, *blocks(session_id, summaries, anchor))


def blocks(session_id: str, summaries: Sequence[TaskSummary], anchor: str) -> list[Html]:
    """What each task has to show of one recording.

    Args:
        session_id: The recording.
        summaries: One a task, in reading order.
        anchor: What the ids of the blocks begin with.

    Raises:
        InputError: A detail is not of the shape that scoring stores.
    """
    try:
        hues = timeline.colours(_speakers(session_id, summaries))
        sheet, where = _sheet(session_id, summaries, anchor)
        each = [_task(session_id, one, hues, where, task_anchor(anchor, one.results.track)) for one in summaries]
        return [sheet, *each] if sheet else each
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        place, expected = f"recordings[{session_id}].detail", "the detail that scoring stores"
        raise InputError(Fault("results", place, repr(error), expected, "Score again to renew the results.")) from error


def _sheet(session_id: str, summaries: Sequence[TaskSummary], anchor: str) -> tuple[Html, clinical.Where]:
    """The recording for a clinician, nothing where its summary was not held against a transcript; and how topics lead there."""
    details = {one.results.track: (found.detail if (found := find(one, session_id)) else {}) for one in summaries}
    if not details.get("summarization"):
        return Html(""), clinical.wherever(None, anchor)
    choices = {one.results.track: one.results.signature.choices for one in summaries}
    transcript, reference = (
        choices.get(track, {}).get(key) for track, key in (("summarization", "transcript"), ("asr", "reference"))
    )
    said_by = (
        "the reference transcript, made by people" if transcript == reference else "the transcript that was given for scoring"
    )
    sheet = clinical.render(details["summarization"], details.get("topics") or None, said_by, anchor)
    return sheet, clinical.wherever(details["summarization"].get("support") if sheet else None, anchor)


def find(summary: TaskSummary, session_id: str) -> RecordingResult | None:
    """The recording's result of a task; None when the task does not have it."""
    return summary.by_id.get(session_id)


def findings(items: Sequence[Finding]) -> Html:
    """A list of findings; nothing when there are none."""
    lines = [
        tag(
            "li",
            {"class": str(one.severity)},
            tag("b", {}, str(one.severity)),
            f" {masked(one.message)} ",
            tag("code", {}, one.code),
        )
        for one in items
    ]
    return tag("ul", {"class": "findings"}, *lines) if lines else Html("")


def _speakers(session_id: str, summaries: Sequence[TaskSummary]) -> list[str]:
    """The reference speakers of all tasks, so that a person has one colour in the whole article."""
    speakers = []
    for summary in summaries:
        one = find(summary, session_id)
        reference = one.detail.get("reference") if one else None
        if isinstance(reference, Sequence) and not isinstance(reference, str):
            speakers += [str(t["speaker"] if isinstance(t, Mapping) else t[0]) for t in reference if not isinstance(t, str)]
    return speakers


def _task(session_id: str, summary: TaskSummary, hues: Mapping[str, str], where: clinical.Where, anchor: str) -> Html:
    one = find(summary, session_id)
    value = one.metrics.get(summary.metric) if one else None
    right = reading(value, summary.better)
    figure = tag(
        "span", {"class": "figure"}, f"{summary.metric} {shown(summary.metric, value)}", tag("small", {}, f" {verdict(right)}")
    )
    head = tag("summary", {}, tag("h4", {}, summary.task.name), figure)
    if value is None:
        remarks = tag("p", {"class": "reason"}, f"n/a: {missing_reason(summary, session_id)}.")
    else:
        remarks = findings(noticed(summary, session_id))
    return tag("details", {"class": "task", "open": "", "id": anchor}, head, remarks, _body(one, summary, hues, where))


def _body(one: RecordingResult | None, summary: TaskSummary, hues: Mapping[str, str], where: clinical.Where) -> Html:
    if one is None:
        return Html("")
    others = [f"{name} {shown(name, value)}" for name, value in one.metrics.items() if name != summary.metric]
    figures = tag("p", {"class": "others"}, "Further figures: " + " · ".join(others)) if others else Html("")
    if not one.detail:
        return join([figures, tag("p", {"class": "blank"}, "These results hold the figures alone, without the turns and texts.")])
    return join([figures, _shown(summary.results.track, one.detail, hues, where)])


def _shown(track: str, detail: Mapping[str, Any], hues: Mapping[str, str], where: clinical.Where) -> Html:
    if track == "diarization":
        return timeline.render(detail, hues)
    if track == "asr":
        return join([transcript.legend(detail.get("alignment") or []), transcript.render(detail, hues)])
    if track == "topics":
        return clinical.chips(detail, where)
    if track == "summarization":
        return _summaries(detail)
    return Html("")


def _summaries(detail: Mapping[str, Any]) -> Html:
    sides = [("Reference (by people)", "reference"), ("System", "hypothesis")]
    columns, known = [], tongues(detail.get("language"))
    for name, side in sides:
        text = detail.get(side)
        written = (
            spoken("p", {"class": "summary-text"}, text, tongues=known) if text else tag("p", {"class": "blank"}, "no summary")
        )
        columns.append(tag("div", {}, tag("h5", {}, name), written))
    return tag("div", {"class": "summaries"}, *columns)

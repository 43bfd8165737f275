"""What a recording comes to, for a clinician: what can be checked of the summary, held against what was said.

Marks of numbers, medicines and denials are those that the metrics count (``metrics/_support.py``); each mark leads to
the turn that bears it out or contradicts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from parakh.errors import clock
from parakh.markup import Html, escape, join, spoken, tag
from parakh.metrics._synonyms import fold
from parakh.metrics.topic_f1 import by_key
from parakh.report.tongues import Tongues, tongues
from parakh.types import Segment, Topics

Support = Mapping[str, Any]
Signs = Mapping[str, tuple[str, str]]
Where = Callable[[str], Html]
"""From a topic to links to where it is mentioned."""

VERDICTS = {
    "supported": ("✓", "said in the conversation"),
    "unsupported": ("?", "nobody said this"),
    "contradicted": ("✗", "the conversation says the opposite"),
}
"""Sign and meaning of each verdict."""
_WRITTEN = {
    "supported": ("✓", "in the summary by people"),
    "unsupported": ("?", "not in the summary by people"),
    "contradicted": ("✗", "the summary by people says the opposite"),
}
"""The same where there is no transcript."""
_WAYS = {"past": "said only of the past", "family": "said only of the family", "other person": "said only of another person"}
"""What is off with a statement that was said, but not so."""
_KINDS = {"problem": "Health problems", "medicine": "Medicines", "number": "Numbers", "negation": "Denied"}
_MOST = 12
"""Things left out of one kind that are shown at once."""
_LINKS = 3
HOW = (
    "A computer checked the summary of a computer: it knows numbers, medicines, complaints and advice in English, Hindi and "
    "Kannada from lists of words, and can be wrong either way. This is no medical advice; the conversation decides."
)
UNCHECKED = (
    "Only what is marked was checked, one thing at a time; all else in this summary was not. A medicine is checked for whether "
    "it was named, not for who takes it or since when."
)


def render(detail: Mapping[str, Any], topics: Mapping[str, Any] | None, said_by: str, anchor: str) -> Html:
    """The sheet of one recording; nothing where the results do not hold what bears out the summary.

    Args:
        detail: Of the summary, with ``support`` where it was scored with transcripts.
        topics: Detail of the topics; None where they were not scored.
        said_by: Whose transcript it was held against, as "the reference transcript".
        anchor: What the ids of the turns begin with.
    """
    support, summary = detail.get("support"), detail.get("hypothesis")
    if not support or not summary:
        return Html("")
    turns: Sequence[Mapping[str, Any]] = support["turns"]
    where, known = wherever(support, anchor), tongues(detail.get("language"), turns)
    signs = VERDICTS if support["source"] == "transcript" else _WRITTEN
    source = (
        f"Held against {said_by}." if signs is VERDICTS else "No transcript could be read: held against the summary by people."
    )
    left = [
        tag("h5", {}, "Summary by the system"),
        _marked_summary(summary, support["marks"], signs, known, anchor),
        _legend(support["marks"], signs),
        tag("p", {"class": "note"}, UNCHECKED if support["marks"] else "Nothing in this summary could be checked."),
        _to_check(support["marks"], signs, turns, known, anchor),
        _left_out(support, known, anchor),
        join([tag("h5", {}, "Health problems by the system"), chips(topics, where)]) if topics is not None else Html(""),
    ]
    talk = _conversation(support, known, anchor)
    columns = [tag("div", {}, *left), tag("div", {}, tag("h5", {}, "The conversation"), talk)]
    made = tag("p", {"class": "note"}, f"{source} {HOW}")
    button = tag("button", {"type": "button", "class": "print"}, "Print this sheet")
    head = tag("summary", {}, tag("h4", {}, "For the clinician"))
    return tag("details", {"class": "task clinical", "open": ""}, head, made, tag("div", {"class": "sheet"}, *columns), button)


def wherever(support: Support | None, anchor: str) -> Where:
    """How to lead from a topic to where the conversation affirms it; nowhere without support."""
    if not support:
        return lambda topic: Html("")
    turns, mentioned = support["turns"], support.get("topics") or {}

    def where(topic: str) -> Html:
        named = _concepts(topic)
        found = {turn for name, places in mentioned.items() if named & _names(name) for turn in places}
        return _links([[turn, 0, 0] for turn in sorted(found)], turns, anchor)

    return where


def chips(detail: Mapping[str, Any], where: Where) -> Html:
    """Topics: in both, only in the reference, only in the system's answer; compared as ``topic_f1_folded`` does."""
    answer, known = detail.get("hypothesis"), tongues(detail.get("language"))
    wanted = _by_key(detail.get("reference") or [])
    found = _by_key(answer) if answer is not None else {}
    lists = [
        *(("matched" if key in found else "missed", topic) for key, topic in wanted.items()),
        *(("extra", topic) for key, topic in found.items() if key not in wanted),
    ]
    note = tag("p", {"class": "reason"}, "The system gave no answer.") if answer is None else Html("")
    if not detail.get("reference") and not answer:
        return join([note, tag("ul", {"class": "chips"}, tag("li", {"class": "blank"}, "no health problem on either side"))])
    return join([note, tag("ul", {"class": "chips"}, *(_chip(kind, topic, known, where) for kind, topic in lists))])


def _by_key(topics: Sequence[str]) -> dict[str, str]:
    return by_key(Topics("", tuple(topics)), fold)


def _chip(kind: str, topic: str, known: Tongues, where: Where) -> Html:
    sign = {"matched": "✓", "missed": "−", "extra": "+"}[kind]
    return tag(
        "li", {"class": kind}, f"{sign} ", spoken("span", {}, topic, tongues=known), tag("small", {}, f" {kind}"), where(topic)
    )


@lru_cache(maxsize=4096)
def _concepts(topic: str) -> frozenset[str]:
    from parakh.clinical.mentions import mentions  # takes a while to load

    return frozenset(one.concept.id for one in mentions([Segment("", words=topic, language="en")]))


@lru_cache(maxsize=4096)
def _names(concept: str) -> frozenset[str | None]:
    """A concept and the broader one that it is a kind of."""
    from parakh.clinical.lexicon import concepts

    known = concepts().get(concept)
    return frozenset({concept, known.broader} if known is not None else {concept})


# --- The summary ------------------------------------------------------------------------------------------------------------


def _marked_summary(summary: str, marks: Sequence[Mapping[str, Any]], signs: Signs, known: Tongues, anchor: str) -> Html:
    parts: list[str] = []
    at = 0
    stated = ((*place, one) for one in marks for place in one["places"])
    for start, end, mark in sorted(stated, key=lambda one: (one[0], -one[1])):
        if start >= at:  # a statement within another one is told by that
            parts += [summary[at:start], _mark(summary[start:end], mark, signs, anchor)]
            at = end
    return spoken("p", {"class": "summary-text"}, summary, *parts, summary[at:], tongues=known)


def _mark(text: str, mark: Mapping[str, Any], signs: Signs, anchor: str) -> Html:
    sign, meaning = _meaning(mark, signs)
    own = {"class": f"v-{mark['verdict']}", "title": meaning, "dir": "auto"}
    shown = [text, tag("sup", {"aria-label": f" ({meaning})", "role": "img"}, sign)]
    if not mark["said"]:
        return tag("span", own, *shown)
    return tag("a", {**own, "href": f"#{anchor}-t{mark['said'][0][0]}", "data-cite": ""}, *shown)


def _meaning(mark: Mapping[str, Any], signs: Signs) -> tuple[str, str]:
    sign, meaning = signs[mark["verdict"]]
    return sign, _WAYS.get(mark.get("status", ""), meaning)


def _legend(marks: Sequence[Mapping[str, Any]], signs: Signs) -> Html:
    """Each sign with its meaning and how often it stands; what was said in another way only where there is any."""
    counts = {(verdict, *told): 0 for verdict, told in signs.items()}
    for mark in marks:
        key = (mark["verdict"], *_meaning(mark, signs))
        counts[key] = counts.get(key, 0) + 1
    items = [
        tag("li", {}, tag("span", {"class": f"v-{verdict}"}, sign), f" {meaning}: {count}")
        for (verdict, sign, meaning), count in counts.items()
    ]
    return tag("ul", {"class": "legend"}, *items)


def _to_check(
    marks: Sequence[Mapping[str, Any]], signs: Signs, turns: Sequence[Mapping[str, Any]], known: Tongues, anchor: str
) -> Html:
    wrong = [mark for mark in marks if mark["verdict"] != "supported"]
    if not wrong:
        return Html("")
    items = []
    for mark in wrong:
        sign, meaning = _meaning(mark, signs)
        quoted = spoken("q", {}, mark["text"], tongues=known)
        told = [tag("span", {"class": f"v-{mark['verdict']}"}, sign), " ", quoted, f": {meaning}"]
        if mark["said"] and mark["verdict"] == "unsupported" and not mark.get("status"):
            told.append("; of this medicine other amounts were said")
        items.append(tag("li", {}, *told, _links(mark["said"], turns, anchor)))
    return join([tag("h5", {}, "Please check"), tag("ul", {"class": "check"}, *items)])


def _left_out(support: Support, known: Tongues, anchor: str) -> Html:
    missing, turns = support["missing"], support["turns"]
    if not missing:
        return Html("")
    groups = []
    for kind, name in _KINDS.items():
        items = [
            tag(
                "li",
                {},
                spoken("b" if one["in_reference"] else "span", {}, one["text"], tongues=known),
                " (not to be taken, or not taken)" if one.get("is_refused") else "",
                _links(one["said"], turns, anchor),
            )
            for one in missing
            if one["kind"] == kind
        ]
        if items:
            more = tag("details", {}, tag("summary", {}, f"{len(items) - _MOST} more"), tag("ul", {}, *items[_MOST:]))
            rest = more if len(items) > _MOST else Html("")
            groups.append(tag("div", {}, tag("h6", {}, name), tag("ul", {}, *items[:_MOST]), rest))
    listed = tag("div", {"class": "left-out"}, *groups)
    if support["source"] != "transcript":
        return join([tag("h5", {}, "In the summary by people, but not in this one"), listed])
    note = tag("p", {"class": "note"}, "In bold: what people wrote in their summary, by this or another name.")
    return join([tag("h5", {}, "Said, but not in this summary"), note, listed])


def _links(said: Sequence[Sequence[int]], turns: Sequence[Mapping[str, Any]], anchor: str) -> Html:
    """Links to the first few turns of some passages, named by their time."""
    found = sorted({place[0] for place in said})
    return join(
        join([" ", tag("a", {"href": f"#{anchor}-t{turn}", "class": "when", "data-cite": ""}, _when(turns[turn], turn))])
        for turn in found[:_LINKS]
    )


def _when(turn: Mapping[str, Any], number: int) -> str:
    return clock(int(turn["start"])).removesuffix(".0") if turn.get("start") is not None else f"turn {number + 1}"


# --- The conversation -------------------------------------------------------------------------------------------------------


def _conversation(support: Support, known: Tongues, anchor: str) -> Html:
    turns = support["turns"]
    cited: dict[int, list[tuple[int, int]]] = {}
    for one in (*support["marks"], *support["missing"]):
        for turn, start, end in one["said"]:
            cited.setdefault(turn, []).append((start, end))
    for places in (support.get("topics") or {}).values():
        for turn in places:
            cited.setdefault(turn, [])
    shown = [_turn(turn, number, cited.get(number), known, anchor) for number, turn in enumerate(turns)]
    note = tag("p", {"class": "only-cited note"}, "Of the conversation only the passages that are pointed to are printed.")
    return join([note, tag("div", {"class": "talk", "tabindex": "0", "role": "group", "aria-label": "The conversation"}, *shown)])


def _turn(turn: Mapping[str, Any], number: int, cited: list[tuple[int, int]] | None, known: Tongues, anchor: str) -> Html:
    text = str(turn.get("words") or "")
    who = str(turn.get("role") or turn.get("speaker") or "").replace("_", " ")
    head = f'<span class="who"><bdi>{escape(who)}</bdi></span> <span class="when">{_when(turn, number)}</span>'
    shown = spoken("p", {}, text, _passages(text, cited or ()), tongues=known)
    kept = ' class="cited"' if cited is not None else ""
    at = f' data-at="{float(turn["start"])}"' if turn.get("start") is not None else ""
    return Html(f'<div id="{anchor}-t{number}"{kept}{at}><div class="turn-head">{head}</div>{shown}</div>')


def _passages(text: str, spans: Sequence[tuple[int, int]]) -> Html:
    parts: list[str] = []
    at = 0
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if start >= at:
            parts += [text[at:start], tag("b", {}, text[start:end])]
            at = end
    return join([*parts, text[at:]])

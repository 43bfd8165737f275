"""Two transcripts side by side: the reference left, the system right, each word marked by what became of it.

A word in error shows what became of it by its element (``mark``, ``del``, ``ins``) and of what kind the error is by its class;
the legend counts the kinds and, with the script, picks one out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from parakh.errors import clock
from parakh.markup import Html, escape, join, spoken, tag
from parakh.report.tongues import Tongues, tongues
from parakh.types import Op

Turn = Mapping[str, Any]
Step = Mapping[str, Any]

NAMES = {
    Op.SUBSTITUTION: ("substitution", "another word stands there"),
    Op.DELETION: ("deletion", "a word of the reference is missing"),
    Op.INSERTION: ("insertion", "a word was added"),
}
"""What each kind of error is called, and what it means."""

KINDS = {
    "number": "numbers",
    "medical": "medical words",
    "negation": "denials",
    "speaker": "wrong speaker",
    "english": "English words",
    "filler": "hesitations",
    "spelling": "spelling only",
    "mark": "punctuation",
    "other": "other words",
}
"""What the kinds of ``diagnostics.kinds.WordErrorKind`` are called, the gravest first; results without them show none."""

SIDES = (("reference", "reference_segment"), ("hypothesis", "hypothesis_segment"))
ELEMENTS = {Op.SUBSTITUTION: "mark", Op.DELETION: "del", Op.INSERTION: "ins"}


@dataclass(frozen=True)
class Row:
    """One line of the side-by-side view.

    Args:
        reference: Index of the reference turn; None when the system spoke and nobody did.
        hypothesis: Indexes of the system's turns that belong beside it.
        elsewhere: Index of the system's turn that holds words of this reference turn but stands beside another one.
    """

    reference: int | None
    hypothesis: tuple[int, ...]
    elsewhere: int | None = None


def rows(reference: Sequence[Turn], hypothesis: Sequence[Turn], alignment: Sequence[Step]) -> list[Row]:
    """The turns in time order, each of the system's beside the reference turn it belongs to.

    That is the first one whose right words in it are at least a third of those of the reference turn with most.
    Substituted words do not count: they may pair turns that lie far apart. A turn without a right word stands beside
    the reference turn that it coincides with best (time shared, as a share of both together), or without times beside the
    one whose words it has others for; else on a row of its own.
    """
    shared, instead = _met(alignment, Op.MATCH), _met(alignment, Op.SUBSTITUTION)
    timed = [(ref, float(turn["start"]), float(turn["end"])) for ref, turn in enumerate(reference) if _timed(turn)]
    beside = {
        hyp: _home(turn, shared[hyp] or ({} if _timed(turn) else instead[hyp]), reference, timed)
        for hyp, turn in enumerate(hypothesis)
    }
    elsewhere = {ref: hyp for hyp, refs in shared.items() for ref in refs if beside.get(hyp) != ref}
    found: dict[int | None, list[int]] = defaultdict(list)
    for hyp in sorted(beside, key=lambda index: (_start(hypothesis[index]), index)):
        found[beside[hyp]].append(hyp)
    own = [Row(None, (hyp,)) for hyp in found.pop(None, [])]
    paired = [
        Row(ref, tuple(found.get(ref, ())), None if found.get(ref) else elsewhere.get(ref)) for ref in range(len(reference))
    ]
    return sorted(paired + own, key=lambda row: _row_start(row, reference, hypothesis))


def render(detail: Mapping[str, Any], colours: Mapping[str, str]) -> Html:
    """The side-by-side view of one recording.

    Args:
        detail: ``reference``, ``hypothesis``, ``mapping`` and ``alignment`` as results store them; any may be absent.
        colours: CSS class of each reference speaker.
    """
    reference, hypothesis = detail.get("reference") or [], detail.get("hypothesis") or []
    alignment, mapping = detail.get("alignment") or [], detail.get("mapping") or {}
    marked = _Marked(alignment)
    hues = {str(one["speaker"]): colours.get(mapping.get(one["speaker"], ""), "s-none") for one in hypothesis}
    known = tongues(detail.get("language"), hypothesis, reference)

    def mine(index: int) -> Html:
        turn = reference[index]
        return _turn(turn, marked.words("reference", index, turn), colours.get(turn["speaker"], "s-none"), None, known)

    def theirs(index: int) -> Html:
        turn = hypothesis[index]
        person = str(mapping.get(turn["speaker"]) or "")
        return _turn(turn, marked.words("hypothesis", index, turn), hues[str(turn["speaker"])], person, known)

    lines = []
    for row in rows(reference, hypothesis, alignment):
        left = mine(row.reference) if row.reference is not None else _blank("nobody speaks here")
        right = join(theirs(index) for index in row.hypothesis)
        if not row.hypothesis:
            right = _blank(_where(row, hypothesis))
        lines.append(Html(f'<div class="row"><div class="ref">{left}</div><div class="hyp">{right}</div></div>'))
    head = tag("div", {"class": "row head"}, tag("div", {}, "Reference (by people)"), tag("div", {}, "System"))
    return tag("div", {"class": "transcript"}, head, *lines)


def legend(alignment: Sequence[Step]) -> Html:
    """What the marks mean, each with its count; the kinds as buttons that pick one out."""
    counts = Counter(Op(step["op"]) for step in alignment)
    items = [tag("li", {}, tag(ELEMENTS[op], {}, name), f" {counts[op]} – {meaning}") for op, (name, meaning) in NAMES.items()]
    right = tag("li", {}, f"unmarked {counts[Op.MATCH]} – right")
    note = "Words are shown as they were compared; under the wrong speaker a word is missing on one side and added on the other."
    return join([tag("ul", {"class": "legend"}, right, *items, tag("li", {}, note)), _kinds(alignment)])


def _kinds(alignment: Sequence[Step]) -> Html:
    counts = Counter(str(step["kind"]) for step in alignment if step.get("kind"))
    if not counts:
        return Html("")
    buttons = [
        tag(
            "button",
            {"type": "button", "data-kind": kind, "data-name": name, "aria-pressed": "false"},
            tag("span", {"class": f"k-{kind}", "aria-hidden": "true"}, "ab"),
            f" {name} ",
            tag("b", {}, str(counts[kind])),
        )
        for kind, name in KINDS.items()
        if counts[kind]
    ]
    steps = [
        tag("button", {"type": "button", "data-jump": by, "aria-label": f"{name} error"}, sign)
        for by, name, sign in (("-1", "Previous", "↑"), ("1", "Next", "↓"))
    ]
    told = tag("span", {"class": "told", "role": "status"})
    named = {"class": "kinds", "role": "group", "aria-label": "Errors by kind"}
    return tag("div", named, tag("span", {}, "Errors by kind"), *buttons, tag("span", {"class": "jump"}, *steps, told))


class _Marked:
    """The steps of an alignment, found by turn."""

    def __init__(self, alignment: Sequence[Step]) -> None:
        self._steps: dict[tuple[str, int], list[tuple[int, Step]]] = defaultdict(list)
        for number, step in enumerate(alignment):
            for side, key in SIDES:
                if (index := step.get(key)) is not None:
                    self._steps[side, index].append((number, step))

    def words(self, side: str, index: int, turn: Turn) -> Html:
        """The words of one turn, errors marked; the turn's own text when nothing of it was aligned."""
        steps = self._steps.get((side, index))
        if not steps:
            return escape(str(turn.get("words") or ""))
        runs = groupby(steps, key=_fate)
        return Html(" ".join([_run(side, op, kind, run) for (op, kind), run in runs]))


def _fate(numbered: tuple[int, Step]) -> tuple[str, str | None]:
    return numbered[1]["op"], numbered[1].get("kind")


def _run(side: str, op: str, kind: str | None, steps: Iterable[tuple[int, Step]]) -> Html:
    """Neighbouring words with the same fate: one mark for missing or added ones, one each for substituted ones."""
    if op == Op.SUBSTITUTION:
        return Html(" ".join([_pair(side, kind, number, step) for number, step in steps]))
    text = escape(" ".join([str(step[side]) for _, step in steps]))
    return text if op == Op.MATCH else Html(f"<{ELEMENTS[Op(op)]}{_class(kind)}>{text}</{ELEMENTS[Op(op)]}>")


def _pair(side: str, kind: str | None, number: int, step: Step) -> str:
    """A substituted word; the script shows its partner, which stands in the other column under the same number."""
    return f'<mark{_class(kind)} data-k="{number}">{escape(str(step[side]))}</mark>'


def _class(kind: str | None) -> str:
    return f' class="k-{kind}"' if kind in KINDS else ""


def _turn(turn: Turn, words: Html, colour: str, person: str | None, known: Tongues) -> Html:
    """One turn; ``person`` is whom a speaker of the system stands for, "" for nobody, None for a turn of the reference."""
    speaker = str(turn["speaker"] or "speaker unknown")
    who = [f"<bdi>{escape(speaker)}</bdi>"]
    who += [f"<bdi>{escape(str(turn['role']))}</bdi>"] if turn.get("role") else []
    if person is not None:
        who.append(f"as <bdi>{escape(person)}</bdi>" if person else "nobody in the reference")
    times, place = "", ""
    if _timed(turn):
        times = f"{clock(turn['start'])} – {clock(turn['end'])}"
        place = f' data-t="{turn["start"]:.3f} {turn["end"]:.3f}"'
    head = f'<span class="who">{" · ".join(who)}</span> <span class="when">{times}</span>'
    text = str(turn.get("words") or "")
    shown = spoken("p", {}, text, words, tongues=known) if text.strip() else _blank("no words")
    about = f'class="turn {colour}" data-who="{escape(str(turn["speaker"]))}"{place}'
    return Html(f'<div {about}><div class="turn-head">{head}</div>{shown}</div>')


def _blank(note: str) -> Html:
    return tag("p", {"class": "blank"}, note)


def _where(row: Row, hypothesis: Sequence[Turn]) -> str:
    if row.elsewhere is None:
        return "nothing was written here"
    turn = hypothesis[row.elsewhere]
    return f"part of the turn at {clock(turn['start'])}" if _timed(turn) else "part of another turn"


def _met(alignment: Sequence[Step], op: Op) -> dict[int, Counter[int]]:
    """By turn of the system: how many of its words met those of each reference turn in such a step."""
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for step in alignment:
        if step["op"] == op:
            found[step["hypothesis_segment"]][step["reference_segment"]] += 1
    return found


def _home(
    turn: Turn, shared: Mapping[int, int], reference: Sequence[Turn], timed: Sequence[tuple[int, float, float]]
) -> int | None:
    if shared:
        most = max(shared.values())
        return min((ref for ref in shared if 3 * shared[ref] >= most), key=lambda ref: (_start(reference[ref]), ref))
    if not _timed(turn):
        return None
    start, end = float(turn["start"]), float(turn["end"])
    overlaps = [
        ((min(end, last) - max(start, first)) / (max(end, last) - min(start, first)), -ref)
        for ref, first, last in timed
        if first < end and start < last
    ]
    return -max(overlaps)[1] if overlaps else None


def _timed(turn: Turn) -> bool:
    return turn.get("start") is not None and turn.get("end") is not None


def _start(turn: Turn) -> float:
    return float(turn["start"]) if _timed(turn) else float("inf")


def _row_start(row: Row, reference: Sequence[Turn], hypothesis: Sequence[Turn]) -> float:
    return _start(reference[row.reference]) if row.reference is not None else _start(hypothesis[row.hypothesis[0]])

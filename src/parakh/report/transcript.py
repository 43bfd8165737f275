"""Two transcripts side by side: the reference left, the system right, each word marked by what became of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from parakh.errors import clock
from parakh.markup import Html, join, spoken, tag
from parakh.types import Op

Turn = Mapping[str, Any]
Step = Mapping[str, Any]

NAMES = {
    Op.SUBSTITUTION: ("substitution", "another word stands there"),
    Op.DELETION: ("deletion", "a word of the reference is missing"),
    Op.INSERTION: ("insertion", "a word was added"),
}
"""What each kind of error is called, and what it means."""

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
    the reference turn that it coincides with best (time shared, as a share of both together), else on a row of its own.
    """
    shared: dict[int, Counter[int]] = defaultdict(Counter)
    for step in alignment:
        if step["op"] == Op.MATCH:
            shared[step["hypothesis_segment"]][step["reference_segment"]] += 1
    beside = {hyp: _home(hyp, shared[hyp], reference, hypothesis) for hyp in range(len(hypothesis))}
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

    def mine(index: int) -> Html:
        turn = reference[index]
        return _turn(turn, marked.words("reference", index, turn), colours.get(turn["speaker"], "s-none"), "")

    def theirs(index: int) -> Html:
        turn = hypothesis[index]
        person = mapping.get(turn["speaker"])
        as_whom = f"as {person}" if person else "nobody in the reference"
        return _turn(turn, marked.words("hypothesis", index, turn), hues[str(turn["speaker"])], as_whom)

    lines = []
    for row in rows(reference, hypothesis, alignment):
        left = mine(row.reference) if row.reference is not None else _blank("nobody speaks here")
        right = join(theirs(index) for index in row.hypothesis)
        if not row.hypothesis:
            right = _blank(_where(row, hypothesis))
        lines.append(tag("div", {"class": "row"}, tag("div", {"class": "ref"}, left), tag("div", {"class": "hyp"}, right)))
    head = tag("div", {"class": "row head"}, tag("div", {}, "Reference (by people)"), tag("div", {}, "System"))
    return tag("div", {"class": "transcript"}, head, *lines)


def legend(alignment: Sequence[Step]) -> Html:
    """What the marks mean, each with its count."""
    counts = Counter(Op(step["op"]) for step in alignment)
    items = [tag("li", {}, tag(ELEMENTS[op], {}, name), f" {counts[op]} – {meaning}") for op, (name, meaning) in NAMES.items()]
    right = tag("li", {}, f"unmarked {counts[Op.MATCH]} – right")
    note = "Words are shown as they were compared; under the wrong speaker a word is missing on one side and added on the other."
    return tag("ul", {"class": "legend"}, right, *items, tag("li", {}, note))


class _Marked:
    """The steps of an alignment, found by turn."""

    def __init__(self, alignment: Sequence[Step]) -> None:
        self._steps: dict[tuple[str, int], list[tuple[int, Step]]] = defaultdict(list)
        for number, step in enumerate(alignment):
            for side in ("reference", "hypothesis"):
                if (index := step.get(f"{side}_segment")) is not None:
                    self._steps[side, index].append((number, step))

    def words(self, side: str, index: int, turn: Turn) -> list[str]:
        """The words of one turn, errors marked; the turn's own text when nothing of it was aligned."""
        steps = self._steps.get((side, index))
        if not steps:
            return [str(turn.get("words") or "")]
        runs = groupby(steps, key=lambda numbered: Op(numbered[1]["op"]))
        return [part for op, run in runs for part in (_run(side, op, list(run)), " ")]


def _run(side: str, op: Op, steps: Sequence[tuple[int, Step]]) -> str:
    """Neighbouring words with the same fate: one mark for missing or added ones, one each for substituted ones."""
    text = " ".join(str(step[side]) for _, step in steps)
    if op is Op.MATCH:
        return text
    return join(_pairs(side, steps)) if op is Op.SUBSTITUTION else tag(ELEMENTS[op], {}, text)


def _pairs(side: str, steps: Sequence[tuple[int, Step]]) -> Iterator[str]:
    for place, (number, step) in enumerate(steps):
        other = f"system wrote: {step['hypothesis']}" if side == "reference" else f"reference: {step['reference']}"
        yield " " if place else ""
        yield tag(ELEMENTS[Op.SUBSTITUTION], {"data-k": str(number), "title": other}, str(step[side]))


def _turn(turn: Turn, words: Sequence[str], colour: str, as_whom: str) -> Html:
    who = [str(turn["speaker"] or "speaker unknown"), str(turn.get("role") or ""), as_whom]
    times = f"{clock(turn['start'])} – {clock(turn['end'])}" if _timed(turn) else ""
    name = tag("span", {"class": "who"}, " · ".join(part for part in who if part))
    head = tag("div", {"class": "turn-head"}, name, " ", tag("span", {"class": "when"}, times))
    text = str(turn.get("words") or "")
    shown = spoken("p", {}, text, *words) if text.strip() else _blank("no words")
    place = {"class": f"turn {colour}", "data-who": str(turn["speaker"])}
    if times:
        place["data-t"] = f"{turn['start']:.3f} {turn['end']:.3f}"
    return tag("div", place, head, shown)


def _blank(note: str) -> Html:
    return tag("p", {"class": "blank"}, note)


def _where(row: Row, hypothesis: Sequence[Turn]) -> str:
    if row.elsewhere is None:
        return "nothing was written here"
    turn = hypothesis[row.elsewhere]
    return f"part of the turn at {clock(turn['start'])}" if _timed(turn) else "part of another turn"


def _home(hyp: int, shared: Counter[int], reference: Sequence[Turn], hypothesis: Sequence[Turn]) -> int | None:
    if shared:
        most = max(shared.values())
        return min((ref for ref in shared if 3 * shared[ref] >= most), key=lambda ref: (_start(reference[ref]), ref))
    if not _timed(hypothesis[hyp]):
        return None
    overlaps = {ref: _coincidence(turn, hypothesis[hyp]) for ref, turn in enumerate(reference) if _timed(turn)}
    best = max(overlaps, key=lambda ref: overlaps[ref], default=None)
    return best if best is not None and overlaps[best] > 0 else None


def _coincidence(one: Turn, other: Turn) -> float:
    shared = float(min(one["end"], other["end"]) - max(one["start"], other["start"]))
    either = float(max(one["end"], other["end"]) - min(one["start"], other["start"]))
    return shared / either if either else 0.0


def _timed(turn: Turn) -> bool:
    return turn.get("start") is not None and turn.get("end") is not None


def _start(turn: Turn) -> float:
    return float(turn["start"]) if _timed(turn) else float("inf")


def _row_start(row: Row, reference: Sequence[Turn], hypothesis: Sequence[Turn]) -> float:
    return _start(reference[row.reference]) if row.reference is not None else _start(hypothesis[row.hypothesis[0]])

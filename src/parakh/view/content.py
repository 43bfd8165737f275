"""What the terminal shows of results: the recordings, worst first, and the lines of one of them.

Every line is text with styles, never markup, so that what people said and what files are called is shown as it is. Signs say what
the colours say. Words are kept whole and in logical order; a terminal that turns right-to-left words around does so by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.text import Text

from parakh import lanes
from parakh.alignment import GRAVE, NAMES, Alignment, Line
from parakh.display import heading, shown
from parakh.errors import clock, printable
from parakh.results import RecordingResult, Results
from parakh.text.graphemes import aksharas
from parakh.text.masking import masked
from parakh.types import AlignedWord, Finding, Op, Severity

STYLES = {Op.SUBSTITUTION: "bold yellow", Op.DELETION: "bold red", Op.INSERTION: "bold cyan"}
_SEVERITY = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}
_LANE = 14
"""Cells of a lane's name."""
_RIGHT_TO_LEFT = "right-to-left words stand in logical order; some terminals turn them around, others do not"


@dataclass(frozen=True)
class Shown:
    """A line of a recording.

    Args:
        text: What it says.
        wrong: Whether it holds an error: what n and p go to.
        grave: Whether it holds one on a number, a medical word or a denial: what g goes to.
    """

    text: Text
    wrong: bool = False
    grave: bool = False


@dataclass(frozen=True)
class Board:
    """One system: its results of each track, and the order of its recordings.

    Args:
        system: Its name.
        results: Of each track, in the order given.
        metric: Track and name of the metric that recordings are ordered by.
        reverse: Whether the best come first.
        wanted: What a recording's id or slices must hold, in any case; "" for all.
    """

    system: str
    results: tuple[Results, ...]
    metric: tuple[str, str]
    reverse: bool = False
    wanted: str = ""

    def metrics(self) -> list[tuple[str, str]]:
        """Track and name of every metric there is."""
        return [(one.track, name) for one in self.results for name in one.metrics]

    def columns(self) -> list[tuple[str, str]]:
        """Those that are shown: all of a single track, else the first of each, and always the one that gives the order."""
        if len(self.results) == 1:
            return self.metrics()
        first = [(one.track, next(iter(one.metrics))) for one in self.results if one.metrics]
        return first + [self.metric] * (self.metric not in first)

    def next_metric(self) -> Board:
        """Ordered by the next metric."""
        known = self.metrics()
        return replace(self, metric=known[(known.index(self.metric) + 1) % len(known)]) if known else self

    def ids(self) -> list[str]:
        """The recordings that are shown, worst first; those of other tracks alone come last."""
        track, metric = self.metric
        ordered = [one.id for held in self.results if held.track == track for one in held.worst(metric=metric)]
        others = sorted({one.id for held in self.results for one in held.recordings} - set(ordered))
        found = [one for one in ordered + others if self._is_wanted(one)]
        return found[::-1] if self.reverse else found

    def of(self, name: str) -> list[tuple[Results, RecordingResult]]:
        """What each track has of a recording."""
        return [(held, one) for held in self.results for one in held.recordings if one.id == name]

    def row(self, name: str) -> list[Text]:
        """The cells of a recording: its id, then its values."""
        values = {held.track: one.metrics for held, one in self.of(name)}
        cells = [shown(metric, values[track].get(metric)) if track in values else "" for track, metric in self.columns()]
        return [Text(safe(name)), *(Text(cell, justify="right") for cell in cells)]

    def headings(self) -> list[str]:
        """Of the columns; the one that gives the order is marked."""
        return ["recording", *(f"{'*' * ((track, name) == self.metric)}{heading(name)}" for track, name in self.columns())]

    def _is_wanted(self, name: str) -> bool:
        wanted = self.wanted.casefold()
        values = (value for _, one in self.of(name) for held in one.slices.values() for value in held)
        return any(wanted in text.casefold() for text in (name, *values))


def boards(results: Sequence[Results], metric: str | None = None) -> list[Board]:
    """The systems, in the order given; a second results of one track and system opens a further board.

    Args:
        results: Of any systems and tracks.
        metric: What recordings are ordered by, where a board has it; None takes the first ranking metric.

    >>> from parakh.results import Score, Signature, Stats
    >>> made = Results("asr", "ours", Signature({}), {"wer": Score(0.5, Stats())}, (RecordingResult("v1", {"wer": 0.5}, {}),))
    >>> [(one.system, one.ids()) for one in boards([made])]
    [('ours', ['v1'])]
    """
    held: list[list[Results]] = []
    for one in results:
        free = (own for own in held if own[0].system == one.system and one.track not in {other.track for other in own})
        own = next(free, None)
        if own is None:
            held.append([one])
        else:
            own.append(one)
    made = [Board(own[0].system, tuple(own), ("", "")) for own in held]
    return [replace(one, metric=_chosen(one.metrics(), metric)) for one in made]


def recording(board: Board, name: str, width: int) -> list[Shown]:
    """The lines of a recording: of each track its figures, what was noticed, and what it looks like.

    Args:
        board: The system.
        name: The recording.
        width: Cells of a line, for the lanes.
    """
    return [line for held, one in board.of(name) for line in _track(held.track, one, width)]


def about(board: Board) -> list[Text]:
    """What there is to know of a system as a whole: each track's metrics and signature, and what was noticed.

    >>> from parakh.results import Signature
    >>> [line.plain for line in about(boards([Results("asr", "ours", Signature({"collar": "3.0"}), {}, ())])[0])][-2]
    'signature: collar:3.0'
    """
    lines = []
    for one in board.results:
        lines += [Text(safe(line)) for line in repr(one).splitlines()]
        lines += [*map(_finding, one.findings), Text("")]
    return lines


def safe(text: str) -> str:
    r"""A text that a terminal shows and does not obey: control characters and signs that turn the writing around are escaped.

    >>> safe("a\x1b[2J [red]")
    'a\\x1b[2J [red]'
    """
    return printable(text.encode("utf-8", "replace").decode("utf-8"))


def wrapped(text: Text, width: int) -> Text:
    r"""A line cut into lines that fit any terminal: between words, and inside a longer one between aksharas.

    Terminals do not agree whether a vowel sign that stands beside its letter takes a cell; here it does, so that nothing is lost
    at the edge of one that thinks so.

    Args:
        text: One line.
        width: Cells of the terminal.

    >>> wrapped(Text("खाँसी और बुखार"), 9).plain
    'खाँसी और\nबुखार'
    """
    cuts, used, at = [], 0, 0
    for word in re.findall(r"\s*\S+", text.plain):
        pieces = [word] if _cells(word.lstrip()) <= width else aksharas(word)
        for piece in pieces:
            if used and used + _cells(piece) > width:
                cuts.append(at)
                used = -len(piece) + len(piece.lstrip())
            used += _cells(piece)
            at += len(piece)
    lines = text.divide(cuts)
    return Text("\n").join(_stripped(line) for line in lines)


def _stripped(line: Text) -> Text:
    blank = len(line.plain) - len(line.plain.lstrip())
    line.rstrip()
    return line[blank:] if blank else line


def _cells(text: str) -> int:
    """Cells of a text where every sign takes one but those that stand above, below or nowhere; wide ones take two."""
    shown_signs = [sign for sign in text if unicodedata.category(sign) not in {"Mn", "Me", "Cf"}]
    return len(shown_signs) + sum(unicodedata.east_asian_width(sign) in {"W", "F"} for sign in shown_signs)


def _chosen(known: Sequence[tuple[str, str]], metric: str | None) -> tuple[str, str]:
    return next((one for one in known if one[1] == metric), known[0] if known else ("", ""))


def _track(track: str, one: RecordingResult, width: int) -> Iterator[Shown]:
    figures = "  ".join(f"{name} {shown(name, value)}" for name, value in one.metrics.items())
    yield Shown(Text.assemble((track, "bold underline"), f"  {figures}"))
    for finding in one.findings:
        yield Shown(_finding(finding))
    detail = one.detail
    if not detail:
        yield Shown(Text("these results hold the figures alone; score with --detail to see turns and texts", "dim"))
    elif "alignment" in detail:
        yield from _alignment(one.alignment())
    elif track == "diarization" or "mapping" in detail:
        yield from _lanes(detail, width)
    elif isinstance(detail.get("reference"), str):
        yield from (Shown(line) for line in _summaries(detail))
    else:
        yield from _topics(detail.get("reference") or (), detail.get("hypothesis"))
    yield Shown(Text(""))


def _finding(finding: Finding) -> Text:
    return Text.assemble((f"{finding.severity} ", _SEVERITY[finding.severity]), safe(masked(finding.message)))


def _alignment(found: Alignment) -> Iterator[Shown]:
    counts = found.counts()
    legend = Text(f"{counts[Op.MATCH]} {NAMES[Op.MATCH]}")
    for op, sign in ((Op.SUBSTITUTION, "[a→b]"), (Op.DELETION, "[-a]"), (Op.INSERTION, "[+b]")):
        legend.append("   ").append(f"{sign} {counts[op]} {NAMES[op]}", STYLES[op])
    yield Shown(legend)
    lines = found.lines()
    words = "".join(step.reference or step.hypothesis or "" for line in lines for step in line.steps)
    if any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in words):
        yield Shown(Text(_RIGHT_TO_LEFT, "dim"))
    for line in lines:
        wrong, grave = (any(test(step) for step in line.steps) for test in (_is_wrong, _is_grave))
        yield Shown(_line(line), wrong, grave)


def _line(line: Line) -> Text:
    head = safe(line.head())
    text = Text.assemble((f"{head}: " if head else "", "dim"))
    for place, step in enumerate(line.steps):
        text.append(" " if place else "").append(*_word(step))
        if _is_grave(step):
            text.append(f"‹{step.kind}›", STYLES[step.op])
    return text


def _is_wrong(step: AlignedWord) -> bool:
    return step.op is not Op.MATCH


def _is_grave(step: AlignedWord) -> bool:
    return step.kind in GRAVE


def _word(step: AlignedWord) -> tuple[str, str]:
    reference, hypothesis = safe(step.reference or ""), safe(step.hypothesis or "")
    if step.op is Op.MATCH:
        return reference, ""
    words = {Op.SUBSTITUTION: f"{reference}→{hypothesis}", Op.DELETION: f"-{reference}", Op.INSERTION: f"+{hypothesis}"}
    return f"[{words[step.op]}]", STYLES[step.op]


def _lanes(detail: Mapping[str, Any], width: int) -> Iterator[Shown]:
    drawn, wrong = lanes.lanes(detail), lanes.errors(detail)
    end, cells = lanes.duration(drawn, wrong), max(width - _LANE - 1, 10)
    for lane in drawn:
        name = f"{'  ' * (lane.side == 'system')}{safe(lane.name)}"
        yield Shown(Text.assemble(_name(name), (lanes.blocks(lane.spans, end, cells), lane.colour)))
    for kind, spans in wrong.items():
        if spans:
            called, colour = lanes.KINDS[kind]
            seconds = sum(stop - start for start, stop in spans)
            yield Shown(Text.assemble(_name(called), (lanes.blocks(spans, end, cells), colour), f" {seconds:.1f} s"), wrong=True)
    stop = clock(end)
    yield Shown(Text.assemble(_name(""), (f"0:00.0{stop:>{max(cells - 6, len(stop))}}", "dim")))


def _name(text: str) -> Text:
    name = Text(text)
    name.truncate(_LANE, overflow="ellipsis", pad=True)
    return name.append(" ")


def _topics(reference: Sequence[str], answer: Sequence[str] | None) -> Iterator[Shown]:
    if answer is None:
        yield Shown(Text("the system gave no answer", "dim"))
    left = Counter(_folded(topic) for topic in answer or ())
    for topic in reference:
        found = left[_folded(topic)] > 0
        left[_folded(topic)] -= found
        text = Text.assemble(("✓ ", "green"), safe(topic)) if found else Text(f"[-{safe(topic)}]", STYLES[Op.DELETION])
        yield Shown(text, not found)
    for topic in answer or ():
        if left[_folded(topic)] > 0:
            left[_folded(topic)] -= 1
            yield Shown(Text(f"[+{safe(topic)}]", STYLES[Op.INSERTION]), True)


def _folded(topic: str) -> str:
    return " ".join(topic.casefold().split())


def _summaries(detail: Mapping[str, Any]) -> Iterator[Text]:
    for side, called in (("reference", "reference"), ("hypothesis", "system")):
        text = detail.get(side)
        shown_text = ("no answer", "dim") if text is None else (safe(" ".join(text.split())), "")
        yield Text.assemble((f"{called}: ", "bold"), shown_text)

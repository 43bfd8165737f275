"""What an alignment is: a list of steps that a notebook shows in colour, a console as lines, and a frame as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parakh.errors import clock, printable
from parakh.markup import Html
from parakh.types import AlignedWord, Op

_SHOWN = 20
GRAVE = ("number", "medical", "negation")
"""Kinds of errors that may change what is done for a patient."""
NAMES = {Op.MATCH: "right", Op.SUBSTITUTION: "substituted", Op.DELETION: "missing", Op.INSERTION: "added"}
"""What became of a word, as people read it."""


@dataclass(frozen=True)
class Line:
    """What was said in one turn and what became of it; or what a system wrote while nobody spoke.

    Args:
        speaker: Who said it; None for a turn of the system alone, and without speakers.
        written_as: Whom the system gave most of it to; None where it wrote nothing, and without speakers.
        start: Second of its first word; None without times.
        end: Second of its last word's end; None without times.
        steps: Its words.
    """

    speaker: str | None
    written_as: str | None
    start: float | None
    end: float | None
    steps: tuple[AlignedWord, ...]

    def head(self) -> str:
        """When it was said and by whom; whom the system gave it to, where that is another name.

        >>> Line("asha", "spk0", 1.5, 3.0, ()).head(), Line("asha", "asha", None, None, ()).head()
        ('0:01.5 asha as spk0', 'asha')
        """
        heard = f"as {self.written_as}" if self.written_as and self.written_as != self.speaker else ""
        when = "" if self.start is None else clock(self.start)
        return " ".join(part for part in (when, self.speaker or "", heard) if part)


class Alignment(list[AlignedWord]):
    """The steps of an alignment, in the order of the metric that made it.

    >>> Alignment([AlignedWord(Op.SUBSTITUTION, "दीदी", "बहन"), AlignedWord(Op.INSERTION, None, "जी")])
    Alignment: 0 right, 1 substituted, 0 missing, 1 added
    [दीदी → बहन] [+ जी]
    """

    def counts(self) -> dict[Op, int]:
        """How many steps of each kind there are.

        >>> Alignment([AlignedWord(Op.MATCH, "जी", "जी")]).counts()[Op.MATCH]
        1
        """
        found = Counter(step.op for step in self)
        return {op: found[op] for op in Op}

    def lines(self) -> list[Line]:
        """The steps by turn: a line for each reference segment, and one for each of the system's that meets none.

        Returns:
            In time order where all have times, else in the alignment's order.

        >>> [line.speaker for line in Alignment([AlignedWord(Op.DELETION, "जी", None, 0, None, "asha")]).lines()]
        ['asha']
        """
        groups: dict[tuple[str, int | None], list[AlignedWord]] = {}
        place: tuple[str, int | None] = ("hypothesis", None)
        heard: int | None = None
        for step in self:
            if step.op is not Op.INSERTION:
                place = ("reference", step.reference_segment)
            elif step.hypothesis_segment != heard or place not in groups:
                place = ("hypothesis", step.hypothesis_segment)
            heard = heard if step.op is Op.DELETION else step.hypothesis_segment
            groups.setdefault(place, []).append(step)
        lines = [_line(steps) for steps in groups.values()]
        if all(line.start is not None for line in lines):
            lines.sort(key=lambda line: line.start or 0.0)
        return lines

    def to_frame(self, library: str | None = None) -> Any:
        """The steps as a table, a row a step.

        Args:
            library: "pandas" or "polars"; None takes the one that is installed, pandas first.

        Returns:
            A data frame; words and speakers are text, times are seconds, None is a missing value.

        Raises:
            MissingPackageError: The library is not installed.
            UnknownNameError: There is no such library.

        >>> Alignment([AlignedWord(Op.MATCH, "जी", "जी")]).to_frame().op.tolist()
        ['match']
        """
        from parakh import frames

        return frames.alignment_frame(self, library)

    def _repr_html_(self) -> Html:
        from parakh import display

        return display.alignment_html(self)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {NAMES[op]}" for op, count in self.counts().items())
        lines = self.lines()
        more = [f"... and {len(lines) - _SHOWN} more lines"] if len(lines) > _SHOWN else []
        return "\n".join([f"Alignment: {counts}", *map(told, lines[:_SHOWN]), *more])


def from_detail(steps: Sequence[Mapping[str, Any]]) -> Alignment:
    """The alignment that a results file keeps of a recording (``RecordingResult.detail["alignment"]``).

    Args:
        steps: One mapping a step, with the names of ``AlignedWord``.

    >>> from_detail([{"op": "match", "reference": "जी", "hypothesis": "जी"}])[0].op
    <Op.MATCH: 'match'>
    """
    names = [name for name in AlignedWord.__dataclass_fields__ if not name.endswith("_time") and name != "op"]
    return Alignment(
        AlignedWord(
            op=Op(step["op"]),
            **{name: step.get(name) for name in names},
            reference_time=_time(step.get("reference_time")),
            hypothesis_time=_time(step.get("hypothesis_time")),
        )
        for step in steps
    )


def told(line: Line) -> str:
    """A line as plain text: who and when, then the words, errors in brackets.

    >>> told(Line("asha", "spk0", 1.5, 3.0, (AlignedWord(Op.DELETION, "हाँ", None), AlignedWord(Op.MATCH, "जी", "जी"))))
    '0:01.5 asha as spk0: [- हाँ] जी'
    """
    head = line.head()
    return printable(f"{head}: " * bool(head) + " ".join(map(_word, line.steps)))


def _word(step: AlignedWord) -> str:
    if step.op is Op.SUBSTITUTION:
        return f"[{step.reference} → {step.hypothesis}]"
    if step.op is Op.MATCH:
        return str(step.reference)
    return f"[- {step.reference}]" if step.op is Op.DELETION else f"[+ {step.hypothesis}]"


def _line(steps: Sequence[AlignedWord]) -> Line:
    said = [step.reference_speaker for step in steps if step.reference_speaker is not None]
    heard = Counter(step.hypothesis_speaker for step in steps if step.hypothesis_speaker is not None)
    own = [step.reference_time for step in steps if step.reference_time is not None]
    times = own or [step.hypothesis_time for step in steps if step.hypothesis_time is not None]
    return Line(
        speaker=said[0] if said else None,
        written_as=heard.most_common(1)[0][0] if heard else None,
        start=min((time[0] for time in times), default=None),
        end=max((time[1] for time in times), default=None),
        steps=tuple(steps),
    )


def _time(ends: Sequence[float] | None) -> tuple[float, float] | None:
    return None if ends is None else (float(ends[0]), float(ends[1]))

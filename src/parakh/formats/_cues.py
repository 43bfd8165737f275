"""What subtitles share: cues of a line of times and the lines of text after it, and clock times to the millisecond."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from parakh.formats._text import MOST_SECONDS, Reader, Writer, milliseconds, shown

ARROW = "-->"
_GOES_ON = "A blank line ends a cue: take it out if this text goes on from the cue before."


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue: its times as they stand, the line before them if there is one, and the lines of text.

    Args:
        line: 1-based line of the times.
        times: That line.
        label: The line before it: an identifier or number.
        text: The lines after it, up to the next blank line.
    """

    line: int
    times: str
    label: str | None = None
    text: list[str] = field(default_factory=list)


def cues(
    reader: Reader, lines: list[tuple[int, str]], is_blank: Callable[[str], bool], is_label: Callable[[str], bool]
) -> Iterator[Cue]:
    """The cues among numbered lines; notes a fault for text without times.

    A line of times right after text begins the next cue, with a finding; the last line of that text is its label if it
    can be nothing else.
    """
    cue: Cue | None = None
    before: list[tuple[int, str]] = []
    for number, line in [*lines, (0, "")]:
        if ARROW in line:
            if cue is not None:
                what = "a line of times follows text without a blank line; it begins a new cue"
                reader.notice("missing-blank-line", number, what)
                before = [(number - 1, cue.text.pop())] if cue.text and is_label(cue.text[-1]) else []
                yield cue
            _stray(reader, before[:-1], is_label)
            cue, before = Cue(number, line, before[-1][1] if before else None), []
        elif not is_blank(line):
            cue.text.append(line) if cue is not None else before.append((number, line))
        else:
            _stray(reader, before, is_label)
            before = []
            if cue is not None:
                yield cue
            cue = None


def note_rolling(reader: Reader, lines: Sequence[int], texts: Sequence[str]) -> None:
    """Notice texts that begin with the line that the text before ends with, as captions do that roll up a line at a time.

    A line of a single word is left alone: people say हाँ twice.
    """
    last = ""
    for line, text in zip(lines, texts, strict=True):
        rows = [row.strip() for row in text.split("\n") if row.strip()]
        if rows and rows[0] == last and len(last.split()) > 1:
            what = "the text begins with the last line of the one before, as rolling captions do; its words count twice"
            reader.notice("rolling-captions", line, what)
        last = rows[-1] if rows else last


def _stray(reader: Reader, lines: list[tuple[int, str]], is_label: Callable[[str], bool]) -> None:
    if lines:
        number, line = lines[1 if len(lines) > 1 and is_label(lines[0][1]) else 0]
        reader.fault(number, "", shown(line), f"a line of times (start {ARROW} end)", _GOES_ON)


@dataclass(frozen=True, slots=True)
class Clock:
    """How a format writes times: the pattern with groups of hours, minutes, seconds and milliseconds, and its name.

    Args:
        pattern: Of one time.
        expected: What it is called in a fault.
        point: What stands before the milliseconds when written.
    """

    pattern: re.Pattern[str]
    expected: str
    point: str

    def span(self, reader: Reader, cue: Cue) -> tuple[float, float, str] | None:
        """Start and end of a cue in seconds and what follows them; None after noting the fault."""
        first, _, rest = cue.times.partition(ARROW)
        last, settings = (*rest.split(None, 1), "", "")[:2]
        start, end = self._seconds(reader, cue.line, "start", first.strip()), self._seconds(reader, cue.line, "end", last)
        if start is None or end is None:
            return None
        if end < start:
            reader.fault(cue.line, "end", shown(last), f"a time >= the start ({first.strip()})", "Swap or mend the times.")
            return None
        if end == start:
            reader.zero_duration(cue.line)
        return start, end, settings

    def _seconds(self, reader: Reader, line: int, field: str, text: str) -> float | None:
        match = self.pattern.fullmatch(text)
        if match is None:
            point = self.pattern.fullmatch(text.replace(",", "."))
            action = "Write a full stop before the milliseconds." if point else ""
            reader.fault(line, field, shown(text) if text else "nothing", self.expected, action)
            return None
        hours, minutes, seconds, rest = match.groups()
        value = ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(rest)
        if value > MOST_SECONDS * 1000:
            reader.fault(line, field, shown(text), f"seconds <= {MOST_SECONDS:g}")
            return None
        return value / 1000

    def line(self, writer: Writer, entry: int, start: float | None, end: float | None) -> str:
        """The line of times of a cue, rounded to milliseconds."""
        writer.span(entry, start, end)
        return f"{self._text(start)} {ARROW} {self._text(end)}"

    def _text(self, seconds: float | None) -> str:
        whole, rest = divmod(milliseconds(seconds), 1000)
        minutes = whole // 60
        return f"{minutes // 60:02}:{minutes % 60:02}:{whole % 60:02}{self.point}{rest:03}"

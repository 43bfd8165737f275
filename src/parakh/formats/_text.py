"""What readers and writers share: one pass over a file that gathers every fault, and the form of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from pathlib import Path
from typing import NoReturn, TypeVar

from parakh import _native
from parakh.errors import Fault, InputError, counted, printable
from parakh.files import read_text
from parakh.types import Finding, Loaded, Segment, Severity

Item = TypeVar("Item")

_EXACT = Context(prec=60)
_NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_NOT_FINITE = {"nan", "inf", "infinity"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LEAST_PERSONAL = 7
"""Signs without which a text holds no personal number."""
_BEYOND = 20
"""Signs looked at beyond those that are shown, so that a number is known although its end is cut off."""
_GZ = ".gz"
SAY_WHICH = "Say which with --reference-format or --hypothesis-format."
FILE_NAME = "an id that can be a file name"
PRINTABLE = "a name without control characters"
SECONDS = "seconds >= 0"
MOST_SECONDS = 1e9
"""Times above it (30 years) are not times of a recording; sums of times stay finite."""


class Faults:
    """Gathers what is wrong with one file, so that all of it is told at once; keeps the first 50, counts the rest."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._faults: list[Fault] = []
        self._more = 0

    def fault(self, line: int | None, field: str, found: str, expected: str, action: str = "") -> None:
        """Note one fault."""
        if len(self._faults) < InputError.SHOWN:
            self._faults.append(Fault(self.path, field, found, expected, action, line))
        else:
            self._more += 1

    def names(self, line: int | None, values: Mapping[str, str | None]) -> None:
        """Note a fault for each name with a control character: names are printed, and a terminal would obey it."""
        for field, value in values.items():
            if value and not value.isprintable() and _CONTROL.search(value):
                self.fault(line, field, shown(value), PRINTABLE, "Rename it.")

    @property
    def found(self) -> bool:
        """Whether there was any."""
        return bool(self._faults)

    def check(self) -> None:
        """Raise InputError if there was any."""
        if self._faults:
            raise InputError(self._faults, self._more)


@dataclass(frozen=True)
class Plain:
    """The form that most lines of a format have; lines of that form are read natively, all at once.

    Args:
        columns: What each column is: a field of Segment, "duration", or "=TEXT" for a column that is always TEXT. The words
            as the last one are the rest of the line.
        least: How many of them a line has to have.
        tabs: Whether single tabs separate them; else any number of blanks and tabs, the words after exactly one.
        odd: Signs of ASCII that have a meaning in the words.
    """

    columns: tuple[str, ...]
    least: int
    tabs: bool = False
    odd: str = ""


class Reader(Faults):
    """One pass over one text file: its records, the faults met on the way, and what was only noticed."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        super().__init__(path)
        self.text = read_text(path) if text is None else text
        self._notices: dict[str, tuple[str, Severity, list[int]]] = {}
        self._places: Sequence[int] = ()

    def notice(self, code: str, line: int, what: str, severity: Severity = Severity.WARNING) -> None:
        """Note one occurrence of something worth telling; each code becomes one finding with its count."""
        self._notices.setdefault(code, (what, severity, []))[2].append(line)

    def records(self, comments: tuple[str, ...] = ()) -> Iterator[tuple[int, str]]:
        r"""Numbered lines that are neither blank nor a comment; only ``\n`` ends a line."""
        seen: set[str] = set()
        for number, line in enumerate(self._lines().split("\n"), 1):
            if not _is_record(line, comments):
                continue
            if line in seen:
                self._repeated(number)
            seen.add(line)
            yield number, line

    def lines(self) -> list[str]:
        r"""Every line of a document in which blank lines have a meaning; only ``\n`` ends a line."""
        self._check_line_ends(self.text)
        return self.text.split("\n")

    def segments(
        self, plain: Plain, parse: Callable[[Reader, int, str], Segment | None], comments: tuple[str, ...] = ()
    ) -> list[Segment]:
        """The segments of all records, in order: those of plain lines as they stand, the others as ``parse`` says.

        ``parse`` has to read a plain line just so; it gets the reader, the line number and the line.
        """
        lines = _native.read_lines(self._lines(), Segment, plain.columns, plain.least, plain.tabs, "".join(comments), plain.odd)
        segments = []
        without: set[int] = set()
        for place, one in enumerate(lines):
            if isinstance(one, Segment):
                segments.append(one)
                continue
            number, line, repeated = one
            if repeated:
                self._repeated(number)
            segment = parse(self, number, line)
            if segment is not None:
                segments.append(segment)
            else:
                without.add(place)
        self._places = self._numbers(len(lines), without, comments)
        return segments

    def _numbers(self, records: int, without: set[int], comments: tuple[str, ...]) -> Sequence[int]:
        """The line of each record that gave a segment; to count is enough where every line is one."""
        text = self._lines()
        if not without and records == text.count("\n") + (not text.endswith("\n")):
            return range(1, records + 1)
        lines = (number for number, line in enumerate(text.split("\n"), 1) if _is_record(line, comments))
        return [number for place, number in enumerate(lines) if place not in without]

    def _lines(self) -> str:
        """The text, once it is sure that line feeds end its lines, without byte order marks of files that were joined."""
        text = self.text.replace("\n\ufeff", "\n") if "\ufeff" in self.text else self.text
        self._check_line_ends(text)
        return text

    def _check_line_ends(self, text: str) -> None:
        if "\r" in text and "\n" not in text:
            found, expected = "carriage returns but no line feed", "lines that end in a line feed"
            self.fail(None, "", found, expected, "Save it with Unix line ends.")

    def _repeated(self, line: int) -> None:
        self.notice("duplicate-line", line, "the line repeats an earlier one; both are kept")

    def seconds(self, line: int, field: str, text: str) -> float | None:
        """A time in seconds, at least 0; None after noting the fault."""
        value = number(text)
        if value is not None and 0 <= value <= MOST_SECONDS:
            return value
        misplaced = value is None and text[:1].isalpha() and text.lower() not in _NOT_FINITE
        hint = "A name with a blank in it moves the columns." if misplaced else ""
        self.fault(line, field, shown(text), wanted(value), hint)
        return None

    def zero_duration(self, line: int) -> None:
        """Notice an entry without duration."""
        self.notice("zero-duration", line, "start and end are the same; kept, though it adds no time")

    def loaded(self, items: Sequence[Item], lines: Sequence[int] | None = None) -> Loaded[Item]:
        """The result, with the line of each item where it is known; raises InputError if there were faults."""
        self.check()
        findings = [self._finding(code, *notice) for code, notice in self._notices.items()]
        if not self.text or self.text.isspace():
            findings.append(Finding("empty-file", "the file is empty", path=self.path))
        return Loaded(tuple(items), tuple(findings), self._places if lines is None else lines)

    def fail(self, line: int | None, field: str, found: str, expected: str, action: str = "") -> NoReturn:
        """Give up at once: nothing after this fault can be read."""
        self.fault(line, field, found, expected, action)
        raise InputError(self._faults, self._more)

    def _finding(self, code: str, what: str, severity: Severity, lines: list[int]) -> Finding:
        return Finding(code, f"{counted(len(lines), 'entry', 'entries')}: {what}", severity, path=self.path, line=lines[0])


class Writer(Faults):
    """Checks the items before one is written; entry numbers stand in for lines."""

    def token(self, entry: int, field: str, value: str | None, comments: tuple[str, ...] = ()) -> str:
        """A name that has to be one word."""
        if not value or value.split() != [value] or value.startswith(("\ufeff", *comments)):
            self.fault(entry, field, shown(value), "one word without blanks", "Rename it; this format cannot hold it.")
        else:
            self.names(entry, {field: value})
        return value or ""

    def line(self, entry: int, field: str, value: str | None, tabs: bool = True) -> str:
        """A text that has to stay on one line."""
        value = value or ""
        if "\n" in value or "\r" in value or (not tabs and "\t" in value):
            expected = "text on one line" if tabs else "text on one line without tabs"
            self.fault(entry, field, shown(value), expected, "Change it; this format cannot hold it.")
        return value

    def sessions(self, names: Sequence[str]) -> Sequence[str]:
        """The session ids of a format that holds each once."""
        first: dict[str, int] = {}
        for entry, name in enumerate(names, 1):
            if not name or name != name.strip() or "\n" in name or "\r" in name:
                self.fault(entry, "session_id", shown(name), "an id without blanks around it or line ends", "Rename it.")
            elif name in first:
                self.fault(entry, "session_id", shown(name), f"an id of its own (entry {first[name]} has the same)")
            else:
                self.names(entry, {"session_id": name})
            first.setdefault(name, entry)
        return names

    def seconds(self, entry: int, field: str, value: float | None) -> str:
        """A time; written with 3 decimals where they are exact, else with as many as it takes."""
        if value is None or not 0 <= value <= MOST_SECONDS:
            self.fault(entry, field, "no time" if value is None else repr(value), wanted(value))
            return ""
        short = f"{value:.3f}"
        return short if float(short) == value else format(Decimal(repr(float(value))), "f")

    def span(self, entry: int, start: float | None, end: float | None) -> tuple[str, str]:
        """Start and end as text; end must not come before start."""
        written = self.seconds(entry, "start_time", start), self.seconds(entry, "end_time", end)
        if start is not None and end is not None and end < start:
            self.fault(entry, "end_time", repr(end), f"seconds >= start_time ({start})")
        return written


def _is_record(line: str, comments: tuple[str, ...]) -> bool:
    return bool(line) and not line.isspace() and not (comments and line.lstrip().startswith(comments))


def number(text: str) -> float | None:
    """The finite number that a plain decimal text stands for, else None.

    >>> number("1.5"), number("nan"), number("1_000"), number("1e999")
    (1.5, None, None, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def wanted(seconds: float | None) -> str:
    """What should have stood in place of a time that cannot be one."""
    return SECONDS if seconds is None or not seconds > MOST_SECONDS else f"seconds <= {MOST_SECONDS:g}"


def later(start: str, duration: str) -> float:
    """End of a stretch from the decimal texts of its start and duration, added exactly.

    Floats would make turns that touch in the file overlap by 1e-16 s.

    >>> later("0.1", "0.2"), 0.1 + 0.2
    (0.3, 0.30000000000000004)
    """
    return float(_EXACT.add(Decimal(start), Decimal(duration)))


def milliseconds(seconds: float | None) -> int:
    """The whole milliseconds next to a time; 0 for what is no time of a recording, which writers refuse.

    >>> milliseconds(1.0005), milliseconds(0.29), milliseconds(float("nan"))
    (1000, 290, 0)
    """
    return round(seconds * 1000) if seconds is not None and 0 <= seconds <= MOST_SECONDS else 0


def between(start: str, end: str) -> str:
    """Duration from one decimal text to another, exactly; ``later`` turns it back into the end.

    >>> between("0.100", "0.300")
    '0.200'
    """
    return format(_EXACT.subtract(Decimal(end), Decimal(start)), "f")


def shown(value: object, most: int = 60) -> str:
    """A value as it appears in a message: quoted, at most so many characters of it, personal numbers masked.

    Whatever a fault or finding quotes of a file goes through here: a column that slipped may be anybody's number.

    >>> shown("a" * 100)[-5:], shown("मेरा नंबर 98765 43210")
    ("aaa…'", "'मेरा नंबर ••••• •••10'")
    """
    try:
        text = value if isinstance(value, str) else repr(value)
    except RecursionError:
        return "values nested too deeply"
    if len(text) >= _LEAST_PERSONAL:
        from parakh.text.masking import masked  # only a message needs it

        text = masked(text[: most + _BEYOND])
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    return repr(text) if isinstance(value, str) else text


def is_file_name(name: str) -> bool:
    """Whether a session id can name the files of its recording: no folder, no hidden file, no control character.

    >>> is_file_name("visit.01"), is_file_name("../../etc"), is_file_name("")
    (True, False, False)
    """
    return bool(name) and not name.startswith(".") and not set(name) & set("/\\") and printable(name) == name


def without_gz(path: Path) -> Path:
    """The name that a file has when it is unpacked.

    >>> without_gz(Path("v1.rttm.gz")).name, without_gz(Path("v1.rttm")).name
    ('v1.rttm', 'v1.rttm')
    """
    return path.with_name(path.name[: -len(_GZ)]) if path.name.lower().endswith(_GZ) and len(path.name) > len(_GZ) else path


def first_fields(head: str, comments: tuple[str, ...] = (";",)) -> list[str]:
    """Blank-separated fields of the first record of a file's head; [] if there is none."""
    for line in head.split("\n"):
        fields = line.split()
        if fields and not fields[0].startswith(comments):
            return fields
    return []

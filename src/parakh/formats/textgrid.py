"""Praat TextGrid: interval tiers, one a speaker, with what was said in each interval.

The tier's name is the speaker ("" for an unknown one), and the file's name the session id. An interval without text is
silence and no turn. A point has no duration: point tiers are left out, with a finding. Read in long, short and
chronological form, in UTF-8 or in UTF-16 with a byte order mark, by Praat's own rule: numbers, texts in quotes and flags
that stand free are the content, and its names, ``=``, ``[1]:`` and what follows ``!`` explain it. A quote inside a text is
written twice; a text may have several lines. Written in the long form, in UTF-8.

Read here and not by praatio 6 (MIT), which reads the same intervals (tests/crosscheck) but gives no lines, stops at the first
fault without saying where, takes the shape of the lines for granted and knows no chronological form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from parakh.files import read_text, write_atomic
from parakh.formats import Format
from parakh.formats._text import Reader, Writer, number, shown
from parakh.formats._tiers import check_overlap
from parakh.formats._whole import check_sessions, session_of
from parakh.types import Loaded, Segment

_ENDING = ".TextGrid"
_CHRONOLOGICAL = "Praat chronological TextGrid text file"
_TOKEN = re.compile(r'"([^"]*+(?:""[^"]*+)*+)"(?!\S)|(!.*)|(\S+)')
_NAMES = "File|type|Object|class|tiers\\?|size|item|intervals|points|name|xmin|xmax|text|number|time|mark|value"
_EXPLAINS = re.compile(rf"(?:{_NAMES})?(?:\[\d*\])?:?")
_RUNS_ON = re.compile(r"\n\s*(intervals|points|item) *\[\d+\]")
_START = re.compile(rf'\s*((File type\s*=\s*)?"ooTextFile( short)?"\s+(Object class\s*=\s*)?"TextGrid|"{_CHRONOLOGICAL})')
_QUOTES = "Close the quote; a quote inside a text is written twice."
_TIERS = {"IntervalTier", "TextTier"}
_LAYER = re.compile(r"(.*[\s_.-])?(phone|phoneme|syllable|word|phrase|tone|gloss|translation)s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Value:
    """A number, text or flag of the file; ``head`` is the line where the names before it begin ("intervals [2]:")."""

    text: str
    quoted: bool
    line: int
    head: int


@dataclass(frozen=True, slots=True)
class _Tier:
    speaker: str | None
    points: bool


def read(path: Path) -> Loaded[Segment]:
    """Read the intervals with text.

    Args:
        path: The file; its name without ``.TextGrid`` is the session id.

    Returns:
        One Segment an interval with text, tier by tier as in the file, with ``lines`` where the intervals begin; findings
        ``point-tier``, ``blank-interval``, ``zero-duration``, ``self-overlap``, ``repeated-tier``, ``layer-tier``.

    Raises:
        InputError: All its faults; where values are missing or misplaced, the first of these ends the reading.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", "ASHA worker", 0.5, 2.0, words='दवा "दो" बार')], Path(folder) / "v1.TextGrid")
    ...     read(Path(folder) / "v1.TextGrid").items[0].words
    'दवा "दो" बार'
    """
    grid = _Grid(Reader(path, read_text(path, utf16=True)), session_of(path, _ENDING))
    grid.reader.names(None, {"the file's name": path.name})
    grid.read()
    return grid.reader.loaded(grid.segments, grid.lines)


class _Grid:
    """The file as Praat sees it: one value after the other."""

    def __init__(self, reader: Reader, session: str) -> None:
        self.reader = reader
        self.segments: list[Segment] = []
        self.lines: list[int] = []
        self._session = session
        self._values = _values(reader)
        self._last = 1
        self._ends: dict[str | None, float] = {}

    def read(self) -> None:
        first = self._text("File type", '"ooTextFile"')
        if first.text == _CHRONOLOGICAL:
            self._chronological()
        elif first.text in ("ooTextFile", "ooTextFile short"):
            self._by_tier()
        else:
            self.reader.fail(first.line, "File type", shown(first.text), '"ooTextFile"', "Give a TextGrid.")
        extra = next(self._values, None)
        if extra is not None:
            expected = "the end of the file, as all that the sizes announce was read"
            self.reader.fail(extra.line, "", shown(extra.text), expected, "Mend the sizes, or an unclosed quote before it.")

    def _by_tier(self) -> None:
        kind = self._text("Object class", '"TextGrid"')
        if not kind.text.startswith("TextGrid"):
            self.reader.fail(kind.line, "Object class", shown(kind.text), '"TextGrid"', "In Praat, save the TextGrid alone.")
        self._time("xmin")
        self._time("xmax")
        if self._take("tiers?", False, "<exists> or <absent>").text != "<exists>":
            return
        for _ in range(self._count("size")):
            tier = self._tier()
            for _ in range(self._count("size")):
                self._entry(tier)

    def _chronological(self) -> None:
        self._time("xmin")
        self._time("xmax")
        tiers = [self._tier() for _ in range(self._count("number of tiers"))]
        for value in self._values:
            which = int(value.text) if value.text.isascii() and value.text.isdigit() and not value.quoted else 0
            if not 1 <= which <= len(tiers):
                self.reader.fail(value.line, "tier", shown(value.text), f"the number of a tier, 1 to {len(tiers)}", _QUOTES)
            self._entry(tiers[which - 1], value.head)

    def _tier(self) -> _Tier:
        kind = self._text("class", '"IntervalTier" or "TextTier"')
        if kind.text not in _TIERS:
            expected = '"IntervalTier" or "TextTier"'
            self.reader.fail(kind.line, "class", shown(kind.text), expected, "Mend the class, or the size of the tier before it.")
        name = self._text("name", "the tier's name in quotes")
        self._time("xmin")
        self._time("xmax")
        speaker, points = name.text or None, kind.text == "TextTier"
        self.reader.names(name.line, {"name": speaker})
        if not points and _LAYER.fullmatch(name.text):
            what = "the tier's name says what it holds and not who speaks; it is read as a speaker all the same"
            self.reader.notice("layer-tier", name.line, what)
        if not points and speaker in self._ends:
            self.reader.notice("repeated-tier", name.line, "the tier has the name of an earlier one; both are one speaker")
        if not points:
            self._ends.setdefault(speaker, 0.0)
        return _Tier(speaker, points)

    def _entry(self, tier: _Tier, head: int | None = None) -> None:
        start = self._time("number" if tier.points else "xmin")
        end = start if tier.points else self._time("xmax")
        text = self._text("mark" if tier.points else "text", "a text in quotes")
        if _RUNS_ON.search(text.text):
            self.reader.fail(text.line, "text", shown(text.text), "a text that ends before the next interval", _QUOTES)
        if tier.points:
            self.reader.notice("point-tier", start.head, "a point has no duration and is no turn; left out")
        elif text.text.strip():
            self._turn(tier.speaker, start, end, text.text, head or start.head)
        elif text.text:
            self.reader.notice("blank-interval", text.line, "the text is nothing but blanks; read as silence")

    def _turn(self, speaker: str | None, first: _Value, last: _Value, words: str, head: int) -> None:
        if number(first.text) is None or number(last.text) is None:
            return  # told already
        start = self.reader.seconds(first.line, "xmin", first.text)
        end = self.reader.seconds(last.line, "xmax", last.text)
        if start is None or end is None:
            return
        if end < start:
            self.reader.fault(last.line, "xmax", last.text, f"seconds >= xmin ({first.text})", "Swap or mend the times.")
        elif end == start:
            self.reader.zero_duration(head)
        if start < self._ends[speaker]:
            self.reader.notice(
                "self-overlap", head, "the interval starts before an earlier one of its speaker ends; both are kept"
            )
        self._ends[speaker] = max(end, self._ends[speaker])
        self.segments.append(Segment(self._session, speaker, start + 0.0, end + 0.0, words))  # -0 becomes 0
        self.lines.append(head)

    def _take(self, field: str, quoted: bool, expected: str) -> _Value:
        value = next(self._values, None)
        if value is None:
            self.reader.fail(self._last, field, "the end of the file", expected, "The file is cut off, or a size is too large.")
        if value.quoted != quoted:
            action = "Mend this line, an unclosed quote before it, or the size of the tier."
            self.reader.fail(value.line, field, shown(value.text), expected, action)
        self._last = value.line
        return value

    def _text(self, field: str, expected: str) -> _Value:
        return self._take(field, True, expected)

    def _time(self, field: str) -> _Value:
        """A number; whether it can be a time is asked of turns only."""
        value = self._take(field, False, "a number")
        if number(value.text) is None:
            self.reader.fault(value.line, field, shown(value.text), "a number of seconds")
        return value

    def _count(self, field: str) -> int:
        value = self._take(field, False, "a number")
        if not (value.text.isascii() and value.text.isdigit() and len(value.text) < 10):
            self.reader.fail(value.line, field, shown(value.text), "a whole number")
        return int(value.text)


def _values(reader: Reader) -> Iterator[_Value]:
    line, at = 1, 0
    head: int | None = None
    assigned = False
    for match in _TOKEN.finditer(reader.text):
        line += reader.text.count("\n", at, match.start())
        at = match.start()
        quoted, comment, word = match.groups()
        if comment is not None:
            continue
        if word == "=" or (word is not None and not assigned and _EXPLAINS.fullmatch(word)):
            head, assigned = head or line, word == "="
            continue
        if word is not None and word.startswith('"'):
            reader.fail(line, "text", shown(word), "a text in quotes", _QUOTES)
        yield _Value(word if quoted is None else quoted.replace('""', '"'), quoted is not None, line, head or line)
        head, assigned = None, False


def write(items: Sequence[Segment], path: Path) -> None:
    """Write one recording, a tier for each speaker in order of first appearance, in the long form.

    Args:
        items: Segments of one recording with times and text; a gap between them becomes an interval without text.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: A segment has no text or no duration, or overlaps another one of its speaker: a tier cannot hold that.
    """
    writer = Writer(path)
    check_sessions(writer, items, path, _ENDING)
    tiers: dict[str | None, list[tuple[int, Segment]]] = {}
    for entry, item in enumerate(items, 1):
        _check(writer, entry, item)
        tiers.setdefault(item.speaker, []).append((entry, item))
    for tier in tiers.values():
        tier.sort(key=lambda one: one[1].start_time or 0.0)
        check_overlap(writer, tier)
    writer.check()
    last = max((item.end_time or 0.0 for item in items), default=0.0)
    span = [f"xmin = {_seconds(writer, 0.0)}", f"xmax = {_seconds(writer, last)}"]
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", *span]
    if tiers:
        lines += ["tiers? <exists>", f"size = {len(tiers)}", "item []:"]
        for place, (speaker, tier) in enumerate(tiers.items(), 1):
            inside = ['class = "IntervalTier"', f"name = {_quoted(speaker or '')}", *span]
            lines += [f"    item [{place}]:", *(f"        {line}" for line in inside)]
            lines += _intervals(writer, [item for _, item in tier], last)
    else:
        lines.append("tiers? <absent>")
    write_atomic(path, "".join(f"{line}\n" for line in lines))


def _check(writer: Writer, entry: int, item: Segment) -> None:
    writer.span(entry, item.start_time, item.end_time)
    writer.names(entry, {"speaker": item.speaker})
    if item.speaker == "":
        writer.fault(entry, "speaker", "''", "a name, or None", "Name the speaker.")
    if item.start_time is not None and item.start_time == item.end_time:
        writer.fault(
            entry, "end_time", repr(item.end_time), "an end after the start", "A TextGrid holds no turn without duration."
        )
    if not item.words.strip():
        expected, action = "text (an interval without text is silence)", "Write turns without text as RTTM."
        writer.fault(entry, "words", shown(item.words), expected, action)
    if "\r\n" in item.words or _RUNS_ON.search(item.words):
        expected = "text without carriage returns or the beginning of another interval"
        writer.fault(entry, "words", shown(item.words), expected, "Change it; this format cannot hold it.")


def _intervals(writer: Writer, tier: list[Segment], last: float) -> list[str]:
    spans: list[tuple[float, float, str]] = []
    now = 0.0
    for item in tier:
        start, end = item.start_time or 0.0, item.end_time or 0.0
        spans += [(now, start, "")] * (start > now) + [(start, end, item.words)]
        now = end
    spans += [(now, last, "")] * (last > now)
    lines = [f"        intervals: size = {len(spans)}"]
    for place, (start, end, words) in enumerate(spans, 1):
        values = [f"xmin = {_seconds(writer, start)}", f"xmax = {_seconds(writer, end)}", f"text = {_quoted(words)}"]
        lines += [f"        intervals [{place}]:", *(f"            {value}" for value in values)]
    return lines


def _seconds(writer: Writer, value: float) -> str:
    return writer.seconds(0, "", value + 0.0)  # -0 becomes 0


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _sniff(head: str, path: Path) -> bool:
    return _START.match(head) is not None


FORMAT = Format(
    name="textgrid",
    title="Praat TextGrid: intervals with text, one tier a speaker",
    item=Segment,
    suffixes=(".textgrid",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="Points of point tiers, the order (segments come back tier by tier), role, language, segment ids, channel, "
    "confidence and further forms.",
    ending=_ENDING,
    utf16=True,
)

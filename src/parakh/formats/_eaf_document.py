"""What an ELAN file says, element by element, each with its line: tiers, annotations, time slots, media."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from parakh.formats._text import MOST_SECONDS, Reader, shown

_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_UNITS = "milliseconds"


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation: with two time slots, or with a parent (and the one before it with the same parent)."""

    line: int
    id: str
    text: str
    slots: tuple[str, str] | None
    parent: str = ""
    previous: str = ""


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier, and its annotations in file order."""

    id: str
    participant: str
    parent: str
    annotations: list[Annotation] = field(default_factory=list)


@dataclass(slots=True)
class Document:
    """A whole file; times in milliseconds, ``origin`` with its line as the start of the audio left out."""

    tiers: list[Tier] = field(default_factory=list)
    slots: dict[str, int | None] = field(default_factory=dict)
    origins: dict[bool, tuple[int, int]] = field(default_factory=dict)

    @property
    def origin(self) -> tuple[int, int]:
        """TIME_ORIGIN in milliseconds, and its line: that of the first audio file, else of the first media file."""
        return self.origins.get(True) or self.origins.get(False) or (0, 1)


def parse(reader: Reader) -> Document:
    """The document in a text; notes faults of its elements, and gives up where it is no XML of ELAN's."""
    parser = _Parser(reader)
    try:
        parser.expat.Parse(reader.text, True)
    except expat.ExpatError as error:
        found = expat.ErrorString(error.code) or "no XML"
        reader.fail(error.lineno, "", f"{found} at column {error.offset + 1}", "the XML of an ELAN file", "Mend the file.")
    return parser.document


class _Parser:
    def __init__(self, reader: Reader) -> None:
        self.document = Document()
        self.expat = expat.ParserCreate()
        self.expat.buffer_text = True
        self.expat.StartDoctypeDeclHandler = self._doctype
        self.expat.StartElementHandler = self._start
        self.expat.EndElementHandler = self._end
        self.expat.CharacterDataHandler = self._characters
        self._reader = reader
        self._depth = 0
        self._open: tuple[int, str, Mapping[str, str]] | None = None
        self._text: list[str] | None = None
        self._value = ""
        self._ids: dict[tuple[str, str], int] = {}

    def _doctype(self, *declaration: object) -> None:
        action = "ELAN writes none: take it out."
        self._reader.fail(self.expat.CurrentLineNumber, "", "a document type (DOCTYPE)", "an ELAN file, which has none", action)

    def _start(self, tag: str, values: Mapping[str, str]) -> None:
        line = self.expat.CurrentLineNumber
        self._depth += 1
        if self._depth == 1 and tag != "ANNOTATION_DOCUMENT":
            self._reader.fail(line, "", f"the element {shown(tag)}", "ANNOTATION_DOCUMENT", "Give an ELAN file.")
        match tag:
            case "HEADER":
                self._header(line, values)
            case "MEDIA_DESCRIPTOR":
                self._media(line, values)
            case "TIME_SLOT":
                self._slot(line, values)
            case "TIER":
                self._tier(line, values)
            case "ALIGNABLE_ANNOTATION" | "REF_ANNOTATION":
                self._open, self._value = (line, tag, values), ""
            case "ANNOTATION_VALUE":
                self._text = []

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if tag == "ANNOTATION_VALUE":
            self._value, self._text = "".join(self._text or ()), None
        elif self._open is not None and tag == self._open[1]:
            self._annotation(*self._open)
            self._open = None

    def _header(self, line: int, values: Mapping[str, str]) -> None:
        units = values.get("TIME_UNITS", _UNITS)
        if units != _UNITS:
            self._reader.fault(line, "TIME_UNITS", shown(units), _UNITS, "Save it with a current ELAN.")

    def _media(self, line: int, values: Mapping[str, str]) -> None:
        origin = self._milliseconds(line, "TIME_ORIGIN", values.get("TIME_ORIGIN", "0"), -MOST_SECONDS)
        self.document.origins.setdefault(values.get("MIME_TYPE", "").startswith("audio"), (origin, line))

    def _slot(self, line: int, values: Mapping[str, str]) -> None:
        value = values.get("TIME_VALUE")
        name = self._id(line, "TIME_SLOT_ID", values)
        self.document.slots[name] = None if value is None else self._milliseconds(line, "TIME_VALUE", value)

    def _tier(self, line: int, values: Mapping[str, str]) -> None:
        tier = Tier(self._id(line, "TIER_ID", values), values.get("PARTICIPANT", "").strip(), values.get("PARENT_REF", ""))
        self._reader.names(line, {"TIER_ID": tier.id, "PARTICIPANT": tier.participant})
        self.document.tiers.append(tier)

    def _annotation(self, line: int, tag: str, values: Mapping[str, str]) -> None:
        name = self._id(line, "ANNOTATION_ID", values)
        self._reader.names(line, {"ANNOTATION_ID": name})
        if tag == "REF_ANNOTATION":
            parent, previous = self._given(line, "ANNOTATION_REF", values), values.get("PREVIOUS_ANNOTATION", "")
            one = Annotation(line, name, self._value, None, parent, previous)
        else:
            first, last = self._given(line, "TIME_SLOT_REF1", values), self._given(line, "TIME_SLOT_REF2", values)
            one = Annotation(line, name, self._value, (first, last))
        if self.document.tiers:
            self.document.tiers[-1].annotations.append(one)
        else:
            self._reader.fault(line, tag, "no TIER around it", "an annotation in a TIER")

    def _given(self, line: int, key: str, values: Mapping[str, str]) -> str:
        if not values.get(key):
            self._reader.fault(line, key, "nothing", "a value")
        return values.get(key, "")

    def _id(self, line: int, key: str, values: Mapping[str, str]) -> str:
        name = self._given(line, key, values)
        first = self._ids.setdefault((key, name), line)
        if name and first != line:
            self._reader.fault(line, key, shown(name), f"an id of its own (line {first} has the same)")
        return name

    def _milliseconds(self, line: int, key: str, text: str, least: float = 0) -> int:
        value = int(text) if _WHOLE.fullmatch(text) else None
        if value is None or not least * 1000 <= value <= MOST_SECONDS * 1000:
            self._reader.fault(line, key, shown(text), "a whole number of milliseconds" + " >= 0" * (least == 0))
            return 0
        return value

"""Systems known only by the figures that a paper prints: read from TOML, they become Results without recordings.

    [[system]]
    name = "Sarvam"
    track = "asr"
    source = "Indic DiarBench, arXiv 2607.23808"   # where the figures were printed
    url = "https://arxiv.org/abs/2607.23808"       # may be left out
    set = "all languages"                          # what they were measured on; may be left out
    signature = {collar = "5.0"}                   # choices that the source states; may be left out
    [system.metrics]                               # in the metric's unit: rates in percent, as papers print them
    cpwer = 38.8
    [system.parts.der]                             # parts of a metric, may be left out
    miss = 6.3
    [system.slices.language.hi]                    # and its value on a slice
    cpwer = 30.1

They stand beside systems that were scored, and are never tested: what a test needs are recordings.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from parakh import metrics as metric_registry
from parakh import registry
from parakh.errors import Fault, InputError, UnknownNameError, printable
from parakh.files import read_text
from parakh.metrics import Better, Metric
from parakh.results import Results, Score, Signature, Stats

_TEXTS = {"name": True, "track": True, "source": True, "url": False, "set": False}
"""Keys that hold a text, and whether they have to be there."""
_TABLES = ("signature", "metrics", "parts", "slices")
_HEADER = re.compile(r"\s*\[+([^\[\]]+)\]+")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=""")
_SHOWN = 60
_MOST = 1e6
"""Of any figure in its unit."""


def load(paths: Sequence[str]) -> list[Results]:
    """Read files of published figures.

    Args:
        paths: TOML files, each with one or more ``[[system]]``.

    Returns:
        Results without recordings, in the order of the files; ``source_of`` tells them from others.

    Raises:
        InputError: A file cannot be read, or holds what is not known here; one line a fault, all of a file's at once.

    >>> load([])
    []
    """
    return [one for path in paths for one in read(read_text(path), path)]


def read(text: str, path: str) -> list[Results]:
    r"""Published figures from the text of a file.

    Args:
        text: TOML.
        path: Its name, for messages.

    Raises:
        InputError: As for ``load``.

    >>> text = '[[system]]\nname = "X"\ntrack = "asr"\nsource = "a paper"\n[system.metrics]\nwer = 19.6\n'
    >>> found = read(text, "x.toml")[0]
    >>> found.metrics["wer"].value, source_of(found)
    (0.196, 'a paper')
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        at = re.search(r"at line (\d+)", str(error))
        found = f"no TOML ({error})"
        raise InputError(Fault(path, "", found, "published figures in TOML", line=int(at[1]) if at else None)) from error
    file = _File(path, _lines(text))
    systems = document.get("system")
    file.only(document, ("system",), "", None)
    if not isinstance(systems, list) or not systems or not all(isinstance(one, dict) for one in systems):
        file.fault("system", None, systems, "[[system]] once or more")
        systems = []
    results = [_System(file, number, one).results() for number, one in enumerate(systems)]
    file.check_names(results)
    if file.faults:
        raise InputError(file.faults)
    return [one for one in results if one is not None]


def source_of(results: Results) -> str | None:
    """Where the figures of a system were published; None for results that were scored from recordings.

    >>> source_of(Results("asr", "x", Signature({}), {}, ()))
    """
    return None if results.recordings else results.signature.choices.get("published")


class _File:
    """Where faults of one file are gathered, with the line of each key."""

    def __init__(self, path: str, lines: Mapping[tuple[int, str], int]) -> None:
        self.path, self.lines = path, lines
        self.faults: list[Fault] = []

    def fault(self, field: str, number: int | None, found: object, expected: str, action: str = "") -> None:
        """Note one; ``number`` is the place of its system in the file."""
        shown = "nothing" if found is None else printable(repr(found))[:_SHOWN]
        self.faults.append(Fault(self.path, field, shown, expected, action, line=self._line(field, number)))

    def only(self, table: Mapping[str, Any], known: Sequence[str], place: str, number: int | None) -> None:
        """Note keys that are not known."""
        for key in table:
            if key not in known:
                expected = f"one of {', '.join(known)}"
                self.fault(f"{place}{key}", number, key, expected, "Take it out, or mend its name.")

    def check_names(self, found: Sequence[Results | None]) -> None:
        """See that a system has its figures on one set once."""
        seen: set[tuple[str, str, str]] = set()
        for number, one in enumerate(found):
            if one is not None:
                what = (one.system, one.track, one.signature.choices.get("set", ""))
                if what in seen:
                    self.fault(
                        "name", number, one.system, "each system once for a track and set", "Put its figures in one table."
                    )
                seen.add(what)

    def _line(self, field: str, number: int | None) -> int | None:
        """The line of a key; where it is not there, that of the table it belongs to."""
        place = 0 if number is None else number + 1
        while field:
            if (place, field) in self.lines:
                return self.lines[place, field]
            field = field.rpartition(".")[0]
        return self.lines.get((place, ""))


class _System:
    """One ``[[system]]`` of a file."""

    def __init__(self, file: _File, number: int, table: Mapping[str, Any]) -> None:
        self.file, self.number, self.table = file, number, table

    def results(self) -> Results | None:
        """What it comes to; None where a fault was noted."""
        before = len(self.file.faults)
        self.file.only(self.table, (*_TEXTS, *_TABLES), "", self.number)
        texts = {name: self._text(name, needed) for name, needed in _TEXTS.items()}
        if texts["track"] and texts["track"] not in registry.names("track"):
            self._fault("track", texts["track"], f"one of {', '.join(registry.names('track'))}")
        choices = {name: self._choice(name, value) for name, value in self._table("signature").items()}
        scores = dict(self._scores("metrics", self._table("metrics"), self._table("parts")))
        if not self.table.get("metrics"):
            self._fault("metrics", self.table.get("metrics"), "a value of one metric or more", "Add [system.metrics].")
        slices = {
            field: {value: dict(self._scores(f"slices.{field}.{value}", own, {})) for value, own in self._tables("slices", field)}
            for field in self._table("slices")
        }
        if len(self.file.faults) > before:
            return None
        known = {key: texts[key] for key in ("url", "set") if texts[key]}
        signature = {"track": texts["track"], "published": texts["source"], **known, **choices}
        return Results(texts["track"], texts["name"], Signature(signature), scores, (), slices=slices)

    def _fault(self, field: str, found: object, expected: str, action: str = "") -> None:
        self.file.fault(field, self.number, found, expected, action)

    def _text(self, name: str, needed: bool) -> str:
        value = self.table.get(name)
        if value is None and not needed:
            return ""
        if isinstance(value, str) and value.strip() and value.isprintable():
            return value
        self._fault(name, value, "printable text", "" if value is not None else "Add it.")
        return ""

    def _choice(self, name: str, value: object) -> str:
        if not isinstance(value, str) or name in {"track", "published", "url", "set"}:
            self._fault(f"signature.{name}", value, "a choice as a signature shows it, as text", "Put it in quotes.")
        return str(value)

    def _table(self, name: str) -> Mapping[str, Any]:
        value = self.table.get(name, {})
        if isinstance(value, dict):
            return value
        self._fault(name, value, "a table")
        return {}

    def _tables(self, name: str, field: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        held = self._table(name)[field]
        if not isinstance(held, dict):
            self._fault(f"{name}.{field}", held, "a table of values")
            return
        for value, own in held.items():
            if isinstance(own, dict):
                yield value, own
            else:
                self._fault(f"{name}.{field}.{value}", own, "a table of metrics")

    def _scores(self, place: str, table: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[tuple[str, Score]]:
        for name in parts:
            if name not in table:
                self._fault(f"parts.{name}", name, "a metric that has a value under [system.metrics]")
        for name, value in table.items():
            metric = self._metric(f"{place}.{name}", name)
            if metric is None:
                continue
            own = parts.get(name, {})
            if not isinstance(own, dict):
                self._fault(f"parts.{name}", own, "a table")
                own = {}
            figures = {part: self._number(f"parts.{name}.{part}", held, metric) for part, held in own.items()}
            yield name, Score(self._number(f"{place}.{name}", value, metric), Stats(), parts=figures)

    def _metric(self, field: str, name: str) -> Metric | None:
        try:
            return metric_registry.get(name)
        except UnknownNameError as error:
            self._fault(field, name, "the name of a metric", _did_you_mean(error))
            return None

    def _number(self, field: str, value: object, metric: Metric) -> float | None:
        """A figure in the metric's unit inside: percent becomes a ratio, by decimal digits and not by binary ones."""
        least, most = _bounds(metric)
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
            return float(Decimal(repr(value)).scaleb(-2 if metric.unit == "%" else 0))
        unit = "percent" if metric.unit == "%" else metric.unit or "its unit"
        self._fault(field, value, f"a number from {least:g} to {most:g}, in {unit}")
        return None


def _bounds(metric: Metric) -> tuple[float, float]:
    """What a figure may be in the metric's unit: an error rate may exceed 100 %, a score may not."""
    if metric.unit != "%":
        return -_MOST, _MOST
    return 0, _MOST if metric.better is Better.LOWER else 100


def _did_you_mean(error: UnknownNameError) -> str:
    """The close match that an unknown name has; "" without one."""
    hint = str(error).partition("; did you mean ")[2].partition("?")[0]
    return f"Did you mean {hint}?" if hint else ""


def _lines(text: str) -> dict[tuple[int, str], int]:
    """The line of each key, by the place of its system (from 1; 0 before the first) and its name within it."""
    lines: dict[tuple[int, str], int] = {}
    system, table = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            names = [part.strip().strip("\"'") for part in header[1].split(".")]
            system += line.lstrip().startswith("[[") and names == ["system"]
            table = ".".join(names[1:] if names[0] == "system" else names)
            lines.setdefault((system, table), number)
        elif key := _KEY.match(line):
            name = key[1].strip("\"'")
            lines.setdefault((system, f"{table}.{name}" if table else name), number)
    return lines

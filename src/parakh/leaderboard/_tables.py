"""Reading the tables of a TOML file strictly: every key is known and of its type, and all faults are gathered."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, tzinfo
from typing import Any, TypeVar

from parakh.cascade.options import did_you_mean
from parakh.errors import Fault
from parakh.formats._text import shown
from parakh.leaderboard.challenge import Sight

Value = TypeVar("Value")

KEY = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
KEY_FORM = "lower-case letters, digits and hyphens, at most 40"
SIGHTS = {one.name.lower(): one for one in Sight}


class Table:
    """One table of a file; its faults go to a list that all tables of the file share.

    Args:
        faults: Where faults go.
        path: The file, for messages.
        place: The table's own key path; "" for the file's top.
        values: What stands in it.
        known: Every key that may stand in it; None for any.
    """

    def __init__(self, faults: list[Fault], path: str, place: str, values: object, known: tuple[str, ...] | None) -> None:
        self.faults, self.path, self.place = faults, path, place
        self.values: Mapping[str, Any] = values if isinstance(values, dict) else {}
        if not isinstance(values, dict):
            self.faults.append(Fault(path, place, shown(values), "a table", f"Write it as [{place}]."))
        for key in self.values:
            if known is not None and key not in known:
                action = did_you_mean(key, known) or "Take it out."
                self.fault(key, "a key that nothing reads", f"one of {', '.join(known)}", action)

    def name(self, key: str) -> str:
        """The key path of a key."""
        return f"{self.place}.{key}" if self.place else key

    def fault(self, key: str, found: str, expected: str, action: str = "") -> None:
        """Note what is wrong with a key."""
        self.faults.append(Fault(self.path, self.name(key), found, expected, action))

    def tables(self, key: str, known: tuple[str, ...] | None) -> Iterator[tuple[str, Table]]:
        """The tables below a key, by their own keys, which have to be able to stand in addresses."""
        below = Table(self.faults, self.path, self.name(key), self.values.get(key, {}), None)
        if not below.values:
            self.fault(key, "nothing", "at least one table", f"Add [{self.name(key)}.NAME].")
        for name, values in below.values.items():
            if not KEY.fullmatch(name):
                below.fault(name, f"the name {shown(name)}", KEY_FORM, "Rename the table.")
            yield name, Table(self.faults, self.path, below.name(name), values, known)

    def table(self, key: str, known: tuple[str, ...] | None) -> Table:
        """The table at a key; an empty one where there is none."""
        return Table(self.faults, self.path, self.name(key), self.values.get(key, {}), known)

    def text(self, key: str, default: str | None = None, lines: bool = False) -> str:
        """A text that is not blank; without a default it has to be there."""

        def read(value: object) -> str | None:
            plain = value.replace("\n", "").replace("\t", "") if lines and isinstance(value, str) else value
            fits = isinstance(plain, str) and plain.strip() and plain.isprintable()
            return value.strip() if fits and isinstance(value, str) else None

        return self._read(
            key, read, "a text" if lines else "a text on one line", default if default is not None else "", default is None
        )

    def key_text(self, key: str) -> str:
        """A text that can stand in addresses."""
        expected = f"a name: {KEY_FORM}"
        return self._read(key, lambda one: one if isinstance(one, str) and KEY.fullmatch(one) else None, expected, "", True)

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of texts, each once; without a default it has to be there, and an empty one only where that is the default."""

        def read(value: object) -> tuple[str, ...] | None:
            fits = isinstance(value, list) and all(isinstance(one, str) and one for one in value)
            return tuple(value) if fits and isinstance(value, list) and len(set(value)) == len(value) else None

        found = self._read(key, read, "a list of texts, each once", default or (), default is None)
        if default != () and self.values.get(key) == []:
            self.fault(key, "an empty list", "at least one")
        return found

    def one_of(self, key: str, choices: Mapping[str, Value], default: Value) -> Value:
        """What a word stands for."""

        def read(value: object) -> Value | None:
            return choices.get(value) if isinstance(value, str) else None

        return self._read(key, read, f"one of {', '.join(choices)}", default)

    def switch(self, key: str, default: bool = False) -> bool:
        """True or false."""
        return self._read(key, lambda one: one if isinstance(one, bool) else None, "true or false", default)

    def whole(self, key: str, least: int, default: int | None) -> int | None:
        """A whole number, not below another."""

        def read(value: object) -> int | None:
            return value if isinstance(value, int) and not isinstance(value, bool) and least <= value < 1 << 31 else None

        return self._read(key, read, f"a whole number >= {least}", default)

    def level(self, key: str, default: float) -> float | None:
        """A share between 0 and 1; None where ``false`` stands."""
        if self.values.get(key) is False:
            return None

        def read(value: object) -> float | None:
            return float(value) if isinstance(value, int | float) and math.isfinite(value) and 0 < value < 1 else None

        return self._read(key, read, "a share between 0 and 1 as 0.95, or false for no intervals", default)

    def moment(self, key: str, zone: tzinfo) -> datetime | None:
        """A date and time; a local one is of the zone. None where there is none."""
        value = self.values.get(key)
        expected = "a date and time, as 2026-03-31T23:59:00 (in time_zone) or 2026-03-31T18:29:00Z"
        if isinstance(value, datetime):
            return value if value.tzinfo is not None else value.replace(tzinfo=zone)
        if value is not None:
            written = value.isoformat() if isinstance(value, date | time) else shown(value)
            self.fault(key, written, expected, "Write it without quotes." if isinstance(value, str) else "")
        return None

    def _read(
        self, key: str, read: Callable[[object], Value | None], expected: str, default: Value, required: bool = False
    ) -> Value:
        if key not in self.values:
            if required:
                self.fault(key, "nothing", expected, "Add it.")
            return default
        value = read(self.values[key])
        if value is None:
            self.fault(key, shown(self.values[key]), expected)
            return default
        return value

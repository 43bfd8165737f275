"""What answers cost to make, beside how good they are: time, memory, money for an hour of audio."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from parakh.errors import Fault, InputError
from parakh.files import read_text

RUN_CARD = "run.json"
"""The card of a whole run, in the folder of its answers."""
SCHEMA = "parakh.cost/1"


@dataclass(frozen=True)
class Cost:
    """What a system needed for all recordings of a run together.

    Args:
        audio_seconds: Length of the recordings.
        seconds: Of work by the clock, the loading of models included; recordings done side by side are added.
        cpu_seconds: Of processors.
        peak_mb: The most main memory that a worker held, in megabytes (10^6 bytes).
        gpu_peak_mb: The same of a graphics processor; None without one.
        price: What endpoints asked; None where nothing has a price.

    >>> cost = Cost(audio_seconds=1800.0, seconds=450.0, cpu_seconds=800.0, peak_mb=812.5, price=0.02)
    >>> cost.real_time_factor, cost.price_per_hour
    (0.25, 0.04)
    """

    audio_seconds: float
    seconds: float
    cpu_seconds: float
    peak_mb: float
    gpu_peak_mb: float | None = None
    price: float | None = None

    @property
    def real_time_factor(self) -> float | None:
        """Seconds of work a second of audio; None without audio."""
        return self.seconds / self.audio_seconds if self.audio_seconds else None

    @property
    def price_per_hour(self) -> float | None:
        """Price of an hour of audio; None where nothing has a price."""
        return self.price * 3600 / self.audio_seconds if self.price is not None and self.audio_seconds else None

    def rows(self) -> dict[str, str]:
        """What tables show, by heading.

        >>> Cost(100.0, 25.0, 48.0, 812.4).rows()
        {'RTF': '0.250', 'CPU s per s': '0.480', 'peak MB': '812'}
        """
        factor = self.real_time_factor
        shown = {"RTF": "n/a" if factor is None else f"{factor:.3f}"}
        if self.audio_seconds:
            shown["CPU s per s"] = f"{self.cpu_seconds / self.audio_seconds:.3f}"
        shown["peak MB"] = f"{self.peak_mb:.0f}"
        if self.gpu_peak_mb is not None:
            shown["GPU peak MB"] = f"{self.gpu_peak_mb:.0f}"
        if self.price_per_hour is not None:
            shown["price per hour"] = f"{self.price_per_hour:.4f}"
        return shown

    def to_dict(self) -> dict[str, float]:
        """The fields that are known."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @staticmethod
    def from_dict(record: object, path: str) -> Cost:
        """The cost in a document.

        Raises:
            InputError: A field is missing, or no number >= 0.
        """
        if not isinstance(record, dict):
            raise InputError(Fault(path, "cost", repr(record)[:60], "a table"))
        needed = {"audio_seconds", "seconds", "cpu_seconds", "peak_mb"}
        values: dict[str, Any] = {one.name: record.get(one.name) for one in fields(Cost)}
        wrong = [name for name, value in values.items() if not _is_amount(value, name not in needed)]
        if wrong:
            raise InputError(Fault(path, name, repr(values[name])[:60], "a number >= 0") for name in wrong)
        return Cost(**values)


def load_cost(folder: str | Path) -> Cost:
    """The cost that ``parakh run`` wrote.

    Args:
        folder: The folder of the answers, or the card itself.

    Raises:
        InputError: There is no such card, or it cannot be made sense of.
    """
    path = Path(folder)
    path = path / RUN_CARD if path.is_dir() else path
    action = "Give the folder that `parakh run` wrote."
    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(str(path), "", f"no JSON ({error})", f"a {SCHEMA} document", action)) from error
    schema = document.get("schema") if isinstance(document, Mapping) else None
    if schema != SCHEMA:
        raise InputError(Fault(str(path), "schema", repr(schema), repr(SCHEMA), action))
    return Cost.from_dict(document, str(path))


def cost_beside(paths: Sequence[str], recordings: Collection[str]) -> Cost | None:
    """The cost of answers that lie in the folder of a run; None where it is not known, or is that of other recordings.

    Nobody asked for it, so it keeps no answers from being scored: answers of several runs and damaged cards have no cost.

    Args:
        paths: Of answers, as they were given to be scored: files, folders, patterns.
        recordings: Ids of those that are scored; they have to be those of the run.
    """
    folders = {_run_folder(Path(path)) for path in paths}
    folder = folders.pop() if len(folders) == 1 else None
    if folder is None:
        return None
    try:
        cost = load_cost(folder)
        answered = json.loads(read_text(folder / RUN_CARD)).get("session_ids")
    except InputError:
        return None
    return cost if isinstance(answered, list) and set(map(str, answered)) == set(recordings) else None


def _run_folder(path: Path) -> Path | None:
    """The folder of the run that a file (``DIR/rttm/a.rttm``), a folder of answers (``DIR/rttm``) or the run itself is of."""
    return next((one for one in (path, *path.parents[:2]) if str(one) != "-" and (one / RUN_CARD).is_file()), None)


def _is_amount(value: object, optional: bool) -> bool:
    if value is None:
        return optional
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")

"""Diagnoses of submissions: a page each, made in the background by a worker when somebody first asks, and kept.

A page follows from the submission's file and the references, and has its name from both. Beside it lies what says that it was
asked for, until it is there, or what says why it could not be made.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parakh.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from parakh.leaderboard.challenge import MetricSet
    from parakh.leaderboard.references import References


class Stage(StrEnum):
    """Where a diagnosis stands."""

    UNASKED = "unasked"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True)
class Place:
    """Where the diagnosis of one submission lies.

    Args:
        page: The page, once it is there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Place.of(Path(folder), "0a1b2c", "r1")
    ...     before = place.stage
    ...     place.ask("s1")
    ...     asked = place.stage, wanted(Path(folder)) == [("s1", place)]
    ...     place.keep("<!DOCTYPE html>")
    ...     before.value, asked, place.stage.value
    ('unasked', (<Stage.MAKING: 'making'>, True), 'ready')
    """

    page: Path

    @staticmethod
    def of(data: Path, file: str, references: str) -> Place:
        """Where it lies.

        Args:
            data: The data folder.
            file: Key of the submission's file in the store.
            references: Digest of the references.
        """
        return Place.named(data, f"{file}-{references}.html")

    @staticmethod
    def named(data: Path, name: str) -> Place:
        """The place of a page's name."""
        return Place(data / "diagnoses" / name)

    @property
    def references(self) -> str:
        """Digest of the references that it follows from."""
        return self.page.stem.rpartition("-")[2]

    @property
    def stage(self) -> Stage:
        """Where it stands."""
        if self.page.is_file():
            return Stage.READY
        if self._beside(".asked").is_file():
            return Stage.MAKING
        return Stage.FAILED if self._beside(".failed").is_file() else Stage.UNASKED

    @property
    def reason(self) -> str:
        """Why it could not be made; "" where it was not tried."""
        try:
            return self._beside(".failed").read_text(encoding="utf-8")
        except OSError:
            return ""

    def ask(self, submission_id: str) -> None:
        """Say that it is asked for, whatever became of it before; workers look for what says so."""
        self._beside(".failed").unlink(missing_ok=True)
        write_atomic(self._beside(".asked"), submission_id)

    def keep(self, page: str) -> None:
        """Put the page there."""
        write_atomic(self.page, page)
        self._beside(".asked").unlink(missing_ok=True)
        self._beside(".failed").unlink(missing_ok=True)

    def give_up(self, reason: str) -> None:
        """Say why it cannot be made."""
        write_atomic(self._beside(".failed"), reason or "no reason was given")
        self._beside(".asked").unlink(missing_ok=True)

    def _beside(self, suffix: str) -> Path:
        return self.page.with_suffix(suffix)


def wanted(data: Path) -> list[tuple[str, Place]]:
    """What is asked for: ids of submissions, and where their diagnoses will lie."""
    found = []
    for path in sorted((data / "diagnoses").glob("*.asked")):
        with suppress(OSError):  # made meanwhile
            found.append((path.read_text(encoding="utf-8"), Place(path.with_suffix(".html"))))
    return found


def page_of(metric_set: MetricSet, references: References, items: Sequence[Any], system: str) -> str:
    """The page of a submission's diagnosis.

    Args:
        metric_set: What it was scored by: the ledger reads texts as it does.
        references: What it was scored against.
        items: The submission.
        system: Its name.

    Raises:
        InputError: Something of it cannot be aligned.
    """
    from dataclasses import replace

    from parakh.diagnosis import Choices, diagnose, with_usual_lists
    from parakh.diagnostics.setup import Setup
    from parakh.report.diagnosis import page

    usual = Choices(Setup(None), normalization=metric_set.normalization)
    collar = float(metric_set.options.get("collar", usual.collar))
    choices = with_usual_lists(replace(usual, collar=collar), references.items)
    return page(diagnose(references.items, {system or "submission": items}, choices), [])

"""The form in which each check declares itself, and the list of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from parakh import registry
from parakh.errors import UnknownNameError
from parakh.qc._material import Material, Source, Whole
from parakh.qc._settings import Settings
from parakh.types import Finding, Severity

OneRecording = Callable[[Material, Settings], Iterator[Finding]]
WholeSet = Callable[[Whole, Settings], Iterator[Finding]]


@dataclass(frozen=True)
class Check:
    """The declaration of one check.

    Args:
        code: "QC" with the stage (1 to 5) and two digits: "QC104".
        name: The problem, kebab-case, as the module is called: "zero-width-character".
        title: One line for people.
        severity: Of its findings, unless the settings say otherwise.
        recording: Looks at one recording; None for a check of the whole set.
        whole: Looks at the data set as a whole; None for a check of single recordings.
        hears: Whether it needs decoded audio (``Material.audio.level_db`` or ``speech``).

    The stage says when the check belongs: 1 format, completeness and privacy; 2 consistency; 3 sound tags; 4 overlap and
    pauses; 5 release.
    """

    code: str
    name: str
    title: str
    severity: Severity
    recording: OneRecording | None = None
    whole: WholeSet | None = None
    hears: bool = False

    @property
    def stage(self) -> int:
        """The stage of quality control that it belongs to, 1 to 5."""
        return int(self.code[2])

    def at(self, material: Material, message: str, source: Source[Any] | None = None, index: int | None = None) -> Finding:
        """A finding of this check.

        Args:
            material: The recording.
            message: One sentence; times in seconds, no personal data.
            source: The file concerned; None for the audio, or the recording where there is none.
            index: Which of the source's items; None for the whole file.
        """
        if source is None:
            path, line = material.entry.recording.audio, None
        else:
            path, line = source.path, None if index is None else source.line(index)
        return Finding(self.code, message, self.severity, material.session_id, path, line)


@cache
def all_checks() -> dict[str, Check]:
    """Every check by code, in order of codes, found by listing the folder."""
    checks: list[Check] = [registry.load("check", name).CHECK for name in registry.names("check")]
    return {check.code: check for check in sorted(checks, key=lambda check: check.code)}


def get(name: str) -> Check:
    """The check with a code or a name.

    Raises:
        UnknownNameError: There is none; close matches are listed.
    """
    for check in all_checks().values():
        if name in (check.code, check.name):
            return check
    raise UnknownNameError("check", name, [one for check in all_checks().values() for one in (check.code, check.name)])


def selected(settings: Settings) -> list[Check]:
    """The checks that the settings select and do not ignore, in order of codes; the longest code or prefix decides."""
    return [check for check in all_checks().values() if settings.selects(check.code, check.name)]

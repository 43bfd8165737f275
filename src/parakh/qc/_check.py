"""The form in which each check declares itself, and the list of them all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from parakh import registry
from parakh.errors import UnknownNameError
from parakh.qc._material import Material, Source, Whole
from parakh.qc._settings import Settings
from parakh.types import Finding, Severity

OneRecording = Callable[[Material, Settings], Iterator[Finding]]
WholeSet = Callable[[Whole, Settings], Iterator[Finding]]

STAGES = {
    1: "format, completeness, privacy",
    2: "consistency",
    3: "sound tags",
    4: "overlap and pauses",
    5: "release",
}
"""What the checks of each stage of quality control are about."""

COMMON: Mapping[str, float] = {"most-findings": 20}
"""The limits of every check: findings in one file of a recording that are told one by one."""


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
        limits: Its limits and their defaults, by the names that a data set sets them by ("max-pause": 0.3).
        by_language: Those of them that may be set for one language too ("max-speaking-rate-kn").

    The stage says when the check belongs, as ``STAGES`` has it.
    """

    code: str
    name: str
    title: str
    severity: Severity
    recording: OneRecording | None = None
    whole: WholeSet | None = None
    hears: bool = False
    limits: Mapping[str, float] = field(default_factory=dict)
    by_language: tuple[str, ...] = ()

    @property
    def stage(self) -> int:
        """The stage of quality control that it belongs to, 1 to 5."""
        return int(self.code[2])

    def findings(self, seen: Material | Whole, settings: Settings) -> list[Finding]:
        """What it finds in a recording, or in the set as a whole; a flood is summarised, and the settings say how grave it is.

        Args:
            seen: A recording, or the set; what this check does not look at has no findings.
            settings: Limits, vocabularies and severities.

        Returns:
            In the order in which they were found; of one file of a recording at most ``most-findings`` (20) and one that
            counts the others.
        """
        own = settings.over({**COMMON, **self.limits})
        if isinstance(seen, Material):
            found = self.recording(seen, own) if self.recording else None
        else:
            found = self.whole(seen, own) if self.whole else None
        if found is None:
            return []
        told = _without_floods(found, int(own.limit("most-findings")))
        grave = settings.severity.get(self.code)
        return [replace(one, severity=grave) for one in told] if grave else told

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


def known_limits() -> list[str]:
    """The names of all limits that a data set may set, in order of letters."""
    return sorted(set(COMMON).union(*(check.limits for check in all_checks().values())))


def is_limit(name: str) -> bool:
    """Whether a check has a limit of a name, for all languages or for one.

    >>> is_limit("max-pause"), is_limit("max-speaking-rate-kn"), is_limit("max-pause-kn")
    (True, True, False)
    """
    limit, _, tag = name.rpartition("-")
    of_language = re.fullmatch("[a-z]{2,3}", tag) and any(limit in check.by_language for check in all_checks().values())
    return name in known_limits() or bool(of_language)


def selected(settings: Settings) -> list[Check]:
    """The checks that the settings select and do not ignore, in order of codes; the longest code or prefix decides."""
    return [check for check in all_checks().values() if settings.selects(check.code, check.name)]


def _without_floods(findings: Iterable[Finding], most: int) -> list[Finding]:
    """The first findings of each file of a recording; the others are counted in one, at the place of the first of them."""
    files: dict[tuple[str | None, str | None], list[Finding]] = {}
    for one in findings:
        files.setdefault((one.session_id, one.path), []).append(one)
    told: list[Finding] = []
    for own in files.values():
        rest = own[most:] if len(own) > most + 1 else []
        told += own[: len(own) - len(rest)]
        if rest:
            told.append(replace(rest[0], message=f"and {len(rest)} more like these in this file"))
    return told

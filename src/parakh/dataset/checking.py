"""``parakh check``: every check over every recording, then over the set as a whole."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from parakh import qc
from parakh.audio.facts import AudioFacts
from parakh.dataset._listening import Heard, listen
from parakh.dataset.config import Config
from parakh.dataset.materials import gather
from parakh.errors import Fault, InputError, counted
from parakh.parallel import in_parallel
from parakh.qc import Check, Material, Settings
from parakh.text.masking import masked
from parakh.types import Finding, Severity

Progress = Callable[[int, int], None]
"""Told how many recordings of how many are done."""


class Audio(StrEnum):
    """How closely audio files are looked at: decoded and heard, by their headers, or not at all."""

    FULL = "full"
    HEADER = "header"
    NONE = "none"


@dataclass(frozen=True)
class Checked:
    """What checking found.

    Args:
        findings: Sorted by file, line and code; personal numbers are masked, paths relative to the current folder if inside.
        checks: The checks that ran, in order of codes.
        recordings: Ids of the recordings looked at, masked too, in the order of the data set.
        name: What was looked at.
        config: The data set's settings.
        audio: How closely its audio was looked at.
    """

    findings: tuple[Finding, ...]
    checks: tuple[Check, ...]
    recordings: tuple[str, ...]
    name: str = ""
    config: Config = field(default_factory=Config)
    audio: Audio = Audio.FULL

    def count(self, severity: Severity) -> int:
        """Findings of a severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def failing(self, limit: Severity | None = None) -> tuple[Finding, ...]:
        """Findings at or above a severity; without one, at or above that of the data set's settings.

        >>> [one.code for one in Checked((Finding("QC1", ""), Finding("QC2", "", Severity.NOTE)), (), ()).failing()]
        ['QC1']
        """
        order = list(Severity)
        return tuple(one for one in self.findings if order.index(one.severity) <= order.index(limit or self.config.fail_on))


def check(
    paths: str | Path | Sequence[str | Path],
    *,
    config: str | Path | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    audio: str = Audio.FULL,
    jobs: int = 1,
    progress: Progress | None = None,
    sessions: Collection[str] | None = None,
) -> Checked:
    """Check data sets, folders and files.

    Args:
        paths: What to check, as ``parakh.dataset.materials.gather`` takes it.
        config: A ``parakh.toml`` instead of the one in the folder.
        select: Codes, prefixes of codes or names of checks; takes the place of both lists in ``parakh.toml``.
        ignore: The same, of checks to leave out besides.
        audio: How closely to look at audio: "full", "header" or "none".
        jobs: Processes; the findings are the same with any number.
        progress: Told how far it is; None for nobody.
        sessions: Ids of the recordings to look at closely and to tell of; None for all.

    Returns:
        The findings of all checks, each once.

    Raises:
        InputError: A path, manifest, setting or name of a check is wrong, all of it at once.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "v1.rttm").write_text("SPEAKER v1 1 0 2 <NA> <NA> a <NA> <NA>")
    ...     check(folder, audio="none").recordings
    ('v1',)
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    how = _audio(audio)
    _refuse([*_unknown_codes("--select", select), *_unknown_codes("--ignore", ignore)])
    gathered = gather(given, config)
    settings = _settings(gathered.config.check, gathered.config_path, select, ignore)
    checks = _checks(settings, how, gathered.config_path if not (select or ignore) else "--select, --ignore")
    materials = gathered.whole.materials
    work = _Work(materials, checks, settings, how, sessions)
    told = None if progress is None else lambda done: progress(done, len(materials))
    looked = in_parallel(work.look, len(materials), jobs, told)
    heard = [_heard(one, look.audio, look.trouble) for one, look in zip(materials, looked, strict=True)]
    found = [*(finding for look in looked for finding in look.findings), *_missing(looked)]
    whole = replace(gathered.whole, materials=heard)
    found += [finding for one in checks for finding in one.findings(whole, settings)]
    if sessions is not None:
        files = {path for one in heard if one.session_id in sessions for path in one.entry.files.values()}
        found = [one for one in found if one.session_id in sessions or (one.session_id is None and one.path in files)]
    found = _once(found)
    return Checked(
        tuple(sorted(dict.fromkeys(map(_shown, found)), key=_place)),
        tuple(checks),
        tuple(_named(one.session_id) for one in materials),
        gathered.config.name or (Path(given[0]).resolve().name if len(given) == 1 else f"{len(given)} paths"),
        gathered.config,
        how,
    )


@dataclass(frozen=True)
class _Look:
    """What came of looking at one recording, small enough to be sent between processes."""

    findings: tuple[Finding, ...]
    trouble: Sequence[Finding]
    audio: AudioFacts | None
    missing: str = ""


@dataclass(frozen=True)
class _Work:
    materials: Sequence[Material]
    checks: Sequence[Check]
    settings: Settings
    audio: Audio
    sessions: Collection[str] | None = None

    def look(self, place: int) -> _Look:
        """Look at one recording and run the checks of single recordings."""
        material = self.materials[place]
        if self.sessions is not None and material.session_id not in self.sessions:
            return _Look(self._shared(material), material.trouble, None)
        path = material.entry.recording.audio
        is_there = self.audio is not Audio.NONE and path is not None and os.path.exists(path)
        facts, trouble, missing = listen(material, decode=self.audio is Audio.FULL) if is_there else Heard()
        material = _heard(material, facts, [*material.trouble, *trouble])
        found = [finding for one in self.checks if one.recording for finding in one.findings(material, self.settings)]
        lean = None if facts is None else replace(facts, level_db=None)
        return _Look(tuple(found), material.trouble, lean, missing)

    def _shared(self, material: Material) -> tuple[Finding, ...]:
        """Of a recording that is not looked at, what is wrong with files that it shares with others."""
        trouble = [one for one in material.trouble if one.session_id is None]
        bare = Material(material.entry, trouble=trouble)
        return tuple(finding for one in self.checks if trouble for finding in one.findings(bare, self.settings))


def _heard(material: Material, facts: AudioFacts | None, trouble: Sequence[Finding]) -> Material:
    """A recording with what its audio file says."""
    sums = {**material.sha256, "audio": facts.sha256} if facts and facts.sha256 else material.sha256
    return replace(material, audio=facts, trouble=tuple(trouble), sha256=sums)


def _missing(looked: Sequence[_Look]) -> list[Finding]:
    """One note for all recordings of which this installation cannot see or hear everything."""
    counts: Counter[tuple[str, str]] = Counter()
    for look in looked:
        notes = {(one.code, one.message) for one in look.audio.findings if one.severity is Severity.NOTE} if look.audio else set()
        counts.update(notes | ({("audio-not-looked-at", look.missing)} if look.missing else set()))
    return [
        Finding(code, f"{counted(count, 'recording')}: {message}", Severity.NOTE) for (code, message), count in counts.items()
    ]


def _once(found: Iterable[Finding]) -> list[Finding]:
    """What is wrong with a file that several recordings share, told once and not for each of them."""
    groups: dict[object, list[Finding]] = {}
    for place, one in enumerate(found):
        same = one.path and one.line is None
        groups.setdefault((one.code, one.severity, one.message, one.path) if same else place, []).append(one)
    told = []
    for own in groups.values():
        count = len({one.session_id for one in own})
        message = f"{own[0].message}, of {counted(count, 'recording')}"
        told.append(own[0] if count == 1 else replace(own[0], session_id=None, message=message))
    return told


def _shown(finding: Finding) -> Finding:
    """A finding as it may be shown: personal numbers masked, its path relative to the current folder if it lies inside."""
    session = finding.session_id and _named(finding.session_id)
    path = finding.path and _named(_near(finding.path))
    return replace(finding, message=masked(finding.message), path=path, session_id=session)


@cache
def _named(name: str) -> str:
    """An id or a path as it may be shown."""
    return masked(name)


def _near(path: str) -> str:
    near = os.path.relpath(path)
    return path if near.startswith("..") else near


def _place(finding: Finding) -> tuple[str, int, str, str, str]:
    return finding.path or "", finding.line or 0, finding.code, finding.session_id or "", finding.message


def _audio(how: str) -> Audio:
    try:
        return Audio(how)
    except ValueError:
        raise InputError(Fault("--audio", "", repr(how), f"one of {', '.join(Audio)}")) from None


def _settings(own: Settings, path: str, select: Sequence[str], ignore: Sequence[str]) -> Settings:
    """The data set's settings under what the call says."""
    named = {"check.select": own.select, "check.ignore": own.ignore, "check.severity": own.severity}
    faults = [fault for field, names in named.items() for fault in _unknown_codes(path, names, field)]
    _refuse([*faults, *_unknown_limits(path, own.limits)])
    by_name: Mapping[str, str] = {one.name: one.code for one in qc.all_checks().values()}
    severity = {by_name.get(name, name): value for name, value in own.severity.items()}
    if select:
        return replace(own, select=tuple(select), ignore=tuple(ignore), severity=severity)
    return replace(own, ignore=(*own.ignore, *ignore), severity=severity)


def _checks(settings: Settings, how: Audio, path: str) -> list[Check]:
    """The checks that run.

    Raises:
        InputError: None does, so that nothing would be found whatever is wrong.
    """
    chosen = qc.selected(settings)
    checks = [one for one in chosen if how is Audio.FULL or not one.hears]
    if not checks:
        action = "These hear sound: leave --audio at full." if chosen else "`parakh list check` lists them."
        raise InputError(Fault(path, "", "no check left", "one or more", action))
    return checks


def _unknown_codes(path: str, names: Iterable[str], field: str = "") -> Iterator[Fault]:
    """A fault for each name of a check that is not known, with what it may have meant."""
    checks = qc.all_checks().values()
    for name in names:
        if any(name == one.name or (name and one.code.startswith(name)) for one in checks):
            continue
        expected = "the code of a check, the beginning of one, or a name"
        action = _meant(name, [text for one in checks for text in (one.code, one.name)], "`parakh list check` lists them.")
        yield Fault(path, field, repr(name), expected, action)


def _unknown_limits(path: str, names: Iterable[str]) -> Iterator[Fault]:
    """A fault for each limit that no check has, with what it may have meant."""
    for name in names:
        if not qc.is_limit(name):
            action = _meant(name, qc.known_limits(), "`parakh explain` with the code of a check says which it has.")
            yield Fault(path, "check.limits", repr(name), "the limit of a check", action)


def _meant(name: str, known: Sequence[str], otherwise: str) -> str:
    close = difflib.get_close_matches(name, known, n=3)
    return f"Did you mean {' or '.join(close)}?" if close else otherwise


def _refuse(faults: Sequence[Fault]) -> None:
    if faults:
        raise InputError(faults)

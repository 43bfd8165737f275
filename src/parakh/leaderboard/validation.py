"""The check of a submission, the same for ``parakh validate`` and for the server: all that is wrong with it is found at once.

    file -> archive.unpack -> the files of the track -> their format -> items -> an answer for every recording, and nothing else

It knows the kit and the submission and no reference, so what it says can tell nobody anything of one.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import normalize

from parakh import tracks
from parakh.errors import Fault, InputError, counted
from parakh.formats._text import SAY_WHICH, shown
from parakh.leaderboard._answers import answers_among, one_folder
from parakh.leaderboard._needs import lacking
from parakh.leaderboard.archive import Unpacked, unpack
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.kit import Kit
from parakh.metrics import Payload
from parakh.types import Finding, Segment, Severity

_AFTER_END = 0.5
"""Seconds that a turn may end after the recording: durations are rounded, frames are whole."""
_BLANK = 4096
"""Bytes of a file that may hold nothing but blanks."""
_MOST = 500
"""Faults that are told one by one."""
_SUGGESTED = 50
"""Strange ids that a near one is looked for."""
_NEAR = 200
"""Characters of an id by which a near one is looked for."""


@dataclass(frozen=True)
class Checked:
    """The outcome of the check.

    Args:
        items: What is to be scored; empty where there are faults.
        findings: What was only noticed.
        faults: What is wrong, for its makers; paths are names within the archive. Empty for a submission that can be scored.
    """

    items: tuple[Any, ...]
    findings: tuple[Finding, ...] = ()
    faults: tuple[Fault, ...] = ()


def check(path: Path, kit: Kit, file_name: str | None = None) -> Checked:
    """Check a submission.

    Args:
        path: The file.
        kit: What it has to answer.
        file_name: Its name as its maker gave it, which may tell the format and the recording; None for that of the path.

    Raises:
        OSError: It cannot be opened, or there is no room to unpack it.
    """
    with tempfile.TemporaryDirectory(prefix="parakh-") as folder:
        try:
            unpacked = unpack(path, Path(folder), name=file_name)
            answers = _read(unpacked, kit)
        except InputError as error:
            return Checked((), (), tuple(_most(_within(error.faults, folder), error.more)))
    faults = _faults(answers, kit)
    findings = (*answers.findings, *_noticed(answers, kit))
    return Checked(() if faults else answers.items, findings, tuple(faults))


@dataclass
class _Answers:
    """What the files of a submission hold, and where each item stands."""

    items: tuple[Any, ...]
    places: Sequence[tuple[str, int]]
    empty: frozenset[str]
    """The recordings that a file without anything in it is an answer to."""
    findings: tuple[Finding, ...]


def _read(unpacked: Sequence[Unpacked], kit: Kit) -> _Answers:
    """The items of all files that are answers.

    Raises:
        InputError: All faults of all files.
    """
    files = one_folder(unpacked)
    item = tracks.get(kit.track_rules.metric_set.track).item
    blank = {one for one in files if item is Segment and _is_blank(one.path)}
    written = [one for one in files if one not in blank]
    chosen, findings = answers_among(written, kit) if written else ({}, [])
    faults: list[Fault] = []
    more = 0
    items: list[Any] = []
    places: list[tuple[str, int]] = []
    for one, form in chosen.items():
        try:
            loaded = form.read(one.path)
        except InputError as error:
            faults += [dataclasses.replace(fault, path=one.name) for fault in error.faults]
            more += error.more
            continue
        items += loaded.items
        places += [(one.name, loaded.line(place)) for place in range(len(loaded.items))]
        findings += [dataclasses.replace(finding, path=one.name) for finding in loaded.findings]
    if faults:
        raise InputError(faults, more)
    known = [one.session_id for one in kit.recordings]
    empty = {_recording_named(one.name, known) for one in blank}
    return _Answers(tuple(items), places, frozenset(empty - {None}), tuple(findings))  # type: ignore[arg-type]


def _is_blank(path: Path) -> bool:
    if path.stat().st_size > _BLANK:
        return False
    return not path.read_bytes().removeprefix(b"\xef\xbb\xbf").strip()


def _recording_named(name: str, known: Iterable[str]) -> str | None:
    """The recording that a file is called after; None for none."""
    base = PurePosixPath(name).name
    fitting = [one for one in known if base.startswith(one) and base[len(one) : len(one) + 1] in ("", ".", "_")]
    return max(fitting, key=len, default=None)


def _faults(answers: _Answers, kit: Kit) -> list[Fault]:
    """What is wrong with the answers as a whole."""
    metric_set = kit.track_rules.metric_set
    wrong = _wrong_kind(answers, metric_set)
    return _most([*(wrong or _lacking(answers, metric_set)), *_twice(answers), *_incomplete(answers, kit)])


def _most(faults: list[Fault], more: int = 0) -> list[Fault]:
    """The first faults, and one that counts the others, those among them that were not kept."""
    left = max(0, len(faults) - _MOST) + more
    return [*faults[:_MOST], *([Fault("...", "", counted(left, "more fault"), "none", "Mend these first.")] if left else [])]


def _wrong_kind(answers: _Answers, metric_set: MetricSet) -> list[Fault]:
    """A fault where all turns are without words, and words are asked for."""
    asked = Payload.WORDS in tracks.get(metric_set.track).payloads
    if not asked or not answers.items or any(item.words.strip() for item in answers.items):
        return []
    found = f"{counted(len(answers.items), 'turn')} without words"
    return [Fault(answers.places[0][0], "words", found, "what was said", "Is it for diarization?")]


def _lacking(answers: _Answers, metric_set: MetricSet) -> list[Fault]:
    """A fault for each field that a metric needs and some item does not have, at the first of them."""
    action = "Give a format that carries them, as SegLST, STM or RTTM."
    return [
        Fault(answers.places[one.first][0], one.field, one.found, one.expected, action, answers.places[one.first][1])
        for one in lacking(metric_set, answers.items)
    ]


def _twice(answers: _Answers) -> list[Fault]:
    """A fault for each recording with answers in two files, or with two where there is one to give."""
    first: dict[str, tuple[str, int]] = {}
    told: set[tuple[str, str]] = set()
    faults = []
    for item, (name, line) in zip(answers.items, answers.places, strict=True):
        session = item.session_id
        owner, at = first.setdefault(session, (name, line))
        is_again = owner != name or (not isinstance(item, Segment) and at != line)
        if is_again and (session, name) not in told:
            told.add((session, name))
            where = owner if owner != name else f"line {at}"
            faults.append(
                Fault(name, "session_id", f"a second answer to {shown(session)}", f"one ({where} has it)", "Keep one.", line)
            )
    return faults


def _incomplete(answers: _Answers, kit: Kit) -> list[Fault]:
    """A fault for each recording without an answer, and for each answer to something else."""
    known = {one.session_id: None for one in kit.recordings}
    first: dict[str, tuple[str, int]] = {}
    for item, place in zip(answers.items, answers.places, strict=True):
        first.setdefault(item.session_id, place)
    missing = [name for name in known if name not in first and name not in answers.empty]
    extra = [name for name in first if name not in known]
    expected = f"a recording of the phase {kit.phase}"
    faults = []
    for count, name in enumerate(extra):
        action = _suggestion(name, missing or list(known)) if count < _SUGGESTED else ""
        path, line = first[name]
        faults.append(Fault(path, "session_id", shown(name), expected, action or "Take it out.", line))
    every = f"an answer to each of the {counted(len(known), 'recording')}"
    return [*faults, *(Fault("submission", "", f"no answer to {shown(name)}", every, "Add it.") for name in missing)]


def _suggestion(name: str, known: Sequence[str]) -> str:
    """Which recording was meant, and how its id differs; "" where none is near."""
    for one in known:
        if normalize("NFC", one) == normalize("NFC", name):
            return f"{shown(one)} looks alike but is composed differently (Unicode NFC and NFD)."
        if name.startswith(one) or name.endswith(one):
            rest = name.removeprefix(one) if name.startswith(one) else name.removesuffix(one)
            return f"Did you mean {shown(one)}? Take {shown(rest)} off."
    close = difflib.get_close_matches(name[:_NEAR], known, n=1)
    return f"Did you mean {shown(close[0])}?" if close else ""


def _noticed(answers: _Answers, kit: Kit) -> list[Finding]:
    """Turns after the end of their recording, and turns without words where words are asked for."""
    ends = {one.session_id: one.duration for one in kit.recordings}
    asked = Payload.WORDS in tracks.get(kit.track_rules.metric_set.track).payloads
    late: dict[str, list[tuple[str, int]]] = {}
    silent: dict[str, list[tuple[str, int]]] = {}
    for item, place in zip(answers.items, answers.places, strict=True):
        if not isinstance(item, Segment):
            continue
        end = ends.get(item.session_id)
        if end is not None and item.end_time is not None and item.end_time > end + _AFTER_END:
            late.setdefault(item.session_id, []).append(place)
        if asked and not item.words.strip():
            silent.setdefault(item.session_id, []).append(place)
    return [
        *(
            _finding("after-end", name, own, f"past the end of the recording, which lasts {ends[name]:g} s")
            for name, own in late.items()
        ),
        *(_finding("empty-words", name, own, "without words: nothing of it counts") for name, own in silent.items()),
    ]


def _finding(code: str, session_id: str, places: Sequence[tuple[str, int]], what: str) -> Finding:
    return Finding(code, f"{counted(len(places), 'turn')} {what}", Severity.WARNING, session_id, *places[0])


def _within(faults: Iterable[Fault], folder: str) -> list[Fault]:
    """Faults that name files as the archive does, and not where they lie for the moment; nor options of other commands."""

    def clean(text: str) -> str:
        return text.replace(f"{folder}{os.sep}", "").replace(folder, "submission").replace(SAY_WHICH, "").strip()

    return [
        Fault(clean(one.path), clean(one.field), clean(one.found), clean(one.expected), clean(one.action), one.line)
        for one in faults
    ]

"""``parakh fuse``: several systems' answers made one, a file a recording."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from parakh import formats, fusion, registry
from parakh.cli.settings import check_output, setting
from parakh.errors import Fault, InputError, UnknownNameError, counted
from parakh.files import forced_together
from parakh.formats import is_file_name
from parakh.text.masking import masked
from parakh.types import Finding, Segment

FORMATS = {"diarization": ("rttm", "seglst"), "asr": ("seglst", "stm", "ctm")}
"""What is written for each track, the usual one first."""


@dataclass(frozen=True)
class Request:
    """Everything ``parakh fuse`` was asked for; the fields are its options."""

    track: str
    systems: Sequence[str]
    out: str
    method: str | None
    settings: Sequence[str]
    weights: str | None
    sessions: Sequence[str]
    allow_missing: bool
    source: str | None
    target: str | None
    strip_suffixes: Sequence[str]


def fuse(request: Request) -> None:
    """Fuse every recording, write them, and say on standard error what was odd.

    Raises:
        ParakhError: An option or an input is wrong; then nothing is written.
    """
    if request.track not in FORMATS:
        raise UnknownNameError("track whose answers are fused", request.track, list(FORMATS))
    target = _target(request)
    backend = _method(request)
    answers, findings = _answers(request)
    fused: dict[str, list[Segment]] = {}
    for session, own in fusion.sessions(answers, request.allow_missing, request.sessions):
        fused[session], seen = backend.fuse(own)
        findings += seen
    written = _write(fused, Path(request.out), target, request.systems)
    for finding in dict.fromkeys(findings):
        print(masked(str(finding)), file=sys.stderr)
    what = counted(sum(map(len, fused.values())), "segment")
    print(f"{request.out}: {what} of {counted(len(written), 'recording')} as {target}", file=sys.stderr)


def _target(request: Request) -> str:
    known = FORMATS[request.track]
    target = request.target or known[0]
    if target not in known:
        raise InputError(Fault("--format", "", repr(target), f"one of {', '.join(known)}"))
    return target


def _method(request: Request) -> fusion.Fusion:
    """The method with the options that ``--set`` gives."""
    name = request.method or fusion.methods(request.track)[0]
    if name not in fusion.methods(request.track):
        return fusion.method(request.track, name, {})
    backend = registry.load("fusion", name).Backend
    hints = get_type_hints(backend)
    kinds = {field.name: hints[field.name].__name__ for field in fields(backend) if field.default is not MISSING}
    given = dict(setting(text, kinds, name) for text in request.settings)
    return fusion.method(request.track, name, given)


def _answers(request: Request) -> tuple[list[fusion.Answer], list[Finding]]:
    """What each system says, the faults of all together."""
    if len(request.systems) < 2:
        raise InputError(Fault("fuse", "", counted(len(request.systems), "system"), "two or more files, folders or patterns"))
    if len({os.path.realpath(path) for path in request.systems}) < len(request.systems):
        raise InputError(Fault("fuse", "", "a system twice", "each system once", "Give it more weight by --weights."))
    weights = _weights(request.weights, len(request.systems))
    answers: list[fusion.Answer] = []
    findings: list[Finding] = []
    faults: list[Fault] = []
    for path, weight in zip(request.systems, weights, strict=True):
        try:
            loaded = formats.load([path], Segment, request.source, strip_suffixes=request.strip_suffixes)
        except InputError as error:
            faults += error.faults
            continue
        faults += _unfit(path, loaded.items, request.track)
        answers.append(fusion.Answer(path, loaded.items, weight))
        findings += loaded.findings
    if faults:
        raise InputError(faults)
    return answers, findings


def _unfit(path: str, segments: Sequence[Segment], track: str) -> list[Fault]:
    """Segments without what the track needs."""
    if track != "diarization":
        return []
    lacking = [one for one in segments if one.speaker is None or one.start_time is None]
    if not lacking:
        return []
    found = f"{counted(len(lacking), 'segment')} without speaker or times"
    return [Fault(path, "", found, "who spoke when", "Give RTTM, STM or SegLST with speakers and times.")]


def _weights(text: str | None, systems: int) -> Sequence[float | None]:
    """The numbers of ``--weights``, one a system."""
    if text is None:
        return [None] * systems
    try:
        weights = [float(part) for part in text.split(",")]
    except ValueError:
        weights = []
    if len(weights) != systems or not all(0 <= weight < 1e9 for weight in weights) or not sum(weights):
        expected = f"{systems} numbers >= 0, one a system in their order, not all 0, as in 0.5,0.3,0.2"
        raise InputError(Fault("--weights", "", repr(text), expected))
    return weights


def _write(fused: dict[str, list[Segment]], out: Path, target: str, inputs: Sequence[str]) -> list[Path]:
    """A file a recording; one without anything is written too, so that it is not missing."""
    form = formats.get(target)
    bad = [name for name in fused if not is_file_name(name)]
    if bad:
        raise InputError(
            Fault("session_id", "", repr(name), "an id that can be a file name", "Rename the recording.") for name in bad
        )
    places = {name: out / f"{name}{form.ending or form.suffixes[0]}" for name in fused}
    for place in places.values():
        check_output("--out", str(place), inputs)
    with forced_together():
        for name, place in places.items():
            form.write(_words(fused[name]) if target == "ctm" else fused[name], place)
    return list(places.values())


def _words(segments: Sequence[Segment]) -> list[Segment]:
    """A segment a word, in order of time."""
    words: list[Any] = []
    for segment in segments:
        if not segment.word_times:
            words.append(segment)
            continue
        words += [
            Segment(segment.session_id, segment.speaker, start, end, text, confidence=segment.confidence)
            for text, (start, end) in zip(segment.words.split(), segment.word_times, strict=True)
        ]
    return sorted(words, key=lambda word: (word.start_time or 0.0, word.end_time or 0.0))

"""What checks see of a data set's folder, read as plainly as can be."""

from __future__ import annotations

import hashlib
import wave
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from parakh import formats, qc
from parakh.audio.facts import AudioFacts, Header
from parakh.dataset import manifest
from parakh.dataset.manifest import METADATA, RECORDINGS, Dataset
from parakh.errors import InputError
from parakh.qc import Material, Source, Whole
from parakh.types import Entry, Finding, Region, Segment, Severity, Summary, Topics

PARTS = {
    "rttm": ("turns", Segment),
    "transcript": ("transcript", Segment),
    "native": ("native", Segment),
    "topics": ("topics", Topics),
    "summary": ("summary", Summary),
    "uem": ("regions", Region),
}


def findings(root: Path, audio: str) -> list[Finding]:
    """What all checks find in a data set: through the command's own work where it is there."""
    if find_spec("parakh.dataset.checking"):
        from parakh.dataset.checking import check

        return list(check(root, audio=audio).findings)
    dataset = manifest.load(root)
    materials = [_material(dataset, entry, line) for entry, line in zip(dataset.entries, dataset.lines, strict=True)]
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    whole = Whole(materials, str(root), dataset.config.licence, files, True)
    checks = qc.selected(dataset.config.check)
    return [one for check in checks for seen in (*materials, whole) for one in check.findings(seen, dataset.config.check)]


def _material(dataset: Dataset, entry: Entry, line: int) -> Material:
    parts: dict[str, object] = {}
    trouble: list[Finding] = []
    sums: dict[str, str] = {}
    for kind, path in entry.files.items():
        if not Path(path).exists():
            continue
        sums[kind] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        name, item = PARTS[kind]
        try:
            loaded = formats.detect(path, item).read(Path(path))
        except InputError as error:
            trouble += [Finding("unreadable", one.found, Severity.ERROR, path=one.path, line=one.line) for one in error.faults]
            continue
        own = [place for place, one in enumerate(loaded.items) if one.session_id == entry.session_id]
        parts[name] = Source(path, [loaded.items[place] for place in own], [loaded.line(place) for place in own])
        trouble += loaded.findings
    places = {speaker: row for (session, speaker), row in dataset.rows.items() if session == entry.session_id}
    return Material(
        entry,
        audio=_heard(entry.recording.audio),
        manifest=Source(str(dataset.folder / RECORDINGS), (entry,), (line,)),
        rows=Source(str(dataset.folder / METADATA), tuple(places), tuple(places.values())),
        trouble=trouble,
        sha256=sums,
        **parts,
    )


def _heard(path: str | None) -> AudioFacts | None:
    if path is None or not Path(path).exists():
        return None
    with wave.open(path) as file:
        rate, bits = file.getframerate(), 8 * file.getsampwidth()
        header = Header("wav", f"pcm_s{bits}le", rate, file.getnchannels(), bits, file.getnframes() / rate)
    return AudioFacts(header, hashlib.sha256(Path(path).read_bytes()).hexdigest(), header.duration)


def told(found: Iterable[Finding], root: Path) -> list[tuple[str, str, int | None]]:
    """Code, file relative to the folder, and line of each finding."""
    return [(one.code, Path(one.path or root).relative_to(root).as_posix(), one.line) for one in found]

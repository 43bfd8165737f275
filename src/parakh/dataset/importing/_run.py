"""One import from beginning to end: read and stage every recording, then put all of it in place.

Nothing is put in place before everything is read, so that a source with faults leaves the data set as it was. A killed
import is taken up where it stopped, and ends with the same bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.dataset import manifest
from parakh.dataset.importing import _store
from parakh.dataset.importing._folders import walk
from parakh.dataset.importing._importer import Found, Importer, Options, get, guess
from parakh.dataset.importing._journal import Journal, state
from parakh.errors import Fault, InputError, counted, printable
from parakh.files import checksum, forced_together, write_atomic
from parakh.formats._text import shown
from parakh.text.masking import masked
from parakh.types import Entry, Finding, Severity, Summary, Topics

REPORTS = "imports"


@dataclass(frozen=True)
class Request:
    """What to import.

    Args:
        source: Where the recordings come from.
        folder: The data set; it is made if need be.
        kind: Name of the importer; None guesses it.
        options: What the user says of the source.
        skip_faulty: Import the recordings without faults and name the others.
    """

    source: Path
    folder: Path
    kind: str | None = None
    options: Options = field(default_factory=Options)
    skip_faulty: bool = False


@dataclass(frozen=True)
class Outcome:
    """What an import came to.

    Args:
        kind: Name of the importer.
        imported: Ids of the recordings imported, in order.
        left_out: Faults of what was left out, by recording; "" for those of no one recording.
        notes: What has no place in a data set, or was made or changed on the way.
        report: The file that says all this.
        resumed: Recordings that an earlier, killed run had already done.
    """

    kind: str
    imported: tuple[str, ...]
    left_out: Mapping[str, tuple[str, ...]]
    notes: tuple[Finding, ...]
    report: Path
    resumed: int = 0


def run(request: Request, progress: Callable[[int, int], None] = lambda done, total: None) -> Outcome:
    """Import a source into a data set.

    Args:
        request: What to import.
        progress: Told after each recording how many are done, of how many.

    Returns:
        What was done.

    Raises:
        InputError: The source is no such source, has no recordings, or has faults that are not to be skipped; the data set
            is then as it was. Or a file cannot be read or written; the same call goes on from there.
    """
    try:
        return _run(request, progress)
    except OSError as error:
        place, expected = str(error.filename or request.folder), "a place that can be read and written"
        action = "Mend it, and run the same command again: it goes on where it stopped."
        raise InputError(Fault(place, "", error.strerror or str(error), expected, action)) from error


def _run(request: Request, progress: Callable[[int, int], None]) -> Outcome:
    importer = _importer(request)
    options = replace(request.options, without=request.folder)
    was_there = request.folder.exists()
    journal = Journal(request.folder, _asked(request, importer, options))
    journal.open()
    resumed = len([name for name in journal.done if name])
    finished = False
    try:
        if not journal.complete:
            with forced_together():
                _read(request, importer, options, journal, progress)
            journal.finish()
        outcome = _put_in_place(request, importer, journal, resumed)
        finished = True
    except InputError:
        finished = not journal.complete
        raise
    finally:
        journal.close(remove=finished)
        if not was_there and request.folder.is_dir() and not any(request.folder.iterdir()):
            request.folder.rmdir()
    return outcome


def _importer(request: Request) -> Importer:
    if request.folder.exists() and not request.folder.is_dir():
        raise InputError(Fault(str(request.folder), "", "a file", "a folder for the data set"))
    if request.folder.resolve() == request.source.resolve():
        expected = "another folder: the data set has files of its own"
        raise InputError(Fault(str(request.folder), "", "the source", expected, "Name a new one; --audio link copies nothing."))
    importer = get(request.kind) if request.kind and request.source.exists() else guess(request.source)
    if importer.embedded and request.options.audio not in ("copy", "none"):
        expected = "copy or none: the audio is inside other files"
        raise InputError(Fault("--audio", "", repr(request.options.audio), expected))
    return importer


def _asked(request: Request, importer: Importer, options: Options) -> dict[str, object]:
    root = request.source if request.source.is_dir() else request.source.parent
    files = walk(root, request.folder) if request.source.is_dir() else [request.source]
    taken = len(list((request.folder / REPORTS).glob("*.md"))) if request.folder.is_dir() else 0
    return {
        "source": str(request.source),
        "kind": importer.name,
        "options": asdict(options) | {"without": None},
        "skip_faulty": request.skip_faulty,
        "state": state(files, root),
        "number": taken + 1,
    }


def _read(request: Request, importer: Importer, options: Options, journal: Journal, progress: Callable[[int, int], None]) -> None:
    """Stage every recording that is not yet done."""
    known = {one.session_id for one in _existing(request.folder).entries}
    listing = importer.find(request.source, options)
    seen: dict[str, int] = {}
    faults = list(listing.faults)
    for number, found in enumerate(listing.recordings, 1):
        again = found.session_id in seen
        seen.setdefault(found.session_id, number)
        name = f"{found.session_id} ({number})" if again else found.session_id
        if not _is_done(journal, name):
            journal.add(_record(found, name, request, options, journal.stage, known, again=again))
        progress(number, listing.total)
    if not seen:
        nothing = Fault(str(request.source), "", "no recording", f"recordings as {importer.name} has them")
        raise InputError(faults or [nothing])
    left = [fault for name, record in journal.done.items() if name for fault in record.get("faults", ())]
    if (left or faults) and not request.skip_faulty:
        raise InputError([*faults, *(Fault(**fault) for fault in left)])
    notes = [asdict(note) for note in (*listing.notes, *_silent(journal, options, request.source))]
    journal.add({"session_id": "", "faults": [asdict(fault) for fault in faults], "notes": notes})


def _silent(journal: Journal, options: Options, source: Path) -> list[Finding]:
    """One note that names the recordings that came without audio, where audio was wanted."""
    names = [name for name, record in journal.done.items() if "recording" in record and record["recording"]["audio"] is None]
    if not names or options.audio == "none":
        return []
    listed = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
    return [Finding("no-audio", f"{counted(len(names), 'recording')} without audio: {listed}", Severity.NOTE, path=str(source))]


def _is_done(journal: Journal, name: str) -> bool:
    record = journal.done.get(name)
    return record is not None and ("faults" in record or _store.is_staged(record, journal.stage))


def _record(
    found: Found, name: str, request: Request, options: Options, stage: Path, known: set[str], *, again: bool
) -> dict[str, Any]:
    """What the journal is to keep of one recording: what was staged, or its faults."""
    try:
        if again or found.session_id in known:
            expected = "an id of its own (the source has it twice)" if again else "an id that the data set does not have yet"
            raise InputError(
                Fault(str(request.source), "session_id", shown(found.session_id), expected, "Rename one of the two.")
            )
        return _store.stage(found.read(), options, stage, request.folder)
    except InputError as error:
        return {"session_id": name, "faults": [asdict(fault) for fault in error.faults]}


def _existing(folder: Path) -> manifest.Dataset:
    return manifest.load(folder) if manifest.is_dataset(folder) else manifest.Dataset(folder, ())


def _put_in_place(request: Request, importer: Importer, journal: Journal, resumed: int) -> Outcome:
    """Move what is staged, write the tables and the manifest; may be done again after a kill at any point."""
    records = [record for record in journal.done.values() if "recording" in record]
    for record in records:
        _moved(record, journal.stage, request.folder)
    entries = {record["session_id"]: _store.entry(record, request.folder) for record in records}
    existing = _existing(request.folder)
    entries = {one.session_id: one for one in existing.entries if one.session_id not in entries} | entries
    topics = [Topics(one["session_id"], tuple(one["topics"])) for one in records if one["topics"] is not None]
    summaries = [Summary(one["session_id"], one["summary"]) for one in records if one["summary"] is not None]
    _with_table(request.folder, entries, "topics", topics)
    _with_table(request.folder, entries, "summary", summaries)
    outcome = _outcome(request, importer, journal, records, resumed)
    write_atomic(outcome.report, _report(request, outcome))
    manifest.save(replace(existing, folder=request.folder, entries=tuple(entries.values())))
    return outcome


def _moved(record: Mapping[str, Any], stage: Path, folder: Path) -> None:
    paths = [*record["files"].values(), record["recording"]["audio"]]
    for path in paths:
        if path is None or not ((stage / path).is_symlink() or (stage / path).exists()) or Path(path).is_absolute():
            continue
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(stage / path, folder / path)


def _with_table(folder: Path, entries: dict[str, Entry], kind: str, items: Sequence[Topics] | Sequence[Summary]) -> None:
    """Add the topics or summaries to the file of all recordings, and the file to the entries that it serves."""
    if not items:
        return
    name, form = (_store.TOPICS, "topics-csv") if kind == "topics" else (_store.SUMMARIES, "summary-csv")
    path = folder / name
    new = {one.session_id for one in items}
    earlier = formats.get(form).read(path).items if path.exists() else ()
    formats.get(form).write([*(one for one in earlier if one.session_id not in new), *items], path)
    digest = checksum(path)
    for session, one in entries.items():
        if session in new or one.files.get(kind) == str(path):
            files = {**one.files, kind: str(path)}
            entries[session] = replace(one, files=files, sha256={**one.sha256, kind: digest})


def _outcome(
    request: Request, importer: Importer, journal: Journal, records: Sequence[Mapping[str, Any]], resumed: int
) -> Outcome:
    left_out = {
        name: tuple(str(Fault(**fault)) for fault in record["faults"])
        for name, record in journal.done.items()
        if record.get("faults")
    }
    notes = tuple(_finding(note) for record in journal.done.values() for note in record.get("notes", ()))
    report = request.folder / REPORTS / f"{journal.number:03d}-{importer.name}.md"
    return Outcome(importer.name, tuple(one["session_id"] for one in records), left_out, notes, report, resumed)


def _finding(values: Mapping[str, Any]) -> Finding:
    return Finding(**{**values, "severity": Severity(values["severity"])})


def _report(request: Request, outcome: Outcome) -> str:
    """The report of an import, as text for people."""
    count = counted(len(outcome.imported), "recording")
    lines = [printable(f"Imported from {request.source} as {outcome.kind}: {count}.")]
    if outcome.left_out:
        lines += ["", "Left out, with what is wrong:", ""]
        lines += [f"- {line}" for faults in outcome.left_out.values() for line in faults]
    if outcome.notes:
        lines += ["", "Without a place in the data set, or changed:", ""]
        lines += [f"- {printable(str(note))}" for note in outcome.notes]
    return masked("\n".join(lines) + "\n")

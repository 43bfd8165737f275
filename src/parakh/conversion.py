"""From one format to another: what the new file holds is read back and compared, so that a loss is told and never guessed.

A format says what it may lose; whether these items lose it is another matter. The files are made beside, read back,
compared item by item, and only then put in place.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.errors import Fault, InputError, counted
from parakh.files import hold_pipes, write_atomic
from parakh.formats import Format
from parakh.formats._text import SAY_WHICH
from parakh.types import Finding, Recording, Region, Segment, Summary, Topics

STDIO = "-"
_ITEMS: dict[type, tuple[str, str]] = {
    Segment: ("segment", "segments"),
    Region: ("region", "regions"),
    Topics: ("list of topics", "lists of topics"),
    Summary: ("summary", "summaries"),
    Recording: ("recording", "recordings"),
}


@dataclass(frozen=True)
class Change:
    """What became of one field on the way.

    Args:
        kind: "lost" (there was a value, there is none), "changed" or "added" (the format wants one: it was made up).
        field: The field of the items; "" for the items themselves.
        count: How many items it concerns.
        most: The largest difference in seconds, of a time that changed; None for any other change.
    """

    kind: str
    field: str
    count: int
    most: float | None = None


@dataclass(frozen=True)
class Conversion:
    """What a conversion did.

    Args:
        to: The format written.
        files: What was written.
        items: How many items.
        sessions: Of how many recordings.
        changes: What the files do not hold as it was.
        findings: What the readers noticed.
    """

    to: Format
    files: tuple[Path, ...]
    items: int
    sessions: int
    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def loses(self) -> bool:
        """Whether anything was lost or changed."""
        return any(change.kind != "added" for change in self.changes)


def convert(
    paths: Sequence[str],
    out: str,
    *,
    source: str | None = None,
    target: str | None = None,
    strip_suffixes: Sequence[str] = (),
    speaker: str | None = None,
    strict: bool = False,
) -> Conversion:
    r"""Write what some files hold in another format.

    Args:
        paths: Files, folders or patterns of one kind of item; "-" is standard input.
        out: A file; a folder (one that exists, or a name that ends in "/") for one file a recording; "-" for standard output.
        source: Format of the files; None finds out by content.
        target: Format to write; None goes by the ending of ``out``.
        strip_suffixes: Endings to take off session ids.
        speaker: Who speaks where the files name nobody.
        strict: Refuse to write anything that does not come back as it was.

    Returns:
        What was written and what was lost.

    Raises:
        InputError: The files cannot be read, the format cannot be told or cannot hold them, or ``strict`` and a loss.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomic(f"{folder}/v1.rttm", "SPEAKER v1 1 0.5 2.0 <NA> <NA> asha <NA> <NA>")
    ...     done = convert([f"{folder}/v1.rttm"], f"{folder}/v1.stm")
    ...     Path(f"{folder}/v1.stm").read_text()
    'v1 1 asha 0.500 2.500\n'
    """
    with hold_pipes(), _in_own_terms():
        item = formats.get(source).item if source else _item_of(paths)
        loaded: Any = formats.load(paths, item, source, strip_suffixes=strip_suffixes)
    items = tuple(_spoken_by(one, speaker) for one in loaded.items) if speaker and item is Segment else loaded.items
    form = _target(out, target, item)
    if form.folder and out == STDIO:
        raise InputError(Fault("OUT", "", "standard output", f"a folder, as {form.name} is one"))
    if not items:
        why = " ".join(f"{finding.message[:1].upper()}{finding.message[1:]}." for finding in loaded.findings)
        raise InputError(Fault(str(paths[0]), "", "nothing", f"{_ITEMS[item][1]} to convert", why))
    with tempfile.TemporaryDirectory(prefix="parakh-") as beside, _of(Path(beside), out):
        made = _write(form, items, Path(beside), out)
        back: list[Any] = [one for path in made for one in form.read(path).items]
        changes = tuple(_changes(items, back))
        done = Conversion(form, (), len(items), len({one.session_id for one in items}), changes, loaded.findings)
        if strict and done.loses:
            raise InputError([_refusal(out, form, item, change) for change in changes if change.kind != "added"])
        files = tuple(_put(form, items, made, out))
    return dataclasses.replace(done, files=files)


def told(change: Change, item: type) -> str:
    """A change in words.

    >>> told(Change("lost", "role", 2), Segment), told(Change("changed", "start_time", 1, 0.0004), Segment)
    ('role of 2 segments', 'start_time of 1 segment, by at most 0.0004 s')
    """
    whose = counted(change.count, *_ITEMS[item])
    most = "" if change.most is None else f", by at most {change.most:.2g} s"
    return f"{change.field} of {whose}{most}" if change.field else whose


def _refusal(out: str, form: Format, item: type, change: Change) -> Fault:
    found = f"the format {form.name}, in which the {told(change, item)} would be {change.kind}"
    return Fault(out, "", found, "a format that gives everything back", "Convert to SegLST, or leave out --strict.")


def _item_of(paths: Sequence[str]) -> type:
    """The one kind of item that all the files hold."""
    found: dict[type, str] = {}
    faults: list[Fault] = []
    for path in _files(paths):
        try:
            found.setdefault(formats.detect(path).item, str(path))
        except InputError as error:
            faults += error.faults
    if not found and faults:
        raise InputError(faults)
    if len(found) > 1:
        kinds = "; ".join(f"{_ITEMS[item][1]} ({path})" for item, path in found.items())
        raise InputError(
            Fault(str(paths[0]), "", f"files of several kinds: {kinds}", "one kind", "Name the files, or say --from.")
        )
    return next(iter(found), Segment)


def _files(paths: Sequence[str]) -> Iterator[Path]:
    """What there is to look at to tell the kind: folders of one format as they are, the files of others."""
    import glob

    for text in paths:
        path = Path("/dev/stdin" if text == STDIO else text)
        if path.is_dir() and not any(form.folder and form.sniff("", path) for form in formats.all_formats().values()):
            yield from sorted(one for one in path.iterdir() if one.is_file() and not one.name.startswith("."))
        elif not path.exists() and glob.has_magic(text):
            yield from (Path(one) for one in sorted(glob.glob(text, recursive=True)))
        else:
            yield path


def _spoken_by(segment: Segment, speaker: str) -> Segment:
    return segment if segment.speaker else dataclasses.replace(segment, speaker=speaker)


def _target(out: str, name: str | None, item: type) -> Format:
    """The format to write: as said, or the one whose files end as ``out`` does."""
    if name is not None:
        form = formats.get(name)
        if form.item is item and form.is_written:
            return form
        expected = f"a format of {_ITEMS[item][1]} that is written: {', '.join(one.name for one in _written(item))}"
        raise InputError(Fault("--to", "", repr(name), expected))
    lower = Path(out).name.lower()
    for rank in (_first_suffix, _any_suffix):
        lengths = {one.name: rank(one, lower) for one in _written(item)}
        best = max(lengths.values(), default=0)
        fitting = [one for one in _written(item) if best and lengths[one.name] == best]
        if len(fitting) == 1:
            return fitting[0]
    others = [one for one in formats.all_formats().values() if _any_suffix(one, lower) and one.item is not item]
    if not fitting and others:
        found = f"the ending of {others[0].name}, which holds {_ITEMS[others[0].item][1]}"
        raise InputError(Fault(out, "", found, f"a format of {_ITEMS[item][1]}", "Say which with --to."))
    names = ", ".join(one.name for one in fitting or _written(item))
    raise InputError(Fault(out, "", "an ending that does not tell the format", f"one of {names}", "Say which with --to."))


def _written(item: type) -> list[Format]:
    return [form for form in formats.all_formats().values() if form.item is item and form.is_written]


def _first_suffix(form: Format, name: str) -> int:
    return len(form.suffixes[0]) if name.endswith(form.suffixes[0]) else 0


def _any_suffix(form: Format, name: str) -> int:
    return max((len(suffix) for suffix in form.suffixes if name.endswith(suffix)), default=0)


def _write(form: Format, items: Sequence[Any], beside: Path, out: str) -> list[Path]:
    """The new files, in a folder beside, with the names that they will have."""
    if form.folder:
        form.write(items, beside / "folder")
        return [beside / "folder"]
    if _is_folder(out):
        return formats.write_each(items, beside, form.name)
    name = Path(out).name if out != STDIO else f"{items[0].session_id}{form.ending or form.suffixes[0]}"
    form.write(items, beside / name)
    return [beside / name]


def _is_folder(out: str) -> bool:
    return out != STDIO and (out.endswith(("/", os.sep)) or Path(out).is_dir())


def _put(form: Format, items: Sequence[Any], made: Sequence[Path], out: str) -> Iterator[Path]:
    """Put the files in place, each atomically; a folder that is one item whole, so that no file of an older one stays in it."""
    if form.folder:
        form.write(items, Path(out))
        yield from sorted(Path(out).iterdir())
        return
    for path in made:
        if out == STDIO:
            sys.stdout.flush()
            sys.stdout.buffer.write(path.read_bytes())
            yield Path("standard output")
        else:
            place = Path(out) / path.name if _is_folder(out) else Path(out)
            write_atomic(place, path.read_bytes())
            yield place


@contextmanager
def _of(beside: Path, out: str) -> Iterator[None]:
    """Faults met while writing are those of the file that the user asked for."""
    try:
        yield
    except InputError as error:
        raise InputError([_moved(fault, beside, out) for fault in error.faults], error.more) from error


@contextmanager
def _in_own_terms() -> Iterator[None]:
    """A fault about the format of what is read names the option of this verb."""
    try:
        yield
    except InputError as error:
        faults = [
            dataclasses.replace(one, action=one.action.replace(SAY_WHICH, "Say which with --from.")) for one in error.faults
        ]
        raise InputError(faults, error.more) from error


def _moved(fault: Fault, beside: Path, out: str) -> Fault:
    path = Path(fault.path)
    if not path.is_relative_to(beside):
        return fault
    inside = path.relative_to(beside).name
    return dataclasses.replace(fault, path=str(Path(out) / inside) if _is_folder(out) else out)


def _changes(before: Sequence[Any], after: Sequence[Any]) -> Iterator[Change]:
    """What differs between the items and what came back of them."""
    if len(before) != len(after):
        yield Change("changed", "", abs(len(before) - len(after)))
        return
    pairs = list(zip(before, after, strict=True))
    if any(one.session_id != other.session_id or _start(one) != _start(other) for one, other in pairs):
        pairs = list(zip(sorted(before, key=_order), sorted(after, key=_order), strict=True))
    for field in dataclasses.fields(before[0]):
        yield from _field_changes(field.name, [(getattr(a, field.name), getattr(b, field.name)) for a, b in pairs])


def _field_changes(name: str, values: Sequence[tuple[Any, Any]]) -> Iterator[Change]:
    kinds: dict[str, Callable[[Any, Any], bool]] = {
        "lost": lambda a, b: _is_set(a) and not _is_set(b),
        "changed": lambda a, b: _is_set(a) and _is_set(b) and a != b,
        "added": lambda a, b: not _is_set(a) and _is_set(b),
    }
    for kind, holds in kinds.items():
        found = [(a, b) for a, b in values if holds(a, b)]
        if found:
            times = all(isinstance(a, float) and isinstance(b, float) for a, b in found) and name.endswith("_time")
            yield Change(kind, name, len(found), max(abs(a - b) for a, b in found) if times else None)


def _is_set(value: object) -> bool:
    return value is not None and value not in ("", (), {})


def _start(item: Any) -> float:
    return round(getattr(item, "start_time", None) or 0.0, 2)


def _order(item: Any) -> tuple[str, float, float, str, str]:
    """Items in an order that rounding of times does not change."""
    end = round(getattr(item, "end_time", None) or 0.0, 2)
    return item.session_id, _start(item), end, getattr(item, "speaker", None) or "", getattr(item, "words", "")

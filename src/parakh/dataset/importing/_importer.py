"""The form in which each importer declares itself, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from parakh import registry
from parakh.dataset.content import Content
from parakh.dataset.sound import Embedded
from parakh.errors import Fault, InputError, UnknownNameError
from parakh.types import Finding

GENERAL = "files"
"""The importer that takes anything, where no other fits."""


@dataclass(frozen=True)
class Options:
    """What the user says of a source.

    Args:
        language: BCP-47 tag for recordings that carry none.
        split: The part of the data set that the recordings go to; None leaves it to the source.
        suffixes: Endings of file names that tell the files of one recording apart ("_doctor", "_patient").
        audio: What becomes of the audio: one of ``sound.MODES``.
        without: A folder inside the source that is not part of it: the data set itself.
    """

    language: str | None = None
    split: str | None = None
    suffixes: tuple[str, ...] = ()
    audio: str = "link"
    without: Path | None = None


@dataclass(frozen=True)
class Arrival:
    """One recording as its source has it.

    Args:
        content: What is known and annotated; every item under the recording's id.
        path: The file that faults of it as a whole are told of.
        audio: Its audio; None where the source has none.
        notes: What of it has no place in a data set, or was made of it.
    """

    content: Content
    path: Path
    audio: Path | Embedded | None = None
    notes: Sequence[Finding] = ()


@dataclass(frozen=True)
class Found:
    """A recording that a source holds; ``read`` raises InputError with all its faults."""

    session_id: str
    read: Callable[[], Arrival]


@dataclass(frozen=True)
class Listing:
    """The recordings of a source, in a fixed order.

    Args:
        recordings: One at a time; what they hold is read when asked for.
        total: How many there are.
        faults: Those of files that belong to no one recording.
        notes: What of the source has no place in a data set.
    """

    recordings: Iterable[Found]
    total: int
    faults: Sequence[Fault] = ()
    notes: Sequence[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class Importer:
    """The declaration of one kind of source.

    Args:
        name: Short name, as the module is called ("displace-m").
        title: One line for people.
        fits: Whether a path looks like such a source; cheap, and no to anything else.
        find: The recordings of it.
        loses: What has no place in a data set, as one sentence; "" for nothing.
        embedded: Whether the audio is inside other files, so that it can be copied and not linked.
    """

    name: str
    title: str
    fits: Callable[[Path], bool]
    find: Callable[[Path, Options], Listing]
    loses: str = ""
    embedded: bool = False


@cache
def all_importers() -> dict[str, Importer]:
    """Every importer by name, found by listing the folder."""
    modules = (registry.load("importer", name) for name in registry.names("importer"))
    return {module.IMPORTER.name: module.IMPORTER for module in modules}


def get(name: str) -> Importer:
    """The importer called ``name``.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> get("kaldi").name
    'kaldi'
    """
    importers = all_importers()
    if name not in importers:
        raise UnknownNameError("kind of source", name, list(importers))
    return importers[name]


def guess(source: Path) -> Importer:
    """The one importer that a source fits; the general one where only it does.

    Raises:
        InputError: There is no such source, none fits, or several do.
    """
    if not source.exists():
        raise InputError(Fault(str(source), "", "no such file or folder", "a source to import", "Check the path."))
    fitting = [one for one in all_importers().values() if one.name != GENERAL and one.fits(source)]
    if not fitting and get(GENERAL).fits(source):
        return get(GENERAL)
    if len(fitting) == 1:
        return fitting[0]
    found = " and ".join(f"what {one.name} fits" for one in fitting) or "nothing that an importer knows"
    raise InputError(Fault(str(source), "", found, "one kind of source", f"Say --from {'|'.join(sorted(all_importers()))}."))

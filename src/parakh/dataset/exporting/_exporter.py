"""The form in which each exporter declares itself, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from parakh import formats, registry
from parakh.dataset import sound
from parakh.dataset.content import Content
from parakh.errors import Fault, InputError, UnknownNameError


@dataclass(frozen=True)
class Options:
    """How to export.

    Args:
        name: What the data set is called.
        audio: What becomes of the audio: one of ``sound.MODES``.
        final: The folder's path once it is in place: what is written now has another name until then.
    """

    name: str
    audio: str
    final: Path


@dataclass(frozen=True)
class Exporter:
    """The declaration of one layout.

    Args:
        name: Short name, as the module is called ("displace-m").
        title: One line for people.
        write: Recordings into an empty folder, in the order given; refuses what the layout cannot be without.
        holds: What it keeps, by the names of ``_losses.parts``; "metadata.*" stands for every field of it.
        audio: The modes of audio that it knows, the one without being asked first.
        loses: What it loses of any data set, as one sentence, for people; "" for nothing.
    """

    name: str
    title: str
    write: Callable[[Sequence[Content], Path, Options], None]
    holds: frozenset[str]
    audio: tuple[str, ...] = sound.MODES
    loses: str = ""


@cache
def all_exporters() -> dict[str, Exporter]:
    """Every exporter by name, found by listing the folder."""
    modules = (registry.load("exporter", name) for name in registry.names("exporter"))
    return {module.EXPORTER.name: module.EXPORTER for module in modules}


def get(name: str) -> Exporter:
    """The exporter called ``name``, or one that writes a file a recording in the format of that name.

    Raises:
        UnknownNameError: There is neither; close matches are listed.

    >>> get("pyannote").name, get("rttm").name
    ('pyannote', 'rttm')
    """
    from parakh.dataset.exporting._format import exporter_of

    if name in all_exporters():
        return all_exporters()[name]
    written = {form.name: form for form in formats.all_formats().values() if form.is_written and not form.folder}
    if name not in written:
        raise UnknownNameError("layout or format to export to", name, sorted({*all_exporters(), *written}))
    return exporter_of(written[name])


def audio_of(content: Content, options: Options, target: Path) -> Path | None:
    """The audio of a recording put where an export wants it, as it will be called in the end; None without.

    Args:
        content: The recording.
        options: Of the export.
        target: Where to, without suffix, in the folder that is being written.
    """
    audio = content.entry.recording.audio
    if audio is None or options.audio == "none":
        return None
    placed = sound.place(Path(audio), options.audio, target)
    return Path(audio).resolve() if options.audio == "refer" else placed


def final(path: Path, folder: Path, options: Options) -> Path:
    """What a path inside the folder that is being written will be called in the end, absolute."""
    return options.final.resolve() / path.relative_to(folder) if path.is_relative_to(folder) else path


def header_of(content: Content, wanted_by: str) -> tuple[int, int, int, float]:
    """Sample rate, channels, samples and seconds of a recording.

    Raises:
        InputError: Its audio's header does not say, or there is none.
    """
    audio = content.entry.recording.audio
    found = sound.header(Path(audio)) if audio and Path(audio).is_file() else None
    if found is None or not found.duration:
        where = audio or content.session_id
        expected = f"audio whose header tells its length, which {wanted_by} has to name"
        raise InputError(Fault(where, "audio", "no such header" if audio else "no audio", expected, "Give it its audio."))
    return found.sample_rate, found.channels, round(found.duration * found.sample_rate), found.duration

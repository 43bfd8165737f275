"""One export from beginning to end: the folder is written beside its place and takes it whole."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from parakh.dataset import manifest
from parakh.dataset.content import contents
from parakh.dataset.exporting._exporter import Exporter, Options, get
from parakh.dataset.exporting._losses import losses
from parakh.errors import Fault, InputError
from parakh.files import forced_together, take_place, write_atomic

LOSSES = "LOSSES.txt"


@dataclass(frozen=True)
class Request:
    """What to export.

    Args:
        folder: The data set.
        out: The folder to make.
        kind: Name of the exporter, or of a format for a file a recording.
        split: Only this part of the data set; None takes all.
        audio: One of ``sound.MODES``; None for the exporter's own.
        overwrite: Replace a folder that has something in it.
    """

    folder: Path
    out: Path
    kind: str
    split: str | None = None
    audio: str | None = None
    overwrite: bool = False


@dataclass(frozen=True)
class Outcome:
    """What an export came to: how many recordings, and what of them the layout does not hold."""

    recordings: int
    losses: tuple[str, ...]


def run(request: Request) -> Outcome:
    """Export a data set.

    Args:
        request: What to export.

    Returns:
        What was done; the losses stand in ``LOSSES.txt`` of the folder too, where there are any.

    Raises:
        InputError: The data set has faults or nothing to export, the folder is in use, or the layout cannot hold it.
    """
    exporter = get(request.kind)
    audio = _audio(request, exporter)
    _check_out(request)
    dataset = manifest.load(request.folder)
    recordings = list(contents(dataset, request.split))
    if not recordings:
        raise InputError(Fault(str(request.folder), "", "no recording", "recordings to export", "Import some first."))
    options = Options(dataset.config.name or request.folder.resolve().name, audio, request.out)
    partial = request.out.with_name(f".{request.out.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        with forced_together():
            exporter.write(recordings, partial, options)
            held = exporter.holds - ({"audio"} if audio == "none" else set())
            lost = tuple(losses(recordings, held))
            if lost:
                write_atomic(partial / LOSSES, "".join(f"{line}\n" for line in lost))
        take_place(partial, request.out)
    except InputError as error:
        raise InputError([_of_the_target(fault, partial, request.out) for fault in error.faults], error.more) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Outcome(len(recordings), lost)


def _audio(request: Request, exporter: Exporter) -> str:
    audio = request.audio or exporter.audio[0]
    if audio not in exporter.audio:
        raise InputError(Fault("--audio", "", repr(audio), f"one of {', '.join(exporter.audio)} for {exporter.name}"))
    return audio


def _check_out(request: Request) -> None:
    out, folder = request.out.resolve(), request.folder.resolve()
    if out == folder or out in folder.parents:
        raise InputError(Fault(str(request.out), "", "the folder of the data set", "another folder"))
    if request.out.exists() and not request.out.is_dir():
        raise InputError(Fault(str(request.out), "", "a file", "a folder to make"))
    if request.out.is_dir() and any(request.out.iterdir()) and not request.overwrite:
        raise InputError(Fault(str(request.out), "", "a folder with files", "a new one", "Choose another, or give --overwrite."))


def _of_the_target(fault: Fault, partial: Path, out: Path) -> Fault:
    """A fault of a file that is not written in the end is told of the file that was asked for."""
    return replace(fault, path=fault.path.replace(str(partial), str(out)))

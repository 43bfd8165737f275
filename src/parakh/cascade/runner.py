"""Many recordings through a cascade: what is to do, fetch the weights, do it, write each one as it ends."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parakh import formats
from parakh.audio import AUDIO_SUFFIXES
from parakh.audio.decode import load_audio
from parakh.cascade.outputs import State, check_folder, state_of, write_visit
from parakh.cascade.pipeline import OnStage, Visit, process
from parakh.cascade.preset import Preset
from parakh.dataset import manifest
from parakh.errors import Fault, InputError
from parakh.languages.tags import check_language
from parakh.models import store
from parakh.types import Recording


@dataclass(frozen=True)
class Plan:
    """What a run will do: recordings to process, and those that are done already."""

    todo: tuple[Recording, ...]
    done: tuple[Recording, ...]


def find_recordings(paths: Sequence[str], language: str | None = None) -> list[Recording]:
    """The recordings that paths name: audio files, folders of them, globs, a data set, or a ``recordings.jsonl``.

    Args:
        paths: As given on the command line.
        language: Main language of all of them; None keeps what a manifest says.

    Raises:
        InputError: A path names nothing, two recordings share an id, or a manifest line lacks its audio.
    """
    asked = None if language is None else check_language(language)
    found = [recording for path in paths for recording in _expand(path)]
    faults = [fault for one in found for fault in _id_faults(one)]
    if not found:
        raise InputError(Fault(", ".join(paths), "audio", "no recording", "at least one"))
    by_id: dict[str, Recording] = {}
    for one in found:
        other = by_id.setdefault(one.session_id, one)
        if one.audio is None:
            faults.append(Fault(one.session_id, "audio", "nothing", "the path of its audio in the manifest"))
        elif other.audio != one.audio:
            action = "Rename one: ids come from file names."
            faults.append(
                Fault(one.audio, "session_id", f"{one.session_id!r} of {other.audio} again", "one id a recording", action)
            )
    if faults:
        raise InputError(faults)
    return [replace(one, language=asked or one.language) for one in by_id.values()]


def make_plan(recordings: Sequence[Recording], preset: Preset, out: Path, *, resume: bool, overwrite: bool) -> Plan:
    """Decide what is to do in a folder that may hold earlier answers.

    Raises:
        InputError: The folder cannot be written to; it holds answers of some of the recordings and neither
            ``resume`` nor ``overwrite`` is set; or it holds answers made with other settings.
    """
    if resume and overwrite:
        raise InputError(Fault("--resume", "", "--overwrite as well", "one of the two"))
    check_folder(out)
    states = {} if overwrite else {one.session_id: state_of(out, one, preset) for one in recordings}
    other = sum(state is State.OTHER for state in states.values())
    held = sum(state is not State.ABSENT for state in states.values())
    if held and not resume:
        action = "Add --resume to keep what is done, or --overwrite to do it again."
        found = f"the answers of {held} of these recordings"
        raise InputError(Fault(str(out), "--out", found, "a folder without them", action))
    if other:
        action = "Give the same settings, another --out, or --overwrite to do them again."
        found = f"answers of {other} of these recordings made with another preset, option or language"
        raise InputError(Fault(str(out), "--resume", found, "answers made with the same settings", action))
    done = [one for one in recordings if states.get(one.session_id) is State.DONE]
    return Plan(tuple(one for one in recordings if one not in done), tuple(done))


def needed_models(preset: Preset) -> list[str]:
    """Models that the preset needs and that are not in the store yet."""
    names = dict.fromkeys(name for stage in preset.stages for name in stage.models)
    return [name for name in names if store.path(name) is None]


def run_all(
    recordings: Sequence[Recording],
    preset: Preset,
    out: Path,
    on_stage: OnStage | None = None,
    on_fault: Callable[[Recording, InputError], None] | None = None,
) -> Iterator[Visit]:
    """Process recordings one after the other, writing the answers of each before the next one starts.

    Args:
        recordings: What to do.
        preset: The cascade.
        out: Folder of the answers.
        on_stage: Told when each stage of a recording starts.
        on_fault: Told of a recording that cannot be read; the others go on. None raises.
    """
    for recording in recordings:
        try:
            audio = load_audio(Path(recording.audio or ""), recording.session_id, recording.language)
        except InputError as error:
            if on_fault is None:
                raise
            on_fault(recording, error)
            continue
        visit = process(replace(audio, metadata=recording.metadata), preset, on_stage)
        write_visit(visit, preset, out, recording.language)
        yield visit


def _id_faults(recording: Recording) -> list[Fault]:
    """An id names files in the answers' folder and a field of RTTM, so it is one plain word."""
    name = recording.session_id
    if formats.is_file_name(name) and name.split() == [name] and name.isprintable():
        return []
    expected = "one word that can be a file name: no blanks, slashes, control signs or dot in front"
    return [Fault(recording.audio or name, "session_id", repr(name), expected, "Rename the recording.")]


def _expand(path: str) -> list[Recording]:
    here = Path(path)
    folder = here.parent if here.name == manifest.RECORDINGS else here
    if manifest.is_dataset(folder) and (here.is_dir() or (folder / manifest.METADATA).is_file()):
        return manifest.as_recordings(manifest.load(folder))
    if path.endswith(".jsonl"):
        return list(formats.load([path], Recording).items)
    if here.is_dir():
        files = sorted(one for one in here.iterdir() if one.suffix.lower() in AUDIO_SUFFIXES and not one.name.startswith("."))
        if not files:
            raise InputError(Fault(path, "audio", "no audio file in this folder", f"{', '.join(sorted(AUDIO_SUFFIXES))}"))
    elif here.is_file():
        files = [here]
    else:
        files = sorted(Path(one) for one in glob.glob(path, recursive=True))
        if not files:
            raise InputError(Fault(path, "audio", "no such file", "an audio file, a folder, a glob or a recordings.jsonl"))
    return [Recording(_session_id(one), str(one)) for one in files]


def _session_id(path: Path) -> str:
    """The file's stem, with spaces made underscores: no format of turns can hold a space in an id."""
    return "_".join(path.stem.split())

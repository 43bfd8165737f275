"""Many recordings through a cascade: what is to do, by whom, and what comes of it."""

from __future__ import annotations

import glob
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parakh import formats
from parakh.audio import AUDIO_SUFFIXES
from parakh.audio.header import read_header
from parakh.cascade import machine
from parakh.cascade.outputs import State, check_folder, holds_files, state_of, write_visit
from parakh.cascade.pipeline import OnStage, Visit
from parakh.cascade.preset import Preset
from parakh.cascade.processes import Here, Processes
from parakh.cascade.schedule import Budget, Failed, Pool, Schedule
from parakh.cascade.worker import Setup
from parakh.dataset import manifest
from parakh.errors import Fault, InputError, ParakhError
from parakh.languages.tags import check_language
from parakh.models import store
from parakh.types import Recording

_PROCESS_BYTES = 100_000_000
"""What a worker is thought to hold beside its backends."""


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
        InputError: The folder cannot be written to, or is a data set, whose own annotations have the same names; it holds
            answers of some of the recordings, or files of their names, and neither ``resume`` nor ``overwrite`` is set; or it
            holds answers made with other settings.
    """
    if resume and overwrite:
        raise InputError(Fault("--resume", "", "--overwrite as well", "one of the two"))
    if manifest.is_dataset(out):
        action = "Choose another folder: annotations would be overwritten."
        raise InputError(Fault(str(out), "--out", "a data set", "a folder for answers alone", action))
    check_folder(out)
    states = {} if overwrite else {one.session_id: state_of(out, one, preset) for one in recordings}
    other = sum(state is State.OTHER for state in states.values())
    held = sum(state is not State.ABSENT for state in states.values())
    strange = sum(state is State.ABSENT and holds_files(out, name) for name, state in states.items())
    if held and not resume:
        action = "Add --resume to keep what is done, or --overwrite to do it again."
        found = f"the answers of {held} of these recordings"
        raise InputError(Fault(str(out), "--out", found, "a folder without them", action))
    if strange and not resume:
        action = "Choose another folder, or add --overwrite to replace them, or --resume where a run was killed."
        found = f"files named like the answers of {strange} of these recordings"
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


@dataclass(frozen=True)
class Execution:
    """Where and how a run is done; the answers are the same with any.

    Args:
        executor: "local", or "ray" for the machines of a Ray cluster.
        jobs: Recordings at a time, each in a worker of its own; 0 is one at a time in this process. None: one, or with Ray as
            many as the cluster has room for.
        retries: How often a recording whose worker died is given to another.
        max_memory: The most bytes that all workers may hold together; None is no limit.
        ray_address: Of the cluster; None starts one on this machine for as long as the run takes.
        send_files: Whether recordings are sent to Ray's workers and answers sent back, where they share no folder.
    """

    executor: str = "local"
    jobs: int | None = None
    retries: int = 1
    max_memory: int | None = None
    ray_address: str | None = None
    send_files: bool = False

    def __post_init__(self) -> None:
        needs_ray = {"--ray-address": self.ray_address, "--send-files": self.send_files}
        here = self.executor == "local"
        rules = {
            "--executor": (self.executor in ("local", "ray"), repr(self.executor), "local or ray"),
            "--jobs": (self.jobs is None or self.jobs >= (0 if here else 1), str(self.jobs), "a number of workers"),
            "--retries": (self.retries >= 0, str(self.retries), "a whole number >= 0"),
            "--max-memory": (not (self.max_memory and self.jobs == 0), "--jobs 0", "workers of their own, which can be limited"),
            **{name: (not (given and here), "no --executor ray", "it") for name, given in needs_ray.items()},
        }
        wrong = [Fault(name, "", found, expected) for name, (right, found, expected) in rules.items() if not right]
        if wrong:
            raise InputError(wrong)


def run_all(
    recordings: Sequence[Recording],
    preset: Preset,
    out: Path,
    how: Execution | None = None,
    on_stage: OnStage | None = None,
) -> Generator[Visit | Failed, None, None]:
    """Process recordings; the answers of each are written before it is told of here.

    Args:
        recordings: What to do.
        preset: The cascade.
        out: Folder of the answers.
        how: Where; None is one after the other in this process.
        on_stage: Told when each stage of a recording starts, where the workers tell.

    Yields:
        Each recording's answers, or why it has none, in the order in which they come.

    Raises:
        ParakhError: The cascade cannot work here: every reason, before the first recording.
    """
    how = how or Execution(jobs=0)
    check_folder(out)
    own = {one.session_id: one for one in recordings}
    pool, jobs = _pool(preset, out.absolute(), how, on_stage)
    for answer in Schedule(pool, recordings, jobs, how.retries, budget(preset, how.max_memory), on_stage).run():
        if isinstance(answer, Visit) and how.send_files:
            write_visit(answer, preset, out, own[answer.session_id].language)
        yield answer


def _pool(preset: Preset, out: Path, how: Execution, on_stage: OnStage | None) -> tuple[Pool, int]:
    """The workers, and how many there are at a time."""
    if how.executor == "ray":
        from parakh.cascade.ray_actors import Actors

        actors = Actors(Setup(preset, None if how.send_files else out, cuda=True), how.ray_address, how.jobs, how.max_memory)
        return actors, actors.count
    if how.jobs == 0:
        return Here(Setup(preset, out), on_stage), 1
    jobs = how.jobs or 1
    return Processes(Setup(preset, out, max(1, machine.cores() // jobs))), jobs


def budget(preset: Preset, limit: int | None) -> Budget:
    """What recordings are thought to need, where there is a limit."""
    if limit is None:
        return Budget()
    asked = [stage.backend.memory for stage in preset.stages if hasattr(stage.backend, "memory")]
    idle: int = _PROCESS_BYTES + sum(memory(0.0)[0] for memory in asked)

    def need(recording: Recording) -> int:
        seconds = _seconds(recording)
        most: int = max((memory(seconds)[1] for memory in asked), default=0)
        return idle + most

    return Budget(limit, idle, need)


def _seconds(recording: Recording) -> float:
    """How long a recording says it is; 0 where it cannot be read, which its worker will tell."""
    try:
        return read_header(Path(recording.audio or "")).duration or 0.0
    except ParakhError:
        return 0.0


def _id_faults(recording: Recording) -> list[Fault]:
    """An id names files in the answers' folder and a field of RTTM, so it is one plain word."""
    name = recording.session_id
    if formats.is_file_name(name) and name.split() == [name] and name.isprintable():
        return []
    expected = "one word that can be a file name: no blanks, slashes, control signs or dot in front"
    return [Fault(recording.audio or name, "session_id", repr(name), expected, "Rename the recording.")]


def _expand(path: str) -> list[Recording]:
    here = Path(path)
    if (dataset := manifest.named(here)) is not None:
        return manifest.as_recordings(dataset)
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

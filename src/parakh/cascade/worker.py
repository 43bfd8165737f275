"""What one worker does, whatever it is (this process, another one, an actor of Ray): recordings through a cascade, one by one."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parakh.audio.decode import Audio, library, load_audio
from parakh.cascade import machine
from parakh.cascade.outputs import write_visit
from parakh.cascade.pipeline import OnStage, Visit, process
from parakh.cascade.preset import Preset
from parakh.errors import Fault, InputError, ParakhError
from parakh.text.masking import private
from parakh.types import Recording


@dataclass(frozen=True)
class Setup:
    """What every worker of a run is told once.

    Args:
        preset: The cascade.
        out: Folder of the answers, an absolute path; None where whoever hands out the recordings writes them.
        threads: Processor threads of a backend whose option ``threads`` is as it came.
        cuda: Whether graphics processors are given out one by one, so that each worker sees its own as the first.
    """

    preset: Preset
    out: Path | None
    threads: int | None = None
    cuda: bool = False


class Worker:
    """A cascade with its models, for one recording after the other."""

    def __init__(self, setup: Setup) -> None:
        self._out = setup.out
        self._preset = fitted(setup)
        self._stage = ""

    def faults(self) -> list[str]:
        """What would keep the cascade from working here, one line each."""
        checks = (getattr(stage.backend, "ready", None) for stage in self._preset.stages)
        found = [_fault(check) for check in (library, *filter(None, checks))]
        return list(dict.fromkeys(line for line in found if line))

    def do(self, recording: Recording, on_stage: OnStage | None = None, content: bytes | None = None) -> Visit | ParakhError:
        """Process one recording, and write its answers.

        Args:
            recording: Which.
            on_stage: Told when each stage starts.
            content: The audio file; None where the worker can read it itself.

        Returns:
            The visit, or the error: an ``InputError`` is this recording's own, any other would meet the next one too.
        """
        self._stage = "audio"

        def began(session_id: str, kind: str) -> None:
            self._stage = kind
            if on_stage:
                on_stage(session_id, kind)

        try:
            visit = self._process(recording, began, content)
            if self._out is not None:
                write_visit(visit, self._preset, self._out, recording.language)
            return visit
        except ParakhError as error:
            return error
        except MemoryError:
            return self._failed(recording, "no memory left", "Free some, take fewer --jobs or a smaller model.")
        except Exception as error:  # a fault of a backend, of any kind, costs its recording and no other
            place = traceback.extract_tb(error.__traceback__)[-1]
            text = " ".join(str(error).split())
            where = f"{Path(place.filename).name}:{place.lineno}"
            return self._failed(recording, f"{type(error).__name__}: {text} ({where})", "The backend is at fault; report it.")

    def _process(self, recording: Recording, began: OnStage, content: bytes | None) -> Visit:
        before = machine.energy()
        audio = _load(recording, content)
        visit = process(replace(audio, metadata=recording.metadata), self._preset, began)
        return replace(visit, device=dict(machine.device()), energy=machine.energy().since(before))

    def _failed(self, recording: Recording, found: str, action: str) -> InputError:
        return InputError(Fault(recording.audio or recording.session_id, self._stage, found, "an answer", action))


def fitted(setup: Setup) -> Preset:
    """The preset with as many threads, and with the graphics processor, that a worker of this run has.

    An option that is not as it came from its backend was set by somebody, and stays.
    """
    return replace(setup.preset, stages=tuple(replace(s, backend=_fitted(s.backend, setup)) for s in setup.preset.stages))


def _fitted(backend: Any, setup: Setup) -> Any:
    if not dataclasses.is_dataclass(backend) or isinstance(backend, type):
        return backend
    options = {field.name: field for field in dataclasses.fields(backend)}
    changed: dict[str, Any] = {}
    if setup.threads and "threads" in options and getattr(backend, "threads") == options["threads"].default:  # noqa: B009
        changed["threads"] = min(setup.threads, getattr(backend, "threads") or setup.threads)  # noqa: B009
    if setup.cuda and str(getattr(backend, "device", "")).startswith("cuda"):
        changed["device"] = "cuda"
    return replace(backend, **changed) if changed else backend


def use_folder(out: Path | None) -> None:
    """Let temporary files, gigabytes of long recordings among them, lie beside the answers: /tmp may be in memory.

    ``TMPDIR`` says otherwise. They have no name, so that nothing is left of them however the process ends.
    """
    if out is not None and not os.environ.get("TMPDIR"):
        tempfile.tempdir = str(out)


def _fault(check: Callable[[], object]) -> str:
    try:
        check()
    except ParakhError as error:
        return str(private(error))
    return ""


def _load(recording: Recording, content: bytes | None) -> Audio:
    """The recording decoded; from its content where its file is on another machine, whose path messages then name."""
    path = Path(recording.audio or "")
    if content is None:
        return load_audio(path, recording.session_id, recording.language)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(content)
        try:
            audio = load_audio(copy, recording.session_id, recording.language)
        except InputError as error:
            raise InputError(_at(path, error.faults)) from error
    return replace(audio, findings=tuple(replace(one, path=str(path)) for one in audio.findings))


def _at(path: Path, faults: Sequence[Fault]) -> list[Fault]:
    return [replace(fault, path=str(path)) for fault in faults]

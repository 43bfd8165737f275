"""Workers that are actors of a Ray cluster: each loads its models once, on whichever machine has room.

Source: Moritz et al., "Ray: A distributed framework for emerging AI applications" (OSDI 2018); ray 2.60.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from parakh.cascade.pipeline import Visit
from parakh.cascade.schedule import Answered, Died, Event, Ready
from parakh.cascade.worker import Setup, Worker, use_folder
from parakh.errors import Fault, InputError, MissingPackageError, ParakhError
from parakh.types import Recording

_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_worker_niceness": "0"}
"""Nothing is reported to Ray's makers, nothing is said about versions to come, and workers are not put behind all others."""

_PATIENCE_S = 10.0


class Actors:
    """Workers on the machines of a cluster.

    Args:
        setup: What each is told; its ``out`` is None where they share no folder with this machine.
        address: Of the cluster; None starts one on this machine.
        count: Workers at a time; None takes as many as the cluster has room for.
        memory: Bytes of all of them together, which Ray sets aside; None sets nothing aside.

    Raises:
        MissingPackageError: ray (extra ``ray``) is not installed.
        InputError: There is no cluster at the address, or no machine of it has room for one worker.
    """

    def __init__(self, setup: Setup, address: str | None, count: int | None, memory: int | None) -> None:
        self._ray = _connected(address)
        machines = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        wanted = max((getattr(stage.backend, "threads", 1) or 1 for stage in setup.preset.stages), default=1)
        threads = int(min(wanted, max((one.get("CPU", 0) for one in machines), default=0))) or 1
        wants_gpu = any(str(getattr(stage.backend, "device", "cpu")).startswith("cuda") for stage in setup.preset.stages)
        needs: dict[str, float] = {"CPU": threads, **({"GPU": 1} if wants_gpu else {})}
        room = _room(machines, needs)
        if not room:
            self._ray.shutdown()
            needed = " and ".join(f"{value:g} {name}" for name, value in needs.items())
            action = "Add a machine that has it, or change the options device and threads of the preset."
            raise InputError(Fault("--executor", "", "no machine of the cluster with room", needed, action))
        self.count = count or room
        options = {"num_cpus": needs["CPU"], "num_gpus": needs.get("GPU", 0), "max_restarts": 0}
        if memory:
            options["memory"] = memory // self.count
        self._actor = self._ray.remote(**options)(_Actor)
        self._setup = self._ray.put(replace(setup, threads=threads))
        self._sends = setup.out is None
        self._next = 0
        self._workers: dict[int, Any] = {}
        self._pending: dict[Any, int] = {}
        self._killed: dict[int, str] = {}

    def start(self) -> int:
        self._next += 1
        self._workers[self._next] = self._actor.remote(self._setup, os.getcwd())
        self._pending[self._workers[self._next].faults.remote()] = self._next
        return self._next

    def give(self, worker: int, recording: Recording) -> None:
        content = _content(recording) if self._sends else None
        self._pending[self._workers[worker].do.remote(recording, content)] = worker

    def wait(self, seconds: float) -> Sequence[Event]:
        done, _ = self._ray.wait(list(self._pending), num_returns=1, timeout=seconds)
        return [self._event(one, self._pending.pop(one)) for one in done]

    def memory(self, worker: int) -> int:
        """Ray watches the memory of its machines itself."""
        return 0

    def kill(self, worker: int, reason: str) -> None:
        self._killed[worker] = reason
        self._ray.kill(self._workers[worker])

    def close(self) -> None:
        for actor in self._workers.values():
            self._ray.kill(actor)
        self._ray.shutdown()

    def _event(self, done: Any, worker: int) -> Event:
        try:
            answer: Visit | ParakhError | list[str] = self._ray.get(done)
        except self._ray.exceptions.RayError as error:
            del self._workers[worker]
            told = (str(error).splitlines() or [""])[0]
            return Died(worker, self._killed.pop(worker, f"{type(error).__name__}: {told[:200]}"))
        return Ready(worker, answer) if isinstance(answer, list) else Answered(worker, answer)


class _Actor:
    """One worker within a process of Ray's."""

    def __init__(self, setup: Setup, folder: str) -> None:
        if Path(folder).is_dir():
            os.chdir(folder)  # the paths of recordings are as they were given
        use_folder(setup.out)
        self._worker = Worker(setup)

    def faults(self) -> list[str]:
        return self._worker.faults()

    def do(self, recording: Recording, content: bytes | None) -> Visit | ParakhError:
        return self._worker.do(recording, content=content)


def _connected(address: str | None) -> Any:
    """The package ray, connected to a cluster."""
    os.environ.update({name: os.environ.get(name, value) for name, value in _SETTINGS.items()})
    try:
        import ray
    except ImportError as error:
        raise MissingPackageError("ray", "ray", "--executor ray") from error
    here: Mapping[str, Any] = {"include_dashboard": False} if address is None else {}
    try:
        _answers(address)
        ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, configure_logging=False, **here)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        found, action = f"no cluster ({' '.join(str(error).split())[:200]})", "Start one with `ray start --head`."
        raise InputError(Fault("--ray-address", "", found, "the address of a Ray cluster", action)) from error
    return ray


def _answers(address: str | None) -> None:
    """See whether anybody listens at ``host:port``; Ray itself asks for minutes.

    Raises:
        OSError: Nobody does.
    """
    host, colon, port = (address or "").rpartition(":")
    if colon and port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), _PATIENCE_S).close()


def _room(machines: Sequence[Mapping[str, float]], needs: Mapping[str, float]) -> int:
    """How many workers the machines of a cluster have room for.

    >>> _room([{"CPU": 8.0, "GPU": 1.0}, {"CPU": 4.0}], {"CPU": 2})
    6
    """
    return sum(int(min(one.get(name, 0) / value for name, value in needs.items())) for one in machines)


def _content(recording: Recording) -> bytes | None:
    """The recording's file; None where it cannot be read, which the worker will tell."""
    try:
        return Path(recording.audio or "").read_bytes()
    except OSError:
        return None

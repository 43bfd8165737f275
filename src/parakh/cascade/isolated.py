"""A backend in a process of its own, with an interpreter of its own: some packages cannot stand beside others.

The process is started at the first call and kept for all recordings. One that dies is started once more and asked again; when it
dies again, its last words are told and the next recording starts anew. It ends when this process does.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import parakh
from parakh.audio.decode import Audio
from parakh.cascade import environments, metering, noticing
from parakh.cascade.wire import receive, send, unpacked
from parakh.errors import MissingPackageError, UnavailableError
from parakh.types import Segment, Summary, Topics

_HOME = Path(parakh.__file__).parent

_START = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("parakh", sys.argv[1] + "/__init__.py", submodule_search_locations=[sys.argv[1]])
package = sys.modules["parakh"] = module_from_spec(spec)
spec.loader.exec_module(package)
from parakh.cascade.isolated_worker import serve
serve()
"""
"""Our package is found by its own folder: the packages that lie beside it must not be seen from there."""

_PATIENCE_S = 3.0
"""Seconds that a process has to end by itself."""
_LAST_LINES, _LINE = 3, 200


@dataclass(frozen=True)
class Isolated:
    """Stands for a backend of any kind; every call goes to its process.

    Args:
        kind: The backend's kind ("transcriber" ...).
        name: Its name.
        options: Its options.
        python: The interpreter: a path, or the name of an environment.
        endpoint: The network address that the backend sends data to; None when it works on this machine alone.
    """

    kind: str
    name: str
    options: Mapping[str, Any]
    python: str
    endpoint: str | None = None

    def ready(self) -> None:
        """See that the environment is there and that the backend can work in it.

        Raises:
            UnavailableError: There is no such environment, its process does not start, or it lacks a package.
            ParakhError: What the backend itself raises.
        """
        self._call("ready")

    def diarize(self, audio: Audio) -> list[Segment]:
        """Turns, as the backend's own method gives them."""
        return list(self._call("diarize", audio))

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """Turns with words, as the backend's own method gives them."""
        return list(self._call("transcribe", audio, segments))

    def correct(self, segments: Sequence[Segment]) -> list[Segment]:
        """Mended turns, as the backend's own method gives them."""
        return list(self._call("correct", segments))

    def translate(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """Turns in English, as the backend's own method gives them."""
        return list(self._call("translate", audio, segments))

    def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
        """Topics, as the backend's own method gives them."""
        found: Topics = self._call("find", transcript, translation)
        return found

    def summarize(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Summary:
        """The summary, as the backend's own method gives it."""
        summary: Summary = self._call("summarize", transcript, translation)
        return summary

    def _call(self, method: str, *arguments: Any) -> Any:
        try:
            reply = self._seat.ask({"method": method, "arguments": arguments})
        except MissingPackageError as error:
            python = environments.interpreter(self.python)
            action = f"Run: {python} -m pip install {error.package}"
            raise UnavailableError(f"{self._what} needs the package {error.package}, and {python} lacks it. {action}") from error
        if "failed" in reply:
            raise UnavailableError(f"{self._what} failed in its own process ({reply['failed']})")
        return reply["ok"]

    @property
    def _what(self) -> str:
        return f"{self.kind} {self.name}"

    @cached_property
    def _seat(self) -> _Seat:
        return _Seat(self._what, self.python, {"kind": self.kind, "name": self.name, "options": self.options})

    def __getstate__(self) -> dict[str, Any]:
        """Without the process, which belongs to this one; a copy elsewhere starts its own."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class _Seat:
    """Where the process of a backend is kept, and put again when it has died."""

    def __init__(self, what: str, python: str, first: Mapping[str, Any]) -> None:
        self._what, self._python, self._first = what, python, first
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._owner = 0

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The reply, which holds ``ok`` or ``failed``; usage and findings are handed on.

        Raises:
            UnavailableError: The process died twice, or cannot be started.
            ParakhError: An error of the package that was raised there.
        """
        with self._lock:
            reply = self._tried(message) or self._tried(message)
            if reply is None:
                last = self._process.last_words() if self._process else ""
                self._process = None
                raise UnavailableError(f"{self._what}: its process ended twice without an answer. Its last words: {last}")
        usage = reply["usage"]
        metering.add(requests=usage.requests, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, price=usage.price)
        for finding in reply["findings"]:
            noticing.add(finding)
        if "error" in reply:
            raise unpacked(reply["error"])
        return reply

    def _tried(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """The reply; None when the process died before it gave one."""
        with tempfile.TemporaryDirectory(prefix="parakh-call-") as folder:
            if self._process is None or self._process.ended or self._owner != os.getpid():
                self._process, self._owner = _Process(environments.interpreter(self._python), self._what), os.getpid()
                built = self._process.ask(self._first, Path(folder))
                if built is None:
                    return None
                if "ok" not in built:
                    self._process = None
                    return built
            return self._process.ask(message, Path(folder))


class _Process:
    """A started interpreter with our worker in it."""

    def __init__(self, python: Path, what: str) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        command = [str(python), "-I", "-X", "faulthandler", "-c", _START, str(_HOME)]
        environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise UnavailableError(f"{what}: {python} cannot be started ({error.strerror}). Name another in python.") from error
        weakref.finalize(self, _end, self._process, self._errors)

    @property
    def ended(self) -> bool:
        """Whether it has."""
        return self._process.poll() is not None

    def ask(self, message: Mapping[str, Any], folder: Path) -> dict[str, Any] | None:
        """The reply to a message; None when the process ends before it gave one, and it has ended then."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            send(self._process.stdin, message, folder)
            reply = receive(self._process.stdout)
        except (BrokenPipeError, ConnectionResetError):
            reply = None
        except BaseException:  # what the reply to this call would be must not answer the next one
            self._process.kill()
            raise
        if reply is None:
            _wait(self._process)
        return reply

    def last_words(self) -> str:
        """The last lines of its standard error, in one."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - 20_000))
        lines = [line.strip() for line in self._errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
        status = f"exit status {self._process.returncode}"
        return " | ".join([*(line[:_LINE] for line in lines[-_LAST_LINES:]), status])


def _end(process: subprocess.Popen[bytes], told: IO[bytes]) -> None:
    """Ask a process to end by closing its input, and make it end."""
    with suppress(OSError):
        if process.stdin:
            process.stdin.close()
    _wait(process)
    if process.stdout:
        process.stdout.close()
    told.close()


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

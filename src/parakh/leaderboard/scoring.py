"""One job: a submission is checked and scored in a process of its own, with limits and without network.

What a submission makes that process do, crash, hang, fill the memory, ends with it: the worker only reads what it left in its
scratch folder. ``scoring_child`` is the other side.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from parakh.errors import Fault

if TYPE_CHECKING:
    from parakh.leaderboard.settings import JobLimits

PASSING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO, errno.ESTALE})
"""Errors that say something of the machine at this moment and nothing of the submission."""
_POLL_SECONDS = 0.1
_HANDED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "SYSTEMROOT")
"""Of the environment; the rest may hold secrets."""
_REASON_LENGTH = 4000


@dataclass(frozen=True)
class Job:
    """Everything the scoring process needs.

    Args:
        submission: Its id.
        file: Where its file lies.
        file_name: As it was uploaded.
        system: Name of the system, for tables.
        challenge: The rules as JSON that the folder goes with.
        folder: The challenge's files.
        phase: Key of the phase.
        track: Key of the track.
        references: Digest of the references it has to be scored against.
        metric_set: ``MetricSet.to_dict()``.
        diagnoses: Whether its diagnosis is wanted in place of its score.
    """

    submission: str
    file: str
    file_name: str
    system: str
    challenge: Mapping[str, Any]
    folder: str
    phase: str
    track: str
    references: str
    metric_set: Mapping[str, Any]
    diagnoses: bool = False


class Ending(StrEnum):
    """How a job ended."""

    SCORED = "scored"
    REFUSED = "refused"
    """The submission has faults."""
    EXCEEDED = "exceeded"
    """It needs more than the limits allow."""
    FAILED = "failed"
    """Scoring went wrong; trying again may help."""
    HINDERED = "hindered"
    """The machine could not do it now: no space, no memory, a stop; it says nothing of the submission."""


@dataclass(frozen=True)
class Outcome:
    """What a job came to.

    Args:
        ending: How it ended.
        faults: Lines for the submission's makers.
        reason: What went wrong, for the organiser; "" for nothing.
        results: Where the Results without detail lie; None unless it was scored.
        detail: Where the Results with detail lie; None unless it was scored.
        value: Of the ranking metric; None where undefined.
        page: Where the page of the diagnosis lies; None unless that was wanted and made.
    """

    ending: Ending
    faults: tuple[str, ...] = ()
    reason: str = ""
    results: Path | None = None
    detail: Path | None = None
    value: float | None = None
    page: Path | None = None


def run_job(job: Job, limits: JobLimits, scratch: Path, stop: Event | None = None) -> Outcome:
    """Check and score a submission in a process of its own.

    Args:
        job: What to score.
        limits: What it may use.
        scratch: An empty folder for it; whoever made it removes it after taking what it wants.
        stop: Ends the work when it is set; None for never.

    Returns:
        The outcome; its files lie in the scratch folder.
    """
    try:
        (scratch / "job.json").write_text(json.dumps({"job": asdict(job), "limits": asdict(limits)}), encoding="utf-8")
        late, code = _run_child(limits, scratch, stop)
    except OSError as error:
        return Outcome(Ending.HINDERED, reason=str(error))
    if stop is not None and stop.is_set() and code == -signal.SIGKILL:
        return Outcome(Ending.HINDERED, reason="the worker was stopped")
    return _too_long(job, limits) if late or code == -signal.SIGXCPU else _outcome(job, limits, scratch, code)


def _run_child(limits: JobLimits, scratch: Path, stop: Event | None) -> tuple[bool, int]:
    """Start the process, wait, and kill its group where it takes too long: whether it did, and how it ended."""
    deadline = time.monotonic() + limits.seconds
    with (scratch / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "parakh.leaderboard.scoring_child", str(scratch)],
            stdin=subprocess.PIPE,  # it ends when this end closes, however this process ends
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env=_environment(scratch),
            cwd=scratch,
            start_new_session=True,
        )
    late = False
    try:
        while process.poll() is None and not late and not (stop is not None and stop.is_set()):
            try:
                process.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                late = time.monotonic() > deadline
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
    return late and process.returncode == -signal.SIGKILL, process.returncode


def _environment(scratch: Path) -> dict[str, str]:
    handed = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    if folders := handed.get("PYTHONPATH"):  # it runs in another folder than this process
        handed["PYTHONPATH"] = os.pathsep.join(str(Path(one).absolute()) for one in folders.split(os.pathsep) if one)
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {**handed, "TMPDIR": str(scratch), "HOME": str(scratch), "PYTHONDONTWRITEBYTECODE": "1", **dict.fromkeys(threads, "1")}


def _outcome(job: Job, limits: JobLimits, scratch: Path, code: int) -> Outcome:
    """What the process left."""
    try:
        left: dict[str, Any] = json.loads((scratch / "outcome.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Outcome(Ending.FAILED, reason=_crash(scratch, code))
    ending = Ending(left["ending"])
    if ending is Ending.EXCEEDED:
        what = {"memory": f"more than {limits.memory >> 20} MiB of memory", "disk": "results that are too large"}[left["what"]]
        return _excess(job, what)
    if ending is Ending.SCORED and job.diagnoses:
        return Outcome(ending, page=scratch / "page.html")
    if ending is Ending.SCORED:
        return Outcome(ending, results=scratch / "results.json", detail=scratch / "detail.json", value=left["value"])
    return Outcome(ending, tuple(left.get("faults", ())), left.get("reason", "")[-_REASON_LENGTH:])


def _crash(scratch: Path, code: int) -> str:
    try:
        told = (scratch / "stderr").read_text(encoding="utf-8", errors="replace").strip()[-_REASON_LENGTH:]
    except OSError:
        told = ""
    how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
    return f"the scoring process {how}{': ' if told else ''}{told}"


def _too_long(job: Job, limits: JobLimits) -> Outcome:
    return _excess(job, f"more than {limits.seconds:g} seconds (or {limits.cpu:g} of processor time)")


def _excess(job: Job, found: str) -> Outcome:
    expected = "a submission that can be scored within the limits of this service"
    fault = Fault(job.file_name, "", f"that scoring it takes {found}", expected, "Hand in fewer or shorter answers.")
    return Outcome(Ending.EXCEEDED, (str(fault),), str(fault))


def scratch_prefix(worker_id: str) -> str:
    """With what the names of a worker's scratch folders begin."""
    return f"parakh-{worker_id}-"

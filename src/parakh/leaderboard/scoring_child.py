"""The process that scores one submission: ``python -m parakh.leaderboard.scoring_child SCRATCH``.

It confines itself before it loads anything, then checks the file, scores it and leaves what came of it in the scratch folder.

| what | how |
|---|---|
| network | a network namespace with nothing in it, where the kernel allows one; everywhere a hook that refuses sockets |
| further processes | the same hook; no more processes for its user, where that is not root |
| memory | a limit of the data it may allocate |
| processor time, sizes of files, core dumps | limits of the kernel; niceness 10 |
| the worker's end | it watches a pipe whose other end is the worker's, and goes with its scratch folder |
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import shutil
import signal
import sys
import threading
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parakh.errors import InputError
from parakh.leaderboard.scoring import PASSING, Ending

if TYPE_CHECKING:
    from parakh.leaderboard.challenge import Challenge
    from parakh.leaderboard.references import References

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_REFUSED = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile", "pty.")
_HARMLESS = ("socket.gethostname", "socket.__new__")
_FAULTS_KEPT = 1000
_FILE_BYTES = 1 << 30


def main(scratch: Path) -> None:
    """Do the job of a scratch folder; what comes of it is in its ``outcome.json``."""
    told = json.loads((scratch / "job.json").read_text(encoding="utf-8"))
    confine(told["limits"], scratch)
    outcome = _done(told["job"], scratch)
    (scratch / "outcome.json").write_text(json.dumps(outcome), encoding="utf-8")


def confine(limits: dict[str, Any], scratch: Path) -> None:
    """Give up everything that scoring does not need; there is no way back."""
    _leave_network()
    threading.Thread(target=_follow_worker, args=(scratch,), daemon=True).start()
    os.nice(10)
    cpu = int(limits["cpu"])
    _limit(resource.RLIMIT_CORE, 0, 0)
    _limit(resource.RLIMIT_CPU, cpu, cpu + 2)  # the first ends it with a signal that says why
    _limit(resource.RLIMIT_FSIZE, _FILE_BYTES, _FILE_BYTES)
    _limit(resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS, int(limits["memory"]), int(limits["memory"]))
    _limit(resource.RLIMIT_NPROC, 0, 0)
    sys.addaudithook(_refuse)


def _limit(which: int, soft: int, hard: int) -> None:
    _, most = resource.getrlimit(which)
    hard = hard if most == resource.RLIM_INFINITY else min(hard, most)
    with contextlib.suppress(ValueError, OSError):  # a system without that limit still has the worker's clock
        resource.setrlimit(which, (min(soft, hard), hard))


def _leave_network() -> None:
    """Into a network namespace of its own, as root or by way of a user namespace; without either the hook has to do."""
    if sys.platform != "linux":
        return
    unshare = ctypes.CDLL(None, use_errno=True).unshare
    user, group = os.getuid(), os.getgid()
    if unshare(_NEW_NETWORK) == 0:
        return
    if unshare(_NEW_USER | _NEW_NETWORK) == 0:  # files are only made by users that the new namespace knows
        with contextlib.suppress(OSError):
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def _follow_worker(scratch: Path) -> None:
    """Wait for the worker's end, which closes the pipe, and go."""
    os.read(0, 1)
    shutil.rmtree(scratch, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def _refuse(event: str, _: tuple[Any, ...]) -> None:
    if event.startswith(_REFUSED) and event not in _HARMLESS:
        raise PermissionError(errno.EPERM, f"scoring has no use for {event}")


def _done(job: dict[str, Any], scratch: Path) -> dict[str, Any]:
    """The outcome as JSON, whatever happens."""
    try:
        return _score(job, scratch)
    except MemoryError:
        return {"ending": Ending.EXCEEDED, "what": "memory"}
    except OSError as error:
        if error.errno == errno.EFBIG:
            return {"ending": Ending.EXCEEDED, "what": "disk"}
        ending = Ending.HINDERED if error.errno in PASSING else Ending.FAILED
        return {"ending": ending, "reason": traceback.format_exc()}
    except Exception:  # whatever it is, the organiser has to see it
        return {"ending": Ending.FAILED, "reason": traceback.format_exc()}


def _score(job: dict[str, Any], scratch: Path) -> dict[str, Any]:
    from parakh.leaderboard.challenge import MetricSet
    from parakh.leaderboard.challenge_file import from_dict
    from parakh.leaderboard.diagnoses import page_of
    from parakh.leaderboard.kit import Kit
    from parakh.leaderboard.references import measure
    from parakh.leaderboard.validation import check

    challenge, folder = from_dict(job["challenge"]), Path(job["folder"])
    kit = Kit.of(challenge, folder, job["phase"], job["track"])
    try:
        checked = check(Path(job["file"]), kit, job["file_name"])
        faults = checked.faults
    except InputError as error:
        faults = error.faults
    if faults:
        lines = [str(fault) for fault in faults[:_FAULTS_KEPT]]
        more = [f"... and {len(faults) - _FAULTS_KEPT} more faults."] if len(faults) > _FAULTS_KEPT else []
        return {"ending": Ending.REFUSED, "faults": [*lines, *more]}
    metric_set, references = MetricSet.from_dict(job["metric_set"]), _references(job, challenge, folder)
    if job["diagnoses"]:
        (scratch / "page.html").write_text(page_of(metric_set, references, checked.items, job["system"]), encoding="utf-8")
        return {"ending": Ending.SCORED}
    results = measure(metric_set, references, checked.items, job["system"], detail=True)
    results = replace(results, findings=tuple(dict.fromkeys((*checked.findings, *results.findings))))
    (scratch / "detail.json").write_text(results.to_json(), encoding="utf-8")
    plain = replace(results, recordings=tuple(replace(one, detail={}) for one in results.recordings))
    (scratch / "results.json").write_text(plain.to_json(), encoding="utf-8")
    return {"ending": Ending.SCORED, "value": results.metrics[metric_set.rank_by].value}


def _references(job: dict[str, Any], challenge: Challenge, folder: Path) -> References:
    """What it is scored against; a fault from here on is of the challenge, and no word of it is for the submission's makers."""
    from parakh.leaderboard.references import load_references

    references = load_references(challenge, folder, job["phase"], job["track"])
    if references.digest != job["references"]:
        raise RuntimeError(f"the references in {folder} are {references.digest}, not {job['references']}")
    return references


if __name__ == "__main__":
    main(Path(sys.argv[1]))

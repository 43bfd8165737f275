"""The process that scores: what it comes to, its limits, and that it can reach nobody."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from parakh.leaderboard import outcomes
from parakh.leaderboard.scoring import Ending, Job, Outcome, run_job
from parakh.leaderboard.settings import JobLimits
from parakh.results import Results
from tests.service import jobs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")


USUAL = JobLimits()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[jobs.Small]:
    made = jobs.small(tmp_path_factory.mktemp("small"))
    yield made
    made.database.close()


def job_of(world: jobs.Small, content: bytes, name: str = "answer.rttm") -> Job:
    submission, contest = world.hand_in(content, name), world.contest
    job = outcomes.job_of(world.settings.data, world.store, submission, contest.metric_set, contest.references)
    return replace(job, system="ours")


def ran(job: Job, tmp_path: Path, limits: JobLimits = USUAL) -> Outcome:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return run_job(job, limits, scratch)


def test_a_submission_is_scored_as_here(world: jobs.Small, tmp_path: Path) -> None:
    outcome = ran(job_of(world, jobs.answer(7)), tmp_path)
    assert (outcome.ending, outcome.reason) == (Ending.SCORED, "")
    assert outcome.value == world.expected(jobs.answer(7), tmp_path)
    assert outcome.results is not None
    assert outcome.detail is not None
    plain, detailed = Results.load(outcome.results), Results.load(outcome.detail)
    assert plain.system == "ours"
    assert all(one.detail == {} for one in plain.recordings)
    assert all(one.detail for one in detailed.recordings)
    assert [one.metrics for one in plain.recordings] == [one.metrics for one in detailed.recordings]


def test_faults_come_back_as_lines_and_name_no_file_of_the_server(world: jobs.Small, tmp_path: Path) -> None:
    outcome = ran(job_of(world, jobs.answer(1) + b"nonsense\n"), tmp_path)
    assert outcome.ending is Ending.REFUSED
    assert outcome.faults == ("answer.rttm:7: type: found 'nonsense', expected SPEAKER or another RTTM type. Give an RTTM file.",)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (JobLimits(memory=60 << 20), "more than 60 MiB of memory"),
        (JobLimits(seconds=0.15), "more than 0.15 seconds"),
        (JobLimits(cpu=0), "0 of processor time"),
    ],
)
def test_a_limit_ends_it_and_is_told(world: jobs.Small, tmp_path: Path, limits: JobLimits, words: str) -> None:
    outcome = ran(job_of(world, jobs.answer(2)), tmp_path, limits)
    assert outcome.ending is Ending.EXCEEDED
    assert words in outcome.faults[0]


def test_references_that_are_not_the_ones_meant_are_the_organisers_affair(world: jobs.Small, tmp_path: Path) -> None:
    outcome = ran(replace(job_of(world, jobs.answer(2)), references="0" * 16), tmp_path)
    assert outcome.ending is Ending.FAILED
    assert outcome.faults == ()
    assert "not 0000000000000000" in outcome.reason


def test_a_process_that_dies_is_a_failure_with_its_last_words(world: jobs.Small, tmp_path: Path) -> None:
    outcome = ran(replace(job_of(world, jobs.answer(2)), folder=str(tmp_path / "nowhere")), tmp_path)
    assert outcome.ending is Ending.FAILED
    assert "nowhere" in outcome.reason


def test_no_room_for_the_scratch_folder_is_a_hindrance(world: jobs.Small) -> None:
    outcome = run_job(job_of(world, jobs.answer(2)), JobLimits(), Path("/proc/nowhere"))
    assert outcome.ending is Ending.HINDERED


def test_a_stop_ends_it_at_once(world: jobs.Small, tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    started = time.monotonic()
    outcome = run_job(job_of(world, jobs.answer(2)), JobLimits(), tmp_path, stop)
    assert outcome.ending is Ending.HINDERED
    assert time.monotonic() - started < 2


CONFINED = """
import json, os, socket, subprocess, sys
from pathlib import Path
from parakh.leaderboard.scoring_child import confine
confine({"memory": 1 << 30, "cpu": 20}, Path(sys.argv[1]))
told = {}
def tried(name, what):
    try:
        what()
        told[name] = "done"
    except Exception as error:
        told[name] = type(error).__name__
tried("connect", lambda: socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=2))
tried("bind", lambda: socket.socket().bind(("127.0.0.1", 0)))
tried("lookup", lambda: socket.getaddrinfo("example.org", 80))
tried("process", lambda: subprocess.run(["true"]))
tried("fork", os.fork)
tried("memory", lambda: bytearray(2 << 30))
tried("own file", lambda: (Path(sys.argv[1]) / "own").write_text("x"))
told["interfaces"] = [line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]]
told["nice"] = os.nice(0)
print(json.dumps(told))
"""


def _told(command: list[str]) -> str:
    """What a process prints whose standard input stays open: when that ends, it does."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        return process.stdout.read()


def test_the_process_reaches_nobody_and_starts_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [sys.executable, "-c", CONFINED, str(tmp_path), str(listener.getsockname()[1])]
        done = _told(command)
    told = json.loads(done)
    refused = {name: told[name] for name in ("connect", "bind", "lookup", "process", "fork")}
    assert refused == dict.fromkeys(refused, "PermissionError")
    assert told["memory"] == "MemoryError"
    assert told["own file"] == "done"
    assert told["nice"] >= 10
    if os.geteuid() == 0:
        assert told["interfaces"] == ["lo"]


def test_the_process_goes_with_its_worker_and_takes_its_scratch_folder_along(world: jobs.Small, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "job.json").write_text(json.dumps({"job": {}, "limits": {"memory": 1 << 30, "cpu": 20}}))
    code = "import sys, time\nfrom pathlib import Path\nfrom parakh.leaderboard import scoring_child as child\n"
    code += "child._done = lambda job, scratch: print('there', flush=True) or time.sleep(60)\nchild.main(Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(scratch)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
        process.stdin.close()  # as when the worker is killed
        assert process.wait(10) == -signal.SIGKILL
    assert not scratch.exists()


def test_what_the_check_noticed_stands_with_the_results(world: jobs.Small, tmp_path: Path) -> None:
    late = b"SPEAKER one 1 29.000 9.000 <NA> <NA> s0 <NA> <NA>\n"
    outcome = ran(job_of(world, jobs.answer(1) + late), tmp_path)
    assert outcome.results is not None
    assert any("past the end of the recording" in one.message for one in Results.load(outcome.results).findings)

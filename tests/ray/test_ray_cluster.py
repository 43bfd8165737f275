"""A run on a Ray cluster of two machines (two nodes on the loopback interface): the same answers as here, whatever is killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="the extra ray is not installed")

from parakh.cascade.runner import Execution
from parakh.errors import InputError
from tests.contract.test_executors import answer_files, done, errors, run

ROOT = Path(__file__).parents[2]
NAMES = ["a", "b", "c", "once", "z"]
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own
ENVIRONMENT = {
    "RAY_AUTH_MODE": "disabled",  # no token is left in the home folder
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
    "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
}


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster of two nodes with one processor each."""
    address = f"127.0.0.1:{free_port()}"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        short = Path("/tmp") / f"ray-{os.getpid()}"  # the names of sockets must be short
        port = address.rpartition(":")[2]
        places = [["--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={short}"], [f"--address={address}"]]
        nodes = []
        try:
            for place in places:
                command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1", *place]
                nodes.append(subprocess.Popen([*command, "--node-ip-address=127.0.0.1"], stdout=subprocess.DEVNULL))
                wait_for(address)
            yield address
        finally:
            for node in reversed(nodes):
                node.terminate()
                node.wait(60)


def wait_for(address: str) -> None:
    host, _, port = address.rpartition(":")
    for _ in range(600):
        with socket.socket() as tried:
            if tried.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(address)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("here")
    run(folder, NAMES[:3] + NAMES[4:], "out", None)
    return answer_files(folder / "out")


@pytest.mark.parametrize("send_files", [False, True])
def test_two_machines_write_what_one_writes_though_a_worker_is_killed(
    send_files: bool, cluster: str, here: dict[str, bytes], tmp_path: Path
) -> None:
    how = Execution("ray", jobs=2, ray_address=cluster, send_files=send_files)
    answers = run(tmp_path, NAMES, "out", how)
    assert (done(answers), errors(answers)) == (NAMES, [])
    assert len(list((tmp_path / "marks").glob("once.*"))) == 2, "it was killed once, and done by another"
    written = answer_files(tmp_path / "out")
    assert {name: content for name, content in written.items() if "once" not in name} == here
    assert len(written) == len(here) * len(NAMES) // (len(NAMES) - 1)


def test_an_address_without_a_cluster_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--ray-address"):
        run(tmp_path, ["a"], "out", Execution("ray", ray_address=f"127.0.0.1:{free_port()}"))

"""Large uploads: what a server process needs for a zip of 200 MB, and for twenty uploads at once, while pages stay quick."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from parakh.leaderboard.client import Client
from tests.service import sites
from tests.service.sites import NAME, Site

MEGABYTE = 2**20
RUN = """
import socket, sys
from pathlib import Path
import uvicorn
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.web.app import make_app
app = make_app(Settings(Path(sys.argv[1]), upload_bytes=300 * 2**20))
uvicorn.Server(uvicorn.Config(app, log_level="warning", fd=int(sys.argv[2]))).run()
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory of a process is read in /proc")


@contextmanager
def server(site: Site) -> Iterator[tuple[str, int]]:
    """A server in a process of its own; its address and process id."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [sys.executable, "-c", RUN, str(site.settings.data), str(listener.fileno())]
        with subprocess.Popen(command, pass_fds=[listener.fileno()]) as process:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            try:
                with urllib.request.urlopen(f"{address}/health", timeout=60) as answer:
                    assert answer.status == 200
                yield address, process.pid
            finally:
                process.terminate()
                process.wait(30)


def peak(pid: int) -> int:
    """The most memory that a process ever held, in bytes."""
    line = next(one for one in Path(f"/proc/{pid}/status").read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def present(pid: int) -> int:
    """The memory that a process holds now, in bytes; ``peak`` counts from here."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return peak(pid)


def written(pid: int) -> int:
    """Bytes that a process has written to files and connections."""
    return int(Path(f"/proc/{pid}/io").read_text().partition("wchar: ")[2].split()[0])


def made_zip(path: Path, size: int) -> Path:
    """A zip of about a size, which does not compress."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive,
        archive.open("answers/big.bin", "w", force_zip64=True) as file,
    ):
        for _ in range(size // MEGABYTE):
            file.write(os.urandom(MEGABYTE))
    return path


def test_a_zip_of_200_megabytes_passes_through_little_memory_and_is_written_once(site: Site, tmp_path: Path) -> None:
    token = site.token("one@example.org")
    large = made_zip(tmp_path / "large.zip", 200 * MEGABYTE)
    (tmp_path / "small.rttm").write_bytes(sites.answer())
    with server(site) as (address, pid):
        client = Client(address, token)
        client.submit(tmp_path / "small.rttm", NAME, "each", "diarization")
        client.challenges()
        before, wrote = present(pid), written(pid)
        made = client.submit(large, NAME, "each", "asr")
        grown, bytes_written = peak(pid) - before, written(pid) - wrote
    assert made["size"] == large.stat().st_size
    assert grown < 50 * MEGABYTE, f"grew by {grown / MEGABYTE:.0f} MB"
    assert bytes_written < 1.1 * large.stat().st_size, f"wrote {bytes_written / MEGABYTE:.0f} MB"
    print(f"a zip of 200 MB: the server grew by {grown / MEGABYTE:.1f} MB and wrote {bytes_written / MEGABYTE:.0f} MB")


def test_twenty_uploads_at_once_are_all_taken_while_pages_stay_quick(site: Site, tmp_path: Path) -> None:
    token = site.token("two@example.org")
    files = [made_zip(tmp_path / f"{number}.zip", (number % 4 + 4) * MEGABYTE) for number in range(20)]
    seconds: list[float] = []
    done = threading.Event()

    with server(site) as (address, pid):

        def look() -> None:
            while not done.wait(0.05):
                begun = time.monotonic()
                with urllib.request.urlopen(f"{address}/log-in", timeout=60):
                    seconds.append(time.monotonic() - begun)

        Client(address, token).challenges()
        before = present(pid)
        visitor = threading.Thread(target=look)
        visitor.start()
        with ThreadPoolExecutor(20) as pool:
            made = list(pool.map(lambda path: Client(address, token).submit(path, NAME, "each", "asr"), files))
        done.set()
        visitor.join()
        grown = peak(pid) - before
    assert sorted(one["size"] for one in made) == sorted(path.stat().st_size for path in files)
    assert {site.store.path(site_file).stat().st_size for site_file in keys(site, made)} == {
        path.stat().st_size for path in files
    }
    assert grown < 100 * MEGABYTE, f"grew by {grown / MEGABYTE:.0f} MB"
    assert sorted(seconds)[len(seconds) // 2] < 2.0
    print(
        f"20 uploads of 4 to 7 MB at once: grew by {grown / MEGABYTE:.1f} MB, median page {sorted(seconds)[len(seconds) // 2]:.3f} s"
    )


def keys(site: Site, made: list[dict[str, str]]) -> list[str]:
    """Keys in the store of submissions."""
    from sqlalchemy import select

    from parakh.leaderboard.database.tables import Submission

    with site.database.read() as session:
        return list(session.scalars(select(Submission.file).where(Submission.id.in_([one["id"] for one in made]))))


def test_a_connection_that_breaks_leaves_nothing_behind(site: Site) -> None:
    token = site.token("one@example.org")
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
    with server(site) as (address, _):
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            lines = (
                f"POST /api/v1/challenges/{NAME}/each/asr/submissions HTTP/1.1",
                f"Host: {host}",
                f"Authorization: Bearer {token}",
                "Content-Type: multipart/form-data; boundary=x",
                f"Content-Length: {10 * MEGABYTE}",
            )
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + head + os.urandom(MEGABYTE))
            deadline = time.monotonic() + 20
            incoming = site.settings.store / "incoming"
            while time.monotonic() < deadline and not list(incoming.glob("*")):
                time.sleep(0.05)
            assert list(incoming.glob("*"))
        while time.monotonic() < deadline and list(incoming.glob("*")):
            time.sleep(0.05)
        assert not list(incoming.glob("*"))
        with urllib.request.urlopen(f"{address}/health", timeout=20) as answer:
            assert answer.status == 200

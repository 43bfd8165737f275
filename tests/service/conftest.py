"""What the tests of the service share: databases, challenges with people in them, whole services, what these talk to."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from parakh.leaderboard.challenge_file import load_challenge
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.kit import Kit
from tests.service import worlds
from tests.service.clusters import Cluster, cluster
from tests.service.worlds import World

if TYPE_CHECKING:  # which take their time to import
    from playwright.sync_api import Browser

    from parakh.leaderboard.queue import Queue
    from tests.service.jobs import Small
    from tests.service.sites import Site


@pytest.fixture(scope="session", autouse=True)
def end_of_loop() -> Iterator[None]:
    """What answered the clients of applications ends with the last test."""
    yield
    if "tests.service.sites" in sys.modules:  # which takes its time to import
        from tests.service import sites

        sites.end_loop()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database in a file."""
    made = Database(f"sqlite:///{tmp_path / 'parakh.sqlite'}")
    migrate(made)
    yield made
    made.close()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A running PostgreSQL; ``new_url`` gives an empty database in it."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="parakh-") as folder:  # a socket's path is short
        Path(folder).chmod(0o755)
        with cluster(Path(folder)) as running:
            yield running


@pytest.fixture(scope="session")
def world_once(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world that is made once and copied for each test."""
    made = worlds.world(tmp_path_factory.mktemp("world"))
    made.database.close()
    return made


@pytest.fixture
def world(tmp_path: Path, world_once: World) -> Iterator[World]:
    """The example challenge with people in it, on SQLite."""
    made = worlds.copied(world_once, tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def postgresql_world(tmp_path: Path, postgresql: Cluster) -> Iterator[World]:
    """The same on PostgreSQL."""
    made = worlds.world(tmp_path, postgresql.new_url())
    yield made
    made.database.close()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """The challenge that is quick to score, with one team."""
    from tests.service import jobs

    made = jobs.small(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def line(small: Small) -> Iterator[Queue]:
    """Its queue, which no worker takes from."""
    from dbos import DBOS

    from parakh.leaderboard.queue import Queue

    DBOS.migrate(small.settings.queue_url)
    made = Queue(small.database, small.settings)
    yield made
    made.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A whole service, for all tests of a file."""
    from tests.service import sites

    made = sites.site(tmp_path_factory.mktemp("site"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of a running provider of single sign-on."""
    command = [sys.executable, "-m", "tests.service.oidc_provider", "120"]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A running chromium."""
    from tests.service.walking import chromium

    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def kits() -> dict[str, Kit]:
    """What the participants of the example challenge get for its evaluation, by track."""
    challenge = load_challenge(worlds.CHALLENGE)
    return {one.key: Kit.of(challenge, worlds.CHALLENGE.parent, "eval", one.key) for one in challenge.tracks}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own with little room."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)], check=False, capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small disk needs the right to mount one")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)

"""Nothing is lost, scored twice or scored wrong, whatever is killed at whatever moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service import killing
from tests.service.clusters import Cluster

SUBMISSIONS, KILLS, MOST_SECONDS = 24, 4, 300.0  # a quiet machine takes a tenth of that; ``benchmarks`` has the full size


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_workers_and_server_are_killed_at_random(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    cluster: Cluster | None = request.getfixturevalue("postgresql") if kind == "postgresql" else None
    outcome = killing.killed_at_random(tmp_path, cluster.new_url() if cluster else "", SUBMISSIONS, KILLS, MOST_SECONDS)
    assert (outcome.lost, outcome.twice, outcome.wrong) == ([], [], [])
    assert (outcome.submissions >= SUBMISSIONS, sum(outcome.kills.values())) == (True, KILLS)
    assert outcome.left == 0
    assert outcome.boards < outcome.seconds

"""A team and a worker change one submission at the same moment; neither waits for the other for ever."""

from __future__ import annotations

import threading
from pathlib import Path

from parakh.leaderboard import accounts, outcomes, submissions
from parakh.leaderboard.database.tables import State
from tests.service import jobs
from tests.service.clusters import Cluster


def test_withdrawn_and_scored_at_once(postgresql: Cluster, tmp_path: Path) -> None:
    world = jobs.small(tmp_path, postgresql.new_url())
    viewer, contest = accounts.viewer_named(world.database, "asha@example.org"), world.contest
    errors: list[Exception] = []
    made = [world.hand_in(jobs.answer(number)) for number in range(30)]
    for one in made:
        outcomes.begin(world.database, one.id, contest.references, contest.metric_set_id)
    outcome = jobs.scored(tmp_path, 0.5)

    def record() -> None:
        for one in made:
            together.wait(30)
            outcomes.record(world.database, world.store, one.id, contest.metric_set_id, contest.references, outcome)

    def withdraw() -> None:
        for one in made:
            together.wait(30)
            submissions.withdraw(world.database, viewer, one.id)

    def guarded(work: object) -> None:
        try:
            work()  # type: ignore[operator]
        except Exception as error:
            errors.append(error)
            together.abort()

    together = threading.Barrier(2)
    threads = [threading.Thread(target=guarded, args=(work,)) for work in (record, withdraw)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert errors == []
    again = [world.again(one.id) for one in made]
    assert {(one.state, one.is_withdrawn) for one in again} == {(State.SCORED, True)}
    world.database.close()

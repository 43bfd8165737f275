"""A real worker scores a submission, makes the board, and tells a real receiver; again where it did not answer well."""

from __future__ import annotations

import json
import time
from pathlib import Path

from parakh.leaderboard import audit
from parakh.leaderboard.database.tables import Webhook
from parakh.leaderboard.posting import new_secret
from tests.service import jobs, killing
from tests.service.receiver import receiver


def test_a_new_best_is_told_by_the_worker(tmp_path: Path) -> None:
    world = jobs.small(tmp_path)
    config = tmp_path / "parakh.toml"
    config.write_text('private_webhooks = true\naddress = "https://example.org"\n')
    with receiver(tmp_path / "receiver", "503", "204") as listening:
        with world.database.write() as session:
            challenge = world.contest.phase.challenge_id
            session.add(Webhook(challenge_id=challenge, address=listening.address(), secret=new_secret()))
        data = ("--data", str(world.settings.data))
        running = killing.run(world, "parakh.cli.main", "worker", *data, "--config", str(config))
        try:
            content = jobs.answer(1)
            made = world.hand_in(content)
            requests = listening.wait_for(2, 60)
            deadline = time.monotonic() + 20
            while not audit.read(world.database, audit.Filter(action="webhook.told")) and time.monotonic() < deadline:
                time.sleep(0.1)
        finally:
            killing.stop([running])
    assert len(requests) == 2
    assert requests[0]["headers"]["webhook-id"] == requests[1]["headers"]["webhook-id"]
    told = json.loads(requests[1]["body"])["data"]
    assert told["submission"] == made.id
    assert told["value"] == world.expected(content, tmp_path)
    assert told["board"] == "https://example.org/c/small/dev/diarization"
    (event,) = audit.read(world.database, audit.Filter(action="webhook.told"))
    assert event.detail["attempts"] == 2

"""Many uploads of one team at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from parakh.leaderboard.refusals import RefusalError
from tests.service.worlds import World


def hand_in_at_once(world: World, count: int) -> tuple[int, int]:
    """Hand in that many times at once; how many were taken and how many refused."""
    start = Barrier(count, timeout=20)

    def one(number: int) -> bool:
        start.wait()
        try:
            world.submit(content=f"SPEAKER {number}\n".encode())
        except RefusalError:
            return False
        return True

    with ThreadPoolExecutor(count) as pool:
        taken = list(pool.map(one, range(count)))
    return sum(taken), count - sum(taken)

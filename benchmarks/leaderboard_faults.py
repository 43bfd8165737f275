"""Kills workers and server at random while submissions come in and are scored; counts what is lost, scored twice or scored wrong.

    python benchmarks/leaderboard_faults.py [--submissions 200] [--kills 20] [--seed 1] [sqlite] [postgresql]

On each database: two ``parakh worker`` processes and one ``parakh serve --no-worker``, ``kill -9`` and a new start at random
moments, uploads over HTTP that are repeated until the server takes them. Afterwards every submission of the database has to have
one score, equal to what is worked out in this process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.service import killing
from tests.service.clusters import cluster

MOST_SECONDS = 1800.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("| database | submissions | killed | begun again | lost | twice | wrong | boards made | seconds |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    bad = 0
    for kind in asked.databases:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parakh-")))
            folder.chmod(0o755)
            url = stack.enter_context(cluster(folder)).new_url() if kind == "postgresql" else ""
            found = killing.killed_at_random(folder, url, asked.submissions, asked.kills, MOST_SECONDS, asked.seed)
        killed = ", ".join(f"{name} {count} times" for name, count in sorted(found.kills.items()))
        wrong = (len(found.lost), len(found.twice), len(found.wrong))
        more = found.starts - found.submissions
        row = (kind, found.submissions, killed, more, *wrong, found.boards, f"{found.seconds:.0f}")
        print(f"| {' | '.join(map(str, row))} |", flush=True)
        bad += sum(wrong) + found.left
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Time of comparing many systems: differences, tests, recordings won, oracles and what would fuse well.

    python benchmarks/comparing.py [--systems 20] [--recordings 500] [--samples 10000] [--uneven]

Made-up systems, each somewhat worse than the one before; with ``--uneven`` each lacks other recordings than the rest, so that
every two are compared on a set of their own. CPU seconds of one run, and the most memory it took.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from parakh import metrics
from parakh.comparison import compare
from parakh.resample import Bootstrap
from parakh.results import RecordingResult, Results, Score, Signature, Stats, total

METRIC = metrics.get("wer")


def system(number: int, count: int, uneven: bool) -> Results:
    """One made-up system; recordings are the same for all, and so is what makes each of them hard."""
    length = np.random.default_rng(11).integers(200, 1500, count)
    hard = np.random.default_rng(12).beta(1.5, 6.0, count)
    random = np.random.default_rng(100 + number)
    errors = random.binomial(length, (hard * (1 + 0.02 * number) * random.normal(1, 0.15, count).clip(0.5, 1.5)).clip(0, 0.95))
    kept = [k for k in range(count) if not (uneven and k % 25 == number)]
    stats = {k: Stats(errors=int(errors[k]), length=int(length[k])) for k in kept}
    recordings = tuple(RecordingResult(f"r{k:04}", {"wer": METRIC.score(one)}, {"wer": one}) for k, one in stats.items())
    whole = total(list(stats.values()))
    return Results("asr", f"system {number:02}", Signature({}), {"wer": Score(METRIC.score(whole), whole)}, recordings)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--recordings", type=int, default=500)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--uneven", action="store_true")
    given = parser.parse_args()
    results = [system(number, given.recordings, given.uneven) for number in range(given.systems)]
    for name, every in (("with the first", False), ("every two", True)):
        start = time.process_time()
        found = compare(results, plan=Bootstrap(samples=given.samples), all_pairs=every)
        seconds = time.process_time() - start
        print(f"{name:15} {len(found.pairs):4} differences, {len(found.duels)} tests  {seconds:6.1f} s")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()

"""Time diarization scoring against spy-der and dscore, on generated conversations, in one process and one thread.

"All" is every metric of turns, as `parakh score diarization` counts them: metrics that share their statistics once.
The last line of each conversation is how its times grow with its turns, from the first conversation on.

    python benchmarks/diarization_scoring.py [--dscore DIR] [--repeat N]

Each tool gets its turns as Python objects and gives its figures; reading files is not part of it. Figures are the
least CPU milliseconds of N rounds, child processes included (dscore runs a perl script). DIR is a checkout of dscore
(e02f949), which needs scipy, intervaltree and tabulate; without it that row is left out.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from sessions import Session, conversation
from timing import cpu_milliseconds

from parakh.metrics import Payload, all_metrics, der, jer
from parakh.types import Segment

FIGURES = list(dict.fromkeys(metric.stats for metric in all_metrics().values() if metric.payload is Payload.TURNS))


@dataclass(frozen=True)
class Times:
    """CPU milliseconds of one conversation."""

    turns: int
    error: float
    both: float
    every: float

    def growth(self, first: Times) -> str:
        """How many times as long as the first conversation, whose turns are so many times fewer."""
        factors = [f"{name} {own / its:.1f} x" for name, own, its in (
            ("turns", self.turns, first.turns),
            ("DER", self.error, first.error),
            ("DER + JER", self.both, first.both),
            ("all", self.every, first.every),
        )]  # fmt: skip
        return "  growth     " + "    ".join(factors)


def spyder_work(session: Session) -> Callable[[], object]:
    import spyder

    sides = [[(t.speaker, t.start_time, t.end_time) for t in side] for side in (session.reference, session.hypothesis)]
    return lambda: spyder.DER(*sides)


def dscore_work(session: Session, folder: str) -> Callable[[], object]:
    """What dscore's score.py does between loading and printing; it has no way to score without its other figures."""
    sys.path.insert(0, folder)
    warnings.simplefilter("ignore")
    from scorelib import turn as turns
    from scorelib.score import score
    from scorelib.uem import gen_uem

    def load(side: list[Segment]) -> list[object]:
        return [turns.Turn(t.start_time, t.end_time, speaker_id=t.speaker, file_id=t.session_id) for t in side]

    turns.warn = lambda *_: None  # it would print one line a turn
    reference, hypothesis = load(session.reference), load(session.hypothesis)

    def work() -> object:
        uem = gen_uem(reference, hypothesis)
        sides = [turns.merge_turns(turns.trim_turns(side, uem)) for side in (reference, hypothesis)]
        return score(*sides, uem)

    return work


def own_times(session: Session, repeat: int) -> Times:
    ref, hyp = session.reference, session.hypothesis
    error = cpu_milliseconds(lambda: der.stats(ref, hyp), repeat)
    both = cpu_milliseconds(lambda: (der.stats(ref, hyp), jer.stats(ref, hyp)), repeat)
    every = cpu_milliseconds(lambda: [stats(ref, hyp) for stats in FIGURES], repeat)
    return Times(len(ref) + len(hyp), error, both, every)


def report(session: Session, first: Times | None, dscore: str | None, repeat: int) -> Times:
    own = der.stats(session.reference, session.reference)
    print(
        f"{session.name}: {max(t.end_time or 0.0 for t in session.reference) / 60:.1f} min, {len(session.reference)} + "
        f"{len(session.hypothesis)} turns, overlap {100 * own['overlap'] / own['speech']:.0f} %"
    )
    times = own_times(session, repeat)
    print(f"  parakh DER {times.error:8.3f} ms    DER + JER {times.both:8.3f} ms    all {times.every:8.3f} ms")
    theirs = cpu_milliseconds(spyder_work(session), repeat)
    ratios = f"{theirs / times.error:6.1f} x parakh's DER    {theirs / times.both:6.1f} x its DER + JER"
    print(f"  spyder DER {theirs:8.3f} ms    {ratios}")
    if dscore:
        theirs = cpu_milliseconds(dscore_work(session, dscore), repeat)
        ratios = f"{theirs / times.both:6.0f} x parakh's DER + JER    {theirs / times.every:6.0f} x all of its figures"
        print(f"  dscore     {theirs:8.1f} ms    {ratios} (dscore: DER, JER, clustering)")
    if first:
        print(times.growth(first))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dscore", metavar="DIR", help="a checkout of dscore")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds to take the least of (default: 5)")
    arguments = parser.parse_args()
    first: Times | None = None
    for session in (
        conversation("30 minutes", words=5000, speakers=2),
        conversation("2 hours", words=20000, speakers=2),
        conversation("8 speakers", words=5000, speakers=8),
        conversation("3 hours, 8 speakers", words=30000, speakers=8),
    ):
        times = report(session, first, arguments.dscore, arguments.repeat)
        first = first or times


if __name__ == "__main__":
    main()

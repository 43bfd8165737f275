"""Time diarization scoring against spy-der and dscore, on generated conversations, in one process and one thread.

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

from sessions import Session, conversation
from timing import cpu_milliseconds

from parakh.metrics import der, jer
from parakh.types import Segment


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


def report(session: Session, dscore: str | None, repeat: int) -> None:
    own = der.stats(session.reference, session.reference)
    print(
        f"{session.name}: {max(t.end_time or 0.0 for t in session.reference) / 60:.1f} min, {len(session.reference)} + "
        f"{len(session.hypothesis)} turns, overlap {100 * own['overlap'] / own['speech']:.0f} %"
    )
    ref, hyp = session.reference, session.hypothesis
    error = cpu_milliseconds(lambda: der.stats(ref, hyp), repeat)
    both = cpu_milliseconds(lambda: (der.stats(ref, hyp), jer.stats(ref, hyp)), repeat)
    print(f"  parakh DER {error:8.3f} ms    DER + JER {both:8.3f} ms")
    theirs = cpu_milliseconds(spyder_work(session), repeat)
    print(f"  spyder DER {theirs:8.3f} ms    {theirs / error:6.1f} x parakh's DER")
    if dscore:
        theirs = cpu_milliseconds(dscore_work(session, dscore), repeat)
        print(f"  dscore     {theirs:8.1f} ms    {theirs / both:6.0f} x parakh's DER + JER (it adds clustering figures)")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dscore", metavar="DIR", help="a checkout of dscore")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds to take the least of (default: 5)")
    arguments = parser.parse_args()
    for session in (
        conversation("30 minutes", words=5000, speakers=2),
        conversation("2 hours", words=20000, speakers=2),
        conversation("8 speakers", words=5000, speakers=8),
    ):
        report(session, arguments.dscore, arguments.repeat)


if __name__ == "__main__":
    main()

"""Time the greedy, diarization-invariant and MIMO word error rates against meeteval, on generated conversations, in one thread.

    python benchmarks/greedy_scoring.py [--repeat N]

Measured as in word_scoring.py. meeteval has no MIMO-WER for conversations of this size (its table grows with the product of
all lengths), so of that the figures here are CPU seconds of one call, errors, and the gap to the proven floor.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
import warnings
from collections.abc import Callable

from sessions import Session, conversation
from word_scoring import added_megabytes, agree, record, row

from parakh.metrics import dicpwer, ditcpwer, greedy_orcwer, greedy_tcorcwer, mimower
from parakh.results import Stats

COLLAR = 5.0


def compare(session: Session, repeat: int) -> None:
    import meeteval

    orc, tcorc, di = meeteval.wer.wer.orc, meeteval.wer.wer.time_constrained_orc, meeteval.wer.wer.di_cp
    sides = session.reference, session.hypothesis
    theirs = [meeteval.io.SegLST([record(segment) for segment in side]) for side in sides]
    print(f"{session.name}: {len(session.reference)} utterances")

    def one(name: str, ours: Callable[..., Stats], other: Callable[..., object], **options: float) -> None:
        agree(ours(*sides, **options), other(*theirs, **options), "errors")
        row(name, lambda: ours(*sides, **options), {"meeteval": lambda: other(*theirs, **options)}, repeat)

    one("greedy ORC-WER", greedy_orcwer.stats, orc.greedy_orc_word_error_rate)
    one("DI-cpWER", dicpwer.stats, di.greedy_di_cp_word_error_rate)
    one(f"greedy tcORC, {COLLAR:g} s", greedy_tcorcwer.stats, tcorc.greedy_time_constrained_orc_wer, collar=COLLAR)
    one(f"DI-tcpWER, {COLLAR:g} s", ditcpwer.stats, di.greedy_di_tcp_word_error_rate, collar=COLLAR)
    before = time.process_time()
    found = mimower.stats(*sides)
    spent, added = time.process_time() - before, added_megabytes(lambda: mimower.stats(*sides))
    print(f"  {'MIMO-WER':22} {'parakh':12} {spent:9.1f} s  {added:7.1f} MB  {found['errors']} errors, gap {found['gap']}")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="rounds to take the least of (default: 3)")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for session in (conversation("30 minutes", words=5000, speakers=2), conversation("8 speakers", words=5000, speakers=8)):
        compare(session, arguments.repeat)


if __name__ == "__main__":
    main()

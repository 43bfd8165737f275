"""Time word scoring and ROUGE against meeteval, jiwer, rapidfuzz and rouge_score, on generated conversations, in one thread.

    python benchmarks/word_scoring.py [--repeat N]

Each tool gets segments or texts as Python objects and gives its figures; reading files is not part of it. Figures are the
least CPU milliseconds of N rounds, and the memory that one call adds to a process that has everything loaded. Counts are
compared as well: a tool that disagrees stops the run.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import sys
import warnings

from sessions import Session, conversation, summaries
from timing import Work, cpu_milliseconds

from parakh.metrics import cer, cpwer, rouge, tcpwer, wer
from parakh.results import Stats
from parakh.text import rouge_tokens
from parakh.types import Segment

COLLAR = 5.0


def added_megabytes(work: Work) -> float:
    """How far one call raises the peak memory of a forked process."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        work()
        added = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        os.write(writer, str(added).encode())
        os._exit(0)
    os.waitpid(child, 0)
    return int(os.read(reader, 32)) / 1024


def row(name: str, ours: Work, others: dict[str, Work], repeat: int) -> None:
    base = cpu_milliseconds(ours, repeat)
    print(f"  {name:22} {'parakh':12} {base:9.3f} ms {added_megabytes(ours):7.1f} MB")
    for tool, work in others.items():
        theirs = cpu_milliseconds(work, repeat)
        print(f"  {'':22} {tool:12} {theirs:9.3f} ms {added_megabytes(work):7.1f} MB  {theirs / base:7.1f} x")


def compare(session: Session, repeat: int) -> None:
    import jiwer
    import meeteval
    from rapidfuzz.distance import Levenshtein

    reference, hypothesis = session.reference, session.hypothesis
    sides = [meeteval.io.SegLST([record(segment) for segment in side]) for side in (reference, hypothesis)]
    texts = [" ".join(side[k].words for k in by_start(side)) for side in (reference, hypothesis)]
    words = [text.split() for text in texts]
    cp, tcp = meeteval.wer.wer.cp.cp_word_error_rate, meeteval.wer.wer.time_constrained.tcp_word_error_rate

    minutes = max(segment.end_time or 0.0 for segment in reference) / 60
    print(f"{session.name}: {minutes:.1f} min, {len(reference)} turns, {len(words[0])} + {len(words[1])} words")
    agree(tcpwer.stats(reference, hypothesis, collar=COLLAR), tcp(*sides, collar=COLLAR), "length")
    agree(cpwer.stats(reference, hypothesis), cp(*sides), "length")
    agree(wer.stats(reference, hypothesis), jiwer.process_words(*texts), "hits")
    row(
        f"tcpWER, collar {COLLAR:g} s",
        lambda: tcpwer.stats(reference, hypothesis, collar=COLLAR),
        {"meeteval": lambda: tcp(*sides, collar=COLLAR)},
        repeat,
    )
    row("cpWER", lambda: cpwer.stats(reference, hypothesis), {"meeteval": lambda: cp(*sides)}, repeat)
    others: dict[str, Work] = {
        "jiwer": lambda: jiwer.process_words(*texts),
        "rapidfuzz": lambda: Levenshtein.editops(*words),
    }
    row("WER", lambda: wer.stats(reference, hypothesis), others, repeat)
    row("CER", lambda: cer.stats(reference, hypothesis), {"rapidfuzz": lambda: Levenshtein.editops(*texts)}, repeat)


def agree(ours: Stats, theirs: object, further: str) -> None:
    for key in ("substitutions", "deletions", "insertions", further):
        if ours[key] != getattr(theirs, key):
            sys.exit(f"{key}: {ours[key]} here, {getattr(theirs, key)} in {type(theirs).__module__}")


def record(segment: Segment) -> dict[str, object]:
    return {key: getattr(segment, key) for key in ("session_id", "speaker", "start_time", "end_time", "words")}


def by_start(segments: list[Segment]) -> list[int]:
    return sorted(range(len(segments)), key=lambda k: segments[k].start_time or 0.0)


def compare_rouge(words: int, repeat: int) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    pairs = summaries(20, words)
    print(f"summaries: {len(pairs)} pairs of {words} words")
    for name, ours in (("rouge1", rouge.rouge1), ("rougeL", rouge.rouge_l), ("rougeLsum", rouge.rouge_lsum)):
        for pair in pairs[:3]:
            theirs = RougeScorer([name]).score(*pair)[name].fmeasure
            if abs(ours(*pair)["f1"] - theirs) > 1e-12:
                sys.exit(f"{name}: {ours(*pair)['f1']} here, {theirs} in rouge_score")

    def both() -> None:
        rouge_tokens.rouge_tokens.cache_clear()
        for pair in pairs:
            rouge.rouge1(*pair)
            rouge.rouge_l(*pair)

    def lines() -> None:
        rouge_tokens.rouge_tokens.cache_clear()
        for pair in pairs:
            rouge.rouge_lsum(*pair)

    scorer, scorer_lines = RougeScorer(["rouge1", "rougeL"]), RougeScorer(["rougeLsum"])
    row("ROUGE-1 and -L", both, {"rouge_score": lambda: [scorer.score(*pair) for pair in pairs]}, repeat)
    row("ROUGE-Lsum", lines, {"rouge_score": lambda: [scorer_lines.score(*pair) for pair in pairs]}, repeat)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds to take the least of (default: 5)")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for session in (
        conversation("30 minutes", words=5000, speakers=2),
        conversation("2 hours", words=20000, speakers=2),
        conversation("8 speakers", words=5000, speakers=8),
    ):
        compare(session, arguments.repeat)
    compare_rouge(200, arguments.repeat)


if __name__ == "__main__":
    main()

"""Time word scoring, ROUGE and chrF against the published tools, on generated conversations, in one thread.

    python benchmarks/word_scoring.py [--repeat N]

Each tool gets segments or texts as Python objects and gives its figures; reading files is not part of it. Figures are the
least CPU milliseconds of N rounds, and the memory that one call adds to a process that has everything loaded. Counts are
compared as well: a tool that disagrees stops the run. meeteval, jiwer, rapidfuzz (plain, and with the best of four hints),
rouge_score and sacrebleu are test dependencies; agwer comes with the extra "bench". A last table shows how time grows
with length, speakers and collar.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial

from sessions import Session, conversation, summaries
from timing import Work, cpu_milliseconds

from parakh.metrics import cer, chrf, cpcer, cpwer, orcwer, rouge, tcorcwer, tcpcer, tcpwer, wder, wer
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
    tcorc = meeteval.wer.wer.time_constrained_orc.time_constrained_orc_wer
    agree(tcorcwer.stats(reference, hypothesis, collar=COLLAR), tcorc(*sides, collar=COLLAR), "length")
    agwer_tcp, agwer_cp = agwer_works(session)
    row(
        f"tcpWER, collar {COLLAR:g} s",
        lambda: tcpwer.stats(reference, hypothesis, collar=COLLAR),
        {"meeteval": lambda: tcp(*sides, collar=COLLAR), **agwer_tcp},
        repeat,
    )
    row("cpWER", lambda: cpwer.stats(reference, hypothesis), {"meeteval": lambda: cp(*sides), **agwer_cp}, repeat)
    row(
        f"tcORC-WER, collar {COLLAR:g} s",
        lambda: tcorcwer.stats(reference, hypothesis, collar=COLLAR),
        {"meeteval": lambda: tcorc(*sides, collar=COLLAR)},
        repeat,
    )
    others: dict[str, Work] = {"jiwer": lambda: jiwer.process_words(*texts), **rapidfuzz_works(words, repeat)}
    row("WER", lambda: wer.stats(reference, hypothesis), others, repeat)
    row("CER", lambda: cer.stats(reference, hypothesis), rapidfuzz_works(texts, repeat), repeat)


def rapidfuzz_works(sides: Sequence[Sequence[str]], repeat: int) -> dict[str, Work]:
    """Its edit operations without a hint, and with the one that is quickest here."""
    from rapidfuzz.distance import Levenshtein

    length = max(map(len, sides))
    errors = Levenshtein.distance(*sides)

    def hinted(hint: int) -> Work:
        return lambda: Levenshtein.editops(*sides, score_hint=hint)

    best = min(map(hinted, (errors // 2, errors, length // 3, length // 4)), key=lambda work: cpu_milliseconds(work, 2))
    return {"rapidfuzz": lambda: Levenshtein.editops(*sides), "with best hint": best}


def agwer_works(session: Session) -> tuple[dict[str, Work], dict[str, Work]]:
    """agwer's tcpWER and cpWER; nothing where it is not installed."""
    try:
        import agwer
    except ModuleNotFoundError:
        return {}, {}
    timed = [[record(segment) for segment in side] for side in (session.reference, session.hypothesis)]
    joined = [streams(side) for side in (session.reference, session.hypothesis)]
    return {"agwer": lambda: agwer.tcpwer(*timed, COLLAR)}, {"agwer": lambda: agwer.cpwer(*joined)}


def streams(segments: list[Segment]) -> dict[str, str]:
    """Each speaker's words in time order."""
    texts: dict[str, list[str]] = {}
    for k in by_start(segments):
        texts.setdefault(segments[k].speaker or "", []).append(segments[k].words)
    return {speaker: " ".join(words) for speaker, words in texts.items()}


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


def compare_chrf(words: int, repeat: int) -> None:
    from sacrebleu.metrics import CHRF

    pairs = summaries(20, words)
    scorer = CHRF()
    for pair in pairs[:3]:
        theirs = scorer.sentence_score(pair[1], [pair[0]]).score / 100
        if abs(chrf.score(chrf.chrf(*pair)) - theirs) > 1e-9:
            sys.exit(f"chrF: {chrf.score(chrf.chrf(*pair))} here, {theirs} in sacrebleu")
    others: dict[str, Work] = {"sacrebleu": lambda: [scorer.sentence_score(pair[1], [pair[0]]) for pair in pairs]}
    row("chrF", lambda: [chrf.chrf(*pair) for pair in pairs], others, repeat)


GROWN: dict[str, Callable[[Session], Stats]] = {
    "tcpWER": lambda one: tcpwer.stats(one.reference, one.hypothesis, collar=COLLAR),
    "cpWER": lambda one: cpwer.stats(one.reference, one.hypothesis),
    "tcORC-WER": lambda one: tcorcwer.stats(one.reference, one.hypothesis, collar=COLLAR),
    "tcpCER": lambda one: tcpcer.stats(one.reference, one.hypothesis, collar=COLLAR),
    "cpCER": lambda one: cpcer.stats(one.reference, one.hypothesis),
    "WDER": lambda one: wder.stats(one.reference, one.hypothesis),
    "WER": lambda one: wer.stats(one.reference, one.hypothesis),
    "CER": lambda one: cer.stats(one.reference, one.hypothesis),
}


def growth(repeat: int) -> None:
    """Milliseconds and added megabytes by length and speakers, and of tcpWER by collar."""
    sizes = [(words, speakers) for words in (5000, 20000) for speakers in (2, 8)] + [(5000, 32), (43200, 8)]
    print("growth: ms (MB added)  " + "".join(f"{words} words, {speakers} sp.".rjust(22) for words, speakers in sizes))
    sessions = [conversation("", words=words, speakers=speakers) for words, speakers in sizes]
    for name, work in GROWN.items():
        calls = [partial(work, one) for one in sessions]
        cells = [f"{cpu_milliseconds(call, repeat):.2f} ({added_megabytes(call):.1f})" for call in calls]
        print(f"  {name:21}" + "".join(cell.rjust(22) for cell in cells))
    base = sessions[0]
    for collar in (0.0, 0.5, 3.0, 5.0, 30.0, 300.0):
        took = cpu_milliseconds(lambda collar=collar: tcpwer.stats(base.reference, base.hypothesis, collar=collar), repeat)
        print(f"  tcpWER, collar {collar:5g} s   {took:8.2f} ms")


def optimal() -> None:
    """ORC-WER proven optimal, whose cost depends on how far the best combination has to be searched for: one call each."""
    for words, speakers in ((5000, 2), (5000, 8), (20000, 2)):
        one = conversation("", words=words, speakers=speakers)
        call = partial(orcwer.stats, one.reference, one.hypothesis)
        start = time.process_time()
        errors = call()["errors"]
        took = time.process_time() - start
        print(f"  ORC-WER, {words} words, {speakers} speakers: {took:.2f} s, {added_megabytes(call):.1f} MB, {errors} errors")


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
    compare_chrf(200, arguments.repeat)
    growth(min(arguments.repeat, 3))
    optimal()


if __name__ == "__main__":
    main()

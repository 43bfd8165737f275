"""Two recordings have the same words, or nearly the same.

What it does:
    Cuts each transcript into all its runs of five words, without tags, marks and upper case, and counts how many of them it
    shares with the earliest recording that has them. Times, speakers and the division into segments do not count. Transcripts
    with the same words throughout are found too where each of their runs stands in earlier recordings.

Why it matters:
    It is one conversation twice, or the transcript of another recording. In two splits it leaks the answers.

How to mend:
    Listen to both; take one out, or put the right transcript in place.

Limits:
    `duplicate-share` (0.8): the share of the shorter transcript's runs that both have. `duplicate-words` (20): shorter
    transcripts are not compared.

Example:
    It says: "the transcript and that of hi_child_02a have the same words".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from parakh.qc import Check, Material, Settings, Whole
from parakh.qc._speech import spoken
from parakh.types import Finding, Severity

_RUN = 5
_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, so that a product keeps every bit of what it multiplies


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    share = settings.limit("duplicate-share")
    fewest = max(int(settings.limit("duplicate-words")), _RUN)
    texts = [(one, _words(one)) for one in whole.materials]
    long = [(one, words) for one, words in texts if len(words) >= fewest]
    runs = [_runs(words) for _, words in long]
    copies = dict(_copies([words for _, words in long]))
    pairs = [(later, earlier, shared) for later, earlier, shared in _shared(runs) if later not in copies]
    for later, earlier, shared in sorted([*pairs, *((later, first, len(runs[later])) for later, first in copies.items())]):
        part = shared / min(len(runs[later]), len(runs[earlier]))
        if part >= share:
            same = "the same words" if part == 1 else f"{part:.0%} of the words in common"
            material, other = long[later][0], long[earlier][0]
            message = f"the transcript and that of {other.session_id} have {same}"
            yield CHECK.at(material, message, material.transcript)


def _copies(texts: Sequence[list[str]]) -> Iterator[tuple[int, int]]:
    """(later, first) of texts that are the same."""
    firsts: dict[tuple[str, ...], int] = {}
    for place, words in enumerate(texts):
        first = firsts.setdefault(tuple(words), place)
        if first != place:
            yield place, first


def _words(material: Material) -> list[str]:
    source = material.transcript
    return spoken("\n".join(one.words for one in source.items)).casefold().split() if source else []


def _runs(words: Sequence[str]) -> NDArray[np.uint64]:
    """A number for each different run of words, the same within one process."""
    ids = np.fromiter(map(hash, words), np.int64, len(words)).astype(np.uint64)
    count = len(ids) - _RUN + 1
    runs = np.zeros(count, np.uint64)
    for offset in range(_RUN):
        runs = runs * _MIX + ids[offset : offset + count] + np.uint64(1)
        runs ^= runs >> np.uint64(29)
    return np.unique(runs)


def _shared(runs: Sequence[NDArray[np.uint64]]) -> Iterator[tuple[int, int, int]]:
    """(later, earlier, shared runs): each run counts for the earliest text that has it, so that the work stays linear."""
    if len(runs) < 2:
        return
    owners = np.repeat(np.arange(len(runs)), [len(one) for one in runs])
    every = np.concatenate(runs)
    order = np.argsort(every, kind="stable")  # owners ascend already
    every, owners = every[order], owners[order]
    starts = np.flatnonzero(np.concatenate(([True], every[1:] != every[:-1])))
    firsts = np.repeat(owners[starts], np.diff(np.append(starts, len(every))))
    pairs, counts = np.unique((owners * len(runs) + firsts)[owners != firsts], return_counts=True)
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        yield pair // len(runs), pair % len(runs), count


CHECK = Check(
    "QC135",
    "duplicate-transcript",
    "Two recordings have the same words",
    Severity.WARNING,
    whole=_whole,
    limits={"duplicate-share": 0.8, "duplicate-words": 20},
)

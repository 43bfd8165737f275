"""ROUGE: how many of a text's words, word pairs or longest common subsequence another text shares.

Equal to rouge_score, with and without its stemmer, on ASCII text; on other scripts it counts their words too
(``rouge_tokens``). With r reference units, h hypothesis units and m shared ones, precision is m / h, recall m / r and F1
their harmonic mean; all are 0 where nothing is shared, also where both texts are empty. The score over several texts is the
mean of their F1, as in rouge_score; nothing is resampled. Of several accepted references the one with the greatest F1
counts, for each ROUGE by itself, as in rouge_score's ``score_multi``.

Formula:
    mean over the texts of 2 P R / (P + R), with P = m / h and R = m / r

Choices:
    ``stemmer`` compares English words of more than three letters by their stems, and leaves other languages alone. The
    profile ``ascii`` gives rouge_score's own figures for texts with signs outside a-z and 0-9.

Equal to:
    rouge_score 0.1.2 on ASCII text, to the last digit (tests/crosscheck/test_rouge_score.py).

Pitfalls:
    It rewards the same words, not the same meaning: a lost "not" costs one word (see ``summary_negations``). rouge_score
    itself gives two equal Hindi texts 0, as it drops every other script; values of such texts from it do not compare with
    these. The corpus value is a mean over texts, long or short.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count

from parakh import _native
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._references import Texts, best, texts
from parakh.results import Stats, ratio
from parakh.text.rouge_tokens import rouge_tokens


def rouge1(reference: Texts, hypothesis: str, *, stemmer: bool = False) -> Stats:
    """ROUGE-1: shared words, each counted at most as often as in either text.

    Args:
        reference: The reference text, or several accepted ones.
        hypothesis: The system's text.
        stemmer: Compare English words by their stems.

    Returns:
        ``precision``, ``recall`` and ``f1`` of this text, ratios in [0, 1], and ``items`` = 1.

    Source: Lin, 2004; rouge_score 0.1.2.

    >>> rouge1("मरीज को बुखार है", "मरीज को तेज बुखार था")["f1"]
    0.6666666666666665
    """
    return _best(reference, lambda text: _ngrams(text, hypothesis, 1, stemmer))


def rouge2(reference: Texts, hypothesis: str, *, stemmer: bool = False) -> Stats:
    """ROUGE-2: shared pairs of neighbouring words.

    Args:
        reference: The reference text, or several accepted ones.
        hypothesis: The system's text.
        stemmer: Compare English words by their stems.

    Returns:
        ``precision``, ``recall`` and ``f1`` of this text, ratios in [0, 1], and ``items`` = 1.

    Source: Lin, 2004; rouge_score 0.1.2.

    >>> rouge2("testing one two", "testing one")["recall"]
    0.5
    """
    return _best(reference, lambda text: _ngrams(text, hypothesis, 2, stemmer))


def rouge_l(reference: Texts, hypothesis: str, *, stemmer: bool = False) -> Stats:
    """ROUGE-L: the longest common subsequence of words over the whole text.

    Args:
        reference: The reference text, or several accepted ones.
        hypothesis: The system's text.
        stemmer: Compare English words by their stems.

    Returns:
        ``precision``, ``recall`` and ``f1`` of this text, ratios in [0, 1], and ``items`` = 1.

    Source: Lin, 2004; rouge_score 0.1.2 ``rougeL``.

    >>> rouge_l("testing one two", "testing two")["f1"]
    0.8
    """
    return _best(reference, lambda text: _subsequence(text, hypothesis, stemmer))


def rouge_lsum(reference: Texts, hypothesis: str, *, stemmer: bool = False) -> Stats:
    r"""ROUGE-Lsum: per reference line, the union of its longest common subsequences with every hypothesis line.

    Args:
        reference: The reference text, a sentence a line, or several accepted ones.
        hypothesis: The system's text, a sentence a line.
        stemmer: Compare English words by their stems.

    Returns:
        ``precision``, ``recall`` and ``f1`` of this text, ratios in [0, 1], and ``items`` = 1. No word counts more often
        than it occurs in either text.

    Source: Lin, 2004, section 3.2; rouge_score 0.1.2 ``rougeLsum``.

    >>> rouge_lsum("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5")["recall"]
    0.8
    """
    return _best(reference, lambda text: _subsequences(text, hypothesis, stemmer))


def score(total: Stats) -> float | None:
    """Mean F1 over the texts; None when there are none."""
    return ratio(total["f1"], total["items"])


def parts(total: Stats) -> Mapping[str, float | None]:
    """Mean precision and mean recall."""
    return {name: ratio(total[name], total["items"]) for name in ("precision", "recall")}


def _best(reference: Texts, stats: Callable[[str], Stats]) -> Stats:
    return best(texts(reference), stats, lambda found: found["f1"])


def _subsequence(reference: str, hypothesis: str, stemmer: bool) -> Stats:
    [said], [heard] = _numbers([rouge_tokens(reference, stemmer)], [rouge_tokens(hypothesis, stemmer)])
    return _f1(_native.lcs_length(said, heard), len(said), len(heard))


def _subsequences(reference: str, hypothesis: str, stemmer: bool) -> Stats:
    said, heard = _numbers(_lines(reference, stemmer), _lines(hypothesis, stemmer))
    marked = [line[k] for line, positions in zip(said, _native.lcs_union(said, heard), strict=True) for k in positions]
    everything = list(chain.from_iterable(heard))
    return _f1(_native.shared_ngrams(marked, everything, 1), sum(map(len, said)), len(everything))


def _lines(text: str, stemmer: bool) -> list[tuple[str, ...]]:
    return [rouge_tokens(line, stemmer) for line in text.split("\n")]


def _numbers(reference: Iterable[Sequence[str]], hypothesis: Iterable[Sequence[str]]) -> tuple[list[list[int]], list[list[int]]]:
    """The words of both sides as numbers, equal words as equal numbers."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    number = numbers.__getitem__
    return [list(map(number, sentence)) for sentence in reference], [list(map(number, sentence)) for sentence in hypothesis]


def _ngrams(reference: str, hypothesis: str, size: int, stemmer: bool) -> Stats:
    [said], [heard] = _numbers([rouge_tokens(reference, stemmer)], [rouge_tokens(hypothesis, stemmer)])
    shared = _native.shared_ngrams(said, heard, size)
    return _f1(shared, max(0, len(said) - size + 1), max(0, len(heard) - size + 1))


def _f1(shared: int, reference: int, hypothesis: int) -> Stats:
    precision, recall = shared / max(hypothesis, 1), shared / max(reference, 1)
    f1 = 2 * precision * recall / (precision + recall) if shared else 0.0
    return Stats(precision=precision, recall=recall, f1=f1, items=1)


def _metric(name: str, title: str, stats: Callable[..., Stats]) -> Metric:
    return Metric(
        name=name,
        title=title,
        payload=Payload.TEXT,
        better=Better.HIGHER,
        source="Lin, ROUGE: a package for automatic evaluation of summaries, 2004; rouge_score 0.1.2",
        version=1,
        stats=stats,
        score=score,
        parts=parts,
        options=("stemmer",),
        counts=("items",),
    )


METRICS = (
    _metric("rouge1", "ROUGE-1 F1", rouge1),
    _metric("rouge2", "ROUGE-2 F1", rouge2),
    _metric("rougeL", "ROUGE-L F1", rouge_l),
    _metric("rougeLsum", "ROUGE-Lsum F1", rouge_lsum),
)

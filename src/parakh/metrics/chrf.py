"""chrF and chrF++: how many runs of up to six signs (and, in chrF++, words and word pairs) two texts share.

Equal to sacrebleu. With the runs of n signs of the hypothesis, of the reference and shared, precision and recall of each n
are averaged over the n of which both sides have any, and chrF = 5 P R / (4 P + R): recall weighs twice as much as
precision. White space is left out. The corpus score comes from the summed counts, not from averaged scores; two empty
texts score 0. As it looks at signs, a wrong case ending of an inflected word costs little, which suits Indian languages.

Choices:
    None: runs of one to six signs, beta 2, as sacrebleu unless told otherwise.

Equal to:
    sacrebleu 2.6.0, chrF2 and chrF2++ (tests/crosscheck/test_chrf_sacrebleu.py).

Pitfalls:
    Recall weighs more than precision, so that a long answer is punished little. Two empty texts score 0, not 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from string import punctuation

from parakh import _native
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._references import Texts, best, texts
from parakh.results import Stats

_SIGNS, _WORDS = 6, 2
_BETA_SQUARED = 4
_CHRF = tuple(f"{n}_signs" for n in range(1, _SIGNS + 1))
_CHRFPP = (*_CHRF, *(f"{n}_words" for n in range(1, _WORDS + 1)))


def chrf(reference: Texts, hypothesis: str) -> Stats:
    """chrF2: runs of one to six signs.

    Args:
        reference: The reference text, or several accepted ones, of which the one with the greatest chrF counts.
        hypothesis: The system's text.

    Returns:
        For n = 1 to 6 ``hypothesis_<n>_signs``, ``reference_<n>_signs`` and ``shared_<n>_signs``, counts that add. As in
        sacrebleu the hypothesis counts as 0 at an n for which the reference is too short.

    Source: Popović, 2015; sacrebleu 2.6.0 ``CHRF()``.

    >>> found = chrf("मरीज को बुखार है", "मरीज को तेज बुखार था")
    >>> found["shared_1_signs"], round(score(found), 4)
    (11, 0.5046)
    """
    return best(texts(reference), lambda text: _counts(text, hypothesis, words=False), score)


def chrfpp(reference: Texts, hypothesis: str) -> Stats:
    """chrF2++: the counts of chrF2 and those of words and word pairs.

    Args:
        reference: The reference text, or several accepted ones, of which the one with the greatest chrF++ counts.
        hypothesis: The system's text.

    Returns:
        The counts of ``chrf``, and for n = 1, 2 the same of ``<n>_words``; a punctuation mark at the end of a word, or
        else at its beginning, is a word of its own.

    Source: Popović, 2017; sacrebleu 2.6.0 ``CHRF(word_order=2)``.

    >>> chrfpp("no fever.", "fever.")["shared_2_words"]
    1
    """
    return best(texts(reference), lambda text: _counts(text, hypothesis, words=True), partial(_f_score, orders=_CHRFPP))


def score(total: Stats) -> float:
    """The chrF in [0, 1] of summed counts; 0 where both texts are empty, as in sacrebleu."""
    return _f_score(total, _CHRF)


def _parts(total: Stats, orders: Sequence[str]) -> Mapping[str, float | None]:
    """Precision and recall, averaged over the lengths of run."""
    return dict(zip(("precision", "recall"), _averages(total, orders), strict=True))


def _f_score(total: Stats, orders: Sequence[str]) -> float:
    """F with beta 2 of the mean precision and the mean recall over the orders that both sides have; 0 without any."""
    precision, recall = _averages(total, orders)
    if not precision + recall:
        return 0.0
    return (1 + _BETA_SQUARED) * precision * recall / (_BETA_SQUARED * precision + recall)


def _averages(total: Stats, orders: Sequence[str]) -> tuple[float, float]:
    """Mean precision and mean recall over the orders of which both sides have any; 0 where there is none."""
    rows = [[total[f"{side}_{order}"] for side in ("shared", "hypothesis", "reference")] for order in orders]
    used = [row for row in rows if row[1] > 0 and row[2] > 0]
    if not used:
        return 0.0, 0.0
    precision = sum(shared / heard for shared, heard, _ in used) / len(used)
    return precision, sum(shared / said for shared, _, said in used) / len(used)


def _counts(reference: str, hypothesis: str, *, words: bool) -> Stats:
    said, heard = (list(map(ord, "".join(text.split()))) for text in (reference, hypothesis))
    counts = _side_counts(said, heard, _SIGNS, "signs")
    if words:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        said, heard = ([numbers[word] for word in _words(text)] for text in (reference, hypothesis))
        counts |= _side_counts(said, heard, _WORDS, "words")
    return Stats(counts)


def _side_counts(said: list[int], heard: list[int], longest: int, unit: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for n, shared in enumerate(_native.shared_runs(said, heard, longest), start=1):
        runs = max(0, len(said) - n + 1)
        counts[f"hypothesis_{n}_{unit}"] = max(0, len(heard) - n + 1) if runs else 0
        counts[f"reference_{n}_{unit}"] = runs
        counts[f"shared_{n}_{unit}"] = shared
    return counts


def _words(text: str) -> list[str]:
    """Words, with a punctuation mark at the end, or else at the beginning, split off."""
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def _metric(name: str, title: str, stats: Callable[..., Stats], orders: Sequence[str], source: str) -> Metric:
    return Metric(
        name=name,
        title=title,
        payload=Payload.TEXT,
        better=Better.HIGHER,
        source=source,
        version=1,
        stats=stats,
        score=partial(_f_score, orders=orders),
        parts=partial(_parts, orders=orders),
    )


METRICS = (
    _metric("chrf", "chrF2", chrf, _CHRF, "Popović, chrF: character n-gram F-score, 2015; sacrebleu 2.6.0"),
    _metric("chrfpp", "chrF2++", chrfpp, _CHRFPP, "Popović, chrF++: words helping character n-grams, 2017; sacrebleu 2.6.0"),
)

"""F1 of topics as a set: which health problems were named, in whatever order.

A topic counts as found if it is in both lists, each at most once: duplicates within a list count once. With tp found in
both, fp only in the hypothesis and fn only in the reference, precision is tp / (tp + fp), recall tp / (tp + fn) and F1
2 tp / (2 tp + fp + fn); over several conversations the counts add (micro). An empty list is the answer "None", a topic of
its own: two empty lists agree, while a hypothesis that is missing has found nothing. Of several accepted references the
one with the greatest F1 counts.

Choices:
    ``topic_f1_folded`` forgives spelling, and with ``synonyms`` other names; ``topic_f1`` forgives nothing.

Equal to:
    No tool has it; the expected counts are worked out by hand (tests/golden/test_topic_f1.py).

Pitfalls:
    A topic in other words is two errors, one missed and one made up. Micro: a conversation with many topics weighs more.
    ROUGE of the same lists gives credit for shared words, and is what the DISPLACE-M challenge ranks by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from parakh.metrics import Better, Metric, Payload
from parakh.metrics._references import best
from parakh.metrics._synonyms import Synonyms, fold
from parakh.results import Stats, ratio
from parakh.types import Finding, Topics

__all__ = ["METRICS", "Synonyms", "topic_f1", "topic_f1_folded"]

References = Topics | Sequence[Topics]
_NONE = "None"


def topic_f1(reference: References, hypothesis: Topics | None) -> Stats:
    """Topics spelled exactly alike; only white space around them is ignored.

    Args:
        reference: The topics of one conversation, or several accepted lists.
        hypothesis: The system's topics; None where its answer is missing.

    Returns:
        ``tp``, ``fp`` and ``fn``, counts of topics.

    Source: Parakh; precision and recall of a set, as in van Rijsbergen, Information Retrieval, 1979.

    >>> topic_f1(Topics("v", ("Fever", "Cough")), Topics("v", ("Cough", "fever", "Cough ")))
    Stats(tp=1, fp=1, fn=1)
    """
    return _best(reference, hypothesis, str.strip)


def topic_f1_folded(reference: References, hypothesis: Topics | None, *, synonyms: Synonyms | None = None) -> Stats:
    """Topics alike once case, hyphens, white space, English plurals, Unicode composition and digits are folded.

    Args:
        reference: The topics of one conversation, or several accepted lists.
        hypothesis: The system's topics; None where its answer is missing.
        synonyms: Further names that mean the same, from a file of the user's; none are built in.

    Returns:
        ``tp``, ``fp`` and ``fn``, counts of topics.

    Source: Parakh.

    >>> topic_f1_folded(Topics("v", ("Severe headache",)), Topics("v", ("severe  Headaches", "Cough")))
    Stats(tp=1, fp=1, fn=0)
    """
    return _best(reference, hypothesis, _folder(synonyms))


def score(total: Stats) -> float | None:
    """2 tp / (2 tp + fp + fn), in [0, 1]; None when no conversation was scored.

    >>> score(Stats(tp=1, fp=1, fn=0))
    0.6666666666666666
    """
    return ratio(2 * total["tp"], 2 * total["tp"] + total["fp"] + total["fn"])


def parts(total: Stats) -> Mapping[str, float | None]:
    """Precision and recall; None without a topic on that side."""
    tp = total["tp"]
    return {"precision": ratio(tp, tp + total["fp"]), "recall": ratio(tp, tp + total["fn"])}


def findings(reference: References, hypothesis: Topics | None, *, synonyms: Synonyms | None = None) -> list[Finding]:
    """Which topics were missed and which are extra, by the folded comparison against the reference that counts.

    >>> [found.message for found in findings(Topics("v", ("Fever",)), Topics("v", ("Cough",)))]
    ["topic missed: 'Fever'", "extra topic: 'Cough'"]
    """
    return _findings(reference, hypothesis, _folder(synonyms))


def _exact_findings(reference: References, hypothesis: Topics | None) -> list[Finding]:
    return _findings(reference, hypothesis, str.strip)


def _findings(reference: References, hypothesis: Topics | None, key: Callable[[str], str]) -> list[Finding]:
    lists = _lists(reference)
    said = max(lists, key=lambda one: _value(_counts(one, hypothesis, key)))
    wanted, found = by_key(said, key), by_key(hypothesis, key)
    missed = [Finding("missed-topic", f"topic missed: {wanted[one]!r}", session_id=said.session_id) for one in wanted]
    extra = [Finding("extra-topic", f"extra topic: {found[one]!r}", session_id=said.session_id) for one in found]
    return [
        *(one for one, name in zip(missed, wanted, strict=True) if name not in found),
        *(one for one, name in zip(extra, found, strict=True) if name not in wanted),
    ]


def _folder(synonyms: Synonyms | None) -> Callable[[str], str]:
    return synonyms.canonical if synonyms is not None else fold


def _lists(reference: References) -> Sequence[Topics]:
    return [reference] if isinstance(reference, Topics) else reference


def _best(reference: References, hypothesis: Topics | None, key: Callable[[str], str]) -> Stats:
    return best(_lists(reference), lambda one: _counts(one, hypothesis, key), _value)


def _value(found: Stats) -> float:
    return score(found) or 0.0


def _counts(reference: Topics, hypothesis: Topics | None, key: Callable[[str], str]) -> Stats:
    said, found = by_key(reference, key).keys(), by_key(hypothesis, key).keys()
    return Stats(tp=len(said & found), fp=len(found - said), fn=len(said - found))


def by_key(answer: Topics | None, key: Callable[[str], str]) -> dict[str, str]:
    """The topics by what they are compared by, each once; nothing for a missing answer, "None" for an empty one.

    >>> by_key(Topics("v", ("Fever", "fever ")), str.casefold)
    {'fever': 'Fever', 'fever ': 'fever'}
    """
    if answer is None:
        return {}
    topics = {key(topic): topic.strip() for topic in answer.topics if topic.strip()}
    return topics or {key(_NONE): _NONE}


def _metric(
    name: str, title: str, stats: Callable[..., Stats], told: Callable[..., Sequence[Finding]], options: tuple[str, ...] = ()
) -> Metric:
    return Metric(
        name=name,
        title=title,
        payload=Payload.TOPICS,
        better=Better.HIGHER,
        source="Precision and recall of a set of topics (van Rijsbergen, Information Retrieval, 1979)",
        version=1,
        stats=stats,
        score=score,
        parts=parts,
        options=options,
        findings=told,
        counts=("tp", "fp", "fn"),
    )


METRICS = (
    _metric("topic_f1", "Topic F1", topic_f1, _exact_findings),
    _metric("topic_f1_folded", "Topic F1, folded", topic_f1_folded, findings, ("synonyms",)),
)

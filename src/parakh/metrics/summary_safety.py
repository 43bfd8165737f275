"""Checks of what can do harm in a summary: wrong numbers, wrong medicines, wrong denials.

Every statement of that kind in the summary must be borne out by the transcript, where there is one, else by the reference
summary (supported or unsupported: precision); every one of the reference summary should be in the summary (found or missed:
recall). The value is (supported + found) / (supported + unsupported + found + missed), which without a transcript is F1.
Equal statements of a text count once. Of several accepted references the one with the best value counts.

Numbers, medicines and findings are read in English, Hindi and Kannada, also mixed, in digits and in words. A transcript
without words or mostly in another script cannot be read: the reference then bears out, and a finding says so.

Formula:
    (supported + found) / (supported + unsupported + found + missed)

Choices:
    With ``transcript`` what was said bears out, else the reference summary does.

Equal to:
    No tool has it; the expected verdicts are written by hand (tests/golden/test_summary_safety.py).

Pitfalls:
    Only what the lists of words know is judged: another name of a medicine goes unseen, and so does a claim of another
    kind. A summary without any number, medicine or denial has no false one. Read the findings, not the rate alone: one
    contradicted denial matters more than its share says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import regex

from parakh.clinical.assertion import Status
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._references import Texts, best, texts
from parakh.metrics._statements import (
    MEDICINES,
    NEGATIONS,
    NUMBERS,
    Assertion,
    Kind,
    Statement,
    Verdict,
    as_turns,
)
from parakh.results import Stats, ratio
from parakh.types import Finding, Segment

_LETTERS = regex.compile(r"\p{L}")
_READ = regex.compile(r"[\p{Latin}\p{Devanagari}\p{Kannada}]")


def summary_numbers(reference: Texts, hypothesis: str, *, transcript: Sequence[Segment] | None = None) -> Stats:
    """Numbers with units, blood pressures, spans of time, doses: the value must be right, and the unit not contradicted.

    Args:
        reference: The reference summary, or several accepted ones.
        hypothesis: The system's summary.
        transcript: What was said, as written; None takes the reference as what must bear out.

    Returns:
        ``supported`` and ``unsupported`` statements of the summary, ``found`` and ``missed`` ones of the reference, and
        ``contradicted``, here always 0.

    Source: Parakh.

    >>> turns = [Segment("v", "w", words="पैरासिटामोल पाँच सौ एमजी, दिन में तीन बार")]
    >>> summary_numbers("Paracetamol 500 mg.", "Paracetamol 650 mg three times a day.", transcript=turns)
    Stats(supported=1, unsupported=1, contradicted=0, found=0, missed=1)
    """
    return _best(NUMBERS, reference, hypothesis, transcript)


def summary_medicines(reference: Texts, hypothesis: str, *, transcript: Sequence[Segment] | None = None) -> Stats:
    """Medicines by name: a brand is what is in it, a group ("antibiotics") names none.

    Args:
        reference: The reference summary, or several accepted ones.
        hypothesis: The system's summary.
        transcript: What was said, as written; None takes the reference as what must bear out.

    Returns:
        ``supported`` and ``unsupported`` statements of the summary, ``found`` and ``missed`` ones of the reference, and
        ``contradicted``, here always 0.

    Source: Parakh.

    >>> turns = [Segment("v", "w", words="मेटफॉर्मिन लेना")]
    >>> summary_medicines("Takes metformin.", "Takes amlodipine.", transcript=turns)
    Stats(supported=0, unsupported=1, contradicted=0, found=0, missed=1)
    """
    return _best(MEDICINES, reference, hypothesis, transcript)


def summary_negations(reference: Texts, hypothesis: str, *, transcript: Sequence[Segment] | None = None) -> Stats:
    """Findings that are denied: denied only what was denied, and affirmed nothing that was denied.

    Args:
        reference: The reference summary, or several accepted ones.
        hypothesis: The system's summary.
        transcript: What was said, as written; None takes the reference as what must bear out.

    Returns:
        ``supported`` and ``unsupported`` statements of the summary, ``contradicted`` (those of the unsupported that say
        the opposite of what was said: the dangerous ones), ``found`` and ``missed`` denials of the reference.

    Source: Parakh.

    >>> turns = [Segment("v", "s", words="बुखार नहीं है। खांसी है।", role="health_seeker")]
    >>> summary_negations("No fever, has cough.", "Fever, no cough.", transcript=turns)
    Stats(supported=0, unsupported=2, contradicted=2, found=0, missed=1)
    """
    return _best(NEGATIONS, reference, hypothesis, transcript)


def score(total: Stats) -> float | None:
    """Share of the statements of both sides that hold; None where neither side states anything.

    >>> score(Stats(supported=2, unsupported=1, found=2, missed=0))
    0.8
    """
    good = total["supported"] + total["found"]
    return ratio(good, good + total["unsupported"] + total["missed"])


def parts(total: Stats) -> Mapping[str, float | None]:
    """Precision (supported by what was said) and recall (of the reference)."""
    supported, found = total["supported"], total["found"]
    return {"precision": ratio(supported, supported + total["unsupported"]), "recall": ratio(found, found + total["missed"])}


def _best(kind: Kind, reference: Texts, hypothesis: str, transcript: Sequence[Segment] | None) -> Stats:
    return best(texts(reference), lambda one: _count(kind, one, hypothesis, transcript), _value)


def _value(found: Stats) -> float:
    value = score(found)
    return 1.0 if value is None else value


def _count(kind: Kind, reference: str, hypothesis: str, transcript: Sequence[Segment] | None) -> Stats:
    verdicts = [verdict for _, verdict in judged(kind, hypothesis, evidence_of(kind, reference, transcript))]
    kept = [verdict for _, verdict in recalled(kind, reference, hypothesis)]
    return Stats(
        supported=verdicts.count(Verdict.SUPPORTED),
        unsupported=len(verdicts) - verdicts.count(Verdict.SUPPORTED),
        contradicted=verdicts.count(Verdict.CONTRADICTED),
        found=kept.count(Verdict.SUPPORTED),
        missed=len(kept) - kept.count(Verdict.SUPPORTED),
    )


def evidence_of(kind: Kind, reference: str, transcript: Sequence[Segment] | None) -> Sequence[Statement]:
    """What must bear out a summary: the statements of the transcript, of the reference where there is none that can be read."""
    if transcript is None or lack_of(transcript) is not None:
        return kind.read(as_turns(reference))
    return kind.read(tuple(transcript))


def lack_of(transcript: Sequence[Segment]) -> tuple[str, str] | None:
    """Why a transcript bears out nothing (code, reason): it has no words, or most letters are of a script that is not read."""
    text = "".join(turn.words for turn in transcript)
    letters = len(_LETTERS.findall(text))
    if not letters:
        return "no-transcript", "this recording has no transcript"
    if 2 * len(_READ.findall(text)) < letters:
        return "transcript-not-read", "the transcript is mostly in a script that is not read"
    return None


def judged(kind: Kind, summary: str, evidence: Sequence[Statement]) -> list[tuple[Statement, Verdict]]:
    """Every claim of a summary, and whatever contradicts, each once."""
    once = {one.key: one for one in kind.read(as_turns(summary))}
    judged = ((one, kind.judge(one, evidence)) for one in once.values())
    return [(one, verdict) for one, verdict in judged if one.claimed or verdict is Verdict.CONTRADICTED]


def recalled(kind: Kind, reference: str, hypothesis: str) -> list[tuple[Statement, Verdict]]:
    """Every claim of the reference, and what the summary says of it, each once."""
    claims = {one.key: one for one in kind.read(as_turns(reference)) if one.claimed}
    given = kind.read(as_turns(hypothesis))
    return [(one, kind.judge(one, given)) for one in claims.values()]


def chosen_reference(kind: Kind, reference: Texts, hypothesis: str, transcript: Sequence[Segment] | None) -> str:
    """The accepted reference that speaks best for the summary; the first of equals."""
    return max(texts(reference), key=lambda one: _value(_count(kind, one, hypothesis, transcript)))


def _findings(kind: Kind, reference: Texts, hypothesis: str, *, transcript: Sequence[Segment] | None = None) -> list[Finding]:
    """Every statement that is not borne out and every one that is missing."""
    chosen = chosen_reference(kind, reference, hypothesis, transcript)
    session_id = transcript[0].session_id if transcript else None
    lack = None if transcript is None else lack_of(transcript)
    source = "reference" if transcript is None or lack else "transcript"
    told = [
        Finding(f"{verdict}-{kind.name}", _offence(one, verdict, source), session_id=session_id)
        for one, verdict in judged(kind, hypothesis, evidence_of(kind, chosen, transcript))
        if verdict is not Verdict.SUPPORTED
    ]
    missed = [
        Finding(f"missed-{kind.name}", f"{_quoted(one)} of the reference is not in the summary", session_id=session_id)
        for one, verdict in recalled(kind, chosen, hypothesis)
        if verdict is not Verdict.SUPPORTED
    ]
    return [*_lacking(lack, session_id), *told, *missed]


def _offence(one: Statement, verdict: Verdict, source: str) -> str:
    if verdict is Verdict.CONTRADICTED and isinstance(one, Assertion):
        said, opposite = ("denies", "affirms") if one.status is Status.NEGATED else ("affirms", "denies")
        return f"the summary {said} {one.text!r}, the {source} {opposite} it"
    return f"{_quoted(one)} of the summary is not in the {source}"


def _quoted(one: Statement) -> str:
    return f"the denial of {one.text!r}" if isinstance(one, Assertion) else repr(one.text)


def _lacking(lack: tuple[str, str] | None, session_id: str | None) -> list[Finding]:
    if lack is None:
        return []
    code, reason = lack
    return [Finding(code, f"{reason}; the reference was taken as what must bear out", session_id=session_id)]


def _metric(kind: Kind, title: str, stats: Callable[..., Stats], version: int = 1) -> Metric:
    return Metric(
        name=f"summary_{kind.name}s",
        title=title,
        payload=Payload.SUMMARY,
        better=Better.HIGHER,
        source="Parakh; what was said is read by the clinical concept list",
        version=version,
        stats=stats,
        score=score,
        parts=parts,
        findings=partial(_findings, kind),
        counts=("unsupported", "contradicted", "missed"),
    )


METRICS = (
    _metric(NUMBERS, "Numbers of the summary", summary_numbers),
    _metric(MEDICINES, "Medicines of the summary", summary_medicines),
    # 2: what follows "the health seeker" is no advice to seek
    _metric(NEGATIONS, "Denials of the summary", summary_negations, version=2),
)

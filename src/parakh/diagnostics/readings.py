"""How the segments of a recording are read for a diagnosis: their texts, the forms taken of them, the metric they allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from parakh.metrics import cpwer, tcpwer
from parakh.metrics._sentences import in_time_order, transcripts
from parakh.text.normalize import strip_tags
from parakh.types import Segment

TIMED, ATTRIBUTED, PLAIN = "tcpwer", "cpwer", "wer"


def text_of(segments: Sequence[Segment]) -> str:
    """The words of a session in time order, without annotation tags."""
    return strip_tags(" ".join(segments[place].words for place in in_time_order(segments)))


def read(segments: Sequence[Segment], profile: Callable[[str], str]) -> list[Segment]:
    """Segments with their texts, and the forms accepted beside them, read by a profile."""
    read = []
    for one in segments:
        words = profile(one.words)
        same = words == one.words and not one.forms
        read.append(one if same else replace(one, words=words, forms=tuple(map(profile, one.forms))))
    return read


def as_taken(reference: list[Segment], hypothesis: Sequence[Segment], metric: str, collar: float | None) -> list[Segment]:
    """The reference in the forms that the metric takes, where segments accept several."""
    if not any(segment.forms for segment in reference):
        return reference
    if metric == PLAIN:
        texts = transcripts(reference, hypothesis, str.split)[0]
        taken = dict(zip(in_time_order(reference), texts, strict=True))
    elif collar is not None:
        taken = tcpwer.forms_taken(reference, hypothesis, collar=collar)
    else:
        taken = cpwer.forms_taken(reference, hypothesis)
    return [replace(one, words=taken.get(place, one.words), forms=()) for place, one in enumerate(reference)]


def richest_metric(segments: Sequence[Segment]) -> str:
    """The richest word error rate that all segments allow."""
    if any(segment.speaker is None for segment in segments):
        return PLAIN
    return ATTRIBUTED if any(segment.start_time is None for segment in segments) else TIMED

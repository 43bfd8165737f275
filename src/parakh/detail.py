"""What a report shows of one recording beyond its numbers: turns, regions in error, alignments, texts.

The shapes are plain JSON, kept in ``RecordingResult.detail`` when ``evaluate(..., detail=True)`` asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parakh.collection import uncollected
from parakh.metrics import cpwer, der, tcpwer, tcwder, wer
from parakh.types import AlignedWord, Region, Segment, Summary, Topics

Options = Mapping[str, Any]
Detail = dict[str, Any]


@dataclass(frozen=True)
class Given:
    """What else is given of a recording.

    Args:
        options: Of the metrics.
        missing: Whether the hypothesis lacks the recording.
        regions: Where it is scored; None for all of it.
        transcript: What was said, as written, where summaries are checked against it.
        language: BCP-47 primary tag of what is spoken, where the manifest says.
    """

    options: Options
    missing: bool = False
    regions: Sequence[Region] | None = None
    transcript: Sequence[Segment] | None = None
    language: str | None = None


DetailOf = Callable[[Any, Any, Given], Detail]
"""(reference, hypothesis, what else is given) -> what to show."""


def diarization_detail(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    given: Given,
) -> Detail:
    """Turns of both sides, who stands for whom and for how many seconds, and each stretch in error with its kind."""
    options, regions = given.options, given.regions
    collar, score_regions = float(options.get("collar", 0.0)), str(options.get("score_regions", "all"))
    stretches = der.score_timeline(reference, hypothesis, regions=regions, collar=collar, score_regions=score_regions)
    return {
        "regions": [[region.start_time, region.end_time] for region in regions or ()],
        "reference": [_turn(segment) for segment in reference],
        "hypothesis": [_turn(segment) for segment in hypothesis],
        "mapping": der.mapping(reference, hypothesis, regions=regions),
        "shared": [
            [pair.reference, pair.hypothesis, pair.shared_time]
            for pair in der.speaker_pairs(reference, hypothesis, regions=regions)
        ],
        "errors": [[stretch.start_time, stretch.end_time, str(stretch.kind)] for stretch in stretches],
    }


def asr_detail(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    given: Given,
) -> Detail:
    """Utterances of both sides as scored, the speaker mapping, every word's alignment, and the accepted forms that were taken.

    A step that is an error has its ``kind``. The alignment is tcpWER's where both sides have speakers and times, cpWER's where
    they have speakers, else WER's.
    """
    from parakh.diagnostics.kinds import error_kinds, moved_words  # takes a while to load

    with uncollected():
        mapping, alignment, stream, forms = _compared(reference, hypothesis, given.options)
        moved = moved_words(stream, mapping)
        kinds = error_kinds(alignment, reference, hypothesis, moved=moved, language=given.language)
        return {
            "reference": [_utterance(segment) for segment in reference],
            "hypothesis": [_utterance(segment) for segment in hypothesis],
            "mapping": mapping,
            "alignment": [_step(word, kind) for word, kind in zip(alignment, kinds, strict=True)],
            **({"forms": {str(place): form for place, form in forms.items()}} if forms else {}),
        }


def _compared(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], options: Options
) -> tuple[dict[str, str], list[AlignedWord], list[AlignedWord], dict[int, str]]:
    """Who stands for whom, the alignment, one that does not mind the speakers where there are any, and the forms taken."""
    both = (*reference, *hypothesis)
    if any(segment.speaker is None for segment in both):
        return {}, wer.align(reference, hypothesis), [], {}
    has_forms = any(segment.forms for segment in reference)
    if any(segment.start_time is None for segment in both):
        forms = cpwer.forms_taken(reference, hypothesis) if has_forms else {}
        mapping = cpwer.speaker_mapping(reference, hypothesis)
        return mapping, cpwer.align(reference, hypothesis), wer.align(reference, hypothesis), forms
    own = {name: options[name] for name in tcpwer.METRICS[0].options if name in options}
    forms = tcpwer.forms_taken(reference, hypothesis, **own) if has_forms else {}
    mapping = tcpwer.speaker_mapping(reference, hypothesis, **own)
    alignment, stream = (metric.align(reference, hypothesis, **own) for metric in (tcpwer, tcwder))
    return mapping, alignment, stream, forms


def topics_detail(
    reference: Sequence[Topics],
    hypothesis: Sequence[Topics],
    given: Given,
) -> Detail:
    """Both lists of topics, the first of several accepted references; None for a hypothesis that is missing."""
    return {
        "reference": list(reference[0].topics) if reference else [],
        "hypothesis": None if given.missing else list(hypothesis[0].topics),
    }


def summarization_detail(
    reference: Sequence[Summary],
    hypothesis: Sequence[Summary],
    given: Given,
) -> Detail:
    """Both summaries, the first of several accepted references; None for a hypothesis that is missing.

    With ``support``: what bears out each statement of the summary, what it lacks, and the turns of the transcript.
    """
    detail: Detail = {"reference": reference[0].text if reference else "", "hypothesis": None}
    if given.missing:
        return detail
    detail["hypothesis"] = hypothesis[0].text
    if given.transcript is not None:
        detail["support"] = _support([one.text for one in reference], hypothesis[0].text, given.transcript)
    return detail


def _support(references: Sequence[str], summary: str, transcript: Sequence[Segment]) -> Detail:
    from parakh.metrics._support import Place, support  # takes a while to load

    def said(places: Sequence[Place]) -> list[list[int]]:
        return [[place.turn, place.start, place.end] for place in places]

    found = support(references, summary, transcript)
    marks = [
        {
            "kind": one.kind,
            "verdict": str(one.verdict),
            "text": one.text,
            "places": [*map(list, one.places)],
            "said": said(one.said),
            **({"status": str(one.status)} if one.status else {}),
        }
        for one in found.marks
    ]
    missing = [
        {
            "kind": one.kind,
            "text": one.text,
            "said": said(one.said),
            "in_reference": one.in_reference,
            **({"is_refused": True} if one.is_refused else {}),
        }
        for one in found.missing
    ]
    topics = {name: list(turns) for name, turns in found.topics.items()}
    turns = [_utterance(segment) for segment in transcript]
    return {"source": found.source, "turns": turns, "marks": marks, "missing": missing, "topics": topics}


DETAILS: dict[str, DetailOf] = {
    "diarization": diarization_detail,
    "asr": asr_detail,
    "topics": topics_detail,
    "summarization": summarization_detail,
}
"""What to show of a recording, by track."""


def _turn(segment: Segment) -> list[Any]:
    return [segment.speaker, segment.start_time, segment.end_time]


def _utterance(segment: Segment) -> Detail:
    return {
        "speaker": segment.speaker,
        "role": segment.role,
        "start": segment.start_time,
        "end": segment.end_time,
        "words": segment.words,
        **({"language": segment.language} if segment.language else {}),
    }


def _step(word: AlignedWord, kind: str | None) -> Detail:
    return {
        "op": str(word.op),
        **({"kind": str(kind)} if kind else {}),
        "reference": word.reference,
        "hypothesis": word.hypothesis,
        "reference_segment": word.reference_segment,
        "hypothesis_segment": word.hypothesis_segment,
        "reference_speaker": word.reference_speaker,
        "hypothesis_speaker": word.hypothesis_speaker,
        "reference_time": list(word.reference_time) if word.reference_time else None,
        "hypothesis_time": list(word.hypothesis_time) if word.hypothesis_time else None,
    }

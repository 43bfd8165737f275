"""What every metric keeps, whoever wrote it: found by listing the folder, tested on conversations in several scripts."""

import inspect
import itertools
import math
from dataclasses import replace

import pytest

from parakh.metrics import Better, Metric, Payload, all_metrics
from parakh.results import RecordingResult, Results, Score, Signature, Stats, total
from parakh.types import Finding, Segment, Topics

METRICS = list(all_metrics().values())
SPEECH = (Payload.TURNS, Payload.WORDS)


def cases(metrics: list[Metric]) -> list:
    """The metrics as test parameters; one that needs an option without a default has tests of its own."""
    reason = "needs {}, which has no default: tested where it is given"
    skipped = {one.name: pytest.mark.skip(reason=reason.format(", ".join(one.required))) for one in metrics if one.required}
    return [pytest.param(one, id=one.name, marks=skipped.get(one.name, ())) for one in metrics]


every_metric = pytest.mark.parametrize("metric", cases(METRICS))
every_declaration = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
every_speech_metric = pytest.mark.parametrize("metric", cases([metric for metric in METRICS if metric.payload in SPEECH]))

OF_WORDS_HEARD = {"wder", "tcwder"}
"""Rates of the words that both sides have: where there are none, there is no rate."""
# What a metric of these names does not keep, and why. Every other keeps it.
SILENCE_IS_A_LABEL = {
    "bcubed_precision", "bcubed_recall", "bcubed_f1", "tau_ref_sys", "tau_sys_ref", "ce_ref_sys", "ce_sys_ref", "mi",
    "detection_accuracy",
}  # fmt: skip
"""An answer without anything is right about the silence: it does not get the worst value."""
WITHOUT_ANSWER = {"detection_precision": None, "purity": None, "detection_cost": 0.75, "speaker_count": 2.0}
"""What an answer without anything gets: nothing was said that could be right, the weight of misses, two speakers."""
RECORDINGS_TELL = {"tau_ref_sys", "tau_sys_ref", "mi", "nmi"}
"""Labels of recordings are kept apart, so knowing the recording helps to guess: more recordings, higher values."""
NO_ONE_BEST = {"mi", "speaker_count"}
"""The best value depends on the reference, or wrong answers reach it as well."""

CONVERSATIONS = {
    "devanagari": ["नमस्ते दीदी बुखार कब से है", "तीन दिन से तेज़ बुखार है", "दवा ली क्या"],
    "kannada": ["ಹೊಟ್ಟೆ ನೋವು ಇದೆಯಾ", "ಹೌದು ಎರಡು ದಿನದಿಂದ", "ಔಷಧಿ ತಗೊಂಡ್ರಾ"],
    "code-mixed": ["BP check करवाया था", "हाँ sugar भी 140 था", "doctor को दिखाया"],
    "one-character": ["a b c d e", "व क म", "x y"],
}


def conversation(name: str, *, late: float = 0.0, wrong: str = "") -> list[Segment]:
    """Three turns of two speakers; `late` seconds off, and with the last word of each turn replaced where `wrong` is given."""
    turns = []
    for k, text in enumerate(CONVERSATIONS[name]):
        words = f"{text.rsplit(' ', 1)[0]} {wrong}" if wrong else text
        start = 4.0 * k + late
        turns.append(Segment(name, "asha" if k % 2 else "patient", start, start + 3.5, words))
    return turns


# What the checks of summaries look at, a sentence for each turn of a conversation.
CLINICAL = ["Amlodipine 5 mg, no cough.", "Paracetamol 500 mg, no fever.", "Metformin for 4 days, no vomiting."]


def payload(metric: Metric, turns: list[Segment]) -> list[Segment] | str | Topics:
    """The turns as what a metric compares: their words as the text or the topics; a summary also has clinical sentences."""
    if metric.payload is Payload.TEXT:
        return "\n".join(turn.words for turn in turns)
    if metric.payload is Payload.SUMMARY:
        return "\n".join(f"{turn.words}\n{CLINICAL[int(turn.start_time / 4)]}" for turn in turns)
    if metric.payload is Payload.TOPICS:
        return Topics("visit", tuple(word for turn in turns for word in turn.words.split()))
    return turns


def stats(metric: Metric, reference: list[Segment], hypothesis: list[Segment]) -> Stats:
    return metric.stats(payload(metric, reference), payload(metric, hypothesis))


def recordings(metric: Metric) -> dict[str, Stats]:
    """Statistics of every conversation against a version of it with errors of all kinds, all said by one speaker."""
    wrong = {name: conversation(name, late=0.25, wrong="ठीक")[1:] for name in CONVERSATIONS}
    heard = {name: [replace(turn, speaker="asha") for turn in turns] for name, turns in wrong.items()}
    return {name: stats(metric, conversation(name), heard[name]) for name in CONVERSATIONS}


@every_metric
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_identical_input_is_perfect_and_only_that(metric, name):
    perfect = 0.0 if metric.better is Better.LOWER else 1.0
    same = stats(metric, conversation(name), conversation(name))
    wrong = recordings(metric)[name]
    if metric.name in NO_ONE_BEST:
        _, best = sorted([metric.score(same), metric.score(wrong)], reverse=metric.better is Better.LOWER)
        assert metric.score(same) == best >= 0
        return
    assert metric.score(same) == pytest.approx(perfect, abs=1e-12)
    assert metric.score(wrong) != pytest.approx(perfect, abs=1e-3)


@every_metric
def test_the_order_of_sessions_does_not_matter(metric):
    orders = {tuple(total(list(order)).items()) for order in itertools.permutations(recordings(metric).values())}
    assert len(orders) == 1


@every_speech_metric
def test_the_order_of_segments_does_not_matter(metric):
    for name in CONVERSATIONS:
        reference, hypothesis = conversation(name), conversation(name, late=0.25, wrong="ठीक")
        assert stats(metric, reference[::-1], hypothesis[::-1]) == stats(metric, reference, hypothesis)


@every_speech_metric
def test_the_names_of_speakers_do_not_matter(metric):
    names = {"asha": "z 9", "patient": "अ"}
    for name in CONVERSATIONS:
        reference, hypothesis = conversation(name), conversation(name, late=0.25, wrong="ठीक")
        renamed = [replace(turn, speaker=names[str(turn.speaker)]) for turn in hypothesis]
        assert stats(metric, reference, renamed) == stats(metric, reference, hypothesis)


@every_metric
def test_statistics_add(metric):
    parts = list(recordings(metric).values())
    summed = parts[0] + parts[1] + parts[2] + parts[3]
    assert dict(summed) == pytest.approx(dict(total(parts)))
    values = [metric.score(one) for one in parts]
    assert metric.name in RECORDINGS_TELL or min(values) <= metric.score(summed) <= max(values)
    assert {tuple(metric.parts(one)) for one in [*parts, summed]} == {tuple(metric.parts(summed))}


@every_speech_metric
def test_nothing_to_score_gives_none(metric):
    nothing = stats(metric, [], [])
    assert metric.score(nothing) is None
    assert set(metric.parts(nothing).values()) <= {None}


@every_metric
def test_either_side_may_be_empty(metric):
    full = conversation("devanagari")
    missing, extra, nothing = (stats(metric, *sides) for sides in ((full, []), ([], full), ([], [])))
    for found in (missing, extra, nothing):
        value = metric.score(found)
        assert value is None or math.isfinite(value)
        assert all(math.isfinite(count) and count >= 0 for count in found.values())
    worst = None if metric.name in OF_WORDS_HEARD else 1.0 if metric.better is Better.LOWER else 0.0
    assert metric.name in SILENCE_IS_A_LABEL or metric.score(missing) == WITHOUT_ANSWER.get(metric.name, worst)
    uncharged = SILENCE_IS_A_LABEL | OF_WORDS_HEARD | {"nmi", "purity", "detection_precision"}
    assert metric.charges_missing == (metric.name not in uncharged)
    # A recording in which nobody speaks adds nothing to what the others hold.
    if metric.payload in SPEECH:
        assert metric.score(missing + nothing) == metric.score(missing)


@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric.align], ids=lambda metric: metric.name)
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_the_alignment_holds_what_the_statistics_count(metric, name):
    reference, hypothesis = conversation(name), conversation(name, late=0.25, wrong="ठीक")[1:]
    ops = [step.op for step in metric.align(reference, hypothesis)]
    counted = stats(metric, reference, hypothesis)
    kinds = {"hits": "match", "substitutions": "substitution", "deletions": "deletion", "insertions": "insertion"}
    assert {key: counted[key] for key in kinds} == {key: ops.count(kind) for key, kind in kinds.items()}


@every_metric
def test_a_score_survives_json(metric):
    found = recordings(metric)
    summed = total(list(found.values()))
    results = Results(
        track="contract",
        system="hypothesis",
        signature=Signature({"metric": f"{metric.name}/{metric.version}"}),
        metrics={metric.name: Score(metric.score(summed), summed, dict(metric.parts(summed)))},
        recordings=tuple(
            RecordingResult(name, {metric.name: metric.score(one)}, {metric.name: one}) for name, one in found.items()
        ),
    )
    assert Results.from_json(results.to_json()) == results


@every_metric
def test_what_is_told_of_a_recording_is_findings(metric):
    for name in CONVERSATIONS:
        sides = (payload(metric, conversation(name)), payload(metric, conversation(name, late=0.25, wrong="ठीक")[1:]))
        told = metric.findings(*sides)
        assert all(isinstance(one, Finding) and one.code and one.message for one in told)


@every_declaration
def test_the_declaration_is_complete(metric):
    assert metric.title
    assert metric.source
    assert metric.version >= 1
    parameters = inspect.signature(metric.stats).parameters
    assert list(parameters)[:2] == ["reference", "hypothesis"]
    for option in metric.options:
        assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[option].default is not inspect.Parameter.empty
    assert set(metric.required) <= set(metric.options)
    assert set(metric.needs) <= set(Segment.__dataclass_fields__)

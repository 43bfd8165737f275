"""Speech detection: when anybody speaks, whoever it is. The statistics are those of the diarization error rate.

Time counts once however many speak. With S seconds of reference speech, N of reference silence, M of missed speech and
F of false speech (``speech``, ``silence``, ``missed_speech``, ``false_speech``):

- detection_error = (M + F) / S; it may exceed 1
- detection_precision = (S - M) / (S - M + F), detection_recall = (S - M) / S, detection_f1 their harmonic mean
- detection_accuracy = (S - M + N - F) / (S + N)
- detection_cost = 0.75 M / S + 0.25 F / N, the cost function of NIST OpenSAT 2019

The options are the diarization error rate's: a collar is a half width here and the full width in pyannote.metrics. A
figure without denominator is None; pyannote.metrics gives 0 or 1 there. For the cost that is a recording without speech
or without silence, whose rate pyannote.metrics takes as 0 (or 1 if there is an error).

Equal to:
    pyannote.metrics 4.2.0, with a collar too (tests/crosscheck/test_der_pyannote.py).

Pitfalls:
    Who speaks does not matter, and overlap counts once: a system that gives all speech to one person can be perfect here.
    Accuracy is high where nearly all is speech, whatever the system does.
"""

from __future__ import annotations

from collections.abc import Callable

from parakh.metrics import Better, Metric, Payload, der
from parakh.results import Stats, ratio

MISS_WEIGHT, FALSE_ALARM_WEIGHT = 0.75, 0.25
"""What the two rates weigh in the detection cost."""


def error(total: Stats) -> float | None:
    """(missed + false speech) / reference speech; may exceed 1; None without reference speech.

    >>> error(Stats(speech=16.0, silence=4.0, missed_speech=2.0, false_speech=3.0))
    0.3125
    """
    return ratio(total["missed_speech"] + total["false_speech"], total["speech"])


def precision(total: Stats) -> float | None:
    """The share of the speech heard that is speech, in [0, 1]; None if the system hears nobody.

    >>> precision(Stats(speech=16.0, silence=4.0, missed_speech=4.0, false_speech=4.0))
    0.75
    """
    return ratio(_heard(total), _heard(total) + total["false_speech"])


def recall(total: Stats) -> float | None:
    """The share of the reference speech that is heard, in [0, 1]; None without reference speech.

    >>> recall(Stats(speech=16.0, silence=4.0, missed_speech=2.0, false_speech=3.0))
    0.875
    """
    return ratio(_heard(total), total["speech"])


def f1(total: Stats) -> float | None:
    """2 P R / (P + R) of precision P and recall R, in [0, 1]; 0 where either side alone has speech, None where none has.

    >>> f1(Stats(speech=16.0, silence=4.0, missed_speech=4.0, false_speech=4.0))
    0.75
    """
    return ratio(2 * _heard(total), total["speech"] + _heard(total) + total["false_speech"])


def accuracy(total: Stats) -> float | None:
    """The share of all scored time that is called speech or silence as it is, in [0, 1]; None without time.

    >>> accuracy(Stats(speech=16.0, silence=4.0, missed_speech=2.0, false_speech=3.0))
    0.75
    """
    right = _heard(total) + total["silence"] - total["false_speech"]
    return ratio(right, total["speech"] + total["silence"])


def cost(total: Stats) -> float | None:
    """0.75 missed / reference speech + 0.25 false speech / reference silence, in [0, 1]; None without either.

    Source: NIST OpenSAT 2019 evaluation plan, section 4.1; pyannote.metrics 4.2.0.

    >>> cost(Stats(speech=16.0, silence=4.0, missed_speech=2.0, false_speech=3.0))
    0.28125
    """
    miss, false_alarm = ratio(total["missed_speech"], total["speech"]), ratio(total["false_speech"], total["silence"])
    return None if miss is None or false_alarm is None else MISS_WEIGHT * miss + FALSE_ALARM_WEIGHT * false_alarm


def _heard(total: Stats) -> float:
    return total["speech"] - total["missed_speech"]


def _metric(name: str, title: str, score: Callable[[Stats], float | None], better: Better, *counts: str) -> Metric:
    return Metric(
        name=name,
        title=title,
        payload=Payload.TURNS,
        better=better,
        source="pyannote.metrics 4.2.0",
        version=1,
        stats=der.stats,
        score=score,
        options=("collar", "score_regions"),
        needs=("speaker", "start_time"),
        counts=counts,
        charges_missing=name not in {"detection_precision", "detection_accuracy"},
    )


METRICS = (
    _metric("detection_error", "Speech detection error rate", error, Better.LOWER, "speech"),
    _metric("detection_precision", "Speech detection precision", precision, Better.HIGHER, "speech"),
    _metric("detection_recall", "Speech detection recall", recall, Better.HIGHER, "speech"),
    _metric("detection_f1", "Speech detection F1", f1, Better.HIGHER, "speech"),
    _metric("detection_accuracy", "Speech detection accuracy", accuracy, Better.HIGHER, "speech", "silence"),
    _metric("detection_cost", "Speech detection cost", cost, Better.LOWER, "speech", "silence"),
)

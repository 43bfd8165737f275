"""Results made by hand, small enough to count, for the tests of figures."""

from parakh.report.inputs import Inputs
from parakh.results import RecordingResult, Results, Score, Signature, Stats

EVIL = '<b onclick="x">&amp;\u202e</b></script>'


def diarized(
    system: str,
    recordings: dict[str, tuple[float, float, float]],
    *,
    scored: float = 100.0,
    overlap: dict[str, float] | None = None,
    language: dict[str, str] | None = None,
    interval: tuple[float, float] | None = None,
) -> Results:
    """Results of diarization from (miss, false alarm, confusion) in seconds of each recording, of 100 s each."""
    made = []
    for name, (miss, false_alarm, confusion) in recordings.items():
        stats = Stats(miss=miss, false_alarm=false_alarm, confusion=confusion, scored=scored, speech=80.0)
        stats += Stats(missed_speech=miss, false_speech=false_alarm)
        rate = (miss + false_alarm + confusion) / scored
        slices = {"language": (language[name],)} if language and name in language else {}
        made.append(RecordingResult(name, {"der": rate}, {"der": stats}, slices=slices, overlap=(overlap or {}).get(name)))
    total = sum((one.stats["der"] for one in made), Stats())
    value = (total["miss"] + total["false_alarm"] + total["confusion"]) / total["scored"]
    return Results(
        "diarization", system, Signature({"track": "diarization"}), {"der": Score(value, total, interval=interval)}, tuple(made)
    )


def published(system: str, value: float, **parts: float) -> Results:
    """Results of a system known only by a published DER."""
    score = Score(value, Stats(), parts)
    return Results("diarization", system, Signature({"track": "diarization", "published": "a paper"}), {"der": score}, ())


def inputs(*results: Results) -> Inputs:
    return Inputs(results)

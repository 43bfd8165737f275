"""The verdict logic of the report: readings, the worst task, the worst recording and the sentence that names them."""

from pathlib import Path

import pytest

from parakh.errors import InputError
from parakh.metrics import Better
from parakh.report.inputs import load
from parakh.report.summary import headline, missing_reason, reading, summarise, tasks, verdict, worst_recording, worst_task
from parakh.results import RecordingResult, Results, Score, Signature, Stats, Unscored
from parakh.types import Finding


def make(
    track: str, metric: str, value: float | None, recordings: dict[str, float | None], **more: tuple[object, ...]
) -> Results:
    rows = tuple(RecordingResult(id, {metric: one}, {}) for id, one in recordings.items())
    scores = {metric: Score(value, Stats())}
    return Results(track, "system", Signature({"track": track}), scores, rows, **more)  # type: ignore[arg-type]


def test_four_tasks_in_the_order_of_a_visit() -> None:
    assert list(tasks()) == ["diarization", "asr", "topics", "summarization"]
    assert tasks()["diarization"].better is Better.LOWER
    assert tasks()["summarization"].better is Better.HIGHER


def test_a_rate_above_one_reads_as_nothing_right() -> None:
    assert reading(1.7, Better.LOWER) == 0.0


@pytest.mark.parametrize(
    ("right", "words"),
    [
        (1.0, "almost all right"),
        (0.95, "almost all right"),
        (0.9499, "mostly right"),
        (0.2, "more wrong than right"),
        (0.0, "mostly wrong"),
    ],
)
def test_every_reading_has_words(right: float, words: str) -> None:
    assert verdict(right) == words


def test_worst_task_compares_readings_not_figures() -> None:
    asr = summarise(make("asr", "tcpwer", 0.6, {"a": 0.6}))
    summary = summarise(make("summarization", "rougeL", 0.5, {"a": 0.5}))
    assert asr.right == pytest.approx(0.4)
    assert worst_task([summary, asr]) is asr


def test_worst_task_skips_undefined_scores() -> None:
    undefined = summarise(make("asr", "tcpwer", None, {"a": None}))
    defined = summarise(make("diarization", "der", 0.1, {"a": 0.1}))
    assert worst_task([undefined, defined]) is defined
    assert worst_task([undefined]) is None


def test_worst_recording_follows_the_direction_and_counts_equals() -> None:
    rows = [RecordingResult(id, {"m": value}, {}) for id, value in [("a", 0.2), ("b", 0.9), ("c", 0.9), ("d", None)]]
    lower = worst_recording(rows, "m", Better.LOWER)
    higher = worst_recording(rows, "m", Better.HIGHER)
    assert lower is not None
    assert (lower.id, lower.equals, lower.of) == ("b", 1, 3)
    assert higher is not None
    assert (higher.id, higher.equals) == ("a", 0)
    assert worst_recording(rows[3:], "m", Better.LOWER) is None


def test_headline_names_task_and_recording() -> None:
    asr = summarise(make("asr", "tcpwer", 0.62, {"a": 0.5, "b": 0.91}))
    diarization = summarise(make("diarization", "der", 0.1, {"a": 0.1, "b": 0.1}))
    said = headline([diarization, asr])
    assert said.recording == "b"
    assert str(said) == (
        "“What was said” went worst of the two tasks, with 38 of 100 right (tcpwer 62.0%), and its worst recording is b (tcpwer 91.0%)."
    )


def test_headline_says_when_recordings_are_equally_bad() -> None:
    asr = summarise(make("asr", "tcpwer", 1.0, {"a": 1.0, "b": 1.0, "c": 1.0}))
    assert str(headline([asr])).endswith("its worst recording is a (tcpwer 100.0%, as on 2 more).")


def test_headline_says_when_the_worst_recording_was_not_answered() -> None:
    missing = Finding("missing-recording", "missing", session_id="b")
    asr = summarise(make("asr", "tcpwer", 0.7, {"a": 0.5, "b": 1.0}, findings=(missing,)))
    assert str(headline([asr])).endswith("its worst recording is b (tcpwer 100.0%), as the system gave no answer for it.")


def test_headline_counts_only_tasks_with_a_score() -> None:
    scored = [summarise(make("asr", "tcpwer", 0.2, {"a": 0.2})), summarise(make("diarization", "der", 0.1, {"a": 0.1}))]
    undefined = summarise(make("topics", "rougeL", None, {"a": None}))
    assert "went worst of the two tasks with a score" in str(headline([*scored, undefined]))


def test_headline_of_one_recording() -> None:
    assert str(headline([summarise(make("asr", "tcpwer", 0.2, {"a": 0.2}))])).endswith("; its only recording is a.")


def test_headline_without_any_score() -> None:
    assert "No task has a score" in str(headline([summarise(make("asr", "tcpwer", None, {}))]))
    assert "No task has a score" in str(headline([]))


def test_results_without_metrics() -> None:
    empty = summarise(Results("asr", "system", Signature({}), {}, ()))
    assert (empty.score, empty.right, empty.worst) == (None, None, None)


def test_unknown_track_and_metric_keep_their_names() -> None:
    own = summarise(make("emotion", "no-such-metric", 0.4, {"a": 0.4}))
    assert (own.task.name, own.title, own.better) == ("emotion", "no-such-metric", Better.HIGHER)


def test_reasons_come_from_the_results() -> None:
    noticed = Finding("missing-recording", "b is missing from the hypothesis", session_id="b")
    results = summarise(make("asr", "tcpwer", 0.2, {"a": None}, unscored=(Unscored("c", "no words"),), findings=(noticed,)))
    assert missing_reason(results, "b") == "b is missing from the hypothesis"
    assert missing_reason(results, "c") == "no words"
    assert missing_reason(results, "d") == "this recording is not part of this task's reference"
    assert missing_reason(results, "a") == "the reference holds nothing to count here"


def test_statistics_that_no_metric_can_score_are_refused_where_they_are_read(tmp_path: Path) -> None:
    counts = Stats(errors=1, substitutions=1, deletions=0, insertions=0, length=4)
    whole = Results(
        "asr", "ours", Signature({}), {"wer": Score(0.25, counts)}, (RecordingResult("v1", {"wer": 0.25}, {"wer": counts}),)
    )
    path = tmp_path / "asr.json"
    path.write_text(whole.to_json(), encoding="utf-8")
    assert load([str(path)]).results == (whole,)
    path.write_text(whole.to_json().replace('"length": 4', '"long": 4'), encoding="utf-8")
    with pytest.raises(InputError, match=r"recordings\.v1\.stats\.wer: found no length"):
        load([str(path)])

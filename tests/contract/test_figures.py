"""What figures show, against values counted by hand."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from parakh import registry
from parakh.cost import Cost
from parakh.diagnosis import Choices, diagnose
from parakh.diagnostics.setup import Setup
from parakh.report import figures
from parakh.report.chart import Chart, Heatmap, Intervals, Mark, Scatter, StackedBars, Waterfall, ticks
from parakh.report.diagnosed import read_diagnosed
from parakh.report.figures.overlap import line
from parakh.report.inputs import Inputs
from parakh.results import RecordingResult, Results, Score, Signature, Stats
from parakh.types import Segment
from tests.figures import diarized, inputs, published

NAMES = registry.names("figure")


def values(marks: tuple[Mark, ...]) -> list[float | None]:
    return [mark.value for mark in marks]


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_declares_itself_and_says_nothing_of_nothing(name: str) -> None:
    module = registry.load("figure", name)
    assert isinstance(module.FIGURE, figures.Figure)
    assert module.FIGURE.title
    assert module.FIGURE.source
    assert figures.chart(name, Inputs(())) is None


def test_der_parts_are_sorted_and_add_up() -> None:
    worse = diarized("worse", {"a": (10.0, 5.0, 15.0), "b": (20.0, 0.0, 0.0)}, interval=(0.2, 0.3))
    better = diarized("better", {"a": (1.0, 2.0, 3.0), "b": (3.0, 2.0, 1.0)})
    found = figures.chart(
        "der-parts", inputs(worse, better, published("paper", 0.125, miss=0.05, false_alarm=0.025, confusion=0.05))
    )
    assert isinstance(found, StackedBars)
    assert [label for label, _, _ in found.rows] == ["better", "paper", "worse"]
    assert [parts for _, parts, _ in found.rows] == [
        (2.0, 2.0, 2.0),
        pytest.approx((5.0, 2.5, 5.0)),
        (15.0, 2.5, 7.5),
    ]
    for _, parts, mark in found.rows:
        assert sum(parts) == pytest.approx(mark.value)
    assert found.rows[2][2].interval == (20.0, 30.0)


def test_a_published_der_without_parts_is_a_bar_of_one_piece_and_said_to_be() -> None:
    found = figures.chart("der-parts", inputs(diarized("ours", {"a": (1.0, 2.0, 3.0)}), published("paper", 0.2)))
    assert isinstance(found, StackedBars)
    assert found.rows[1] == ("paper", (), Mark(20.0))
    assert found.notes == ("Parts are not known: paper.",)


def test_der_parts_say_nothing_of_another_metric() -> None:
    assert figures.chart("der-parts", inputs(diarized("ours", {"a": (1.0, 2.0, 3.0)})), metric="jer") is None


def test_the_heatmap_keeps_a_missing_cell_missing() -> None:
    tongues = {"a": "hi", "b": "kn"}
    ours = diarized("ours", {"a": (10.0, 0.0, 0.0), "b": (0.0, 30.0, 0.0)}, language=tongues)
    theirs = diarized("theirs", {"a": (0.0, 0.0, 20.0)}, language=tongues)
    found = figures.chart("heatmap", inputs(ours, theirs))
    assert isinstance(found, Heatmap)
    assert (found.rows, found.columns) == (("Hindi", "Kannada"), ("ours", "theirs"))
    assert [values(row) for row in found.cells] == [[10.0, 20.0], [30.0, None]]
    assert found.lower_is_better
    assert [found.best(row) for row in found.cells] == [10.0, None]


def test_the_heatmap_prefers_the_slices_that_results_keep() -> None:
    kept = {"language": {"hi": {"der": Score(0.5, Stats(), interval=(0.4, 0.6))}, "ta": {"der": Score(None, Stats())}}}
    ours = replace(diarized("ours", {"a": (10.0, 0.0, 0.0)}, language={"a": "hi"}), slices=kept)
    theirs = replace(published("theirs", 0.3), slices={"language": {"hi": {"der": Score(0.25, Stats())}}})
    found = figures.chart("heatmap", inputs(ours, theirs))
    assert isinstance(found, Heatmap)
    assert found.cells == ((Mark(50.0, (40.0, 60.0)), Mark(25.0)), (Mark(None), Mark(None)))


def test_systems_with_other_recordings_are_shown_on_those_that_all_have() -> None:
    tongues = {"a": "hi", "b": "hi", "c": "kn"}
    all_three = diarized("all", {"a": (1.0, 0.0, 0.0), "b": (5.0, 1.0, 0.0), "c": (90.0, 0.0, 0.0)}, language=tongues)
    fewer = diarized("fewer", {"b": (8.0, 0.0, 1.0), "c": (10.0, 0.0, 10.0)}, language=tongues)
    least = diarized("least", {"b": (8.0, 0.0, 2.0)}, language=tongues)
    told = "Values are of the 1 recording that all were scored on (language hi 1); each was scored on: all 3, fewer 2, least 1."
    given = inputs(all_three, fewer, least, published("paper", 0.07))
    bars = figures.chart("der-parts", given)
    assert isinstance(bars, StackedBars)
    assert [(label, parts) for label, parts, _ in bars.rows if parts] == [
        ("all", (5.0, 1.0, 0.0)),
        ("fewer", (8.0, 0.0, 1.0)),
        ("least", (8.0, 0.0, 2.0)),
    ]
    assert told in bars.notes
    ranks = figures.chart("ranks", given)
    assert isinstance(ranks, Intervals)
    assert [(label, round(marks[0].value or 0.0, 9)) for label, marks in ranks.groups[""]] == [
        ("all", 6.0),
        ("paper", 7.0),
        ("fewer", 9.0),
        ("least", 10.0),
    ]
    assert told in ranks.notes
    heat = figures.chart("heatmap", given)
    assert isinstance(heat, Heatmap)
    assert [values(row) for row in heat.cells] == [[6.0, 9.0, 10.0], [90.0, 20.0, None]]
    assert heat.notes == (
        "Not cut by language: paper.",
        "Hindi: values are of the 1 recording that all were scored on; each was scored on: all 2, fewer 1, least 1.",
    )
    apart = figures.chart("der-parts", inputs(diarized("x", {"a": (1.0, 0.0, 0.0)}), diarized("y", {"b": (2.0, 0.0, 0.0)})))
    assert isinstance(apart, StackedBars)
    assert apart.notes == ("Values are of different recordings: x 1, y 1.",)


def test_overlap_is_told_against_the_share_of_speech_with_its_least_squares_line() -> None:
    shares = {name: (place + 1) / 10 for place, name in enumerate("abcdef")}
    ours = diarized("ours", {name: (50 * share, 0.0, 0.0) for name, share in shares.items()}, overlap=shares)
    found = figures.chart("overlap", inputs(ours))
    assert isinstance(found, Scatter)
    assert [(name, round(x, 9), round(y, 9)) for name, x, y in found.series["ours"]][:2] == [("a", 10, 5), ("b", 20, 10)]
    assert found.lines["ours"] == pytest.approx((0.5, 0.0), abs=1e-9)
    assert found.notes == ("ours: r = 1.00 over 6 recordings, +0.50 points of DER a point of overlap.",)


def test_no_line_is_drawn_through_a_few_recordings() -> None:
    wrong = {name: (5.0 + k, 0.0, 0.0) for k, name in enumerate("abcde")}
    found = figures.chart("overlap", inputs(diarized("ours", wrong, overlap={name: 0.1 * k for k, name in enumerate("abcde")})))
    assert isinstance(found, Scatter)
    assert (len(found.series["ours"]), found.lines) == (5, {})
    assert found.notes == ("Fewer than 6 recordings say nothing of a trend: no line for ours.",)


def test_a_line_is_the_one_of_least_squares() -> None:
    # Anscombe (1973), first set: y = 3.00 + 0.500 x, r = 0.816.
    xs = (10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5)
    ys = (8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68)
    found = line([("", float(x), y) for x, y in zip(xs, ys, strict=True)])
    assert found == (pytest.approx(0.500, abs=5e-4), pytest.approx(3.00, abs=5e-3), pytest.approx(0.816, abs=5e-4))
    assert line([("", 1.0, 2.0), ("", 2.0, 3.0)]) is None
    assert line([("", 1.0, 2.0)] * 6) is None
    shares = [100 * one / 700 for one in range(1, 400)]
    assert not any(
        line([("", x, y) for y in (1.0, 5.0, 3.0, 2.0, 4.0, 9.0)]) for x in shares
    )  # their mean is not always x to the last digit
    assert not any(line([("", y, x) for y in (1.0, 5.0, 3.0, 2.0, 4.0, 9.0)]) for x in shares)


def test_ranks_mark_what_is_not_told_apart_from_the_best() -> None:
    names = [f"v{k}" for k in range(12)]
    best = diarized("best", {name: (5.0 + k % 3, 0.0, 0.0) for k, name in enumerate(names)})
    close = diarized("close", {name: (6.0 + (k + 1) % 3 - (k % 2) * 1.5, 0.0, 0.0) for k, name in enumerate(names)})
    far = diarized("far", {name: (30.0 + k % 3, 0.0, 0.0) for k, name in enumerate(names)})
    found = figures.chart("ranks", inputs(far, close, published("paper", 0.07), best))
    assert isinstance(found, Intervals)
    assert [label for label, _ in found.groups[""]] == ["best", "close", "paper", "far"]
    assert found.tied == {"close"}
    assert found.groups[""][0][1][0].interval is not None
    assert found.groups[""][2][1][0].interval is None
    assert "Published figures, not tested: paper." in found.notes


def test_ranks_of_results_that_do_not_compare_are_not_tested_and_say_why() -> None:
    one, other = diarized("one", {"a": (1.0, 0.0, 0.0)}), diarized("other", {"a": (2.0, 0.0, 0.0)})
    found = figures.chart("ranks", inputs(one, replace(other, signature=Signature({"track": "diarization", "collar": "0.25"}))))
    assert isinstance(found, Intervals)
    assert not found.tied
    assert found.notes == ("Not tested: no two of these systems can be compared.",)


def test_slices_are_in_the_order_that_results_keep_with_a_mark_a_system() -> None:
    def cut(**scores: float) -> dict[str, dict[str, dict[str, Score]]]:
        return {"overlap": {name: {"der": Score(value, Stats())} for name, value in scores.items()}}

    ours = replace(published("ours", 0.1), slices=cut(low=0.1, high=0.3))
    theirs = replace(published("theirs", 0.2), slices=cut(high=0.4))
    found = figures.chart("slices", inputs(ours, theirs))
    assert isinstance(found, Intervals)
    assert found.series == ("ours", "theirs")
    assert [(label, values(marks)) for label, marks in found.groups["overlap"]] == [("low", [10.0, None]), ("high", [30.0, 40.0])]


def diagnosed() -> Inputs:
    said = [Segment("v1", words="बुखार है दवा ली और सोया")]
    heard = {"ours": [Segment("v1", words="बुखार है दावा और सोया था")], "perfect": said}
    return Inputs((), tuple(read_diagnosed(json.loads(diagnose(said, heard, Choices(Setup("hi"))).to_json()), "why.json")))


def test_the_steps_of_the_waterfall_add_up_to_the_rate() -> None:
    found = figures.chart("waterfall", diagnosed())
    assert isinstance(found, Waterfall)
    assert list(found.panels) == ["ours"]
    whole, steps = found.panels["ours"]
    assert whole == pytest.approx(100 * 3 / 6)  # a wrong, a missing and an added word of six
    assert sum(taken for _, taken in steps) == pytest.approx(whole)
    assert {label for label, _ in steps} >= {"other missing words", "other added words"}


def words(system: str, metric: str = "wer") -> Results:
    stats = Stats(errors=6, length=40, substitutions=3, deletions=2, insertions=1, hits=35)
    return Results("asr", system, Signature({"track": "asr"}), {metric: Score(0.15, stats)}, ())


def test_word_errors_have_their_parts() -> None:
    found = figures.chart("wer-parts", inputs(words("ours")))
    assert isinstance(found, StackedBars)
    assert found.rows == (("ours", (7.5, 5.0, 2.5), Mark(15.0)),)
    assert found.axis == "WER, % (lower is better)"


def test_parts_that_are_not_the_whole_are_not_drawn() -> None:
    stats = Stats(errors=6, length=40, substitutions=3, deletions=2, insertions=1, hits=35)
    match_error_rate = Results("asr", "ours", Signature({"track": "asr"}), {"mer": Score(6 / 41, stats)}, ())
    assert figures.chart("wer-parts", inputs(match_error_rate)) is None
    rounded = figures.chart("der-parts", inputs(published("paper", 0.126, miss=0.05, false_alarm=0.025, confusion=0.05)))
    assert isinstance(rounded, StackedBars)
    assert rounded.rows[0][1] == pytest.approx((5.0, 2.5, 5.0))
    assert figures.chart("der-parts", inputs(published("paper", 0.2, miss=0.05, false_alarm=0.025, confusion=0.05))) is None


def test_who_is_left_out_is_said() -> None:
    tongues, shares = {"a": "hi", "b": "kn"}, {"a": 0.1, "b": 0.2}
    wrong = {"a": (1.0, 0.0, 0.0), "b": (2.0, 0.0, 0.0)}
    cut = [diarized(name, wrong, language=tongues, overlap=shares) for name in ("one", "two")]
    unscored = replace(diarized("silent", wrong), metrics={"der": Score(None, Stats())})
    given = inputs(*cut, unscored)
    told = {name: figures.chart(name, given) for name in ("heatmap", "overlap", "slices", "ranks", "der-parts")}
    last = {name: one.notes[-1] if one else None for name, one in told.items()}
    assert last["heatmap"] == "Not cut by language: silent."
    assert last["overlap"] == "The share of overlap is not known: silent."
    assert last["slices"] == "Not sliced: silent."
    assert last["der-parts"] == "Without a score: silent."
    assert told["ranks"] is not None
    assert "Without a score: silent." in told["ranks"].notes


def test_topics_are_counted() -> None:
    score = Score(0.5, Stats(tp=3, fp=2, fn=4))
    found = figures.chart("topics", inputs(Results("topics", "ours", Signature({}), {"topic_f1": score}, ())))
    assert isinstance(found, StackedBars)
    assert found.parts == ("found", "missed", "made up")
    assert found.rows == (("ours", (3, 4, 2), Mark(9)),)


def test_cost_needs_two_systems_whose_cost_is_known() -> None:
    cost = Cost(audio_seconds=100.0, seconds=50.0, cpu_seconds=1.0, peak_mb=1.0)
    one, other = replace(words("one"), cost=cost), words("other")
    assert figures.chart("cost", inputs(one, other)) is None
    found = figures.chart("cost", inputs(one, replace(other, cost=replace(cost, seconds=200.0))))
    assert isinstance(found, Scatter)
    assert found.series == {"one": [("one", 0.5, 15.0)], "other": [("other", 2.0, 15.0)]}


def test_tracks_have_their_own_figures() -> None:
    both = inputs(words("one"), words("two"), diarized("one", {"a": (1.0, 0.0, 0.0)}), diarized("two", {"a": (2.0, 0.0, 0.0)}))
    assert list(figures.charts(both)) == ["der-parts", "ranks-asr", "ranks-diarization", "wer-parts-asr"]
    assert list(figures.charts(both, metric="wer")) == ["ranks", "wer-parts"]


def test_results_of_one_name_are_told_apart() -> None:
    found = figures.chart("der-parts", inputs(diarized("one", {"a": (1.0, 0.0, 0.0)}), diarized("one", {"a": (2.0, 0.0, 0.0)})))
    assert isinstance(found, StackedBars)
    assert [label for label, _, _ in found.rows] == ["one", "one (2)"]


def test_a_recording_without_a_value_is_no_point() -> None:
    ours = diarized("ours", {"a": (1.0, 0.0, 0.0), "b": (2.0, 0.0, 0.0)}, overlap={"a": 0.1, "b": 0.2})
    silent = RecordingResult("c", {"der": None}, {"der": Stats(scored=0.0)}, overlap=0.0)
    found = figures.chart("overlap", inputs(replace(ours, recordings=(*ours.recordings, silent))))
    assert isinstance(found, Scatter)
    assert [name for name, _, _ in found.series["ours"]] == ["a", "b"]
    assert not found.lines


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (0.0, 1e-6), (-3.2, 7.1), (99.7, 100.4), (0.0, 123456.0)])
def test_ticks_hold_what_they_are_for(low: float, high: float) -> None:
    found = ticks(low, high)
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 9
    assert all(a < b for a, b in pairwise(found))


def test_minus_nothing_is_nothing() -> None:
    assert Chart("", "").shown(-0.01) == "0.0"
    assert Chart("", "", decimals=2).shown(-0.01) == "-0.01"

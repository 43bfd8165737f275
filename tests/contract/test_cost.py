"""What answers cost to make: summed from the recordings' cards, shown beside scores, and no part of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from parakh import tracks
from parakh.cascade.costs import write_run
from parakh.cascade.runner import Execution
from parakh.comparison import compare
from parakh.cost import Cost, cost_beside, load_cost
from parakh.errors import InputError
from parakh.evaluate import evaluate
from parakh.report import html
from parakh.report.inputs import Inputs
from parakh.results import Results
from parakh.types import Segment
from tests.contract.test_executors import preset, run

COST = Cost(3600.0, 900.0, 1700.0, 812.5, price=0.5)
TURNS = [Segment(f"v{k}", "A", 0.0, 2.0 + k) for k in range(6)]


def results(system: str, cost: Cost | None) -> Results:
    late = [replace(turn, start_time=0.5) for turn in TURNS]
    return replace(evaluate(tracks.get("diarization"), TURNS, late, system=system), cost=cost)


def test_a_run_is_the_sum_of_its_recordings(tmp_path: Path) -> None:
    run(tmp_path, ["a", "b"], "out", None)
    run(tmp_path, ["c"], "more", None)
    (tmp_path / "more/runs/c.json").rename(tmp_path / "out/runs/c.json")
    (tmp_path / "out/runs/damaged.json").write_text("{")
    write_run(tmp_path / "out", preset(tmp_path / "marks"), Execution(jobs=3), 12.0, ["c"], {"joules": None, "reason": "none"})
    cost, card = load_cost(tmp_path / "out"), json.loads((tmp_path / "out/run.json").read_text())
    cards = [json.loads((tmp_path / f"out/runs/{name}.json").read_text()) for name in "abc"]
    assert cost.audio_seconds == pytest.approx(sum(one["duration"] for one in cards))
    assert cost.peak_mb == max(one["peak_mb"] for one in cards)
    assert cost.price == 0.75
    assert card["recordings"] == 3
    assert card["stages"]["topics"]["requests"] == 6
    assert card["latest"]["real_time_factor"] == 12.0
    other = replace(preset(tmp_path / "marks"), digest="another")
    write_run(tmp_path / "out", other, Execution(), 1.0, [], {})
    assert load_cost(tmp_path / "out") == cost, "answers of another preset are not counted"


def test_the_cost_is_found_from_the_answers(tmp_path: Path) -> None:
    run(tmp_path, ["a"], "out", None)
    assert cost_beside([str(tmp_path / "out/rttm")], ["a"]) is None
    write_run(tmp_path / "out", preset(tmp_path / "marks"), Execution(), 1.0, ["a"], {})
    cost = load_cost(tmp_path / "out")
    for path in ("out", "out/rttm", "out/rttm/a.rttm", "out/rttm/*.rttm"):
        assert cost_beside([str(tmp_path / path)], ["a"]) == cost
    assert cost_beside([str(tmp_path / "out/rttm"), str(tmp_path)], ["a"]) is None
    assert cost_beside(["-"], ["a"]) is None


def test_the_cost_of_a_run_is_not_that_of_some_of_its_recordings(tmp_path: Path) -> None:
    run(tmp_path, ["a", "b"], "out", None)
    write_run(tmp_path / "out", preset(tmp_path / "marks"), Execution(), 1.0, ["a", "b"], {})
    assert cost_beside([str(tmp_path / "out/rttm/a.rttm")], ["a"]) is None
    assert cost_beside([str(tmp_path / "out/rttm")], ["a", "b", "c"]) is None
    assert cost_beside([str(tmp_path / "out/rttm")], ["b", "a"]) == load_cost(tmp_path / "out")


def test_results_carry_the_cost_and_no_score_depends_on_it() -> None:
    with_cost, without = results("x", COST), results("x", None)
    assert replace(with_cost, cost=None) == without
    assert Results.from_json(with_cost.to_json()) == with_cost
    assert "cost" not in json.loads(without.to_json())


def test_systems_are_compared_with_what_they_cost() -> None:
    found = compare([results("x", COST), results("y", None)])
    assert found.costs == {"x": COST}
    assert json.loads(found.to_json())["costs"]["x"]["price"] == 0.5
    assert COST.rows() == {"RTF": "0.250", "CPU s per s": "0.472", "peak MB": "812", "price per hour": "0.5000"}


def test_the_report_shows_it() -> None:
    assert "RTF 0.250 · CPU s per s 0.472 · peak MB 812 · price per hour 0.5000" in html.render(
        Inputs((results("x", COST),)), title="t"
    )
    assert "What it took" not in html.render(Inputs((results("x", None),)), title="t")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "no JSON"),
        ('{"schema": "parakh.run/1"}', "schema"),
        ('{"schema": "parakh.cost/1", "audio_seconds": -1, "seconds": 1, "cpu_seconds": 1}', "audio_seconds"),
        ('{"schema": "parakh.cost/1", "audio_seconds": 1, "seconds": true, "cpu_seconds": 1, "peak_mb": 1}', "seconds"),
    ],
)
def test_a_card_that_is_none_is_refused(content: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(InputError, match=told):
        load_cost(tmp_path)


def test_no_card_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_cost(tmp_path)


def test_a_damaged_card_beside_the_answers_keeps_nothing_from_being_scored(tmp_path: Path) -> None:
    (tmp_path / "rttm").mkdir()
    (tmp_path / "run.json").write_text("{")
    assert cost_beside([str(tmp_path / "rttm")], ["a"]) is None
    with pytest.raises(InputError, match="no JSON"):
        load_cost(tmp_path)

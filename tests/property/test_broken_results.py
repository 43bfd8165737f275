"""Results edited by hand: whatever one field holds, it is refused when read, or all that shows results can show it."""

import io
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import parakh
from parakh.cli.compare_tables import print_comparison
from parakh.comparison import compare
from parakh.errors import InputError, ParakhError
from parakh.files import write_atomic
from parakh.report import figures, html, svg, tables, trackers
from parakh.report.inputs import load
from parakh.resample import Bootstrap
from parakh.results import Results
from parakh.view.content import boards, recording

GIVEN = {
    "asr": ("transcripts", "seglst"),
    "diarization": ("rttm", "rttm"),
    "topics": ("topics.csv", "topics"),
    "summarization": ("summaries.csv", "summaries"),
}
WRONG = (None, True, -1, 1.5, "x", [], {}, [0.1], ["a", "b"], [0.2, 0.1], 10**400, 9e14, -9e14, 1e308)
TRIES = 60
Path_ = tuple[str | int, ...]


@pytest.fixture(scope="module", params=GIVEN)
def scored(request: pytest.FixtureRequest) -> Results:
    said, heard = GIVEN[request.param]
    folder = parakh.examples_path()
    answers = folder / "challenge" / "systems" / "embedded" / heard
    facts = {"transcript": folder / "transcripts"} if request.param == "summarization" else {}
    found = parakh.score(
        request.param, folder / said, answers, metadata=folder, slice_by=["language"], detail=True, system="ours", **facts
    )
    return replace(found, recordings=found.recordings[:1])


def places(value: Any, place: Path_ = ()) -> Iterator[Path_]:
    """Where a value stands, once for all entries of a list."""
    if place:
        yield place
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, (*place, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*place, 0))


def mutated(text: str, place: Path_, wrong: object) -> str:
    document = json.loads(text)
    held: Any = document
    for key in place[:-1]:
        held = held[key]
    if wrong == "nothing":
        del held[place[-1]]
    else:
        held[place[-1]] = wrong
    return json.dumps(document)


def show(path: Path, other: Results) -> None:
    """All that reads a results file; what may be refused later is refused in one line too."""
    inputs = load([str(path)])
    (found,) = inputs.results
    made = [tables.make(name, inputs) for name in tables.names()]
    assert all(tables.written(one, ending) for one in made if one for ending in tables.ENDINGS)
    assert all(svg.draw(chart) for chart in figures.charts(inputs).values())
    for board in boards([found]):
        assert all(list(recording(board, name, 80)) for name in board.ids())
    assert [found.to_frame(part) is not None for part in ("recordings", "metrics", "slices")]
    assert repr(found)
    assert found._repr_html_()
    assert all(repr(one) and one._repr_html_() for one in found.recordings)
    try:
        assert html.render(inputs, title="x")
        trackers.write(inputs.results, path.with_suffix(".jsonl"), step=None)
        if found.track == other.track:
            told = compare([found, replace(other, system="other")], plan=Bootstrap(20), force=True)
            print_comparison(Console(file=io.StringIO()), told, pairs=True)
    except ParakhError:
        return


def test_what_is_not_refused_can_be_shown(scored: Results, tmp_path: Path) -> None:
    text = scored.to_json()
    tried = [(place, wrong) for place in places(json.loads(text)) for wrong in (*WRONG, "nothing")]
    refused = 0
    for place, wrong in random.Random(1).sample(tried, TRIES):
        write_atomic(tmp_path / "r.json", mutated(text, place, wrong))
        try:
            show(tmp_path / "r.json", scored)
        except InputError:
            refused += 1
        except Exception as error:
            pytest.fail(f"{place} as {wrong!r:.30}: {error!r}")
    assert 0 < refused < TRIES, "some are wrong for certain, and some keep a document whole"

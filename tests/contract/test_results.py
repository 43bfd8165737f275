"""Results: statistics add, JSON keeps everything, a broken document is met at the door."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.errors import InputError
from parakh.results import RecordingResult, Results, Score, Signature, Stats, Unscored, ratio, total
from parakh.types import Finding, Severity

counts = st.dictionaries(st.sampled_from(["errors", "length", "hits"]), st.integers(0, 1000))


@given(st.lists(counts, max_size=8))
def test_total_is_the_fold_of_additions_in_any_order(rows: list[dict[str, int]]) -> None:
    stats = [Stats(row) for row in rows]
    folded = Stats()
    for one in stats:
        folded = folded + one
    assert dict(total(stats)) == dict(folded)
    assert dict(total(stats[::-1])) == dict(folded)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.randoms())
def test_total_of_times_does_not_depend_on_the_order(times: list[float], random: object) -> None:
    shuffled = list(times)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert total([Stats(t=t) for t in times]) == total([Stats(t=t) for t in shuffled])


def test_zero_denominator_is_none() -> None:
    assert ratio(3, 0) is None


def example() -> Results:
    finding = Finding("missing-recording", "missing", Severity.WARNING, "v2", "a.rttm", 3)
    recording = RecordingResult("v1", {"der": None}, {"der": Stats(miss=0.5, scored=0)}, (finding,), {"regions": [[0, 1.5]]})
    score = Score(0.25, Stats(miss=0.5, scored=2.0), {"miss": 0.25, "confusion": None}, 0.3, (0.2, 0.3))
    return Results(
        "diarization",
        "मेरा",
        Signature({"collar": "0.0"}),
        {"der": score},
        (recording,),
        (Unscored("v9", "not in the UEM"),),
        (finding,),
        {"language": {"hi": {"der": score}}},
    )


def test_json_round_trip_and_same_bytes() -> None:
    text = example().to_json()
    again = Results.from_json(text)
    assert again == example()
    assert again.to_json() == text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "other/1"}', '{"schema": "parakh.results/1"}', "nonsense"])
def test_broken_documents_name_the_file(text: str) -> None:
    with pytest.raises(InputError, match=r"^r\.json"):
        Results.from_json(text, "r.json")


def test_a_diagnosis_is_told_from_results() -> None:
    with pytest.raises(InputError, match=r"It is a diagnosis: `parakh report` shows it"):
        Results.from_json('{"schema": "parakh.diagnosis/1"}', "why.json")


@pytest.mark.parametrize("field", ["track", "metrics", "recordings", "signature"])
def test_a_lacking_field_is_a_fault(field: str) -> None:
    document = json.loads(example().to_json())
    del document[field]
    with pytest.raises(InputError, match=field):
        Results.from_json(json.dumps(document), "r.json")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda d: d["metrics"]["der"].update(value="x"), "metrics.der.value"),
        (lambda d: d["recordings"][0].update(metrics=[]), "recordings.v1.metrics"),
        (lambda d: d["recordings"].append(3), "recordings"),
        (lambda d: d["signature"].update(collar=[1]), "signature.collar"),
        (lambda d: d["findings"][0].update(severity="dire"), "findings.severity"),
        (lambda d: d["slices"].update(language=3), "slices.language"),
        (lambda d: d["metrics"]["der"].update(value=1e300), "metrics.der.value"),
        (lambda d: d["metrics"]["der"].update(value=-(10**400)), "metrics.der.value"),
        (lambda d: d["metrics"]["der"].update(interval=[0.1]), "metrics.der.interval"),
        (lambda d: d["metrics"]["der"].update(interval=[0.1, 1e300]), "metrics.der.interval"),
        (lambda d: d["metrics"]["der"].update(interval=["a", "b"]), "metrics.der.interval"),
        (lambda d: d["metrics"]["der"].update(interval=[0.2, 0.1]), "metrics.der.interval"),
        (lambda d: d["recordings"][0].update(detail=[]), "recordings.v1.detail"),
        (lambda d: d["recordings"][0].update(detail={"reference": [["a", 0]]}), "recordings.v1.detail.reference[0]"),
        (lambda d: d["recordings"][0].update(detail={"mapping": {"a": 3}}), "recordings.v1.detail.mapping.a"),
        (lambda d: d["recordings"][0].update(detail={"regions": [[0, 1e17]]}), "recordings[0].detail.regions[0][1]"),
        (lambda d: d.update(cost={"seconds": 10**400}), "cost.seconds"),
        (lambda d: d["recordings"].append(d["recordings"][0]), "recordings.id"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(change: Callable[[dict[str, Any]], None], field: str) -> None:
    document = json.loads(example().to_json())
    change(document)
    with pytest.raises(InputError, match=re.escape(field)):
        Results.from_json(json.dumps(document), "r.json")


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="beyond JSON"):
        Results.from_json(example().to_json().replace('"value": 0.25', '"value": NaN'), "r.json")


def test_a_number_beyond_all_floats_is_refused() -> None:
    with pytest.raises(InputError, match=r"metrics\.der\.value: found inf, expected a number of at most"):
        Results.from_json(example().to_json().replace('"value": 0.25', '"value": 1e999'), "r.json")


def test_the_overlap_of_a_recording_is_kept_and_may_be_missing() -> None:
    whole = example()
    known = replace(whole, recordings=(replace(whole.recordings[0], overlap=0.125),))
    assert Results.from_json(known.to_json()) == known
    assert "overlap" not in json.loads(whole.to_json())["recordings"][0]
    document = json.loads(known.to_json())
    document["recordings"][0]["overlap"] = "much"
    with pytest.raises(InputError, match=r"recordings\.v1\.overlap"):
        Results.from_json(json.dumps(document), "r.json")


def test_slices_of_a_recording_are_kept_and_checked() -> None:
    whole = example()
    sliced = replace(
        whole, recordings=(replace(whole.recordings[0], slices={"language": ("hi", "kn")}, speaker_slices={"role": ("a",)}),)
    )
    assert Results.from_json(sliced.to_json()) == sliced
    document = json.loads(sliced.to_json())
    document["recordings"][0]["slices"]["language"] = ["hi", 3]
    with pytest.raises(InputError, match=r"recordings\.v1\.slices\.language"):
        Results.from_json(json.dumps(document), "r.json")

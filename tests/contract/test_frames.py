"""Data frames of pandas and polars: the same columns, values and missing values, with the types that calculations need."""

import sys

import pytest

import parakh
from parakh import frames
from parakh.errors import MissingPackageError, UnknownNameError
from parakh.results import RecordingResult, Results, Score, Signature, Stats
from parakh.types import AlignedWord, Op

ROWS = (
    RecordingResult("v1", {"tcpwer": 0.5}, {"tcpwer": Stats(errors=2, length=4)}, slices={"language": ("hi",)}),
    RecordingResult("v2", {"tcpwer": None}, {"tcpwer": Stats(errors=1, length=0)}, slices={"language": ("kn",)}),
)
SCORE = Score(0.75, Stats(errors=3, length=4), {"deletions": 0.25}, 0.5, (0.5, 1.0))
RESULTS = Results("asr", "s", Signature({}), {"tcpwer": SCORE}, ROWS, slices={"language": {"hi": {"tcpwer": SCORE}}})
LIBRARIES = [
    pytest.param(name, marks=pytest.mark.skipif(frames.find_spec(name) is None, reason=f"{name} is not installed"))
    for name in frames.LIBRARIES
]


def columns(frame: object) -> list[str]:
    return list(frame.columns)  # type: ignore[attr-defined]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_row_a_recording_with_slices_values_and_statistics(library):
    found = RESULTS.to_frame(library=library)
    assert columns(found) == ["track", "system", "recording", "language", "tcpwer", "tcpwer.errors", "tcpwer.length"]
    kinds = [str(kind).lower() for kind in (found.dtypes if library == "polars" else found.dtypes.tolist())]
    assert set(kinds[:4]) <= {"string", "str", "object"}, "text, as the library and its version have it"
    assert kinds[4:] == ["float64", "int64", "int64"]
    assert found["tcpwer.errors"].sum() == 3
    assert list(found["recording"]) == ["v1", "v2"]
    missing = found["tcpwer"].is_null() if library == "polars" else found["tcpwer"].isna()
    assert list(missing) == [False, True]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("rows", [ROWS, ROWS[::-1]])
def test_what_a_column_holds_does_not_hang_on_its_first_row(library, rows):
    count, none = RecordingResult("v3", {"wer": 1}, {}), RecordingResult("v4", {"wer": None}, {})
    frame = Results("asr", "s", Signature({}), {}, (none, count, *rows)).to_frame(library=library)
    assert columns(frame)[3] == "wer"
    assert str(frame["wer"].dtype).lower() == ("int64" if library == "polars" else "float64")
    assert frame["wer"].sum() == 1


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_whole_and_its_slices_have_intervals_and_parts(library):
    whole, slices = RESULTS.to_frame("metrics", library=library), RESULTS.to_frame("slices", library=library)
    measured = ["metric", "score", "low", "high", "macro", "by_duration", "part.deletions"]
    assert columns(whole) == ["track", "system", *measured]
    assert columns(slices) == ["track", "system", "field", "value", *measured]
    assert (whole["low"][0], whole["part.deletions"][0], slices["value"][0]) == (0.5, 0.25, "hi")


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_empty_frame_has_its_columns(library):
    nothing = Results("asr", "s", Signature({}), {}, ())
    assert columns(nothing.to_frame(library=library)) == ["track", "system", "recording"]
    assert len(nothing.to_frame("slices", library=library)) == 0


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_alignment_has_a_row_a_step(library):
    steps = [
        AlignedWord(Op.MATCH, "जी", "जी", 0, 0, "a", "p", (0.0, 0.5), (0.1, 0.6)),
        AlignedWord(Op.INSERTION, None, "हाँ", None, 1),
    ]
    found = parakh.Alignment(steps).to_frame(library=library)
    assert list(found["op"]) == ["match", "insertion"]
    assert found["hypothesis_end"][0] == 0.6
    assert list(found["hypothesis"]) == ["जी", "हाँ"]
    assert list(found["hypothesis_segment"]) == [0, 1]


@pytest.mark.parametrize("library", LIBRARIES)
def test_differences_have_a_row_a_pair(library):
    from parakh.types import Segment

    said = [Segment(f"v{k}", words="दवा ली") for k in range(6)]
    worse = [Segment(f"v{k}", words="दवा") for k in range(6)]
    found = parakh.compare([parakh.score("asr", said, heard, system=name) for name, heard in (("a", said), ("b", worse))])
    frame = found.to_frame(library=library)
    assert (frame["first"][0], frame["second"][0], frame["difference"][0]) == ("a", "b", -0.5)
    assert list(found.to_frame("systems", library=library)["system"])[:2] == ["a", "b"]


def test_pandas_is_first_and_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'parakh\[polars\]'"):
        RESULTS.to_frame(library="polars")
    with pytest.raises(UnknownNameError, match="pandas"):
        RESULTS.to_frame(library="panda")
    with pytest.raises(UnknownNameError, match="slices"):
        RESULTS.to_frame("slice")
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'parakh\[pandas\]'"):
        RESULTS.to_frame()

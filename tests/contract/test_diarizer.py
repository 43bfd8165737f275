"""The diarizers: turns of known speakers, on recordings from empty to long; turns read from a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from parakh import formats, registry
from parakh.audio.decode import SAMPLE_RATE, Audio, load_audio
from parakh.cascade.diarizers import external, segmentation_clustering
from parakh.cascade.diarizers.segmentation_clustering import Backend
from parakh.errors import InputError, UnavailableError, UnknownNameError
from parakh.metrics import get
from parakh.models import store
from parakh.types import Segment

SAMPLE = Path("../shared/data/pyannote-audio/src/pyannote/audio/sample/sample.wav")

weights = pytest.mark.skipif(
    any(store.path(name) is None for name in segmentation_clustering.MODELS),
    reason=f"needs `parakh models get {' '.join(segmentation_clustering.MODELS)}`",
)
recording = pytest.mark.skipif(not SAMPLE.is_file(), reason=f"needs {SAMPLE}")


@pytest.fixture(scope="module")
def sample() -> Audio:
    """30 s of a telephone call, two speakers."""
    return load_audio(SAMPLE)


@pytest.fixture(scope="module")
def found(sample: Audio) -> list[Segment]:
    return Backend().diarize(sample)


def error_rate(reference: Path, hypothesis: list[Segment]) -> float:
    der = get("der")
    rate = der.score(der.stats(formats.get("rttm").read(reference).items, hypothesis))
    assert rate is not None
    return rate


@weights
@recording
def test_speakers_are_found_and_numbered_by_appearance(found: list[Segment]) -> None:
    """The published RTTM has two speakers; 4.1 % is what the same two networks with plain clustering reach."""
    assert list(dict.fromkeys(turn.speaker for turn in found)) == ["spk0", "spk1"]
    assert error_rate(SAMPLE.with_suffix(".rttm"), found) <= 0.041


@weights
@recording
def test_turns_are_sorted_within_the_recording_and_of_its_session(found: list[Segment], sample: Audio) -> None:
    times = [(turn.start_time, turn.end_time) for turn in found]
    assert times == sorted(times)
    assert all(start is not None and end is not None and 0 <= start < end <= sample.duration for start, end in times)
    assert {(turn.session_id, turn.words) for turn in found} == {("sample", "")}


@weights
@recording
def test_same_samples_same_turns(found: list[Segment], sample: Audio) -> None:
    assert Backend().diarize(sample) == found


@weights
@recording
def test_number_of_speakers_is_obeyed(sample: Audio) -> None:
    short = replace(sample, samples=sample.samples[6 * SAMPLE_RATE : 18 * SAMPLE_RATE])
    assert {turn.speaker for turn in Backend(num_speakers=1).diarize(short)} == {"spk0"}
    assert {turn.speaker for turn in Backend(min_speakers=2, threshold=2.0).diarize(short)} == {"spk0", "spk1"}
    assert {turn.speaker for turn in Backend(max_speakers=1, threshold=0.01).diarize(short)} == {"spk0"}


@weights
@recording
@pytest.mark.skipif(store.path("ge2e") is None, reason="needs `parakh models get ge2e`")
def test_smaller_embedding_works_too(sample: Audio) -> None:
    turns = Backend(embedding="ge2e").diarize(sample)
    assert error_rate(SAMPLE.with_suffix(".rttm"), turns) <= 0.10


@weights
@recording
def test_less_than_a_window_is_enough(sample: Audio) -> None:
    brief = replace(sample, samples=sample.samples[7 * SAMPLE_RATE : 11 * SAMPLE_RATE])
    turns = Backend().diarize(brief)
    assert turns
    assert all(turn.end_time is not None and turn.end_time <= 4.0 for turn in turns)


@weights
@pytest.mark.parametrize("length", [0, 100, 30 * SAMPLE_RATE])
def test_silence_has_no_turns(length: int) -> None:
    silence = Audio("empty", np.zeros(length, np.float32))
    assert Backend().diarize(silence) == []
    assert Backend(num_speakers=2).diarize(silence) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_speakers": 0}, "num_speakers: found 0, expected a whole number from 1 to 100"),
        ({"min_speakers": 3, "max_speakers": 2}, "min_speakers <= max_speakers"),
        ({"step": 0.0}, r"step: found 0\.0, expected seconds in \(0, 10\]"),
        ({"threshold": -1.0}, r"threshold: found -1\.0"),
        ({"threads": 0}, "threads: found 0"),
    ],
)
def test_wrong_options_are_named(options: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Backend(**options)  # type: ignore[arg-type]


def test_unknown_embedding_lists_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="campplus-zh-en"):
        Backend(embedding="campplus")


def test_plug_ins_are_backends() -> None:
    for name in registry.names("diarizer"):
        module = registry.load("diarizer", name)
        assert all(store.declaration(model) for model in module.MODELS)
        assert callable(module.Backend.diarize)


LINES = "SPEAKER visit01 1 2.0 1.5 <NA> <NA> b <NA> <NA>\nSPEAKER visit01 1 0.5 1.0 <NA> <NA> a <NA> <NA>\nSPEAKER other 1 0.0 9.0 <NA> <NA> c <NA> <NA>\n"
EXPECTED = [("a", 0.5, 1.5), ("b", 2.0, 3.5)]
SILENT = Audio("visit01", np.zeros(10, np.float32))


@pytest.mark.parametrize("name", ["all.rttm", "folder/visit01.rttm", "folder/visit01_SPEAKER.rttm"])
def test_external_turns_are_read_from_file_or_folder(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(LINES, encoding="utf-8")
    sources = [path] if name == "all.rttm" else [path.parent, path.parent / "*.rttm"]
    for source in sources:
        turns = external.Backend(str(source)).diarize(SILENT)
        assert [(turn.speaker, turn.start_time, turn.end_time) for turn in turns] == EXPECTED


def test_external_turns_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "all.rttm").write_text(LINES, encoding="utf-8")
    for path in (tmp_path, tmp_path / "all.rttm"):
        with pytest.raises(UnavailableError, match=r"has no turns of visit02\. Give the recording the name"):
            external.Backend(str(path)).diarize(replace(SILENT, session_id="visit02"))


def test_external_turns_that_cannot_be_read_are_refused_before_any_recording(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.rttm").write_text("SPEAKER visit01 1 x 1.5 <NA> <NA> b <NA> <NA>\n")
    for name in ("none.rttm", "empty", "bad.rttm", ""):
        with pytest.raises(InputError, match=r"found .*, expected"):
            external.Backend(str(tmp_path / name) if name else "")
    (tmp_path / "bad.rttm").write_text(LINES)
    (tmp_path / "more.rttm").write_text(LINES)
    with pytest.raises(InputError, match=r"session: found 'visit01' again, expected each recording in one file"):
        external.Backend(str(tmp_path))

"""Whisper's translation to English with true weights, through both ways a language goes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("faster_whisper")

from parakh import formats
from parakh.audio.decode import load_audio
from parakh.cascade.translators.whisper import Backend
from parakh.errors import InputError, ModelError
from parakh.models import store
from parakh.types import Segment

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

ROOT = Path(__file__).parents[2]
NAME = "hi_elder_03"

needs_model = pytest.mark.skipif(
    store.path("whisper-base") is None, reason="whisper-base is not in the model store; run: parakh models get whisper-base"
)


@needs_model
def test_each_turn_is_heard_by_itself_in_english() -> None:
    audio = load_audio(ROOT / f"examples/audio/{NAME}.flac", NAME, "hi")
    turns = [turn for turn in formats.load([str(ROOT / "examples/rttm")], Segment).items if turn.session_id == NAME][:2]
    backend = Backend(weights=str(store.path("whisper-base")), device="cpu", beam=1, batch=2, guards=False)
    backend.ready()
    found = backend.translate(audio, turns)
    assert [(t.speaker, t.start_time, t.end_time) for t in found] == [(t.speaker, t.start_time, t.end_time) for t in turns]
    assert all(turn.words.isascii() and turn.words and turn.language == "en" and not turn.word_times for turn in found)


def test_faults_are_told_as_options() -> None:
    with pytest.raises(InputError, match="beam: found 0"):
        Backend(beam=0)
    with pytest.raises(ModelError, match="hf download nobody/nothing"):
        Backend(weights="nobody/nothing").ready()

"""Transcription services against a real server on a real socket that hears tones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from parakh import registry
from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade import metering, noticing, retrying
from parakh.cascade.preset import load_preset
from parakh.errors import InputError, UnavailableError
from parakh.types import Segment
from tests.services import Server, serving

KINDS = ("openai-audio", "sarvam", "gemini")
KEY = "sk-Secret123"
PITCHES = (500, 1000, 2000)
SAID = ["बुखार", "खांसी", "दवा"]
TURNS = [Segment("v", "ab"[i % 2], 1.0 + 2 * i, 2.0 + 2 * i) for i in range(3)]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("A_KEY", KEY)
    monkeypatch.setattr(retrying, "_FIRST", 0.01)
    with serving() as state:
        yield state


def recording(pitches: Sequence[int] = PITCHES, turns: Sequence[Segment] = TURNS) -> Audio:
    samples = np.zeros(8 * SAMPLE_RATE, np.float32)
    for pitch, turn in zip(pitches, turns, strict=True):
        first, last = (round(t * SAMPLE_RATE) for t in (turn.start_time or 0, turn.end_time or 0))
        samples[first:last] = 0.3 * np.sin(2 * np.pi * pitch * np.arange(last - first) / SAMPLE_RATE)
    return Audio("v", samples, language="hi")


def backend(name: str, server: Server, **options: Any) -> Any:
    # Tones are no speech, and what is written where nobody speaks is dropped.
    given = {"base_url": server.url, "model": "m", "api_key_env": "A_KEY", "guards": False, "retries": 2, **options}
    if name == "openai-audio":
        given["base_url"] += "/v1"
    return registry.load("transcriber", name).Backend(**given)


def words(turns: Sequence[Segment]) -> list[str]:
    return [turn.words.replace(",", "") for turn in turns]


@pytest.mark.parametrize("name", KINDS)
def test_each_turn_gets_what_was_said_in_it(name: str, server: Server) -> None:
    with noticing.collected() as findings:
        turns = backend(name, server).transcribe(recording(), TURNS)
    assert words(turns) == SAID
    assert [(t.start_time, t.speaker, t.language) for t in turns] == [(t.start_time, t.speaker, "hi") for t in TURNS]
    assert not findings


@pytest.mark.parametrize(("name", "header"), [("openai-audio", "authorization"), ("sarvam", "api-subscription-key")])
def test_keys_are_shown_to_the_service_and_nobody_else(name: str, header: str, server: Server) -> None:
    one = backend(name, server)
    one.transcribe(recording(), TURNS)
    assert server.requests[0]["headers"][header].endswith(KEY)
    server.faults = [(401, {})]
    with pytest.raises(UnavailableError) as error:
        one.transcribe(recording(), TURNS)
    assert KEY not in repr(one) + str(error.value)
    assert "api_key_env" in str(error.value)


@pytest.mark.parametrize("name", KINDS)
def test_a_missing_key_is_told_before_anything_is_sent(name: str, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY")
    with pytest.raises(UnavailableError, match="Set the environment variable A_KEY"):
        backend(name, server).ready()
    assert not server.requests


def test_gemini_sends_its_key_in_a_header_and_never_in_the_address(server: Server) -> None:
    backend("gemini", server, hints="ORS").transcribe(recording(), TURNS)
    request = server.requests[0]
    assert request["headers"]["x-goog-api-key"] == KEY
    assert request["path"] == "/models/m:generateContent"
    assert "ORS" in request["contents"][0]["parts"][0]["text"]
    assert "word by word" in request["systemInstruction"]["parts"][0]["text"]


@pytest.mark.parametrize("kind", ["word", "segment"])
def test_times_of_words_are_those_of_the_recording(kind: str, server: Server) -> None:
    turns = backend("openai-audio", server, timestamps=kind).transcribe(recording(), TURNS)
    for turn in turns:
        ((start, end),) = turn.word_times
        assert start == pytest.approx(turn.start_time, abs=0.11)
        assert end == pytest.approx(turn.end_time, abs=0.11)
    assert len(server.requests) == 1
    assert turns[0].words == "बुखार,"


def test_servers_without_times_hear_each_turn_by_itself(server: Server) -> None:
    server.times = False
    with pytest.raises(UnavailableError, match='timestamps to "segment" or "none"'):
        backend("openai-audio", server).transcribe(recording(), TURNS)
    server.requests.clear()
    turns = backend("openai-audio", server, timestamps="none").transcribe(recording(), TURNS)
    assert words(turns) == SAID
    assert not any(turn.word_times for turn in turns)
    assert len(server.requests) == 3
    assert {request["response_format"] for request in server.requests} == {"json"}


def test_what_is_set_is_sent(server: Server) -> None:
    backend("openai-audio", server, prompt="दवा", hotwords="ORS", temperature=0.2).transcribe(recording(), TURNS)
    sent = server.requests[0]
    assert [sent[k] for k in ("model", "language", "prompt", "hotwords", "temperature")] == ["m", "hi", "दवा", "ORS", "0.2"]
    backend("sarvam", server, mode="verbatim", language="or").transcribe(recording(), TURNS)
    assert (server.requests[-1]["mode"], server.requests[-1]["language_code"]) == ("verbatim", "od-IN")


def test_sarvam_with_timestamps(server: Server) -> None:
    turns = backend("sarvam", server, timestamps=True).transcribe(recording(), TURNS)
    assert words(turns) == SAID
    assert len(server.requests) == 1
    assert turns[1].word_times[0][0] == pytest.approx(3.0, abs=0.11)


@pytest.mark.parametrize("name", KINDS)
def test_a_language_that_nobody_knows_is_the_one_the_service_tells(name: str, server: Server) -> None:
    audio = Audio("v", recording().samples)
    turns = backend(name, server).transcribe(audio, TURNS)
    assert {turn.language for turn in turns} == {None if name == "gemini" else "hi"}


FAULTS: list[Any] = [
    (429, {"Retry-After": "0.05"}),
    (500, {}),
    (503, {}),
    "drop",
    "half",
    "late",
    b"<html>",
    b"[1]",
    {},
    {"x": 1},
]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_what_fails_in_passing_is_asked_again(name: str, fault: Any, server: Server) -> None:
    if name == "gemini" and fault == {"x": 1}:
        fault = {"candidates": [{"content": {"parts": [{"text": '[{"turn": 9, "text": "x"}]'}]}, "finishReason": "STOP"}]}
    server.faults = [fault]
    with metering.measured() as usage:
        turns = backend(name, server, timeout=0.3 if fault == "late" else 20.0).transcribe(recording(), TURNS)
    assert words(turns) == SAID
    assert usage.requests == len(server.requests) == (4 if name == "sarvam" else 2)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    "fault", [(500, {}), b"{", (429, {"Retry-After": "100"}), (400, {}), (307, {"Location": "http://127.0.0.1:1/"})]
)
def test_what_goes_on_failing_is_no_transcript(name: str, fault: Any, server: Server) -> None:
    server.faults = [fault] * 30
    with pytest.raises(UnavailableError) as error:
        backend(name, server).transcribe(recording(), TURNS)
    assert str(error.value).startswith(f"transcriber {name}: {server.url}")
    assert "9876543210" not in str(error.value)


@pytest.mark.parametrize("name", KINDS)
def test_an_empty_answer_is_asked_for_again_and_then_told(name: str, server: Server) -> None:
    server.mute = True
    with noticing.collected() as findings:
        turns = backend(name, server).transcribe(recording(), TURNS)
    assert words(turns) == ["", "", ""]
    assert {finding.code for finding in findings} == {"no-answer"}
    assert len(server.requests) == {"openai-audio": 2, "sarvam": 6, "gemini": 2}[name]


def test_a_refusal_by_gemini_is_told_for_each_turn(server: Server) -> None:
    server.reason = "SAFETY"
    with noticing.collected() as findings:
        turns = backend("gemini", server).transcribe(recording(), TURNS)
    assert words(turns) == ["", "", ""]
    assert findings[0].message == "at 0:01.0: the service declined this part (SAFETY)"
    assert len(findings) == 3
    server.reason = "MAX_TOKENS"
    with pytest.raises(UnavailableError, match="Raise max_tokens"):
        backend("gemini", server).transcribe(recording(), TURNS)


def test_overlapping_turns_are_one_question_to_gemini(server: Server) -> None:
    turns = [Segment("v", "a", 1.0, 4.0), Segment("v", "b", 3.0, 4.0), Segment("v", "a", 5.0, 6.0)]
    backend("gemini", server, longest=2.0).transcribe(recording((500, 1000, 2000), turns), turns)
    assert sum(server.seconds) < 5.0
    assert max(server.seconds) <= 2.0


def test_prices(server: Server) -> None:
    prices = {"price_per_hour": 36.0}
    with metering.measured() as usage:
        backend("sarvam", server, **prices).transcribe(recording(), TURNS)
    assert usage.price == pytest.approx(0.01 * sum(server.seconds), rel=1e-3)
    with metering.measured() as usage:
        backend("gemini", server, price_in=2.0, price_out=10.0).transcribe(recording(), TURNS)
    assert (usage.tokens_in, usage.tokens_out, usage.price) == (1000, 100, pytest.approx(0.003))
    with metering.measured() as usage:
        backend("openai-audio", server, price_in=2.0, price_out=10.0).transcribe(recording(), TURNS)
    assert (usage.tokens_in, usage.tokens_out, usage.price) == (100, 10, pytest.approx(0.0003))


def test_windows_are_asked_for_at_once_and_stay_in_order(server: Server) -> None:
    server.faults = ["late"] * 3
    turns = backend("openai-audio", server, timestamps="none", jobs=3).transcribe(recording(), TURNS)
    assert words(turns) == SAID
    assert server.most_at_once == 3


def test_text_where_nobody_speaks_is_dropped(server: Server) -> None:
    """The guards need the detector of speech; a tone is none."""
    pytest.importorskip("onnxruntime")
    from parakh.models import store

    if store.path("silero-vad") is None:
        pytest.skip("silero-vad is not in the model store; run: parakh models get silero-vad")
    for name in KINDS:
        with noticing.collected() as findings:
            turns = backend(name, server, guards=True).transcribe(recording(), TURNS)
        assert words(turns) == ["", "", ""]
        assert {finding.code for finding in findings} == {"no-speech"}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("openai-audio", {"base_url": "localhost:8000", "model": "m"}),
        ("openai-audio", {"base_url": "http://h", "model": " "}),
        ("openai-audio", {"base_url": "http://h", "model": "m", "timestamps": "frame"}),
        ("openai-audio", {"base_url": "http://h", "model": "m", "price_in": -1.0}),
        ("sarvam", {"longest": 40.0}),
        ("sarvam", {"mode": "translate"}),
        ("sarvam", {"jobs": 0}),
        ("gemini", {"thinking_budget": -2}),
        ("gemini", {"temperature": 3.0}),
        ("gemini", {"language": "klingon"}),
    ],
)
def test_options_out_of_range(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        registry.load("transcriber", name).Backend(**options)


def test_a_password_in_the_address_is_in_no_message() -> None:
    module = registry.load("transcriber", "openai-audio")
    assert module.Backend("http://me:secret@host/v1", "m").endpoint == "http://host/v1"
    with pytest.raises(InputError) as error:
        module.Backend("ftp://me:secret@host/v1", "m")
    assert "secret" not in str(error.value)


def test_the_preset_tells_the_endpoint(tmp_path: Any) -> None:
    path = tmp_path / "p.toml"
    path.write_text('[diarizer]\nname = "segmentation-clustering"\n[transcriber]\nname = "sarvam"\n', encoding="utf-8")
    assert [stage.endpoint for stage in load_preset(str(path)).stages] == [None, "https://api.sarvam.ai"]

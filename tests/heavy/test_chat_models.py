"""Chat models in this process: tiny ones with random weights through the code that runs the real ones."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from parakh import registry
from parakh.cascade import metering, noticing
from parakh.cascade.llms.transformers import Backend
from parakh.errors import ModelError, UnavailableError
from parakh.types import Segment
from tests.heavy import tiny_chat

TURNS = [
    Segment("visit", "a", words="क्या तकलीफ है?", role="health_worker", language="hi"),
    Segment("visit", "b", words="घुटनों में दर्द है।", role="health_seeker", language="hi"),
]
QUESTION = [{"role": "system", "content": "Answer."}, {"role": "user", "content": "Fever?"}]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_chat.llama(tmp_path_factory.mktemp("llama"))


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Threads only stand in each other's way in models as small as these."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No network at all."""

    def refuse(*_: object) -> None:
        raise AssertionError("a chat model in this process opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_topics_and_a_summary_of_a_llama(tmp_path: Path) -> None:
    prompt = tmp_path / "short.txt"
    prompt.write_text("Name it.\n---\n{conversation}\n")
    for kind, answer in (("topics", "Knee pain, Fever"), ("summary", "<SUMMARY>The health seeker reports fever.</SUMMARY>")):
        folder = tiny_chat.llama(tmp_path / kind)
        stage = registry.load(kind, "llm").Backend(llm=Backend(str(folder), device="cpu", max_tokens=64), prompt=str(prompt))
        tiny_chat.learn(folder, stage.messages(TURNS, [], str), answer)
        stage.ready()
        with metering.measured() as usage:
            if kind == "topics":
                assert stage.find(TURNS, []).topics == ("Knee pain", "Fever")
            else:
                assert stage.summarize(TURNS, []).text == "The health seeker reports fever."
        assert usage.requests == 1
        assert usage.tokens_in is not None
        assert usage.tokens_in > 40
        assert usage.tokens_out is not None
        assert 3 < usage.tokens_out < 64
        assert stage.endpoint is None


def test_garbage_is_told_and_never_an_answer(llama: Path) -> None:
    chat = Backend(str(llama), device="cpu", max_tokens=24)
    stages = {kind: registry.load(kind, "llm").Backend(llm=chat) for kind in ("topics", "summary", "translator", "correction")}
    with pytest.raises(UnavailableError, match=r"cut off at max_tokens|cannot be used|empty"):
        stages["topics"].find(TURNS, [])
    with pytest.raises(UnavailableError, match=r"cut off at max_tokens|cannot be used|empty"):
        stages["summary"].summarize(TURNS, [])
    with pytest.raises(UnavailableError, match=r"cut off at max_tokens|came back|empty"):
        stages["translator"].translate(None, TURNS)
    with pytest.raises(UnavailableError, match=r"cut off at max_tokens|came back|empty"):
        stages["correction"].correct(TURNS)


def test_a_gemma_that_sees_pictures_is_asked_with_text(tmp_path: Path) -> None:
    from parakh.cascade.llms.transformers import _loaded

    folder = tiny_chat.gemma3(tmp_path)
    chat = Backend(str(folder), device="cpu", max_tokens=8)
    with metering.measured() as usage, pytest.raises(UnavailableError):
        chat.complete(QUESTION)
    assert usage.tokens_out == 8
    model = _loaded(str(folder), "cpu", "auto")
    assert type(model.model).__name__ == "Gemma3ForConditionalGeneration"
    # Its template knows no system message: that goes before the user's.
    assert "<|user|>Answer.\n\nFever?<|end|>" in model.tokenizer.decode(model.tokens(QUESTION))


def test_the_same_question_has_the_same_answer(llama: Path) -> None:
    from parakh.cascade.llms.transformers import _loaded

    chat = _loaded(str(llama), "cpu", "float32")
    ids = chat.tokens(QUESTION)
    assert chat.tokenizer.decode(ids).count("<s>") == 1
    greedy = [chat.generate(ids, 12, 0.0, seed) for seed in (0, 1)]
    assert greedy[0] == greedy[1]
    sampled = [chat.generate(ids, 12, 1.5, seed) for seed in (0, 0, 1)]
    assert sampled[0] == sampled[1] != sampled[2]


def test_a_conversation_that_does_not_fit_is_told(tmp_path: Path) -> None:
    folder = tiny_chat.llama(tmp_path, context=64)
    with pytest.raises(UnavailableError, match=r"takes \d+ tokens and the reply up to max_tokens = 32; .* reads 64 in all"):
        Backend(str(folder), device="cpu", max_tokens=32).complete([{"role": "user", "content": "x" * 60}])


def test_a_base_model_is_told(tmp_path: Path) -> None:
    folder = tiny_chat.llama(tmp_path, template=None)
    with pytest.raises(ModelError, match="no chat template"):
        Backend(str(folder), device="cpu").complete(QUESTION)


def test_weights_that_are_nowhere_or_damaged_are_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"hf download google/medgemma-1.5-4b-it"):
        Backend("google/medgemma-1.5-4b-it", device="cpu").ready()
    folder = tiny_chat.llama(tmp_path)
    (folder / "model.safetensors").write_bytes(b"\x10" + os.urandom(40))
    with pytest.raises(ModelError, match="weights that cannot be loaded"):
        Backend(str(folder), device="cpu").complete(QUESTION)


def test_what_is_noticed_in_translation_is_noted(tmp_path: Path) -> None:
    folder = tiny_chat.llama(tmp_path)
    chat = Backend(str(folder), device="cpu", max_tokens=64)
    prompt = tmp_path / "short.txt"
    prompt.write_text("English of\n{turns}\n")
    stage = registry.load("translator", "llm").Backend(llm=chat, asks=1, prompt=str(prompt))
    values = {"turns": "1. [Health worker] क्या तकलीफ है?\n2. [Health seeker] घुटनों में दर्द है।"}
    tiny_chat.learn(folder, stage.template.messages(values), "2. My knees hurt.")
    with noticing.collected() as findings:
        turns = stage.translate(None, TURNS)
    assert [(turn.words, turn.language) for turn in turns] == [("", "en"), ("My knees hurt.", "en")]
    assert [str(one) for one in findings] == ["warning missing-turns: 1 turn of 2 came back without English and have none: 1"]

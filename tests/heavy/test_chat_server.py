"""The stages that ask a chat model, against llama.cpp's own server with tiny models: what it says is read, its garbage told."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("xllamacpp", reason="llama.cpp's server is not installed")
pytest.importorskip("gguf", reason="gguf is not installed")
pytest.importorskip("openai", reason="the llm extra is not installed")

from parakh import registry
from parakh.cascade import metering
from parakh.errors import UnavailableError
from parakh.types import Segment
from tests.heavy import tiny_gguf

SERVER = Path(__file__).parent / "llama_server.py"
TURNS = [
    Segment("visit", "a", words="क्या तकलीफ है?", role="health_worker", language="hi"),
    Segment("visit", "b", words="घुटनों में दर्द है।", role="health_seeker", language="hi"),
]

Serve = Callable[..., Any]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """A chat model behind a server of its own that gives one answer, or garbage for None."""
    running: list[subprocess.Popen[str]] = []

    def start(answer: str | None, context: int = 8192, max_tokens: int = 64) -> Any:
        model = tiny_gguf.write(tmp_path / f"{len(running)}.gguf", answer)
        command = [sys.executable, str(SERVER), str(model), str(context)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        out = running[-1].stdout
        assert out is not None
        url = next(line for line in out if line.startswith("http")).strip()
        chat = registry.load("llm", "openai-compatible")
        return chat.Backend(base_url=f"{url}/v1", model="tiny", max_tokens=max_tokens, timeout=100, retries=0)

    yield start
    for process in running:
        process.terminate()
        process.wait(20)
        if process.stdout:
            process.stdout.close()


def stage(kind: str, chat: Any) -> Any:
    return registry.load(kind, "llm").Backend(llm=chat)


def test_what_a_server_says_is_read(serve: Serve) -> None:
    with metering.measured() as usage:
        assert stage("topics", serve("Knee pain, Fever")).find(TURNS, []).topics == ("Knee pain", "Fever")
    assert usage.requests == 1
    assert (usage.tokens_in or 0) > 500
    assert 3 <= (usage.tokens_out or 0) <= 6
    said = "The health seeker reports knee pain."
    assert stage("summary", serve(f"<SUMMARY> {said} </SUMMARY>")).summarize(TURNS, []).text == said
    chat = serve("1. What is the trouble?\n2. My knees hurt.\n")
    assert [turn.words for turn in stage("translator", chat).translate(None, TURNS)] == ["What is the trouble?", "My knees hurt."]
    chat = serve("1. क्या तक़लीफ है?\n2. घुटनों में दर्द है।\n")
    assert [turn.words for turn in stage("correction", chat).correct(TURNS)] == ["क्या तक़लीफ है?", TURNS[1].words]


def test_garbage_of_a_server_is_told(serve: Serve) -> None:
    chat = serve(None, max_tokens=24)
    told = r"cut off at max_tokens|cannot be used|came back|empty"
    for kind, ask in (
        ("topics", lambda one: one.find(TURNS, [])),
        ("summary", lambda one: one.summarize(TURNS, [])),
        ("translator", lambda one: one.translate(None, TURNS)),
        ("correction", lambda one: one.correct(TURNS)),
    ):
        with pytest.raises(UnavailableError, match=told):
            ask(stage(kind, chat))


def test_a_conversation_that_the_server_cannot_read_at_once_is_told(serve: Serve) -> None:
    with pytest.raises(UnavailableError, match="cannot read as much at once"):
        stage("topics", serve("Fever", context=512)).find(TURNS, [])

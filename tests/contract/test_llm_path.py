"""The chat-model path against a real server on a real socket, speaking the chat completions protocol."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from parakh import registry
from parakh.cascade.prompts import read_prompt
from parakh.errors import InputError, UnavailableError
from parakh.types import Segment

pytest.importorskip("openai", reason="the llm extra is not installed")

TURNS = [
    Segment("visit", "a", words="क्या तकलीफ है?", role="health_worker"),
    Segment("visit", "b", words="घुटनों में दर्द है।", role="health_seeker"),
]


@dataclass
class Server:
    """What the server answers with, and what it was asked."""

    url: str = ""
    reply: str = ""
    status: int = 200
    finish: str = "stop"
    delay: float = 0.0
    body: bytes | None = None
    type: str = "application/json"
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.requests.append({"path": self.path, **json.loads(body)})
            state.headers.append({name.lower(): value for name, value in self.headers.items()})
            time.sleep(state.delay)
            message = {"index": 0, "finish_reason": state.finish, "message": {"role": "assistant", "content": state.reply}}
            answer: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [message]}
            if state.status != 200:
                answer = {"error": {"message": "as asked", "type": "test"}}
            data = json.dumps(answer).encode() if state.body is None else state.body
            try:
                self.send_response(state.status)
                self.send_header("Content-Type", state.type)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except ConnectionError:
                pass  # the client gave up first, as the timeout test wants

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_port}/v1"
    yield state
    http.shutdown()
    http.server_close()
    thread.join()


def chat(url: str, **options: Any) -> Any:
    return registry.load("llm", "openai-compatible").Backend(base_url=url, model="small", **{"retries": 0, **options})


def stage(kind: str, url: str, **options: Any) -> Any:
    return registry.load(kind, "llm").Backend(llm=chat(url), **options)


def test_the_request_carries_every_option(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLINIC_KEY", "s3cret")
    server.reply = "hello"
    llm = chat(server.url, api_key_env="CLINIC_KEY", temperature=0.25, max_tokens=7, seed=3)
    assert llm.complete([{"role": "user", "content": "नमस्ते"}]) == "hello"
    (request,) = server.requests
    assert request == {
        "path": "/v1/chat/completions",
        "model": "small",
        "messages": [{"role": "user", "content": "नमस्ते"}],
        "temperature": 0.25,
        "max_tokens": 7,
        "seed": 3,
    }
    assert server.headers[0]["authorization"] == "Bearer s3cret"


@pytest.mark.parametrize("kind", ["llm", "correction", "translator", "topics", "summary"])
def test_every_backend_names_its_endpoint(kind: str) -> None:
    asking = chat("http://localhost:1/v1") if kind == "llm" else stage(kind, "http://localhost:1/v1")
    assert asking.endpoint == "http://localhost:1/v1"


def test_topics_are_read_from_the_reply(server: Server) -> None:
    server.reply = " Knee pain, Fever, knee pain.\n"
    topics = stage("topics", server.url).find(TURNS, [])
    assert (topics.session_id, topics.topics) == ("visit", ("Knee pain", "Fever"))
    rules, message = server.requests[0]["messages"]
    assert rules["role"] == "system"
    assert message == {
        "role": "user",
        "content": "Conversation:\nHealth worker: क्या तकलीफ है?\nHealth seeker: घुटनों में दर्द है।",
    }


def test_none_is_no_topic(server: Server) -> None:
    server.reply = "None"
    assert stage("topics", server.url).find(TURNS, []).topics == ()


def test_the_summary_is_read_from_its_tags(server: Server) -> None:
    server.reply = "Sure!\n<SUMMARY>\nThe health seeker reports\nknee pain.\n</SUMMARY>"
    summary = stage("summary", server.url).summarize(TURNS, [])
    assert (summary.session_id, summary.text) == ("visit", "The health seeker reports knee pain.")
    assert [message["role"] for message in server.requests[0]["messages"]] == ["system", "user"]


def test_the_translation_is_shown_where_there_is_no_transcript(server: Server) -> None:
    server.reply = "<SUMMARY>Knee pain.</SUMMARY>"
    silent = [Segment("visit", "b")]
    english = [Segment("visit", "b", words="My knees hurt.", language="en")]
    stage("summary", server.url).summarize(silent, english)
    assert server.requests[0]["messages"][1]["content"] == "Conversation:\nb: My knees hurt."


@pytest.mark.parametrize(
    "reply", ["", "I think the patient\nhas fever", "Fever,, Cough", "The patient has had a very long and hard week with fever"]
)
def test_an_unreadable_topics_reply_is_said_plainly(server: Server, reply: str) -> None:
    server.reply = reply
    with pytest.raises(UnavailableError, match="reply"):
        stage("topics", server.url).find(TURNS, [])


@pytest.mark.parametrize(
    "reply", ["Knee pain.", "<SUMMARY></SUMMARY>", "<SUMMARY>one</SUMMARY><SUMMARY>two</SUMMARY>", "<SUMMARY>cut off"]
)
def test_an_unreadable_summary_reply_is_said_plainly(server: Server, reply: str) -> None:
    server.reply = reply
    with pytest.raises(UnavailableError, match="between <SUMMARY> and </SUMMARY>"):
        stage("summary", server.url).summarize(TURNS, [])


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "refuses access. Name the variable"), (404, "does not exist. Mend model or base_url"), (400, "failed: ")],
)
def test_a_refusal_says_what_to_do(server: Server, status: int, said: str) -> None:
    server.status = status
    with pytest.raises(UnavailableError, match=said):
        chat(server.url).complete([{"role": "user", "content": "x"}])


@pytest.mark.parametrize("kind", ["application/json", "text/html"])
@pytest.mark.parametrize(
    "body",
    [b"<html>login</html>", b"", b"[]", b"3", b'"x"', b"\xff\xfe\x00", b"{}", b'{"choices": [1]}', b'{"choices": [{"message": null}]}',
     b'{"choices": [{"message": {"content": [1]}}]}', b'{"choices": 5}'],
)  # fmt: skip
def test_a_reply_that_is_no_chat_is_said_plainly(server: Server, body: bytes, kind: str) -> None:
    server.body, server.type = body, kind
    with pytest.raises(UnavailableError, match=r"gave (an empty reply|a reply that is no chat completion in JSON)\."):
        chat(server.url).complete([{"role": "user", "content": "x"}])


def test_the_environments_organisation_is_not_sent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-another")
    server.reply = "hello"
    chat(server.url).complete([{"role": "user", "content": "x"}])
    assert "of-another" not in str(server.headers)


def test_a_password_in_the_address_is_used_and_never_shown(server: Server) -> None:
    server.reply = "hello"
    url = server.url.replace("//", "//asha:s3cret@")
    llm = chat(url)
    llm.complete([{"role": "user", "content": "x"}])
    assert server.headers[0]["authorization"] == "Basic YXNoYTpzM2NyZXQ="  # asha:s3cret in base 64
    assert llm.endpoint == server.url
    for status in (400, 401, 404):
        server.status = status
        with pytest.raises(UnavailableError) as caught:
            llm.complete([{"role": "user", "content": "x"}])
        assert "s3cret" not in str(caught.value)
    with pytest.raises(InputError) as refused:
        chat("http://asha:s3/cret@host:x/v1")
    assert "cret" not in str(refused.value)


def test_a_cut_off_reply_is_no_reply(server: Server) -> None:
    server.reply, server.finish = "half a", "length"
    with pytest.raises(UnavailableError, match="Raise max_tokens"):
        chat(server.url).complete([{"role": "user", "content": "x"}])


def test_a_slow_server_is_given_up(server: Server) -> None:
    server.delay = 0.6
    with pytest.raises(UnavailableError, match=r"no reply within 0.2 s"):
        chat(server.url, timeout=0.2).complete([{"role": "user", "content": "x"}])


def test_no_server_says_how_to_go_on() -> None:
    with pytest.raises(UnavailableError, match=r"cannot be reached\. Start the server, or mend base_url"):
        chat("http://127.0.0.1:9/v1").complete([{"role": "user", "content": "x"}])


def test_a_missing_key_names_its_variable(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLINIC_KEY", raising=False)
    with pytest.raises(UnavailableError, match="Set the environment variable CLINIC_KEY"):
        registry.load("topics", "llm").Backend(llm=chat(server.url, api_key_env="CLINIC_KEY")).find(TURNS, [])
    assert not server.requests


@pytest.mark.parametrize("kind", ["topics", "summary"])
def test_without_words_nothing_is_sent(server: Server, kind: str) -> None:
    ask = stage(kind, server.url)
    with pytest.raises(UnavailableError, match="there is no transcript"):
        (ask.find if kind == "topics" else ask.summarize)([Segment("visit", "a")], [])
    assert not server.requests


# The demands of the challenge's published baseline prompts.
@pytest.mark.parametrize(
    ("prompt", "demands"),
    [
        ("topics-v2", ["medical classifier", "ongoing", "health seeker", "family history", "resolved", "advice", "causes", "explanations", "comma-separated", "concise", "None"]),
        (
            "summary-v2",
            ["generator of clinical summaries", "English", "concise", "factual", "<SUMMARY>", "</SUMMARY>", "third person", "Use only what is said", "chief complaint",
             "history of the present illness", "diagnosis", "treatment plan", "measurements", "medicines", "Invent nothing", "accurate"],
        ),
    ],
)  # fmt: skip
def test_the_prompt_makes_every_demand(prompt: str, demands: list[str]) -> None:
    text = read_prompt(prompt, ["conversation"], ["seekers", "topics_list"]).system
    assert [demand for demand in demands if demand not in text] == []

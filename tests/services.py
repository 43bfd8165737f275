"""A server of speech recognition that hears tones, in the protocols of OpenAI, Sarvam and Gemini as they are documented."""

from __future__ import annotations

import base64
import io
import json
import re
import threading
import time
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

WORDS = {500: "बुखार", 1000: "खांसी", 2000: "दवा", 3000: "दर्द"}
"""What is said by a tone of each pitch."""
RATE = 16000


@dataclass
class Server:
    """How it answers, and what it was asked."""

    url: str = ""
    faults: list[Any] = field(default_factory=list)
    """What the next answers are instead: (status, headers), bytes, an object, or "drop", "half", "late"."""
    mute: bool = False
    times: bool = True
    reason: str = "STOP"
    text: str | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def seconds(self) -> list[float]:
        return [request["seconds"] for request in self.requests]


def heard(data: bytes) -> tuple[list[tuple[str, float, float]], float]:
    """(word, start, end) of each tone in a WAV file, and its seconds."""
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
    step = RATE // 20
    found: list[tuple[str, float, float]] = []
    for i in range(len(samples) // step):
        frame = samples[i * step : (i + 1) * step]
        if np.abs(frame).mean() < 0.05:
            continue
        pitch = int(np.abs(np.fft.rfft(frame)).argmax()) * 20
        word = WORDS[min(WORDS, key=lambda known: abs(known - pitch))]
        start, end = i / 20, (i + 1) / 20
        if found and found[-1][0] == word and found[-1][2] >= start - 0.01:
            found[-1] = (word, found[-1][1], end)
        else:
            found.append((word, start, end))
    return found, len(samples) / RATE


def _fields(kind: str, body: bytes) -> tuple[dict[str, str], bytes]:
    """The fields of a form, and its file."""
    boundary = kind.partition("boundary=")[2].encode()
    first, *parts, last = body.split(b"--" + boundary)
    assert (first, last) == (b"", b"--\r\n")
    fields, audio = {}, b""
    for part in parts:
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        name = re.search(rb' name="([^"]+)"', head)
        assert name
        if name[1] == b"file":
            assert b'filename="' in head
            audio = content.removesuffix(b"\r\n")
        else:
            fields[name[1].decode()] = content.removesuffix(b"\r\n").decode()
    return fields, audio


def _openai(state: Server, fields: dict[str, str], words: list[tuple[str, float, float]], seconds: float) -> dict[str, Any]:
    text = " ".join(f"{word}," for word, _, _ in words)
    answer: dict[str, Any] = {"text": text, "usage": {"type": "tokens", "input_tokens": 100, "output_tokens": 10}}
    if fields["response_format"] == "json" or not state.times:
        return answer
    answer |= {"task": "transcribe", "language": "hindi", "duration": seconds}
    kind = fields["timestamp_granularities[]"]
    return answer | {
        f"{kind}s": [{"word" if kind == "word" else "text": f" {word}", "start": a, "end": b} for word, a, b in words]
    }


def _sarvam(state: Server, fields: dict[str, str], words: list[tuple[str, float, float]], seconds: float) -> dict[str, Any]:
    answer: dict[str, Any] = {"request_id": "r", "transcript": " ".join(w for w, _, _ in words), "language_code": "hi-IN"}
    if fields.get("with_timestamps") == "true" and state.times:
        columns = [list(column) for column in zip(*words, strict=True)] or [[], [], []]
        names = ("words", "start_time_seconds", "end_time_seconds")
        answer["timestamps"] = dict(zip(names, columns, strict=True))
    return answer


def _gemini(state: Server, request: dict[str, Any], words: list[tuple[str, float, float]]) -> dict[str, Any]:
    rows = json.loads(request["contents"][0]["parts"][0]["text"].partition("Turns: ")[2])
    turns = [
        {"turn": row["turn"], "text": " ".join(w for w, a, b in words if row["start"] <= (a + b) / 2 < row["end"])}
        for row in rows
    ]
    text = state.text if state.text is not None else f"```json\n{json.dumps(turns)}\n```"
    usage = {"promptTokenCount": 1000, "candidatesTokenCount": 20, "thoughtsTokenCount": 80, "totalTokenCount": 1100}
    content = {"role": "model", "parts": [{"text": "Let me listen.", "thought": True}, {"text": text}]}
    return {"candidates": [{"content": content, "finishReason": state.reason, "index": 0}], "usageMetadata": usage}


@contextmanager
def serving() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            with state.lock:
                state.at_once += 1
                state.most_at_once = max(state.most_at_once, state.at_once)
                fault = state.faults.pop(0) if state.faults else None
            try:
                self.answer(fault)
            except ConnectionError:
                pass  # the client gave up first
            finally:
                with state.lock:
                    state.at_once -= 1

        def answer(self, fault: Any) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request: dict[str, Any] = {"path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()}}
            if self.path.endswith(":generateContent"):
                asked = json.loads(body)
                request |= asked
                words, seconds = heard(base64.b64decode(asked["contents"][0]["parts"][1]["inlineData"]["data"]))
            else:
                fields, audio = _fields(self.headers["Content-Type"], body)
                request |= fields
                words, seconds = heard(audio)
            with state.lock:
                state.requests.append({**request, "seconds": seconds})
            words = [] if state.mute else words
            if fault == "drop":
                self.close_connection = True
                return
            if fault == "late":
                time.sleep(0.6)
            status, headers, data = 200, {}, b""
            if isinstance(fault, tuple):
                status, headers = fault
                data = b'{"error": {"message": "as asked for 9876543210"}}'
            elif isinstance(fault, bytes):
                data = fault
            elif isinstance(fault, dict):
                data = json.dumps(fault).encode()
            elif self.path.endswith(":generateContent"):
                data = json.dumps(_gemini(state, request, words)).encode()
            elif self.path.endswith("/audio/transcriptions"):
                data = json.dumps(_openai(state, fields, words, seconds)).encode()
            elif self.path == "/speech-to-text":
                data = json.dumps(_sarvam(state, fields, words, seconds)).encode()
            else:
                status = 404
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if fault == "half" else data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_port}"
    try:
        yield state
    finally:
        http.shutdown()
        http.server_close()
        thread.join()

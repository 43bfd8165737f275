"""A chat server in a process of its own that fails as it is told.

The model's name in a request is a list of acts, one for each request of that model, the last of them for all further ones:
``429:0.2,ok``. ``GET /count/MODEL`` tells how many requests there were.
"""

import json
import sys
import time
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import unquote

COUNTS: Counter[str] = Counter()
LOCK = Lock()
TEXTS = {
    "ok": "Fever, Cough",
    "empty": "",
    "blank": "  \n",
    "think": "<think>Fever is named.\nSo is cough.</think>\n\nFever, Cough",
    "only-think": "<think>Fever is named and",
    "refusal": "I'm sorry, but I can't help with medical questions.",
    "refusal-hi": "मैं चिकित्सा सलाह नहीं दे सकता।",
    "refusal-kn": "ಕ್ಷಮಿಸಿ, ನಾನು ಇದಕ್ಕೆ ಸಹಾಯ ಮಾಡಲಾರೆ.",
    "bullets": "- Fever\n- Cough\n",
    "numbers": "1. Fever\n2. Cough",
    "fence": "```\nFever, Cough\n```",
    "prose": "The patient has a fever\nand a cough, call 98765 43210.",
    "heading": "Topics: Fever",
    "hindi": "बुखार, खांसी",
    "summary": "<SUMMARY>Fever for three days.</SUMMARY>",
    "small-tags": "<summary>Fever for three days.</summary>",
    "chatty-summary": "Here it is:\n<SUMMARY>**Fever** for three days.</SUMMARY>",
    "hindi-summary": "<SUMMARY>तीन दिन से बुखार है।</SUMMARY>",
}


def completion(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.answer(200, COUNTS[unquote(self.path).removeprefix("/count/")])

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = request["model"]
        with LOCK:
            acts = model.split(",")
            act = acts[min(COUNTS[model], len(acts) - 1)]
            COUNTS[model] += 1
        name, _, value = act.partition(":")
        with suppress(ConnectionError):  # the client gives up first, as the time limits want
            self.act(name, value, request)

    def act(self, name: str, value: str, request: dict[str, Any]) -> None:
        if name in TEXTS:
            self.answer(200, completion(TEXTS[name]))
        elif name == "echo":
            self.answer(200, completion(request["messages"][-1]["content"]))
        elif name == "mishear":  # every turn as it was, but for one sign
            self.answer(200, completion(request["messages"][-1]["content"].replace("दीदी", "दिदी")))
        elif name == "say":
            self.answer(200, completion(bytes.fromhex(value).decode()))
        elif name == "cut-off":
            self.answer(200, completion("Fever, Cou", "length"))
        elif name == "filter":
            self.answer(200, completion(None, "content_filter"))
        elif name == "declined":
            self.answer(200, completion(None, refusal="I can't assist with 98765 43210."))
        elif name == "quota":
            self.answer(429, {"error": {"message": "You are out of credit", "code": "insufficient_quota"}})
        elif name == "redirect":
            self.answer(307, {}, {"Location": value.replace("_", ":") + "/chat/completions"})
        elif name.isdigit():
            self.answer(int(name), {"error": {"message": "as asked"}}, {"Retry-After": value} if value else {})
        else:
            self.broken(name)

    def broken(self, name: str) -> None:
        """Answers that are none."""
        data = json.dumps(completion("Fever, Cough")).encode()
        if name == "hang":
            time.sleep(5)
        elif name == "drop":
            self.connection.close()
        elif name == "html":
            self.raw(b"<html>log in</html>", "text/html", 19)
        elif name == "half-json":
            self.raw(data[:50], "application/json", 50)
        elif name == "cut":
            self.raw(data[:50], "application/json", len(data))
        elif name == "drip":
            self.raw(b"", "application/json", len(data))
            for at in range(len(data)):
                self.wfile.write(data[at : at + 1])
                self.wfile.flush()
                time.sleep(0.1)

    def answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self.raw(json.dumps(body).encode(), "application/json", None, status, headers or {})

    def raw(self, data: bytes, kind: str, length: int | None, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Connection": "close", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    sys.stdin.close()
    server.serve_forever()


if __name__ == "__main__":
    main()

"""Any server that speaks the chat completions protocol: a local vLLM, Ollama or llama.cpp as well as a hosted one.

The conversation leaves this process for the address the preset names, and the run says so before it starts. It goes nowhere
else: a redirect is not followed, and an address on this machine is not looked for behind a proxy. What fails in passing (a busy
server, a dropped connection, half a reply) is asked again, and told where that does not help.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parakh.cascade import metering
from parakh.cascade.chat import replies
from parakh.cascade.endpoints import LARGEST, PASSING, bare_address, is_address, is_here, told_by
from parakh.cascade.options import require
from parakh.cascade.retrying import PassingError, retried, seconds_to_wait
from parakh.errors import Fault, InputError, UnavailableError
from parakh.packages import imported

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend:
    """A chat model behind an address.

    Args:
        base_url: The address up to and including its version, as "http://localhost:11434/v1".
        model: The model's name as the server knows it.
        api_key_env: Name of the environment variable that holds the key; None for a server that wants none.
        temperature: Sampling temperature, >= 0; 0 is the most repeatable.
        max_tokens: Longest reply, in tokens, reasoning included.
        timeout: Seconds to wait for a whole reply.
        retries: Further tries where one fails in passing.
        seed: Sampling seed, for servers that honour one; None sends none.
        price_in: Price of a million tokens read, in a currency of your own; None where there is none.
        price_out: Price of a million tokens written.
    """

    base_url: str
    model: str
    api_key_env: str | None = None
    temperature: float = 0.0
    max_tokens: int = 1024
    timeout: float = 120.0
    retries: int = 2
    seed: int | None = 0
    price_in: float | None = None
    price_out: float | None = None

    def __post_init__(self) -> None:
        if not is_address(self.base_url):
            found = repr(re.sub(r"//.*@", "//", self.base_url))  # a message tells no password
            raise InputError(Fault("llm", "base_url", found, "an address as http://localhost:11434/v1"))
        rules = {
            "model": (self.model.strip() != "", "the model's name as the server knows it"),
            "api_key_env": (self.api_key_env is None or self.api_key_env.isidentifier(), "the name of an environment variable"),
            "temperature": (0 <= self.temperature <= 2, "a number from 0 to 2"),
            "max_tokens": (1 <= self.max_tokens <= 10**6, "a whole number from 1 to 1000000"),
            "timeout": (0 < self.timeout <= 86400, "seconds in (0, 86400]"),
            "retries": (0 <= self.retries <= 10, "a whole number from 0 to 10"),
            "seed": (self.seed is None or abs(self.seed) < 2**63, "a whole number of 64 bits"),
            "price_in": (self.price_in is None or self.price_in >= 0, "a price >= 0"),
            "price_out": (self.price_out is None or self.price_out >= 0, "a price >= 0"),
        }
        require("llm", self, rules)

    @property
    def endpoint(self) -> str:
        """The network address that conversations are sent to, without a user's name and password."""
        return bare_address(self.base_url)

    def ready(self) -> None:
        """See that the client is installed and the key is there; nothing is sent.

        Raises:
            MissingPackageError: The openai client is not installed.
            UnavailableError: The key is missing.
        """
        _client_package()
        self._key()

    def complete(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The reply to messages of ``{"role": "system"|"user"|"assistant", "content": text}``, without its reasoning.

        Raises:
            MissingPackageError: The openai client is not installed.
            UnavailableError: No key, no connection, no whole reply in time, a refusal by the server, or an empty reply.
        """
        openai = _client_package()
        key = self._key()
        return retried(lambda: self._try(openai, key, messages), self.retries)

    def _try(self, openai: Any, key: str, messages: Sequence[Mapping[str, str]]) -> str:
        metering.add(requests=1)
        # A server on this machine is never behind a proxy, whatever the environment says.
        transport = openai.DefaultHttpxClient(timeout=self.timeout, follow_redirects=False, trust_env=not is_here(self.base_url))
        client = openai.OpenAI(base_url=self.base_url, api_key=key, http_client=transport, max_retries=0)
        client.organization = client.project = None  # those in the environment are another server's business
        until = time.monotonic() + self.timeout
        try:
            with client, client.chat.completions.with_streaming_response.create(**self._request(messages)) as response:
                body = self._body(response, until)
        except openai.OpenAIError as error:
            raise self._explained(openai, error) from error
        return self._text(body)

    def _body(self, response: Any, until: float) -> bytes:
        """The body of a response, read piece by piece: a time limit of the transport would be one for each piece."""
        body = bytearray()
        pieces = iter(response.iter_bytes())
        while True:
            try:
                piece = next(pieces, None)
            except Exception as error:  # of whatever transport the client uses
                raise PassingError(f"{self._where} broke off in the middle of its reply. Look at the server.") from error
            if piece is None:
                return bytes(body)
            body += piece
            if time.monotonic() > until:
                raise PassingError(self._late)
            if len(body) > LARGEST:
                raise self._no_chat_reply()

    def _text(self, body: bytes) -> str:
        """The text of a reply, of which nothing has been checked."""
        try:
            reply = json.loads(body)
            choice = reply["choices"][0] if reply.get("choices") else {}
            message = choice.get("message", {})
            text, declined = message.get("content"), message.get("refusal")
            reason = choice.get("finish_reason")
        except (ValueError, RecursionError, AttributeError, TypeError, KeyError, IndexError) as error:
            raise self._no_chat_reply() from error
        self._count(reply.get("usage"))
        if reason == "length":
            raise UnavailableError(
                f"The reply of {self.model!r} was cut off at max_tokens = {self.max_tokens}. Raise max_tokens."
            )
        if reason == "content_filter" or (declined and isinstance(declined, str)):
            said = f": {replies.quoted(declined)}" if isinstance(declined, str) else ""
            raise UnavailableError(f"{self._where} declined the conversation{said}. Use a model that takes medical talk.")
        if text is not None and not isinstance(text, str):
            raise self._no_chat_reply()
        if not text or not text.strip():
            raise PassingError(f"{self._where} gave an empty reply. Try again, or raise max_tokens.")
        return replies.answer(text)

    def _count(self, usage: object) -> None:
        """What the server says it read and wrote, and what that costs."""
        told = usage if isinstance(usage, dict) else {}
        read, written = (metering.count_of(told.get(key)) for key in ("prompt_tokens", "completion_tokens"))
        price = None
        if read is not None and written is not None and not (self.price_in is None and self.price_out is None):
            price = (read * (self.price_in or 0.0) + written * (self.price_out or 0.0)) / 1e6
        metering.add(tokens_in=read, tokens_out=written, price=price)

    def _no_chat_reply(self) -> PassingError:
        return PassingError(f"{self._where} gave a reply that is no chat completion in JSON. Mend base_url.")

    @property
    def _where(self) -> str:
        return f"The model {self.model!r} at {self.endpoint}"

    @property
    def _late(self) -> str:
        return f"{self._where} gave no reply within {self.timeout:g} s. Raise timeout, or use a smaller model."

    def _request(self, messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [dict(message) for message in messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        return request if self.seed is None else {**request, "seed": self.seed}

    def _key(self) -> str:
        if self.api_key_env is None:
            return "none"  # the client insists on a key even where the server wants none
        key = os.environ.get(self.api_key_env)
        if not key:
            raise UnavailableError(f"The key for {self.endpoint} is missing. Set the environment variable {self.api_key_env}.")
        if not (key.isascii() and key.isprintable()):
            raise UnavailableError(f"The key in {self.api_key_env} holds characters that no key has. Set it again.")
        return key

    def _explained(self, openai: Any, error: Any) -> Exception:
        """What went wrong and what to do, by the kind of error."""
        if isinstance(error, openai.APITimeoutError):
            return PassingError(self._late)
        if isinstance(error, openai.APIConnectionError):
            return PassingError(f"{self._where} cannot be reached. Start the server, or mend base_url.")
        if not isinstance(error, openai.APIStatusError):
            return UnavailableError(f"{self._where} failed: {told_by(error)}")
        status = error.status_code
        if status in PASSING or status >= 500:
            wait = seconds_to_wait(error.response.headers.get("retry-after"), time.time())
            return self._busy(status, getattr(error, "code", None), told_by(error), wait)
        return UnavailableError(f"{self._where} {self._refused(status, told_by(error))}")

    def _busy(self, status: int, code: object, told: str, wait: float | None) -> Exception:
        if code == "insufficient_quota":
            return UnavailableError(f"{self._where} says that the account is used up. Mend it, or use another key.")
        if status == 429:
            return PassingError(f"{self._where} is over its rate limit. Wait, or run fewer jobs at once.", wait)
        return PassingError(f"{self._where} failed: {told}", wait)

    def _refused(self, status: int, told: str) -> str:
        if status in (401, 403):
            mend = (
                f"Mend the key in {self.api_key_env}" if self.api_key_env else "Name the variable that holds a key in api_key_env"
            )
            return f"refuses access. {mend}."
        if status == 404:
            return "does not exist. Mend model or base_url; the server's list of models tells its names."
        if 300 <= status < 400:
            return "answers with another address. Name that one in base_url: conversations go nowhere else by themselves."
        if "context" in told and ("length" in told or "size" in told):
            return f"cannot read as much at once: {told} Give it a longer context, or take a shorter conversation."
        return f"failed: {told}"


def _client_package() -> Any:
    return imported("openai", "llm", "llm 'openai-compatible'")

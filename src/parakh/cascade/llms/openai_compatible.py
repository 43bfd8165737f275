"""Any server that speaks the chat completions protocol: a local vLLM, Ollama or llama.cpp as well as a hosted one.

The conversation leaves this process for the address the preset names, and the run says so before it starts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from parakh.cascade.options import require
from parakh.errors import Fault, InputError, MissingPackageError, UnavailableError

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend:
    """A chat model behind an address.

    Args:
        base_url: The address up to and including its version, as "http://localhost:11434/v1".
        model: The model's name as the server knows it.
        api_key_env: Name of the environment variable that holds the key; None for a server that wants none.
        temperature: Sampling temperature, >= 0; 0 is the most repeatable.
        max_tokens: Longest reply, in tokens.
        timeout: Seconds to wait for a reply.
        seed: Sampling seed, for servers that honour one; None sends none.
    """

    base_url: str
    model: str
    api_key_env: str | None = None
    temperature: float = 0.0
    max_tokens: int = 1024
    timeout: float = 120.0
    seed: int | None = 0

    def __post_init__(self) -> None:
        if not _is_address(self.base_url):
            found = repr(re.sub(r"//.*@", "//", self.base_url))  # a message tells no password
            raise InputError(Fault("llm", "base_url", found, "an address as http://localhost:11434/v1"))
        rules = {
            "model": (self.model.strip() != "", "the model's name as the server knows it"),
            "api_key_env": (self.api_key_env is None or self.api_key_env.isidentifier(), "the name of an environment variable"),
            "temperature": (0 <= self.temperature <= 2, "a number from 0 to 2"),
            "max_tokens": (1 <= self.max_tokens <= 10**6, "a whole number from 1 to 1000000"),
            "timeout": (0 < self.timeout <= 86400, "seconds in (0, 86400]"),
            "seed": (self.seed is None or abs(self.seed) < 2**63, "a whole number of 64 bits"),
        }
        require("llm", self, rules)

    @property
    def endpoint(self) -> str:
        """The network address that conversations are sent to, without a user's name and password."""
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    def complete(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The reply to messages of ``{"role": "system"|"user"|"assistant", "content": text}``.

        Raises:
            MissingPackageError: The openai client is not installed.
            UnavailableError: No key, no connection, no reply in time, a refusal by the server, or an empty reply.
        """
        try:
            import openai
        except ImportError as error:
            raise MissingPackageError("openai", "llm", "llm 'openai-compatible'") from error
        try:
            with openai.OpenAI(base_url=self.base_url, api_key=self._key(), timeout=self.timeout, max_retries=1) as client:
                client.organization = client.project = None  # those in the environment are another server's business
                reply = client.chat.completions.create(**self._request(messages))
        except openai.OpenAIError as error:
            raise UnavailableError(self._explain(openai, error)) from error
        except ValueError as error:  # a body that is announced as JSON and is none
            raise self._no_chat_reply() from error
        return self._text(reply)

    def _text(self, reply: Any) -> str:
        """The text of a reply, of which the client has checked nothing."""
        try:
            choice = reply.choices[0] if reply.choices else None
            text = choice.message.content if choice else None
        except (AttributeError, TypeError, KeyError, IndexError) as error:
            raise self._no_chat_reply() from error
        if choice and choice.finish_reason == "length":
            raise UnavailableError(
                f"The reply of {self.model!r} was cut off at max_tokens = {self.max_tokens}. Raise max_tokens."
            )
        if not text:
            raise UnavailableError(f"{self._where} gave an empty reply. Try again, or raise max_tokens.")
        if not isinstance(text, str):
            raise self._no_chat_reply()
        return text

    def _no_chat_reply(self) -> UnavailableError:
        return UnavailableError(f"{self._where} gave a reply that is no chat completion in JSON. Mend base_url.")

    @property
    def _where(self) -> str:
        return f"The model {self.model!r} at {self.endpoint}"

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

    def _explain(self, openai: Any, error: Exception) -> str:
        """What went wrong and what to do, by the kind of error."""
        where = self._where
        if isinstance(error, openai.APITimeoutError):
            return f"{where} gave no reply within {self.timeout:g} s. Raise timeout, or use a smaller model."
        if isinstance(error, openai.APIConnectionError):
            return f"{where} cannot be reached. Start the server, or mend base_url."
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            mend = (
                f"Mend the key in {self.api_key_env}" if self.api_key_env else "Name the variable that holds a key in api_key_env"
            )
            return f"{where} refuses access. {mend}."
        if isinstance(error, openai.NotFoundError):
            return f"{where} does not exist. Mend model or base_url; the server's list of models tells its names."
        if isinstance(error, openai.RateLimitError):
            return f"{where} is over its rate limit. Wait, or run fewer jobs at once."
        return f"{where} failed: {error}"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port  # raises where it is no port
    except ValueError:
        return False
    named = parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0
    return named and url.isprintable() and " " not in url

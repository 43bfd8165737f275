"""Any server that speaks the chat completions protocol: a local vLLM, Ollama or llama.cpp as well as a hosted one.

The conversation leaves this process for the address the preset names, and the run says so before it starts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parakh.errors import MissingPackageError, UnavailableError

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

    @property
    def endpoint(self) -> str:
        """The network address that conversations are sent to."""
        return self.base_url

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
                reply = client.chat.completions.create(**self._request(messages))
        except openai.OpenAIError as error:
            raise UnavailableError(self._explain(openai, error)) from error
        choice = reply.choices[0] if reply.choices else None
        if choice is None or not choice.message.content:
            raise UnavailableError(
                f"The model {self.model!r} at {self.base_url} gave an empty reply. Try again, or raise max_tokens."
            )
        if choice.finish_reason == "length":
            raise UnavailableError(
                f"The reply of {self.model!r} was cut off at max_tokens = {self.max_tokens}. Raise max_tokens."
            )
        return str(choice.message.content)

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
            raise UnavailableError(f"The key for {self.base_url} is missing. Set the environment variable {self.api_key_env}.")
        return key

    def _explain(self, openai: Any, error: Exception) -> str:
        """What went wrong and what to do, by the kind of error."""
        where = f"The model {self.model!r} at {self.base_url}"
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

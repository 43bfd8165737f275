"""One question to a service and its answer in JSON: the only place from which sound leaves this machine.

It goes to the address that the preset names and nowhere else: a redirect is not followed, and an address on this machine is not
looked for behind a proxy. What fails in passing (a busy server, a dropped connection, half an answer) is asked again, and told
where that does not help. Keys come from the environment and are in no message.
"""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any, TypeVar

from parakh.cascade import metering
from parakh.cascade.endpoints import LARGEST, PASSING, bare_address, is_here, told_by
from parakh.cascade.retrying import PassingError, retried, seconds_to_wait
from parakh.errors import UnavailableError

Answer = TypeVar("Answer")

_PIECE = 1 << 16


@dataclass(frozen=True)
class Service:
    """A service that is asked.

    Args:
        who: The backend, for messages ("transcriber sarvam").
        url: The address that is posted to.
        headers: Headers with the key.
        timeout: Seconds to wait for a whole answer.
        retries: Further tries where one fails in passing.
    """

    who: str
    url: str
    headers: Mapping[str, str]
    timeout: float
    retries: int

    @property
    def where(self) -> str:
        """Who is asked, for messages; without a user's name and password."""
        return f"{self.who}: {bare_address(self.url)}"


def ask(service: Service, body: bytes, content_type: str, read: Callable[[dict[str, Any]], Answer]) -> Answer:
    """The answer of a service, as it is read.

    Args:
        service: Whom to ask.
        body: What is sent.
        content_type: What it is.
        read: Makes something of the answer, an object in JSON; raises ``malformed`` where it cannot.

    Raises:
        UnavailableError: No connection, no whole answer in time, a refusal, or no sound answer, also after the further tries.
    """
    return retried(lambda: read(_try(service, body, content_type)), service.retries)


def key_of(variable: str | None, who: str) -> str | None:
    """The key in an environment variable; None where no variable is named.

    Raises:
        UnavailableError: It is not set, or holds what no key holds.
    """
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UnavailableError(f"{who}: the key is missing. Set the environment variable {variable}.")
    if not (key.isascii() and key.isprintable()):
        raise UnavailableError(f"{who}: the key in {variable} holds characters that no key has. Set it again.")
    return key


def form(fields: Mapping[str, str], audio: bytes) -> tuple[bytes, str]:
    r"""A form with a WAV file in the field ``file`` (multipart/form-data), and its content type.

    >>> body, kind = form({"model": "m"}, b"RIFF")
    >>> body.count(b"\r\n--"), kind.split(";")[0]
    (2, 'multipart/form-data')
    """
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="audio.wav"\r\nContent-Type: audio/wav\r\n\r\n'
    return b"".join(
        [*parts, head.encode(), audio, f"\r\n--{boundary}--\r\n".encode()]
    ), f"multipart/form-data; boundary={boundary}"


def malformed(service: Service, what: str) -> PassingError:
    """The error for an answer that is not what it should be."""
    return PassingError(f"{service.where} gave {what}. Try again, or mend base_url.")


def _try(service: Service, body: bytes, content_type: str) -> dict[str, Any]:
    metering.add(requests=1)
    request = urllib.request.Request(service.url, body, {**service.headers, "Content-Type": content_type})  # noqa: S310
    until = time.monotonic() + service.timeout
    try:
        with _opener(service.url).open(request, timeout=service.timeout) as response:
            answer = json.loads(_body(service, response, until))
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(service, error.code, _said(error), error.headers) from error
    except TimeoutError as error:
        raise _late(service) from error
    except (OSError, http.client.HTTPException) as error:  # urllib.error.URLError is an OSError
        if isinstance(getattr(error, "reason", None), TimeoutError):
            raise _late(service) from error
        raise PassingError(f"{service.where} cannot be reached or broke off. Start the server, or mend base_url.") from error
    except (ValueError, RecursionError) as error:
        raise malformed(service, "an answer that is no JSON") from error
    if not isinstance(answer, dict):
        raise malformed(service, "an answer that is no object in JSON")
    return answer


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Sound of conversations goes to no other address than the one that was named."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


def _opener(url: str) -> urllib.request.OpenerDirector:
    # A server on this machine is never behind a proxy, whatever the environment says.
    proxies = [urllib.request.ProxyHandler({})] if is_here(url) else []
    return urllib.request.build_opener(_NoRedirect, *proxies)


def _body(service: Service, response: Any, until: float) -> bytes:
    """The body, read piece by piece: a time limit of the connection would be one for each piece."""
    promised = response.headers.get("Content-Length")
    body = bytearray()
    while piece := response.read1(_PIECE):
        body += piece
        if time.monotonic() > until:
            raise _late(service)
        if len(body) > LARGEST:
            raise malformed(service, f"an answer of more than {LARGEST >> 20} MB")
    if promised and promised.isdigit() and len(body) < int(promised):
        raise PassingError(f"{service.where} broke off in the middle of its answer. Look at the server.")
    return bytes(body)


def _late(service: Service) -> PassingError:
    return PassingError(f"{service.where} gave no answer within {service.timeout:g} s. Raise timeout, or send shorter windows.")


def _said(error: urllib.error.HTTPError) -> str:
    """What a service says of an error, wherever in its answer it stands."""
    try:
        body = error.read(_PIECE)
    except (OSError, http.client.HTTPException):
        return ""
    try:
        answer: Any = json.loads(body)
    except (ValueError, RecursionError):
        return told_by(body.decode("utf-8", "replace"))
    for key in ("error", "detail", "message"):
        if isinstance(answer, dict) and key in answer:
            answer = answer[key]
    return told_by(answer)


def _refused(service: Service, status: int, said: str, headers: Message) -> Exception:
    """What an answer that is none means and what to do, by its status."""
    wait = seconds_to_wait(headers.get("Retry-After"), time.time())
    if status in (401, 403):
        return UnavailableError(f"{service.where} refuses access. Mend the key, or name its variable in api_key_env.")
    if status == 404:
        return UnavailableError(f"{service.where} does not exist there ({said}). Mend model or base_url.")
    if 300 <= status < 400:
        return UnavailableError(
            f"{service.where} answers with another address. Name that one in base_url: sound goes nowhere else."
        )
    if "insufficient_quota" in said:
        return UnavailableError(f"{service.where} says that the account is used up. Mend it, or use another key.")
    if status == 429:
        return PassingError(f"{service.where} is over its rate limit. Wait, or run fewer jobs at once.", wait)
    if status in PASSING or status >= 500:
        return PassingError(f"{service.where} failed with status {status}: {said}", wait)
    return UnavailableError(f"{service.where} refused what was sent with status {status}: {said}")

"""A leaderboard spoken to by a program: the standard library is enough, and a file of any size is sent without being held.

>>> Client("https://board.example.org/", token="parakh_...").address
'https://board.example.org'
"""

from __future__ import annotations

import http.client
import json
import re
import secrets
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import parakh
from parakh.cascade.endpoints import LARGEST, bare_address, is_address, is_here, told_by
from parakh.errors import Fault, InputError, ParakhError, UnavailableError
from parakh.leaderboard.kit import Kit

DONE = ("scored", "refused", "failed")
"""States of a submission that stay."""
_PIECE = 1 << 18
_PASSING = (429, 502, 503, 504)


class ServerError(ParakhError):
    """What a server answers when it does not do what was asked.

    Args:
        status: Of the answer.
        lines: Its words, one line a fault.
        retry_after: Seconds after which it may be tried again; None where it says nothing of it.
    """

    def __init__(self, status: int, lines: Sequence[str], retry_after: float | None = None) -> None:
        super().__init__("\n".join(lines))
        self.status = status
        self.lines = tuple(lines)
        self.retry_after = retry_after


@dataclass(frozen=True)
class Answer:
    """What a server sent back."""

    status: int
    kind: str
    body: bytes
    retry_after: float | None = None


class Client:
    """One leaderboard, as somebody with a token sees it.

    Args:
        address: Of the server ("https://board.example.org").
        token: Of the account's page; "" for what everybody may see.
        timeout: Seconds to wait for an answer.

    Raises:
        InputError: The address is none, or would carry the token unprotected over the network.
    """

    def __init__(self, address: str, token: str = "", timeout: float = 60.0) -> None:
        if not is_address(address):
            raise InputError(Fault("--server", "", f"'{bare_address(address)}'", "an address as https://board.example.org"))
        if token and not address.startswith("https://") and not is_here(address):
            raise InputError(Fault("--server", "", bare_address(address), "https, which keeps your token from being read"))
        if not re.fullmatch(r"[!-~]*", token):
            raise InputError(Fault("the token", "", "characters that no token has", "parakh_ and 40 letters and digits"))
        self.address = bare_address(address).rstrip("/")
        self.token = token
        self.timeout = timeout

    def challenges(self) -> list[dict[str, Any]]:
        """The challenges of the server, the newest first.

        Raises:
            ServerError: It does not answer that.
            UnavailableError: It cannot be reached.
        """
        found: list[dict[str, Any]] = self._get("/challenges")
        return found

    def kit(self, challenge: str, phase: str, track: str) -> Kit:
        """What is needed to check a submission before it is sent.

        Raises:
            ServerError: There is no such contest.
            UnavailableError: The server cannot be reached.
            InputError: What it sent is no kit.
        """
        return Kit.from_json(json.dumps(self._get(f"{_contest(challenge, phase, track)}/kit")))

    def board(self, challenge: str, phase: str, track: str, by: str = "") -> dict[str, Any]:
        """The board of a contest.

        Args:
            challenge: Its name.
            phase: Key of the phase.
            track: Key of the track.
            by: A slice ("language:hi"); "" for all recordings.

        Raises:
            ServerError: There is none.
            UnavailableError: The server cannot be reached.
        """
        found: dict[str, Any] = self._get(f"{_contest(challenge, phase, track)}/board" + (f"?by={quote(by)}" if by else ""))
        return found

    def status(self, submission_id: str) -> dict[str, Any]:
        """A submission as it stands.

        Raises:
            ServerError: There is none that you may see.
            UnavailableError: The server cannot be reached.
        """
        found: dict[str, Any] = self._get(f"/submissions/{quote(submission_id, safe='')}")
        return found

    def wait(self, submission_id: str, seconds: float | None = None, every: float = 2.0) -> dict[str, Any]:
        """A submission once it is scored, refused or failed, or as it stands when the time is over.

        A server that cannot be reached for a while is asked again, for five minutes at most.

        Args:
            submission_id: Which.
            seconds: How long to wait; None for as long as it takes.
            every: Seconds between two looks.

        Raises:
            ServerError: There is none that you may see.
            UnavailableError: The server cannot be reached any more.
        """
        end = None if seconds is None else time.monotonic() + seconds
        heard = time.monotonic()
        while True:
            pause = every
            try:
                found = self.status(submission_id)
                heard = time.monotonic()
                if found["state"] in DONE or (end is not None and heard >= end):
                    return found
            except (UnavailableError, ServerError) as error:
                passing = isinstance(error, UnavailableError) or error.status in _PASSING
                if not passing or time.monotonic() - heard > 300:
                    raise
                pause = max(every, (error.retry_after or 0) if isinstance(error, ServerError) else 0)
            time.sleep(pause)

    def submit(
        self,
        path: str | Path,
        challenge: str,
        phase: str,
        track: str,
        *,
        system: str = "",
        description: str = "",
        tags: Sequence[str] = (),
        paper: str = "",
    ) -> dict[str, Any]:
        """Hand in a file; the answer is the submission as it stands, with its ``id``.

        Args:
            path: A zip or a single file.
            challenge: Name of the challenge.
            phase: Key of the phase.
            track: Key of the track.
            system: What the system is called.
            description: What it is.
            tags: Words to find it by.
            paper: Address of a paper.

        Raises:
            InputError: The file cannot be read.
            ServerError: The submission is not taken, with why.
            UnavailableError: The server cannot be reached.
        """
        fields = [("system", system), ("description", description), ("paper", paper), *(("tags", one) for one in tags)]
        boundary = secrets.token_hex(16)
        try:
            with Path(path).open("rb") as file:
                head = _head(boundary, [(name, value) for name, value in fields if value], Path(path).name)
                tail = f"\r\n--{boundary}--\r\n".encode()
                length = len(head) + Path(path).stat().st_size + len(tail)
                headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Content-Length": str(length)}
                pieces = _pieces(head, iter(lambda: file.read(_PIECE), b""), tail)
                answer = self._exchange("POST", f"{_contest(challenge, phase, track)}/submissions", headers, pieces)
        except OSError as error:
            raise InputError(Fault(str(path), "", error.strerror or str(error), "a file that can be read")) from error
        made: dict[str, Any] = _document(self._checked(answer))
        return made

    def _get(self, path: str) -> Any:
        return _document(self._checked(self._exchange("GET", path, {}, None)))

    def _checked(self, answer: Answer) -> Answer:
        if 200 <= answer.status < 300:
            return answer
        place = self.address
        if 300 <= answer.status < 400:
            raise ServerError(answer.status, [f"{place}: the server sends elsewhere. Give the address that it has now."])
        raise ServerError(answer.status, [f"{place}: {line}" for line in _told(answer)], answer.retry_after)

    def _exchange(self, method: str, path: str, headers: Mapping[str, str], body: Iterator[bytes] | None) -> Answer:
        connection = self._connection()
        sent = {"Accept": "application/json", "User-Agent": f"parakh/{parakh.__version__}", **headers}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        try:
            try:
                connection.request(method, f"{urlsplit(self.address).path}/api/v1{path}", body, sent)
            except (BrokenPipeError, ConnectionResetError):
                if body is None:
                    raise
                # The server stopped listening in the middle of the file, and may have said why.
            response = connection.getresponse()
            content = response.read(LARGEST + 1)
        except (OSError, http.client.HTTPException) as error:
            raise UnavailableError(f"{self.address}: it cannot be reached ({told_by(error) or type(error).__name__}).") from error
        finally:
            connection.close()
        if len(content) > LARGEST:
            raise UnavailableError(f"{self.address}: the answer is longer than {LARGEST} bytes.")
        after = response.headers.get("Retry-After", "")
        kind = response.headers.get_content_type()
        return Answer(response.status, kind, content, float(after) if after.isdecimal() else None)

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.address)
        if parts.scheme == "https":
            return http.client.HTTPSConnection(parts.netloc, timeout=self.timeout, context=ssl.create_default_context())
        return http.client.HTTPConnection(parts.netloc, timeout=self.timeout)


def _contest(challenge: str, phase: str, track: str) -> str:
    return "/challenges/" + "/".join(quote(one, safe="") for one in (challenge, phase, track))


def _head(boundary: str, fields: Sequence[tuple[str, str]], file_name: str) -> bytes:
    """Everything of a form that stands before the file's content."""
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields]
    shown = (
        file_name.encode("utf-8", "replace")
        .decode()
        .replace("\\", "_")
        .replace('"', "%22")
        .replace("\r", "%0D")
        .replace("\n", "%0A")
    )
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{shown}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return "".join(parts).encode()


def _pieces(head: bytes, content: Iterator[bytes], tail: bytes) -> Iterator[bytes]:
    yield head
    yield from content
    yield tail


def _document(answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError as error:
        raise UnavailableError(f"the server answers with no JSON ({answer.kind}): is it a Parakh leaderboard?") from error


def _told(answer: Answer) -> list[str]:
    """The words of a refusal; of a server that is none of ours only its status."""
    try:
        problem = json.loads(answer.body)
        return [told_by(line) for line in problem["faults"]] or [told_by(problem["title"])]
    except (ValueError, KeyError, TypeError):
        return [f"found status {answer.status}, expected an answer of a Parakh leaderboard."]

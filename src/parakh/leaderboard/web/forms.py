"""Forms as they arrive: fields first, then at most one file, which is never held in memory and written nowhere here."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from unicodedata import category
from urllib.parse import parse_qsl

import anyio.from_thread
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request

from parakh.errors import Fault, InputError

_HEAD = 64 * 1024
"""Bytes of fields, their names and headers together."""
_PATIENCE = 60
"""Seconds to wait for the next bytes of a body."""
_LONGEST = 3600
"""Seconds that a whole upload may take."""
_TOLERATED = {"\n", "\t"}


class Form:
    """The fields of a form, and its file if it has one.

    >>> form = Form({"name": ["Team"], "tag": ["a", "b"]})
    >>> form.text("name"), form.texts("tag"), form.text("none")
    ('Team', ['a', 'b'], '')
    """

    def __init__(self, fields: Mapping[str, Sequence[str]], upload: Upload | None = None) -> None:
        self.fields = fields
        self.upload = upload

    def text(self, name: str, most: int = 200) -> str:
        r"""A field's text without the blanks around it; "" where it is missing.

        Args:
            name: Of the field.
            most: Characters it may have.

        Raises:
            InputError: It is given twice, too long, or holds control characters.

        >>> Form({"name": ["a\0b"]}).text("name")
        Traceback (most recent call last):
        ...
        parakh.errors.InputError: name: found a control character, expected text. Remove it.
        """
        given = self.fields.get(name, [])
        if len(given) > 1:
            raise InputError(Fault(name, "", f"{len(given)} values", "one"))
        return _checked(name, given[0].replace("\r\n", "\n").strip(), most) if given else ""

    def secret(self, name: str) -> str:
        """A password, exactly as it was typed; "" where it is missing."""
        given = self.fields.get(name, [])
        return given[0] if len(given) == 1 else ""

    def texts(self, name: str, most: int = 200) -> list[str]:
        """Every value of a field that may be given several times.

        Raises:
            InputError: One is too long, or holds control characters.
        """
        return [_checked(name, one.strip(), most) for one in self.fields.get(name, []) if one.strip()]

    def flag(self, name: str) -> bool:
        """Whether a box was ticked."""
        return bool(self.fields.get(name))

    def number(self, name: str, most: int = 10**6) -> int | None:
        """A whole number from 0; None where the field is empty.

        Raises:
            InputError: It is none, or larger than it may be.

        >>> Form({"day": ["3"], "total": [""]}).number("day"), Form({}).number("total")
        (3, None)
        """
        text = self.text(name)
        if not text:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= most):
            raise InputError(Fault(name, "", f"'{text[:40]}'", f"a whole number from 0 to {most}"))
        return int(text)


def _checked(name: str, text: str, most: int) -> str:
    if len(text) > most:
        raise InputError(Fault(name, "", f"{len(text)} characters", f"at most {most}", "Make it shorter."))
    if any(category(sign) in {"Cc", "Cs"} and sign not in _TOLERATED for sign in text):
        raise InputError(Fault(name, "", "a control character", "text", "Remove it."))
    return text


class Upload:
    """A multipart body that is read as far as asked for.

    Args:
        request: Whose body it is.
        boundary: What parts its parts.
    """

    def __init__(self, request: Request, boundary: bytes) -> None:
        self.fields: dict[str, list[str]] = {}
        self.file_name: str | None = None
        """As the sender calls it; None while there is no file."""
        self._chunks = request.stream()
        self._events: deque[bytes] = deque()
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._header_field,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_finished,
                "on_part_data": self._data,
                "on_part_end": self._part_end,
                "on_end": self._end,
            },
        )
        self._header = [bytearray(), bytearray()]
        self._name = ""
        self._value = bytearray()
        self._head = 0
        self._is_file = False
        self._is_whole = False
        self._until = time.monotonic() + _LONGEST

    async def read_fields(self) -> None:
        """Read until the file begins, or to the end where there is none.

        Raises:
            HTTPException: It is no form, the fields are too long, or nothing came for a minute.
        """
        while self.file_name is None and not self._is_whole:
            await self._more()

    def pieces(self) -> Iterator[bytes]:
        """The file piece by piece, called from a worker's thread of the server.

        Raises:
            HTTPException: The body is not a form, ends too early, or nothing came for a minute.
        """
        while piece := anyio.from_thread.run(self._piece):
            yield piece

    async def drain(self, most: int, seconds: float) -> None:
        """Let what is still to come pass by, so that a browser in the midst of sending reads the answer.

        Args:
            most: Bytes at most.
            seconds: At most.
        """
        try:
            async with asyncio.timeout(seconds):
                async for chunk in self._chunks:
                    most -= len(chunk)
                    if most < 0:
                        return
        except (TimeoutError, HTTPException):
            return

    async def _piece(self) -> bytes:
        while not self._events and not self._is_whole:
            await self._more()
        return self._events.popleft() if self._events else b""

    async def _more(self) -> None:
        try:
            async with asyncio.timeout(min(_PATIENCE, self._until - time.monotonic())):
                chunk = await anext(self._chunks, b"")
        except TimeoutError as error:
            raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "nothing came for a minute, or it took an hour") from error
        if not chunk:
            raise _bad("a form that ends in the middle")
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise _bad("something else") from error

    def _begin(self) -> None:
        if self.file_name is not None:
            raise HTTPException(HTTPStatus.BAD_REQUEST, "found a part after the file, expected the file last")
        self._name, self._value, self._is_file = "", bytearray(), False

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._header[0] += self._counted(data[start:end])

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._header[1] += self._counted(data[start:end])

    def _counted(self, data: bytes) -> bytes:
        self._head += len(data)
        if self._head > _HEAD:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"more than {_HEAD:,} bytes of fields")
        return data

    def _header_end(self) -> None:
        if bytes(self._header[0]).lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self._header[1]))
            self._name = _utf8(options.get(b"name", b""))
            self._is_file = b"filename" in options
            if self._is_file:
                self.file_name = _utf8(options[b"filename"])
        self._header = [bytearray(), bytearray()]

    def _headers_finished(self) -> None:
        if not self._name:
            raise _bad("a part without a name")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._events.append(data[start:end])
        else:
            self._value += self._counted(data[start:end])

    def _part_end(self) -> None:
        if not self._is_file:
            self.fields.setdefault(self._name, []).append(_utf8(bytes(self._value)))

    def _end(self) -> None:
        self._is_whole = True


async def read_form(request: Request) -> Form:
    """The form that a browser or a program sent; of its file nothing is read yet.

    Raises:
        HTTPException: It is no form, or its fields are too long.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == b"multipart/form-data" and options.get(b"boundary"):
        try:
            upload = Upload(request, options[b"boundary"])
        except FormParserError as error:
            raise _bad("something else") from error
        await upload.read_fields()
        return Form(upload.fields, upload if upload.file_name is not None else None)
    if kind not in {b"application/x-www-form-urlencoded", b""}:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "found another kind of content, expected a form")
    fields: dict[str, list[str]] = {}
    try:
        for name, value in parse_qsl(_utf8(await request.body()), keep_blank_values=True, max_num_fields=200, errors="strict"):
            fields.setdefault(name, []).append(value)
    except ValueError as error:
        raise _bad("something else") from error
    return Form(fields)


def _utf8(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _bad("bytes that are no UTF-8") from error


def _bad(found: str) -> HTTPException:
    return HTTPException(HTTPStatus.BAD_REQUEST, f"found {found}, expected a form of fields and a file")

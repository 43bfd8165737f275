"""Values between this process and a backend's own: JSON in frames, samples in a file beside.

A frame is eight bytes of length and as many of JSON, so that either side may be another version of Python and numpy.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from parakh import errors
from parakh.audio.decode import Audio
from parakh.cascade.metering import Usage
from parakh.errors import Fault, ParakhError
from parakh.types import Finding, Segment, Severity, Summary, Topics

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Segment, Topics, Summary, Finding, Fault, Usage)}
_LENGTH = 8
_LONGEST = 1 << 40
"""A length beyond is none: something else than our program writes there."""


def send(stream: IO[bytes], message: Mapping[str, Any], folder: Path) -> None:
    """Write one message.

    Args:
        stream: Where to.
        message: Strings, numbers, lists, the values of ``parakh.types``, recordings.
        folder: Where the samples of recordings go, as files that the other side reads.
    """
    data = json.dumps({key: _plain(value, folder) for key, value in message.items()}).encode()
    stream.write(len(data).to_bytes(_LENGTH, "big") + data)
    stream.flush()


def receive(stream: IO[bytes]) -> dict[str, Any] | None:
    r"""The next message; None when the other side is gone, or does not speak in frames.

    >>> import io, tempfile
    >>> pipe = io.BytesIO()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     send(pipe, {"ok": [Topics("v1", ("fever",))]}, Path(folder))
    >>> _ = pipe.seek(0)
    >>> receive(pipe), receive(pipe)
    ({'ok': [Topics(session_id='v1', topics=('fever',))]}, None)
    """
    head = stream.read(_LENGTH)
    size = int.from_bytes(head, "big")
    data = stream.read(size) if len(head) == _LENGTH and size < _LONGEST else b""
    if len(head) < _LENGTH or len(data) < size:
        return None
    return {key: _value(plain) for key, plain in json.loads(data).items()}


def packed(error: ParakhError) -> dict[str, Any]:
    """An error of the package as a message holds it."""
    return {"kind": type(error).__name__, "args": list(error.args), "state": [[key, one] for key, one in vars(error).items()]}


def unpacked(told: Mapping[str, Any]) -> ParakhError:
    """The error that was packed, as the exception it was.

    >>> unpacked(packed(errors.UnavailableError("no weights")))
    UnavailableError('no weights')
    """
    kind: type[ParakhError] = getattr(errors, str(told["kind"]))
    error = kind.__new__(kind)
    error.args = tuple(told["args"])
    error.__dict__.update({key: tuple(one) if isinstance(one, list) else one for key, one in told["state"]})
    return error


def _plain(value: Any, folder: Path) -> Any:
    if isinstance(value, Audio):
        path = folder / f"{len(list(folder.iterdir()))}.npy"
        np.save(path, value.samples, allow_pickle=False)
        known = {"session_id": value.session_id, "language": value.language, "findings": _plain(value.findings, folder)}
        return {"value": "Audio", "fields": {**known, "samples": str(path)}}
    if dataclasses.is_dataclass(value) and type(value).__name__ in _KINDS:
        fields = {field.name: _plain(getattr(value, field.name), folder) for field in dataclasses.fields(value)}
        return {"value": type(value).__name__, "fields": fields}
    if isinstance(value, Mapping):
        return {"value": "dict", "fields": {str(key): _plain(one, folder) for key, one in value.items()}}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(one, folder) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_value(one) for one in plain]
    if not isinstance(plain, dict):
        return plain
    fields = {key: _value(one) for key, one in plain["fields"].items()}
    if plain["value"] == "dict":
        return fields
    fields = {key: _frozen(one) for key, one in fields.items()}
    if plain["value"] == "Audio":
        return Audio(**{**fields, "samples": np.load(fields["samples"], allow_pickle=False)})
    if plain["value"] == "Finding":
        fields["severity"] = Severity(fields["severity"])
    return _KINDS[plain["value"]](**fields)


def _frozen(value: Any) -> Any:
    """Lists as the tuples that fields of values are."""
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value

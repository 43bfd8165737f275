"""The process in which an isolated backend runs: it answers messages until its caller is gone.

It is started by ``parakh.cascade.isolated`` with the interpreter of another environment, which needs no more than numpy and what
the backend needs.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from parakh import registry
from parakh.cascade import metering, noticing
from parakh.cascade.wire import packed, receive, send
from parakh.errors import ParakhError


def serve() -> None:
    """Build the backend that the first message names, then answer each call of one of its methods."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller decides when to stop
    # What libraries print must not come between the messages.
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    backend: Any = None
    with tempfile.TemporaryDirectory(prefix="parakh-worker-") as folder:
        while (message := receive(requests)) is not None:
            with metering.measured() as usage, noticing.collected() as findings:
                if "kind" in message:
                    reply, backend = _built(message)
                else:
                    reply = _answered(backend, message)
            try:
                send(replies, {**reply, "usage": usage, "findings": findings}, Path(folder))
            except BrokenPipeError:
                return


def _built(message: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    made: list[Any] = []
    reply = _guarded(lambda: made.append(registry.load(message["kind"], message["name"]).Backend(**message["options"])))
    return reply, made[0] if made else None


def _answered(backend: Any, message: Mapping[str, Any]) -> dict[str, Any]:
    method = getattr(backend, message["method"], None)
    if method is None:  # only ``ready`` may be missing
        return {"ok": None}
    return _guarded(lambda: method(*message["arguments"]))


def _guarded(work: Callable[[], Any]) -> dict[str, Any]:
    """What some work comes to, whatever comes of it."""
    try:
        return {"ok": work()}
    except ParakhError as error:
        return {"error": packed(error)}
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        reason = str(error).strip().partition("\n")[0]
        return {"failed": f"{type(error).__name__}: {reason}".removesuffix(": ")}

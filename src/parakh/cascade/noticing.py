"""What a stage noticed at its work, or did about it: findings that go to the run card and to the screen.

A backend calls ``note``; whoever runs the stage collects with ``collected``, as usage is collected by ``metering``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from parakh.errors import clock
from parakh.types import Finding, Severity

_NOTED: ContextVar[list[Finding] | None] = ContextVar("noted", default=None)


@contextmanager
def collected() -> Iterator[list[Finding]]:
    """Collect what is noted within.

    >>> with collected() as findings:
    ...     note("loop", "'ठीक है' 9 times, 1 kept", time=75.26)
    >>> print(*findings)
    warning loop: at 1:15.3: 'ठीक है' 9 times, 1 kept
    """
    findings: list[Finding] = []
    token = _NOTED.set(findings)
    try:
        yield findings
    finally:
        _NOTED.reset(token)


def note(code: str, message: str, time: float | None = None, severity: Severity = Severity.WARNING) -> None:
    """Tell of something in the recording at work; nothing happens where nobody collects.

    Args:
        code: What it is, in a word or two with hyphens.
        message: What was noticed and what was done about it.
        time: Where, in seconds of the recording; None when it concerns the whole of it.
        severity: How grave it is.
    """
    add(Finding(code, message if time is None else f"at {clock(time)}: {message}", severity))


def add(finding: Finding) -> None:
    """Tell of a finding that was made elsewhere, in another process."""
    findings = _NOTED.get()
    if findings is not None:
        findings.append(finding)

"""Personal numbers made unreadable before anything is shown."""

from __future__ import annotations

import re

MARK = "•"
"""Stands for a sign that is not shown."""
_RUN = re.compile(r"\d(?:[ \-.]?\d){5,}")
_SHOWN = 2


def masked(text: str) -> str:
    """A text whose runs of six digits or more are masked but for the last two.

    >>> masked("call 98765 43210, dose 500 mg")
    'call ••••• •••10, dose 500 mg'
    """
    return _RUN.sub(_mask, text)


def _mask(run: re.Match[str]) -> str:
    signs = list(run.group())
    digits = [place for place, sign in enumerate(signs) if sign.isdigit()]
    for place in digits[:-_SHOWN]:
        signs[place] = MARK
    return "".join(signs)

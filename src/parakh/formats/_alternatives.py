"""Transcript alternatives as NIST writes them: ``i've { um / uh / @ } taken { five / 5 } tablets``."""

from __future__ import annotations

LIMIT = 256
"""Most forms one transcript may have."""


def expand(text: str) -> tuple[str, ...]:
    """Every transcript that the text accepts, the one with all first alternatives first, without repeats.

    Args:
        text: Words and alternatives, every ``{``, ``/`` and ``}`` a word of its own; ``@`` is the empty alternative.

    Returns:
        The transcripts, words joined by single blanks.

    Raises:
        ValueError: A brace has no partner, or there are more than ``LIMIT`` forms; the message says what was found.

    >>> expand("{ um / @ } taken { five / 5 }")
    ('um taken five', 'um taken 5', 'taken five', 'taken 5')
    """
    stack: list[list[list[tuple[str, ...]]]] = [[[()]]]
    for word in text.split():
        if word == "{":
            stack.append([[()]])
        elif len(stack) > 1 and word == "/":
            stack[-1].append([()])
        elif word == "}":
            if len(stack) == 1:
                raise ValueError("'}' without '{'")
            chosen = [form for alternative in stack.pop() for form in alternative]
            stack[-1][-1] = _extended(stack[-1][-1], chosen)
        elif not (len(stack) > 1 and word == "@"):
            stack[-1][-1] = _extended(stack[-1][-1], [(word,)])
    if len(stack) > 1:
        raise ValueError("'{' without '}'")
    return tuple(dict.fromkeys(" ".join(form) for form in stack[0][0]))


def _extended(forms: list[tuple[str, ...]], tails: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    if len(forms) * len(tails) > LIMIT:
        raise ValueError(f"more than {LIMIT} combinations of alternatives")
    return [form + tail for form in forms for tail in tails]

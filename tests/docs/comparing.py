"""Whether an output is the one that is shown, in which ``...`` stands for what may differ."""

import re
from collections.abc import Sequence

ANY = "..."


def agrees(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether ``printed`` is what is shown: a line ``...`` stands for any lines, ``...`` within a line for any text.

    >>> agrees(["one", "...", "took ... s"], ["one", "two", "three", "took 3.1 s"])
    True
    >>> agrees(["one"], ["one", "two"])
    False
    """
    pattern = "".join(_pattern(line) for line in _trimmed(shown))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _trimmed(printed))) is not None


def _pattern(line: str) -> str:
    if line == ANY:
        return r"(?:[^\n]*\n)*?"
    return "[^\n]*".join(re.escape(part) for part in line.split(ANY)) + "\n"


def _trimmed(lines: Sequence[str]) -> list[str]:
    """Without blanks at the ends of lines and empty lines at either end, which nobody sees."""
    kept = [line.rstrip() for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    while kept and not kept[0]:
        kept.pop(0)
    return kept

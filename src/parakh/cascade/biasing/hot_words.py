"""Lists of hot words: what ``parakh diagnose --terms`` reads, with a weight after a tab where one is wanted.

    # medicines
    पैरासिटामोल
    आयरन की गोली	2
    iron = आयरन | आयरन की गोली
    मलेरिया*

A term and each of its aliases is a hot word; ``stem*`` is one wherever a word starts so. A ``REGEX:`` line names no words and
leads nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from parakh.diagnostics.categories import Term, parse_terms
from parakh.errors import Fault, InputError
from parakh.files import read_text

_MOST = 100.0


@dataclass(frozen=True, slots=True)
class HotWord:
    """A word or phrase to be expected.

    Args:
        text: Its words with one space between them.
        weight: How much, above 0; 1 is usual.
        stem: Whether the last word may go on.
    """

    text: str
    weight: float = 1.0
    stem: bool = False


def read_hot_words(path: str | Path) -> tuple[HotWord, ...]:
    r"""The hot words of a file, in its order, each once.

    Raises:
        InputError: It cannot be read, a term or weight is wrong, or there is no word; one line a fault.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "terms.txt"
    ...     _ = file.write_text("# drugs\niron = आयरन | आयरन की गोली\t2\nमलेरिया*\n", "utf-8")
    ...     [(one.text, one.weight, one.stem) for one in read_hot_words(file)]
    [('iron', 2.0, False), ('आयरन', 2.0, False), ('आयरन की गोली', 2.0, False), ('मलेरिया', 1.0, True)]
    """
    lines: list[str] = []
    weights: dict[int, float | None] = {}
    faults: list[Fault] = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        entry, tab, weight = line.partition("#")[0].rstrip().rpartition("\t")
        lines.append(entry if tab else line)
        if tab:
            weights[number] = _weight(weight)
            if weights[number] is None:
                faults.append(Fault(str(path), "weight", repr(weight[:40]), f"a number above 0, up to {_MOST:g}", "", number))
    if faults:
        raise InputError(faults)
    found: dict[tuple[str, bool], HotWord] = {}
    for term in parse_terms("HOT", lines, str(path)).terms:
        one = _hot_word(term, weights.get(int(term.place.rpartition(":")[2])) or 1.0)
        if one.text:
            found.setdefault((one.text, one.stem), one)
    if not found:
        raise InputError(Fault(str(path), "", "patterns only", "at least one word", "A pattern leads nothing: write words."))
    return tuple(found.values())


def _weight(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 < value <= _MOST else None


def _hot_word(term: Term, weight: float) -> HotWord:
    return HotWord(" ".join(term.words), weight, bool(term.words) and len(term.words) - 1 in term.stems)

"""A baseline: the findings of a data set that are known, so that only what is new is told.

The file is JSON, ``{"schema": "parakh.baseline/1", "findings": [{"code", "path", "session_id", "message", "count"}]}``. Paths
are relative to the baseline's own folder; ``message`` has ``#`` for every number, and no line is kept: a finding is known by
what it says and where, not by the line that it moved to. ``count`` is how many such findings are known.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from parakh.errors import Fault, InputError
from parakh.files import read_text, relative, write_atomic
from parakh.formats._text import Faults, shown
from parakh.text.masking import MARK
from parakh.types import Finding

SCHEMA = "parakh.baseline/1"
_NUMBER = re.compile(rf"[{MARK}\d]+(?:[.,:][{MARK}\d]+)*")
_FIELDS = ("code", "path", "session_id", "message")

Key = tuple[str, str, str, str]
"""Code, path, session_id ("" where there is none) and message of a finding, without lines and numbers."""


@dataclass(frozen=True)
class Sifted:
    """Findings after those that are known.

    Args:
        new: Those that are not known, in their order.
        known: How many are.
        gone: How many of the baseline are there no more.
    """

    new: tuple[Finding, ...]
    known: int
    gone: int


def key(finding: Finding, folder: Path) -> Key:
    """What a finding is known by; its path is relative to a folder.

    >>> key(Finding("QC404", "9.5 words a second", path="set/a.txt", line=4), Path("set"))
    ('QC404', 'a.txt', '', '# words a second')
    """
    path = relative(finding.path, folder) if finding.path else ""
    return finding.code, path, finding.session_id or "", _NUMBER.sub("#", finding.message)


def sift(findings: Sequence[Finding], path: str | Path) -> Sifted:
    """Set aside the findings that a baseline knows; of more of a kind than it knows, the last are new.

    Raises:
        InputError: All that is wrong with the baseline.
    """
    left = read(path)
    folder = Path(path).parent
    new = []
    for finding in findings:
        own = key(finding, folder)
        if left[own] > 0:
            left[own] -= 1
        else:
            new.append(finding)
    return Sifted(tuple(new), len(findings) - len(new), left.total())


def write(findings: Iterable[Finding], path: str | Path) -> None:
    """Write the baseline of these findings, sorted, so that versions compare line by line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = [Finding("QC404", "9.5 words a second", path=f"{folder}/a.txt", line=4)]
    ...     write(found, f"{folder}/known.json")
    ...     sift(found, f"{folder}/known.json")
    Sifted(new=(), known=1, gone=0)
    """
    counts = Counter(key(finding, Path(path).parent) for finding in findings)
    rows = [{**dict(zip(_FIELDS, own, strict=True)), "count": count} for own, count in sorted(counts.items())]
    lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    write_atomic(path, f'{{"schema": "{SCHEMA}", "findings": [\n  {lines}\n]}}\n' if rows else _empty())


def _empty() -> str:
    return f'{{"schema": "{SCHEMA}", "findings": []}}\n'


def read(path: str | Path) -> Counter[Key]:
    """How many findings of each key a baseline knows.

    Raises:
        InputError: It is no baseline, or an entry lacks a text or has no count.
    """
    try:
        values = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(str(path), "", f"{error}", "JSON", "Make it with --write-baseline.")) from error
    if not isinstance(values, dict) or values.get("schema") != SCHEMA or not isinstance(values.get("findings"), list):
        expected = f"an object with the schema {SCHEMA!r} and findings"
        raise InputError(Fault(str(path), "", shown(values), expected, "Make it with --write-baseline."))
    faults = Faults(Path(path))
    known: Counter[Key] = Counter()
    for entry, row in enumerate(values["findings"], 1):
        own = row if isinstance(row, dict) else {}
        texts = [text for name in _FIELDS if isinstance(text := own.get(name), str)]
        count = own.get("count")
        if len(texts) < len(_FIELDS) or type(count) is not int or count < 1:
            faults.fault(entry, "findings", shown(row), f"an object with the texts {', '.join(_FIELDS)} and a count >= 1")
        else:
            code, where, session_id, message = texts
            known[code, where, session_id, message] += count
    faults.check()
    return known

"""Lines of CSV that a spreadsheet reads as the text that they are."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

_FORMULA = tuple("=+-@＝＋－＠")


def line(cells: Sequence[str | float | None]) -> str:
    r"""One line.

    Args:
        cells: Text, numbers, or None for an empty cell. Text that a spreadsheet would compute gets an apostrophe before it, which
            is how spreadsheets mark text.

    >>> line(["=1+1", -0.5, None, "a,b"])
    '\'=1+1,-0.5,,"a,b"\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_safe(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue()


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) or cell[:1] in {"\t", "\r", "\n"} else cell

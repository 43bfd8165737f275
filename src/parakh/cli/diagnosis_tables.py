"""A diagnosis as tables in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from parakh.cli.tables import console, percent
from parakh.errors import counted


def print_pairs(found: Mapping[str, Any]) -> None:
    """Print what a file of pairs adds up to.

    Args:
        found: The answer of ``text_pairs``.
    """
    out, total = console(), found["total"]
    out.print(Text(f"{counted(len(found['pairs']), 'pair')}, {counted(total['n'], 'unit')} of reference", style="bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("category", "n", "substitutions", "deletions", "insertions", "rate %"):
        table.add_column(name, justify="left" if name == "category" else "right")
    for name, counts in total["categories"].items():
        kinds = [counts[kind] for kind in ("substitutions", "deletions", "insertions")]
        rate = sum(kinds) / total["n"] if total["n"] else None
        table.add_row(Text(name), str(counts["n"]), *map(str, kinds), percent(rate))
    table.add_row(Text("total", style="bold"), str(total["n"]), "", "", "", Text(percent(total["rate"]), style="bold"))
    out.print(table)
    out.print(Text("no errors: " + ", ".join(f"{number} {kind}" for kind, number in total["events"].items()), style="dim"))

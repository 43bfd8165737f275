"""What a check's own file says of it, for pages and programs: its docstring, taken apart at its headings."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from parakh import registry
from parakh.errors import UnknownNameError
from parakh.qc._check import Check

WHAT, WHY, MEND, EXAMPLE = "What it does", "Why it matters", "How to mend", "Example"
HEADINGS = (WHAT, WHY, MEND, "Limits", EXAMPLE)


@dataclass(frozen=True)
class About:
    """The docstring of a check.

    Args:
        problem: Its first sentence: what is wrong where the check finds something.
        sections: The text under each heading that it has, by heading.
        text: All of it.
    """

    problem: str
    sections: Mapping[str, str]
    text: str


def about(check: Check) -> About:
    """What the check's module says; of a check without a module of its name, its title."""
    try:
        module = registry.load("check", check.name)
    except UnknownNameError:
        return About(check.title, {}, check.title)
    return parsed(inspect.getdoc(module) or check.title)


def parsed(text: str) -> About:
    r"""A docstring taken apart; a heading stands on a line of its own, as ``## Limits`` or ``Limits:``.

    >>> parsed("A blank.\n\n## Why it matters\nIt\ncounts.\n").sections
    {'Why it matters': 'It\ncounts.'}
    """
    first, *rest = text.strip().split("\n")
    sections: dict[str, list[str]] = {}
    here: list[str] = []
    for line in rest:
        name = line.strip("# :").capitalize()
        if name in HEADINGS:
            here = sections.setdefault(name, [])
        else:
            here.append(line)
    return About(first, {name: textwrap.dedent("\n".join(lines)).strip() for name, lines in sections.items()}, text.strip())

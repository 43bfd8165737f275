"""Docstrings as Markdown: taken apart at their headings, with examples as code."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

HEADINGS = (
    "Args", "Returns", "Raises", "Source", "Formula", "Choices", "Equal to", "Pitfalls", "Yields", "Attributes",
    "What it does", "Why it matters", "How to mend", "Limits", "Example",
)  # fmt: skip
_HEADING = re.compile(rf"({'|'.join(HEADINGS)}):(?:\s+(.*))?$")
_ITEM = re.compile(r"\*{0,2}(\w+)(?: \([^)]*\))?:\s+(.*)")
_CODE = re.compile(r"(``.+?``|`[^`\n]+`)", re.DOTALL)


@dataclass(frozen=True)
class Doc:
    """A docstring.

    Args:
        lead: Its first sentence.
        text: What stands before the first heading, after the lead.
        sections: The text below each heading.
        examples: The doctests.
    """

    lead: str = ""
    text: str = ""
    sections: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[str, ...] = ()

    def items(self, name: str) -> dict[str, str]:
        """What a section like ``Args`` says of each name, in order."""
        found: dict[str, str] = {}
        last = ""
        for line in self.sections.get(name, "").splitlines():
            begins = None if line.startswith(" ") else _ITEM.match(line)
            if begins:
                last = begins[1]
                found[last] = begins[2]
            elif last and line.strip():
                found[last] += " " + line.strip()
        return found


def of(thing: object) -> Doc:
    """The docstring of a module, class or function; an empty one where it has none of its own."""
    return parsed(inspect.cleandoc(getattr(thing, "__doc__", None) or ""))


def parsed(text: str) -> Doc:
    r"""A docstring taken apart.

    >>> doc = parsed("One.\n\nMore.\n\nArgs:\n    a: First\n        word.\n\nSource: NIST.\n\n>>> 1\n1\n")
    >>> doc.lead, doc.text, doc.items("Args"), doc.sections["Source"], doc.examples
    ('One.', 'More.', {'a': 'First word.'}, 'NIST.', ('>>> 1\n1',))
    """
    body: list[str] = []
    sections: dict[str, list[str]] = {}
    examples: list[list[str]] = []
    here = body
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            here = sections.setdefault(heading[1], [])
            here += [heading[2]] if heading[2] else []
        elif line.startswith(">>> ") and (here is not (examples[-1] if examples else None)):
            examples.append([line])
            here = examples[-1]
        elif not line.startswith(" ") and here is not body and line.strip() and not (here and here[-1].strip()):
            body.append("")
            here = body
            body.append(line)
        else:
            here.append(line)
    lead, _, rest = "\n".join(body).strip().partition("\n\n")
    told = {name: _level(lines) for name, lines in sections.items()}
    return Doc(" ".join(lead.split("\n")), rest.strip(), told, tuple("\n".join(one).strip() for one in examples))


def _level(lines: list[str]) -> str:
    """A section's text without the indentation that all its lines have, but for a first one beside the heading."""
    first, *rest = lines or [""]
    if first.startswith(" ") or not first:
        return textwrap.dedent("\n".join(lines)).strip()
    return "\n".join([first, textwrap.dedent("\n".join(rest))]).strip()


def markdown(text: str) -> str:
    r"""Text of a docstring with the signs that Markdown would take for its own escaped, outside of code.

    >>> print(markdown("a <b> of ``x*y``"))
    a \<b> of ``x*y``
    """
    parts = _CODE.split(text)
    return "".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    text = re.sub(r"([<*\[\]\\$])", r"\\\1", text)
    return re.sub(r"^(\s*)\\\*( )", r"\1*\2", text, flags=re.MULTILINE)


def cell(text: str) -> str:
    """Text for a cell of a table: one line, strokes escaped."""
    return markdown(" ".join(text.split())).replace("|", r"\|")


def fence(kind: str, text: str) -> str:
    """A block of code."""
    marks = "````" if "```" in text else "```"
    return f"{marks}{kind}\n{text.strip(chr(10))}\n{marks}"

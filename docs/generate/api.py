"""Pages of the Python API: every public function and class of the modules that people call."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any

from docs.generate import docstrings
from docs.generate.docstrings import Doc, cell, fence, markdown
from docs.generate.page import Page, section, table

MODULES = (
    "parakh.types",
    "parakh.formats",
    "parakh.conversion",
    "parakh.scoring",
    "parakh.evaluate",
    "parakh.results",
    "parakh.alignment",
    "parakh.aggregate",
    "parakh.slices",
    "parakh.resample",
    "parakh.significance",
    "parakh.comparison",
    "parakh.comparable",
    "parakh.agreement",
    "parakh.diagnosis",
    "parakh.metrics",
    "parakh.tracks",
    "parakh.fusion",
    "parakh.languages",
    "parakh.text.normalize",
    "parakh.text.tokens",
    "parakh.text.graphemes",
    "parakh.text.masking",
    "parakh.dataset.manifest",
    "parakh.dataset.checking",
    "parakh.qc",
    "parakh.cascade.preset",
    "parakh.cascade.pipeline",
    "parakh.cascade.runner",
    "parakh.cascade.backends",
    "parakh.report.inputs",
    "parakh.report.html",
    "parakh.report.trackers",
    "parakh.registry",
    "parakh.errors",
)
"""What is promised to callers; all else may change without notice."""


def pages() -> Iterator[Page]:
    """The modules in the order in which a program would use them."""
    for name in MODULES:
        module = importlib.import_module(name)
        doc = docstrings.of(module)
        things = [_thing(one, thing) for one, thing in public(module)]
        yield Page("api", name, doc.lead, [markdown(doc.lead), markdown(doc.text), *things])


def public(module: Any) -> list[tuple[str, Any]]:
    """The public functions and classes of a module, as they stand in it; what it hands on only where ``__all__`` names it."""
    handed_on = getattr(module, "__all__", ())
    return [
        (name, thing)
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(thing) or inspect.isclass(thing) or hasattr(thing, "__wrapped__"))
        and (thing.__module__ == module.__name__ or name in handed_on)
    ]


def _thing(name: str, thing: Any) -> str:
    parts = [_described(name, thing)]
    if inspect.isclass(thing):
        for inner, member in vars(thing).items():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if not inner.startswith("_") and inspect.isfunction(function) and function.__doc__:
                parts.append(f"### {name}.{inner}\n\n{_described(inner, function)}")
    return section(name, *parts)


def _described(name: str, thing: Any) -> str:
    doc = docstrings.of(thing)
    examples = [fence("pycon", one) for one in doc.examples]
    parts = [fence("python", _signature(name, thing)), markdown(doc.lead), markdown(doc.text), *_sections(doc), *examples]
    return "\n\n".join(part for part in parts if part)


class _Told:
    """An annotation that shows itself as it is written, without marks around it."""

    def __new__(cls, annotation: object) -> Any:
        return object.__new__(cls) if isinstance(annotation, str) else annotation

    def __init__(self, annotation: object) -> None:
        self.text = str(annotation)

    def __repr__(self) -> str:
        return self.text


def _signature(name: str, thing: Any) -> str:
    if inspect.isclass(thing):
        bases = ", ".join(base.__name__ for base in thing.__bases__ if base is not object)
        return f"class {name}{f'({bases})' if bases else ''}: ..."
    bare = inspect.signature(thing)
    told = [one.replace(annotation=_Told(one.annotation)) for one in bare.parameters.values()]
    text = str(bare.replace(parameters=told, return_annotation=_Told(bare.return_annotation)))
    inside, _, returned = text[1:].rpartition(")")
    return f"def {name}{text}: ..." if len(text) < 90 else f"def {name}(\n    {_split(inside)},\n){returned}: ..."


def _split(arguments: str) -> str:
    """Arguments, each on a line of its own; commas inside brackets part nothing."""
    depth, parts = 0, [""]
    for letter in arguments:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return ",\n    ".join(part.strip() for part in parts)


def _sections(doc: Doc) -> Iterator[str]:
    for title, text in doc.sections.items():
        items = doc.items(title) if title in ("Args", "Raises", "Attributes") else {}
        rows = ((f"`{name}`", cell(meaning)) for name, meaning in items.items())
        yield f"**{title}**\n\n{table(('name', 'meaning'), rows) if items else markdown(text)}"

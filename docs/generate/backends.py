"""A page for every backend of the cascade, every way to fuse, and every recipe: what it is, its options, what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from docs.generate import docstrings, options
from docs.generate.docstrings import fence, markdown
from docs.generate.page import Page, section, table
from parakh import registry
from parakh.models import store

STAGES = ("diarizer", "transcriber", "correction", "translator", "topics", "summary")
"""Kinds that stand in a preset as a table of their own."""


def pages(kind: str) -> Iterator[Page]:
    """Every backend of a kind."""
    for name in registry.names(kind):
        module = registry.load(kind, name)
        yield Page(kind, name, docstrings.of(module).lead, list(_parts(kind, name, module)))


def declared(module: ModuleType) -> type[Any]:
    """The class whose fields are the options."""
    found: type[Any] = getattr(module, "Backend", None) or module.Recipe
    return found


def _parts(kind: str, name: str, module: ModuleType) -> Iterator[str]:
    doc, backend = docstrings.of(module), docstrings.of(declared(module))
    yield f"**{kind.capitalize()}.** {markdown(doc.lead)}"
    yield markdown(doc.text)
    yield section("What it does", *(markdown(text) for text in (backend.lead, backend.text) if text != doc.lead))
    yield section("Options", options.of_dataclass(declared(module)) or "None.")
    yield section("Models", _models(module))
    yield section("Example", *(fence("pycon", one) for one in backend.examples), _use(kind, name))
    for heading in ("Equal to", "Pitfalls", "Raises", "Source"):
        text = "\n\n".join(one.sections[heading] for one in (doc, backend) if heading in one.sections)
        yield section("What is refused" if heading == "Raises" else heading, markdown(text))


def _models(module: ModuleType) -> str:
    models = ((name, store.declaration(name)) for name in getattr(module, "MODELS", ()))
    rows = ((f"`{name}`", markdown(model.title), model.licence, f"{model.size / 1e6:.1f}") for name, model in models)
    return table(("model", "what it is", "licence", "MB"), rows)


def _use(kind: str, name: str) -> str:
    if kind in STAGES:
        return _in_preset(f'[{kind}]\nname = "{name}"')
    if kind == "llm":
        return _in_preset(f'[topics]\nname = "llm"\nllm = "{name}"')
    if kind == "fusion":
        return f"From the command line: `parakh fuse TRACK A B C --method {name} --out DIR`."
    return f'In the configuration of `parakh finetune`: `recipe = "{name}"`.'


def _in_preset(lines: str) -> str:
    return f"In a preset:\n\n{fence('toml', lines)}"

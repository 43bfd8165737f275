"""The generated reference says of each thing what a reader needs, and links lead somewhere."""

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs.generate import __main__ as generator
from docs.generate import backends, commands, metrics, options
from docs.generate.page import Page
from parakh import formats, qc, registry
from parakh.cli.main import app
from parakh.metrics import all_metrics
from tests.docs.blocks import ROOT, pages

HEADINGS = {
    "metric": ("What it measures", "Formula", "Range, and where there is no value", "Equal to", "Pitfalls", "Example", "Source"),
    "format": ("What it holds", "What it loses", "Example"),
    "check": ("What it does", "Why it matters", "How to mend", "Example"),
    "fusion": ("Options", "Example", "Source"),
    **dict.fromkeys((*backends.STAGES, "llm", "recipe"), ("Options", "Example")),
}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "docs"
    generator.write(folder)
    return folder


@pytest.fixture(scope="session")
def kinds() -> Mapping[str, list[Page]]:
    return {kind: list(made) for kind, made in generator.kinds().items()}


def sections(page: Page) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", page.text, flags=re.MULTILINE)
    return {title: text.strip() for title, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize("kind", HEADINGS)
def test_a_page_has_what_a_page_of_its_kind_must_have(kind: str, kinds: Mapping[str, list[Page]]) -> None:
    lacking = [f"{page.name}: {heading}" for page in kinds[kind] for heading in HEADINGS[kind] if not sections(page).get(heading)]
    assert kinds[kind]
    assert lacking == []


def test_everything_that_can_be_named_has_a_page(kinds: Mapping[str, list[Page]]) -> None:
    named = {kind: {page.name for page in made} for kind, made in kinds.items()}
    assert named["metric"] == set(all_metrics())
    assert named["format"] == set(formats.all_formats())
    assert named["check"] == {check.name for check in qc.all_checks().values()}
    assert {name for kind in set(registry.KINDS) - {"metric"} for name in registry.names(kind)} == {
        name for kind in set(registry.KINDS) - {"metric"} for name in named[kind]
    }


def test_every_verb_has_a_page_with_its_help() -> None:
    verbs = {one.name or one.callback.__name__ for one in app.registered_commands if one.callback}
    assert {page.name.split()[0] for page in commands.pages()} == verbs
    assert all("Usage: parakh" in page.text for page in commands.pages())


def test_every_option_of_a_backend_is_described() -> None:
    kinds = (*backends.STAGES, "llm", "fusion", "recipe")
    modules = [(f"{kind} {name}", registry.load(kind, name)) for kind in kinds for name in registry.names(kind)]
    lacking = [
        f"{name}: {option.name}"
        for name, module in modules
        for option in dataclasses.fields(backends.declared(module))
        if not options.described(backends.declared(module)).get(option.name)
    ]
    assert lacking == []


def test_a_formula_is_more_than_a_name() -> None:
    told = {name: metrics.formula(metric) for name, metric in all_metrics().items()}
    assert [name for name, formula in told.items() if not re.search(r"[/=(]|[Mm]ean|[Ss]hare|[Ss]um", formula)] == []


def test_what_a_metric_equals_is_said_with_the_test_that_shows_it() -> None:
    told = {name: metrics.said(metric, "Equal to") for name, metric in all_metrics().items()}
    assert [name for name, text in told.items() if not re.search(r"tests/|No test|No tool", text)] == []
    named = {path for text in told.values() for path in re.findall(r"tests/[\w/]+\.py", text)}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def anchors(page: Path) -> set[str]:
    titles = re.findall(
        r"^#{1,4} (.+)$", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_lead_to_pages_and_headings(site: Path) -> None:
    wrong = []
    for page in (*pages(), *sorted((site / "reference").rglob("*.md"))):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target, anchor in re.findall(r"(?<!\\)\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", text):
            there = (page.parent / target).resolve() if target else page
            made = site / there.relative_to(ROOT / "docs") if there.is_relative_to(ROOT / "docs") else there
            if not made.exists():
                wrong.append(f"{page.name}: {target}")
            elif anchor and made.suffix == ".md" and anchor not in anchors(made):
                wrong.append(f"{page.name}: {target}#{anchor}")
    assert wrong == []


def test_every_page_stands_in_the_navigation() -> None:
    """What is in no ``toctree`` cannot be found by reading on; the build of the site would stop there."""
    docs = ROOT / "docs"
    listed = [
        (page.parent / name).with_suffix(".md").resolve()
        for page in docs.rglob("*.md")
        for tree in re.findall(r"^```{toctree}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for name in tree.splitlines()
        if name and not name.startswith(":")
    ]
    assert [page.name for page in docs.rglob("*.md") if listed.count(page) != 1 and page != docs / "index.md"] == []


def test_kinds_have_a_plural() -> None:
    assert [generator.plural(kind) for kind in ("summary", "topics", "track")] == ["summaries", "topics", "tracks"]

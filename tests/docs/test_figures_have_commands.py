"""Every table of measurements names the command that makes it, and every benchmark that a page names is there with its options."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, pages

MEASURED = (
    "benchmarks.md",
    "measurements.md",
    "personal-data.md",
    "importing.md",
    "leaderboard-boards.md",
    "fusion.md",
    "biasing.md",
)
COMMAND = re.compile(r"python (?:-m )?benchmarks[/.]\w+|\bmake [a-z]+|\$ parakh \w+|`parakh (?:compare|diagnose|score)")


def sections(text: str) -> Iterator[tuple[int, str, str]]:
    """(level, title, own text) of each section; the first one is the page's."""
    parts = re.split(r"^(#+) (.+)$", text, flags=re.MULTILINE)
    for signs, title, own in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        yield len(signs), title, own


@pytest.mark.parametrize("name", MEASURED)
def test_a_table_of_figures_has_its_command(name: str) -> None:
    above: dict[int, bool] = {}
    lacking = []
    for level, title, own in sections((ROOT / "docs" / name).read_text(encoding="utf-8")):
        above = {upper: has for upper, has in above.items() if upper < level} | {level: bool(COMMAND.search(own))}
        has_figures = re.search(r"^\|.*\d[\d.,]*( (ms|s|MB|%|x)\b|.*\|.*\d)", own, flags=re.MULTILINE)
        if has_figures and not any(above.values()):
            lacking.append(title)
    assert lacking == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_a_benchmark_that_is_named_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name, options in re.findall(r"benchmarks[/.](?!md\b)(\w+?)(?:\.py)?((?: +--[\w-]+(?: +[\w.]+)?)*)(?=[`\s,;:)])", text):
        script = ROOT / "benchmarks" / f"{name}.py"
        assert script.is_file(), f"{page.name}: benchmarks/{name}.py"
        lacking = [one for one in re.findall(r"--[\w-]+", options) if f'"{one}"' not in script.read_text(encoding="utf-8")]
        assert not lacking, f"{page.name}: benchmarks/{name}.py has no {', '.join(lacking)}"

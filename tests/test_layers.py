"""The layers of the design: nothing below knows of anything above it."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "parakh"

LAYERS = [
    {"errors", "types", "files", "markup", "packages", "bundled", "parallel", "collection", "csv_lines", "typeset"},
    {"alignment", "detail_shapes", "display", "frames", "lanes", "results_file"}
    | {"timeline", "cost", "results", "resample", "significance", "registry", "selection", "text", "models", "ngram", "_native"},
    {"formats", "languages", "clinical", "audio"},
    {"metrics", "diagnostics", "qc", "conversion", "fusion"},
    {"tracks", "dataset", "cascade", "detail"},
    {"evaluate", "diagnosis", "agreement", "aggregate", "slices", "choices", "comparable", "comparison", "scoring", "notebook"}
    | {"compared_sets", "complementarity", "pairwise", "published"},
    {"report", "leaderboard", "finetuning", "view"},
    {"cli", "__init__"},
]
DESIGN = SOURCE.parent.parent / "docs" / "design.md"
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> set[str]:
    """Top-level parts of parakh that a file imports anywhere, lazy imports included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    parts = {name.split(".")[1] for name in names if name.startswith("parakh.")}
    return {part for part in parts if part in LEVEL}


def test_the_page_of_the_design_has_every_part_in_its_layer() -> None:
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", DESIGN.read_text(encoding="utf-8"), re.M)
    told = {name.rstrip("/"): int(level) for level, names in rows for name in re.findall(r"`([^`]+)`", names)}
    assert told == {part: LEVEL[part] for part in map(part_of, modules()) if part != "__init__"} | {"_native": 1}


def test_every_part_has_a_layer() -> None:
    assert {part_of(path) for path in modules()} <= set(LEVEL)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_only_lower_or_equal_layers(path: Path) -> None:
    above = {part for part in imported_parts(path) if LEVEL[part] > LEVEL[part_of(path)]}
    assert not above, f"{path.relative_to(SOURCE)} imports {sorted(above)} from a layer above its own"

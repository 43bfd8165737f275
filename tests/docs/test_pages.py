"""Every block of every page does what the page says: commands print what is shown, Python runs, TOML and JSON parse."""

import json
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.docs import blocks, calls, running
from tests.docs.blocks import ROOT, Block
from tests.docs.comparing import agrees

PAGES = {str(page.relative_to(ROOT)): page for page in blocks.pages()}
_RUN = frozenset({"console", "python"})


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    running.prepare(folder)
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "work"
    shutil.copytree(prepared, place)
    yield place
    shutil.rmtree(place)


@pytest.mark.parametrize("name", PAGES)
def test_blocks_are_of_a_kind_that_is_known(name: str) -> None:
    odd = [f"{name}:{one.line}: {one.kind or 'no kind'}" for one in blocks.blocks(PAGES[name]) if one.kind not in blocks.KINDS]
    assert not odd, f"expected one of {', '.join(sorted(blocks.KINDS))}"


@pytest.mark.parametrize("name", PAGES)
def test_calls_name_verbs_and_options_that_exist(name: str) -> None:
    wrong = [
        f"{name}:{one.line + line}: {fault}"
        for one in blocks.blocks(PAGES[name])
        for line, call in calls.calls(one.text)
        for fault in calls.faults(call)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", PAGES)
def test_data_parses(name: str) -> None:
    readers = {"toml": tomllib.loads, "json": json.loads, "jsonl": _json_lines, "yaml": yaml.safe_load}
    for one in blocks.blocks(PAGES[name]):
        try:
            readers.get(one.kind, str)(one.text)
        except (ValueError, yaml.YAMLError) as error:
            pytest.fail(f"{name}:{one.line}: {error}", pytrace=False)


def _json_lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    "name", [name for name, page in PAGES.items() if any(b.kind in _RUN and not b.not_run for b in blocks.blocks(page))]
)
def test_blocks_run_as_shown(name: str, folder: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for one in blocks.blocks(PAGES[name]):
        if one.not_run:
            continue
        running.put(folder, one)
        if one.kind == "console":
            _check_console(name, one, folder)
        elif one.kind == "python" and not one.file:
            told = running.run_python(folder, one, PAGES[name], names)
            assert not told, f"{name}:{one.line}\n{told}"


def _check_console(name: str, one: Block, folder: Path) -> None:
    asked = list(blocks.commands(one))
    assert asked, f"{name}:{one.line}: a console block without a line that begins with '$ '"
    for command in asked:
        _, printed = running.run(folder, command.text)
        assert "Traceback" not in printed, f"{name}:{command.line}: $ {command.text}\n{printed}"
        if not agrees(command.shown, printed.splitlines()):
            shown = "\n".join(command.shown)
            pytest.fail(f"{name}:{command.line}: $ {command.text}\nshown:\n{shown}\nprinted:\n{printed}", pytrace=False)

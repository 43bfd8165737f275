"""``import parakh`` has what a notebook needs, by names that are loaded when they are used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import parakh
from parakh.errors import InputError
from parakh.types import Segment


def test_every_public_name_is_there_typed_and_told_once():
    assert parakh.__all__ == sorted(parakh.__all__)
    assert list(parakh._HOMES) == parakh.__all__
    tree = ast.parse(Path(parakh.__file__).read_text(encoding="utf-8"))
    typed = {alias.name: node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    for name in parakh.__all__:
        home = parakh._HOMES[name]
        assert getattr(parakh, name) is getattr(import_module(f"parakh.{home}"), name)
        assert typed[name] == f"parakh.{home}"
        assert name in dir(parakh)
        assert getattr(parakh, name).__doc__


def test_no_public_name_is_hidden_by_a_module_of_the_same_name():
    folder = Path(parakh.__file__).parent
    assert not [name for name in parakh.__all__ if (folder / name).exists() or (folder / f"{name}.py").exists()]


def test_importing_the_package_loads_nothing_else():
    code = (
        "import sys, parakh; print(*(name for name in sys.modules if name.startswith('parakh.') or name in ('numpy', 'regex')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
    with pytest.raises(AttributeError, match="nothing"):
        _ = parakh.nothing


def test_scoring_takes_files_and_what_is_loaded_alike(tmp_path):
    folder = parakh.examples_path()
    answers = folder / "challenge" / "systems" / "embedded" / "seglst"
    files = parakh.score("asr", folder / "transcripts", str(answers))
    loaded = parakh.score(
        "asr", parakh.load(folder / "transcripts", Segment), parakh.load(answers, Segment).items, system="seglst"
    )
    assert files.to_json() == loaded.to_json()
    with pytest.raises(InputError, match="a Topics, expected paths, or items of the type Segment"):
        parakh.score("asr", [parakh.Topics("v1")], str(answers))
    with pytest.raises(InputError, match="percentage"):
        parakh.score("asr", folder / "transcripts", answers, interval=0.95 * 200)

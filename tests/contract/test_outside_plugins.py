"""Plug-ins of other packages are found by their entry points, in a folder of the import path or in an archive."""

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from parakh import registry
from parakh.errors import UnknownNameError

MODULE = "METRICS = ()\n"
FILES = {
    "outside_plugin.py": MODULE,
    "outside_plugin-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: outside-plugin\nVersion: 1.0\n",
    "outside_plugin-1.0.dist-info/entry_points.txt": "[parakh.metric]\nfrom-outside = outside_plugin\n",
}


def forget() -> None:
    registry._outside.cache_clear()
    sys.modules.pop("outside_plugin", None)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    forget()
    yield
    forget()


def test_nothing_outside_is_known() -> None:
    with pytest.raises(UnknownNameError):
        registry.load("metric", "from-outside")


def test_a_plugin_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    assert "from-outside" in registry.names("metric")
    assert registry.load("metric", "from-outside").__name__ == "outside_plugin"


def test_a_plugin_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "plugin.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
    monkeypatch.syspath_prepend(tmp_path / "plugin.zip")
    assert registry.load("metric", "from-outside").__name__ == "outside_plugin"

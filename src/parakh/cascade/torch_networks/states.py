"""Filling a network with the tensors of a checkpoint, every one of them or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from parakh.cascade.networks.weights import read_weights
from parakh.errors import ModelError

_SHOWN = 3


def read_state(path: Path, key: str | None = None) -> dict[str, torch.Tensor]:
    """The tensors of a file that ``torch.save`` wrote; nothing in it is run.

    Args:
        path: The file.
        key: Entry that holds the state dictionary; None when the file is one.

    Raises:
        ModelError: The file is no such file, or lacks the key.
    """
    return {name: torch.from_numpy(value.copy()) for name, value in read_weights(path, key).items()}


def fill(network: nn.Module, state: Mapping[str, Any], path: Path) -> None:
    """Load a state dictionary that must have every tensor of a network, in its shape; further ones are passed over.

    Raises:
        ModelError: A tensor is missing or has another shape.
    """
    own = network.state_dict()
    state = dict(_renamed(state, own))
    missing = [name for name in own if name not in state]
    other = [name for name in own if name in state and state[name].shape != own[name].shape]
    if missing or other:
        lines = [f"no {name}" for name in missing]
        lines += [f"{name} of {tuple(state[name].shape)} instead of {tuple(own[name].shape)}" for name in other]
        more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
        raise ModelError(
            f"{path}: found {', '.join(lines[:_SHOWN])}{more}, expected the tensors of {type(network).__name__}. "
            "Name weights of this architecture."
        )
    network.load_state_dict({name: state[name] for name in own})


def _renamed(state: Mapping[str, Any], own: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The tensors under the names of today's torch: it once wrote weight norm as ``weight_g`` and ``weight_v``."""
    old = {"weight_g": "parametrizations.weight.original0", "weight_v": "parametrizations.weight.original1"}
    found = []
    for name, tensor in state.items():
        stem, dot, last = name.rpartition(".")
        today = f"{stem}{dot}{old.get(last, last)}"
        found.append((today if today in own else name, tensor))
    return found

"""ResNet34-LM of WeSpeaker: a speaker embedding of those frames of a window in which somebody is active.

Names of modules are those of the checkpoint ``pyannote/wespeaker-voxceleb-resnet34-LM``.

Source: Wang et al., "WeSpeaker: a research and production oriented speaker embedding learning toolkit" (ICASSP 2023);
features and weighted pooling as in pyannote.audio 3.1.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from parakh.cascade.networks.fbank import fbank
from parakh.cascade.torch_networks.states import fill, read_state

WEIGHTS = "pytorch_model.bin"
FILES = (WEIGHTS,)
"""What a folder of weights holds."""
SIZE = 256
"""Numbers of an embedding."""

_BANDS = 80
_WIDTHS = (32, 64, 128, 256)
_BLOCKS = (3, 4, 6, 3)
_SCALE = np.float32(1 << 15)
_TINY = 1e-8


def features(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log mel energies every 10 ms less their mean, shape (frames, 80).

    Args:
        samples: Mono samples in [-1, 1] at 16 kHz, shape (n,), n >= 400.
    """
    found = fbank(samples * _SCALE, _BANDS, "hamming")
    centred: NDArray[np.float32] = found - found.mean(axis=0)
    return centred


class ResNet34(nn.Module):
    """The network."""

    def __init__(self, widths: tuple[int, ...] = _WIDTHS, blocks: tuple[int, ...] = _BLOCKS) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, widths[0], 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(widths[0])
        for number, (width, count) in enumerate(zip(widths, blocks, strict=True)):
            before = widths[max(0, number - 1)]
            rest = [Block(width, width, 1) for _ in range(count - 1)]
            setattr(self, f"layer{number + 1}", nn.Sequential(Block(before, width, 1 if number == 0 else 2), *rest))
        self.seg_1 = nn.Linear(2 * widths[-1] * (_BANDS // 8), SIZE)

    def forward(self, frames: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """The embedding of each mask.

        Args:
            frames: What ``features`` gives, shape (batch, frames, 80).
            masks: Weights of any number of frames that span the same time, shape (batch, masks, steps).

        Returns:
            Shape (batch, masks, 256).
        """
        x = torch.relu(self.bn1(self.conv1(frames.transpose(1, 2)[:, None])))
        for layer in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = layer(x)
        x = x.flatten(1, 2)
        weights = functional.interpolate(masks, size=x.shape[-1], mode="nearest")
        return self.seg_1(_statistics(x, weights))


class Block(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, before: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(before, width, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.shortcut = nn.Sequential()
        if stride != 1 or before != width:
            self.shortcut = nn.Sequential(nn.Conv2d(before, width, 1, stride=stride, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape (batch, channels, bands, frames)."""
        inner = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(inner)) + self.shortcut(x))


def load(folder: Path) -> ResNet34:
    """The network of a folder, on the CPU, in evaluation mode.

    Raises:
        ModelError: Its file does not read, or is of another architecture.
    """
    path = folder / WEIGHTS
    state: dict[str, Any] = {name.removeprefix("resnet."): value for name, value in read_state(path, "state_dict").items()}
    network = ResNet34()
    fill(network, state, path)
    return network.eval()


def _statistics(x: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Weighted mean and unbiased standard deviation over frames: (batch, f, t), (batch, m, t) -> (batch, m, 2 f)."""
    found = []
    for one in weights.unbind(1):
        weight = one[:, None]
        total, squares = weight.sum(-1) + _TINY, weight.square().sum(-1)
        mean = (x * weight).sum(-1) / total
        spread = ((x - mean[..., None]).square() * weight).sum(-1) / (total - squares / total + _TINY)
        found.append(torch.cat([mean, spread.sqrt()], dim=1))
    return torch.stack(found, dim=1)

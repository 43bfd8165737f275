"""DiariZen's segmentation: WavLM, a weighted sum of its layers, a Conformer, and classes of a powerset.

Source: Han et al., "Leveraging self-supervised learning for speaker diarization" (ICASSP 2025); DiariZen at commit
a60b181 (May 2026), whose checkpoints are read: ``config.toml`` with a table ``model`` and ``pytorch_model.bin``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch import nn

from parakh.cascade.networks import powerset
from parakh.cascade.torch_networks.conformer import Conformer, ConformerConfig
from parakh.cascade.torch_networks.states import fill, read_state
from parakh.cascade.torch_networks.wavlm import WavLM, WavLMConfig, config_from, configs
from parakh.errors import ModelError

CONFIG = "config.toml"
WEIGHTS = "pytorch_model.bin"
FILES = (CONFIG, WEIGHTS)
"""What a folder of weights holds."""

_PATH = "diarizen.models.eend.model_wavlm_conformer.Model"


@dataclass(frozen=True)
class EendConfig:
    """The shape of the network.

    Args:
        wavlm: Shape of its WavLM.
        conformer: Shape of its Conformer.
        max_speakers_per_chunk: Most speakers of a window.
        max_speakers_per_frame: Most that speak at once.
    """

    wavlm: WavLMConfig
    conformer: ConformerConfig
    max_speakers_per_chunk: int = 4
    max_speakers_per_frame: int = 2


class Eend(nn.Module):
    """Who of a few local speakers is active in each frame of a window, as log-probabilities of a powerset's classes."""

    def __init__(self, config: EendConfig) -> None:
        super().__init__()
        self.config = config
        width = config.conformer.attention_in
        self.powerset = powerset.mapping(config.max_speakers_per_chunk, config.max_speakers_per_frame)
        self.wavlm_model = WavLM(config.wavlm)
        self.weight_sum = nn.Linear(config.wavlm.encoder_num_layers + 1, 1, bias=False)
        self.proj = nn.Linear(config.wavlm.encoder_embed_dim, width)
        self.lnorm = nn.LayerNorm(width)
        self.conformer = Conformer(config.conformer)
        self.classifier = nn.Linear(width, len(self.powerset))

    def forward(self, waveforms: torch.Tensor) -> torch.Tensor:
        """Log-probabilities of the classes of ``powerset``.

        Args:
            waveforms: Samples at 16 kHz, shape (batch, samples).

        Returns:
            Shape (batch, frames, classes), a frame every 20 ms.
        """
        weights = self.weight_sum.weight[0]
        x = sum(weight * layer for weight, layer in zip(weights, self.wavlm_model(waveforms), strict=True))
        x = self.conformer(self.lnorm(self.proj(x)))
        return torch.log_softmax(self.classifier(x), dim=-1)

    def frames(self, samples: int) -> int:
        """Number of frames that so many samples give."""
        for _, kernel, stride in self.config.wavlm.extractor_conv_layer_config:
            samples = (samples - kernel) // stride + 1
        return max(0, samples)


def load(folder: Path) -> Eend:
    """The network of a folder, on the CPU, in evaluation mode.

    Raises:
        ModelError: Its files do not read, or are of another architecture.
    """
    network = Eend(read_config(folder))
    fill(network, read_state(folder / WEIGHTS), folder / WEIGHTS)
    return network.eval()


def read_config(folder: Path) -> EendConfig:
    """The shape that a folder's ``config.toml`` tells.

    Raises:
        ModelError: It does not read, or tells of another architecture.
    """
    path = folder / CONFIG
    try:
        model = tomllib.loads(path.read_text("utf-8"))["model"]
        args = dict(model.get("args", {}))
        right = model["path"] == _PATH and not args.get("use_posi") and not args.get("output_activate_function")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path}: found no table 'model' that reads ({error}), expected DiariZen's configuration.") from error
    if not right:
        raise ModelError(f"{path}: found the model {model['path']} with {args}, expected {_PATH} without positions.")
    conformer = {field.name: args[field.name] for field in fields(ConformerConfig) if field.name in args}
    own = {name: args[name] for name in ("max_speakers_per_chunk", "max_speakers_per_frame") if name in args}
    return EendConfig(_wavlm(folder, args), ConformerConfig(**conformer), **own)


def _wavlm(folder: Path, args: Mapping[str, Any]) -> WavLMConfig:
    """The WavLM that ``wavlm_src`` names: a published shape, or a checkpoint with its shape, beside the weights or where it says.

    Where it is the path of an unpruned checkpoint on another machine, the number of layers tells which.
    """
    source = str(args.get("wavlm_src", "wavlm_base"))
    if source.lower() in configs():
        return configs()[source.lower()]
    place = next((path for path in (folder / Path(source).name, Path(source)) if path.is_file()), None)
    if place is not None:
        try:
            saved = torch.load(place, map_location="cpu", weights_only=True)
            return config_from(saved["config"])
        except Exception as error:  # a damaged archive gives errors of any kind
            raise ModelError(f"{place}: found no shape of a WavLM ({error}), expected a checkpoint with one.") from error
    return configs()["wavlm_large" if args.get("wavlm_layer_num", 13) > 13 else "wavlm_base"]

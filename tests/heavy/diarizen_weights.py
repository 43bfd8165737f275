"""Small random networks in the layout of the published checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from parakh.cascade.torch_networks import eend, resnet
from parakh.cascade.torch_networks.conformer import ConformerConfig
from parakh.cascade.torch_networks.wavlm import WavLMConfig

CONVOLUTIONS = ((24, 10, 5), (16, 3, 2), (20, 3, 2), (16, 3, 2), (24, 3, 2), (16, 2, 2), (20, 2, 2))
WAVLM = WavLMConfig(
    extractor_mode="layer_norm",
    extractor_conv_layer_config=CONVOLUTIONS,
    encoder_embed_dim=32,
    encoder_num_layers=4,
    encoder_total_num_heads=(4, 4, 4, 4),
    encoder_ff_interm_features=(40, 17, 23, 9),
    encoder_layer_norm_first=True,
    normalize_waveform=True,
    encoder_remaining_heads=((0, 2, 3), (1,), (), (0, 3)),
    encoder_use_attention=(True, True, False, True),
    encoder_use_feed_forward=(True, False, True, True),
    encoder_pos_conv_kernel=16,
    encoder_pos_conv_groups=4,
)
CONFORMER = ConformerConfig(attention_in=24, ffn_hidden=48, num_head=3, num_layer=2, kernel_size=7)
CONFIG = eend.EendConfig(WAVLM, CONFORMER)

TOML = """
[model]
path = "diarizen.models.eend.model_wavlm_conformer.Model"
[model.args]
wavlm_src = "{source}"
wavlm_layer_num = 5
wavlm_feat_dim = 32
attention_in = 24
ffn_hidden = 48
num_head = 3
num_layer = 2
kernel_size = 7
chunk_size = 8
max_speakers_per_chunk = 4

[inference.args]
seg_duration = 8
segmentation_step = 0.1
batch_size = 8
apply_median_filtering = true

[clustering.args]
method = "AgglomerativeClustering"
min_speakers = {fewest}
max_speakers = {most}
ahc_threshold = 0.6
min_cluster_size = 13
"""


def segmentation(folder: Path, fewest: int = 2, most: int = 2) -> eend.Eend:
    """Save a network whose classes change from frame to frame; the saved one is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(7)
    network = eend.Eend(CONFIG).eval()
    with torch.no_grad():
        network.weight_sum.weight.copy_(torch.rand(1, 5) + 0.5)
        logits = network(torch.from_numpy(noise(24.0)).view(3, -1)).flatten(0, 1)
        network.classifier.bias.sub_(logits.mean(0))  # no class before the others
    _save(network.state_dict(), folder / "pytorch_model.bin")
    config = {**asdict(WAVLM), "encoder_layer_drop": 0.1, "aux_num_out": None}
    _save({"config": config, "state_dict": network.wavlm_model.state_dict()}, folder / "wavlm.bin")
    (folder / "config.toml").write_text(TOML.format(source=folder / "wavlm.bin", fewest=fewest, most=most), encoding="utf-8")
    return network


def noise(seconds: float, seed: int = 2) -> NDArray[np.float32]:
    """Noise whose loudness and colour change every 0.3 s."""
    rng = np.random.default_rng(seed)
    pieces = [_piece(rng) for _ in range(int(seconds / 0.3) + 1)]
    return np.concatenate(pieces)[: round(seconds * 16000)]


def _piece(rng: np.random.Generator) -> NDArray[np.float32]:
    loud, tone, share = rng.uniform(0.02, 0.5), rng.uniform(90, 2500), rng.uniform()
    wave = np.sin(2 * np.pi * tone * np.arange(4800) / 16000)
    return (loud * (share * wave + (1 - share) * rng.normal(size=4800) * 0.4)).astype(np.float32)


def embedding(folder: Path, widths: Sequence[int] = (4, 6, 8, 12), blocks: Sequence[int] = (1, 2, 1, 1)) -> resnet.ResNet:
    """Save a ResNet whose batch norms have seen something; the saved one is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(8)
    network = resnet.ResNet(widths, blocks, 256).eval()
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.uniform_(-0.2, 0.2)
            module.running_var.uniform_(0.5, 2.0)
    state = {f"resnet.{name}": value for name, value in network.state_dict().items()}
    _save({"state_dict": state, "pyannote.audio": {"versions": {"torch": "2.1"}}}, folder / "pytorch_model.bin")
    return network


def _save(values: Mapping[str, Any], path: Path) -> None:
    torch.save(values, path)

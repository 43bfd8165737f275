"""WavLM: a convolutional front end and a Transformer with gated relative positions, whole or structurally pruned.

A pruned model has fewer channels in its convolutions, fewer heads and narrower feed-forwards, each layer its own; a
layer may have no attention at all. Names of modules are those of the published checkpoints.

Source: Chen et al., "WavLM: large-scale self-supervised pre-training for full stack speech processing" (JSTSP 2022);
Han et al., "Efficient and generalizable speaker diarization via structured pruning of self-supervised models" (2025).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any

import torch
from torch import nn
from torch.nn import functional

FRONT_GRADIENT = 0.1
"""What of the gradient reaches the convolutions in training, as in WavLM's own."""


@dataclass(frozen=True)
class WavLMConfig:
    """The shape of a WavLM; fields are named as in DiariZen's checkpoints.

    Args:
        extractor_mode: "group_norm" (after the first convolution) or "layer_norm" (after each).
        extractor_conv_layer_config: (channels, kernel, stride) of each convolution.
        encoder_embed_dim: Width of the Transformer.
        encoder_num_layers: Its layers.
        encoder_total_num_heads: Heads of each layer before pruning.
        encoder_ff_interm_features: Width of each layer's feed-forward.
        encoder_layer_norm_first: Whether layers normalise what goes in rather than what comes out.
        normalize_waveform: Whether a waveform is brought to mean 0 and variance 1.
        encoder_remaining_heads: Which heads of each layer are left; empty is all of them.
        encoder_use_attention: Whether each layer has attention; empty is all of them.
        encoder_use_feed_forward: Whether each layer has a feed-forward; empty is all of them.
        extractor_conv_bias: Whether convolutions have a bias.
        encoder_pos_conv_kernel: Frames of the convolution that stands for absolute positions.
        encoder_pos_conv_groups: Its groups.
        encoder_num_buckets: Classes of relative positions.
        encoder_max_distance: Frames from which all distances are one class.
        encoder_projection_dropout: Of the front end's projection.
        encoder_attention_dropout: Of attention weights.
        encoder_ff_interm_dropout: Inside the feed-forward.
        encoder_dropout: After each part of a layer.
    """

    extractor_mode: str
    extractor_conv_layer_config: tuple[tuple[int, int, int], ...]
    encoder_embed_dim: int
    encoder_num_layers: int
    encoder_total_num_heads: tuple[int, ...]
    encoder_ff_interm_features: tuple[int, ...]
    encoder_layer_norm_first: bool
    normalize_waveform: bool
    encoder_remaining_heads: tuple[tuple[int, ...], ...] = ()
    encoder_use_attention: tuple[bool, ...] = ()
    encoder_use_feed_forward: tuple[bool, ...] = ()
    extractor_conv_bias: bool = False
    encoder_pos_conv_kernel: int = 128
    encoder_pos_conv_groups: int = 16
    encoder_num_buckets: int = 320
    encoder_max_distance: int = 800
    encoder_projection_dropout: float = 0.1
    encoder_attention_dropout: float = 0.1
    encoder_ff_interm_dropout: float = 0.0
    encoder_dropout: float = 0.1

    def heads(self, layer: int) -> tuple[int, ...]:
        """Which heads of a layer are left; none where it has no attention."""
        if self.encoder_use_attention and not self.encoder_use_attention[layer]:
            return ()
        return self.encoder_remaining_heads[layer] if self.encoder_remaining_heads else tuple(range(self.total_heads(layer)))

    def total_heads(self, layer: int) -> int:
        """Heads of a layer before pruning."""
        return self.encoder_total_num_heads[layer]

    def has_feed_forward(self, layer: int) -> bool:
        """Whether a layer has a feed-forward."""
        return not self.encoder_use_feed_forward or self.encoder_use_feed_forward[layer]


def config_from(table: Mapping[str, Any]) -> WavLMConfig:
    """The shape that a checkpoint tells; keys that do not shape the network are passed over.

    Raises:
        KeyError: A key is missing.
    """
    known = {field.name: table[field.name] for field in fields(WavLMConfig) if field.name in table}
    missing = [field.name for field in list(fields(WavLMConfig))[:8] if field.name not in table]
    if missing:
        raise KeyError(missing[0])
    return WavLMConfig(**{name: _tuple(value) for name, value in known.items()})


@cache
def configs() -> dict[str, WavLMConfig]:
    """The published shapes by the names that DiariZen gives them.

    >>> sorted(configs())
    ['wavlm_base', 'wavlm_base_s80_md', 'wavlm_large', 'wavlm_large_s80_md']
    """
    text = resources.files(__package__).joinpath("wavlm.toml").read_text("utf-8")
    return {name: config_from(table) for name, table in tomllib.loads(text).items()}


class WavLM(nn.Module):
    """The outputs of every layer of a WavLM."""

    def __init__(self, config: WavLMConfig) -> None:
        super().__init__()
        self.config = config
        self.feature_extractor = FeatureExtractor(config)
        self.encoder = Encoder(config)

    def forward(self, waveforms: torch.Tensor) -> Iterator[torch.Tensor]:
        """What goes into the first layer, then what comes out of each.

        Args:
            waveforms: Samples at 16 kHz, shape (batch, samples).

        Returns:
            One tensor of shape (batch, frames, width) after the other.
        """
        if self.config.normalize_waveform:
            waveforms = functional.layer_norm(waveforms, waveforms.shape[-1:])
        features = self.feature_extractor(waveforms)
        if features.requires_grad:
            features = FRONT_GRADIENT * features + (1 - FRONT_GRADIENT) * features.detach()
        layers: Iterator[torch.Tensor] = self.encoder(features)
        return layers


class FeatureExtractor(nn.Module):
    """From samples to a frame every 20 ms."""

    def __init__(self, config: WavLMConfig) -> None:
        super().__init__()
        widths = [1, *(channels for channels, _, _ in config.extractor_conv_layer_config)]
        self.conv_layers = nn.ModuleList(ConvLayer(config, number, widths[number]) for number in range(len(widths) - 1))
        self.dummy_weight = nn.Parameter(torch.ones(widths[-1]), requires_grad=False)  # left over from pruning

    def forward(self, waveforms: torch.Tensor) -> torch.Tensor:
        """Samples (batch, n) to features (batch, frames, channels)."""
        x = waveforms[:, None]
        for layer in self.conv_layers:
            x = layer(x)
        return x.transpose(1, 2) * self.dummy_weight


class ConvLayer(nn.Module):
    """A convolution, its norm if it has one, GELU."""

    def __init__(self, config: WavLMConfig, number: int, width: int) -> None:
        super().__init__()
        channels, kernel, stride = config.extractor_conv_layer_config[number]
        self.conv = nn.Conv1d(width, channels, kernel, stride, bias=config.extractor_conv_bias)
        self.layer_norm: nn.Module | None = None
        if config.extractor_mode == "layer_norm":
            self.layer_norm = ChannelNorm(channels)
        elif number == 0:
            self.layer_norm = nn.GroupNorm(channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape (batch, channels, time)."""
        x = self.conv(x)
        return functional.gelu(x if self.layer_norm is None else self.layer_norm(x))


class ChannelNorm(nn.LayerNorm):
    """Layer norm over the channels of (batch, channels, time)."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape (batch, channels, time)."""
        return super().forward(x.transpose(1, 2)).transpose(1, 2)


class Encoder(nn.Module):
    """Projection of the features, then the Transformer."""

    def __init__(self, config: WavLMConfig) -> None:
        super().__init__()
        self.feature_projection = FeatureProjection(config)
        self.transformer = Transformer(config)

    def forward(self, features: torch.Tensor) -> Iterator[torch.Tensor]:
        """Features (batch, frames, channels) to the layers' outputs."""
        layers: Iterator[torch.Tensor] = self.transformer(self.feature_projection(features))
        return layers


class FeatureProjection(nn.Module):
    """From the front end's width to the Transformer's."""

    def __init__(self, config: WavLMConfig) -> None:
        super().__init__()
        width = config.extractor_conv_layer_config[-1][0]
        self.layer_norm = nn.LayerNorm(width)
        self.projection = nn.Linear(width, config.encoder_embed_dim)
        self.dropout = nn.Dropout(config.encoder_projection_dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape (batch, frames, channels) to (batch, frames, width)."""
        return self.dropout(self.projection(self.layer_norm(x)))


class Transformer(nn.Module):
    """The layers, and what stands for absolute positions before them."""

    def __init__(self, config: WavLMConfig) -> None:
        super().__init__()
        self.config = config
        self.pos_conv_embed = PositionalConvolution(config)
        self.layer_norm = nn.LayerNorm(config.encoder_embed_dim)
        self.dropout = nn.Dropout(config.encoder_dropout)
        self.layers = nn.ModuleList(EncoderLayer(config, number) for number in range(config.encoder_num_layers))

    def forward(self, x: torch.Tensor) -> Iterator[torch.Tensor]:
        """What goes into the first layer, then what comes out of each."""
        x = x + self.pos_conv_embed(x)
        if not self.config.encoder_layer_norm_first:
            x = self.layer_norm(x)
        x = self.dropout(x)
        yield x
        first = self.layers[0].attention
        positions = None if first is None else first.positions(x.shape[1])
        for layer in self.layers:
            x = layer(x, positions)
            yield x


class PositionalConvolution(nn.Module):
    """A wide grouped convolution over frames."""

    def __init__(self, config: WavLMConfig) -> None:
        super().__init__()
        width, kernel = config.encoder_embed_dim, config.encoder_pos_conv_kernel
        conv = nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=config.encoder_pos_conv_groups)
        self.conv = nn.utils.parametrizations.weight_norm(conv, name="weight", dim=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape (batch, frames, width)."""
        found = self.conv(x.transpose(1, 2))[..., : x.shape[1]]  # an even kernel gives a frame too many
        return functional.gelu(found).transpose(1, 2)


class EncoderLayer(nn.Module):
    """Attention and feed-forward, either of which may be pruned away."""

    def __init__(self, config: WavLMConfig, number: int) -> None:
        super().__init__()
        self.norm_first = config.encoder_layer_norm_first
        self.attention = Attention(config, number) if config.heads(number) else None
        self.dropout = nn.Dropout(config.encoder_dropout)
        self.layer_norm = nn.LayerNorm(config.encoder_embed_dim)
        self.feed_forward = FeedForward(config, number) if config.has_feed_forward(number) else None
        self.final_layer_norm = nn.LayerNorm(config.encoder_embed_dim)

    def forward(self, x: torch.Tensor, positions: torch.Tensor | None) -> torch.Tensor:
        """Frames (batch, frames, width); positions (heads, frames, frames) of the first layer."""
        if self.norm_first:
            if self.attention is not None:
                x = x + self.dropout(self.attention(self.layer_norm(x), positions))
            return x if self.feed_forward is None else x + self.feed_forward(self.final_layer_norm(x))
        if self.attention is not None:
            x = x + self.dropout(self.attention(x, positions))
        x = self.layer_norm(x)
        return self.final_layer_norm(x if self.feed_forward is None else x + self.feed_forward(x))


class Attention(nn.Module):
    """Self-attention over the heads that are left; a gate of each frame scales its relative positions."""

    def __init__(self, config: WavLMConfig, number: int) -> None:
        super().__init__()
        self.heads, self.total = config.heads(number), config.total_heads(number)
        self.buckets, self.farthest = config.encoder_num_buckets, config.encoder_max_distance
        self.dropout = config.encoder_attention_dropout
        self.size = config.encoder_embed_dim // self.total
        width, inner = config.encoder_embed_dim, len(self.heads) * self.size
        self.k_proj, self.v_proj, self.q_proj = (nn.Linear(width, inner) for _ in range(3))
        self.out_proj = nn.Linear(inner, width)
        self.rel_attn_embed = nn.Embedding(self.buckets, self.total) if number == 0 else None
        self.gru_rel_pos_linear = nn.Linear(self.size, 8)
        self.gru_rel_pos_const = nn.Parameter(torch.ones(1, self.total, 1, 1))

    def forward(self, x: torch.Tensor, positions: torch.Tensor | None) -> torch.Tensor:
        """Shape (batch, frames, width)."""
        batch, frames, _ = x.shape
        q, k, v = (part(x).view(batch, frames, -1, self.size).transpose(1, 2) for part in (self.q_proj, self.k_proj, self.v_proj))
        mask = None if positions is None else self._gate(x) * positions[list(self.heads)]
        dropout = self.dropout if self.training else 0.0
        heard = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)
        return self.out_proj(heard.transpose(1, 2).reshape(batch, frames, -1))

    def positions(self, frames: int) -> torch.Tensor:
        """What the relative position of two frames adds to their score, shape (heads, frames, frames); first layer only."""
        assert self.rel_attn_embed is not None
        at = torch.arange(frames, device=self.rel_attn_embed.weight.device)
        return self.rel_attn_embed(_buckets(at[None] - at[:, None], self.buckets, self.farthest)).permute(2, 0, 1)

    def _gate(self, x: torch.Tensor) -> torch.Tensor:
        """Scale of the positions, shape (batch, heads, frames, 1)."""
        batch, frames, _ = x.shape
        heads = list(self.heads)
        own = x.view(batch, frames, self.total, self.size)[:, :, heads].transpose(1, 2)
        both = torch.sigmoid(self.gru_rel_pos_linear(own).view(batch, len(heads), frames, 2, 4).sum(-1))
        a, b = both[..., :1], both[..., 1:]
        return a * (b * self.gru_rel_pos_const[:, heads] - 1.0) + 2.0


class FeedForward(nn.Module):
    """Two linear layers with GELU between them."""

    def __init__(self, config: WavLMConfig, number: int) -> None:
        super().__init__()
        inner = config.encoder_ff_interm_features[number]
        self.intermediate_dense = nn.Linear(config.encoder_embed_dim, inner)
        self.intermediate_dropout = nn.Dropout(config.encoder_ff_interm_dropout)
        self.output_dense = nn.Linear(inner, config.encoder_embed_dim)
        self.output_dropout = nn.Dropout(config.encoder_dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape (batch, frames, width)."""
        inner = self.intermediate_dropout(functional.gelu(self.intermediate_dense(x)))
        return self.output_dropout(self.output_dense(inner))


def _buckets(distance: torch.Tensor, count: int, farthest: int) -> torch.Tensor:
    """Class of a signed distance in frames: exact up to a quarter of the classes, then logarithmic."""
    half, exact = count // 2, count // 4
    size = distance.abs()
    scale = (half - exact) / math.log(farthest / exact)
    far = exact + (torch.log(size.clamp(min=1) / exact) * scale).long()
    return (distance > 0) * half + torch.where(size < exact, size, far.clamp(max=half - 1))


def _tuple(value: Any) -> Any:
    return tuple(_tuple(item) for item in value) if isinstance(value, list | tuple) else value

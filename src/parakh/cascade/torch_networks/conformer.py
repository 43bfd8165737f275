"""A Conformer encoder: half feed-forward, self-attention, convolution, half feed-forward, each added to what went in.

Names of modules are those of DiariZen's checkpoints.

Source: Gulati et al., "Conformer: convolution-augmented Transformer for speech recognition" (Interspeech 2020), without
positions, as in DiariZen.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional


@dataclass(frozen=True)
class ConformerConfig:
    """The shape of a Conformer; fields are named as in DiariZen's configuration.

    Args:
        attention_in: Width.
        ffn_hidden: Width inside a feed-forward.
        num_head: Heads of the attention.
        num_layer: Layers.
        kernel_size: Frames of the depthwise convolution, odd.
        dropout: After each part and of attention weights.
    """

    attention_in: int = 256
    ffn_hidden: int = 1024
    num_head: int = 4
    num_layer: int = 4
    kernel_size: int = 31
    dropout: float = 0.1


class Conformer(nn.Module):
    """The layers, one after the other."""

    def __init__(self, config: ConformerConfig) -> None:
        super().__init__()
        self.conformer_layer = nn.ModuleList(Layer(config) for _ in range(config.num_layer))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Frames, shape (batch, frames, width)."""
        for layer in self.conformer_layer:
            x = layer(x)
        return x


class Layer(nn.Module):
    """One layer."""

    def __init__(self, config: ConformerConfig) -> None:
        super().__init__()
        self.ffn1 = FeedForward(config)
        self.mha = SelfAttention(config)
        self.conv = Convolution(config)
        self.ffn2 = FeedForward(config)
        self.ln_norm = nn.LayerNorm(config.attention_in)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Frames, shape (batch, frames, width)."""
        x = x + 0.5 * self.ffn1(x)
        x = x + self.mha(x)
        x = x + self.conv(x)
        return self.ln_norm(x + 0.5 * self.ffn2(x))


class FeedForward(nn.Module):
    """Two linear layers with SiLU between them."""

    def __init__(self, config: ConformerConfig) -> None:
        super().__init__()
        self.ln_norm = nn.LayerNorm(config.attention_in)
        self.w_1 = nn.Linear(config.attention_in, config.ffn_hidden)
        self.w_2 = nn.Linear(config.ffn_hidden, config.attention_in)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Frames, shape (batch, frames, width)."""
        return self.dropout(self.w_2(self.dropout(functional.silu(self.w_1(self.ln_norm(x))))))


class SelfAttention(nn.Module):
    """Self-attention over normalised frames."""

    def __init__(self, config: ConformerConfig) -> None:
        super().__init__()
        self.ln_norm = nn.LayerNorm(config.attention_in)
        self.mha = Heads(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Frames, shape (batch, frames, width)."""
        return self.dropout(self.mha(self.ln_norm(x)))


class Heads(nn.Module):
    """Scaled dot-product attention."""

    def __init__(self, config: ConformerConfig) -> None:
        super().__init__()
        width = config.attention_in
        self.count, self.dropout = config.num_head, config.dropout
        self.linearQ, self.linearK, self.linearV, self.linearO = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Frames, shape (batch, frames, width)."""
        batch, frames, width = x.shape
        parts = (self.linearQ, self.linearK, self.linearV)
        q, k, v = (part(x).view(batch, frames, self.count, -1).transpose(1, 2) for part in parts)
        heard = functional.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout if self.training else 0.0)
        return self.linearO(heard.transpose(1, 2).reshape(batch, frames, width))


class Convolution(nn.Module):
    """Gated pointwise, depthwise and pointwise convolution over frames."""

    def __init__(self, config: ConformerConfig) -> None:
        super().__init__()
        width, kernel = config.attention_in, config.kernel_size
        self.ln_norm = nn.LayerNorm(width)
        self.pointwise_conv1 = nn.Conv1d(width, 2 * width, 1)
        self.depthwise_conv = nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=width)
        self.bn_norm = nn.BatchNorm1d(width)
        self.pointwise_conv2 = nn.Conv1d(width, width, 1)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Frames, shape (batch, frames, width)."""
        x = functional.glu(self.pointwise_conv1(self.ln_norm(x).transpose(1, 2)), dim=1)
        x = functional.silu(self.bn_norm(self.depthwise_conv(x)))
        return self.dropout(self.pointwise_conv2(x)).transpose(1, 2)

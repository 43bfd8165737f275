"""The network: a Transformer with sinusoidal positions, as functions of named tensors, and its beam search.

The layers are those of M2M-100; what the published configuration switches is followed: normalisation before or after a block, a
normalisation of embeddings, tied output. Source: modeling_indictrans.py of the IndicTrans2 repository; "Attention Is All You
Need" (2017); beam search as ``generate`` of transformers 5 without early stopping.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PAD, EOS = 1, 2

_FIRST = 2
"""Position of the first token; padding has none."""


@dataclass
class _Cache:
    """Keys and values of what was decoded, and of the encoder, by the name of their attention."""

    own: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    cross: dict[str, tuple[Any, Any]] = field(default_factory=dict)


class Network:
    """The network over loaded tensors.

    Args:
        torch: The package.
        tensors: By the names of the published checkpoint.
        config: Its ``config.json``.
    """

    def __init__(self, torch: Any, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        self._torch, self._tensors, self._config = torch, tensors, config
        self._activation = {"relu": torch.nn.functional.relu, "gelu": torch.nn.functional.gelu}[config["activation_function"]]
        self._like = tensors["model.encoder.embed_tokens.weight"]
        self.check()

    def check(self) -> None:
        """See that the tensors of every layer are there.

        Raises:
            KeyError: One is missing; its name.
        """
        for side in ("encoder", "decoder"):
            for layer in range(self._config[f"{side}_layers"]):
                for block in ("self_attn.q_proj", "fc1", "fc2", "final_layer_norm"):
                    _ = self._tensors[f"model.{side}.layers.{layer}.{block}.weight"]

    def translated(self, sources: Sequence[Sequence[int]], beam: int, longest: int) -> list[list[int]]:
        """The tokens of each source's translation, by beam search.

        Args:
            sources: Token ids, ended by ``EOS``.
            beam: Beam width.
            longest: Most tokens of a translation, its end included.
        """
        torch = self._torch
        width = max(len(source) for source in sources)
        ids = torch.tensor([[PAD] * (width - len(source)) + list(source) for source in sources], device=self._like.device)
        with torch.inference_mode():
            encoded, mask = self._encoded(ids), ids.ne(PAD)[:, None, None, :]
            rows = torch.arange(len(sources), device=ids.device).repeat_interleave(beam)
            return self._searched(encoded[rows], mask[rows], beam, longest)

    def _searched(self, encoded: Any, mask: Any, beam: int, longest: int) -> list[list[int]]:
        torch = self._torch
        count = len(encoded) // beam
        cache = _Cache()
        tokens = torch.full((count * beam, 1), EOS, device=encoded.device)
        scores = torch.full((count, beam), -1e9, device=encoded.device)
        scores[:, 0] = 0.0
        ended: list[list[tuple[float, list[int]]]] = [[] for _ in range(count)]
        for length in range(1, longest + 1):
            logits = self._decoded(tokens, encoded, mask, cache)
            logs = logits.float().log_softmax(dim=-1).view(count, beam, -1) + scores[:, :, None]
            best, found = logs.flatten(1).topk(2 * beam, dim=1)
            origin, token = found // logs.shape[-1], found % logs.shape[-1]
            is_end = token.eq(EOS)
            for row in range(count):
                for rank in is_end[row, :beam].nonzero().flatten().tolist():
                    said = tokens[row * beam + int(origin[row, rank]), 1:].tolist()
                    ended[row] = sorted([*ended[row], (float(best[row, rank]) / length, said)], key=lambda one: -one[0])[:beam]
            scores, chosen = best.masked_fill(is_end, -1e9).topk(beam, dim=1)
            rows = (origin.gather(1, chosen) + torch.arange(count, device=found.device)[:, None] * beam).flatten()
            tokens = torch.cat([tokens[rows], token.gather(1, chosen).view(-1, 1)], dim=1)
            cache.own = {name: (keys[rows], values[rows]) for name, (keys, values) in cache.own.items()}
            if all(len(ended[row]) == beam and float(scores[row, 0]) / length <= ended[row][-1][0] for row in range(count)):
                break
        running = [(float(scores[row, 0]) / length, tokens[row * beam, 1:].tolist()) for row in range(count)]
        return [max([*ended[row], running[row]] if len(ended[row]) < beam else ended[row])[1] for row in range(count)]

    def _encoded(self, ids: Any) -> Any:
        mask = ids.ne(PAD)[:, None, None, :]
        real = ids.ne(PAD).long()
        state = self._embedded("model.encoder", ids, real.cumsum(1) * real + PAD)
        for layer in range(self._config["encoder_layers"]):
            name = f"model.encoder.layers.{layer}"
            state = self._block("encoder", f"{name}.self_attn_layer_norm", state, lambda x, n=name: self._attended(n, x, mask))
            state = self._block("encoder", f"{name}.final_layer_norm", state, lambda x, n=name: self._fed(n, x))
        return self._norm("model.encoder.layer_norm", state) if self._config["encoder_normalize_before"] else state

    def _decoded(self, tokens: Any, encoded: Any, mask: Any, cache: _Cache) -> Any:
        """Logits after the last token; those before it are in the cache."""
        place = self._torch.full((len(tokens), 1), tokens.shape[1] - 1 + _FIRST, device=tokens.device)
        state = self._embedded("model.decoder", tokens[:, -1:], place)
        for layer in range(self._config["decoder_layers"]):
            name = f"model.decoder.layers.{layer}"
            state = self._block(
                "decoder", f"{name}.self_attn_layer_norm", state, lambda x, n=name: self._attended(n, x, None, cache.own)
            )
            state = self._block(
                "decoder", f"{name}.encoder_attn_layer_norm", state, lambda x, n=name: self._crossed(n, x, encoded, mask, cache)
            )
            state = self._block("decoder", f"{name}.final_layer_norm", state, lambda x, n=name: self._fed(n, x))
        if self._config["decoder_normalize_before"]:
            state = self._norm("model.decoder.layer_norm", state)
        tied = self._config.get("share_decoder_input_output_embed") or "lm_head.weight" not in self._tensors
        return state[:, -1] @ self._tensors["model.decoder.embed_tokens.weight" if tied else "lm_head.weight"].T

    def _embedded(self, side: str, ids: Any, places: Any) -> Any:
        weight = self._tensors[f"{side}.embed_tokens.weight"]
        scale = math.sqrt(weight.shape[1]) if self._config.get("scale_embedding", True) else 1.0
        state = weight[ids] * scale + positions(self._torch, places, weight.shape[1]).to(weight.dtype)
        return self._norm(f"{side}.layernorm_embedding", state) if self._config.get("layernorm_embedding") else state

    def _block(self, side: str, norm: str, state: Any, work: Any) -> Any:
        if self._config[f"{side}_normalize_before"]:
            return state + work(self._norm(norm, state))
        return self._norm(norm, state + work(state))

    def _attended(self, name: str, state: Any, mask: Any, before: dict[str, tuple[Any, Any]] | None = None) -> Any:
        keys, values = (self._heads(name, self._linear(f"{name}.self_attn.{part}_proj", state)) for part in "kv")
        if before is not None:
            if name in before:
                keys, values = (self._torch.cat(pair, dim=2) for pair in zip(before[name], (keys, values), strict=True))
            before[name] = keys, values
        return self._weighed(f"{name}.self_attn", name, state, keys, values, mask)

    def _crossed(self, name: str, state: Any, encoded: Any, mask: Any, cache: _Cache) -> Any:
        if name not in cache.cross:
            keys, values = (self._heads(name, self._linear(f"{name}.encoder_attn.{part}_proj", encoded)) for part in "kv")
            cache.cross[name] = keys, values
        return self._weighed(f"{name}.encoder_attn", name, state, *cache.cross[name], mask)

    def _weighed(self, attention: str, name: str, state: Any, keys: Any, values: Any, mask: Any) -> Any:
        asked = self._heads(name, self._linear(f"{attention}.q_proj", state))
        seen = self._torch.nn.functional.scaled_dot_product_attention(asked, keys, values, attn_mask=mask)
        return self._linear(f"{attention}.out_proj", seen.transpose(1, 2).flatten(2))

    def _fed(self, name: str, state: Any) -> Any:
        return self._linear(f"{name}.fc2", self._activation(self._linear(f"{name}.fc1", state)))

    def _heads(self, name: str, state: Any) -> Any:
        heads = self._config[f"{name.split('.')[1]}_attention_heads"]
        return state.unflatten(2, (heads, -1)).transpose(1, 2)

    def _linear(self, name: str, state: Any) -> Any:
        return self._torch.nn.functional.linear(state, self._tensors[f"{name}.weight"], self._tensors[f"{name}.bias"])

    def _norm(self, name: str, state: Any) -> Any:
        weight = self._tensors[f"{name}.weight"]
        return self._torch.nn.functional.layer_norm(state, weight.shape, weight, self._tensors[f"{name}.bias"])


def positions(torch: Any, places: Any, width: int) -> Any:
    """Sines, then cosines, of positions; zero for padding, shape (..., width).

    Args:
        torch: The package.
        places: Whole numbers; that of padding is ``PAD``.
        width: An even number.
    """
    half = width // 2
    rates = torch.exp(torch.arange(half, device=places.device).float() * -(math.log(10000) / (half - 1)))
    angles = places[..., None].float() * rates
    return torch.cat([angles.sin(), angles.cos()], dim=-1) * places.ne(PAD)[..., None]

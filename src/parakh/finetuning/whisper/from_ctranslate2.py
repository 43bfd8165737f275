"""A Whisper that was written for CTranslate2, as the model of transformers that it was made from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from parakh.errors import ModelError
from parakh.models.ctranslate2_file import Array, read_specification

_NAMES = {
    "embeddings/weight": "embed_tokens.weight",
    "position_encodings/encodings": "embed_positions.weight",
    "ffn/layer_norm": "final_layer_norm",
    "ffn/linear_0": "fc1",
    "ffn/linear_1": "fc2",
    "self_attention/layer_norm": "self_attn_layer_norm",
    "attention/layer_norm": "encoder_attn_layer_norm",
    "gamma": "weight",
    "beta": "bias",
}
"""Parts of names that are written otherwise."""

_FUSED = {
    "self_attention/linear_0": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "self_attention/linear_1": ("self_attn.out_proj",),
    "attention/linear_0": ("encoder_attn.q_proj",),
    "attention/linear_1": ("encoder_attn.k_proj", "encoder_attn.v_proj"),
    "attention/linear_2": ("encoder_attn.out_proj",),
}
"""Projections that are written as one matrix, their rows one after the other."""


def is_ctranslate2(folder: Path) -> bool:
    """Whether a folder has a model of CTranslate2."""
    return (folder / "model.bin").is_file() and not any(folder.glob("*.safetensors"))


def configuration(folder: Path) -> dict[str, Any]:
    """The configuration of transformers for a Whisper of CTranslate2, from the shapes of its weights.

    Raises:
        ModelError: It is no Whisper.
    """
    return _configuration(_variables(folder), folder)


def rebuilt(folder: Path) -> Any:
    """The model as ``WhisperForConditionalGeneration`` in float32.

    Raises:
        ModelError: It is no Whisper, or lacks weights.
    """
    import torch
    import transformers

    variables = _variables(folder)
    config = transformers.WhisperConfig(**_configuration(variables, folder))
    with torch.device("meta"):
        model = transformers.WhisperForConditionalGeneration(config)
    state = {name: torch.from_numpy(np.array(array, np.float32)) for name, array in state_of(variables).items()}
    state["proj_out.weight"] = state["model.decoder.embed_tokens.weight"]
    wrong = sorted({*model.state_dict()} ^ {*state})
    if wrong:
        raise ModelError(f"weights {folder}: found other weights than those of a Whisper ({wrong[0]}), expected its own.")
    model.load_state_dict(state, assign=True)
    model.tie_weights()
    model.generation_config = _generation(folder, config)
    return model


def state_of(variables: dict[str, Array]) -> dict[str, Array]:
    """The weights under transformers' names.

    >>> sorted(state_of({"decoder/layer_0/attention/linear_1/weight": np.zeros((4, 2), np.float32)}))
    ['model.decoder.layers.0.encoder_attn.k_proj.weight', 'model.decoder.layers.0.encoder_attn.v_proj.weight']
    """
    state: dict[str, Array] = {}
    for name, array in variables.items():
        if array.ndim == 0 or name == "decoder/projection/weight":
            continue  # settings of CTranslate2, and the embeddings a second time
        side, rest = name.split("/", 1)
        rest = re.sub(r"^layer_(\d+)/", r"layers.\1.", rest)
        stem, kind = rest.rsplit("/", 1)
        layer, _, part = stem.rpartition(".")
        if part in _FUSED:
            for target, piece in zip(_FUSED[part], np.split(array, len(_FUSED[part])), strict=True):
                if not (kind == "bias" and target.endswith("k_proj")):  # keys have none; CTranslate2 writes zeros
                    state[f"model.{side}.{layer}.{target}.{kind}"] = piece
            continue
        for ours, theirs in _NAMES.items():
            rest = re.sub(rf"(^|[./]){ours}($|/)", rf"\1{theirs}\2", rest)
        state[f"model.{side}.{rest.replace('/', '.')}"] = array
    return state


def _variables(folder: Path) -> dict[str, Array]:
    name, variables = read_specification(folder / "model.bin")
    if name != "WhisperSpec":
        raise ModelError(f"weights {folder}: found a model of CTranslate2 called {name}, expected a Whisper.")
    return variables


def _configuration(variables: dict[str, Array], folder: Path) -> dict[str, Any]:
    try:
        width, mel_bins, _ = variables["encoder/conv1/weight"].shape
        layers = {
            side: 1 + max(int(match[1]) for name in variables if (match := re.match(rf"{side}/layer_(\d+)/", name)))
            for side in ("encoder", "decoder")
        }
        return {
            "vocab_size": len(variables["decoder/embeddings/weight"]),
            "num_mel_bins": mel_bins,
            "d_model": width,
            "encoder_layers": layers["encoder"],
            "decoder_layers": layers["decoder"],
            "encoder_attention_heads": int(variables["encoder/num_heads"]),
            "decoder_attention_heads": int(variables["decoder/num_heads"]),
            "encoder_ffn_dim": len(variables["encoder/layer_0/ffn/linear_0/weight"]),
            "decoder_ffn_dim": len(variables["decoder/layer_0/ffn/linear_0/weight"]),
            "max_source_positions": len(variables["encoder/position_encodings/encodings"]),
            "max_target_positions": len(variables["decoder/position_encodings/encodings"]),
            **_special(folder),
        }
    except (KeyError, ValueError) as error:
        raise ModelError(f"weights {folder}: found no {error} in model.bin, expected a Whisper.") from error


def _special(folder: Path) -> dict[str, int]:
    """Numbers of the tokens that begin and end a text."""
    told = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    numbers = {one["content"]: int(one["id"]) for one in told.get("added_tokens", [])} | dict(told["model"]["vocab"])
    end, start = int(numbers["<|endoftext|>"]), int(numbers["<|startoftranscript|>"])
    return {"bos_token_id": end, "eos_token_id": end, "pad_token_id": end, "decoder_start_token_id": start}


def _generation(folder: Path, config: Any) -> Any:
    """How text is generated, from CTranslate2's ``config.json``."""
    import transformers

    told = json.loads((folder / "config.json").read_text("utf-8"))
    tokens = json.loads((folder / "tokenizer.json").read_text("utf-8")).get("added_tokens", [])
    numbers = {one["content"]: int(one["id"]) for one in tokens}
    languages = {token: number for token, number in numbers.items() if number in set(told.get("lang_ids", []))}
    return transformers.GenerationConfig(
        bos_token_id=config.bos_token_id,
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
        decoder_start_token_id=config.decoder_start_token_id,
        suppress_tokens=told.get("suppress_ids"),
        begin_suppress_tokens=told.get("suppress_ids_begin"),
        alignment_heads=told.get("alignment_heads"),
        is_multilingual=bool(languages),
        lang_to_id=languages,
        task_to_id={name: numbers[f"<|{name}|>"] for name in ("transcribe", "translate") if f"<|{name}|>" in numbers},
        no_timestamps_token_id=numbers.get("<|notimestamps|>"),
        prev_sot_token_id=numbers.get("<|startofprev|>"),
        max_length=config.max_target_positions,
    )

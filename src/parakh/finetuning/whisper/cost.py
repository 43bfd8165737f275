"""What fine-tuning a Whisper would cost."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.whisper.features import FRAME
from parakh.finetuning import loop
from parakh.finetuning.examples import Laid, lay_out
from parakh.finetuning.memory import Cost, transformer_activations
from parakh.finetuning.recipe import Run, Size
from parakh.finetuning.store import ArrayStore
from parakh.finetuning.whisper import model
from parakh.finetuning.whisper.features import length

_WEIGHTS = ("*.safetensors", "*.bin")


def cost(run: Run, recipe: Any) -> Size:
    """Memory, disk and time of a run; two steps are timed where the weights are there.

    Raises:
        ModelError: There is not even a configuration of the model.
        MissingPackageError: A package is not installed.
    """
    folder = model.find(run.weights)
    sizes = model.dimensions(folder)
    laid = _laid(run, recipe, folder)
    examples = sum(len(one.examples) for one in laid)
    frames = length(int(recipe.longest * SAMPLE_RATE), recipe.full_window) // FRAME
    steps = loop.steps_of(max(1, examples), recipe)
    step, features = _timed(run, recipe, examples) if any(any(folder.glob(one)) for one in _WEIGHTS) else (None, None)
    encoder, decoder = encoder_parameters(sizes), decoder_parameters(sizes)
    trained = trained_parameters(sizes, recipe)
    kept = frames * sizes["d_model"] if recipe.freeze_encoder else 2 * frames * sizes["mel_bins"]
    tokens = sizes["positions"] * recipe.batch
    heard = 0 if recipe.freeze_encoder else encoder * frames * recipe.batch
    return Cost(
        examples=examples,
        left_out=sum(one.turns_left_out for one in laid),
        parameters=encoder + decoder,
        trained=trained,
        activations=_activations(sizes, recipe, frames * recipe.batch, tokens),
        features=2 * kept * examples,
        steps=steps,
        operations=6.0 * recipe.accumulation * (decoder * tokens + heard),
        step_seconds=step,
        feature_seconds=features,
    ).size()


def encoder_parameters(sizes: Mapping[str, int]) -> int:
    """Weights of the encoder, biases and norms left out.

    >>> encoder_parameters({"d_model": 512, "encoder_layers": 6, "ffn": 2048, "mel_bins": 80, "frames": 1500})
    20551680
    """
    width = sizes["d_model"]
    layer = 4 * width**2 + 2 * width * sizes["ffn"]
    return sizes["encoder_layers"] * layer + 3 * width * (width + sizes["mel_bins"]) + sizes["frames"] * width


def decoder_parameters(sizes: Mapping[str, int]) -> int:
    """Weights of the decoder, biases and norms left out."""
    width = sizes["d_model"]
    layer = 8 * width**2 + 2 * width * sizes["ffn"]
    return sizes["decoder_layers"] * layer + (sizes["vocabulary"] + sizes["positions"]) * width


def trained_parameters(sizes: Mapping[str, int], recipe: Any) -> int:
    """Weights that a recipe trains: the adapter's, or all but those that are frozen."""
    if not recipe.lora_rank:
        return decoder_parameters(sizes) + (0 if recipe.freeze_encoder else encoder_parameters(sizes))
    width, ffn = sizes["d_model"], sizes["ffn"]
    projections = 8 * sizes["decoder_layers"] + (0 if recipe.freeze_encoder else 4 * sizes["encoder_layers"])
    wide = 2 * (sizes["decoder_layers"] + (0 if recipe.freeze_encoder else sizes["encoder_layers"]))
    return int(recipe.lora_rank) * (projections * 2 * width + wide * (width + ffn))


def _activations(sizes: Mapping[str, int], recipe: Any, frames: int, tokens: int) -> int:
    again = recipe.gradient_checkpointing
    decoder = transformer_activations(tokens, sizes["d_model"], sizes["decoder_layers"], again)
    encoder = 0 if recipe.freeze_encoder else transformer_activations(frames, sizes["d_model"], sizes["encoder_layers"], again)
    logits = 0 if recipe.seen_tokens_only else 12 * tokens * sizes["vocabulary"]  # they, their softmax and its gradient
    return decoder + encoder + logits


def _laid(run: Run, recipe: Any, folder: Path) -> list[Laid]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    most = model.dimensions(folder)["positions"] - 5

    def count(text: str) -> int:
        return len(tokenizer.encode(f" {text}", add_special_tokens=False).ids)

    return [lay_out(one.turns, one.seconds, recipe.longest, count, most) for one in run.train.conversations]


def _timed(run: Run, recipe: Any, examples: int) -> tuple[float, float]:
    """Seconds of a step, and of computing all features."""
    job = recipe.job(run, ArrayStore(None), lambda step: None)
    began = time.perf_counter()
    first = run.train.conversations[0].session_id
    heard = len(job.features_of(first))
    features = (time.perf_counter() - began) / max(1, heard) * examples
    return loop.seconds_a_step(job, recipe), features

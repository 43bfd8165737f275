"""What fine-tuning a powerset network would cost."""

from __future__ import annotations

from typing import Any

from parakh.audio.decode import SAMPLE_RATE
from parakh.finetuning import loop
from parakh.finetuning.diarization.chunks import starts
from parakh.finetuning.memory import Cost, transformer_activations
from parakh.finetuning.recipe import Run, Size
from parakh.finetuning.store import ArrayStore
from parakh.models import weights


def cost(run: Run, recipe: Any) -> Size:
    """Memory, disk and time of a run; two steps are timed where the weights are there.

    Raises:
        ModelError: There is not even a configuration of the network.
    """
    import torch

    from parakh.cascade.torch_networks import eend

    folder = weights.find(run.weights, (eend.CONFIG,))
    with torch.device("meta"):
        network = eend.Eend(eend.read_config(folder))
    counts = {name: one.numel() for name, one in network.named_parameters()}
    frozen = sum(count for name, count in counts.items() if name.startswith("wavlm_model.") and not recipe.wavlm_learning_rate)
    length, shift = round(recipe.chunk * SAMPLE_RATE), round(recipe.shift * SAMPLE_RATE)
    chunks = sum(len(starts(round(one.seconds * SAMPLE_RATE), length, shift)) for one in run.train.conversations)
    seconds = run.train.seconds + run.dev.seconds
    tokens = recipe.batch * network.frames(length)
    shape = network.config
    activations = transformer_activations(tokens, shape.wavlm.encoder_embed_dim, shape.wavlm.encoder_num_layers, False)
    activations += transformer_activations(tokens, shape.conformer.attention_in, 2 * shape.conformer.num_layer, False)
    return Cost(
        examples=chunks,
        left_out=0,
        parameters=sum(counts.values()),
        trained=sum(counts.values()) - frozen,
        activations=activations + _convolutions(shape.wavlm.extractor_conv_layer_config, length) * recipe.batch,
        features=round(2 * SAMPLE_RATE * seconds),
        steps=loop.steps_of(chunks, recipe),
        operations=6.0 * sum(counts.values()) * tokens * recipe.accumulation,
        step_seconds=_timed(run, recipe) if (folder / eend.WEIGHTS).is_file() else None,
    ).size()


def _convolutions(layers: Any, samples: int) -> int:
    """Bytes that the convolutions on the waveform keep: output, norm and activation of each, in float32."""
    kept = 0
    for width, kernel, stride in layers:
        samples = (samples - kernel) // stride + 1
        kept += 3 * 4 * width * samples
    return kept


def _timed(run: Run, recipe: Any) -> float:
    return loop.seconds_a_step(recipe.job(run, ArrayStore(None), lambda step: None), recipe)

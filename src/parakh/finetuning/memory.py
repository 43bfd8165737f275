"""What training takes of memory and time, from counts of parameters and the two steps that were timed."""

from __future__ import annotations

from dataclasses import dataclass

from parakh.errors import as_bytes
from parakh.finetuning.amounts import as_count, as_time
from parakh.finetuning.recipe import Size

_FLOAT = 4
"""Bytes of a float32."""


@dataclass(frozen=True)
class Cost:
    """The parts of a run's cost.

    Args:
        examples: Training windows or chunks.
        left_out: Turns that are in none of them.
        parameters: Of the whole model.
        trained: Parameters that are trained.
        activations: Bytes that one batch keeps for the backward pass.
        features: Bytes of kept features on disk.
        steps: Steps of the whole run.
        operations: Floating point operations of one step.
        step_seconds: Of a step timed here; None where the weights are not there.
        feature_seconds: To compute all features; None likewise.
    """

    examples: int
    left_out: int
    parameters: int
    trained: int
    activations: int
    features: int
    steps: int
    operations: float
    step_seconds: float | None = None
    feature_seconds: float | None = None

    @property
    def memory(self) -> int:
        """Bytes of weights, gradients, AdamW's two moments, and activations, all in float32."""
        return _FLOAT * (self.parameters + 3 * self.trained) + self.activations

    def size(self) -> Size:
        """As people and programs read it."""
        lines = [
            ("training examples", f"{self.examples:,}"),
            ("turns left out", f"{self.left_out:,}"),
            ("parameters", f"{as_count(self.parameters)}, trained {as_count(self.trained)}"),
            ("memory: weights", as_bytes(_FLOAT * self.parameters)),
            ("memory: gradients", as_bytes(_FLOAT * self.trained)),
            ("memory: optimizer", as_bytes(2 * _FLOAT * self.trained)),
            ("memory: activations", f"about {as_bytes(self.activations)} a batch"),
            ("memory: in all", f"about {as_bytes(self.memory)}"),
            ("disk: features", as_bytes(self.features)),
            ("disk: a checkpoint", as_bytes(3 * _FLOAT * self.trained)),
            ("steps", f"{self.steps:,}"),
            *self._times(),
        ]
        values = {name: value for name, value in vars(self).items() if value is not None}
        return Size(tuple(lines), {**values, "memory": self.memory})

    def _times(self) -> list[tuple[str, str]]:
        if self.step_seconds is None:
            told = f"{self.operations * self.steps:.1e} floating point operations; the weights are not here, so none was timed"
            return [("time", told)]
        features = self.feature_seconds or 0.0
        steps = self.step_seconds * self.steps
        return [
            ("time: features", as_time(features)),
            ("time: steps", f"{as_time(steps)} ({self.step_seconds:.2f} s each, two were timed)"),
            ("time: in all", f"{as_time(features + steps)} and the scores on the dev split"),
        ]


def transformer_activations(tokens: int, width: int, layers: int, checkpointing: bool) -> int:
    """Bytes in float32 that transformer layers keep for the backward pass, attention matrices not among them.

        68 x tokens x width x layers, and 4 x tokens x width x layers where they are computed again

    Args:
        tokens: Of the whole batch.
        width: Of the model.
        layers: Number of layers.
        checkpointing: Whether activations are computed again.

    Source: Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models" (2022), equation 2, twice as it
        counts 16 bits.

    >>> transformer_activations(1500, 512, 6, False) / 1e6
    313.344
    """
    return (4 if checkpointing else 68) * tokens * width * layers

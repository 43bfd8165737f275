"""What a recipe is, and the options that those share which train in this process.

A recipe is a module of ``recipes/`` with ``TRACK`` (what the trained model answers) and a frozen dataclass ``Recipe``: its fields
are its options, as written in the configuration. ``ready`` raises what would keep it from working here, with the command that
mends it; ``size`` says what a run would cost and writes nothing; ``train`` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from parakh.cascade.devices import DEVICE, is_device
from parakh.cascade.options import require
from parakh.finetuning.material import Split
from parakh.finetuning.schedule import SCHEDULES

PRECISIONS = ("auto", "float32", "bfloat16")


@dataclass(frozen=True)
class Run:
    """One fine-tuning as its configuration asks for it.

    Args:
        path: The configuration's file, for messages.
        name: The recipe's name.
        recipe: The recipe with its options.
        weights: What is fine-tuned: a folder, ``org/name`` or a model of the store.
        data: The data set's folder.
        out: Where everything goes.
        train: Recordings to train on.
        dev: Recordings to score on.
        settings: All of the configuration as given, for the run card.
        data_sha256: Checksum of the manifest and of the files that are used.
        data_licence: Licence of the data set; "" where it states none.
    """

    path: str
    name: str
    recipe: Any
    weights: str
    data: Path
    out: Path
    train: Split
    dev: Split
    settings: Mapping[str, object]
    data_sha256: str
    data_licence: str = ""


@dataclass(frozen=True)
class Step:
    """What a run tells while it goes on.

    Args:
        step: Steps taken.
        total: Steps of the whole run.
        loss: Of this step; None where there is none to tell.
        score: On the dev split, a ratio; None between evaluations.
        seconds_left: Estimate; None when unknown.
        note: What is being done, where it is no step.
    """

    step: int
    total: int
    loss: float | None = None
    score: float | None = None
    seconds_left: float | None = None
    note: str = ""


Tell = Callable[[Step], None]


@dataclass(frozen=True)
class Size:
    """What a run would cost.

    Args:
        lines: ``(what, amount)`` as people read it.
        values: The same as numbers: bytes, seconds, counts.
    """

    lines: tuple[tuple[str, str], ...]
    values: Mapping[str, float | str] = field(default_factory=dict)


class Recipe(Protocol):
    """How a model is fine-tuned."""

    def ready(self, run: Run) -> None:
        """Raise what would keep the run from working: a missing package, weights that are nowhere, a device."""
        ...

    def size(self, run: Run) -> Size:
        """What the run would cost; writes nothing."""
        ...

    def train(self, run: Run, tell: Tell, *, resume: bool) -> Mapping[str, object]:
        """Train and write the outcome to ``run.out``; returns what the run card says of it."""
        ...


@dataclass(frozen=True)
class Training:
    """Options of every recipe that trains in this process.

    Args:
        seed: Of the order of examples and of everything random.
        epochs: Most passes over the training split.
        batch: Examples that are computed together.
        accumulation: Batches to one step of the optimizer.
        learning_rate: Highest learning rate.
        schedule: "one_cycle", "linear", "cosine" or "constant".
        warmup: Share of the steps over which the learning rate rises.
        weight_decay: Of AdamW.
        clip: Largest norm of the gradient; 0 leaves it as it is.
        evaluate_every: Steps between scores on the dev split; 0 scores after each pass.
        save_every: Steps between checkpoints; 0 saves with each score.
        patience: Scores in a row without a better one after which training stops; 0 never stops.
        average: Number of best checkpoints whose mean becomes the outcome.
        device: "auto", "cpu", "cuda", "cuda:N" or "mps".
        precision: "float32", "bfloat16", or "auto": bfloat16 where the GPU has it.
        gradient_checkpointing: Compute activations twice instead of keeping them: less memory, a third more time.
    """

    seed: int = 1
    epochs: int = 3
    batch: int = 8
    accumulation: int = 1
    learning_rate: float = 1e-5
    schedule: str = "linear"
    warmup: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    evaluate_every: int = 0
    save_every: int = 0
    patience: int = 3
    average: int = 1
    device: str = "auto"
    precision: str = "auto"
    gradient_checkpointing: bool = False

    def __post_init__(self) -> None:
        """Refuse what is out of range."""
        require("recipe", self, self.rules())

    def rules(self) -> dict[str, tuple[bool, str]]:
        """Whether each option is right, and what is expected."""
        counts = {
            name: (getattr(self, name) >= 1, "a whole number >= 1") for name in ("epochs", "batch", "accumulation", "average")
        }
        pauses = ("seed", "evaluate_every", "save_every", "patience")
        return {
            **counts,
            **{name: (getattr(self, name) >= 0, "a whole number >= 0") for name in pauses},
            "learning_rate": (0 < self.learning_rate <= 1, "a number in (0, 1]"),
            "schedule": (self.schedule in SCHEDULES, f"one of {', '.join(SCHEDULES)}"),
            "warmup": (0 <= self.warmup < 1, "a number in [0, 1)"),
            "weight_decay": (self.weight_decay >= 0, "a number >= 0"),
            "clip": (self.clip >= 0, "a number >= 0"),
            "device": (is_device(self.device), DEVICE),
            "precision": (self.precision in PRECISIONS, f"one of {', '.join(PRECISIONS)}"),
        }

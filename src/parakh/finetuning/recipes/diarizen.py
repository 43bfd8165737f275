"""DiariZen's segmentation on the turns of conversations, as its authors train it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from parakh.cascade.devices import torch_device
from parakh.finetuning import loop
from parakh.finetuning.recipe import Run, Size, Step, Tell, Training
from parakh.finetuning.store import ArrayStore
from parakh.models import weights
from parakh.packages import imported

TRACK = "diarization"

_WANTED_BY = "recipe 'diarizen'"


@dataclass(frozen=True)
class Recipe(Training):
    """Trains WavLM slowly and the rest fast, on overlapping chunks; the outcome is the mean of the five best checkpoints.

    The dev split is scored chunk by chunk, without the clustering that joins them. Written is ``model/``, which the diarizer
    ``diarizen`` takes as its ``weights``.

    Args:
        wavlm_learning_rate: Highest learning rate of WavLM; 0 leaves it as it is.
        chunk: Seconds of a chunk.
        shift: Seconds from one chunk to the next.
    """

    epochs: int = 20
    batch: int = 16
    learning_rate: float = 1e-3
    schedule: str = "constant"
    warmup: float = 0.05
    patience: int = 5
    average: int = 5
    wavlm_learning_rate: float = 2e-5
    chunk: float = 8.0
    shift: float = 6.0

    def rules(self) -> dict[str, tuple[bool, str]]:
        """Whether each option is right, and what is expected."""
        return {
            **super().rules(),
            "wavlm_learning_rate": (0 <= self.wavlm_learning_rate <= 1, "a number in [0, 1]"),
            "chunk": (1 <= self.chunk <= 60, "seconds from 1 to 60"),
            "shift": (0.1 <= self.shift <= self.chunk, "seconds from 0.1 to chunk"),
            "gradient_checkpointing": (not self.gradient_checkpointing, "false with this recipe"),
        }

    def ready(self, run: Run) -> None:
        """Raise what would keep it from working here: a package, weights or a device that is not there."""
        imported("torch", "finetune", _WANTED_BY)
        torch_device(self.device, _WANTED_BY)
        from parakh.cascade.torch_networks import eend

        eend.read_config(weights.find(run.weights, eend.FILES))

    def size(self, run: Run) -> Size:
        """What a run would cost, from the sizes of the network and two steps on this machine."""
        imported("torch", "finetune", _WANTED_BY)
        from parakh.finetuning.diarization.cost import cost

        return cost(run, self)

    def train(self, run: Run, tell: Tell, *, resume: bool) -> Mapping[str, object]:
        """Train and write the network."""
        import torch

        from parakh.cascade.torch_networks import eend

        base = weights.find(run.weights, eend.FILES)
        job = self.job(run, ArrayStore(run.out / "cache"), tell)
        job.prepare()
        history = loop.train(job, self, run.out / "checkpoints", tell, resume=resume)
        tell(Step(history.step, history.step, note="writing the model"))
        out = run.out / "model"
        out.mkdir(parents=True, exist_ok=True)
        for path in base.iterdir():
            if path.is_file() and path.name != eend.WEIGHTS and path.suffix in {".toml", ".pt", ".json", ".md"}:
                shutil.copyfile(path, out / path.name)
        torch.save({name: one.cpu() for name, one in job.module.state_dict().items()}, out / eend.WEIGHTS)
        return {"history": history, "written": {"model": str(out)}, "examples": job.count, "metric": job.metric}

    def job(self, run: Run, store: ArrayStore, tell: Tell) -> Any:
        """The job of a run."""
        from parakh.cascade.torch_networks import eend
        from parakh.finetuning.diarization.job import DiarizationJob, How

        network = eend.load(weights.find(run.weights, eend.FILES)).to(torch_device(self.device, _WANTED_BY))
        how = How(**{field.name: getattr(self, field.name) for field in fields(How)})
        return DiarizationJob(network, run.train.conversations, run.dev.conversations, how, store, tell)

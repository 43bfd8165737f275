"""Whisper on transcripts of conversations: all weights, or a low-rank adapter (LoRA)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from parakh.cascade.devices import torch_device
from parakh.errors import Fault, InputError
from parakh.finetuning import loop
from parakh.finetuning.recipe import Run, Size, Step, Tell, Training
from parakh.finetuning.store import ArrayStore

TRACK = "asr"

QUANTIZATIONS = ("", "int8", "int8_float16", "float16", "float32")


@dataclass(frozen=True)
class Recipe(Training):
    """Trains on windows of up to half a minute, as recordings are cut when they are transcribed.

    What a window's text is, and what is left out, is told in ``parakh.finetuning.examples``. Weights may be those of
    transformers or of CTranslate2 (``whisper-base`` of the model store). Written are ``model/`` (transformers), ``adapter/``
    (with ``lora_rank``) and ``ctranslate2/`` (with ``ctranslate2``).

    Args:
        lora_rank: Rank of the adapter; 0 trains all weights.
        lora_alpha: Scale of the adapter: its update counts alpha / rank times.
        lora_dropout: Dropout on the adapter's input.
        freeze_encoder: Leave the encoder as it is; its output is computed once and kept on disk, which saves most of the time.
        longest: Longest window in seconds.
        full_window: Pad every window to 30 s, as Whisper was trained; false pads to ``longest`` and half a second, which costs
            less and is how the transcriber ``whisper-base`` listens.
        language: Language token of every window ("hi", "ur" ...); "" takes that of its turns.
        label_smoothing: Share of the probability that is spread over all tokens.
        spec_augment: Hide bands and stretches of the features at random; needs an encoder that is trained.
        seen_tokens_only: Compute the loss over the tokens that occur in the training texts: less time where words are few.
        ctranslate2: Also write the model for CTranslate2, as "int8", "int8_float16", "float16" or "float32"; "" does not.
    """

    learning_rate: float = 1e-5
    lora_rank: int = 0
    lora_alpha: int = 64
    lora_dropout: float = 0.0
    freeze_encoder: bool = False
    longest: float = 29.0
    full_window: bool = True
    language: str = ""
    label_smoothing: float = 0.0
    spec_augment: bool = False
    seen_tokens_only: bool = False
    ctranslate2: str = ""

    def rules(self) -> dict[str, tuple[bool, str]]:
        """Whether each option is right, and what is expected."""
        return {
            **super().rules(),
            "lora_rank": (0 <= self.lora_rank <= 1024, "a whole number from 0 to 1024"),
            "lora_alpha": (self.lora_alpha >= 1, "a whole number >= 1"),
            "lora_dropout": (0 <= self.lora_dropout < 1, "a number in [0, 1)"),
            "longest": (1 <= self.longest <= 29.5, "seconds from 1 to 29.5"),
            "label_smoothing": (0 <= self.label_smoothing < 1, "a number in [0, 1)"),
            "spec_augment": (not (self.spec_augment and self.freeze_encoder), "false where freeze_encoder is true"),
            "ctranslate2": (self.ctranslate2 in QUANTIZATIONS, f"one of {', '.join(map(repr, QUANTIZATIONS))}"),
        }

    def ready(self, run: Run) -> None:
        """Raise what would keep it from working here: a package, weights or a device that is not there."""
        from parakh.finetuning.whisper import model

        model.packages()
        torch_device(self.device, model.WANTED_BY)
        model.find(run.weights)

    def size(self, run: Run) -> Size:
        """What a run would cost, from the sizes of the model and two steps on this machine."""
        from parakh.finetuning.whisper.cost import cost

        return cost(run, self)

    def train(self, run: Run, tell: Tell, *, resume: bool) -> Mapping[str, object]:
        """Train and write the model."""
        from parakh.finetuning.whisper import model

        job = self.job(run, ArrayStore(run.out / "cache"), tell)
        job.prepare()
        history = loop.train(job, self, run.out / "checkpoints", tell, resume=resume)
        tell(Step(history.step, history.step, note="writing the model"))
        written = model.save(job.model, run.out)
        if self.ctranslate2:
            model.convert(run.out / "model", run.out / "ctranslate2", self.ctranslate2)
            written["ctranslate2"] = str(run.out / "ctranslate2")
        left = {"turns": sum(one.turns_left_out for one in job.laid.values())}
        return {"history": history, "written": written, "examples": job.count, "left_out": left, "metric": job.metric}

    def job(self, run: Run, store: ArrayStore, tell: Tell) -> Any:
        """The job of a run; features are computed when they are first needed.

        Raises:
            InputError: Nothing is left to train on.
        """
        from parakh.finetuning.whisper import model
        from parakh.finetuning.whisper.job import How, WhisperJob

        adapter = None
        if self.lora_rank:
            adapter = model.Adapter(self.lora_rank, self.lora_alpha, self.lora_dropout, encoder=not self.freeze_encoder)
        loaded = model.load(run.weights, adapter, self.freeze_encoder, self.seed)
        loaded.whisper.to(torch_device(self.device, model.WANTED_BY))
        if self.gradient_checkpointing:
            loaded.whisper.gradient_checkpointing_enable({"use_reentrant": False})
        how = How(**{field.name: getattr(self, field.name) for field in fields(How)})
        job = WhisperJob(
            loaded, run.train.conversations, run.dev.conversations, how, store, lambda note: tell(Step(0, 0, note=note))
        )
        if not job.count:
            raise InputError(Fault(run.path, "train", "no turns with words that fit a window", "a transcript with times"))
        if unknown := job.without_language():
            action = "Add it to recordings.jsonl, or set the option language."
            raise InputError(
                Fault(run.path, "language", f"none known of {', '.join(unknown[:5])}", "that of every recording", action)
            )
        return job

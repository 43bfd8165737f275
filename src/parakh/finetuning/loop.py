"""The one training loop: steps, scores on the dev split, checkpoints, early stopping, and going on after a stop.

A step depends on nothing but the checkpoint before it: the order of examples and the learning rate are functions of the step,
and the states of the optimizer and of every source of random numbers are in the checkpoint. So a run that was killed and resumed
ends with the same weights as one that was not; on the same CPU with the same packages and threads, to the byte.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from parakh.errors import Fault, InputError
from parakh.finetuning import checkpoints
from parakh.finetuning.recipe import Step, Tell, Training
from parakh.finetuning.schedule import batch, rate


class Job(Protocol):
    """What is trained.

    Args:
        module: The torch module, on its device.
        count: Number of training examples.
    """

    module: Any
    count: int

    def groups(self) -> list[dict[str, Any]]:
        """The trained parameters in groups of one highest learning rate each: ``{"params": [...], "lr": 1e-3}``."""
        ...

    def loss(self, examples: Sequence[int]) -> Any:
        """The mean loss of a batch of training examples: a tensor without dimensions."""
        ...

    def score(self) -> float | None:
        """The error on the dev split, a ratio: the lower, the better; None where nothing can be scored."""
        ...


@dataclass
class History:
    """What became of a run so far.

    Args:
        step: Steps taken.
        losses: Loss of each step.
        scores: ``[step, score]`` of each evaluation.
        best: ``[score, step]`` of the checkpoints that are kept, the best first.
        seconds: Time spent in steps and scores, over all sittings.
        stopped: Why it ended before its last step; "" if it did not.
    """

    step: int = 0
    losses: list[float] = field(default_factory=list)
    scores: list[list[float | None]] = field(default_factory=list)
    best: list[list[float]] = field(default_factory=list)
    seconds: float = 0.0
    stopped: str = ""

    @property
    def waited(self) -> int:
        """Evaluations in a row without a better one."""
        values = [math.inf if value is None else value for _, value in self.scores]
        return len(values) - 1 - values.index(min(values)) if values else 0


def steps_of(count: int, options: Training) -> int:
    """Steps of the whole run.

    >>> steps_of(20, Training(epochs=2, batch=8, accumulation=2))
    3
    """
    return math.ceil(options.epochs * math.ceil(count / options.batch) / options.accumulation)


def train(job: Job, options: Training, folder: Path, tell: Tell, *, resume: bool) -> History:
    """Train a job; at the end its module has the mean of its best checkpoints.

    Args:
        job: What is trained.
        options: How.
        folder: Of the checkpoints.
        tell: Told of each step and score.
        resume: Go on from the last checkpoint, where there is one.

    Raises:
        InputError: A checkpoint cannot be written or read, or the loss is no number any more.
        KeyboardInterrupt: It was asked to stop; the checkpoint of the last step is written.
    """
    sitting = _Sitting(job, options, folder, tell)
    checkpoints.seed_all(options.seed)
    if resume and (folder / checkpoints.LAST).exists():
        sitting.take_up(checkpoints.load(folder / checkpoints.LAST))
    with _asked_to_stop() as stop:
        while sitting.history.step < sitting.total and not sitting.history.stopped:
            sitting.advance()
            if stop.is_set():
                sitting.save()
                raise KeyboardInterrupt
    sitting.finish()
    return sitting.history


def seconds_a_step(job: Job, options: Training, steps: int = 2) -> float:
    """Mean time of real steps after one that warms up; the job is changed by them, nothing is written."""
    sitting = _Sitting(job, options, Path(), lambda step: None)
    sitting.learn()
    began = time.perf_counter()
    for _ in range(steps):
        sitting.learn()
    return (time.perf_counter() - began) / steps


def autocast(options: Training, device: Any) -> Any:
    """The context in which losses are computed: bfloat16 where it is asked for, or where a GPU has it."""
    import torch

    auto = options.precision == "auto" and device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.autocast(device.type, torch.bfloat16, enabled=auto or options.precision == "bfloat16")


class _Sitting:
    """One process's part of a run."""

    def __init__(self, job: Job, options: Training, folder: Path, tell: Tell) -> None:
        import torch

        self.job, self.options, self.folder, self.tell = job, options, folder, tell
        self.history = History()
        self.total = steps_of(job.count, options)
        self.pause = options.evaluate_every or math.ceil(math.ceil(job.count / options.batch) / options.accumulation)
        groups = [{**one, "highest": one["lr"]} for one in job.groups()]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=options.weight_decay)
        self.device = next(job.module.parameters()).device
        self.began, self.first = time.perf_counter(), 0

    def take_up(self, state: dict[str, Any]) -> None:
        self.history = History(**state["history"])
        self.optimizer.load_state_dict(state["optimizer"])
        checkpoints.restore(self.job.module, state["module"])
        checkpoints.set_random_state(state["random"])
        self.first = self.history.step
        self._drop_stale()

    def advance(self) -> None:
        """One step, and what is due after it."""
        began = time.perf_counter()
        loss = self.learn()
        self.history.losses.append(loss)
        self.history.step += 1
        due = self.history.step % self.pause == 0 or self.history.step == self.total
        self._tell(loss=loss)
        if due:
            self._evaluate()
        self.history.seconds += time.perf_counter() - began
        if due or (self.options.save_every and self.history.step % self.options.save_every == 0):
            self.save()
            self._drop_stale()

    def save(self) -> None:
        state = {
            "history": asdict(self.history),
            "optimizer": self.optimizer.state_dict(),
            "module": checkpoints.trained(self.job.module),
            "random": checkpoints.random_state(),
        }
        checkpoints.save(self.folder / checkpoints.LAST, state)

    def finish(self) -> None:
        """Give the module the mean of the best checkpoints."""
        states = [checkpoints.load(self._best_path(int(step))) for _, step in self.history.best]
        if states:
            checkpoints.restore(self.job.module, checkpoints.mean(states))

    def learn(self) -> float:
        """Move the weights; the loss."""
        import torch

        factor = rate(self.options.schedule, self.history.step, self.total, self.options.warmup)
        for group in self.optimizer.param_groups:
            group["lr"] = group["highest"] * factor
        self.job.module.train()
        self.optimizer.zero_grad(set_to_none=True)
        loss = 0.0
        for part in range(self.options.accumulation):
            place = self.history.step * self.options.accumulation + part
            with autocast(self.options, self.device):
                own = self.job.loss(batch(self.options.seed, place, self.job.count, self.options.batch))
            (own / self.options.accumulation).backward()
            loss += float(own.detach()) / self.options.accumulation
        if not math.isfinite(loss):
            found = f"a loss of {loss} at step {self.history.step + 1}"
            raise InputError(Fault(str(self.folder), "learning_rate", found, "a number", "Lower learning_rate or raise warmup."))
        if self.options.clip:
            trained = [one for group in self.optimizer.param_groups for one in group["params"]]
            torch.nn.utils.clip_grad_norm_(trained, self.options.clip)
        self.optimizer.step()
        return loss

    def _evaluate(self) -> None:
        import torch

        self.job.module.eval()
        with torch.no_grad(), autocast(self.options, self.device):
            score = self.job.score()
        self.history.scores.append([self.history.step, score])
        self._tell(score=score)
        ranked = sorted([*self.history.best, [math.inf if score is None else score, float(self.history.step)]])
        self.history.best = ranked[: self.options.average]
        if any(int(step) == self.history.step for _, step in self.history.best):
            checkpoints.save(self._best_path(self.history.step), checkpoints.trained(self.job.module))
        if self.options.patience and self.history.waited >= self.options.patience:
            self.history.stopped = f"no better score in {self.history.waited} evaluations"

    def _drop_stale(self) -> None:
        kept = {self._best_path(int(step)).name for _, step in self.history.best}
        for path in self.folder.glob("best-*.pt"):
            if path.name not in kept:
                path.unlink()

    def _best_path(self, step: int) -> Path:
        return self.folder / f"best-{step:07d}.pt"

    def _tell(self, loss: float | None = None, score: float | None = None) -> None:
        done = self.history.step - self.first
        left = (time.perf_counter() - self.began) / done * (self.total - self.history.step)
        self.tell(Step(self.history.step, self.total, loss, score, left))


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    """Set by the first interrupt, which lets the step end; a second one stops at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)

"""AI4Bharat's IndicConformer on transcripts of conversations, in an environment that has NeMo."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from parakh import tracks
from parakh.cascade.options import require
from parakh.errors import ModelError, UnavailableError, as_bytes
from parakh.evaluate import evaluate
from parakh.files import read_text, write_atomic
from parakh.finetuning.nemo import driver
from parakh.finetuning.nemo.manifests import heard, train_windows, write_split
from parakh.finetuning.recipe import Run, Size, Step, Tell
from parakh.models import weights

TRACK = "asr"

_INSTALL = (
    "git clone -b nemo-v2 https://github.com/AI4Bharat/NeMo && python3.10 -m venv nemo-env && "
    ". nemo-env/bin/activate && (cd NeMo && bash reinstall.sh)"
)
_WANTED_BY = "recipe 'indic-conformer'"
_METRIC = "tcpwer"
_RATE = 16_000


@dataclass(frozen=True)
class Recipe:
    """Writes windows as sound files with manifests, and trains by NeMo in the environment that ``python`` names.

    The model is a .nemo file: IndicConformer of one language (MIT), or any other that NeMo restores. AI4Bharat's models need
    AI4Bharat's branch of NeMo. NeMo keeps the checkpoint with the lowest word error on the dev windows; what it transcribes
    with that is scored here. A stopped run goes on from NeMo's last checkpoint, at the start of a pass. Written is
    ``model.nemo``.

    Args:
        python: Interpreter of an environment that has NeMo.
        epochs: Most passes over the training split.
        batch: Windows that are computed together.
        accumulation: Batches to one step of the optimizer.
        learning_rate: Highest learning rate.
        warmup: Share of the steps over which it rises; then it falls along a cosine.
        weight_decay: Of AdamW.
        clip: Largest norm of the gradient; 0 leaves it as it is.
        patience: Passes in a row without a better score after which training stops; 0 never stops.
        longest: Longest window in seconds; the published models lose words beyond 18.
        decoder: "ctc" or "rnnt", with which the dev split is transcribed; "" takes the model's own.
        device: "auto", "cpu" or "gpu", as Lightning names them.
        precision: "32", "bf16-mixed" or "16-mixed", as Lightning names them.
        seed: Of everything random.
    """

    python: str
    epochs: int = 20
    batch: int = 8
    accumulation: int = 1
    learning_rate: float = 1e-4
    warmup: float = 0.1
    weight_decay: float = 1e-3
    clip: float = 1.0
    patience: int = 3
    longest: float = 15.0
    decoder: str = "ctc"
    device: str = "auto"
    precision: str = "32"
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what is out of range."""
        rules = {
            "python": (self.python != "", "the path of an interpreter"),
            **{name: (getattr(self, name) >= 1, "a whole number >= 1") for name in ("epochs", "batch", "accumulation")},
            **{name: (getattr(self, name) >= 0, "a number >= 0") for name in ("weight_decay", "clip", "patience", "seed")},
            "learning_rate": (0 < self.learning_rate <= 1, "a number in (0, 1]"),
            "warmup": (0 <= self.warmup < 1, "a number in [0, 1)"),
            "longest": (1 <= self.longest <= 30, "seconds from 1 to 30"),
            "decoder": (self.decoder in {"", "ctc", "rnnt"}, '"ctc", "rnnt" or ""'),
            "device": (self.device in {"auto", "cpu", "gpu"}, '"auto", "cpu" or "gpu"'),
            "precision": (self.precision in {"32", "bf16-mixed", "16-mixed"}, '"32", "bf16-mixed" or "16-mixed"'),
        }
        require("recipe", self, rules)

    def ready(self, run: Run) -> None:
        """Raise what would keep it from working here: an interpreter, NeMo in it, or weights that are not there."""
        _weights(run.weights)
        command = [self.python, "-c", "import nemo.collections.asr"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise UnavailableError(_absent(self.python, error.strerror or str(error))) from error
        if done.returncode:
            raise UnavailableError(_absent(self.python, (done.stderr.strip().splitlines() or ["no reason"])[-1]))

    def size(self, run: Run) -> Size:
        """What would be written, and the command that would be run."""
        windows = [window for one in run.train.conversations for window, _, _ in train_windows(one, self.longest)]
        sound = sum(window.length for window in windows) * 2 + round(run.dev.seconds * _RATE * 2)
        lines = (
            ("training windows", f"{len(windows):,}, {sum(window.length for window in windows) / _RATE / 3600:.3f} h"),
            ("disk: sound", f"about {as_bytes(sound)}"),
            ("command", " ".join(self._command(run))),
            ("memory, time", "NeMo tells while it runs"),
        )
        return Size(lines, {"examples": len(windows), "features": sound, "command": " ".join(self._command(run))})

    def train(self, run: Run, tell: Tell, *, resume: bool) -> Mapping[str, object]:
        """Write the data, let NeMo train, and score what it transcribes of the dev split."""
        data = run.out / "data"
        tell(Step(0, 0, note="writing windows and manifests"))
        clips = write_split(run.train.conversations, self.longest, data, "train", learn=True)
        dev = write_split(run.dev.conversations, self.longest, data, "dev", learn=False)
        write_atomic(run.out / "job.json", json.dumps(self._job(run), indent=1) + "\n")
        tell(Step(0, 0, note=" ".join(self._command(run))))
        done = subprocess.run(self._command(run), check=False)
        if done.returncode:
            action = f"See what it says above; then run the same command with --resume. It was: {' '.join(self._command(run))}"
            raise UnavailableError(
                f"recipe 'indic-conformer': found that NeMo ended with {done.returncode}, expected 0. {action}"
            )
        hypothesis = heard(run.dev.conversations, dev, run.out / "transcripts.jsonl")
        score = evaluate(tracks.get("asr"), run.dev.turns, hypothesis, metrics=[_METRIC]).metrics[_METRIC].value
        tell(Step(1, 1, score=score))
        return {
            "written": {"model": str(run.out / "model.nemo")},
            "examples": sum(map(len, clips)),
            "metric": _METRIC,
            "dev_score": score,
            "environment": json.loads(read_text(run.out / "environment.json")),
        }

    def _command(self, run: Run) -> list[str]:
        return [self.python, str(Path(driver.__file__)), str((run.out / "job.json").resolve())]

    def _job(self, run: Run) -> dict[str, object]:
        data = (run.out / "data").resolve()
        files = {"train": str(data / "train.jsonl"), "dev": str(data / "dev.jsonl")}
        return {**asdict(self), **files, "weights": str(_weights(run.weights).resolve()), "out": str(run.out.resolve())}


def _weights(name: str) -> Path:
    """The .nemo file that is named, or that lies in a folder.

    Raises:
        ModelError: There is none.
    """
    path = Path(name).expanduser()
    if path.is_file():
        return path
    if path.suffix == ".nemo":
        raise ModelError(
            f"weights {name}: found no such file, expected a .nemo file. Get one at https://github.com/AI4Bharat/IndicConformerASR"
        )
    return sorted(weights.find(name, ("*.nemo",)).glob("*.nemo"))[0]


def _absent(python: str, reason: str) -> str:
    return (
        f"recipe 'indic-conformer': found no NeMo for {python} ({reason}), expected an environment that has it. Run: {_INSTALL}"
    )

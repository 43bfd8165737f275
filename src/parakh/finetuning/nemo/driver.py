"""Fine-tunes a model of NeMo; run as a script by the interpreter of an environment that has NeMo, and nothing of this package.

    python driver.py job.json

``job.json`` has ``weights`` (a .nemo file), ``out``, ``train`` and ``dev`` (manifests), and the recipe's options. Written are
``out/model.nemo``, ``out/transcripts.jsonl`` (of the dev manifest, with the best checkpoint), ``out/environment.json`` (versions)
and checkpoints, from the last of which a run goes on.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from pathlib import Path
from typing import Any


def main(path: str) -> None:
    """Train, transcribe the dev manifest, save."""
    job = json.loads(Path(path).read_text("utf-8"))
    out = Path(job["out"])
    asr_model = importlib.import_module("nemo.collections.asr.models").ASRModel
    lightning = importlib.import_module(_lightning(asr_model))
    lightning.seed_everything(job["seed"])
    model = asr_model.restore_from(job["weights"], map_location="cpu")
    callbacks = importlib.import_module(f"{lightning.__name__}.callbacks")
    best = callbacks.ModelCheckpoint(out / "checkpoints", "best", "val_wer", mode="min", save_last=True)
    trainer = _trainer(lightning, job, [best, callbacks.EarlyStopping("val_wer", patience=job["patience"] or job["epochs"])])
    _set_up(model, trainer, job)
    last = out / "checkpoints" / "last.ckpt"
    trainer.fit(model, ckpt_path=str(last) if last.is_file() else None)
    torch = importlib.import_module("torch")
    model.load_state_dict(torch.load(best.best_model_path, map_location="cpu", weights_only=False)["state_dict"])
    _transcribe(model, job, out / "transcripts.jsonl")
    versions = {name: importlib.import_module(name).__version__ for name in ("nemo", "torch", lightning.__name__)}
    (out / "environment.json").write_text(json.dumps({"python": sys.version.split()[0], **versions}), "utf-8")
    model.save_to(str(out / "model.nemo"))


def _lightning(model: type) -> str:
    """The package whose trainer takes the model: NeMo changed over to another name of the same."""
    new = any(one.__module__.startswith("lightning.pytorch") for one in model.__mro__)
    return "lightning.pytorch" if new else "pytorch_lightning"


def _trainer(lightning: Any, job: dict[str, Any], callbacks: list[Any]) -> Any:
    return lightning.Trainer(
        max_epochs=job["epochs"],
        accelerator=job["device"],
        devices=1,
        accumulate_grad_batches=job["accumulation"],
        gradient_clip_val=job["clip"] or None,
        precision=job["precision"],
        callbacks=callbacks,
        logger=False,
        enable_progress_bar=True,
        num_sanity_val_steps=0,
    )


def _set_up(model: Any, trainer: Any, job: dict[str, Any]) -> None:
    """Data and optimizer; what else the model's own configuration says of its data (its languages) stays."""
    conf = importlib.import_module("omegaconf").OmegaConf
    model.set_trainer(trainer)
    for name, kind, shuffle in (("train", "train_ds", True), ("dev", "validation_ds", False)):
        own = conf.to_container(model.cfg.get(kind) or conf.create({}), resolve=False)
        data = {
            **own,
            "manifest_filepath": job[name],
            "sample_rate": 16000,
            "batch_size": job["batch"],
            "shuffle": shuffle,
            "num_workers": 0,
            "is_tarred": False,
            "tarred_audio_filepaths": None,
            "is_concat": False,
            "max_duration": None,
            "min_duration": None,
        }
        setup = model.setup_training_data if name == "train" else model.setup_validation_data
        setup(conf.create(data))
    schedule = {"name": "CosineAnnealing", "warmup_ratio": job["warmup"], "warmup_steps": None, "min_lr": 0.0}
    optimizer = {"name": "adamw", "lr": job["learning_rate"], "weight_decay": job["weight_decay"], "sched": schedule}
    model.setup_optimization(conf.create(optimizer))


def _transcribe(model: Any, job: dict[str, Any], out: Path) -> None:
    """Text of each line of the dev manifest, in the language that it names where the model asks for one."""
    rows = [json.loads(line) for line in Path(job["dev"]).read_text("utf-8").splitlines()]
    takes_language = "language_id" in inspect.signature(model.transcribe).parameters
    if job["decoder"] and hasattr(model, "cur_decoder"):
        model.cur_decoder = job["decoder"]
    model.eval()
    lines = []
    for row in rows:
        language = {"language_id": row["lang"]} if takes_language else {}
        found = model.transcribe([row["audio_filepath"]], batch_size=1, **language)
        while isinstance(found, list | tuple):
            found = found[0] if found else ""
        text = getattr(found, "text", found)
        lines.append(json.dumps({"audio_filepath": row["audio_filepath"], "text": text}, ensure_ascii=False) + "\n")
    out.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])

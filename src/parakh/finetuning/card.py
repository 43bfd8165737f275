"""The run card: all that one needs to know to trust a fine-tuned model, or to make it again."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import parakh
from parakh.errors import UnknownNameError
from parakh.finetuning.amounts import as_percent, as_time
from parakh.finetuning.material import Split
from parakh.finetuning.recipe import Run
from parakh.models import store, weights

SCHEMA = "parakh.finetuning/1"

PACKAGES = ("numpy", "torch", "transformers", "peft", "ctranslate2", "tokenizers")

_CURVE = 200
"""Most points of the loss curve; each is the mean of the steps up to it."""


def card(run: Run, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """The run card as plain values.

    Args:
        run: What was asked for.
        outcome: What the recipe's ``train`` told; "history" of the loop, "metric", "written" and whatever else it has.
    """
    history = outcome.get("history")
    rest = {key: value for key, value in outcome.items() if key != "history"}
    return {
        "schema": SCHEMA,
        "parakh": parakh.__version__,
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": dict(run.settings),
        "base": {"weights": run.weights, "licence": base_licence(run.weights)},
        "data": {
            "sha256": run.data_sha256,
            "licence": run.data_licence or "not stated",
            "train": split_facts(run.train),
            "dev": split_facts(run.dev),
        },
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
        "hardware": hardware(),
        **rest,
        **(_told(asdict(history)) if is_dataclass(history) and not isinstance(history, type) else {}),
    }


def base_licence(name: str) -> str:
    """Licence of the weights that were fine-tuned; "unknown" where nothing tells.

    >>> base_licence("openai/whisper-large-v3"), base_licence("my-folder")
    ('Apache-2.0', 'unknown')
    """
    if name in weights.known():
        return weights.known()[name].licence
    try:
        return store.declaration(name).licence
    except UnknownNameError:
        return "unknown"


def split_facts(split: Split) -> dict[str, Any]:
    """What a split holds: recordings, hours, turns, hours of turns by language."""
    return {
        "split": split.name,
        "recordings": len(split.conversations),
        "hours": split.seconds / 3600,
        "turns": len(split.turns),
        "languages": {language: seconds / 3600 for language, seconds in sorted(split.languages.items())},
    }


def hardware() -> dict[str, Any]:
    """The machine: system, processor, cores, and the GPU where torch sees one."""
    found: dict[str, Any] = {"system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count()}
    try:
        import torch
    except ImportError:
        return found
    found["threads"] = torch.get_num_threads()
    if torch.cuda.is_available():
        found["gpu"] = torch.cuda.get_device_name()
        found["gpu_peak_bytes"] = torch.cuda.max_memory_allocated()
    return found


def curve(losses: Sequence[float]) -> list[list[float]]:
    """``[step, mean loss up to it]``, few enough to look at.

    >>> curve([4.0, 2.0])
    [[1, 4.0], [2, 2.0]]
    """
    width = max(1, -(-len(losses) // _CURVE))
    pieces = [losses[first : first + width] for first in range(0, len(losses), width)]
    ends = [min(len(losses), first + width) for first in range(0, len(losses), width)]
    return [[end, sum(piece) / len(piece)] for end, piece in zip(ends, pieces, strict=True)]


def as_markdown(made: Mapping[str, Any]) -> str:
    """The run card for people."""
    settings, data, base = made["settings"], made["data"], made["base"]
    lines = [
        f"# {settings['recipe']} fine-tuned on {settings['data']}",
        "",
        f"Finished {made['finished']} with parakh {made['parakh']}.",
        "",
        "| | |",
        "|---|---|",
        f"| base weights | {base['weights']} (licence: {base['licence']}) |",
        f"| data | {settings['data']} (licence: {data['licence']}; SHA-256 {data['sha256']}) |",
        *(f"| {key} | {_split_line(data[key])} |" for key in ("train", "dev")),
        f"| hardware | {_listed(made['hardware'])} |",
        f"| packages | {_listed(made['packages'])} |",
    ]
    lines += [f"| {what} | {where} |" for what, where in made.get("written", {}).items()]
    lines += [f"| environment | {_listed(made['environment'])} |"] if "environment" in made else []
    lines += [f"| {made['metric']} on dev | {as_percent(made['dev_score'])} |"] if "dev_score" in made else []
    if "steps" in made:
        lines += [f"| steps | {made['steps']} in {as_time(made['seconds'])}{'; ' + made['stopped'] if made['stopped'] else ''} |"]
        lines += ["", "## Scores on the dev split", "", f"| step | {made['metric']} |", "|---|---|"]
        lines += [
            f"| {step}{' (kept)' if step in made['kept'] else ''} | {as_percent(score)} |" for step, score in made["scores"]
        ]
        lines += ["", "## Loss", "", "| step | mean loss |", "|---|---|"]
        lines += [f"| {step} | {loss:.4f} |" for step, loss in _few(made["loss"])]
    lines += [
        "",
        "## Settings",
        "",
        "| option | value |",
        "|---|---|",
        *(f"| {key} | {value} |" for key, value in settings.items()),
    ]
    return "\n".join(lines) + "\n"


def _told(history: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "steps": history["step"],
        "seconds": history["seconds"],
        "stopped": history["stopped"],
        "scores": history["scores"],
        "kept": [int(step) for _, step in history["best"]],
        "loss": curve(history["losses"]),
    }


def _few(points: Sequence[Any], most: int = 20) -> Sequence[Any]:
    return points[:: max(1, -(-len(points) // most))]


def _split_line(facts: Mapping[str, Any]) -> str:
    languages = ", ".join(f"{language} {hours:.2f} h" for language, hours in facts["languages"].items())
    return f"{facts['split']}: {facts['recordings']} recordings, {facts['hours']:.2f} h, {facts['turns']} turns ({languages})"


def _listed(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""

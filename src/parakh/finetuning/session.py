"""A fine-tuning from its configuration to its run card: what is in the folder is checked first, the card is written last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parakh.cascade.options import shown
from parakh.errors import Fault, InputError
from parakh.files import read_text, write_atomic
from parakh.finetuning.card import as_markdown, card
from parakh.finetuning.recipe import Run, Tell

STARTED = "started.json"
"""What a run in a folder was started with."""
CARD = "run.json"
PAGE = "run.md"


def perform(run: Run, tell: Tell, *, resume: bool) -> Mapping[str, Any]:
    """Train, and write weights and run card.

    Args:
        run: What is asked for.
        tell: Told of each step.
        resume: Go on with what the folder holds; there need not be anything.

    Returns:
        The run card, as it is in ``run.json``.

    Raises:
        InputError: The folder holds a run and ``resume`` is not set, or one with other settings or data.
        ParakhError: A package, weights or a device is not there.
    """
    _check_folder(run, resume)
    run.recipe.ready(run)
    write_atomic(run.out / STARTED, _json(_start(run)))
    outcome = run.recipe.train(run, tell, resume=resume)
    made = card(run, outcome)
    write_atomic(run.out / PAGE, as_markdown(made))
    write_atomic(run.out / CARD, _json(made))
    return made


def _start(run: Run) -> dict[str, object]:
    return {"settings": dict(run.settings), "data_sha256": run.data_sha256}


def _check_folder(run: Run, resume: bool) -> None:
    path = run.out / STARTED
    if not path.is_file():
        _check_empty(run.out)
        return
    if not resume:
        action = "Add --resume to go on with it, or name another out."
        raise InputError(Fault(run.path, "out", f"a run in {run.out}", "a folder without one", action))
    try:
        before = json.loads(read_text(path))
        told, data = dict(before["settings"]), before["data_sha256"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(Fault(str(path), "", f"no settings ({error})", "those of a run", "Name another out.")) from error
    now: Mapping[str, Any] = json.loads(_json(_start(run)))["settings"]
    action = "Give the same settings, or name another out."
    faults = [
        Fault(run.path, key, shown(now.get(key)), f"{shown(told.get(key))}, as the run to go on with had", action)
        for key in sorted({*now, *told})
        if now.get(key) != told.get(key)
    ]
    if data != run.data_sha256:
        faults.append(Fault(run.path, "data", "other files or another manifest", "those that the run was started with", action))
    if faults:
        raise InputError(faults)


def _check_empty(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise InputError(Fault(str(out), "out", "a file", "a folder", "Name another out."))
    if out.is_dir() and any(out.iterdir()):
        raise InputError(Fault(str(out), "out", "a folder with other files", "a new or empty folder", "Name another out."))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n"

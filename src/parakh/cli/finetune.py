"""``parakh finetune``: a model of the cascade trained further on a data set, with progress and a way to go on after a stop."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from parakh.cli.settings import check_json, put_json
from parakh.cli.tables import console
from parakh.errors import Fault, InputError
from parakh.finetuning.amounts import as_percent, as_time
from parakh.finetuning.card import base_licence, split_facts
from parakh.finetuning.config import load_run
from parakh.finetuning.material import KINDS
from parakh.finetuning.recipe import Run, Step
from parakh.finetuning.session import PAGE, perform


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    track: str
    config: str
    settings: Sequence[str]
    resume: bool
    dry_run: bool
    json_out: str | None


def finetune(request: Request) -> int:
    """Train, or say what training would take; an interrupt keeps what is done and says how to go on."""
    if request.track not in KINDS:
        raise InputError(Fault("finetune", "", repr(request.track), f"one of {', '.join(KINDS)}"))
    check_json(request.json_out, [request.config])
    run = load_run(request.track, request.config, request.settings)
    if request.dry_run:
        return _size(run, request.json_out)
    err = console(stderr=True)
    try:
        made = perform(run, _teller(err), resume=request.resume)
    except KeyboardInterrupt:
        err.print(Text(f"interrupted: what is done is in {run.out}; run the same command with --resume to go on"), soft_wrap=True)
        return 130
    if put_json(request.json_out, lambda: json.dumps(made, ensure_ascii=False, indent=1) + "\n"):
        _print_outcome(run, made)
    return 0


def _size(run: Run, json_out: str | None) -> int:
    """Print what would be trained on and what it would take."""
    facts = {key: split_facts(split) for key, split in (("train", run.train), ("dev", run.dev))}
    people = json_out != "-"
    if people:
        for key, told in facts.items():
            languages = ", ".join(f"{language} {hours:.3f} h" for language, hours in told["languages"].items())
            what = f"{told['recordings']} recordings, {told['hours']:.3f} h, {told['turns']} turns; speech {languages}"
            print(f"{key} ({told['split']}): {what}")
        print(f"base weights: {run.weights} (licence: {base_licence(run.weights)})", flush=True)
    size = run.recipe.size(run)
    values = {"recipe": run.name, "data_sha256": run.data_sha256, **facts, "cost": dict(size.values)}
    if put_json(json_out, lambda: json.dumps(values, ensure_ascii=False, indent=1) + "\n"):
        width = max(len(what) for what, _ in size.lines)
        for what, amount in size.lines:
            print(f"{what:{width}}  {amount}")
        print(f"nothing was written to {run.out}")
    return 0


def _teller(err: Console) -> Callable[[Step], None]:
    """Prints each score, each note, and of the steps as many as a person can follow."""
    told = -1

    def tell(step: Step) -> None:
        nonlocal told
        if step.note:
            err.print(Text(step.note), soft_wrap=True)
        elif step.score is not None:
            err.print(Text(f"step {step.step}/{step.total}: dev score {as_percent(step.score)}"), soft_wrap=True)
        elif step.loss is not None:
            part = 100 * step.step // step.total
            if part > told:
                told = part
                left = f", {as_time(step.seconds_left)} left" if step.seconds_left else ""
                err.print(Text(f"step {step.step}/{step.total}: loss {step.loss:.3f}{left}"), soft_wrap=True)

    return tell


def _print_outcome(run: Run, made: Mapping[str, Any]) -> None:
    for step, score in made.get("scores", ()):
        kept = " (kept)" if step in made["kept"] else ""
        print(f"step {step}: {made['metric']} {as_percent(score)}{kept}")
    if "dev_score" in made:
        print(f"{made['metric']} on dev: {as_percent(made['dev_score'])}")
    if made.get("stopped"):
        print(f"stopped early: {made['stopped']}")
    for what, where in made.get("written", {}).items():
        print(f"{what}: {where}")
    print(f"run card: {run.out / PAGE}")
    sys.stdout.flush()

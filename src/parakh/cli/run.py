"""``parakh run``: recordings through a cascade, with progress, timings and a way to go on after a stop."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from parakh.cascade.pipeline import Status, Visit
from parakh.cascade.preset import STAGES, Preset, load_preset
from parakh.cascade.runner import Plan, find_recordings, make_plan, needed_models, run_all
from parakh.cli.tables import bare_table, console
from parakh.errors import InputError
from parakh.models import store
from parakh.text.masking import masked
from parakh.types import Recording


@dataclass
class Outcome:
    """What a run came to: visits in order, recordings that could not be read, wall-clock seconds of the cascade."""

    visits: list[Visit] = field(default_factory=list)
    faults: list[InputError] = field(default_factory=list)
    seconds: float = 0.0


def run(
    audio: Sequence[str],
    out: Path,
    preset_name: str,
    settings: Sequence[str],
    language: str | None,
    *,
    resume: bool,
    overwrite: bool,
) -> int:
    """Run the cascade, print what was done, and raise the faults of unreadable recordings at the end.

    Returns:
        1 when some question of some recording has no answer, else 0.
    """
    preset = load_preset(preset_name, settings)
    plan = make_plan(find_recordings(audio, language), preset, out, resume=resume, overwrite=overwrite)
    outcome = execute(plan, preset, out)
    print_outcome(outcome, plan, out)
    if outcome.faults:
        raise InputError([fault for error in outcome.faults for fault in error.faults])
    return int(any(stage.status is Status.UNAVAILABLE for visit in outcome.visits for stage in visit.stages))


def execute(plan: Plan, preset: Preset, out: Path) -> Outcome:
    """Fetch what is missing, then process the plan; an interrupt keeps what is done and says how to go on."""
    err = console(stderr=True)
    if not plan.todo:
        return Outcome()
    _announce_endpoints(preset, err)
    fetch_models(needed_models(preset), err)
    outcome = Outcome()
    started = time.perf_counter()
    try:
        with _progress(err) as progress:
            _process(plan, preset, out, outcome, progress)
    except KeyboardInterrupt:
        done = len(outcome.visits) + len(plan.done)
        total = len(plan.todo) + len(plan.done)
        err.print(f"interrupted: {done} of {total} recordings are done in {out}; run the same command with --resume to go on")
        sys.exit(130)
    outcome.seconds = time.perf_counter() - started
    return outcome


def fetch_models(names: Sequence[str], err: Console) -> None:
    """Get the models that are not in the store yet, with their licence on the screen."""
    for name in names:
        model = store.declaration(name)
        err.print(f"fetching {name} ({model.licence}) ...")
        store.get(name, lambda line: err.print(Text(line, style="dim"), soft_wrap=True))


def print_outcome(outcome: Outcome, plan: Plan, out: Path) -> None:
    """Print one row a recording with the seconds of each stage, then what could not be done and why."""
    screen = console()
    if plan.done:
        screen.print(f"done already: {', '.join(one.session_id for one in plan.done)}", soft_wrap=True)
    if outcome.visits:
        screen.print(_timing_table(outcome.visits))
    for visit in outcome.visits:
        for finding in visit.findings:
            screen.print(Text(masked(str(finding)), style="yellow"), soft_wrap=True)
        for stage in visit.stages:
            if stage.status is Status.UNAVAILABLE:
                screen.print(Text(f"{visit.session_id}: no {stage.kind}: {stage.reason}", style="yellow"), soft_wrap=True)
    audio_seconds = sum(visit.duration for visit in outcome.visits)
    if audio_seconds:
        factor = outcome.seconds / audio_seconds
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
        screen.print(
            f"{audio_seconds:.0f} s of audio in {outcome.seconds:.0f} s: real-time factor {factor:.2f}, peak memory {peak:.0f} MB"
        )
    if outcome.visits or plan.done:
        screen.print(Text(f"answers: {out}"), soft_wrap=True)


def _process(plan: Plan, preset: Preset, out: Path, outcome: Outcome, progress: Progress) -> None:
    stages = len(preset.stages)
    task = progress.add_task("", total=len(plan.todo) * stages, what="starting")
    started = 0

    def on_stage(session_id: str, kind: str) -> None:
        nonlocal started
        progress.update(task, completed=started, what=f"{session_id}: {kind}")
        started += 1

    def on_fault(recording: Recording, error: InputError) -> None:
        nonlocal started
        started += stages
        outcome.faults.append(error)

    outcome.visits.extend(run_all(plan.todo, preset, out, on_stage, on_fault))
    progress.update(task, completed=len(outcome.visits) * stages, what=f"{len(outcome.visits)} of {len(plan.todo)} done")


def _progress(err: Console) -> Progress:
    return Progress(
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[what]}"),
        console=err,
    )


def _announce_endpoints(preset: Preset, err: Console) -> None:
    for stage in preset.stages:
        if stage.endpoint:
            err.print(Text(f"{stage.kind} {stage.name} sends conversations to {stage.endpoint}", style="bold yellow"))


def _timing_table(visits: Sequence[Visit]) -> Table:
    table = bare_table()
    for heading in ("recording", "audio s", *(f"{kind} s" for kind in STAGES), "RTF"):
        table.add_column(heading, justify="left" if heading == "recording" else "right")
    for visit in visits:
        seconds = {stage.kind: f"{stage.seconds:.1f}" for stage in visit.stages if stage.status is Status.DONE}
        cells = (seconds.get(kind, "-") for kind in STAGES)
        table.add_row(Text(visit.session_id), f"{visit.duration:.1f}", *cells, f"{visit.real_time_factor:.2f}")
    return table

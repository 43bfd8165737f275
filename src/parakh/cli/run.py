"""``parakh run``: recordings through a cascade, with progress, timings and a way to go on after a stop."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parakh import languages
from parakh.cascade import machine
from parakh.cascade.costs import write_run
from parakh.cascade.pipeline import Status, Visit
from parakh.cascade.preset import STAGES, Preset, load_preset
from parakh.cascade.runner import Execution, Plan, find_recordings, make_plan, needed_models, run_all
from parakh.cascade.schedule import Failed
from parakh.cli.progress import Watch
from parakh.cli.tables import bare_table, console
from parakh.errors import InputError, UnknownNameError
from parakh.models import store
from parakh.text.masking import masked


@dataclass
class Outcome:
    """What a run came to: visits in the plan's order, recordings without one, wall-clock seconds of the cascade."""

    visits: list[Visit] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    seconds: float = 0.0


def run(
    audio: Sequence[str],
    out: Path,
    preset_name: str,
    settings: Sequence[str],
    language: str | None,
    how: Execution,
    *,
    resume: bool,
    overwrite: bool,
) -> int:
    """Run the cascade, print what was done, and raise the faults of recordings without answers at the end.

    Returns:
        1 when some question of some recording has no answer, else 0.
    """
    preset = load_preset(preset_name, settings)
    if language is not None and languages.get(language).tag == languages.NEUTRAL.tag:
        raise UnknownNameError("language", language, languages.names())
    plan = make_plan(find_recordings(audio, language), preset, out, resume=resume, overwrite=overwrite)
    try:
        outcome = execute(plan, preset, out, how)
    finally:
        with suppress(OSError):
            out.rmdir()  # nothing but a folder that a refused run left empty
    print_outcome(outcome, plan, out)
    if outcome.failed:
        raise InputError([fault for one in outcome.failed for fault in one.error.faults])
    return int(any(stage.status is Status.UNAVAILABLE for visit in outcome.visits for stage in visit.stages))


def execute(plan: Plan, preset: Preset, out: Path, how: Execution | None = None) -> Outcome:
    """Fetch what is missing, then process the plan; an interrupt keeps what is done and says how to go on."""
    err = console(stderr=True)
    if not plan.todo:
        return Outcome()
    how = how or Execution()
    _announce_endpoints(preset, err)
    fetch_models(needed_models(preset), err)
    outcome = Outcome()
    started, energy = time.perf_counter(), machine.energy()
    try:
        _process(plan, preset, out, how, outcome, err)
    except KeyboardInterrupt:
        done = len(outcome.visits) + len(plan.done)
        total = len(plan.todo) + len(plan.done)
        err.print(f"interrupted: {done} of {total} recordings are done in {out}; run the same command with --resume to go on")
        sys.exit(130)
    outcome.seconds = time.perf_counter() - started
    write_run(out, preset, how, outcome.seconds, [one.session_id for one in outcome.visits], machine.energy().since(energy))
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
        peak = max(stage.peak_memory for visit in outcome.visits for stage in visit.stages) / 1e6
        screen.print(
            f"{audio_seconds:.0f} s of audio in {outcome.seconds:.0f} s: real-time factor {factor:.2f}, "
            f"peak memory {peak:.0f} MB a worker"
        )
    if outcome.visits or plan.done:
        screen.print(Text(f"answers: {out}"), soft_wrap=True)


def _process(plan: Plan, preset: Preset, out: Path, how: Execution, outcome: Outcome, err: Console) -> None:
    order = {one.session_id: place for place, one in enumerate(plan.todo)}
    with Watch(len(plan.todo), err) as watch, closing(run_all(plan.todo, preset, out, how, watch.stage)) as answers:
        for answer in answers:
            if isinstance(answer, Failed):
                outcome.failed.append(answer)
                watch.failed(answer.recording.session_id)
            else:
                outcome.visits.append(answer)
                watch.done(answer.session_id, answer.duration, answer.seconds)
    outcome.visits.sort(key=lambda visit: order[visit.session_id])
    outcome.failed.sort(key=lambda one: order[one.recording.session_id])


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

"""``parakh demo``: the bundled conversations through the whole cascade, scored on all four tracks, and reported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from parakh import formats, tracks
from parakh import metrics as metric_registry
from parakh.bundled import examples_path
from parakh.cascade.pipeline import Status, Visit
from parakh.cascade.preset import load_preset
from parakh.cascade.runner import find_recordings, make_plan
from parakh.cli.diagnose import Request, compute
from parakh.cli.run import execute, print_outcome
from parakh.cli.tables import bare_table, console, heading, percent
from parakh.cost import load_cost
from parakh.errors import counted
from parakh.evaluate import evaluate
from parakh.files import write_atomic
from parakh.metrics import Payload
from parakh.report import audio, html
from parakh.report.diagnosed import Diagnosed, read_diagnosed
from parakh.report.inputs import Inputs
from parakh.results import Results
from parakh.types import Finding, Recording, Segment, Severity

PLACES = {
    "diarization": ("diarizer", "rttm", "rttm"),
    "asr": ("transcriber", "transcripts", "seglst"),
    "topics": ("topics", "topics.csv", "topics"),
    "summarization": ("summary", "summaries.csv", "summaries"),
}
"""Track -> the stage that answers it, where its reference lies in the examples, its hypothesis in the answers."""


def demo(out: Path) -> None:
    """Run, score and report the bundled conversations; the last line is the report's path."""
    examples = examples_path()
    preset = load_preset("embedded")
    recordings = find_recordings([str(examples / "recordings.jsonl")])
    said = f"{counted(len(recordings), 'bundled conversation')} through the preset {preset.name}, then scores and a report;"
    console(stderr=True).print(f"{said} a minute or two, more the first time, when models are fetched", soft_wrap=True)
    plan = make_plan(recordings, preset, out, resume=False, overwrite=True)
    outcome = execute(plan, preset, out)
    print_outcome(outcome, plan, out)
    scored = [_score(track, examples, out, recordings, outcome.visits) for track in PLACES]
    for results in scored:
        write_atomic(out / "results" / f"{results.track}.json", results.to_json())
    inputs = Inputs(tuple(scored), _diagnose(examples, out, preset.name))
    _print_table(scored)
    sound = audio.linked([str(examples / "audio")], html.by_need(inputs), out)
    html.write(inputs, out / "report.html", title="Parakh demo: the bundled conversations", sound=sound)
    print(f"\nreport: {out / 'report.html'}")


def _diagnose(examples: Path, out: Path, system: str) -> tuple[Diagnosed, ...]:
    """What kinds of errors the transcripts hold, for what to fix first; nothing where there are no transcripts."""
    _, reference, hypothesis = PLACES["asr"]
    if not (out / hypothesis).is_dir():
        return ()
    found = compute(Request(reference=[str(examples / reference)], hypothesis=[f"{system}={out / hypothesis}"]))
    path = out / "results" / "diagnosis.json"
    write_atomic(path, found.to_json())
    return tuple(read_diagnosed(json.loads(found.to_json()), str(path)))


def _score(track_name: str, examples: Path, out: Path, recordings: list[Recording], visits: list[Visit]) -> Results:
    track = tracks.get(track_name)
    stage, reference, hypothesis = PLACES[track_name]
    answers = out / hypothesis
    loaded = formats.load([str(answers)], track.item).items if answers.is_dir() else ()
    said = formats.load([str(examples / PLACES["asr"][1])], Segment).items if Payload.SUMMARY in track.payloads else None
    results = evaluate(
        track,
        formats.load([str(examples / reference)], track.item).items,
        loaded,
        system="embedded",
        transcripts=said,
        recordings=recordings,
        slice_by=["language"],
        detail=True,
    )
    return replace(results, findings=(*results.findings, *_unanswered(visits, stage)), cost=load_cost(out))


def _unanswered(visits: list[Visit], kind: str) -> list[Finding]:
    """Why a stage has no answer for a recording, for the report to show beside the missing score."""
    return [
        Finding("stage-unavailable", run.reason, Severity.NOTE, visit.session_id)
        for visit in visits
        for run in visit.stages
        if run.kind == kind and run.status is Status.UNAVAILABLE
    ]


def _print_table(scored: list[Results]) -> None:
    """The four tracks in one table, all conversations and each language; then what to know about it."""
    languages = sorted({language for results in scored for language in results.slices["language"]})
    table = bare_table()
    for column in ("question", "metric", "all %", *(f"{language} %" for language in languages)):
        table.add_column(column, justify="right" if "%" in column else "left")
    for results in scored:
        for position, (name, score) in enumerate(results.metrics.items()):
            slices = results.slices["language"]
            cells = [percent(slices[language][name].value) if language in slices else "n/a" for language in languages]
            question = tracks.get(results.track).question if position == 0 else ""
            table.add_row(question, heading(metric_registry.get(name)), Text(percent(score.value), style="bold"), *cells)
    out = console()
    out.print()
    out.print(table)
    missing = sorted({one.session_id for r in scored for one in r.findings if one.code == "missing-recording" and one.session_id})
    if missing:
        out.print(Text(f"unanswered questions of {', '.join(missing)} are charged in full", style="yellow"), soft_wrap=True)

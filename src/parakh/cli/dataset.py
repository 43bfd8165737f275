"""``parakh dataset``: from a folder of recordings to a release; what each verb does is in the module of its name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parakh.errors import Fault, InputError

app = typer.Typer(
    help="Make, fill, split, describe, check and release a data set.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Folder = Annotated[Path, typer.Argument(help="The data set's folder.")]
By = Annotated[str, typer.Option("--by", help="Code of who does it, as ann01; no names.")]
Json = Annotated[str | None, typer.Option("--json", help="Write it as JSON; - for standard output.")]


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(help="Where to make it.")],
    template: Annotated[str, typer.Option("--template", help="displace-m, diarbench or plain.")] = "plain",
    name: Annotated[str, typer.Option("--name", help="What it is called; otherwise as the folder.")] = "",
    licence: Annotated[str, typer.Option("--licence", help="SPDX identifier, as CC-BY-4.0.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Add what is missing to a folder that is not empty.")] = False,
) -> None:
    """Make the skeleton of a data set: folders, README, settings."""
    from parakh.dataset import skeleton

    made = skeleton.make(folder, template, name, licence, force=force)
    for one in made.made:
        typer.echo(f"made {folder / one}{'/' * one.endswith('/')}")
    for one in made.kept:
        typer.echo(f"kept {folder / one}, which was there")
    typer.echo(f"Read {folder / 'README.md'}: it says what goes where.")


@app.command("import")
def import_source(
    source: Annotated[Path, typer.Argument(help="A folder or manifest of recordings.")],
    folder: Annotated[Path, typer.Argument(help="The data set; it is made if need be.")],
    kind: Annotated[
        str | None, typer.Option("--from", help="What the source is (`parakh list importer`); otherwise guessed.")
    ] = None,
    audio: Annotated[
        str | None,
        typer.Option("--audio", help="link (default), copy, refer (leave where it is) or none; embedded: none or copy."),
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="The part of the data set that the recordings go to.")] = None,
    language: Annotated[str | None, typer.Option("--language", help="Of recordings that carry none.")] = None,
    suffix: Annotated[
        list[str] | None, typer.Option("--suffix", help="Ending that tells files of one recording apart, as _doctor; repeat.")
    ] = None,
    skip_faulty: Annotated[bool, typer.Option("--skip-faulty", help="Import the others, and name these in the report.")] = False,
) -> None:
    """Bring recordings and annotations of another layout into it.

    After a stop, the same command goes on where it was.
    """
    from parakh.cli import dataset_import as verb

    raise typer.Exit(
        verb.import_source(source, folder, kind, audio, split, language, tuple(suffix or ()), skip_faulty=skip_faulty)
    )


@app.command("export")
def export_dataset(
    folder: Annotated[Path, typer.Argument(help="The data set.")],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    kind: Annotated[
        str, typer.Option("--to", help="A layout (`parakh list exporter`), or a format for a file a recording: rttm, stm ...")
    ],
    split: Annotated[str | None, typer.Option("--split", help="Only this part of the data set.")] = None,
    audio: Annotated[
        str | None, typer.Option("--audio", help="link, copy, refer or none; otherwise as the layout wants.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a folder that has something in it.")] = False,
) -> None:
    """Give it to others in their layout, and say what that loses."""
    from parakh.cli import dataset_export as verb

    verb.export_dataset(folder, out, kind, split, audio, overwrite=overwrite)


@app.command()
def schema(
    name: Annotated[str, typer.Argument(help="recordings: JSON Schema; metadata: the columns.")] = "recordings",
) -> None:
    """Print what may stand in recordings.jsonl or metadata.csv."""
    from parakh.dataset import schema as published

    typer.echo(published.text(name), nl=False)


@app.command()
def split(
    folder: Annotated[Path, typer.Argument(help="The data set.")],
    part: Annotated[list[str], typer.Option("--part", help="NAME=2h, =90m, =10%, =30 (recordings) or =rest; repeat.")],
    stratify: Annotated[str, typer.Option("--stratify", help="Fields to balance the parts by, as language,place.")] = "",
    group_by: Annotated[str, typer.Option("--group-by", help="Fields that keep recordings together, beside the person.")] = "",
    unknown: Annotated[
        str, typer.Option("--unknown-persons", help="Recordings with an unknown person: refuse, own (free) or together.")
    ] = "refuse",
    seed: Annotated[int, typer.Option("--seed", help="Decides between equally good splits.")] = 1,
    tolerance: Annotated[float, typer.Option("--tolerance", help="Percent that a part may be off.")] = 20.0,
    replace: Annotated[bool, typer.Option("--replace", help="Split anew what is split already.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the split and write nothing.")] = False,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the split as JSON; - for standard output.")] = None,
) -> None:
    """Split it into balanced parts that share no person."""
    from parakh.cli import dataset_split as verb
    from parakh.dataset.grouping import Unknown
    from parakh.dataset.split import Plan

    if unknown not in [*Unknown]:
        raise InputError(Fault("--unknown-persons", "", repr(unknown), f"one of {', '.join(Unknown)}"))
    if not tolerance >= 0:
        raise InputError(Fault("--tolerance", "", f"{tolerance:g}", "a percentage, 0 or more"))
    plan = Plan(part, _names(stratify), _names(group_by), Unknown(unknown), seed, tolerance / 100)
    verb.run(folder, plan, replace=replace, dry_run=dry_run, json_out=json_out)


@app.command()
def stats(
    folder: Folder,
    by: Annotated[str, typer.Option("--by", help="Fields to cut it by, as split or language,condition.")] = "",
    audio: Annotated[bool, typer.Option("--audio", help="Listen to the audio too: speech and noise.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that share the recordings.")] = 1,
    csv: Annotated[bool, typer.Option("--csv", help="Print all figures as CSV.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables in Markdown.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print the tables in LaTeX (booktabs).")] = False,
    json_out: Json = None,
    html_out: Annotated[str | None, typer.Option("--html", help="Write one offline page with charts.")] = None,
) -> None:
    """Describe it: hours, people, turns, overlap, words, topics."""
    from parakh.cli import dataset_stats as verb

    forms = [name for name, asked in (("csv", csv), ("markdown", markdown), ("latex", latex)) if asked]
    raise typer.Exit(verb.run(folder, _names(by), audio=audio, jobs=jobs, forms=forms, json_out=json_out, html_out=html_out))


@app.command()
def status(
    folder: Folder,
    sessions: Annotated[list[str] | None, typer.Argument(help="Recordings; without any, all.")] = None,
    history: Annotated[bool, typer.Option("--history", help="Every step instead of where they stand.")] = False,
    json_out: Json = None,
) -> None:
    """Say where each recording stands, and what changed since."""
    from parakh.cli import dataset_workflow as verb

    verb.status(folder, sessions or [], history=history, json_out=json_out)


@app.command()
def advance(
    folder: Folder,
    to: Annotated[str, typer.Option("--to", help="draft, segmented, transcribed, qc1 ... qc5 or released.")],
    by: By,
    sessions: Annotated[list[str] | None, typer.Argument(help="Recordings to take a step on.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every recording that may take this step.")] = False,
    despite: Annotated[
        str, typer.Option("--despite", help="Pass a stage although its checks find something, for this reason.")
    ] = "",
    at: Annotated[str | None, typer.Option("--at", help="When, if not now: 2026-03-31T09:30 (UTC).")] = None,
) -> None:
    """Take recordings a step on in annotation, and log who did it."""
    from parakh.cli import dataset_workflow as verb

    raise typer.Exit(verb.advance(folder, sessions or [], to, by, reason=despite, at=at, every=every))


@app.command()
def reject(
    folder: Folder,
    sessions: Annotated[list[str], typer.Argument(help="Recordings to send back.")],
    by: By,
    reason: Annotated[str, typer.Option("--reason", help="What is to be mended.")],
    at: Annotated[str | None, typer.Option("--at", help="When, if not now: 2026-03-31T09:30 (UTC).")] = None,
) -> None:
    """Send recordings back to be revised, with the reason."""
    from parakh.cli import dataset_workflow as verb

    verb.advance(folder, sessions, "revise", by, reason=reason, at=at)


@app.command()
def audit(
    folder: Folder,
    size: Annotated[str, typer.Option("--size", help="How many: a number, or a percentage as 10%.")],
    by: By,
    stratify: Annotated[str, typer.Option("--stratify", help="Fields whose values get their share: language,place.")] = "",
    seed: Annotated[int, typer.Option("--seed", help="Starts the draw.")] = 1,
    hypothesis: Annotated[
        list[str] | None, typer.Option("--hypothesis", "-h", help="A recogniser's transcripts: far from it is a risk.")
    ] = None,
    log: Annotated[bool, typer.Option("--log/--no-log", help="Note the draw in the log.")] = True,
    json_out: Json = None,
) -> None:
    """Draw recordings for a spot audit, the riskier the likelier."""
    from parakh.cli import dataset_workflow as verb

    verb.audit(folder, size, by, stratify=_names(stratify), seed=seed, hypothesis=hypothesis or [], json_out=json_out, log=log)


@app.command()
def agreement(
    annotations: Annotated[list[str] | None, typer.Argument(help="NAME=PATH of each annotator's turns or transcripts.")] = None,
    topics: Annotated[list[str] | None, typer.Option("--topics", help="NAME=PATH of an annotator's topics.")] = None,
    interval: Annotated[float | None, typer.Option("--interval", help="Confidence intervals of this percent, as 95.")] = None,
    samples: Annotated[int, typer.Option("--samples", help="Resamples for the intervals.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Of the resampling.")] = 1,
    json_out: Json = None,
) -> None:
    """Say how well annotators of the same recordings agree."""
    from parakh.cli import dataset_workflow as verb

    verb.agreement(annotations or [], topics or [], interval=interval, samples=samples, seed=seed, json_out=json_out)


@app.command()
def anchoring(
    folder: Folder,
    draft: Annotated[list[str], typer.Option("--draft", help="The machine's drafts: file, folder or glob.")],
    limit: Annotated[float, typer.Option("--limit", help="Percent of words left above which somebody is flagged.")] = 95.0,
    json_out: Json = None,
) -> None:
    """Say how much of a machine's drafts each annotator left."""
    from parakh.cli import dataset_workflow as verb

    raise typer.Exit(verb.anchoring(folder, draft, limit=limit, json_out=json_out))


@app.command()
def release(
    folder: Folder,
    by: By,
    known: Annotated[str | None, typer.Option("--baseline", help="Known findings, which stay on the card.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that share the recordings.")] = 1,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say whether it is ready; write nothing.")] = False,
    at: Annotated[str | None, typer.Option("--at", help="When, if not now: 2026-03-31T09:30 (UTC).")] = None,
) -> None:
    """Release it, with checksums and a card, if nothing is open."""
    from parakh.cli import dataset_release as verb
    from parakh.cli.settings import time_given

    raise typer.Exit(verb.run(folder, by, known=known, jobs=jobs, dry_run=dry_run, at=time_given(at)))


def _names(text: str) -> list[str]:
    """The fields of a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]

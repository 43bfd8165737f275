"""The command ``parakh``: what each verb takes; what it does is in the module of its name, loaded when called."""

from __future__ import annotations

import copy
import errno
import io
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import parakh
from parakh.errors import Fault, InputError, ParakhError

app = typer.Typer(
    name="parakh",
    help="Assay conversations: who spoke when, what was said, which health problems, what the visit came to.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Paths = list[str]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"parakh {parakh.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Options of the command itself."""


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", help="Where answers, scores and the report go.")] = Path("demo-out"),
) -> None:
    """Run and score the bundled conversations."""
    from parakh.cli import demo as verb

    verb.demo(out)


@app.command()
def run(
    audio: Annotated[Paths, typer.Argument(help="Audio files, folders, globs, or a recordings.jsonl.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the answers.")],
    preset: Annotated[str, typer.Option("--preset", help="A bundled preset or a path to one in TOML.")] = "embedded",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Change one option of the preset, as diarizer.num_speakers=2.")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="Main language (hi, kn ...) instead of detecting it.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Keep recordings that are already done in the folder.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Do them again.")] = False,
) -> None:
    """Take recordings through the cascade."""
    from parakh.cli import run as verb

    raise typer.Exit(verb.run(audio, out, preset, settings or [], language, resume=resume, overwrite=overwrite))


@app.command()
def score(
    track: Annotated[str, typer.Argument(help="diarization, asr, topics or summarization.")],
    reference: Annotated[Paths, typer.Option("--reference", "-r", help="File, folder or glob; repeat for several.")],
    hypothesis: Annotated[Paths, typer.Option("--hypothesis", "-h", help="File, folder or glob; repeat for several.")],
    uem: Annotated[Paths | None, typer.Option("--uem", help="Scoring regions; otherwise inferred.")] = None,
    collar: Annotated[
        float | None, typer.Option("--collar", help="Seconds on each side: of reference boundaries (DER), of words (tcpWER).")
    ] = None,
    score_regions: Annotated[
        str | None, typer.Option("--score-regions", help="What DER scores: all, single, overlap or nonoverlap.")
    ] = None,
    skip_overlap: Annotated[bool, typer.Option("--skip-overlap", help="Short for --score-regions nonoverlap.")] = False,
    stemmer: Annotated[bool, typer.Option("--stemmer", help="Compare stems of English words in ROUGE.")] = False,
    synonyms: Annotated[
        str | None, typer.Option("--synonyms", help="TSV of topics that mean the same, for topic_f1_folded.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Any further option of a metric, as hypothesis_timing=full_segment.")
    ] = None,
    accept: Annotated[
        Paths | None, typer.Option("--accept", help="A further accepted reference: the best form, topics or summary counts.")
    ] = None,
    transcript: Annotated[
        Paths | None, typer.Option("--transcript", help="What was said, to check the facts of a summary against.")
    ] = None,
    normalize: Annotated[str | None, typer.Option("--normalize", help="none, displace-2026, indic or ascii.")] = None,
    metric: Annotated[list[str] | None, typer.Option("--metric", help="Only these metrics; all: every one that fits.")] = None,
    system: Annotated[str | None, typer.Option("--system", help="The system's name on the table.")] = None,
    reference_format: Annotated[str | None, typer.Option("--reference-format", help="Instead of guessing by content.")] = None,
    hypothesis_format: Annotated[str | None, typer.Option("--hypothesis-format", help="Instead of guessing by content.")] = None,
    strip_suffix: Annotated[
        list[str] | None, typer.Option("--strip-suffix", help="Remove this ending from every recording id.")
    ] = None,
    skip_missing: Annotated[bool, typer.Option("--skip-missing", help="Leave out recordings the hypothesis lacks.")] = False,
    metadata: Annotated[str | None, typer.Option("--metadata", help="Data set or recordings.jsonl to slice by.")] = None,
    slice_by: Annotated[
        list[str] | None, typer.Option("--slice", help="Also report by a field: language, role, overlap, snr:0,10,20 ...")
    ] = None,
    interval: Annotated[float | None, typer.Option("--interval", help="Confidence intervals of this percent, as 95.")] = None,
    method: Annotated[str | None, typer.Option("--method", help="Of the intervals: bca (as by default) or percentile.")] = None,
    samples: Annotated[int | None, typer.Option("--samples", help="Resamples for the intervals; 10000 by default.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the resampling; 1 by default.")] = None,
    group_by: Annotated[
        str | None, typer.Option("--group-by", help="Resample all recordings of one value of this manifest field together.")
    ] = None,
    stratify_by: Annotated[
        str | None, typer.Option("--stratify-by", help="Resample within each value of this manifest field.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that share the recordings.")] = 1,
    per_recording: Annotated[bool, typer.Option("--per-recording", help="A row for each recording.")] = False,
    detail: Annotated[bool, typer.Option("--detail", help="Keep turns, alignments and texts in the JSON, for reports.")] = False,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the results as JSON; - for standard output.")] = None,
) -> None:
    """Score answers against a reference."""
    from parakh.cli import score as verb

    options: dict[str, object] = {}
    if collar is not None:
        options["collar"] = collar
    if skip_overlap and score_regions not in {None, "nonoverlap"}:
        raise InputError(Fault("--skip-overlap", "", f"--score-regions {score_regions}", "one of the two"))
    if skip_overlap:
        score_regions = "nonoverlap"
    if score_regions is not None:
        options["score_regions"] = score_regions
    if stemmer:
        options["stemmer"] = True
    request = verb.Request(
        track=track,
        reference=reference,
        hypothesis=hypothesis,
        uem=uem,
        options=options,
        settings=settings or [],
        synonyms=synonyms,
        accept=accept or [],
        transcript=transcript or [],
        normalize=normalize,
        metrics=metric,
        system=system,
        reference_format=reference_format,
        hypothesis_format=hypothesis_format,
        strip_suffixes=strip_suffix or [],
        skip_missing=skip_missing,
        metadata=metadata,
        slice_by=slice_by or [],
        interval=verb.IntervalRequest(interval, method, samples, seed, group_by, stratify_by),
        jobs=jobs,
        detail=detail,
    )
    raise typer.Exit(verb.score(request, per_recording=per_recording, json_out=json_out))


def _alone(context: typer.Context, option: str, fitting: set[str]) -> None:
    """Refuse options that would be ignored beside one.

    Raises:
        InputError: One is given, by name.
    """
    others = []
    for one in context.command.params:
        source = context.get_parameter_source(one.name or "")
        if source is not None and source.name == "COMMANDLINE" and one.name not in fitting:
            others.append(one.opts[0])
    if others:
        raise InputError(Fault(option, "", f"{', '.join(others)} beside it", "--json alone"))


@app.command()
def diagnose(
    context: typer.Context,
    track: Annotated[str, typer.Argument(help="asr.")],
    reference: Annotated[
        Paths | None, typer.Option("--reference", "-r", help="File, folder or glob; repeat for several.")
    ] = None,
    hypothesis: Annotated[
        Paths | None, typer.Option("--hypothesis", "-h", help="A system: PATH or NAME=PATH; repeat for several systems.")
    ] = None,
    terms: Annotated[
        Paths | None, typer.Option("--terms", help="A list of terms; errors on them are charged to its category.")
    ] = None,
    charge: Annotated[
        list[str] | None, typer.Option("--charge", help="Charge a built-in list too: FILLER, MEDICAL, NEGATION, NUMBER, ENGLISH.")
    ] = None,
    language: Annotated[str | None, typer.Option("--language", help="Of texts that carry none; otherwise by script.")] = None,
    tier: Annotated[list[str] | None, typer.Option("--tier", help="Forgive this difference in writing: colloquial ...")] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help="Do not forgive it: a tier, boundaries or numbers.")
    ] = None,
    variants: Annotated[Paths | None, typer.Option("--variants", help="Accepted spellings: lines word = spelling | ...")] = None,
    slots: Annotated[bool, typer.Option("--slots", help="References hold slots: { one / other }, {*}.")] = False,
    collar: Annotated[float | None, typer.Option("--collar", help="Seconds within which words of both sides may meet.")] = None,
    normalize: Annotated[str | None, typer.Option("--normalize", help="How the ledger's metric reads texts.")] = None,
    interval: Annotated[float | None, typer.Option("--interval", help="Confidence intervals of this percent, as 95.")] = None,
    samples: Annotated[int, typer.Option("--samples", help="Resamples for the intervals.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Of the resampling.")] = 1,
    top: Annotated[int, typer.Option("--top", min=1, help="Rows of each table.")] = 10,
    reference_format: Annotated[str | None, typer.Option("--reference-format", help="Instead of guessing by content.")] = None,
    hypothesis_format: Annotated[str | None, typer.Option("--hypothesis-format", help="Instead of guessing by content.")] = None,
    strip_suffix: Annotated[
        list[str] | None, typer.Option("--strip-suffix", help="Remove this ending from every recording id.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that share the recordings.")] = 1,
    pairs: Annotated[
        str | None,
        typer.Option("--pairs", help="JSON lines: id, language, reference, hypothesis, config; - is standard input."),
    ] = None,
    json_out: Annotated[str | None, typer.Option("--json", help="Write what was found as JSON; - for standard output.")] = None,
    html_out: Annotated[str | None, typer.Option("--html", help="Write it as one offline page.")] = None,
    audio: Annotated[Paths | None, typer.Option("--audio", help="Audio files or folders, to hear places on the page.")] = None,
) -> None:
    """Say what kind of error each one is, whose, and what mending it would buy."""
    from parakh.cli import diagnose as verb

    if track != "asr":
        raise InputError(Fault("diagnose", "", repr(track), "asr"))
    if pairs is not None:
        _alone(context, "--pairs", {"pairs", "json_out", "track"})
        raise typer.Exit(verb.pairs(pairs, json_out))
    if not reference or not hypothesis:
        raise InputError(Fault("diagnose", "", "no --reference or no --hypothesis", "both, or --pairs"))
    request = verb.Request(
        reference=reference,
        hypothesis=hypothesis,
        terms=terms or [],
        charge=charge or [],
        language=language,
        tier=tier or [],
        without=without or [],
        variants=variants or [],
        slots=slots,
        collar=collar,
        normalize=normalize,
        interval=interval,
        samples=samples,
        seed=seed,
        top=top,
        reference_format=reference_format,
        hypothesis_format=hypothesis_format,
        strip_suffixes=strip_suffix or [],
        jobs=jobs,
    )
    raise typer.Exit(verb.diagnose(request, json_out=json_out, html_out=html_out, audio=audio or []))


@app.command()
def compare(
    results: Annotated[Paths, typer.Argument(help="Two or more results files made by `parakh score ... --json FILE`.")],
    metric: Annotated[list[str] | None, typer.Option("--metric", help="Only these metrics.")] = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="The system to compare with; otherwise the first.")] = None,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Compare every two systems.")] = False,
    group_by: Annotated[
        str | None, typer.Option("--group-by", help="Draw all recordings with one value of this metadata field together.")
    ] = None,
    stratify_by: Annotated[
        str | None, typer.Option("--stratify-by", help="Keep the share of each value of this metadata field.")
    ] = None,
    metadata: Annotated[str | None, typer.Option("--metadata", help="Data set or recordings.jsonl with these fields.")] = None,
    samples: Annotated[int, typer.Option("--samples", help="Number of resamples.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Starts the random numbers.")] = 1,
    interval: Annotated[float, typer.Option("--interval", help="Percent of the intervals; tests take the rest.")] = 95.0,
    method: Annotated[
        str, typer.Option("--method", help="Of each system's interval: bca or percentile; differences take percentile.")
    ] = "bca",
    force: Annotated[bool, typer.Option("--force", help="Compare what is common although choices differ.")] = False,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the comparison as JSON; - for standard output.")] = None,
) -> None:
    """Tell systems apart: differences with intervals and p-values."""
    from parakh.cli import compare as verb
    from parakh.cli.settings import bootstrap

    request = verb.Request(
        results=results,
        metrics=metric,
        baseline=baseline,
        all_pairs=all_pairs,
        metadata=metadata,
        group_by=group_by,
        stratify_by=stratify_by,
        plan=bootstrap(method, interval, samples, seed),
        force=force,
    )
    verb.compare(request, json_out=json_out)


@app.command()
def convert(
    paths: Annotated[Paths, typer.Argument(help="What to convert, then where to: a file, a folder for one file each, or -.")],
    source: Annotated[str | None, typer.Option("--from", help="Format of the input instead of guessing by content.")] = None,
    target: Annotated[str | None, typer.Option("--to", help="Format to write instead of going by the ending.")] = None,
    strip_suffix: Annotated[
        list[str] | None, typer.Option("--strip-suffix", help="Remove this ending from every recording id.")
    ] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", help="Who speaks where the input names nobody.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Write nothing if anything would be lost or changed.")] = False,
) -> None:
    """Write what files hold in another format, and say what it cannot hold."""
    from parakh.cli import convert as verb

    verb.run(paths, source=source, target=target, strip_suffixes=strip_suffix or [], speaker=speaker, strict=strict)


@app.command()
def check(
    paths: Annotated[Paths, typer.Argument(metavar="PATH...", help="Data sets, folders of annotations and audio, or files.")],
    select: Annotated[
        list[str] | None, typer.Option("--select", help="Only these checks: codes, beginnings of codes (QC1) or names.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", help="Leave these checks out.")] = None,
    fail_on: Annotated[
        str | None, typer.Option("--fail-on", help="Exit with 1 from this severity: error, warning, note or never.")
    ] = None,
    config: Annotated[str | None, typer.Option("--config", help="A parakh.toml instead of the one in the folder.")] = None,
    audio: Annotated[str, typer.Option("--audio", help="How closely to look at audio: full, header or none.")] = "full",
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that share the recordings.")] = 1,
    known: Annotated[str | None, typer.Option("--baseline", help="Known findings, which are not told again.")] = None,
    write_known: Annotated[
        str | None, typer.Option("--write-baseline", help="Write what is found as known, and tell nothing.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="Of standard output: text, json or sarif.")] = "text",
    statistics: Annotated[bool, typer.Option("--statistics", help="Count each code instead of telling each finding.")] = False,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the findings as JSON; - for standard output.")] = None,
    sarif_out: Annotated[str | None, typer.Option("--sarif", help="Write them as SARIF 2.1.0, for code hosts.")] = None,
    html_out: Annotated[str | None, typer.Option("--html", help="Write them as one offline page.")] = None,
) -> None:
    """Check data sets and annotations: format, privacy, consistency, tags, overlap, release."""
    from parakh.cli import check as verb

    request = verb.Request(
        paths=paths,
        select=select or [],
        ignore=ignore or [],
        fail_on=fail_on,
        config=config,
        audio=audio,
        jobs=jobs,
        known=known,
        write_known=write_known,
        format=form,
        statistics=statistics,
        json_out=json_out,
        sarif_out=sarif_out,
        html_out=html_out,
    )
    raise typer.Exit(verb.run(request))


@app.command()
def report(
    results: Annotated[Paths, typer.Argument(help="Results files made by `parakh score ... --detail --json FILE`.")],
    out: Annotated[Path, typer.Option("--out", help="The page to write.")] = Path("report.html"),
    title: Annotated[str, typer.Option("--title", help="Its title.")] = "Parakh report",
) -> None:
    """Make one offline page of results."""
    from parakh.cli import report as verb

    verb.report(results, out, title)


@app.command("list")
def list_plugins(
    kind: Annotated[str | None, typer.Argument(help="metric, format, diarizer ...; without it, the kinds.")] = None,
) -> None:
    """List every plug-in of a kind."""
    from parakh.cli import plugins

    plugins.list_kind(kind)


@app.command()
def explain(name: Annotated[str, typer.Argument(help="Any metric, format, profile, preset or backend.")]) -> None:
    """Say what a plug-in is, takes and follows."""
    from parakh.cli import plugins

    plugins.explain(name)


@app.command(
    "models",
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def models(context: typer.Context) -> None:
    """List, get and verify model weights."""
    from parakh.cli import models as verb

    verb.app(args=context.args, prog_name="parakh models")


@app.command(
    "dataset",
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def dataset(context: typer.Context) -> None:
    """Make, fill, split, describe, check and release a data set."""
    from parakh.cli import dataset as verb

    verb.app(args=context.args, prog_name="parakh dataset")


def main() -> None:
    """Entry point: a user's mistake becomes one line a fault on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 shows ? for an arrow or a letter
    try:
        _run_app()
    except ParakhError as error:
        print(_private(error), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        _abandon_stdout()
        if error.errno == errno.EPIPE:
            sys.exit(128 + 13)  # as a command stopped by SIGPIPE; 1 would say that the data has findings
        print(f"standard output: found {error.strerror or error}, expected a place to write to.", file=sys.stderr)
        sys.exit(2)


def _private(error: ParakhError) -> ParakhError:
    """An error as it may be printed: files, recordings and fields are sometimes called after somebody's telephone number."""
    if not isinstance(error, InputError):
        return error
    from parakh.text.masking import masked  # only a mistake needs it

    faults = [
        one
        if one.path.startswith("-")  # an option; the limits that it names are no data
        else replace(one, path=masked(one.path), field=masked(one.field), found=masked(one.found), expected=masked(one.expected))
        for one in error.faults
    ]
    return InputError(faults, error.more)


def _run_app() -> None:
    """Run the verb, and write out what it printed while a failure can still be told."""
    stdout = sys.stdout
    try:
        _called()(prog_name="parakh")
    except SystemExit as stop:
        if sys.stdout is not stdout:  # typer met a closed pipe, and puts a silent stream in its place
            raise BrokenPipeError(errno.EPIPE, "the reader has gone") from stop
        stdout.flush()
        raise


def _called() -> typer.Typer:
    """The command with the one verb that is called: to describe the options of all takes longer than many a verb's work."""
    verb = next(iter(sys.argv[1:]), "")
    lean = copy.copy(app)
    named = [one for one in app.registered_commands if verb and (one.name or getattr(one.callback, "__name__", "")) == verb]
    lean.registered_commands = named or app.registered_commands
    return lean


def _abandon_stdout() -> None:
    """Let what cannot be written go nowhere, so that the interpreter does not complain at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except (OSError, ValueError):
        return


if __name__ == "__main__":
    main()

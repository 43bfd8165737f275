"""The verbs about answers of systems: to make them, train what makes them, score, diagnose, compare and show them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parakh.errors import Fault, InputError

verbs = typer.Typer()

Paths = list[str]


@verbs.command()
def demo(
    out: Annotated[Path, typer.Option("--out", help="Where answers, scores and the report go.")] = Path("demo-out"),
) -> None:
    """Run and score the bundled conversations."""
    from parakh.cli import demo as verb

    verb.demo(out)


@verbs.command()
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
    executor: Annotated[str, typer.Option("--executor", help="local, or ray for the machines of a cluster.")] = "local",
    jobs: Annotated[
        int | None, typer.Option("--jobs", help="Recordings at a time, each in a worker process; 0: one, in this process.")
    ] = None,
    max_memory: Annotated[
        str | None, typer.Option("--max-memory", help="Of all workers together, as 2GB; what cannot fit is refused.")
    ] = None,
    retries: Annotated[int, typer.Option("--retries", help="How often a recording whose worker died is tried again.")] = 1,
    ray_address: Annotated[
        str | None, typer.Option("--ray-address", help="Of a Ray cluster; without it one is started here for the run.")
    ] = None,
    send_files: Annotated[
        bool, typer.Option("--send-files", help="Send recordings to Ray's workers and answers back: no folder is shared.")
    ] = False,
) -> None:
    """Take recordings through the cascade."""
    from parakh.cascade.runner import Execution
    from parakh.cli import run as verb
    from parakh.cli.settings import bytes_of

    limit = None if max_memory is None else bytes_of("--max-memory", max_memory)
    how = Execution(executor, jobs, retries, limit, ray_address, send_files)
    raise typer.Exit(verb.run(audio, out, preset, settings or [], language, how, resume=resume, overwrite=overwrite))


@verbs.command()
def finetune(
    track: Annotated[str, typer.Argument(help="asr or diarization.")],
    config: Annotated[str, typer.Argument(help="A TOML file: recipe, weights, data, train, dev, out, and options.")],
    settings: Annotated[list[str] | None, typer.Option("--set", help="Change one key, as epochs=5.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint in the folder.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would be trained on and take of memory and time.")
    ] = False,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the run card as JSON; - for standard output.")] = None,
) -> None:
    """Train a model of the cascade further on a data set."""
    from parakh.cli import finetune as verb

    raise typer.Exit(verb.finetune(verb.Request(track, config, settings or [], resume, dry_run, json_out)))


@verbs.command()
def fuse(
    track: Annotated[str, typer.Argument(help="diarization or asr.")],
    systems: Annotated[Paths, typer.Argument(help="Two or more systems: a file, folder or pattern each, the best first.")],
    out: Annotated[str, typer.Option("--out", help="Folder for a file a recording.")],
    method: Annotated[str | None, typer.Option("--method", help="One of `parakh list fusion`.")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", help="An option of the method, as mapping=hungarian.")] = None,
    weights: Annotated[str | None, typer.Option("--weights", help="Votes of the systems, as 0.5,0.3,0.2.")] = None,
    session: Annotated[list[str] | None, typer.Option("--session", help="Only this recording; repeat for several.")] = None,
    allow_missing: Annotated[bool, typer.Option("--allow-missing", help="Fuse what is there where a system lacks it.")] = False,
    source: Annotated[str | None, typer.Option("--from", help="Format of the systems instead of guessing by content.")] = None,
    target: Annotated[
        str | None, typer.Option("--format", help="rttm or seglst; for asr seglst, stm or ctm. The first by default.")
    ] = None,
    strip_suffix: Annotated[
        list[str] | None, typer.Option("--strip-suffix", help="Remove this ending from every recording id.")
    ] = None,
) -> None:
    """Make one answer of several systems' by voting."""
    from parakh.cli import fuse as verb

    request = verb.Request(
        track=track,
        systems=systems,
        out=out,
        method=method,
        settings=settings or [],
        weights=weights,
        sessions=session or [],
        allow_missing=allow_missing,
        source=source,
        target=target,
        strip_suffixes=strip_suffix or [],
    )
    verb.fuse(request)


@verbs.command()
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
    cost: Annotated[
        str | None, typer.Option("--cost", help="Folder of the run that made the answers, where they do not lie in it.")
    ] = None,
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
        cost=cost,
        detail=detail,
    )
    raise typer.Exit(verb.score(request, per_recording=per_recording, json_out=json_out))


@verbs.command()
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
    """Say of each error what it is, whose, and what to mend first."""
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


@verbs.command()
def compare(
    results: Annotated[Paths, typer.Argument(help="Results files made by `parakh score ... --json FILE`, one a system.")],
    metric: Annotated[list[str] | None, typer.Option("--metric", help="Only these metrics.")] = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="The system to compare with; otherwise the first.")] = None,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Show every two systems.")] = False,
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
    published: Annotated[
        Paths | None, typer.Option("--published", help="TOML of systems known by published figures; repeat for several.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Compare although choices differ.")] = False,
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
        published=published or [],
    )
    verb.compare(request, json_out=json_out)


@verbs.command()
def report(
    files: Annotated[Paths, typer.Argument(help="Results files (`score --detail --json`) and diagnosis files.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="A page (.html), figure (.pdf .svg .png), table (.tex .md .csv) or trackers' metrics (.jsonl)."
        ),
    ] = Path("report.html"),
    title: Annotated[str, typer.Option("--title", help="Its title.")] = "Parakh report",
    audio: Annotated[Paths | None, typer.Option("--audio", help="Audio files or folders, to play recordings.")] = None,
    audio_link: Annotated[bool, typer.Option("--audio-link", help="Link these files instead of embedding them.")] = False,
    limit: Annotated[str | None, typer.Option("--limit", help="Size of the page without sound, as 20MB; 3MB by default.")] = None,
    figure: Annotated[
        str | None, typer.Option("--figure", help="Which figure (`parakh list figure`); all: each, into the folder --out.")
    ] = None,
    metric: Annotated[str | None, typer.Option("--metric", help="What figures show; otherwise the ranking metric.")] = None,
    width: Annotated[str, typer.Option("--width", help="Of figures: single (84 mm) or double (174 mm).")] = "single",
    published: Annotated[
        Paths | None, typer.Option("--published", help="TOML of systems known by published figures; repeat for several.")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option("--table", help="One of `parakh list table`, systems by default; all: every one, into the folder --out."),
    ] = None,
    step: Annotated[int | None, typer.Option("--step", help="Of metrics for a tracker: an epoch, a number of updates.")] = None,
) -> None:
    """Make a page, figures, tables or metrics for trackers."""
    from parakh.cli import report as verb

    request = verb.Request(
        files=files,
        out=out,
        title=title,
        audio=audio or [],
        audio_link=audio_link,
        limit=limit,
        figure=figure,
        metric=metric,
        width=width,
        published=published or [],
        table=table,
        step=step,
    )
    verb.report(request)


@verbs.command()
def view(
    results: Annotated[Paths, typer.Argument(help="Results files made by `parakh score ... --detail --json FILE`.")],
    metric: Annotated[str | None, typer.Option("--metric", help="Order by this metric; otherwise the ranking one.")] = None,
    recording: Annotated[str | None, typer.Option("--recording", help="Open this recording, or print its lines.")] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="Recordings printed where there is no terminal.")] = 10,
) -> None:
    """Browse results in the terminal, the worst first."""
    from parakh.cli import view as verb

    verb.view(verb.Request(results, metric, recording, top))

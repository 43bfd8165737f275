"""The verbs about files of annotations: to convert and to check them."""

from __future__ import annotations

from typing import Annotated

import typer

verbs = typer.Typer()

Paths = list[str]


@verbs.command()
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
    """Write files in another format, and say what it cannot hold."""
    from parakh.cli import convert as verb

    verb.run(paths, source=source, target=target, strip_suffixes=strip_suffix or [], speaker=speaker, strict=strict)


@verbs.command()
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
    skip_unknown: Annotated[
        bool, typer.Option("--skip-unknown", help="Leave out files that no format reads, as those of any commit.")
    ] = False,
    statistics: Annotated[bool, typer.Option("--statistics", help="Count each code instead of telling each finding.")] = False,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the findings as JSON; - for standard output.")] = None,
    sarif_out: Annotated[str | None, typer.Option("--sarif", help="Write them as SARIF 2.1.0, for code hosts.")] = None,
    html_out: Annotated[str | None, typer.Option("--html", help="Write them as one offline page.")] = None,
) -> None:
    """Check data sets and annotations: form, privacy, consistency."""
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
        skip_unknown=skip_unknown,
        statistics=statistics,
        json_out=json_out,
        sarif_out=sarif_out,
        html_out=html_out,
    )
    raise typer.Exit(verb.run(request))

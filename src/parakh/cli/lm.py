"""``parakh lm``: language models of one's own transcripts, and how well they foretell a text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parakh.cli.settings import check_json, check_output, put_json
from parakh.errors import Fault, InputError, counted
from parakh.files import read_text

if TYPE_CHECKING:
    from parakh.ngram import Model, Perplexity

app = typer.Typer(
    help="Build and score language models.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

LINES = "lines"
"""What ``--format`` calls a file with one sentence a line, which is no format of transcripts."""
_HELD_OUT = 10
"""Of the sentences given every tenth is held out to weigh a mixture, where no other text is given for that."""

Format = Annotated[
    str | None, typer.Option("--format", help="A format of transcripts, or lines: a sentence a line; else guessed by content.")
]


@app.command()
def build(
    transcripts: Annotated[list[str], typer.Argument(help="Files, folders or globs; turns count as sentences.")],
    out: Annotated[Path, typer.Option("--out", help="The ARPA file; packed where it ends in .gz.")],
    order: Annotated[int, typer.Option("--order", help="Most words of an n-gram, 1 to 8.")] = 3,
    normalize: Annotated[str, typer.Option("--normalize", help="none, displace-2026, indic or ascii.")] = "indic",
    unit: Annotated[str, typer.Option("--unit", help="word, or akshara: every word is known in part.")] = "word",
    prune: Annotated[str, typer.Option("--prune", help="Counts up to which n-grams are left out, by order, as 0,0,1.")] = "",
    mix: Annotated[list[str] | None, typer.Option("--mix", help="A further ARPA file to mix in; repeat for several.")] = None,
    held_out: Annotated[
        list[str] | None, typer.Option("--held-out", help="Transcripts that weigh the mixture; else a tenth of those given.")
    ] = None,
    form: Format = None,
) -> None:
    """Count transcripts into a smoothed model."""
    from parakh.ngram import Preparation, count, estimate, write_arpa

    if not 1 <= order <= 8:
        raise InputError(Fault("--order", "", str(order), "a whole number from 1 to 8"))
    if held_out and not mix:
        raise InputError(Fault("--held-out", "", "no --mix", "a model to mix with, which it weighs"))
    check_output("--out", str(out), [*transcripts, *(mix or ()), *(held_out or ())])
    preparation, thresholds = Preparation(normalize, unit), _thresholds(prune)
    texts = sentences(transcripts, form)
    found = estimate(count(texts, order, preparation), thresholds)
    model = found.model
    if mix:
        held = sentences(held_out, form) if held_out else []
        model = _mixture(model, mix, texts, held, thresholds)
    write_arpa(model, out)
    listed = ", ".join(f"{len(level.keys)}" for level in model.levels)
    typer.echo(f"{out}: {counted(len(texts), 'sentence')}; n-grams by order: {listed}", err=True)
    if found.guessed:
        orders = ", ".join(map(str, found.guessed))
        typer.echo(f"too little text to tell the discounts of order {orders}: the usual ones 0.5, 1, 1.5 are used", err=True)


@app.command()
def score(
    model: Annotated[Path, typer.Argument(help="The ARPA file.")],
    texts: Annotated[list[str], typer.Argument(help="Transcripts: files, folders or globs.")],
    form: Format = None,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the figures as JSON; - for standard output.")] = None,
) -> None:
    """Say how well a model foretells transcripts."""
    from parakh.ngram import perplexity, read_arpa

    check_json(json_out, [str(model), *texts])
    found = perplexity(read_arpa(model), sentences(texts, form))
    if put_json(json_out, lambda: json.dumps(asdict(found), indent=1) + "\n"):
        _print(found)


def sentences(paths: Sequence[str], form: str | None) -> list[str]:
    """The sentences of transcripts, tags and all; of plain lines each that holds anything.

    Args:
        paths: Files, folders or patterns.
        form: A format of transcripts, ``"lines"``, or None to find it out for each file.

    Raises:
        InputError: They cannot be read; one line a fault.
    """
    if form == LINES:
        return [line for path in paths for line in read_text(path).split("\n") if line.strip()]
    from dataclasses import replace

    from parakh import formats
    from parakh.types import Segment

    try:
        return [segment.words for segment in formats.load(paths, Segment, form).items if segment.words.strip()]
    except InputError as error:
        ours = "Say which with --format, or --format lines for a sentence a line."
        faults = [replace(one, action=ours if "--reference-format" in one.action else one.action) for one in error.faults]
        raise InputError(faults, error.more) from error


def _thresholds(text: str) -> list[int]:
    try:
        return [int(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise InputError(Fault("--prune", "", repr(text), "whole numbers, as 0,0,1")) from None


def _mixture(own: Model, others: Sequence[str], texts: Sequence[str], held: Sequence[str], prune: Sequence[int]) -> Model:
    """The own model with others, weighed on what none was counted from."""
    from parakh.ngram import count, estimate, mix, mixing_weights, read_arpa

    models = [read_arpa(path) for path in others]
    weighed = own
    if not held:
        held, rest = texts[::_HELD_OUT], [text for at, text in enumerate(texts) if at % _HELD_OUT]
        if not rest:
            action = "Give transcripts to weigh it on with --held-out."
            raise InputError(Fault("--mix", "", "a single sentence to weigh the mixture on", "more sentences", action))
        weighed = estimate(count(rest, own.order, own.preparation), prune).model
    weights = mixing_weights([weighed, *models], held)
    for name, weight in zip(("the transcripts", *others), weights, strict=True):
        typer.echo(f"weight {weight:.3f}: {name}", err=True)
    return mix([own, *models], weights)


def _print(found: Perplexity) -> None:
    from parakh.cli.tables import percent

    rows = {
        "sentences": str(found.sentences),
        "words": str(found.tokens),
        "unknown (OOV)": f"{found.unknown} ({percent(found.oov_rate)} %)",
        "perplexity": _number(found.perplexity),
        "of known words": _number(found.known_perplexity),
    }
    for name, value in rows.items():
        typer.echo(f"{name:<16}{value}")


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"

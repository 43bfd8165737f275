"""``parakh dataset``: from a folder of recordings to a release; what each verb does is in the module of its name."""

from __future__ import annotations

import typer

app = typer.Typer(
    help="Make, fill, split, describe, check and release a data set.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

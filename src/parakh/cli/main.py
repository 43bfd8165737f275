"""The command ``parakh``.

What the verbs take is told here and in ``answers``, ``files`` and ``leaderboard``; what each does is in the module of its name,
loaded when it is called.
"""

from __future__ import annotations

import copy
import errno
import importlib
import io
import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

import parakh
from parakh.cli import answers, files, leaderboard
from parakh.cli.helping import with_examples
from parakh.errors import ParakhError

app = typer.Typer(
    name="parakh",
    help="Assay conversations: who spoke when, what was said, which health problems, what the visit came to.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _verbs in (answers.verbs, files.verbs, leaderboard.verbs):
    app.registered_commands += _verbs.registered_commands

_HANDED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Of a verb with verbs of its own, which read the arguments."""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"parakh {parakh.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Options of the command itself."""


GROUPS = {
    "dataset": "Make, fill, split, describe, check and release a data set.",
    "models": "List, get and verify model weights.",
    "environment": "List and build environments of single backends.",
    "lm": "Build and score language models.",
    "admin": "Look after a leaderboard: accounts, challenges, backups.",
    "export": "Write a challenge for another platform.",
}
"""Verbs with verbs of their own, each in the module of its name."""


def _handed_to(name: str) -> Callable[[typer.Context], None]:
    def verb(context: typer.Context) -> None:
        with_examples(importlib.import_module(f"parakh.cli.{name}").app)(args=context.args, prog_name=f"parakh {name}")

    return verb


for _name, _told in GROUPS.items():
    app.command(_name, help=_told, add_help_option=False, context_settings=_HANDED_ON)(_handed_to(_name))


@app.command("list")
def list_plugins(
    kind: Annotated[str | None, typer.Argument(help="metric, format, diarizer ...; without it, the kinds.")] = None,
) -> None:
    """List every plug-in of a kind."""
    from parakh.cli import plugins

    plugins.list_kind(kind)


@app.command()
def explain(name: Annotated[str, typer.Argument(help="Any metric, format, check, profile, preset or backend.")]) -> None:
    """Say what a plug-in is, takes and follows."""
    from parakh.cli import plugins

    plugins.explain(name)


@app.command()
def completion(
    shell: Annotated[str, typer.Argument(help="bash, zsh or fish.")],
    words: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
) -> None:
    """Print what teaches a shell to complete the command line."""
    from parakh.cli import completion as verb

    if shell == "answer":  # the scripts ask so
        for word, told in verb.answers(app, GROUPS, words or []):
            typer.echo(f"{word}\t{told}" if told else word)
    else:
        typer.echo(verb.script(shell), nl=False)


def main() -> None:
    """Entry point: a user's mistake becomes one line a fault on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 shows ? for an arrow or a letter
    try:
        _run_app()
    except ParakhError as error:
        from parakh.text.masking import private  # only a mistake needs it

        print(private(error), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        _abandon_stdout()
        if error.errno == errno.EPIPE:
            sys.exit(128 + 13)  # as a command stopped by SIGPIPE; 1 would say that the data has findings
        place, expected = "standard output", "a place to write to"
        if error.filename is not None:
            place, expected = os.fsdecode(error.filename), "a place that can be read and written"
        print(f"{place}: found {error.strerror or error}, expected {expected}.", file=sys.stderr)
        sys.exit(2)


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
    return with_examples(lean)


def _abandon_stdout() -> None:
    """Let what cannot be written go nowhere, so that the interpreter does not complain at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except (OSError, ValueError):
        return


if __name__ == "__main__":
    main()

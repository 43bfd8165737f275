"""``parakh completion``: scripts for shells, and what these ask at every tab."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from parakh.cli.values import FILES, known
from parakh.errors import Fault, InputError

SHELLS = ("bash", "zsh", "fish")
_HELP = ("--help", "Show this message and exit.")
_VERSION = ("--version", "Print the version.")


def script(shell: str) -> str:
    """The script that teaches a shell to complete ``parakh``.

    Args:
        shell: "bash", "zsh" or "fish".

    Returns:
        Its text.

    Raises:
        InputError: It is another shell.

    >>> script("bash").splitlines()[-1]
    'complete -F _parakh parakh'
    """
    if shell not in SHELLS:
        raise InputError(Fault("completion", "", repr(shell), "bash, zsh or fish"))
    return (Path(__file__).parent / "shells" / f"parakh.{shell}").read_text(encoding="utf-8")


def answers(app: typer.Typer, groups: Collection[str], words: Sequence[str]) -> list[tuple[str, str]]:
    """What may stand where the cursor is.

    Args:
        app: The command.
        groups: Its verbs with verbs of their own, each in the module of its name.
        words: What is typed after the command's name; the last one, which may be empty, is to be completed.

    Returns:
        (word, what it is or ""); ``(FILES, "")`` stands for every file. Of ``--option=value`` the value alone.

    >>> from parakh.cli.main import GROUPS, app
    >>> [word for word, _ in answers(app, GROUPS, ["dataset", "s"])]
    ['schema', 'split', 'stats', 'status']
    >>> answers(app, GROUPS, ["check", "examples", "--audio=h"])
    [('header', '')]
    """
    *before, current = _joined(words) or [""]
    path = ""
    if before and before[0] in groups:
        path, app, before = f"{before[0]} ", importlib.import_module(f"parakh.cli.{before[0]}").app, before[1:]
    if before:
        found = _after(f"{path}{before[0]}", _parameters(app, before[0]), before[1:], current)
    else:
        found = iter((_HELP,) if path else (_HELP, _VERSION)) if current.startswith("-") else _verbs(app)
    begun = current.partition("=")[2] if _is_pair(current) else current
    return [(word, told) for word, told in found if word == FILES or word.startswith(begun)]


@dataclass(frozen=True)
class _Parameter:
    """An option, whose names have dashes, or an argument of a verb."""

    names: tuple[str, ...]
    told: str
    takes_value: bool
    is_number: bool
    repeats: bool

    @property
    def is_option(self) -> bool:
        return self.names[0].startswith("-")


def _is_pair(word: str) -> bool:
    return word.startswith("--") and "=" in word


def _joined(words: Sequence[str]) -> list[str]:
    """Bash takes ``--metric=der`` for three words."""
    found: list[str] = []
    for word in words:
        if found and (word == "=" or (_is_pair(found[-1]) and found[-1].endswith("="))):
            found[-1] += word
        else:
            found.append(word)
    return found


def _verbs(app: typer.Typer) -> Iterator[tuple[str, str]]:
    for one in app.registered_commands:
        told = one.help or (one.callback.__doc__ if one.callback else None) or ""
        yield _name(one), told.strip().split("\n")[0]


def _name(command: Any) -> str:
    return command.name or getattr(command.callback, "__name__", "").replace("_", "-")


def _parameters(app: typer.Typer, verb: str) -> list[_Parameter]:
    """What a verb takes; nothing where there is no such verb."""
    alone = typer.Typer(add_completion=False)
    alone.registered_commands = [one for one in app.registered_commands if _name(one) == verb]
    if not alone.registered_commands:
        return []
    found: list[Any] = typer.main.get_command(alone).params
    parameters = [
        _Parameter(
            names=(*one.opts, *one.secondary_opts),
            told=getattr(one, "help", None) or "",
            takes_value=not getattr(one, "is_flag", False),
            is_number=one.type.name.startswith(("int", "float")),
            repeats=getattr(one, "multiple", False) or one.nargs == -1,
        )
        for one in found
        if not getattr(one, "hidden", False)
    ]
    return [*parameters, _Parameter((_HELP[0],), _HELP[1], False, False, False)]


def _after(verb: str, parameters: Sequence[_Parameter], before: Sequence[str], current: str) -> Iterator[tuple[str, str]]:
    """What may follow the words of a verb: a value of the option before, an option, or the next argument."""
    options = {name: one for one in parameters if one.is_option for name in one.names}
    given: set[str] = set()
    positional = 0
    awaited: _Parameter | None = None
    for word in before:
        if awaited is not None:
            awaited = None
        elif (one := options.get(word.partition("=")[0])) is not None:
            given.update(one.names)
            awaited = one if one.takes_value and not _is_pair(word) else None
        elif word == "-" or not word.startswith("-"):
            positional += 1
    if awaited is None and _is_pair(current):
        awaited = options.get(current.partition("=")[0])
    elif awaited is None and current.startswith("-"):
        free = [one for one in parameters if one.is_option and (one.repeats or one.names[0] not in given)]
        yield from ((name, one.told) for one in free for name in one.names if name.startswith("--"))
        return
    elif awaited is None:
        awaited = _argument(positional, [one for one in parameters if not one.is_option])
    if awaited is not None and not awaited.is_number:
        yield from known(verb, awaited.names[0])


def _argument(position: int, arguments: Sequence[_Parameter]) -> _Parameter | None:
    """The one that the next word is: the last takes all the rest if it may."""
    if position < len(arguments):
        return arguments[position]
    return arguments[-1] if arguments and arguments[-1].repeats else None

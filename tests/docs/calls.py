"""Whether a call of ``parakh`` that a page shows names verbs and options that exist."""

import importlib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer

from parakh.cli.main import GROUPS, app

_BRACKETS = re.compile(r"[\[\]]|\s#.*")


@cache
def tree() -> dict[str, Any]:
    """Every verb, also of two words, with its command."""
    found = dict(_below(app))
    for name in GROUPS:
        found |= {f"{name} {verb}": command for verb, command in _below(importlib.import_module(f"parakh.cli.{name}").app)}
    return found


def _below(one: typer.Typer) -> Iterator[tuple[str, Any]]:
    group = typer.main.get_command(one)
    if hasattr(group, "commands"):
        yield from group.commands.items()
    else:  # typer makes of a single verb a command without a group
        yield (one.registered_commands[0].name or "", group)


def calls(text: str) -> Iterator[tuple[int, str]]:
    """(line within the text from 0, call) of every line that begins with ``parakh``, with the lines that it goes on in."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not re.match(r"(\$ )?parakh \w", line):
            continue
        whole = line
        for further in lines[number + 1 :]:
            if not (whole.rstrip().endswith("\\") or further.startswith("           ")):
                break
            whole = whole.rstrip().removesuffix("\\") + " " + further.strip()
        yield number, whole.removeprefix("$ ")


def faults(call: str) -> list[str]:
    """What a call names that does not exist; brackets around what may be left out and comments do not matter."""
    return [fault for part in re.split(r"&&|\|\||\|(?= )|;", _BRACKETS.sub(" ", call)) for fault in _faults_of_one(part.split())]


def _faults_of_one(words: list[str]) -> list[str]:
    if not words or words[0] != "parakh" or len(words) == 1:
        return []
    verb = words[1]
    if verb.startswith("-"):
        return [] if verb in ("--help", "--version") else [f"parakh has no option {verb}"]
    if verb in GROUPS:
        if len(words) < 3 or words[2].startswith("-"):
            return []
        verb = f"{verb} {words[2]}"
    command = tree().get(verb)
    if command is None:
        return [f"there is no verb {verb!r}"]
    known = {"--help"} | {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    used = [option for word in words for option in re.findall(r"^(--?[A-Za-z][\w-]*)", word) for option in option.split("|")]
    return [f"parakh {verb} has no option {option}" for option in used if option not in known and not _is_bundle(option, known)]


def _is_bundle(option: str, known: set[str]) -> bool:
    """Whether it is a short option with its value in one word, as -j4."""
    return not option.startswith("--") and option[:2] in known

"""What options and arguments are known to take, for the completion of a command line."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import parakh
from parakh.files import write_atomic

KNOWN = {
    "track": "@track",
    "diagnose track": "asr",
    "fuse track": "asr diarization",
    "finetune track": "asr diarization",
    "list kind": "@kind",
    "explain name": "@profile @preset @metric @format @check @track @diarizer @transcriber @translator @topics @summary @model",
    "models get names": "@model",
    "models verify names": "@model",
    "environment build names": "@environment",
    "dataset schema name": "recordings metadata",
    "admin role role": "member organiser admin",
    "completion shell": "bash zsh fish",
    "--metric": "@metric",
    "score --metric": "@metric all",
    "--normalize": "@profile",
    "--preset": "@preset :files",
    "--language": "@language",
    "--reference-format": "@format",
    "--hypothesis-format": "@format",
    "--from": "@format",
    "--to": "@format",
    "--format": "@format lines",
    "--method": "bca percentile",
    "--slice": "language role speaker overlap speakers duration",
    "--executor": "local ray",
    "--select": "@check @code",
    "--ignore": "@check @code",
    "--fail-on": "error warning note never",
    "--score-regions": "all single overlap nonoverlap",
    "--unit": "word akshara",
    "--tier": "@tier",
    "--without": "@tier boundaries numbers",
    "--charge": "FILLER MEDICAL NEGATION NUMBER ENGLISH",
    "--figure": "@figure all",
    "--width": "single double",
    "--table": "@table all",
    "fuse --method": "@fusion",
    "fuse --format": "rttm seglst stm ctm",
    "check --audio": "full header none",
    "check --format": "text json sarif",
    "dataset init --template": "displace-m diarbench plain",
    "dataset import --from": "@importer",
    "dataset import --audio": "link copy refer none",
    "dataset export --to": "@exporter @format",
    "dataset export --audio": "link copy refer none",
    "dataset split --unknown-persons": "refuse own together",
    "dataset advance --to": "draft segmented transcribed qc1 qc2 qc3 qc4 qc5 released",
    "models get --from": ":files",
    "admin create --role": "member organiser admin",
    "admin audit --format": "table csv jsonl",
    "admin phase --shows": "nothing score recordings diagnosis",
    "admin phase --shows-revealed": "nothing score recordings diagnosis",
}
"""Option or argument, of any verb or of one -> its values: words, ``@kind`` for all plug-ins of a kind, ``:files`` for files."""

FILES = ":files"
"""Stands for every file, which the shell itself knows best."""


def known(verb: str, parameter: str) -> Iterator[tuple[str, str]]:
    """What a parameter takes.

    Args:
        verb: The verb as it is called, "dataset init".
        parameter: The option with its dashes, or the argument's name.

    Yields:
        (value, what it is or ""); ``(FILES, "")`` where it takes files, or nobody knows.

    >>> list(known("check", "--audio"))
    [('full', ''), ('header', ''), ('none', '')]
    >>> list(known("check", "paths"))
    [(':files', '')]
    """
    for word in KNOWN.get(f"{verb} {parameter}", KNOWN.get(parameter, FILES)).split():
        if word.startswith("@"):
            yield from _remembered(word[1:])
        else:
            yield word, ""


def _remembered(kind: str) -> list[tuple[str, str]]:
    """The plug-ins of a kind, as listed while the same files were installed: to load them takes longer than a keystroke."""
    file = _cache() / f"completion-{kind}.json"
    state = _state()
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(file.read_text(encoding="utf-8"))
        if kept["state"] == state:
            return [(str(name), str(told)) for name, told in kept["entries"]]
    found = list(_listed(kind))
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, json.dumps({"state": state, "entries": found}, ensure_ascii=False))
    return found


def _cache() -> Path:
    chosen = os.environ.get("XDG_CACHE_HOME")
    return (Path(chosen) if chosen else Path.home() / ".cache") / "parakh"


def _state() -> str:
    """Another one whenever a file of this package, or the list of installed packages, has changed."""
    inside = (Path(place) / name for place, _, names in os.walk(Path(__file__).parent.parent) for name in names)
    sources = [path for path in inside if path.suffix in {".py", ".toml"}]
    places = [Path(place) for place in sys.path]
    times = [path.stat().st_mtime_ns for path in (*sources, *places) if path.exists()]
    return hashlib.sha256(f"{parakh.__version__} {sys.path} {times}".encode()).hexdigest()


def _listed(kind: str) -> Iterator[tuple[str, str]]:
    from parakh import registry
    from parakh.cli import plugins

    if kind == "kind":
        yield from ((name, "") for name in plugins.KINDS)
    elif kind == "code":
        from parakh import qc

        yield from ((code, check.title) for code, check in qc.all_checks().items())
    elif kind == "tier":
        from parakh.text.tiers import TIERS

        yield from ((tier.name, tier.title) for tier in TIERS.values())
    elif kind == "environment":
        from parakh.cascade import environments

        yield from ((name, environments.declared(name).title) for name in environments.names())
    elif kind in plugins.KINDS and (kind not in registry.KINDS or registry.names(kind)):
        yield from plugins.entries(kind)

"""What a report is made of: results of systems, and diagnoses of them where they were made.

A results file and a diagnosis file are told apart by their schema, so all are given as one list of paths.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from parakh import metrics as metric_registry
from parakh import published as published_figures
from parakh.comparable import same_system, unusable
from parakh.errors import Fault, InputError
from parakh.files import read_text
from parakh.report.diagnosed import Diagnosed, is_diagnosis, read_diagnosed
from parakh.results import SCHEMA, Results


@dataclass(frozen=True)
class Inputs:
    """Everything that pages, figures and tables read.

    Args:
        results: Results in the order given; those that were published without recordings have none.
        diagnosed: Diagnoses in the order given, one a system.
    """

    results: tuple[Results, ...]
    diagnosed: tuple[Diagnosed, ...] = ()

    def systems(self) -> list[str]:
        """Names of the systems that have results, in the order given."""
        return list(dict.fromkeys(one.system for one in self.results))

    def of(self, track: str) -> list[Results]:
        """The results of one track, in the order given."""
        return [one for one in self.results if one.track == track]

    def diagnosis(self, system: str) -> Diagnosed | None:
        """The diagnosis of a system; None where there is none."""
        return next((one for one in self.diagnosed if one.system == system), None)


_SETS = ("set", "split", "phase")
"""Fields of a manifest that tell sets apart, where results were cut by them."""


def set_of(one: Results) -> str:
    """The set that published figures name, or that all recordings are of by a field they were cut by; "" where none is known.

    >>> from parakh.results import Signature
    >>> set_of(Results("asr", "x", Signature({"set": "dev"}), {}, ()))
    'dev'
    """
    if "set" in one.signature.choices:
        return one.signature.choices["set"]
    for field in _SETS:
        values = {each.slices.get(field) for each in one.recordings}
        if len(values) == 1 and (only := values.pop()) and len(only) == 1:
            return only[0]
    return ""


def told_apart(results: Sequence[Results]) -> tuple[Results, ...]:
    """Results of which no two have the same track and system: a further one is named with its set, or with a number.

    >>> from parakh.results import Signature
    >>> [one.system for one in told_apart([Results("asr", "ours", Signature({"set": one}), {}, ()) for one in ("dev", "test")])]
    ['ours', 'ours, test']
    """
    taken: set[tuple[str, str]] = set()
    named = []
    for one in results:
        number, label = 1, one.system
        if (one.track, label) in taken and (known_set := set_of(one)):
            label = f"{one.system}, {known_set}"
        while (one.track, label) in taken:
            number += 1
            label = f"{one.system} ({number})"
        taken.add((one.track, label))
        named.append(one if label == one.system else replace(one, system=label))
    return tuple(named)


def load(paths: Sequence[str], published: Sequence[str] = (), *, once: bool = True) -> Inputs:
    """Read results files and diagnosis files, and published figures to stand beside them.

    Args:
        paths: Files made by ``parakh score ... --json FILE`` and ``parakh diagnose ... --json FILE``, in any order.
        published: TOML files of published figures (``parakh.published``).
        once: Whether a system may have one results of a track and set only.

    Raises:
        InputError: A file cannot be read, or is none of these; or two hold results of one system, track and set.

    >>> load([])
    Inputs(results=(), diagnosed=())
    """
    results: list[tuple[Results, str]] = []
    diagnosed: list[Diagnosed] = []
    for path in paths:
        text = read_text(path)
        found = None if SCHEMA in text[:80] else _diagnosis(text, path)  # a large results file is parsed once
        if found is None:
            results.append((_usable(Results.from_json(text, path), path), path))
        else:
            diagnosed += found
    if once:
        _check_once(results)
    return Inputs((*(one for one, _ in results), *published_figures.load(published)), tuple(diagnosed))


def _check_once(results: Sequence[tuple[Results, str]]) -> None:
    """See that a system has one result of a track, or each of another set.

    Raises:
        InputError: It has two that nothing tells apart.
    """
    first: dict[tuple[str, str, str], tuple[Results, str]] = {}
    faults = []
    for one, source in results:
        key = (one.system, one.track, set_of(one))
        if key in first:
            faults.append(same_system(one, source, *first[key]))
        first.setdefault(key, (one, source))
    if faults:
        raise InputError(faults)


def _usable(results: Results, path: str) -> Results:
    """Results whose statistics their metrics can score: figures and tables score sums of them."""
    installed = metric_registry.all_metrics()
    faults = [
        Fault(path, f"recordings.{one.id}.stats.{name}", wrong, "statistics to score", "Make it again with `parakh score`.")
        for one in results.recordings
        for name, stats in one.stats.items()
        if (stats or one.metrics.get(name) is not None) and name in installed and (wrong := unusable(installed[name], stats))
    ]
    if faults:
        raise InputError(faults)
    return results


def _diagnosis(text: str, path: str) -> list[Diagnosed] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None  # what is wrong with it is said where results are read
    return read_diagnosed(document, path) if is_diagnosis(document) else None

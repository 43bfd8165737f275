"""The scoring program of a Codabench bundle: the leaderboard's own check and scorer on Codabench's folders."""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from parakh import metrics
from parakh.errors import InputError
from parakh.files import read_text, write_atomic
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.challenge_file import from_dict
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.references import load_references, measure
from parakh.leaderboard.validation import Checked, check

RULES = "parakh.json"
"""What holds the rules in the reference data."""
_DECIMALS = 8
"""Codabench's database takes ten decimals, and refuses a score with more."""


def score(source: str | Path, target: str | Path) -> int:
    """Score a submission as Codabench calls for it.

    Args:
        source: Folder with ``ref`` (the reference data) and ``res`` (the unpacked submission).
        target: Folder to write ``scores.json`` to; values of metrics in percent, and left out where they are not defined.

    Returns:
        0; or 1 for a submission that is refused, whose faults stand on standard error and which gets no score.

    Raises:
        ParakhError: The reference data are damaged.
    """
    folder = Path(source) / "ref"
    rules = json.loads(read_text(folder / RULES))
    challenge = from_dict(rules["challenge"])
    phase, track = rules["phase"], rules["track"]
    checked = _check(Path(source) / "res", Kit.of(challenge, folder, phase, track))
    for finding in checked.findings:
        print(finding)
    if checked.faults:
        print(InputError(checked.faults), file=sys.stderr)
        return 1
    metric_set = dataclasses.replace(challenge.track(track).metric_set, level=None, slice_by=())
    values = scores(metric_set, load_references(challenge, folder, phase, track), checked.items)
    write_atomic(Path(target) / "scores.json", json.dumps(values) + "\n")
    return 0


def scores(metric_set: MetricSet, references: Any, items: tuple[Any, ...]) -> dict[str, float]:
    """The scores of a submission by the key of their column: percent for rates."""
    results = measure(metric_set, references, items, "submission")
    values = {}
    for name, one in results.metrics.items():
        if one.value is not None:
            factor = 100 if metrics.get(name).unit == "%" else 1
            values[column_key(name)] = round(factor * one.value, _DECIMALS)
    return values


def column_key(metric: str) -> str:
    """The key of a metric's column.

    >>> column_key("topic_f1")
    'topic_f1'
    """
    return metric[:36]


def _check(submission: Path, kit: Kit) -> Checked:
    """The check of a submission that Codabench has unpacked: packed again, so that it is the very same."""
    with tempfile.TemporaryDirectory() as place:
        packed = Path(place) / "submission.zip"
        with zipfile.ZipFile(packed, "w", strict_timestamps=False) as archive:
            for path in sorted(submission.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    archive.write(path, path.relative_to(submission).as_posix())
        return check(packed, kit)

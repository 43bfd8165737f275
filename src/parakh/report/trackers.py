"""Metrics as experiment trackers take them: a JSON line a system, with flat keys that MLflow and Weights & Biases accept.

MLflow allows letters, digits, ``_ - . : /`` and blanks, up to 250 of them, in keys of metrics, parameters and tags, and may store
a metric as a file: no key may be the folder of another. Weights & Biases sorts and filters by names of ASCII letters, digits and
``_``, and groups them by what stands before a slash. So keys are parts of ``[A-Za-z0-9_]`` with slashes between them, and what
belongs to a metric (``asr/tcpwer_low``) stands beside it, not below. Source: MLflow 3.17, W&B 0.31.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.results import Results, Score

_LONGEST = 60
"""Signs of a part of a key; four parts stay below MLflow's 250."""


def records(results: Sequence[Results], *, step: int | None = None) -> list[dict[str, Any]]:
    """What a tracker logs of each system, as plain data.

    Args:
        results: Of any number of systems and tracks.
        step: The step that all belongs to (an epoch, a number of updates); None leaves it out.

    Returns:
        A record a system, in the order given: "run" is its name; "metrics" maps keys to numbers, ratios for rates, without
        what is undefined; "params" are the choices of the signatures; "tags" name the tracks, and what each part of a key
        stands for that had to be written otherwise. "step" only where given.

    Raises:
        InputError: A system has two results of one track.

    >>> from parakh.results import Signature, Stats
    >>> made = Results("asr", "ours", Signature({"collar": "3.0"}), {"tcpwer": Score(0.25, Stats(), interval=(0.2, 0.3))}, ())
    >>> (found,) = records([made], step=2)
    >>> found["metrics"], found["params"], found["step"]
    ({'asr/tcpwer': 0.25, 'asr/tcpwer_low': 0.2, 'asr/tcpwer_high': 0.3, 'asr/recordings': 0}, {'asr/collar': '3.0'}, 2)
    """
    twice = [key for key, count in Counter((one.system, one.track) for one in results).items() if count > 1]
    if twice:
        action = "Write a file for each, or name the systems with `parakh score ... --system NAME`."
        raise InputError(Fault(system, track, "two results", "one of a system and track", action) for system, track in twice)
    systems = dict.fromkeys(one.system for one in results)
    return [_record(name, [one for one in results if one.system == name], step) for name in systems]


def _record(system: str, results: Sequence[Results], step: int | None) -> dict[str, Any]:
    metrics: dict[str, float] = {}
    params: dict[str, str] = {}
    tags = {"parakh/tracks": ", ".join(one.track for one in results)}
    names = _Names(tags)
    for one in results:
        track = names.part(one.track)
        metrics |= dict(_metrics(one, track, names))
        params |= {f"{track}/{names.part(key)}": value for key, value in one.signature.choices.items()}
    return {"run": system, **({} if step is None else {"step": step}), "metrics": metrics, "params": params, "tags": tags}


def write(results: Sequence[Results], path: str | Path, *, step: int | None = None) -> None:
    """Write the records as JSON lines, whole or not at all.

    Raises:
        InputError: A system has two results of one track, or the file cannot be written.
    """
    lines = [json.dumps(one, ensure_ascii=False, allow_nan=False) for one in records(results, step=step)]
    write_atomic(path, "".join(f"{line}\n" for line in lines))


class _Names:
    """Parts of keys; what had to be written otherwise is told in tags."""

    def __init__(self, tags: dict[str, str]) -> None:
        self._tags, self._taken = tags, dict[str, str]()

    def part(self, *words: str) -> str:
        """Words as a part of a key: other signs become ``_``; where that is too little, a checksum keeps names apart."""
        text = "=".join(words)
        plain = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
        if not text.isascii() or len(plain) > _LONGEST or not plain or self._taken.setdefault(plain, text) != text:
            plain = f"{plain[: _LONGEST - 9]}_{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}".strip("_")
        if plain != "_".join(words):
            self._tags[f"parakh/{plain}"] = text
        return plain


def _metrics(results: Results, track: str, names: _Names) -> Iterator[tuple[str, float]]:
    for metric, score in results.metrics.items():
        yield from _values(f"{track}/{names.part(metric)}", score, names)
    yield f"{track}/recordings", len(results.recordings)
    for field, values in results.slices.items():
        for value, scores in values.items():
            place = f"{track}/{names.part(field, value)}"
            for metric, score in scores.items():
                yield from _values(f"{place}/{names.part(metric)}", score, names)


def _values(key: str, score: Score, names: _Names) -> Iterator[tuple[str, float]]:
    """A value, its interval, its means over recordings and its parts: those that are defined."""
    low, high = score.interval or (None, None)
    parts = {names.part(name): value for name, value in score.parts.items()}
    means = {"macro": score.macro, "by_duration": score.by_duration}
    for suffix, value in {"": score.value, "low": low, "high": high, **means, **parts}.items():
        if value is not None:
            yield f"{key}_{suffix}".rstrip("_"), value

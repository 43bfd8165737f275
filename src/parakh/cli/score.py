"""``parakh score``: load both sides, evaluate, print a table a person reads or JSON a program reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parakh import scoring, tracks
from parakh.aggregate import Interval
from parakh.cli.settings import bootstrap, check_json, metric_settings, put_json
from parakh.errors import Fault, InputError
from parakh.results import Results
from parakh.types import Severity


@dataclass(frozen=True)
class IntervalRequest:
    """How confidence intervals were asked for; None for what was not."""

    percent: float | None
    method: str | None
    samples: int | None
    seed: int | None
    group_by: str | None
    stratify_by: str | None


@dataclass(frozen=True)
class Request:
    """Everything ``parakh score`` was asked for; the fields are its options."""

    track: str
    reference: Sequence[str]
    hypothesis: Sequence[str]
    uem: Sequence[str] | None
    options: dict[str, object]
    normalize: str | None
    metrics: Sequence[str] | None
    system: str | None
    reference_format: str | None
    hypothesis_format: str | None
    strip_suffixes: Sequence[str]
    skip_missing: bool
    metadata: str | None
    slice_by: Sequence[str]
    detail: bool
    settings: Sequence[str] = ()
    accept: Sequence[str] = ()
    transcript: Sequence[str] = ()
    synonyms: str | None = None
    interval: IntervalRequest | None = None
    jobs: int = 1
    cost: str | None = None


def score(request: Request, *, per_recording: bool, json_out: str | None) -> int:
    """Score, print, and return the exit code: 1 when the input has error-level findings, else 0."""
    read = [*request.reference, *request.hypothesis, *(request.uem or ()), *request.accept, *request.transcript]
    check_json(json_out, [*read, *filter(None, (request.metadata, request.synonyms))])
    results = compute(request)
    if put_json(json_out, results.to_json):
        from parakh.cli.tables import print_results  # rich takes a while to load

        print_results(results, per_recording=per_recording)
    return int(any(finding.severity is Severity.ERROR for finding in results.findings))


def compute(request: Request) -> Results:
    """Load what the request names and evaluate it.

    Raises:
        ParakhError: Any input cannot be read or scored.
    """
    track = tracks.get(request.track)
    if request.system is not None and not request.system.isprintable():
        raise InputError(Fault("--system", "", repr(request.system), "printable text"))
    interval = _interval(request.interval)
    given, settings = _options(request), metric_settings(track, request.metrics, request.settings)
    if given.keys() & settings.keys():
        raise InputError(Fault("--set", name, "a value given elsewhere too", "one") for name in given.keys() & settings.keys())
    return scoring.score(
        request.track,
        request.reference,
        request.hypothesis,
        accept=request.accept,
        transcript=request.transcript or None,
        uem=request.uem,
        metadata=request.metadata,
        system=request.system,
        metrics=request.metrics,
        normalization=request.normalize,
        options={**given, **settings},
        skip_missing=request.skip_missing,
        slice_by=request.slice_by,
        interval=interval,
        detail=request.detail,
        jobs=request.jobs,
        reference_format=request.reference_format,
        hypothesis_format=request.hypothesis_format,
        strip_suffixes=request.strip_suffixes,
        cost=request.cost,
    )


def _interval(asked: IntervalRequest | None) -> Interval | None:
    if asked is None:
        return None
    if asked.percent is None:
        unused = {"--method": asked.method, "--samples": asked.samples, "--seed": asked.seed}
        unused |= {"--group-by": asked.group_by, "--stratify-by": asked.stratify_by}
        faults = [
            Fault(name, "", "no --interval", "it, as in --interval 95") for name, value in unused.items() if value is not None
        ]
        if faults:
            raise InputError(faults)
        return None
    from parakh.resample import Bootstrap

    usual = Bootstrap()
    plan = bootstrap(
        asked.method or usual.method,
        asked.percent,
        usual.samples if asked.samples is None else asked.samples,
        usual.seed if asked.seed is None else asked.seed,
    )
    return Interval(plan, asked.group_by, asked.stratify_by)


def _options(request: Request) -> dict[str, Any]:
    if not request.synonyms:
        return dict(request.options)
    from parakh.metrics.topic_f1 import Synonyms

    return {**request.options, "synonyms": Synonyms.read(Path(request.synonyms))}

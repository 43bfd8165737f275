"""``parakh score``: load both sides, evaluate, print a table a person reads or JSON a program reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parakh import formats, tracks
from parakh.aggregate import Interval
from parakh.cli.settings import bootstrap, check_json, metric_settings, put_json, recordings
from parakh.cost import cost_beside, load_cost
from parakh.errors import Fault, InputError
from parakh.evaluate import evaluate
from parakh.metrics import Payload
from parakh.results import Results
from parakh.selection import accept_answers, accept_forms
from parakh.types import Finding, Recording, Region, Segment, Severity


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
    if request.accept and track.item is Segment and Payload.WORDS not in track.payloads:
        raise InputError(Fault("--accept", "", f"the {track.name} track", "a track of words, topics or summaries"))
    given, settings = _options(request), metric_settings(track, request.metrics, request.settings)
    if given.keys() & settings.keys():
        raise InputError(Fault("--set", name, "a value given elsewhere too", "one") for name in given.keys() & settings.keys())
    options = {**given, **settings}
    reference, seen = _reference(request, track.item)
    hypothesis, seen_too = _load(request.hypothesis, track.item, request.hypothesis_format, request.strip_suffixes)
    regions, seen_uem = _load(request.uem, Region, "uem", request.strip_suffixes) if request.uem else (None, ())
    transcripts = _load(request.transcript, Segment, None, request.strip_suffixes)[0] if request.transcript else None
    results = evaluate(
        track,
        reference,
        hypothesis,
        system=request.system or _system_name(request.hypothesis),
        regions=regions,
        transcripts=transcripts,
        metrics=request.metrics,
        normalization=request.normalize,
        options=options,
        skip_missing=request.skip_missing,
        recordings=_recordings(request),
        slice_by=request.slice_by,
        interval=interval,
        detail=request.detail,
        jobs=request.jobs,
    )
    cost = load_cost(request.cost) if request.cost else cost_beside(request.hypothesis)
    findings = tuple(dict.fromkeys((*seen, *seen_too, *seen_uem, *results.findings)))
    return replace(results, findings=findings, cost=cost)


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


def _reference(request: Request, item: type) -> tuple[Sequence[Any], Sequence[Finding]]:
    """The reference, with every further accepted one: as forms of the same utterances, or beside it."""
    reference, seen = _load(request.reference, item, request.reference_format, request.strip_suffixes)
    for path in request.accept:
        further, noticed = _load([path], item, None, request.strip_suffixes)
        reference = tuple((accept_forms if item is Segment else accept_answers)(reference, further))
        seen = (*seen, *noticed)
    return reference, seen


def _load(
    paths: Sequence[str], item: type, format_name: str | None, strip_suffixes: Sequence[str]
) -> tuple[tuple[Any, ...], tuple[Finding, ...]]:
    loaded = formats.load(paths, item, format_name, strip_suffixes=strip_suffixes)
    return loaded.items, loaded.findings


def _recordings(request: Request) -> Sequence[Recording]:
    grouped = request.interval and (request.interval.group_by or request.interval.stratify_by)
    if grouped and not request.metadata:
        raise InputError(Fault("--metadata", "", "nothing", f"the data set or recordings.jsonl that holds {grouped!r}"))
    if not request.metadata:
        return ()
    return recordings(request.metadata, request.strip_suffixes)


def _system_name(paths: Sequence[str]) -> str:
    """A single file or folder's name; for several files or a pattern, that of the folder they lie in."""
    path = Path(paths[0])
    if str(path) in {"-", "/dev/stdin"} or str(path).startswith("/dev/fd/"):
        return "standard input"
    if len(paths) > 1 or any(sign in path.name for sign in "*?["):
        path = path.parent
    return path.stem or "hypothesis"

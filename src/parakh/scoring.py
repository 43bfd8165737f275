"""From files to Results in one call: what ``parakh score`` does, and what a notebook writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from parakh import formats, tracks
from parakh.aggregate import Interval
from parakh.choices import Item, Options
from parakh.cost import cost_beside, load_cost
from parakh.errors import Fault, InputError
from parakh.evaluate import evaluate
from parakh.metrics import Payload
from parakh.results import Results
from parakh.selection import accept_answers, accept_forms
from parakh.tracks import Track
from parakh.types import Loaded, Recording, Region, Segment

Source = str | Path | Sequence[str | Path] | Sequence[Item] | Loaded[Any]
"""Where items come from: a file, folder or pattern, several of them, or what is loaded already."""


def score(
    track: str,
    reference: Source,
    hypothesis: Source,
    *,
    accept: Sequence[Source] = (),
    transcript: Source | None = None,
    uem: Source | None = None,
    metadata: str | Path | Sequence[Recording] | None = None,
    system: str | None = None,
    metrics: Sequence[str] | None = None,
    normalization: str | None = None,
    options: Options | None = None,
    skip_missing: bool = False,
    slice_by: Sequence[str] = (),
    interval: Interval | float | None = None,
    detail: bool = False,
    jobs: int = 1,
    reference_format: str | None = None,
    hypothesis_format: str | None = None,
    strip_suffixes: Sequence[str] = (),
    cost: str | Path | None = None,
) -> Results:
    """Score one system on one track, from files or from what is loaded already.

    Args:
        track: "diarization", "asr", "topics" or "summarization".
        reference: What people wrote: a file, folder or pattern, several of them, or items.
        hypothesis: What the system wrote, in the same ways.
        accept: Further accepted references; the best counts.
        transcript: What was said, to check the facts of a summary against.
        uem: Scoring regions; None infers them from both sides.
        metadata: What is known of the recordings, for slices, groups and durations: a data set, a recordings.jsonl, or items.
        system: The system's name; None takes that of its file or folder.
        metrics: Names of the metrics wanted; None takes the track's, "all" every one that fits.
        normalization: Name of the profile; None takes the track's.
        options: Options of metrics that differ from the track's ("collar" in seconds).
        skip_missing: Leave out recordings that the system lacks instead of charging them.
        slice_by: Fields to report separately ("language", "role", "snr:0,10,20").
        interval: Percent of the confidence intervals (95), or how they are made; None makes none.
        detail: Keep turns, alignments and texts, for reports and displays.
        jobs: Processes that share the recordings.
        reference_format: Name of the format of the reference; None finds out.
        hypothesis_format: The same of the hypothesis.
        strip_suffixes: Endings to take off the ids of recordings.
        cost: Folder of the run that made the answers, where they do not lie in it.

    Returns:
        Results whose recordings are sorted by id; values are ratios, None where undefined.

    Raises:
        InputError: A file cannot be read, or what is read cannot be scored; one line a fault.
        UnknownNameError: There is no such track, metric, format or profile.

    >>> said = [Segment("v1", "asha", 0.0, 2.0, "दवा ली")]
    >>> score("asr", said, [Segment("v1", "p", 0.0, 2.0, "दवा")]).metrics["tcpwer"].value
    0.5
    """
    asked = tracks.get(track)
    if accept and asked.item is Segment and Payload.WORDS not in asked.payloads:
        raise InputError(Fault("--accept", "", f"the {track} track", "a track of words, topics or summaries"))
    said = _accepted(_loaded(reference, asked.item, reference_format, strip_suffixes), accept, asked, strip_suffixes)
    heard = _loaded(hypothesis, asked.item, hypothesis_format, strip_suffixes)
    regions = None if uem is None else _loaded(uem, Region, "uem", strip_suffixes)
    spoken = None if transcript is None else _loaded(transcript, Segment, None, strip_suffixes)
    results = evaluate(
        asked,
        said.items,
        heard.items,
        system=system or _system_name(_paths(hypothesis)),
        regions=None if regions is None else regions.items,
        transcripts=None if spoken is None else spoken.items,
        metrics=metrics,
        normalization=normalization,
        options=options,
        skip_missing=skip_missing,
        recordings=_recordings(metadata, interval, strip_suffixes),
        slice_by=slice_by,
        interval=_interval(interval),
        detail=detail,
        jobs=jobs,
    )
    seen = [finding for one in (said, heard, regions) if one for finding in one.findings]
    spent = load_cost(cost) if cost else cost_beside(_paths(hypothesis), [one.id for one in results.recordings])
    return replace(results, findings=tuple(dict.fromkeys((*seen, *results.findings))), cost=spent)


def _paths(source: Source) -> list[str]:
    """What a source names; nothing where it is loaded already."""
    if isinstance(source, Loaded):
        return []
    given = [source] if isinstance(source, str | Path) else list(source)
    return [str(one) for one in given if isinstance(one, str | Path)]


def _loaded(source: Source, item: type, format_name: str | None, strip_suffixes: Sequence[str]) -> Loaded[Any]:
    if isinstance(source, Loaded):
        return source
    if not isinstance(source, str | Path) and not all(isinstance(one, str | Path) for one in source):
        wrong = [type(one).__name__ for one in source if not isinstance(one, item)]
        if wrong:
            raise InputError(Fault("score", "", f"a {wrong[0]}", f"paths, or items of the type {item.__name__}"))
        return Loaded(tuple(source))
    return formats.load(_paths(source), item, format_name, strip_suffixes=strip_suffixes)


def _accepted(said: Loaded[Any], further: Sequence[Source], track: Track, strip_suffixes: Sequence[str]) -> Loaded[Any]:
    """The reference, with every further accepted one: as forms of the same utterances, or beside it."""
    items, findings = said.items, said.findings
    for source in further:
        own = _loaded(source, track.item, None, strip_suffixes)
        items = tuple((accept_forms if track.item is Segment else accept_answers)(items, own.items))
        findings = (*findings, *own.findings)
    return Loaded(items, findings)


def _recordings(
    metadata: str | Path | Sequence[Recording] | None, interval: Interval | float | None, strip_suffixes: Sequence[str]
) -> Sequence[Recording]:
    grouped = isinstance(interval, Interval) and (interval.group_by or interval.stratify_by)
    if grouped and not metadata:
        raise InputError(Fault("--metadata", "", "nothing", f"the data set or recordings.jsonl that holds {grouped!r}"))
    if metadata is None or (isinstance(metadata, Sequence) and not isinstance(metadata, str)):
        return metadata or ()
    from parakh.dataset.manifest import known_recordings

    return known_recordings(str(metadata), strip_suffixes)


def _interval(asked: Interval | float | None) -> Interval | None:
    if asked is None or isinstance(asked, Interval):
        return asked
    from parakh.resample import Bootstrap

    if not 0 < asked < 100:
        raise InputError(Fault("--interval", "", f"{asked:g}", "a percentage between 0 and 100, as 95"))
    return Interval(Bootstrap(level=asked / 100))


def _system_name(paths: Sequence[str]) -> str:
    """A single file or folder's name; for several files or a pattern, that of the folder they lie in."""
    if not paths:
        return "hypothesis"
    path = Path(paths[0])
    if str(path) in {"-", "/dev/stdin"} or str(path).startswith("/dev/fd/"):
        return "standard input"
    if len(paths) > 1 or any(sign in path.name for sign in "*?["):
        path = path.parent
    return path.stem or "hypothesis"

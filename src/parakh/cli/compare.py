"""``parakh compare``: results files to the differences between systems, in a table or as JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from parakh import published
from parakh.choices import ALL
from parakh.cli.settings import check_json, put_json
from parakh.cli.tables import console
from parakh.comparison import Comparison
from parakh.comparison import compare as compare_results
from parakh.errors import Fault, InputError
from parakh.resample import Bootstrap
from parakh.results import Results


@dataclass(frozen=True)
class Request:
    """Everything ``parakh compare`` was asked for; the fields are its options."""

    results: Sequence[str]
    metrics: Sequence[str] | None
    baseline: str | None
    all_pairs: bool
    metadata: str | None
    group_by: str | None
    stratify_by: str | None
    plan: Bootstrap
    force: bool
    published: Sequence[str] = ()


def compare(request: Request, *, json_out: str | None) -> None:
    """Compare, and print a table or write JSON.

    Raises:
        ParakhError: The results cannot be read or may not be compared.
    """
    check_json(json_out, [*request.results, *request.published, *filter(None, (request.metadata,))])
    comparison = compute(request)
    if put_json(json_out, comparison.to_json):
        from parakh.cli.compare_tables import print_comparison

        print_comparison(console(), comparison, pairs=request.all_pairs or request.baseline is not None)


def compute(request: Request) -> Comparison:
    """Load what the request names and compare it."""
    fields = _fields(request)
    results = [Results.load(path) for path in request.results]
    known = [(one, path) for path in request.published for one in _of_tracks(path, {one.track for one in results})]
    return compare_results(
        [*results, *(one for one, _ in known)],
        metrics=None if request.metrics and ALL in request.metrics else request.metrics,
        plan=request.plan,
        baseline=request.baseline,
        all_pairs=request.all_pairs,
        groups=fields.get(request.group_by),
        strata=fields.get(request.stratify_by),
        unit=f"groups of one {request.group_by}" if request.group_by else "recordings",
        force=request.force,
        sources=[*request.results, *(path for _, path in known)],
    )


def _of_tracks(path: str, tracks: Collection[str]) -> list[Results]:
    """The published figures of a file that belong to the tracks compared.

    Raises:
        InputError: The file cannot be read, or has none.
    """
    found = published.load([path])
    own = [one for one in found if one.track in tracks]
    if not own:
        others = ", ".join(dict.fromkeys(one.track for one in found))
        raise InputError(Fault(path, "track", others, f"a system of the track {' or '.join(sorted(tracks))}"))
    return own


def _fields(request: Request) -> dict[str | None, Mapping[str, str]]:
    """The values of each metadata field that was asked for, by recording."""
    wanted = {"--group-by": request.group_by, "--stratify-by": request.stratify_by}
    asked = {flag: name for flag, name in wanted.items() if name is not None}
    if not asked:
        return {}
    if request.metadata is None:
        raise InputError(
            Fault(flag, "", "no --metadata", "the data set or recordings.jsonl that holds the field") for flag in asked
        )
    from parakh.dataset.manifest import known_recordings

    found = known_recordings(request.metadata)
    known = {one.session_id: {**one.metadata, **({"language": one.language} if one.language else {})} for one in found}
    names = sorted({name for values in known.values() for name in values})
    faults = [
        Fault(flag, "", repr(name), f"a field of {request.metadata}: {', '.join(names)}")
        for flag, name in asked.items()
        if name not in names
    ]
    if faults:
        raise InputError(faults)
    return {name: {one: values[name] for one, values in known.items() if name in values} for name in asked.values()}

"""How comparisons and diagnoses show themselves in a notebook and a console; results do so in ``display``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from parakh import frames
from parakh import metrics as metric_registry
from parakh.comparison import Comparison, Coverage, PairResult, SystemScore
from parakh.diagnosis import Diagnosis, System
from parakh.display import block, folded, grid, heading, shown
from parakh.errors import UnknownNameError, counted, printable
from parakh.markup import Html, tag
from parakh.text.masking import masked

_ALARMS = 5
_ITEMS = 8
_PAIRS: Mapping[str, type] = {
    **dict.fromkeys(("track", "metric", "first", "second"), str),
    **dict.fromkeys(("difference", "low", "high", "p_permutation", "p_holm", "minimum_detectable_difference"), float),
    "better": str,
}
_SYSTEMS: Mapping[str, type] = {
    **dict.fromkeys(("track", "metric", "system"), str),
    **dict.fromkeys(("value", "low", "high", "own", "own_low", "own_high"), float),
    "recordings": int,
    "published": str,
}


def comparison_frame(comparison: Comparison, of: str, library: str | None) -> Any:
    """What ``Comparison.to_frame`` returns."""
    parts: Mapping[str, tuple[Mapping[str, type], Callable[[Comparison], Iterator[frames.Row]]]] = {
        "pairs": (_PAIRS, _pairs),
        "systems": (_SYSTEMS, _systems),
    }
    if of not in parts:
        raise UnknownNameError("part of a comparison", of, list(parts))
    kinds, rows = parts[of]
    return frames.frame(kinds, list(rows(comparison)), library)


def comparison_html(comparison: Comparison) -> Html:
    """What a notebook shows of a comparison: each system's scores, the differences, and what to keep in mind."""
    metrics = list(dict.fromkeys(one.metric for one in comparison.scores))
    values = {(one.system, one.metric): one for one in comparison.scores}
    about = {one.system: one for one in comparison.coverage}
    scores = [
        [_system(about.get(name), name), *(_value(values.get((name, metric))) for metric in metrics)]
        for name in comparison.systems
    ]
    pairs = [
        [
            f"{pair.first} − {pair.second}",
            heading(pair.metric),
            _signed(pair.metric, pair.paired.difference),
            _ends(pair),
            _p(pair.p_holm),
            tag("b", {}, pair.better) if pair.better else "not told apart",
        ]
        for pair in comparison.pairs
    ]
    notes = [tag("li", {}, printable(line)) for line in (*comparison.forced, *comparison.warnings)]
    return block(
        _title(comparison),
        grid(["system", *map(heading, metrics)], scores),
        grid(["difference", "metric", "points", "interval", "p (Holm)", "better"], pairs),
        tag("ul", {}, *notes) if notes else Html(""),
        folded("recordings", tag("p", {}, ", ".join(comparison.recordings))),
    )


def comparison_text(comparison: Comparison) -> str:
    """What a console shows of a comparison: a line a difference."""
    lines = [_title(comparison)]
    for pair in comparison.pairs:
        verdict = f"{pair.better} is better" if pair.better else "not told apart"
        points = f"{_signed(pair.metric, pair.paired.difference)} {_ends(pair)}"
        lines.append(f"{pair.metric}: {pair.first} - {pair.second} {points}, p {_p(pair.p_holm)}: {verdict}")
    return "\n".join(printable(line) for line in [*lines, *(f"warning: {one}" for one in comparison.warnings)])


def diagnosis_html(diagnosis: Diagnosis) -> Html:
    """What a notebook shows of a diagnosis: of each system, what mending each kind of error would buy, and the first alarms."""
    parts = []
    for system in diagnosis.systems:
        rows = [
            [item.name, f"{item.marginal}", "n/a" if item.marginal_points is None else f"{100 * item.marginal_points:.2f}"]
            for item in _items(system)
        ]
        alarms = [
            tag("li", {}, tag("b", {}, str(one.severity)), f" {masked(printable(f'{one.session_id}: {one.message}'))}")
            for one in system.alarms[:_ALARMS]
        ]
        parts.append(grid([_headline(system), "errors", "points"], rows))
        parts.append(folded(counted(len(system.alarms), "alarm"), tag("ul", {}, *alarms)) if alarms else Html(""))
    return block("What mending each kind of error alone would buy", *parts)


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """What a console shows of a diagnosis: a line a system."""
    lines = []
    for system in diagnosis.systems:
        first = ", ".join(f"{item.name} {item.marginal}" for item in _items(system)[:3])
        lines.append(f"{_headline(system)}, {counted(len(system.alarms), 'alarm')}; mend first: {first or 'nothing'}")
    return "\n".join(printable(line) for line in lines)


def _items(system: System) -> list[Any]:
    return sorted(system.ledger.items, key=lambda item: -item.marginal)[:_ITEMS]


def _headline(system: System) -> str:
    ledger = system.ledger
    return f"{system.system}: {ledger.metric} {shown(ledger.metric, ledger.rate)}, {counted(ledger.errors, 'error')}"


def _title(comparison: Comparison) -> str:
    return f"{comparison.track}: {', '.join(comparison.systems)} on {counted(len(comparison.recordings), 'recording')}"


def _system(about: Coverage | None, name: str) -> str:
    """A system's name, with where its figures were published or what it has beyond the common recordings."""
    if about is None:
        return name
    more = len(about.left_out)
    return f"{name} ({about.published})" if about.published else f"{name} (and {more} more)" if more else name


def _value(one: SystemScore | None) -> str:
    """The score on the common recordings with its interval; where it is another one, that on all the system has."""
    if one is None:
        return ""
    ends = "" if one.interval is None else f" [{', '.join(shown(one.metric, end) for end in one.interval)}]"
    common = "" if one.value is None else shown(one.metric, one.value) + ends
    if one.own == one.value:
        return common or shown(one.metric, None)
    return f"{common} alone {shown(one.metric, one.own)}".strip()


def _ends(pair: PairResult) -> str:
    ends = pair.paired.interval
    return "n/a" if ends is None else f"[{', '.join(_signed(pair.metric, end) for end in ends)}]"


def _signed(metric: str, value: float | None) -> str:
    """A difference with its sign, as points of the metric."""
    if value is None:
        return "n/a"
    return ("+" if value > 0 else "-" if value < 0 else "") + metric_registry.get(metric).shown(abs(value))


def _p(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def _pairs(comparison: Comparison) -> Iterator[frames.Row]:
    for pair in comparison.pairs:
        low, high = pair.paired.interval or (None, None)
        yield {
            "track": comparison.track,
            "metric": pair.metric,
            "first": pair.first,
            "second": pair.second,
            "difference": pair.paired.difference,
            "low": low,
            "high": high,
            "p_permutation": pair.paired.p_permutation,
            "p_holm": pair.p_holm,
            "minimum_detectable_difference": pair.minimum_detectable_difference,
            "better": pair.better,
        }


def _systems(comparison: Comparison) -> Iterator[frames.Row]:
    about = {one.system: one for one in comparison.coverage}
    for one in comparison.scores:
        low, high = one.interval or (None, None)
        own_low, own_high = one.own_interval or (None, None)
        named = {"track": comparison.track, "metric": one.metric, "system": one.system}
        values = {"value": one.value, "low": low, "high": high, "own": one.own, "own_low": own_low, "own_high": own_high}
        covered = about.get(one.system)
        yield {
            **named,
            **values,
            "recordings": covered.recordings if covered else None,
            "published": covered.published if covered else None,
        }

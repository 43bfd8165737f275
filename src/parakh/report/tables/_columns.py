"""Columns of systems: what their figures are, which is the best, and which are not told apart from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from parakh import metrics as metric_registry
from parakh.aggregate import weighted
from parakh.comparable import ids_of, unanswered
from parakh.comparison import Comparison, compare_fitting
from parakh.errors import counted, printable
from parakh.metrics import Better, Metric
from parakh.published import source_of
from parakh.report.covered import by_all, by_each, charged, is_too_few
from parakh.report.inputs import told_apart
from parakh.report.tables import Cell, Column, Row, Table
from parakh.resample import Bootstrap, Resampler
from parakh.results import RecordingResult, Results, Score, Stats, total
from parakh.significance import steady
from parakh.typeset import decimals, short

PUBLISHED = "*"
"""Behind the name of a system that is known by published figures alone."""
_NO_CHOICES = ("reference", "transcript", "metrics", "parakh", "track", "interval", "missing", "published", "url", "set")
_PLAN = Bootstrap()
_LEVEL = f", {100 * _PLAN.level:g} %,"
"""How a signature states the level of intervals."""


@dataclass(frozen=True)
class Wanted:
    """One column that a table wants.

    Args:
        results: Of one track, each of another system.
        metric: The metric's name.
        part: One of its parts instead of its value; "" for the value.
        heading: Of the column; "" for the metric's usual name.
        group: A heading over columns.
        in_percent: Whether rates are shown in percent.
        by_duration: Whether recordings weigh by their duration, where that is known of all.
        interval: Whether intervals are shown.
    """

    results: Sequence[Results]
    metric: str
    part: str = ""
    heading: str = ""
    group: str = ""
    in_percent: bool = True
    by_duration: bool = False
    interval: bool = True


@dataclass(frozen=True)
class Figures:
    """A column with its cells, before they are put into rows.

    Args:
        column: Its heading and how it is shown.
        cells: By system.
        comparison: The tests behind the marks; None where there are none.
        is_by_duration: Whether recordings weigh by their duration.
        lacks_durations: Whether they were to, and durations are not known of all.
        is_rate: Whether the figures are rates, and not in a unit of their own.
    """

    column: Column
    cells: Mapping[str, Cell]
    comparison: Comparison | None
    is_by_duration: bool = False
    lacks_durations: bool = False
    is_rate: bool = True


def labelled(results: Sequence[Results]) -> list[Results]:
    """The results with names as rows show them: printable, and of a track each once.

    >>> from parakh.results import Signature
    >>> two = [Results("asr", "x", Signature({}), {}, ()) for _ in range(2)]
    >>> [one.system for one in labelled(two)]
    ['x', 'x (2)']
    """
    return [*told_apart([replace(one, system=printable(one.system)) for one in results])]


def title(metric: Metric) -> str:
    """A metric as papers write it, with its unit where that is not percent."""
    unit = "" if metric.unit in {"%", ""} else f" ({metric.unit})"
    return f"{short(metric.name)}{unit}"


def figures(wanted: Wanted, like: Figures | None = None) -> Figures | None:
    """The figures of a column; None where no result has its metric. ``like``: a column of the same results and metric."""
    held = [one for one in wanted.results if wanted.metric in one.metrics]
    if not held:
        return None
    metric = metric_registry.get(wanted.metric)
    comparison = like.comparison if like else compare_fitting(held, metrics=[wanted.metric], ranking_only=True)
    is_weighted = wanted.by_duration and all(_has_durations(one) for one in held)
    cells = {one.system: _cell(one, metric, wanted, comparison, is_weighted) for one in held}
    scale = 100.0 if metric.unit == "%" and wanted.in_percent else 1.0
    heading = wanted.heading or title(metric)
    name = " ".join(part for part in (wanted.group, wanted.metric, wanted.part) if part)
    lower = None if wanted.part else metric.better is Better.LOWER
    column = Column(name, heading, wanted.group, scale, column_decimals(list(cells.values()), scale), lower)
    if not wanted.part and _is_comparable(held, comparison):
        cells = marked(cells, metric, tied_with_best(comparison))
    return Figures(column, cells, comparison, is_weighted, wanted.by_duration and not is_weighted, metric.unit == "%")


def tied_with_best(comparison: Comparison | None) -> tuple[str, frozenset[str]]:
    """The best system that was tested by the first metric, and those not told apart from it; "" without tests that can tell."""
    standings = [] if comparison is None else [one for one in comparison.ranking if one.metric == comparison.ranking[0].metric]
    if not standings or (comparison is not None and is_too_few(comparison)):
        return "", frozenset()
    return standings[0].system, frozenset(one.system for one in standings[1:] if "a" in one.group)


def marked(cells: Mapping[str, Cell], metric: Metric, tested: tuple[str, frozenset[str]]) -> dict[str, Cell]:
    """The cells with the best of them marked, and where that one was tested, those not told apart from it."""
    values = {name: steady(cell.value) for name, cell in cells.items() if cell.value is not None}
    if len(values) < 2:
        return dict(cells)
    best = (min if metric.better is Better.LOWER else max)(values.values())
    leader, tied = tested
    has_tests = values.get(leader) == best
    return {
        name: replace(cell, best=values.get(name) == best, tied=has_tests and name in tied and values.get(name) != best)
        for name, cell in cells.items()
    }


def table(name: str, caption: str, wanted: Mapping[str, Sequence[Wanted]]) -> Table | None:
    """A table with a row a system.

    Args:
        name: The table's name.
        caption: What it shows.
        wanted: The columns by the heading over the rows ("" for none), in the same order for each.

    Returns:
        The table; None where none of the columns has a figure.
    """
    made = {group: _made(columns) for group, columns in wanted.items()}
    every = [one for columns in made.values() for one in columns if one is not None]
    width = max((len(columns) for columns in made.values()), default=0)
    kept = [place for place in range(width) if any(map(_has_values, (columns[place] for columns in made.values())))]
    if not kept:
        return None
    results = [one for columns in wanted.values() for each in columns for one in each.results]
    rows = [row for group, columns in made.items() for row in _rows(group, [columns[place] for place in kept], results)]
    heads = [_joint([columns[place] for columns in made.values()]) for place in kept]
    used = {cell_name for one in every for cell_name in one.cells}
    told = notes(every, [one for one in results if one.system in used])
    return Table(name, caption, "system", tuple(heads), tuple(rows), tuple(told))


def _made(columns: Sequence[Wanted]) -> list[Figures | None]:
    """The columns one after the other; a metric and its parts are compared once."""
    made: dict[tuple[int, str], Figures | None] = {}
    found = []
    for one in columns:
        key = id(one.results), one.metric
        found.append(figures(one, made.get(key)))
        made.setdefault(key, found[-1])
    return found


def _has_values(figured: Figures | None) -> bool:
    return figured is not None and any(cell.value is not None for cell in figured.cells.values())


def notes(made: Sequence[Figures], results: Sequence[Results], of: str = "column") -> Iterator[str]:
    """What has to be known below a table; ``of`` says within what its figures are compared."""
    cells = [cell for one in made for cell in one.cells.values()]
    unit = "Rates in %" if all(one.column.scale == 100 for one in made if one.is_rate) else "Rates as ratios"
    yield f"{unit}; in brackets {100 * _PLAN.level:g} % intervals." if any(one.interval for one in cells) else f"{unit}."
    if any(cell.best for cell in cells):
        yield f"Bold: the best of a {of}."
    compared = [one.comparison for one in made if one.comparison is not None and one.comparison.ranking]
    if any(_is_tested(one) for one in made):
        yield (
            f"†: not told apart from the best (paired permutation test on the recordings that both have, Holm over a {of}, "
            f"{100 * (1 - _PLAN.level):.2g} %)."
        )
    if any(cell.best for cell in cells) and any(map(is_too_few, compared)):
        yield "Where recordings are too few for a paired permutation test to tell systems apart, only the best is marked."
    yield from _published(results)
    yield from _averaged(results, compared)
    yield from lacking(results)
    if any(one.is_by_duration for one in made):
        yield "Recordings weigh by their duration, but for tests, which are of summed counts."
    if any(one.lacks_durations for one in made):
        some = "In some columns rates" if any(one.is_by_duration for one in made) else "Rates"
        yield f"{some} are of summed counts: the durations of recordings by which they would weigh are not known of all."
    yield from choices(results)
    warnings = dict.fromkeys(line for one in compared for line in one.warnings if " is not compared: " in line)
    yield from (f"{line}." for line in warnings)


def _is_tested(made: Figures) -> bool:
    """Whether the best of a column is a system that was tested."""
    leader, _ = tied_with_best(made.comparison)
    return leader in made.cells and made.cells[leader].best


def lacking(results: Iterable[Results]) -> Iterator[str]:
    """Which systems have no answer for some recordings, said of each track where there are several."""
    counts: dict[str, dict[str, int]] = {}
    for one in results:
        own = counts.setdefault(one.track, {})
        own[one.system] = max(own.get(one.system, 0), len(unanswered(one)))
    for track, missing in counts.items():
        yield from (f"{_of(track)}: {line[0].lower()}{line[1:]}" if len(counts) > 1 else line for line in charged(missing))


def choices(results: Iterable[Results]) -> Iterator[str]:
    """The choices behind the figures of each track."""
    told: dict[str, dict[str, None]] = {}
    for one in results:
        if source_of(one) is None:
            pairs = (f"{key} {value}" for key, value in one.signature.choices.items() if key not in _NO_CHOICES)
            told.setdefault(one.track, {}).update(dict.fromkeys(["; ".join(pairs)]))
    for track, lines in told.items():
        yield f"{_of(track)}: {' | '.join(line or 'no choices' for line in lines)}."


def _published(results: Iterable[Results]) -> Iterator[str]:
    sources: dict[str, None] = {}
    for one in results:
        if source := source_of(one):
            where = one.signature.choices.get("set", "")
            sources[f"{source}, on {where}" if where else source] = None
    if sources:
        yield f"{PUBLISHED}: published figures, on the recordings of their source and never tested: {'; '.join(sources)}."


def _averaged(results: Sequence[Results], compared: Sequence[Comparison]) -> Iterator[str]:
    """Which recordings the table averages; said of each track where that is not the same."""
    whole: dict[str, dict[str, Results]] = {}
    for one in results:
        own = whole.setdefault(one.track, {})
        if source_of(one) is None and len(one.recordings) >= len(own.get(one.system, one).recordings):
            own[one.system] = one
    told = {
        track: tuple(dict.fromkeys(_of_track(own, [one for one in compared if one.track == track])))
        for track, own in whole.items()
        if own
    }
    if len(set(told.values())) == 1:
        yield from next(iter(told.values()))
    else:
        yield from (f"{_of(track)}: {line[0].lower()}{line[1:]}" for track, lines in told.items() for line in lines)


def _of_track(own: Mapping[str, Results], compared: Sequence[Comparison]) -> Iterator[str]:
    uneven = [one for one in compared if any(each.left_out for each in one.coverage)]
    if uneven:
        for one in uneven:
            counts = {each.system: each.recordings for each in one.coverage if not each.published}
            yield by_all(len(one.recordings), one.subset, counts)
    elif len({tuple(ids_of(one)) for one in own.values()}) == 1:
        yield f"Values are of {counted(len(next(iter(own.values())).recordings), 'recording')}."
    else:
        yield by_each({name: len(one.recordings) for name, one in own.items()})


def _of(track: str) -> str:
    return "ASR" if track == "asr" else track.capitalize()


def _rows(group: str, columns: Sequence[Figures | None], results: Sequence[Results]) -> Iterator[Row]:
    names = dict.fromkeys(one.system for one in results)
    is_published = {one.system: True for one in results if source_of(one)} | {
        one.system: False for one in results if one.recordings
    }
    for name in names:
        cells = tuple(Cell(None) if one is None else one.cells.get(name, Cell(None)) for one in columns)
        if any(cell.value is not None for cell in cells):
            yield Row(name, cells, group, PUBLISHED if is_published.get(name) else "")


def _joint(columns: Sequence[Figures | None]) -> Column:
    """The column of several groups of rows: one number of decimals for all."""
    known = [one for one in columns if one is not None]
    scale = known[0].column.scale
    return replace(known[0].column, decimals=column_decimals([cell for one in known for cell in one.cells.values()], scale))


def _cell(one: Results, metric: Metric, wanted: Wanted, comparison: Comparison | None, is_weighted: bool) -> Cell:
    score = one.metrics[metric.name]
    if source_of(one) is not None:
        return Cell(score.parts.get(wanted.part) if wanted.part else score.value)
    ids = _shown_ids(one, comparison)
    held = [each for each in one.recordings if ids is None or each.id in ids]
    if is_weighted:
        return Cell(_by_duration(held, metric, wanted.part))
    if wanted.part:
        summed = total([each.stats[metric.name] for each in held])
        return Cell(score.parts.get(wanted.part) if ids is None else _part(metric, summed, wanted.part))
    compared = _score_of(one, comparison)
    if ids is None:
        return Cell(score.value, _interval(one, score, metric, compared) if wanted.interval else None)
    return Cell(*compared) if compared and wanted.interval else Cell(compared[0] if compared else score.value)


def _by_duration(held: Sequence[RecordingResult], metric: Metric, part: str) -> float | None:
    """The mean over the recordings that have a score, each weighing its seconds; so parts add up as they do in each."""
    stats = [(each.stats[metric.name], each.seconds or 0.0) for each in held if metric.name in each.stats]
    scored = [(one, seconds) for one, seconds in stats if metric.score(one) is not None]
    values = [(_part(metric, one, part) if part else metric.score(one), seconds) for one, seconds in scored]
    known = [(value, seconds) for value, seconds in values if value is not None]
    return weighted([value for value, _ in known], [seconds for _, seconds in known]) if len(known) == len(values) else None


def _part(metric: Metric, stats: Stats, part: str) -> float | None:
    try:
        return metric.parts(stats).get(part)
    except KeyError:  # statistics that have enough for the score alone
        return None


def _shown_ids(one: Results, comparison: Comparison | None) -> set[str] | None:
    """The recordings that a value is of; None for all of the system's own."""
    if comparison is None or not comparison.recordings or one.system not in comparison.systems:
        return None
    common = set(comparison.recordings)
    return None if common == set(ids_of(one)) else common


def _score_of(one: Results, comparison: Comparison | None) -> tuple[float | None, tuple[float, float] | None] | None:
    scores = () if comparison is None else comparison.scores
    return next(((score.value, score.interval) for score in scores if score.system == one.system), None)


def _interval(
    one: Results, score: Score, metric: Metric, compared: tuple[float | None, tuple[float, float] | None] | None
) -> tuple[float, float] | None:
    """The interval in the results; made here where they have none, or one of another level than the note says."""
    if score.interval is not None and _LEVEL in one.signature.choices.get("interval", _LEVEL):
        return score.interval
    if compared is not None and compared[0] is not None:
        return compared[1]
    stats = [each.stats[metric.name] for each in one.recordings if metric.name in each.stats]
    return Resampler(len(stats), _PLAN).interval(stats, metric.score) if stats else None


def _has_durations(one: Results) -> bool:
    """Whether means by duration can be made, or were: published ones are what they are."""
    return source_of(one) is not None or (bool(one.recordings) and all(each.seconds is not None for each in one.recordings))


def _is_comparable(held: Sequence[Results], comparison: Comparison | None) -> bool:
    """Whether the best may be told: all that were scored are in one comparison, or only one was."""
    scored = [one.system for one in held if source_of(one) is None]
    return len(scored) < 2 or (comparison is not None and bool(comparison.recordings) and set(scored) <= set(comparison.systems))


def column_decimals(cells: Sequence[Cell], scale: float) -> int:
    """What the narrowest interval supports; without intervals as many as the figures were given with, at most the usual two."""
    most = 2 if scale == 100 else 4
    halves = [scale * (cell.interval[1] - cell.interval[0]) / 2 for cell in cells if cell.interval is not None]
    if any(half > 0 for half in halves):
        return decimals(halves, most)
    values = [scale * cell.value for cell in cells if cell.value is not None]
    return next((few for few in range(most) if all(abs(round(value, few) - value) < 1e-9 for value in values)), most)

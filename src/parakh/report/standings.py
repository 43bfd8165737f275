"""Which systems a test tells apart, on the recordings that they share: as sentences, and as a table of wins and losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from parakh.comparable import choose_metrics, differing
from parakh.comparison import Comparison, Duel, Standing, compare_fitting
from parakh.errors import InputError, UnknownNameError, counted, listed
from parakh.markup import Html, join, tag, wide
from parakh.published import source_of
from parakh.report.inputs import Inputs
from parakh.report.summary import ranking_metric, shown, tasks
from parakh.results import Results

_NAMED = 5
"""Systems that a sentence names; the matrix has them all."""


@dataclass(frozen=True)
class Track:
    """What a test of the systems of one track found.

    Args:
        name: The task, for people.
        results: Of the systems that were scored, each once.
        found: What a comparison found; None where they may not be compared.
        why: What keeps them from it; "" where nothing does.
    """

    name: str
    results: tuple[Results, ...]
    found: Comparison | None
    why: str = ""


def compared(inputs: Inputs) -> dict[str, Track]:
    """Each track that two systems or more were scored on, by name.

    >>> compared(Inputs(()))
    {}
    """
    found = {}
    for track in dict.fromkeys(one.track for one in inputs.results):
        own = {one.system: one for one in reversed(inputs.of(track)) if source_of(one) is None and one.metrics}
        if len(own) > 1:
            known = tasks().get(track)
            found[track] = _track(known.name if known else track, [*own.values()][::-1])
    return found


def render(inputs: Inputs) -> Html:
    """A part for each track that two systems or more were scored on; nothing where there is none.

    >>> render(Inputs(()))
    ''
    """
    return draw(compared(inputs))


def draw(tracks: Mapping[str, Track]) -> Html:
    """What ``compared`` found, as a part for each track."""
    return join(tag("section", {"class": "standing"}, tag("h3", {}, one.name), _shown(one)) for one in tracks.values())


def _track(name: str, results: Sequence[Results]) -> Track:
    metric = ranking_metric(results)
    try:
        found = compare_fitting(results, metrics=[metric])
        why = "" if found else _why(results, metric)
    except (InputError, UnknownNameError) as error:
        found, why = None, str(error).splitlines()[0]
    return Track(name, tuple(results), found, why)


def _shown(track: Track) -> Html:
    found = track.found
    if found is None:
        return tag("p", {"class": "note"}, f"These are not compared: {track.why}")
    matrix = _matrix(found) if len(found.systems) > 2 else Html("")
    lines = [*_verdict(found), *_duel(found), *_together(found)]
    warned = [tag("p", {"class": "note"}, f"To keep in mind: {line}.") for line in found.warnings]
    return join([*(tag("p", {}, line) for line in lines), matrix, *warned])


def _why(results: Sequence[Results], metric: str) -> str:
    """What keeps the first of the others from being compared with the first."""
    lacking = [one.system for one in results if metric not in one.metrics]
    if lacking:
        return f"{listed(lacking)} lack{'s' if len(lacking) == 1 else ''} {metric}."
    names = [one.system for one in results]
    faults = differing(results, choose_metrics(results, [metric], names), names)
    return f"{faults[0]}" if faults else "they have no recording in common."


def _verdict(found: Comparison) -> Iterator[Html]:
    """Who is best, who is not told apart from it, and who is."""
    if not found.ranking:
        return
    best = found.ranking[0]
    alike = [one for one in found.ranking[1:] if "a" in one.group]
    other = [one for one in found.ranking[1:] if "a" not in one.group and one.value is not None]
    level = f"at {100 * found.plan.level:g}%, after Holm's adjustment"
    on = f" on the {counted(len(found.recordings), 'recording')} that all were scored on"
    parts: list[str] = [tag("b", {}, best.system), f" is best by {best.metric} with {shown(best.metric, best.value)}{on}. "]
    if alike:
        parts += ["A test does not tell it apart from ", _named(alike), ". "]
    if other:
        parts += ["It is told apart from ", _named(other), f" ({level})."]
    yield join(parts)


def _named(standings: Sequence[Standing]) -> Html:
    names = [join([tag("b", {}, one.system), f" ({shown(one.metric, one.value)})"]) for one in standings]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return join([*[part for name in names[:_NAMED] for part in (", ", name)][1:], more])


def _duel(found: Comparison) -> Iterator[Html]:
    """Of two systems, what a table of two would show."""
    if len(found.systems) == 2 and found.duels:
        one = found.duels[0]
        won = f"{one.first} wins {one.won} of {counted(one.recordings, 'recording')}"
        yield join([f"{won}, {one.second} {one.lost}; {one.tied} are equal."])


def _together(found: Comparison) -> Iterator[Html]:
    """What choosing between systems would come to."""
    fused = next((one for one in found.fusions if one.gain), None)
    if fused is not None:
        value, alone = shown(fused.metric, fused.value), shown(fused.metric, fused.alone)
        said = f"{listed(fused.systems, ' and ')} would fuse best: the better of the two on each recording"
        yield join([f"{said} comes to {value}, {fused.best} alone to {alone}."])


def _matrix(found: Comparison) -> Html:
    """Recordings that the system of the row wins against that of the column; in bold where a test tells the two apart."""
    names = [one.system for one in found.ranking] or list(found.systems)
    duels = {(one.first, one.second): one for one in found.duels}
    heads = [tag("th", {"scope": "col"}, name) for name in names]
    rows = []
    for row in names:
        cells = [_cell(row, column, duels) for column in names]
        rows.append(tag("tr", {}, tag("th", {"scope": "row"}, row), *cells))
    caption = tag("caption", {}, "Recordings won and lost ", tag("small", {}, "by the system of the row; bold: told apart"))
    head = tag("thead", {}, tag("tr", {}, tag("th", {"scope": "col"}, "System"), *heads))
    return wide(tag("table", {"class": "overview wins"}, caption, head, tag("tbody", {}, *rows)))


def _cell(row: str, column: str, duels: dict[tuple[str, str], Duel]) -> Html:
    one = duels.get((row, column)) or duels.get((column, row))
    if one is None:
        return tag("td", {"class": "none"}, "–")
    won, lost = (one.won, one.lost) if one.first == row else (one.lost, one.won)
    shade = {"class": "shade", "style": f"--right:{100 * (won + one.tied / 2) / max(1, won + lost + one.tied):.0f}%"}
    text = f"{won} – {lost}"
    return tag("td", shade, tag("b", {}, text) if one.better else text)

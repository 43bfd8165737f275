"""A board as its page shows it: columns, rows of words, and the lines that say how to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from parakh.errors import counted
from parakh.leaderboard.boards import Board, Cell, Row
from parakh.leaderboard.web import plots
from parakh.leaderboard.web.wording import KINDS, better, day, figure, metric_title, moment, unit
from parakh.markup import Html


@dataclass(frozen=True)
class Column:
    """One metric."""

    name: str
    title: str
    unit: str
    is_ranking: bool
    better: str
    """Which way: "lower" or "higher"."""

    @property
    def arrow(self) -> str:
        """The same as a sign."""
        return "↓" if self.better == "lower" else "↑"

    @property
    def sort(self) -> str:
        """How the rows are sorted by it, best first."""
        return "ascending" if self.better == "lower" else "descending"


@dataclass(frozen=True)
class Shown:
    """One figure in words; the drawing of its interval where it ranks."""

    shown: str
    interval: str
    is_ranking: bool
    spread: Html


@dataclass(frozen=True)
class Line:
    """One row."""

    rank: str
    group: str
    team: str
    address: str
    kind: str
    is_own: bool
    system: str
    tags: tuple[str, ...]
    paper: str
    count: int
    made: Html
    cells: tuple[Shown, ...]
    classes: str


@dataclass(frozen=True)
class Table:
    """All that the template of a board writes."""

    columns: tuple[Column, ...]
    rows: tuple[Line, ...]
    has_groups: bool
    has_spread: bool
    caption: str
    legend: tuple[str, ...]
    metric_set: str
    made: Html
    signature: str


def table(board: Board, own_teams: frozenset[str], zone: str) -> Table:
    """A board in words.

    Args:
        board: As its viewer may see it, ranked by what they asked for.
        own_teams: Keys of the viewer's teams, whose rows are marked.
        zone: Time zone of the days.
    """
    chosen = board.metric_set
    names = () if board.is_blind else chosen.metrics
    columns = tuple(column(name, chosen.rank_by) for name in names)
    has_groups = any(row.group for row in board.rows)
    scale = _scale([row.cell(chosen.rank_by, board.by, board.value) for row in board.rows])
    starts = _starts(board.rows)
    return Table(
        columns=columns,
        rows=tuple(_line(row, board, columns, own_teams, zone, scale, row.submission in starts) for row in board.rows),
        has_groups=has_groups,
        has_spread=scale is not None,
        caption=_caption(board),
        legend=tuple(_legend(board, has_groups)),
        metric_set=chosen.version,
        made=moment(board.made_at, zone),
        signature=board.signature,
    )


def column(metric: str, rank_by: str) -> Column:
    """The head of a metric's column.

    Args:
        metric: Its name.
        rank_by: The metric that ranks.
    """
    return Column(metric, metric_title(metric), unit(metric), metric == rank_by, better(metric))


def _line(
    row: Row,
    board: Board,
    columns: Sequence[Column],
    own_teams: frozenset[str],
    zone: str,
    scale: tuple[float, float] | None,
    starts: bool,
) -> Line:
    own = row.team_id in own_teams
    classes = [name for name, holds in (("own", own), ("mark", not row.is_ranked), ("next", starts)) if holds]
    cells = (_shown(row.cell(one.name, board.by, board.value), one, scale) for one in columns)
    return Line(
        rank=str(row.rank) if row.rank is not None else "–",
        group=row.group,
        team=row.team,
        address=f"/s/{row.submission}" if row.submission else "",
        kind=KINDS.get(row.kind, row.kind),
        is_own=own,
        system=row.system,
        tags=row.tags,
        paper=row.paper,
        count=row.submissions,
        made=day(row.made_at, zone) if row.made_at else Html("–"),
        cells=tuple(cells),
        classes=" ".join(classes),
    )


def _shown(cell: Cell, column: Column, scale: tuple[float, float] | None) -> Shown:
    interval = ""
    if cell.low is not None and cell.high is not None:
        interval = f"{figure(column.name, cell.low)} – {figure(column.name, cell.high)}"
    drawn = plots.spread(cell.value, cell.low, cell.high, *scale) if scale and column.is_ranking else Html("")
    return Shown(figure(column.name, cell.value), interval, column.is_ranking, drawn)


def _scale(cells: Sequence[Cell]) -> tuple[float, float] | None:
    """The ends that intervals are drawn between; None where there are no two values to compare."""
    ends = [end for cell in cells for end in cell if end is not None]
    return (min(ends), max(ends)) if ends and min(ends) < max(ends) else None


def _starts(rows: Sequence[Row]) -> frozenset[str]:
    """The rows, by their submission, that share no letter with the ranked row above."""
    ranked = [row for row in rows if row.group]
    return frozenset(below.submission for above, below in pairwise(ranked) if not set(above.group) & set(below.group))


def _caption(board: Board) -> str:
    systems = counted(len(board.rows), "system") if not board.is_blind else counted(len(board.rows), "team")
    if not board.recordings:
        return f"{systems}."
    which = f", those with {board.by} {board.value} of" if board.by else ","
    return f"{systems}{which} {counted(board.recordings, 'recording')}."


def _legend(board: Board, has_groups: bool) -> Iterator[str]:
    chosen = board.metric_set
    if board.is_blind:
        yield "Scores are not shown in this phase; teams are in order of their names."
        return
    tie = f"; equals are ordered by {', '.join(chosen.tie_break)}" if chosen.tie_break else ""
    ranked = f"{chosen.rank_by} ({metric_title(chosen.rank_by)}): {better(chosen.rank_by)} is better"
    yield f"Ranked by {ranked}{tie}. Equal values share a rank."
    if has_groups:
        level = f"{100 * (chosen.level or 0.95):g}%"
        yield (
            "Systems with a letter in common are not told apart from the best of that letter's group: their order may be chance "
            f"(paired permutation tests on the recordings, adjusted after Holm, level {level}). A heavy line parts groups."
        )
    if chosen.level is not None:
        yield (
            f"Below each value stands its {100 * chosen.level:g}% interval, by resampling the recordings. The drawing shows that "
            f"of {chosen.rank_by}, on one scale for all rows."
        )
    if any(row.kind != "submission" for row in board.rows):
        yield "A baseline is the organisers', to measure by, and has no rank. A closed system, which others cannot run, has one."
    yield from board.notes

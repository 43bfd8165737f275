"""Two submissions side by side: differences, whether they may be chance, and the recordings behind them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from parakh.comparison import PairResult
from parakh.errors import InputError
from parakh.leaderboard import views_detail
from parakh.leaderboard.views_detail import Compared
from parakh.leaderboard.web import lookup
from parakh.leaderboard.web.visit import ThisVisit
from parakh.leaderboard.web.wording import figure, metric_title

router = APIRouter()


@router.get("/compare")
def compare(visit: ThisVisit, a: str = "", b: str = "") -> Response:
    """The choice of two submissions, and once they are chosen their differences."""
    visit.member()
    offered = views_detail.choices(visit.service.database, visit.viewer, visit.at)
    groups = [(name, list(held)) for name, held in groupby(sorted(offered, key=lambda one: one.group), lambda one: one.group)]
    values: dict[str, Any] = {"choices": groups if len(offered) > 1 else [], "a": a, "b": b, "found": None, "fault": ""}
    if a and b:
        try:
            values["found"] = _shown(lookup.compared(visit, a, b))
        except InputError as error:
            values["fault"] = str(error)
    return visit.page("compare.html", values)


def _shown(found: Compared) -> dict[str, Any]:
    comparison, rank_by = found.comparison, found.metric_set.rank_by
    values = {(one.metric, one.system): one.value for one in comparison.scores}
    rows = [_row(one, values) for one in comparison.pairs]
    ranking = next((one for one in comparison.pairs if one.metric == rank_by), None)
    gaps = None
    if found.shows_recordings and ranking is not None:
        gaps = [
            {
                "id": one.id,
                "first": figure(rank_by, one.first),
                "second": figure(rank_by, one.second),
                "contribution": _signed(rank_by, one.contribution),
            }
            for one in ranking.largest
        ]
    return {
        "a": found.a,
        "b": found.b,
        "recordings": len(comparison.recordings),
        "level": f"{100 * comparison.plan.level:g}%",
        "rows": rows,
        "warnings": comparison.warnings,
        "rank_by": rank_by,
        "gaps": gaps,
    }


def _row(pair: PairResult, values: dict[tuple[str, str], float | None]) -> dict[str, str]:
    metric, paired = pair.metric, pair.paired
    interval = f"{_signed(metric, paired.interval[0])} to {_signed(metric, paired.interval[1])}" if paired.interval else "–"
    better = {"first": "first", "second": "second"}.get(pair.better or "", "not told apart")
    return {
        "metric": metric,
        "title": metric_title(metric),
        "first": figure(metric, values.get((metric, "first"))),
        "second": figure(metric, values.get((metric, "second"))),
        "difference": _signed(metric, paired.difference),
        "interval": interval,
        "p": "–" if pair.p_holm is None else "< 0.001" if pair.p_holm < 0.001 else f"{pair.p_holm:.3f}",
        "better": better,
    }


def _signed(metric: str, value: float | None) -> str:
    """A difference with its sign, a minus as long as a plus."""
    if value is None:
        return "n/a"
    return ("−" if value < 0 else "+") + figure(metric, abs(value))

"""Table 2 of the DISPLACE-M paper: ROUGE of topics and summaries of each system, as ratios."""

from __future__ import annotations

from parakh.report.inputs import Inputs
from parakh.report.tables import Table, TableKind
from parakh.report.tables._columns import Wanted
from parakh.report.tables._columns import table as table_of
from parakh.report.tables._sets import sets

TABLE = TableKind("Topics and summaries by system", "DISPLACE-M challenge, arXiv 2603.02813, Table 2")
_COLUMNS = (("topics", "rouge1"), ("topics", "rougeL"), ("summarization", "rougeL"))


def table(inputs: Inputs) -> Table | None:
    """ROUGE-1 and ROUGE-L of topics, ROUGE-L of summaries; None without results of either.

    >>> table(Inputs(()))
    """
    wanted = [
        Wanted(own, metric, group=f"{track} {where}".strip(), in_percent=False)
        for track, metric in _COLUMNS
        for where, own in sets(inputs, track).items()
    ]
    return table_of("challenge-text", "Topics and summaries: ROUGE F1.", {"": wanted})

"""Table 3 of the Indic DiarBench paper: word and speaker error rates of each system, by acoustic condition and over all."""

from __future__ import annotations

from collections.abc import Sequence

from parakh.report.inputs import Inputs
from parakh.report.tables import Table, TableKind
from parakh.report.tables._columns import Wanted, labelled
from parakh.report.tables._columns import table as table_of
from parakh.report.tables._slices import of_slice, values_of
from parakh.results import Results

TABLE = TableKind("Who said what, by acoustic condition", "Indic DiarBench, arXiv 2607.23808, Table 3")
FIELD = "condition"
"""The manifest's field of how a recording was made; results have to be cut by it (``--slice condition``)."""
_PARTS = (("miss", "miss"), ("false_alarm", "FA"), ("confusion", "conf."))


def table(inputs: Inputs) -> Table | None:
    """Columns for cpWER, WDER, DER and its parts, recordings weighing by duration where that is known; None without any of them.

    >>> table(Inputs(()))
    """
    results = labelled(inputs.results)
    conditions = values_of(results, FIELD)
    wanted = {value: _columns([of_slice(one, FIELD, value) for one in results]) for value in conditions}
    caption = "Who said what and who spoke when, by acoustic condition." if conditions else "Who said what and who spoke when."
    return table_of("diarbench", caption, {**wanted, "overall" if conditions else "": _columns(results)})


def _columns(results: Sequence[Results]) -> list[Wanted]:
    words, turns = ([one for one in results if one.track == track] for track in ("asr", "diarization"))
    return [
        *(Wanted(words, name, by_duration=True, interval=False) for name in ("cpwer", "wder")),
        Wanted(turns, "der", by_duration=True, interval=False),
        *(Wanted(turns, "der", part, heading, by_duration=True, interval=False) for part, heading in _PARTS),
    ]

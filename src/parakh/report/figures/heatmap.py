"""A metric for each language and system; cells without a figure are marked n/a.

It needs results scored with ``--slice language``. A system has no figure for a language of which it answered no recording and
was not charged for it (``--skip-missing``), or for which it published none. The best of each language is bold.
"""

from __future__ import annotations

from parakh.report.chart import Heatmap
from parakh.report.figures import Figure
from parakh.report.figures._systems import named, sliced, systems
from parakh.report.inputs import Inputs

FIGURE = Figure("A metric by language and system", "Indic DiarBench (Sarvam AI), Figure 2")
_FIELD = "language"
_LEAST = 2
"""Systems; one alone is shown by its slices."""


def chart(inputs: Inputs, *, metric: str | None = None) -> Heatmap | None:
    """The cells; None where fewer than two systems were cut by language.

    >>> chart(Inputs(())) is None
    True
    """
    found = systems(inputs, metric)
    if found is None:
        return None
    scores, notes = sliced(found, found.results, _FIELD)
    columns = [label for label, held in scores.items() if held]
    rows = sorted({value for label in columns for value in scores[label]}, key=lambda value: named(_FIELD, value))
    cells = tuple(tuple(found.mark(scores[label].get(value)) for label in columns) for value in rows)
    if len(columns) < _LEAST or not any(cell.value is not None for row in cells for cell in row):
        return None
    return Heatmap(
        title=f"{found.title} by {_FIELD} and system",
        axis=found.axis,
        notes=(*found.without(columns, f"Not cut by {_FIELD}"), *notes),
        rows=tuple(named(_FIELD, value) for value in rows),
        columns=tuple(columns),
        cells=cells,
        lower_is_better=found.lower_is_better,
    )

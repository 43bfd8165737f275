"""One file a kind of layout that a data set is given to others in.

An exporter is one module with ``EXPORTER: Exporter``: it writes recordings into an empty folder and says what that layout
holds. ``run`` puts the folder in place whole, and says what of this data set it does not hold.
"""

from __future__ import annotations

from parakh.dataset.exporting._exporter import Exporter, Options, all_exporters, get
from parakh.dataset.exporting._run import Outcome, Request, run

__all__ = ["Exporter", "Options", "Outcome", "Request", "all_exporters", "get", "run"]

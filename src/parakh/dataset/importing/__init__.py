"""One file a kind of source that a data set is made from.

An importer is one module with ``IMPORTER: Importer``: it lists the recordings of a source and reads them one at a time.
``run`` writes what it reads in the data set's own layout; it is the only place that writes.
"""

from __future__ import annotations

from parakh.dataset.importing._importer import Arrival, Found, Importer, Listing, Options, all_importers, get, guess
from parakh.dataset.importing._run import Outcome, Request, run

__all__ = ["Arrival", "Found", "Importer", "Listing", "Options", "Outcome", "Request", "all_importers", "get", "guess", "run"]

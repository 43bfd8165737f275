"""One file a check: what can be wrong with a recording of a data set, or with the set as a whole.

A check is one module with ``CHECK: Check``; its docstring says what it does, why it matters and how to mend what it finds.
Modules whose name starts with an underscore are what checks share. A check sees plain values (``Material``) and yields
findings; it never reads a file.
"""

from __future__ import annotations

from parakh.qc._about import About, about
from parakh.qc._check import STAGES, Check, all_checks, get, is_limit, known_limits, selected
from parakh.qc._material import Material, Source, Whole
from parakh.qc._settings import Settings, Vocabulary

__all__ = [
    "STAGES",
    "About",
    "Check",
    "Material",
    "Settings",
    "Source",
    "Vocabulary",
    "Whole",
    "about",
    "all_checks",
    "get",
    "is_limit",
    "known_limits",
    "selected",
]

"""Parakh: the benchmark workbench for conversations between several people in Indian languages.

What a notebook needs is here by one name each, loaded when it is first used: ``parakh.score("asr", "GT/", "out/")``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parakh.aggregate import Interval
    from parakh.alignment import Alignment
    from parakh.bundled import examples_path
    from parakh.comparison import Comparison, compare
    from parakh.diagnosis import Diagnosis, diagnose
    from parakh.errors import InputError, ParakhError
    from parakh.formats import load
    from parakh.resample import Bootstrap
    from parakh.results import Results
    from parakh.scoring import score
    from parakh.types import Recording, Region, Segment, Summary, Topics

__version__ = "0.1.0"
__all__ = [
    "Alignment",
    "Bootstrap",
    "Comparison",
    "Diagnosis",
    "InputError",
    "Interval",
    "ParakhError",
    "Recording",
    "Region",
    "Results",
    "Segment",
    "Summary",
    "Topics",
    "compare",
    "diagnose",
    "examples_path",
    "load",
    "score",
]

# The packages of onnxruntime since 1.29 report its use to their maker unless this is set before it is loaded; here nothing
# leaves the machine unless the user names an endpoint. Who wants the reports sets 0.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

_HOMES = {
    "Alignment": "alignment",
    "Bootstrap": "resample",
    "Comparison": "comparison",
    "Diagnosis": "diagnosis",
    "InputError": "errors",
    "Interval": "aggregate",
    "ParakhError": "errors",
    "Recording": "types",
    "Region": "types",
    "Results": "results",
    "Segment": "types",
    "Summary": "types",
    "Topics": "types",
    "compare": "comparison",
    "diagnose": "diagnosis",
    "examples_path": "bundled",
    "load": "formats",
    "score": "scoring",
}
"""The module that each public name lives in."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'parakh' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"parakh.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

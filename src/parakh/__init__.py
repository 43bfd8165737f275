"""Parakh: the benchmark workbench for conversations between several people in Indian languages."""

import os

__version__ = "0.1.0"

# The packages of onnxruntime since 1.29 report its use to their maker unless this is set before it is loaded; here nothing
# leaves the machine unless the user names an endpoint. Who wants the reports sets 0.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

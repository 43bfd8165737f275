"""What is left out where torch is not installed: doctests of the networks, and of what the heavy tests make their models with."""

from importlib.util import find_spec

_WITH_TORCH = ["src/parakh/cascade/torch_networks/*", "tests/heavy/[!t]*.py", "tests/heavy/tiny_*.py"]
collect_ignore_glob = [] if find_spec("torch") else _WITH_TORCH

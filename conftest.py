"""What the doctests leave out where a package is not installed."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["src/parakh/cascade/torch_networks/*"]

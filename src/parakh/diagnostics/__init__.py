"""One file a diagnosis: what kind of error, and where."""

"""One file an annotation check."""

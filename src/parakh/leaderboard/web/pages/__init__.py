"""One module a group of pages, each with a ``router``."""

"""Backends, one file each: what the visit came to."""

"""Backends, one file each: what was said."""

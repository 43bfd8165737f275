"""Backends, one file each: who spoke when."""

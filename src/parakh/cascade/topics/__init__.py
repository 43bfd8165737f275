"""Backends, one file each: which health problems."""

"""Backends, one file each: a transcript mended before anything is made of it."""

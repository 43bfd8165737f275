"""Backends, one file each: speech or text to English."""

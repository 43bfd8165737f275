"""Backends, one file each: chat models."""

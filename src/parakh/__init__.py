"""Parakh: the benchmark workbench for conversations between several people in Indian languages."""

__version__ = "0.1.0"

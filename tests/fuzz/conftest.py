"""The fuzzer is a program, not a module with doctests: importing it would instrument the package under test."""

collect_ignore = ["fuzz_readers.py"]

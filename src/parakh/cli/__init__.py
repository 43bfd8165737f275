"""The command line: one short function a verb."""

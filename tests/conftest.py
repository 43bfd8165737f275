"""For every test: a machine that is busy with something else breaks no property."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

"""Speech recognition models on this machine, each a ``Recogniser`` of ``parakh.cascade.hearing``."""

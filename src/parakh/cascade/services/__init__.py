"""Speech recognition behind an address: what leaves this machine, and how its answers are read."""

"""Sound: decoding, and what a recording's header and samples say before anybody listens to it."""

"""Sound: decoding, and what a recording's header and samples say before anybody listens to it."""

from __future__ import annotations

AUDIO_SUFFIXES = frozenset(
    {".wav", ".flac", ".mp3", ".m4a", ".mp4", ".aac", ".ogg", ".opus", ".3gp", ".amr", ".webm", ".wma", ".aiff"}
)
"""Endings of the files that a folder is searched for; a file named outright may be anything that decodes."""

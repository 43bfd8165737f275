"""The options that every Whisper backend takes."""

from __future__ import annotations

from dataclasses import dataclass

from parakh.cascade.options import THREADS, require, require_packages
from parakh.languages.tags import LANGUAGE, is_language


@dataclass(frozen=True)
class WhisperOptions:
    """What the transcriber and the translator can be told.

    Args:
        threads: CPU threads, 1 to 256.
        language: BCP-47 tag; None takes the recording's own, or else listens.
        beam: Beam width of the search, 1 to 20.
    """

    threads: int = 2
    language: str | None = None
    beam: int = 5

    stage = ""

    def __post_init__(self) -> None:
        rules = {
            "threads": (1 <= self.threads <= 256, THREADS),
            "language": (self.language is None or is_language(self.language), LANGUAGE),
            "beam": (1 <= self.beam <= 20, "a whole number from 1 to 20"),
        }
        require(f"{self.stage} whisper-base", self, rules)

    def ready(self) -> None:
        """Whether the packages are there."""
        require_packages(f"{self.stage} 'whisper-base'", "cascade", "ctranslate2", "tokenizers")

    def memory(self, seconds: float) -> tuple[int, int]:
        """The model; a batch of windows, however long the recording (measured, rounded up)."""
        return 150_000_000, 600_000_000

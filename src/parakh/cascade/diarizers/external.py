"""Turns made by any other diarizer, read from RTTM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from parakh import formats
from parakh.audio.decode import Audio
from parakh.cascade.options import require
from parakh.errors import Fault, InputError, UnavailableError
from parakh.types import Segment

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend:
    """Who spoke when, as RTTM says; everything is read before the first recording.

    Args:
        path: An RTTM file, a folder of them, or a glob; of each recording, its own turns are taken.
    """

    path: str

    def __post_init__(self) -> None:
        require("diarizer external", self, {"path": (self.path != "", "an RTTM file, a folder of them or a glob")})
        _ = self._turns  # faults of the files come up now, not in the middle of a batch

    def diarize(self, audio: Audio) -> list[Segment]:
        """The turns of the recording's session, sorted by start time.

        Raises:
            UnavailableError: No turn is of this recording.
        """
        turns = [turn for turn in self._turns if turn.session_id == audio.session_id]
        if not turns:
            raise UnavailableError(
                f"{self.path} has no turns of {audio.session_id}. Give the recording the name that its RTTM lines carry."
            )
        return sorted(turns, key=lambda turn: (turn.start_time or 0.0, turn.end_time or 0.0))

    @cached_property
    def _turns(self) -> tuple[Segment, ...]:
        loaded = formats.load(self.path, Segment, "rttm")
        twice = [finding for finding in loaded.findings if finding.code == "session-in-several-files"]
        if twice:
            raise InputError(
                Fault(str(one.path), "session", f"{one.session_id!r} again", "each recording in one file", "Remove one.")
                for one in twice
            )
        return loaded.items

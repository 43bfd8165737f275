"""Turns made by any other diarizer, read from RTTM."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from parakh import formats
from parakh.cascade.audio import Audio
from parakh.errors import Fault, InputError
from parakh.types import Segment

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend:
    """Who spoke when, as an RTTM file says.

    Args:
        path: An RTTM file that holds the session, or a folder with ``<session>.rttm`` or ``<session>_SPEAKER.rttm``.
    """

    path: str

    def diarize(self, audio: Audio) -> list[Segment]:
        """The turns of the recording's session, sorted by start time.

        Raises:
            InputError: There is no such file, it is faulty, or it holds no turn of the session.
        """
        source = self._file(audio.session_id)
        turns = [item for item in formats.get("rttm").read(source).items if item.session_id == audio.session_id]
        if not turns:
            action = "Give the recording the name that its RTTM lines carry."
            raise InputError(Fault(str(source), "session", "no turn of it", f"turns of {audio.session_id!r}", action))
        return sorted(turns, key=lambda turn: (turn.start_time or 0.0, turn.end_time or 0.0))

    def _file(self, session: str) -> Path:
        path = Path(self.path)
        if not path.is_dir():
            return path
        names = [f"{session}.rttm", f"{session}_SPEAKER.rttm"]
        found = next((path / name for name in names if (path / name).is_file()), None)
        if found is None:
            raise InputError(Fault(str(path), "turns", f"no {names[0]}", "one RTTM file a session"))
        return found

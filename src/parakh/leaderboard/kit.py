"""What a participant needs to check a submission without the server: the rules of its track and the recordings, no reference."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parakh.errors import Fault, InputError
from parakh.files import read_text
from parakh.leaderboard.challenge import Challenge, TrackRules
from parakh.types import Recording

SCHEMA = "parakh.kit/1"


@dataclass(frozen=True)
class Kit:
    """The rules of one track of one phase, as far as a submission can be checked by them.

    Args:
        challenge: Name of the challenge.
        phase: Key of the phase.
        track_rules: The track.
        recordings: Those that need an answer: id, duration, language, and nothing else that a manifest may know of them.
    """

    challenge: str
    phase: str
    track_rules: TrackRules
    recordings: tuple[Recording, ...]

    @staticmethod
    def of(challenge: Challenge, folder: Path, phase: str, track: str) -> Kit:
        """The kit of one track of one phase.

        Args:
            challenge: The rules.
            folder: Where their paths start from.
            phase: Key of the phase.
            track: Key of the track.

        Raises:
            InputError: The manifest cannot be read.
            KeyError: There is no such phase or track.
        """
        from parakh.leaderboard.references import load_recordings  # loads what scores; a kit that is read needs none of it

        known = load_recordings(challenge.phase(phase), folder)
        public = tuple(Recording(one.session_id, duration=one.duration, language=one.language) for one in known)
        return Kit(challenge.name, phase, challenge.track(track), public)

    def to_json(self) -> str:
        """The ``parakh.kit/1`` document.

        >>> from parakh.leaderboard.challenge import MetricSet
        >>> rules = TrackRules("asr", "What was said", MetricSet("1", "asr", ("wer",), "wer"))
        >>> kit = Kit("visits", "dev", rules, (Recording("v1", duration=60.0, language="hi"),))
        >>> Kit.from_json(kit.to_json()) == kit
        True
        """
        document = {
            "schema": SCHEMA,
            "challenge": self.challenge,
            "phase": self.phase,
            "track": self.track_rules.to_dict(),
            "recordings": [
                {"session_id": one.session_id, "duration": one.duration, "language": one.language} for one in self.recordings
            ],
        }
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"

    @staticmethod
    def from_json(text: str, path: str = "<kit>") -> Kit:
        """Read a ``parakh.kit/1`` document.

        Raises:
            InputError: It is not JSON or not such a document.
        """
        action = "Get the kit from the challenge's page again."
        try:
            document: Any = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(Fault(path, "", "no JSON", f"a {SCHEMA} document", action)) from error
        schema = document.get("schema") if isinstance(document, dict) else None
        if schema != SCHEMA:
            raise InputError(Fault(path, "schema", repr(schema)[:60], repr(SCHEMA), action))
        try:
            recordings = tuple(
                Recording(one["session_id"], duration=one["duration"], language=one["language"]) for one in document["recordings"]
            )
            return Kit(document["challenge"], document["phase"], TrackRules.from_dict(document["track"]), recordings)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                Fault(path, "", f"a field missing or of the wrong type ({error})", f"a {SCHEMA} document", action)
            ) from error

    @staticmethod
    def load(path: str | Path) -> Kit:
        """Read a kit's file.

        Raises:
            InputError: It cannot be read, or is no kit.
        """
        return Kit.from_json(read_text(path), str(path))

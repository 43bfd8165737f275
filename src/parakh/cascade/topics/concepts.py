"""Topics from the clinical concept list: no model, no network, every topic traceable to the turns that voice it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parakh.cascade.options import require
from parakh.clinical.problems import problems
from parakh.errors import UnavailableError
from parakh.types import Segment, Topics

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend:
    """Finds the ongoing problems of the health seeker by their spoken names in Hindi, Kannada and English.

    Args:
        most: The largest number of topics given.
    """

    most: int = 8

    def __post_init__(self) -> None:
        require("topics concepts", self, {"most": (1 <= self.most <= 100, "a whole number from 1 to 100")})

    def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
        """The strongest problems, strongest first.

        Args:
            transcript: The turns with words, in the language spoken.
            translation: The same turns in English; may be empty. Consulted where the transcript yields little.

        Returns:
            At most ``most`` topics; none is the answer "None".

        Raises:
            UnavailableError: Neither holds any words.

        >>> turns = [Segment("v", "s", words="घुटनों में बहुत दर्द है, बुखार नहीं है।", role="health_seeker")]
        >>> Backend().find(turns, []).topics
        ('Knee pain',)
        """
        segments = [*transcript, *translation]
        if not any(segment.words.strip() for segment in segments):
            raise UnavailableError(
                "topics 'concepts' reads what was said and there is no transcript. "
                "Configure a transcriber for this language, or give transcripts of your own."
            )
        found = problems(transcript, translation)
        return Topics(segments[0].session_id, tuple(problem.term for problem in found[: self.most]))

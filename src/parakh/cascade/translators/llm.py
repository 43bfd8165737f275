"""English from a chat model, turn by turn with what was said before, as the prompt ``translation-v1`` asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parakh.audio.decode import Audio
from parakh.cascade import noticing
from parakh.cascade.chat.numbered import NumberedStage, numbers
from parakh.cascade.chat.replies import is_english
from parakh.errors import UnavailableError, counted
from parakh.types import Segment

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend(NumberedStage):
    """Asks a chat model for the English of each turn; turns that are English already are left as they are.

    Args:
        llm: The chat model.
        prompt: Name of a prompt of ours, or path of a text file with ``{turns}`` in it.
        asks: How often to ask for turns that do not come back.
        batch: Turns in one request.
        context: Turns before them that the model is shown, with their English.
    """

    prompt: str = "translation-v1"

    def translate(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with English ``words`` and ``language="en"``; a turn that never came back has none, which is noted.

        Args:
            audio: The recording; its sound is not used.
            segments: Its turns with words.

        Raises:
            UnavailableError: There is no transcript, no model, or no turn came back.
            MissingPackageError: A package that the chat model needs is not installed.
        """
        spoken = [at for at, turn in enumerate(segments) if turn.words.strip()]
        if not spoken:
            raise UnavailableError("A chat model translates a transcript and there is none. Configure a transcriber.")
        wanted = [at for at in spoken if segments[at].language != "en"]
        texts = self.texts(segments, wanted, lambda _, text: is_english(text))
        missing = [at for at in wanted if at not in texts]
        if missing:
            what = f"{counted(len(missing), 'turn')} of {len(spoken)} came back without English"
            noticing.note("missing-turns", f"{what} and have none: {numbers(missing)}")
        kept = {at: segments[at].words for at in spoken if at not in wanted}
        english = {**kept, **texts}
        return [replace(turn, words=english.get(at, ""), language="en", word_times=()) for at, turn in enumerate(segments)]

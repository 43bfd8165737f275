"""Whisper base on this machine: Hindi (heard as Urdu, written in Devanagari) and English."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from parakh.audio.decode import Audio
from parakh.cascade.biasing import BiasOptions, Fusion
from parakh.cascade.options import require
from parakh.cascade.recognisers.whisper import Choice, chosen_by
from parakh.cascade.whisper.options import WhisperOptions
from parakh.cascade.whisper.recognition import FREQUENCIES, WHISPER, hear, hindi_speller
from parakh.types import Segment

MODELS = (WHISPER, FREQUENCIES)


@dataclass(frozen=True)
class Backend(BiasOptions, WhisperOptions):
    """Transcribes Hindi and English; refuses languages for which the model writes only garbage.

    Whisper base misspells Hindi in Devanagari but hears it well when it may write Urdu, so Hindi is decoded as
    Urdu and each word is looked up among Hindi words (``parakh.cascade.whisper.urdu``). A language model and hot words lead that
    look-up, and the choice among the best texts of each window.

    Args:
        threads: CPU threads.
        language: BCP-47 tag; None takes the recording's own, or else listens.
        beam: Beam width of the search; 1 costs two thirds of it and makes 3 points more word errors.
        lm: ARPA file of a language model, as ``parakh lm build`` writes it.
        lm_weight: Weight of its natural logarithms, 0 to 10; in the look-up its share of the mixture.
        hot_words: List of words to be expected, one a line, with a weight after a tab where one is wanted.
        hot_word_boost: What a hot word of weight 1 is worth, in nats, 0 to 100.
    """

    stage = "transcriber"

    def __post_init__(self) -> None:
        super().__post_init__()
        require("transcriber whisper-base", self, self.bias_rules())

    def ready(self) -> None:
        """See that the language model and the list of hot words can be read.

        Raises:
            InputError: One of them is wrong; one line a fault.
        """
        self.fusion()

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words`` and ``language``; words are "" where no speech was heard.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: The model is useless for the recording's language.
            ModelError: The weights cannot be had.
        """
        hearing = hear(audio, segments, self.threads, self.language)
        fusion = self.fusion()
        write = hindi_speller(fusion).spell if hearing.language == "hi" else str
        texts = hearing.texts("transcribe", self.beam, segments, _choice(fusion, write) if fusion else None)
        texts = [write(text) for text in texts]
        return [replace(s, words=text, language=hearing.language) for s, text in zip(segments, texts, strict=True)]


def _choice(fusion: Fusion, write: Callable[[str], str]) -> Choice:
    """The choice among a window's best texts that a bias makes, once they are written in the script of its words."""
    choose = chosen_by(fusion)
    return lambda candidates: choose([replace(one, text=write(one.text)) for one in candidates])

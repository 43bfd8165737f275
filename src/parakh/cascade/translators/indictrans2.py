"""IndicTrans2: text in 22 Indian languages to English, from its published weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parakh.audio.decode import Audio
from parakh.cascade import noticing
from parakh.cascade.devices import DEVICE, import_torch, is_device
from parakh.cascade.guards import is_looping
from parakh.cascade.indictrans2 import model
from parakh.cascade.indictrans2.text import TAGS, sentences
from parakh.cascade.options import THREADS, require
from parakh.errors import UnavailableError
from parakh.languages.tags import LANGUAGE, is_language, primary_language
from parakh.models import weights
from parakh.types import Segment

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend:
    """Translates the transcript turn by turn, each turn in its own language and sentence by sentence; English stays as it is.

    Args:
        weights: A folder, or org/name of a hub repository that lies on this machine.
        device: "auto", "cpu", "cuda", "cuda:N" or "mps".
        compute_type: "auto", "float32", "float16" or "bfloat16".
        beam: Beam width of the search.
        batch: Sentences translated together.
        language: BCP-47 tag of turns that tell none; None takes the recording's own.
        threads: CPU threads.
    """

    weights: str = "ai4bharat/indictrans2-indic-en-dist-200M"
    device: str = "auto"
    compute_type: str = "auto"
    beam: int = 5
    batch: int = 16
    language: str | None = None
    threads: int = 2

    def __post_init__(self) -> None:
        rules = {
            "weights": (self.weights != "", "a folder, or org/name of a hub repository"),
            "device": (is_device(self.device), DEVICE),
            "compute_type": (self.compute_type in model.COMPUTE_TYPES, f"one of {', '.join(model.COMPUTE_TYPES)}"),
            "beam": (1 <= self.beam <= 20, "a whole number from 1 to 20"),
            "batch": (1 <= self.batch <= 1024, "a whole number from 1 to 1024"),
            "language": (self.language is None or is_language(self.language), LANGUAGE),
            "threads": (1 <= self.threads <= 256, THREADS),
        }
        require(model.WHO, self, rules)

    def ready(self) -> None:
        """See that the packages and the weights are here.

        Raises:
            MissingPackageError: torch or sentencepiece is not installed.
            ModelError: The weights are nowhere.
        """
        import_torch(model.WHO)
        model.sentencepiece()
        self._folder()

    def translate(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with English ``words`` and ``language="en"``.

        Args:
            audio: The recording; its sound is not used.
            segments: Its turns with words.

        Raises:
            MissingPackageError: torch or sentencepiece is not installed.
            ModelError: The weights cannot be had.
            UnavailableError: There is no transcript, or it is in a language that the model does not know.
        """
        if not any(turn.words.strip() for turn in segments):
            raise UnavailableError(f"{model.WHO} translates a transcript and there is none. Configure a transcriber.")
        languages = [self._language(audio, turn) for turn in segments]
        texts = [[turn.words] if language == "en" else [] for turn, language in zip(segments, languages, strict=True)]
        for language in sorted({one for one in languages if one != "en"}):
            network = model.loaded(self._folder(), self.device, self.compute_type, self.threads)
            tag = TAGS[language]
            asked = [
                (at, part)
                for at, turn in enumerate(segments)
                if languages[at] == language
                for sentence in sentences(turn.words)
                for part in network.parts(sentence, tag)
            ]
            for first in range(0, len(asked), self.batch):
                batch = asked[first : first + self.batch]
                found = network.translated([part for _, part in batch], tag, self.beam)
                for (at, _), (english, lost) in zip(batch, found, strict=True):
                    texts[at].append(english)
                    _tell(segments[at], english, lost)
        return [
            replace(turn, words=" ".join(text), language="en", word_times=()) for turn, text in zip(segments, texts, strict=True)
        ]

    def _language(self, audio: Audio, turn: Segment) -> str:
        found = turn.language or (primary_language(self.language) if self.language else audio.language)
        if not turn.words.strip():
            return "en"
        if found != "en" and found not in TAGS:
            told = f"is in {found!r}, which it does not know" if found else "does not tell its language"
            raise UnavailableError(f"{model.WHO}: a turn of {audio.session_id} {told}. Set language, or take another translator.")
        return found

    def _folder(self) -> Path:
        return weights.find(self.weights, model.FILES)


def _tell(turn: Segment, english: str, lost: Sequence[str]) -> None:
    """What is odd about the English of a sentence."""
    if lost:
        noticing.note("lost-number", f"the translation has lost {', '.join(lost)}", turn.start_time)
    if is_looping(english.split()):
        noticing.note("repetitive-text", "a translation that repeats itself more than talk does; kept", turn.start_time)
    if not english:
        noticing.note("no-answer", "a sentence without a translation", turn.start_time)

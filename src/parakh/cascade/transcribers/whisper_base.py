"""Whisper base on this machine: Hindi, Kannada and English."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from parakh.audio.decode import Audio
from parakh.cascade import noticing
from parakh.cascade.biasing import BiasOptions, Fusion
from parakh.cascade.options import check_all, require
from parakh.cascade.recognisers.whisper import Choice, chosen_by
from parakh.cascade.whisper.options import WhisperOptions
from parakh.cascade.whisper.recognition import AUTO, FREQUENCIES, NONE, WHISPER, Hearing, hear, hindi_speller
from parakh.cascade.windows import Word, spoken
from parakh.types import Segment, Severity

MODELS = (WHISPER, FREQUENCIES)


@dataclass(frozen=True)
class Backend(BiasOptions, WhisperOptions):
    """Transcribes Hindi, Kannada and English; refuses languages for which the model writes only garbage.

    A language that has an adapter (model ``whisper-base-LANGUAGE``) is decoded with it, unless that is unsure of the recording
    and the language can be decoded without. Without one Whisper base misspells Hindi in Devanagari but hears it well when it
    may write Urdu, so Hindi is decoded as Urdu and each word is looked up among Hindi words
    (``parakh.cascade.whisper.urdu``); what an adapter misheard is corrected in the same way
    (``parakh.cascade.whisper.devanagari``). A language model and hot words lead that look-up, and the choice among the best
    texts of each window.

    Args:
        threads: CPU threads.
        language: BCP-47 tag; None takes the recording's own, or else listens.
        beam: Beam width of the search; 1 costs two thirds of it and makes 3 points more word errors.
        lm: ARPA file of a language model, as ``parakh lm build`` writes it.
        lm_weight: Weight of its natural logarithms, 0 to 10; in the look-up its share of the mixture.
        hot_words: List of words to be expected, one a line, with a weight after a tab where one is wanted.
        hot_word_boost: What a hot word of weight 1 is worth, in nats, 0 to 100.
        adapter: "auto" takes the adapter of the language where there is one, "none" none; else the folder of a LoRA adapter
            of the decoder, as peft writes it.
    """

    adapter: str = AUTO

    stage = "transcriber"

    def __post_init__(self) -> None:
        rules = {**self.bias_rules(), "adapter": (bool(self.adapter), "'auto', 'none' or a folder")}
        check_all(super().__post_init__, lambda: require("transcriber whisper-base", self, rules))

    def ready(self) -> None:
        """See that the packages are there, and that the language model and the list of hot words can be read.

        Raises:
            MissingPackageError: A package is not installed.
            InputError: The language model or the list is wrong; one line a fault.
        """
        super().ready()
        self.fusion()

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words``, their times and ``language``; words are "" where no speech was heard.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: The model is useless for the recording's language.
            ModelError: The weights cannot be had.
        """
        hearing = hear(audio, segments, self.threads, self.language, adapter=self.adapter)
        turns = self._written(hearing, segments)
        if turns is None:
            told = "not the kind of speech that the adapter knows; decoded without it"
            noticing.note("adapter-unsure", told, severity=Severity.NOTE)
            without = hear(audio, segments, self.threads, hearing.language, adapter=NONE)
            turns = self._written(without, segments) or [[] for _ in segments]
        # Each turn's words are its own already, so they are laid into it alone.
        heard = [spoken(turn, [s], hearing.language)[0] for s, turn in zip(segments, turns, strict=True)]
        return [replace(s, language=hearing.language) for s in heard]

    def _written(self, hearing: Hearing, segments: Sequence[Segment]) -> list[list[Word]] | None:
        """The words of each turn as they are written in the language; None where the adapter does not know such speech."""
        fusion = self.fusion()
        write = _writer(hearing, fusion)
        turns = hearing.words(self.beam, segments, _choice(fusion, write) if fusion else None)
        return None if turns is None else [respelt(turn, write) for turn in turns]


def respelt(words: Sequence[Word], write: Callable[[str], str]) -> list[Word]:
    """The words of a turn in another spelling; where that makes more or fewer of them, they share the turn's time.

    >>> respelt([Word("a", 1.0, 2.0), Word("b", 2.0, 3.0)], str.upper)
    [Word(text='A', start=1.0, end=2.0), Word(text='B', start=2.0, end=3.0)]
    """
    text = write(" ".join(word.text for word in words))
    written = text.split()
    if len(written) == len(words):
        return [replace(word, text=one) for word, one in zip(words, written, strict=True)]
    return [Word(text, words[0].start, words[-1].end)]


def _writer(hearing: Hearing, fusion: Fusion | None) -> Callable[[str], str]:
    """How what was decoded is written in the script and the words of its language."""
    adapter = hearing.how.adapter
    if hearing.language == "hi":
        return hindi_speller(fusion, misheard=adapter is not None).spell
    return adapter.written if adapter else str


def _choice(fusion: Fusion, write: Callable[[str], str]) -> Choice:
    """The choice among a window's best texts that a bias makes, once they are written in the script of its words."""
    choose = chosen_by(fusion)
    return lambda candidates: choose([replace(one, text=write(one.text)) for one in candidates])

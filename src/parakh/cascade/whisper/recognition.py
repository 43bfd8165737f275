"""One recording through the engine: windows kept for transcription and translation, language, words per turn."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from parakh.audio.decode import Audio
from parakh.cascade.biasing import Fusion
from parakh.cascade.biasing.spelling import BiasedWords
from parakh.cascade.recognisers.whisper import Choice
from parakh.cascade.whisper.adapter import Adapter, read_adapter
from parakh.cascade.whisper.devanagari import devanagari_script
from parakh.cascade.whisper.engine import Decoding, Engine, load_engine
from parakh.cascade.whisper.language_model import LanguageModel
from parakh.cascade.whisper.lexicon import read_frequencies, table
from parakh.cascade.whisper.urdu import Script, Speller
from parakh.cascade.windows import Window, Word, assign, pack
from parakh.errors import ModelError, UnavailableError
from parakh.languages.tags import primary_language
from parakh.models import store, weights
from parakh.types import Segment

WHISPER = "whisper-base"
FREQUENCIES = "wordfreq-hi"

AUTO = "auto"
"""The option of ``adapter`` that takes the adapter of the language."""

NONE = "none"
"""The option of ``adapter`` that takes none."""

_HEALTH_WORD = 420.0
"""Least commonness (centibels) that a health word is given: about once in 16,000 words."""

LONGEST = 29.0
"""Seconds of the longest window, with the silence that the model needs at the end just within the 30 s it was trained on.

Of 12, 16, 20, 25 and 29 s none costs more; shorter ones lack context, and on real speech this one was best."""

_DETECTED_ON = 4
"""Windows that language detection looks at."""


@dataclass(frozen=True)
class Hearing:
    """A recording ready to be decoded: its windows, its language, and how they are decoded."""

    engine: Engine
    audio: Audio
    windows: Sequence[Window]
    language: str
    how: Decoding

    def words(self, beam: int, segments: Sequence[Segment], choose: Choice | None = None) -> list[list[Word]] | None:
        """The decoded words of each turn; None where the recording is not of the kind that the adapter knows.

        Args:
            beam: Beam width of the search.
            segments: The turns.
            choose: Judges the best texts of each window; None takes what the search holds to be best.
        """
        how = replace(self.how, beam=beam, candidates=beam if choose else 1, choose=choose)
        heard = self.engine.heard(self.audio, self.windows, how)
        known = how.adapter is None or how.adapter.knows(heard.confidence)
        return assign(heard.words, segments) if known else None


def hear(
    audio: Audio, segments: Sequence[Segment], threads: int, language: str | None, task: str = "transcribe", adapter: str = AUTO
) -> Hearing:
    """Pack the turns of a recording and settle its language.

    Args:
        audio: The recording.
        segments: Its turns.
        threads: CPU threads.
        language: BCP-47 tag; None takes the recording's own, or else listens.
        task: ``"transcribe"`` or ``"translate"``.
        adapter: ``"auto"`` takes the adapter of the language, ``"none"`` none; else the folder of one.

    Raises:
        UnavailableError: The model is useless for the language.
        ModelError: The model or the adapter cannot be had.
    """
    known = primary_language(language) if language else audio.language
    if known:
        decoding(known, task, adapter, f"{audio.session_id} is in")  # before any model is fetched or loaded
    engine = load_engine(store.get(WHISPER), threads)
    heard = known or detect(engine, audio, pack(audio, segments, LONGEST))
    how = decoding(heard, task, adapter, f"{audio.session_id} sounds like")
    return Hearing(engine, audio, pack(audio, segments, how.adapter.longest if how.adapter else LONGEST), heard, how)


def decoding(language: str, task: str, adapter: str, because: str) -> Decoding:
    """How a language is decoded: transcribed with its adapter where it has one, else as the model best knows it.

    Raises:
        UnavailableError: The model is useless for the language.
        ModelError: The adapter cannot be had.
    """
    if task == "transcribe" and (own := adapter_of(language, adapter)):
        return Decoding(own.token or language, task, adapter=own)
    return Decoding(decoded_as(language, because, task), "transcribe" if language == "en" else task)


@cache
def adapter_of(language: str, adapter: str) -> Adapter | None:
    """The adapter that a language is transcribed with; None where there is none.

    Args:
        language: BCP-47 primary tag.
        adapter: As ``hear`` takes it.

    Raises:
        ModelError: It is nowhere, or damaged.
    """
    name = f"{WHISPER}-{language}"
    if adapter == NONE or (adapter == AUTO and name not in store.names()):
        return None
    try:
        return read_adapter(store.get(name) if adapter == AUTO else weights.find(adapter, ("adapter_model.safetensors",)))
    except ValueError as error:
        raise ModelError(f"adapter {adapter}: found {error}, expected the settings of an adapter. Train it again.") from error


def decoded_as(language: str, because: str, task: str = "transcribe") -> str:
    """Whisper's language in which a language is best decoded: Urdu for Hindi.

    Args:
        language: BCP-47 primary tag.
        because: How the language is known, for the message.
        task: ``"transcribe"`` or ``"translate"``, for the message.

    Raises:
        UnavailableError: The model writes only garbage in that language; says what to configure instead.

    >>> decoded_as("hi", "v1 is in")
    'ur'
    """
    rows = [row for row in table("languages.tsv") if row[1] == language]
    if token := next((row[0] for row in rows if row[3:] == ("yes",)), None):
        return token
    name = rows[0][2] if rows else f"{language!r}"
    lacks = {"transcribe": "has no usable weights for it", "translate": "cannot translate it"}[task]
    instead = {
        "transcribe": "transcriber 'external' with a transcript of your own, or a backend with weights for that language",
        "translate": "translator 'llm', or another that knows the language",
    }[task]
    raise UnavailableError(
        f"{because} {name}, and the embedded Whisper base {lacks}. "
        f"Configure {instead}; name the recording's language if it is another."
    )


def detect(engine: Engine, audio: Audio, windows: Sequence[Window]) -> str:
    """The likeliest language of India, or English; Urdu speech counts as Hindi. Hindi when there is no speech."""
    heard = engine.languages(audio, windows, _DETECTED_ON)
    sums: dict[str, float] = {}
    for token, tag, *_ in table("languages.tsv"):
        sums[tag] = sums.get(tag, 0.0) + heard.get(token, 0.0)
    return max(sums, key=lambda tag: (sums[tag], tag == "hi"))


@cache
def hindi_speller(fusion: Fusion | None = None, *, misheard: bool = False) -> Speller:
    """The Hindi speller over all words the embedded cascade knows, and those that lead it; built once a process.

    Args:
        fusion: What leads it.
        misheard: Whether it reads Devanagari as an adapter writes it, instead of Urdu.
    """
    try:
        return build_speller(store.get(FREQUENCIES) / "small_hi.msgpack.gz", fusion, devanagari_script() if misheard else None)
    except (OSError, EOFError, ValueError, IndexError, TypeError, zlib.error) as error:
        raise store.unusable(FREQUENCIES, error) from error


def build_speller(frequencies: Path, fusion: Fusion | None = None, script: Script | None = None) -> Speller:
    """The speller over a wordfreq file, the health words and the sentences beside this module, and what leads it."""
    words = read_frequencies(frequencies)
    health = table("health_words.tsv")
    for word, *_ in health:
        words[word] = min(words.get(word, _HEALTH_WORD), _HEALTH_WORD)
    english = {latin.lower(): word for word, *known in health for latin in known}
    sentences = resources.files(__package__).joinpath("sentences.txt").read_text("utf-8").splitlines()
    model = LanguageModel(words, sentences)
    return Speller(BiasedWords(model, fusion) if fusion else model, english, script=script)

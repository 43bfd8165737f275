"""Any server that speaks OpenAI's audio transcription protocol: a local Whisper server or vLLM as well as a hosted one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.audio.pcm import wav
from parakh.cascade import metering
from parakh.cascade.hearing import DETECTOR, Hypothesis, Samples
from parakh.cascade.services.exchange import Service, ask, form
from parakh.cascade.services.options import Heard, ServiceOptions, is_price
from parakh.cascade.services.reading import rows_of, seconds_of, text_of, timed_text
from parakh.cascade.windows import Word, spread
from parakh.errors import UnavailableError
from parakh.formats._response import primary_tag
from parakh.types import Segment

MODELS = (DETECTOR,)

TIMESTAMPS = ("word", "segment", "none")


@dataclass(frozen=True)
class Backend(ServiceOptions):
    """Sends the recording's turns to ``base_url``/audio/transcriptions.

    Turns are packed into windows cut at pauses; words go to turns by the times that the server tells. With timestamps = "none",
    for servers that tell none, each turn is sent by itself.

    Args:
        base_url: The address up to and including its version, as "http://localhost:8000/v1".
        model: The model's name as the server knows it.
        api_key_env: Name of the environment variable that holds the key; None for a server that wants none.
        language: BCP-47 tag; None takes the recording's own, or else leaves it to the server.
        longest: Seconds of the longest window.
        jobs: Windows asked for at once.
        timeout: Seconds to wait for a whole answer.
        retries: Further tries where one fails in passing.
        guards: Whether loops and text of silence are looked for.
        timestamps: What times are asked for: "word", "segment" or "none".
        prompt: Text that is taken to have been said before: names and terms as they are to be spelt.
        hotwords: Words to listen for, for servers that know the field (speaches); "" sends none.
        temperature: Sampling temperature.
        price_per_hour: Price of an hour of sound, in a currency of your own; None where there is none.
        price_in: Price of a million tokens read, where the server counts them.
        price_out: Price of a million tokens written.
    """

    timestamps: str = "word"
    prompt: str = ""
    hotwords: str = ""
    temperature: float = 0.0
    price_per_hour: float | None = None
    price_in: float | None = None
    price_out: float | None = None

    who: ClassVar[str] = "transcriber openai-audio"

    def rules(self) -> dict[str, tuple[bool, str]]:
        """What the options may be."""
        prices = {name: (is_price(getattr(self, name)), "a price >= 0") for name in ("price_per_hour", "price_in", "price_out")}
        return {
            **ServiceOptions.rules(self),
            **prices,
            "timestamps": (self.timestamps in TIMESTAMPS, f"one of {', '.join(TIMESTAMPS)}"),
            "temperature": (0 <= self.temperature <= 1, "a number from 0 to 1"),
        }

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words`` and ``language``, and ``word_times`` where the server tells times.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: No key, no connection, no sound answer in time, or a refusal by the server.
        """
        service = self.service("audio/transcriptions", lambda key: {"Authorization": f"Bearer {key}"})
        fields = self._fields(self.spoken(audio))

        def asked(samples: Samples) -> Heard:
            return ask(
                service, *form(fields, wav(samples)), lambda answer: self._read(service, answer, len(samples) / SAMPLE_RATE)
            )

        return self.hear(audio, segments, asked, self.timestamps != "none", self.price_per_hour)

    def _fields(self, language: str | None) -> dict[str, str]:
        wanted = {
            "model": self.model,
            "language": language,
            "prompt": self.prompt,
            "hotwords": self.hotwords,
            "temperature": f"{self.temperature:g}",
            "response_format": "json" if self.timestamps == "none" else "verbose_json",
            "timestamp_granularities[]": "" if self.timestamps == "none" else self.timestamps,
        }
        return {name: value for name, value in wanted.items() if value}

    def _read(self, service: Service, answer: dict[str, Any], length: float) -> Heard:
        self._count(answer.get("usage"))
        text = text_of(service, answer, "text")
        told = answer.get("language")
        language = primary_tag(told) if isinstance(told, str) else None
        if self.timestamps == "none":
            return Heard(Hypothesis(tuple(spread(text, 0.0, length))), language)
        segments = rows_of(service, answer, "segments")
        words = [_word(service, row, "word") for row in rows_of(service, answer, "words")]
        words = words or [_word(service, row, "text") for row in segments]
        if text.strip() and not any(word.text.strip() for word in words):
            raise UnavailableError(f'{service.where} tells no times. Set timestamps to "segment" or "none".')
        # A window is silent only if each of its segments is.
        no_speech = min(_numbers(segments, "no_speech_prob"), default=0.0)
        score = max(_numbers(segments, "avg_logprob"), default=0.0)
        return Heard(Hypothesis(timed_text(text, words), no_speech, score), language)

    def _count(self, usage: object) -> None:
        told = usage if isinstance(usage, dict) else {}
        read, written = (metering.count_of(told.get(key)) for key in ("input_tokens", "output_tokens"))
        metering.add_tokens(read, written, self.price_in, self.price_out)


def _word(service: Service, row: dict[str, object], key: str) -> Word:
    start = seconds_of(service, row.get("start"))
    return Word(text_of(service, row, key), start, max(start, seconds_of(service, row.get("end"))))


def _numbers(rows: Sequence[dict[str, object]], key: str) -> list[float]:
    found = (row.get(key) for row in rows)
    return [float(value) for value in found if isinstance(value, int | float) and not isinstance(value, bool)]

"""Sarvam AI's speech to text (Saaras, Saarika) for Indian languages, through its interface for up to 30 s of sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.audio.pcm import wav
from parakh.cascade.hearing import DETECTOR, Hypothesis, Samples
from parakh.cascade.services.exchange import Service, ask, form, malformed
from parakh.cascade.services.options import Heard, ServiceOptions, is_price
from parakh.cascade.services.reading import seconds_of, text_of, timed_text
from parakh.cascade.windows import Word, spread
from parakh.formats._response import primary_tag
from parakh.types import Segment

MODELS = (DETECTOR,)

MODES = ("transcribe", "verbatim", "codemix", "translit")
"""Modes of Saaras that write what was said; Saarika has none."""

_TAGS = {"or": "od"}
"""Languages that the service calls otherwise than BCP-47."""


@dataclass(frozen=True)
class Backend(ServiceOptions):
    """Sends each turn by itself to Sarvam AI, or with timestamps windows of several turns.

    Args:
        base_url: The address.
        model: "saaras:v3", "saarika:v2.5" or another that the service knows.
        api_key_env: Name of the environment variable that holds the key.
        language: BCP-47 tag; None takes the recording's own, or else leaves it to the service.
        longest: Seconds of the longest window; the service takes no more than 30.
        jobs: Windows asked for at once.
        timeout: Seconds to wait for a whole answer.
        retries: Further tries where one fails in passing.
        guards: Whether loops and text of silence are looked for.
        mode: "transcribe", "verbatim", "codemix" or "translit"; None sends none, as Saarika wants.
        timestamps: Ask for times and send windows of several turns. The times are of phrases, so that words near a change of
            speaker may go to the wrong turn.
        price_per_hour: Price of an hour of sound, in a currency of your own; None where there is none.
    """

    base_url: str = "https://api.sarvam.ai"
    model: str = "saaras:v3"
    api_key_env: str | None = "SARVAM_API_KEY"
    mode: str | None = None
    timestamps: bool = False
    price_per_hour: float | None = None

    who: ClassVar[str] = "transcriber sarvam"
    most: ClassVar[float] = 30.0

    def rules(self) -> dict[str, tuple[bool, str]]:
        """What the options may be."""
        return {
            **ServiceOptions.rules(self),
            "mode": (self.mode is None or self.mode in MODES, f"one of {', '.join(MODES)}"),
            "price_per_hour": (is_price(self.price_per_hour), "a price >= 0"),
        }

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words`` and ``language``, and ``word_times`` with timestamps.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: No key, no connection, no sound answer in time, or a refusal by the service.
        """
        service = self.service("speech-to-text", lambda key: {"api-subscription-key": key})
        language = self.spoken(audio)
        fields = {"model": self.model, "language_code": f"{_TAGS.get(language, language)}-IN" if language else "unknown"}
        fields |= {"mode": self.mode} if self.mode else {}
        fields |= {"with_timestamps": "true"} if self.timestamps else {}

        def asked(samples: Samples) -> Heard:
            return ask(
                service, *form(fields, wav(samples)), lambda answer: self._read(service, answer, len(samples) / SAMPLE_RATE)
            )

        return self.hear(audio, segments, asked, self.timestamps, self.price_per_hour)

    def _read(self, service: Service, answer: dict[str, Any], length: float) -> Heard:
        text = text_of(service, answer, "transcript")
        told = answer.get("language_code")
        phrases = _phrases(service, answer.get("timestamps")) if self.timestamps and text.strip() else []
        words = timed_text(text, phrases) if phrases else tuple(spread(text, 0.0, length))
        if self.timestamps and text.strip() and not phrases:
            raise malformed(service, "an answer without times")
        return Heard(Hypothesis(words), primary_tag(told) if isinstance(told, str) else None)


def _phrases(service: Service, table: object) -> list[Word]:
    """Lists side by side of phrases, their starts and their ends."""
    values = table if isinstance(table, dict) else {}
    lists = [values.get(key) or [] for key in ("words", "start_time_seconds", "end_time_seconds")]
    if not all(isinstance(one, list) and len(one) == len(lists[0]) for one in lists):
        raise malformed(service, "an answer with other than as many phrases as times")
    return [
        Word(text_of(service, {"words": text}, "words"), seconds_of(service, start), seconds_of(service, end))
        for text, start, end in zip(*lists, strict=True)
    ]

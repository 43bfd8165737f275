"""Gemini as a transcriber: windows of the recording with the table of their turns, and the text of each turn as the answer."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, ClassVar

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.audio.pcm import wav
from parakh.audio.speech import Spans
from parakh.cascade import metering, noticing
from parakh.cascade.endpoints import told_by
from parakh.cascade.guards import LEAST_SPEECH_S
from parakh.cascade.hearing import DETECTOR, Hypothesis, guarded, speech_spans, spoken_seconds
from parakh.cascade.prompts import read_prompt
from parakh.cascade.services.exchange import Service, ask, malformed
from parakh.cascade.services.options import ServiceOptions, at_once, is_price
from parakh.cascade.services.reading import text_of
from parakh.cascade.windows import Stretch, Window, pack, spread
from parakh.errors import UnavailableError
from parakh.types import Segment

MODELS = (DETECTOR,)

_SCHEMA = {
    "type": "ARRAY",
    "items": {
        "type": "OBJECT",
        "properties": {"turn": {"type": "INTEGER"}, "text": {"type": "STRING"}},
        "required": ["turn", "text"],
    },
}
_LEAST_S = 0.1
"""Seconds of a turn in a window, below which it is not asked for there."""


@dataclass(frozen=True)
class Part:
    """A turn, or what of it lies in a window.

    Args:
        turn: Its index.
        start: In seconds of the window.
        end: Likewise.
        stretch: Where it lies in the recording.
    """

    turn: int
    start: float
    end: float
    stretch: Stretch


@dataclass(frozen=True)
class Asked:
    """A window with its turns, and what the model says of each; why it says nothing, if so."""

    parts: Sequence[Part]
    texts: Mapping[int, str]
    trouble: str = ""


@dataclass(frozen=True)
class Backend(ServiceOptions):
    """Sends windows of the recording to Gemini, with who speaks when, and takes each turn's text; it tells no times of words.

    Args:
        base_url: The address up to and including its version.
        model: The model's name.
        api_key_env: Name of the environment variable that holds the key.
        language: BCP-47 tag; None takes the recording's own.
        longest: Seconds of the longest window.
        jobs: Windows asked for at once.
        timeout: Seconds to wait for a whole answer.
        retries: Further tries where one fails in passing.
        guards: Whether loops and text of silence are looked for.
        hints: What the talk is about, names and terms as they are to be spelt.
        temperature: Sampling temperature.
        max_tokens: Longest answer to a window, in tokens, thoughts included.
        thinking_budget: Tokens of thought before the answer; None leaves them to the model.
        price_in: Price of a million tokens read, in a currency of your own; None where there is none.
        price_out: Price of a million tokens written, thoughts included.
    """

    base_url: str = "https://generativelanguage.googleapis.com/v1beta"
    model: str = "gemini-2.5-pro"
    api_key_env: str | None = "GEMINI_API_KEY"
    longest: float = 60.0
    hints: str = ""
    temperature: float = 0.0
    max_tokens: int = 8192
    thinking_budget: int | None = None
    price_in: float | None = None
    price_out: float | None = None

    who: ClassVar[str] = "transcriber gemini"
    most: ClassVar[float] = 300.0

    def rules(self) -> dict[str, tuple[bool, str]]:
        """What the options may be."""
        budget = self.thinking_budget
        return {
            **ServiceOptions.rules(self),
            "temperature": (0 <= self.temperature <= 2, "a number from 0 to 2"),
            "max_tokens": (1 <= self.max_tokens <= 10**6, "a whole number from 1 to 1000000"),
            "thinking_budget": (budget is None or -1 <= budget <= 10**6, "a whole number from -1 (as it likes) to 1000000"),
            "price_in": (is_price(self.price_in), "a price >= 0"),
            "price_out": (is_price(self.price_out), "a price >= 0"),
        }

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words`` and ``language``.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: No key, no connection, no sound answer in time, or a refusal by the service.
        """
        service = self.service(f"models/{self.model}:generateContent", lambda key: {"x-goog-api-key": key})
        windows = pack(audio, segments, self.longest)
        spans = speech_spans(audio) if self.guards and windows else None
        texts: list[list[str]] = [[] for _ in segments]
        language = self.spoken(audio)
        for asked in at_once(lambda window: self._asked(service, audio, segments, window, language), windows, self.jobs):
            for part in asked.parts:
                texts[part.turn].append(_sound(asked, part, spans))
        return [
            replace(segment, words=" ".join(text for text in turn if text), language=segment.language or language)
            for segment, turn in zip(segments, texts, strict=True)
        ]

    def _asked(self, service: Service, audio: Audio, segments: Sequence[Segment], window: Window, language: str | None) -> Asked:
        parts = parts_of(window, segments)
        if not parts:
            return Asked((), {})
        body = json.dumps(self._request(wav(window.cut(audio.samples)), parts, segments, language)).encode()
        for _ in range(2):  # what is empty is asked for once more
            asked = ask(service, body, "application/json", lambda answer: self._read(service, answer, parts))
            if asked.trouble or any(asked.texts.values()):
                break
        return asked

    def _request(self, sound: bytes, parts: Sequence[Part], segments: Sequence[Segment], language: str | None) -> dict[str, Any]:
        rows = [
            {"turn": number, "speaker": segments[part.turn].speaker, "start": round(part.start, 2), "end": round(part.end, 2)}
            for number, part in enumerate(parts, 1)
        ]
        lines = [f"The language is {language} (BCP-47)." if language else "", self.hints.strip(), f"Turns: {json.dumps(rows)}"]
        sent = {"inlineData": {"mimeType": "audio/wav", "data": base64.b64encode(sound).decode()}}
        settings: dict[str, Any] = {
            "temperature": self.temperature,
            "maxOutputTokens": self.max_tokens,
            "responseMimeType": "application/json",
            "responseSchema": _SCHEMA,
        }
        if self.thinking_budget is not None:
            settings["thinkingConfig"] = {"thinkingBudget": self.thinking_budget}
        return {
            "systemInstruction": {"parts": [{"text": read_prompt("transcription-v1", ()).user}]},
            "contents": [{"role": "user", "parts": [{"text": "\n".join(line for line in lines if line)}, sent]}],
            "generationConfig": settings,
        }

    def _read(self, service: Service, answer: dict[str, Any], parts: Sequence[Part]) -> Asked:
        self._count(answer.get("usageMetadata"))
        try:
            blocked = (answer.get("promptFeedback") or {}).get("blockReason")
            candidate = (answer.get("candidates") or [{}])[0]
            reason = candidate.get("finishReason")
            pieces = (candidate.get("content") or {}).get("parts") or []
            text = "".join(text_of(service, piece, "text") for piece in pieces if "text" in piece and not piece.get("thought"))
        except (AttributeError, TypeError, KeyError, IndexError) as error:
            raise malformed(service, "an answer that is none of generateContent") from error
        if not blocked and not candidate:
            raise malformed(service, "an answer that is none of generateContent")
        if blocked or reason not in ("STOP", "MAX_TOKENS", None):
            return Asked(parts, {}, f"the service declined this part ({told_by(blocked or reason)})")
        if reason == "MAX_TOKENS":
            found = f"was cut off at max_tokens = {self.max_tokens}"
            raise UnavailableError(f"{service.where}: an answer {found}. Raise max_tokens, or lower longest or thinking_budget.")
        return Asked(parts, _texts(service, text, len(parts)) if text.strip() else {})

    def _count(self, usage: object) -> None:
        known = usage if isinstance(usage, dict) else {}
        read, text, thought = (
            metering.count_of(known.get(key)) for key in ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")
        )
        written = None if text is None and thought is None else (text or 0) + (thought or 0)
        metering.add_tokens(read, written, self.price_in, self.price_out)


def parts_of(window: Window, segments: Sequence[Segment]) -> list[Part]:
    """What lies of each turn in a window, in order of time.

    >>> window = Window((Stretch(16000, 32000), Stretch(64000, 80000)))
    >>> [(p.turn, p.start, p.end) for p in parts_of(window, [Segment("v", "a", 4.2, 4.8), Segment("v", "b", 0.5, 1.5)])]
    [(1, 0.0, 0.5), (0, 1.2, 1.8)]
    """
    offsets = accumulate((one.length for one in window.stretches), initial=0)
    found = []
    for offset, one in zip(offsets, window.stretches, strict=False):
        for turn, segment in enumerate(segments):
            if segment.start_time is None or segment.end_time is None:
                continue
            start = max(one.start, round(segment.start_time * SAMPLE_RATE))
            end = min(one.end, round(segment.end_time * SAMPLE_RATE))
            if end - start >= _LEAST_S * SAMPLE_RATE:
                at = offset - one.start
                found.append(Part(turn, (start + at) / SAMPLE_RATE, (end + at) / SAMPLE_RATE, Stretch(start, end)))
    return sorted(found, key=lambda part: (part.start, part.end))


def _texts(service: Service, text: str, count: int) -> dict[int, str]:
    """The texts by number of the turn, from 1."""
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        rows = json.loads(bare)
    except (ValueError, RecursionError) as error:
        raise malformed(service, "a text that is no JSON") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise malformed(service, "a text that is no list of turns")
    texts = {row.get("turn"): " ".join(text_of(service, row, "text").split()) for row in rows}
    if len(texts) < len(rows) or not texts.keys() <= {*range(1, count + 1)}:
        raise malformed(service, "turns that were not asked for, or one twice")
    return texts


def _sound(asked: Asked, part: Part, spans: Spans | None) -> str:
    """The text of a turn that passes the guards; that there is none where somebody speaks is noted."""
    text = asked.texts.get(asked.parts.index(part) + 1, "")
    window = Window((part.stretch,))
    start, end = window.time(0.0), part.stretch.end / SAMPLE_RATE
    if not text and (spans is None or spoken_seconds(window, spans) >= LEAST_SPEECH_S):
        noticing.note("no-answer", asked.trouble or "the service wrote nothing for this turn", start)
    if not text or spans is None:
        return text
    return " ".join(word.text for word in guarded(Hypothesis(tuple(spread(text, start, end))), window, spans))

"""The options that every transcription service takes, and how a recording goes through one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade import metering
from parakh.cascade.endpoints import bare_address, is_address
from parakh.cascade.hearing import Hearing, Hypothesis, Samples, transcribed, transcribed_apart
from parakh.cascade.options import require
from parakh.cascade.services.exchange import Service, key_of
from parakh.errors import Fault, InputError
from parakh.languages.tags import LANGUAGE, is_language, primary_language
from parakh.types import Segment

Question = TypeVar("Question")
Answer = TypeVar("Answer")

_BATCHES = 4
"""Batches of windows that wait while as many are asked for at once: few, as they are held in memory."""


@dataclass(frozen=True)
class Heard:
    """What a service says of a window, and the language it tells, if any."""

    hypothesis: Hypothesis
    language: str | None = None


@dataclass(frozen=True)
class ServiceOptions:
    """What a backend that sends sound to an address can be told.

    Args:
        base_url: The address, up to and including its version where it has one.
        model: The model's name as the service knows it.
        api_key_env: Name of the environment variable that holds the key; None for a server that wants none.
        language: BCP-47 tag; None takes the recording's own, or else leaves it to the service.
        longest: Seconds of the longest window.
        jobs: Windows asked for at once.
        timeout: Seconds to wait for a whole answer.
        retries: Further tries where one fails in passing.
        guards: Whether loops and text of silence are looked for.
    """

    base_url: str
    model: str
    api_key_env: str | None = None
    language: str | None = None
    longest: float = 28.0
    jobs: int = 4
    timeout: float = 120.0
    retries: int = 3
    guards: bool = True

    who: ClassVar[str] = "transcriber"
    most: ClassVar[float] = 600.0

    def __post_init__(self) -> None:
        if not is_address(self.base_url):
            found = repr(self.base_url.rpartition("@")[2])  # a message tells no password
            raise InputError(Fault(self.who, "base_url", found, "an address as http://localhost:8000/v1"))
        require(self.who, self, self.rules())

    def rules(self) -> dict[str, tuple[bool, str]]:
        """What the options may be, as ``options.require`` takes it."""
        return {
            "model": (self.model.strip() != "", "the model's name as the service knows it"),
            "api_key_env": (self.api_key_env is None or self.api_key_env.isidentifier(), "the name of an environment variable"),
            "language": (self.language is None or is_language(self.language), LANGUAGE),
            "longest": (1 <= self.longest <= self.most, f"seconds in [1, {self.most:g}]"),
            "jobs": (1 <= self.jobs <= 64, "a whole number from 1 to 64"),
            "timeout": (0 < self.timeout <= 86400, "seconds in (0, 86400]"),
            "retries": (0 <= self.retries <= 10, "a whole number from 0 to 10"),
        }

    @property
    def endpoint(self) -> str:
        """The address that sound is sent to, without a user's name and password."""
        return bare_address(self.base_url)

    def ready(self) -> None:
        """See that the key is there; nothing is sent.

        Raises:
            UnavailableError: The key is missing.
        """
        key_of(self.api_key_env, self.who)

    def service(self, path: str, headers: Callable[[str], Mapping[str, str]]) -> Service:
        """Whom to ask.

        Args:
            path: What follows the address.
            headers: Makes the headers that show a key.

        Raises:
            UnavailableError: The key is missing.
        """
        key = key_of(self.api_key_env, self.who)
        return Service(self.who, f"{self.base_url.rstrip('/')}/{path}", headers(key) if key else {}, self.timeout, self.retries)

    def spoken(self, audio: Audio) -> str | None:
        """The language that is set, or the recording's own; None where neither is known."""
        return primary_language(self.language) if self.language else audio.language

    def hear(
        self,
        audio: Audio,
        segments: Sequence[Segment],
        ask: Callable[[Samples], Heard],
        timed: bool,
        price_per_hour: float | None,
    ) -> list[Segment]:
        """The turns with words and language.

        Args:
            audio: The recording.
            segments: Its turns.
            ask: Sends a window and reads the answer.
            timed: Whether answers have times; where not, each turn is sent by itself.
            price_per_hour: Price of an hour of sound; None where there is none.
        """
        language = self.spoken(audio)
        recogniser = _Recogniser(ask, self.jobs, price_per_hour)
        how = Hearing(self.longest, _BATCHES * self.jobs, self.guards, strict=False)
        turns = (transcribed if timed else transcribed_apart)(audio, segments, language or "", recogniser, how)
        return turns if language else [replace(turn, language=turn.language or recogniser.likeliest) for turn in turns]


class _Recogniser:
    """A service as a recogniser of ``hearing``: several windows at once, and empty answers asked for once more."""

    def __init__(self, ask: Callable[[Samples], Heard], jobs: int, price_per_hour: float | None) -> None:
        self._ask, self._jobs, self._price_per_hour = ask, jobs, price_per_hour
        self._told: Counter[str] = Counter()

    @property
    def likeliest(self) -> str | None:
        """The language that most windows were told to be in."""
        return max(self._told, key=lambda language: (self._told[language], language), default=None)

    def recognise(self, windows: Sequence[Samples], language: str, *, strict: bool = False) -> list[Hypothesis]:
        heard = at_once(self._heard, windows, self._jobs)
        self._told.update(one.language for one in heard if one.language and one.hypothesis.words)
        return [one.hypothesis for one in heard]

    def _heard(self, samples: Samples) -> Heard:
        heard = self._paid(samples)
        if heard.hypothesis.words or heard.hypothesis.trouble:
            return heard
        heard = self._paid(samples)
        trouble = "" if heard.hypothesis.words else "the service wrote nothing, twice, though somebody speaks here"
        return replace(heard, hypothesis=replace(heard.hypothesis, trouble=heard.hypothesis.trouble or trouble))

    def _paid(self, samples: Samples) -> Heard:
        heard = self._ask(samples)
        if self._price_per_hour is not None:
            metering.add(price=self._price_per_hour * len(samples) / SAMPLE_RATE / 3600)
        return heard


def at_once(ask: Callable[[Question], Answer], questions: Iterable[Question], jobs: int) -> list[Answer]:
    """Answers in the order of the questions, several asked for at once; the first error stops the rest.

    >>> at_once(lambda n: n * n, [1, 2, 3], 2)
    [1, 4, 9]
    """
    pool = ThreadPoolExecutor(jobs)
    try:
        # What is noted and metered goes to whoever collects around this call.
        asked = [pool.submit(copy_context().run, ask, question) for question in questions]
        return [one.result() for one in asked]
    finally:
        pool.shutdown(cancel_futures=True)


def is_price(price: float | None) -> bool:
    """Whether an option is a price, or none."""
    return price is None or price >= 0

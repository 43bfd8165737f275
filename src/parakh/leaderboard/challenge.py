"""A challenge as its organiser writes it down: tracks, phases, rules. ``challenge.toml`` is read in ``challenge_file``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Any


class Sight(IntEnum):
    """How much of a submission's outcome somebody may see; each includes the ones before it."""

    NOTHING = 0
    """Only that it was taken, refused with these faults, or scored."""
    SCORE = 1
    """Corpus scores, intervals, slices."""
    RECORDINGS = 2
    """Also the scores of each recording."""
    DIAGNOSIS = 3
    """Also alignments with the reference: diagnosis, error ledger, timelines."""


@dataclass(frozen=True)
class Limits:
    """How many submissions a team may make in one track of one phase; None for no limit."""

    day: int | None = None
    total: int | None = None
    concurrent: int | None = None


@dataclass(frozen=True)
class MetricSet:
    """Everything that turns an answer and a reference into figures: two scores compare only if they have the same.

    Args:
        version: The organiser's name of it ("2026.1").
        track: Name of the Parakh track.
        metrics: Names of the metrics, in display order.
        rank_by: The metric that ranks.
        tie_break: Metrics that order equals, one after another.
        normalization: Name of the profile.
        options: Options of the metrics that differ from the track's ("collar" in seconds).
        slice_by: Fields to report separately ("language").
        level: Level of the confidence intervals, in (0, 1); None makes none.
        samples: Number of resamples behind them.
    """

    version: str
    track: str
    metrics: tuple[str, ...]
    rank_by: str
    tie_break: tuple[str, ...] = ()
    normalization: str = "none"
    options: Mapping[str, Any] = field(default_factory=dict)
    slice_by: tuple[str, ...] = ()
    level: float | None = 0.95
    samples: int = 1000

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that differ where any choice does.

        >>> a = MetricSet("1", "asr", ("wer",), "wer")
        >>> a.digest == MetricSet("1", "asr", ("wer",), "wer").digest, len(a.digest)
        (True, 16)
        """
        text = json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        document = asdict(self)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in document.items()}

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> MetricSet:
        """From what ``to_dict`` made.

        >>> one = MetricSet("1", "asr", ("wer", "cer"), "wer")
        >>> MetricSet.from_dict(one.to_dict()) == one
        True
        """
        values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in document.items()}
        return MetricSet(**values)


@dataclass(frozen=True)
class TrackRules:
    """One track of a challenge.

    Args:
        key: Its name in addresses and files ("asr", "asr-kannada"); unique in the challenge.
        title: Its name for people.
        metric_set: How it is scored.
        formats: Names of the formats a submission may have; empty for every one that stands for itself.
    """

    key: str
    title: str
    metric_set: MetricSet
    formats: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it, in a challenge and in a kit."""
        return {**asdict(self), "metric_set": self.metric_set.to_dict(), "formats": list(self.formats)}

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> TrackRules:
        """From what ``to_dict`` made.

        >>> one = TrackRules("asr", "What was said", MetricSet("1", "asr", ("wer",), "wer"))
        >>> TrackRules.from_dict(one.to_dict()) == one
        True
        """
        metric_set = MetricSet.from_dict(document["metric_set"])
        return TrackRules(document["key"], document["title"], metric_set, tuple(document["formats"]))


@dataclass(frozen=True)
class PhaseRules:
    """One phase of a challenge; phases may overlap. Moments carry their time zone.

    Args:
        key: Its name in addresses and files ("dev", "eval").
        title: Its name for people.
        tracks: Keys of its tracks.
        references: Path of the references by key of the track, relative to ``challenge.toml``.
        recordings: Path of the manifest (``recordings.jsonl``) or data set with ids, durations, languages, metadata.
        uem: Path of the scoring regions; None infers them.
        audio: Folder with the recordings' audio, for timelines; None for none.
        opens: From when submissions are taken; None for always.
        closes: Until when; None for ever.
        shows: What a team may see of its own submissions until the reveal.
        shows_revealed: What it may see after it.
        open_book: Whether anybody may download the references.
        freezes: From when on the public board stands still until the reveal; None for never.
        limits: How many submissions a team may make in each track.
    """

    key: str
    title: str
    tracks: tuple[str, ...]
    references: Mapping[str, str]
    recordings: str
    uem: str | None = None
    audio: str | None = None
    opens: datetime | None = None
    closes: datetime | None = None
    shows: Sight = Sight.SCORE
    shows_revealed: Sight = Sight.RECORDINGS
    open_book: bool = False
    freezes: datetime | None = None
    limits: Limits = Limits()


@dataclass(frozen=True)
class Terms:
    """What somebody accepts before taking part; a new version asks everybody again."""

    version: str
    text: str


@dataclass(frozen=True)
class Challenge:
    """A whole challenge.

    Args:
        name: Its name in addresses: lower-case letters, digits, hyphens.
        title: Its name for people.
        description: A few paragraphs of plain text; blank lines part them.
        contact: Whom to ask.
        time_zone: IANA name of the zone that moments are shown in.
        tracks: In the order of the tabs.
        phases: In the order of the tabs.
        terms: What to accept; None for nothing.
        represents: Which submission stands for a team on a board: "best", "last" or "chosen" (by the team; the best until then).
    """

    name: str
    title: str
    description: str
    contact: str
    time_zone: str
    tracks: tuple[TrackRules, ...]
    phases: tuple[PhaseRules, ...]
    terms: Terms | None = None
    represents: str = "best"

    def track(self, key: str) -> TrackRules:
        """The track of a key.

        Raises:
            KeyError: There is none.
        """
        return {one.key: one for one in self.tracks}[key]

    def phase(self, key: str) -> PhaseRules:
        """The phase of a key.

        Raises:
            KeyError: There is none.
        """
        return {one.key: one for one in self.phases}[key]

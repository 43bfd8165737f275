"""What a data set may set about its checks: the table ``[check]`` of ``parakh.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from parakh.types import Severity


@dataclass(frozen=True)
class Vocabulary:
    """The closed vocabularies of a data set.

    Args:
        tags: Sound tags that may stand in a transcript, as written ("<noise>", "[laughter]"), lower case.
        paired: Tags that open and close a stretch: "<overlap>" needs "</overlap>".
        roles: Roles that speakers may have.
        places: Kinds of places ("phc", "anganwadi", "home", "chaupal", "school").
        metadata: Allowed values of further fields, by field.
    """

    tags: tuple[str, ...] = ("<noise>", "<laugh>", "<cough>", "<cry>", "<music>", "<breath>", "<unintelligible>", "<overlap>")
    paired: tuple[str, ...] = ()
    roles: tuple[str, ...] = ("health_worker", "health_seeker", "health_seeker_attendant", "other")
    places: tuple[str, ...] = ("phc", "anganwadi", "home", "chaupal", "school", "other")
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """What to check, and by which limits.

    Args:
        select: Codes, prefixes of codes ("QC1") or names of checks; empty selects all.
        ignore: The same, of checks to leave out; the longer of two that fit decides.
        severity: Another severity for a check, by code.
        vocabulary: The closed vocabularies.
        limits: Numbers by name, those of the data set over the defaults that each check declares ("max-pause": 0.3).
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    limits: Mapping[str, float] = field(default_factory=dict)

    def limit(self, name: str, language: str | None = None) -> float:
        """A limit that the check declares: the one set for a language if there is one, the data set's own, or the default.

        >>> settings = Settings(limits={"max-pause": 0.5}).over({"max-pause": 0.3, "max-gap": 30.0})
        >>> settings.limit("max-pause"), settings.limit("max-gap")
        (0.5, 30.0)
        """
        return self.limits.get(f"{name}-{language}", self.limits[name]) if language else self.limits[name]

    def over(self, defaults: Mapping[str, float]) -> Settings:
        """The same, with defaults for the limits that the data set does not set."""
        return replace(self, limits={**defaults, **self.limits})

    def selects(self, code: str, name: str) -> bool:
        """Whether a check is to run.

        >>> settings = Settings(select=("QC1",), ignore=("QC104",))
        >>> [settings.selects(code, "") for code in ("QC101", "QC104", "QC201")]
        [True, False, False]
        """
        wanted = max((_weight(one, code, name) for one in self.select), default=0 if not self.select else -1)
        unwanted = max((_weight(one, code, name) for one in self.ignore), default=-1)
        return wanted >= 0 and wanted > unwanted


def _weight(pattern: str, code: str, name: str) -> int:
    """How closely a pattern names a check: -1 not at all, else the longer the closer; a name is as close as a code."""
    if pattern == name:
        return len(code)
    return len(pattern) if code.startswith(pattern) else -1

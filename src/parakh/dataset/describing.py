"""``parakh dataset stats``: from a data set to its figures, in all and by the values of fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parakh.collection import uncollected
from parakh.dataset import manifest
from parakh.dataset._listening import listen
from parakh.dataset._manifested import Shelf
from parakh.dataset.figures import (
    OVERLAP_EDGES,
    SILENCE_EDGES,
    TURN_EDGES,
    Figures,
    age_group,
    overlaps,
    per_minute,
)
from parakh.dataset.grouping import check_fields
from parakh.dataset.measuring import UNKNOWN, Measured, measure
from parakh.dataset.values import field_value
from parakh.parallel import in_parallel
from parakh.qc import Material
from parakh.text.masking import masked
from parakh.types import Finding, Severity

SCHEMA = "parakh.dataset-statistics/1"


@dataclass(frozen=True)
class Described:
    """A data set in figures.

    Args:
        name: What it is called.
        by: The fields that it is cut by.
        whole: All recordings.
        slices: By the values of these fields, sorted, those that are unknown last; empty without fields.
        findings: What was noticed while reading the files.
    """

    name: str
    by: tuple[str, ...]
    whole: Figures
    slices: Mapping[tuple[str, ...], Figures]
    findings: tuple[Finding, ...] = ()

    def to_json(self) -> str:
        """As JSON (``parakh.dataset-statistics/1``); times in seconds, shares as ratios, personal numbers masked."""
        slices = [{"values": dict(zip(self.by, key, strict=True)), **_plain(one)} for key, one in self.slices.items()]
        findings = [str(finding) for finding in self.findings]
        found = {"schema": SCHEMA, "name": self.name, "all": _plain(self.whole), "by": self.by, "slices": slices}
        return json.dumps(_shown({**found, "findings": findings}), ensure_ascii=False, indent=1) + "\n"


def describe(folder: str | Path, by: Sequence[str] = (), *, audio: bool = False, jobs: int = 1) -> Described:
    """The figures of a data set.

    Args:
        folder: The data set's folder.
        by: Fields to cut it by: of the recordings, or of their speakers (then all values in a recording, joined by "+").
        audio: Listen to the audio, for its length, speech and noise.
        jobs: Processes that share the listening and the counting.

    Raises:
        InputError: The manifest cannot be read, or a field is not known.
    """
    dataset = manifest.load(folder)
    check_fields(dataset.entries, "--by", by)
    shelf = Shelf(dataset)
    with uncollected():
        materials = [shelf.material(entry) for entry in dataset.entries]
    sound_tags = [tag for tag in dataset.config.check.vocabulary.tags if tag.startswith("[")]

    def one(place: int) -> tuple[Measured, list[Finding]]:
        material, findings = _listened(materials[place]) if audio else (materials[place], [])
        measured = measure(material, sound_tags)
        return replace(measured, material=Material(material.entry)), findings

    found = in_parallel(one, len(materials), jobs)
    findings = [*dataset.findings, *(finding for material in materials for finding in material.trouble)]
    findings += [finding for _, noticed in found for finding in noticed]
    measured = [one for one, _ in found]
    slices: dict[tuple[str, ...], list[Measured]] = {}
    for each in measured if by else ():
        key = tuple(field_value(each.material.entry, field) or UNKNOWN for field in by)
        slices.setdefault(key, []).append(each)
    order = sorted(slices, key=lambda key: [(value == UNKNOWN, value) for value in key])
    name = dataset.config.name or Path(folder).resolve().name
    parts = {key: Figures(tuple(slices[key])) for key in order}
    return Described(name, tuple(by), Figures(tuple(measured)), parts, tuple(dict.fromkeys(findings)))


def _listened(material: Material) -> tuple[Material, list[Finding]]:
    """A recording with the facts of its audio; what cannot be heard is told and stops nothing."""
    facts, trouble, missing = listen(material, decode=True)
    if facts is None:
        path = material.entry.recording.audio
        return material, [*trouble, *([Finding("audio-not-decoded", missing, Severity.NOTE, path=path)] if missing else [])]
    noticed = [replace(one, session_id=material.session_id) for one in facts.findings]
    return replace(material, audio=replace(facts, level_db=None)), noticed


def _shown(value: Any) -> Any:
    """Plain values with their texts as they may be shown."""
    if isinstance(value, Mapping):
        return {_shown(key): _shown(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(one) for one in value]
    return masked(value) if isinstance(value, str) else value


def _counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by what may be shown: what looks the same then is counted together."""
    found: dict[str, int] = {}
    for text, count in counts.items():
        found[masked(text)] = found.get(masked(text), 0) + count
    return found


def _plain(figures: Figures) -> dict[str, Any]:
    """Everything about some recordings, as JSON holds it."""
    quantiles: dict[str, Callable[[Measured], Sequence[float]]] = {
        "segment": lambda one: one.segment_s,
        "turn": lambda one: one.turn_s,
        "pause": lambda one: one.pause_s,
        "gap": lambda one: one.gap_s,
    }
    return {
        "sums": dict(figures.sums),
        "persons": figures.persons,
        "vocabulary": figures.vocabulary,
        "turns": figures.turns,
        "shares": {
            "overlap_of_speech": figures.per("overlap", "speech"),
            "overlap_of_speaker_time": figures.per("overlapped_speaker_time", "speaker_time"),
            "overlap_of_duration": figures.per("timed_overlap", "timed_seconds"),
            "speech_of_duration": figures.per("timed_speech", "timed_seconds"),
            "heard_speech_of_duration": figures.per("heard_speech", "heard_seconds"),
            "english_of_words": figures.per("english", "mixable"),
            "latin_of_words": figures.per("latin", "mixable"),
            "code_mixing_index": figures.per("mixed", "mixed_segments"),
            "numbers_of_words": figures.per("numbers", "words"),
        },
        "snr_db": figures.per("snr_db", "with_snr"),
        "turns_per_hour": figures.turns_per_hour,
        "words_per_minute": {"all": figures.words_per_minute, **{role: per_minute(one) for role, one in figures.rates().items()}},
        "seconds_10_50_90": {name: figures.quantiles(of) for name, of in quantiles.items()},
        "people": [{"age": age, "sex": sex, "role": role, "count": count} for (age, sex, role), count in people(figures).items()],
        "topics": _counts(figures.topics()),
        "tags": _counts(figures.tags()),
        "histograms": {
            "turn_s": {"edges": TURN_EDGES, "counts": figures.histogram(lambda one: one.turn_s, TURN_EDGES)},
            "pause_s": {"edges": SILENCE_EDGES, "counts": figures.histogram(lambda one: one.pause_s, SILENCE_EDGES)},
            "gap_s": {"edges": SILENCE_EDGES, "counts": figures.histogram(lambda one: one.gap_s, SILENCE_EDGES)},
            "overlap_of_speech": {"edges": OVERLAP_EDGES, "counts": figures.histogram(overlaps, OVERLAP_EDGES)},
        },
    }


def people(figures: Figures) -> dict[tuple[str, str, str], int]:
    """How many people there are of each age group, sex and role."""
    counts: dict[tuple[str, str, str], int] = {}
    for who in figures.people.values():
        key = age_group(who.age), who.sex, who.role
        counts[key] = counts.get(key, 0) + 1
    return dict(sorted(counts.items()))

"""From references and systems to a diagnosis: align, charge, count, account, and say it all in one record.

load -> select -> align -> tables, alarms, drift, lenient views, ledger. Texts are diagnosed as written, without annotation
tags; only the ledger, whose headline is the track's own metric, reads them by a normalisation profile. The record is what the
terminal, the page and programs read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from parakh import tracks
from parakh.collection import uncollected
from parakh.diagnostics import Pair, Unit
from parakh.diagnostics.alarms import Alarm, alarms
from parakh.diagnostics.alignment import align_session
from parakh.diagnostics.artefacts import Artefact, artefacts
from parakh.diagnostics.breakdown import Breakdown, Found, Omissions, breakdown, breakdowns, omissions, terms_found
from parakh.diagnostics.categories import Category, bundled
from parakh.diagnostics.drift import Direction, MixedWord, ScriptUse, directions, mixed_words, script_uses
from parakh.diagnostics.hallucination import Hallucination, Loop, hallucinations, loops
from parakh.diagnostics.lattice import LatticeCounts, first_wording, lattice_errors, parse_lattice
from parakh.diagnostics.ledger import Account, Ledger, Plan, account, ledger
from parakh.diagnostics.lenient import Lenient, Points, all_points, transliterated
from parakh.diagnostics.passages import Corpus
from parakh.diagnostics.readings import TIMED, as_taken, read, richest_metric, text_of
from parakh.diagnostics.self_consistency import Inconsistency, inconsistencies
from parakh.diagnostics.setup import Setup, guess, languages_of
from parakh.diagnostics.tables import ErrorTables, error_tables
from parakh.diagnostics.variants import variants_of
from parakh.metrics._edits import error_rate
from parakh.parallel import in_parallel_beside
from parakh.resample import Bootstrap, Resampler, few_units
from parakh.results import Stats, ratio
from parakh.selection import by_session, drop_ignored, select_recordings, without_words
from parakh.text.normalize import get_profile, strip_tags
from parakh.text.tiers import Change, changes
from parakh.types import Finding, Segment, Severity

SCHEMA = "parakh.diagnosis/1"
MOST_GROUPS = 40
VIEWS = ("FILLER", "MEDICAL", "NEGATION", "NUMBER", "ENGLISH")
"""Built-in lists that are counted beside."""
ITEMS = ("FILLER", "MEDICAL")
"""Those of them that the ledger accounts for."""


@dataclass(frozen=True)
class Choices:
    """The choices of a diagnosis of a corpus.

    Args:
        setup: Of the alignment: language, tiers, categories that are charged, views.
        items: Categories that the ledger accounts for beside those that are charged (fillers, medical words).
        collar: Seconds around a hypothesis word in which it may meet a reference word, where both sides have times.
        normalization: Name of the profile that the ledger's metric reads texts by.
        plan: How confidence intervals are made; None makes none.
        slots: Whether reference texts hold slots of accepted wordings, "{ a / b }" and "{*}"; else a brace is a mark.
        top: Rows shown of each table.
        jobs: Processes that share the work; all but one of them keep the ledgers.
    """

    setup: Setup
    items: tuple[Category, ...] = ()
    collar: float = float(tracks.get("asr").options["collar"])
    normalization: str = tracks.get("asr").normalization
    plan: Bootstrap | None = None
    slots: bool = False
    top: int = 50
    jobs: int = 1


def with_usual_lists(choices: Choices, reference: Sequence[Segment]) -> Choices:
    """The same choices with the built-in lists that are counted beside, of the languages of the reference.

    Args:
        choices: The choices; a list that is charged is not counted beside as well.
        reference: All reference segments.

    >>> found = with_usual_lists(Choices(Setup("hi")), [Segment("v1", words="दवा ली")])
    >>> len(found.setup.views), [one.name for one in found.items]
    (5, ['FILLER', 'MEDICAL'])
    """
    spoken = languages_of(reference, choices.setup.language)
    charged = {one.name for one in choices.setup.categories}
    views = tuple(bundled(name, spoken) for name in VIEWS if name not in charged)
    return replace(choices, setup=replace(choices.setup, views=views), items=tuple(bundled(name) for name in ITEMS))


@dataclass(frozen=True)
class Recording:
    """What was found in one recording.

    Args:
        id: Its session id.
        n: Reference units.
        errors: Errors charged.
        rate: ``errors / n``; None without reference units.
        pairs: The alignment.
        account: Its ledger.
        lattice: Errors over every choice of accepted wordings; None where references hold no slots.
    """

    id: str
    n: int
    errors: int
    rate: float | None
    pairs: tuple[Pair, ...]
    account: Account
    lattice: LatticeCounts | None = None


@dataclass(frozen=True)
class System:
    """The diagnosis of one system.

    Args:
        system: Its name.
        parts: Errors by category and view.
        intervals: Confidence interval of the rate of each category, and of "total".
        groups: Errors by category for each language, role and speaker, where there are several.
        terms: Of each category and view, the terms found and invented.
        omissions: Fillers and particles among the deletions.
        tables: Error tables.
        alarms: Changes that hurt a patient or a record.
        directions: Spoken forms for formal ones and the reverse, by language.
        scripts: Words of each language by script.
        mixed_words: Words with letters of two scripts.
        artefacts: Broken encodings.
        loops: Phrases that a decoder repeated.
        hallucinations: Words over silence.
        transliterated: The error rate when a word in another script is right if it sounds alike.
        points: Errors on the words of each category and view, as a share of these words alone.
        lattice: The error rate over every choice of accepted wordings; None where references hold no slots.
        ledger: What mending each kind of error would buy, of the richest word error rate that the input allows.
        findings: Missing and extra recordings.
        recordings: One by one, sorted by id.
    """

    system: str
    parts: Breakdown
    intervals: Mapping[str, tuple[float, float] | None]
    groups: Mapping[str, Mapping[str, Breakdown]]
    terms: Mapping[str, Found]
    omissions: Omissions
    tables: ErrorTables
    alarms: tuple[Alarm, ...]
    directions: Mapping[str | None, Direction]
    scripts: tuple[ScriptUse, ...]
    mixed_words: tuple[MixedWord, ...]
    artefacts: tuple[Artefact, ...]
    loops: tuple[Loop, ...]
    hallucinations: tuple[Hallucination, ...]
    transliterated: Lenient
    points: Mapping[str, Points]
    lattice: float | None
    ledger: Ledger
    findings: tuple[Finding, ...] = ()
    recordings: tuple[Recording, ...] = ()


@dataclass(frozen=True)
class Diagnosis:
    """The diagnosis of systems on the same references.

    Args:
        choices: What was taken for the same and charged to what, for people: name to value.
        inconsistencies: Words that the references themselves spell in several ways.
        folds: What the tiers change for the comparison, in the "reference" and in each system: no text is changed unseen.
        systems: In the order given.
    """

    choices: Mapping[str, str]
    inconsistencies: tuple[Inconsistency, ...]
    folds: Mapping[str, tuple[Change, ...]]
    systems: tuple[System, ...]
    schema: str = field(default=SCHEMA)

    def to_json(self) -> str:
        """The diagnosis as JSON text with a final newline."""
        return json.dumps(plain(self), ensure_ascii=False, indent=1) + "\n"

    def _repr_html_(self) -> str:
        from parakh import notebook

        return notebook.diagnosis_html(self)

    def __repr__(self) -> str:
        from parakh import notebook

        return notebook.diagnosis_text(self)


def diagnose(reference: Sequence[Segment], systems: Mapping[str, Sequence[Segment]], choices: Choices | None = None) -> Diagnosis:
    """Diagnose what systems wrote.

    Args:
        reference: All reference segments, any order.
        systems: By name, all segments of each system.
        choices: The choices of the diagnosis; None takes the usual ones, with the languages told by script.

    Returns:
        The diagnosis; recordings are sorted by id. A recording that a system lacks costs all it holds.

    Raises:
        InputError: A system has no recording in common with the reference, or a segment is out of order.

    >>> said = [Segment("v1", "A", 0.0, 2.0, "दवा 250 ली")]
    >>> found = diagnose(said, {"ours": [Segment("v1", "p", 0.0, 2.0, "दवा 25 ली")]}, Choices(Setup("hi")))
    >>> [alarm.message for alarm in found.systems[0].alarms]
    ['250 became 25: ten times less']
    """
    choices = choices or with_usual_lists(Choices(Setup()), reference)
    with uncollected():
        done = [_diagnosed(name, reference, heard, choices) for name, heard in systems.items()]
    told = _told(choices, [system for system, _ in done])
    folds = {name: _folds(segments, choices.setup) for name, segments in {"reference": reference, **systems}.items()}
    return Diagnosis(told, inconsistencies(done[0][1], choices.setup.variants), folds, tuple(system for system, _ in done))


def _folds(segments: Sequence[Segment], setup: Setup) -> tuple[Change, ...]:
    """What the tiers of each language change in texts, the most frequent first."""
    texts: dict[str | None, list[str]] = {}
    for segment in segments:
        texts.setdefault(segment.language or setup.language, []).append(segment.words)
    found = []
    for language, words in texts.items():
        text = " ".join(words)
        found += changes(text, setup.tiers(language or guess(text)))
    return tuple(sorted(found, key=lambda one: (-one.count, one.tier, one.before)))


def _diagnosed(name: str, reference: Sequence[Segment], hypothesis: Sequence[Segment], choices: Choices) -> tuple[System, Corpus]:
    """The diagnosis of one system, and the pairs that it is made of."""
    sides = by_session(reference), by_session(hypothesis)
    selection = select_recordings(*sides)
    work = _Work(sides[0], sides[1], selection.ids, choices, richest_metric((*reference, *hypothesis)))
    accounts, aligned = in_parallel_beside(work.account, len(selection.ids), choices.jobs, work.aligned)
    recordings = [_recording(*one) for one in zip(selection.ids, aligned, accounts, strict=True)]
    corpus = [(one.id, pair) for one in recordings for pair in one.pairs]
    parts = breakdown(corpus)
    resampler = Resampler(len(recordings), choices.plan) if choices.plan else None
    system = System(
        system=name,
        parts=parts,
        intervals=_intervals(recordings, parts, resampler) if resampler else {},
        groups=_groups(corpus, sides[0]),
        terms=terms_found(corpus),
        omissions=omissions(corpus),
        tables=error_tables(corpus, choices.top),
        alarms=alarms(corpus),
        directions=directions(corpus),
        scripts=script_uses(corpus),
        mixed_words=mixed_words(corpus),
        artefacts=artefacts(hypothesis),
        loops=loops(corpus),
        hallucinations=hallucinations(corpus, reference, choices.collar),
        transliterated=transliterated(corpus, choices.collar if work.metric == TIMED else None),
        points=all_points(corpus),
        lattice=_lattice_rate(recordings),
        ledger=ledger(accounts, work.plan, resampler),
        findings=(
            *selection.findings,
            *without_words("reference", reference),
            *without_words("hypothesis", hypothesis),
            *(_interval_notes(len(recordings)) if resampler else ()),
        ),
        recordings=tuple(recordings),
    )
    return system, corpus


def _interval_notes(recordings: int) -> list[Finding]:
    if recordings < 2:
        return [Finding("no-interval", "fewer than two recordings to draw, so there is no interval", Severity.NOTE)]
    return few_units(recordings)


def _recording(name: str, aligned: tuple[tuple[Pair, ...], LatticeCounts | None], found: Account) -> Recording:
    pairs, lattice = aligned
    n, errors = sum(len(pair.reference) for pair in pairs), sum(len(pair.errors) for pair in pairs)
    return Recording(name, n, errors, ratio(errors, n), pairs, found, lattice)


@dataclass(frozen=True)
class _Work:
    """What is done for each recording of a system."""

    reference: Mapping[str, list[Segment]]
    hypothesis: Mapping[str, list[Segment]]
    ids: Sequence[str]
    choices: Choices
    metric: str

    @cached_property
    def plan(self) -> Plan:
        """Of the ledger."""
        setup = self.choices.setup
        charged = {one.name for one in setup.categories}
        items = tuple(one for one in self.choices.items if one.name not in charged)
        options = {"collar": self.choices.collar} if self.metric == TIMED else {}
        return Plan(replace(setup, categories=(*setup.categories, *items), views=()), self.metric, options)

    def account(self, place: int) -> Account:
        """The ledger of one recording."""
        said, heard, _, plan = self._sides(place)
        profile = get_profile(self.choices.normalization)
        return account(read(said, profile), read(heard, profile), plan)

    def aligned(self) -> list[tuple[tuple[Pair, ...], LatticeCounts | None]]:
        """The alignment of each recording, and its errors over every choice of wordings where references hold slots."""
        return [self._aligned(place) for place in range(len(self.ids))]

    def _aligned(self, place: int) -> tuple[tuple[Pair, ...], LatticeCounts | None]:
        said, heard, setup, _ = self._sides(place)
        lattice = None
        if self.choices.slots:
            spoken = self._spoken(place)
            lattice = lattice_errors(text_of(spoken[0]), text_of(spoken[1]), self.choices.setup)
        said, heard = read(said, strip_tags), read(heard, strip_tags)
        collar = self.choices.collar if self.metric == TIMED else None
        return tuple(align_session(as_taken(said, heard, self.metric, collar), heard, setup, collar=collar)), lattice

    def _spoken(self, place: int) -> tuple[list[Segment], list[Segment]]:
        name = self.ids[place]
        return drop_ignored(self.reference[name], self.hypothesis.get(name, []))

    def _sides(self, place: int) -> tuple[list[Segment], list[Segment], Setup, Plan]:
        """Both sides of a recording, and how they are aligned and accounted for."""
        said, heard = self._spoken(place)
        setup, plan = self.choices.setup, self.plan
        if self.choices.slots:
            slots = parse_lattice(text_of(said), f"reference of {self.ids[place]}")
            variants = {**variants_of(slots), **setup.variants}  # of this recording alone
            setup, plan = replace(setup, variants=variants), replace(plan, setup=replace(plan.setup, variants=variants))
            said = read(said, first_wording)
        return said, heard, setup, plan


def _lattice_rate(recordings: Sequence[Recording]) -> float | None:
    counts = [one.lattice for one in recordings if one.lattice is not None]
    return ratio(sum(one.errors for one in counts), sum(one.length for one in counts))


def _groups(corpus: Corpus, reference: Mapping[str, Sequence[Segment]]) -> dict[str, dict[str, Breakdown]]:
    """Errors by language, role and speaker, where there are several, and not more speakers than people read."""

    def role(session: str, unit: Unit) -> str | None:
        return reference[session][unit.segment].role

    def speaker(session: str, unit: Unit) -> str | None:
        return f"{session} {unit.speaker}" if unit.speaker else None

    keys = {"language": lambda _, unit: unit.language, "role": role, "speaker": speaker}
    spoken = {session for session, pair in corpus if pair.reference}
    everywhere = all(session in spoken for session, _ in corpus)
    found = {}
    for name, key in keys.items():
        units = {key(session, unit) for session, pair in corpus for unit in pair.reference}
        # One group is not shown, and counting takes long; insertions add the group without a name where nobody spoke.
        if len(units) > 1 or not (everywhere or units <= {None}):
            found[name] = breakdowns(corpus, key)
    return {
        name: {group or "unknown": parts for group, parts in groups.items()}
        for name, groups in found.items()
        if 1 < len(groups) <= MOST_GROUPS
    }


def _intervals(recordings: Sequence[Recording], parts: Breakdown, resampler: Resampler) -> dict[str, tuple[float, float] | None]:
    """An interval for the rate of each category, over recordings."""
    counts = [Counter(charge.category for pair in one.pairs for charge in pair.errors) for one in recordings]
    found = {}
    for name in ("total", *parts.categories):
        errors = [count.total() if name == "total" else count[name] for count in counts]
        stats = [Stats(errors=wrong, length=one.n) for wrong, one in zip(errors, recordings, strict=True)]
        found[name] = resampler.interval(stats, error_rate)
    return found


def _told(choices: Choices, systems: Sequence[System]) -> dict[str, str]:
    """The choices as people read them."""
    setup = choices.setup
    units = (unit for one in systems[0].recordings for pair in one.pairs for unit in pair.reference)
    spoken = sorted({unit.language for unit in units if unit.language}) or [setup.language or "unknown"]
    found = systems[0].ledger
    told = {
        "language": " ".join(spoken),
        **{f"tiers {language}": " ".join(setup.tiers(language)) for language in spoken},
        "charged": " ".join(("LEXICAL", "NUMERAL", "PUNCT", *(one.name for one in setup.categories))),
        "views": " ".join(one.name for one in setup.views),
        "variants": str(len(setup.variants)),
        "ledger": f"{found.metric}, texts read by {get_profile(choices.normalization)}",
    }
    if found.metric == TIMED:
        told["collar"] = f"{choices.collar:g} s"
    if choices.plan:
        told["interval"] = choices.plan.describe()
    return told


def plain(value: Any) -> Any:
    """Any record of a diagnosis as plain values for JSON.

    >>> from parakh.text.tokens import Kind
    >>> plain((Kind.LEXICAL, {None: 1}))
    ['LEXICAL', {'': 1}]
    """
    if isinstance(value, StrEnum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(one) for name, one in value._asdict().items()}
    if isinstance(value, Mapping):
        return {"" if key is None else str(key): plain(one) for key, one in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value

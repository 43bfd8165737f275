"""The ledger: every error of a word error rate accounted for, by what it would take to be rid of it.

Repairs rewrite the hypothesis and never the reference, so the length that errors are a share of stays as it is. After each
one the metric itself counts again, with its own assignment of speakers and its own alignment; nothing is estimated. Two
figures an item:

- ``marginal``: errors fewer if only this were perfect and all else as it is. This is what mending it first would buy.
- ``step``: errors fewer when this is mended after everything before it in the list. The steps sum to the headline to the last
  count, since after the last repair nothing is wrong.

The order is fixed: timing, speaker, encoding, orthographic, boundary, format, punctuation, fillers, each category of the
user's, numerals, then what is left of the words: substitutions, deletions, insertions. ``other`` is what no
transcript could mend, as words without duration under a collar of 0. A repair can cost where alignments interact: the figure
is then negative, and stays so. A difference of several kinds is mended when all of them are, and falls to the last.

Perfect times and perfect speakers are described in ``_repairs``, the mending of words in ``_rewriting``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from parakh.diagnostics import EventKind, Pair
from parakh.diagnostics._repairs import aligned, find, with_speakers, with_times
from parakh.diagnostics._rewriting import Naming, Slot, as_heard, slots_of, written
from parakh.diagnostics._words import METRICS, Scene, Word, scene_of
from parakh.diagnostics.alignment import align_session
from parakh.diagnostics.breakdown import FILLER
from parakh.diagnostics.setup import Setup
from parakh.errors import UnknownNameError
from parakh.metrics._edits import error_rate
from parakh.results import Stats, ratio
from parakh.text.tiers import TIERS
from parakh.text.tokens import Kind
from parakh.types import Op, Segment

if TYPE_CHECKING:
    from parakh.resample import Resampler

TIMING, SPEAKER = "timing", "speaker"
ENCODING, ORTHOGRAPHIC, BOUNDARY, FORMAT, PUNCTUATION = "encoding", "orthographic", "boundary", "format", "punctuation"
NUMERALS, SUBSTITUTIONS, DELETIONS, INSERTIONS, OTHER = "numerals", "substitutions", "deletions", "insertions", "other"
_OF_KIND: Mapping[str, str] = {Kind.PUNCT: PUNCTUATION, Kind.NUMERAL: NUMERALS}
_REST_OF = {Op.SUBSTITUTION: SUBSTITUTIONS, Op.DELETION: DELETIONS, Op.INSERTION: INSERTIONS}
REST = frozenset(_REST_OF.values())
"""What is left of the words: no one thing to mend."""


@dataclass(frozen=True)
class Plan:
    """What is accounted for, and how.

    Args:
        setup: The choices of the alignment that tells which kind of difference each one is; its categories are items.
        metric: "tcpwer", "cpwer" (no times) or "wer" (no speakers).
        options: The metric's options (collar ...).

    Raises:
        UnknownNameError: No ledger is kept of that metric.
    """

    setup: Setup
    metric: str = "tcpwer"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise UnknownNameError("metric of a ledger", self.metric, list(METRICS))

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The user's categories, fillers first."""
        return tuple(sorted((one.name for one in self.setup.categories), key=lambda name: name != FILLER))

    @cached_property
    def writing(self) -> tuple[str, ...]:
        """The items that are mended word by word, in order."""
        return (
            *(ENCODING, ORTHOGRAPHIC, BOUNDARY, FORMAT, PUNCTUATION),
            *self.categories,
            *(NUMERALS, SUBSTITUTIONS, DELETIONS, INSERTIONS),
        )

    @cached_property
    def items(self) -> tuple[str, ...]:
        """All items in order, ``other`` last; without times no timing, without speakers no attribution."""
        first = {"tcpwer": (TIMING, SPEAKER), "cpwer": (SPEAKER,), "wer": ()}[self.metric]
        return (*first, *self.writing, OTHER)

    def kinds(self, pair: Pair) -> set[str]:
        """The items that a pair is a matter of; none where both sides are the same."""
        found: set[str] = set()
        if pair.events:
            marks = all(unit.kind is Kind.PUNCT for unit in (*pair.reference, *pair.hypothesis))
            found = {PUNCTUATION if marks else _event_item(event.kind, event.rule) for event in pair.events}
        for charge in pair.errors:
            own = charge.category in self.categories
            found.add(charge.category if own else _OF_KIND.get(charge.category) or _REST_OF[charge.op])
        return found


@cache
def _event_item(kind: EventKind, rule: str) -> str:
    if kind is EventKind.ORTHOGRAPHIC:
        tiers = [TIERS.get(name) for name in rule.split("+")]
        return ENCODING if all(tier is not None and tier.kind == "encoding" for tier in tiers) else ORTHOGRAPHIC
    return str(kind)


@dataclass(frozen=True)
class Account:
    """The ledger of one recording, in counts.

    Args:
        session_id: The recording.
        errors: The headline: errors that the metric counts.
        length: Reference words.
        marginals: By item, the errors fewer if only this were perfect.
        steps: By item, the errors fewer after all items before it are mended; they sum to ``errors``.
    """

    session_id: str
    errors: int
    length: int
    marginals: Mapping[str, int]
    steps: Mapping[str, int]


@dataclass(frozen=True)
class Item:
    """One line of a ledger.

    Args:
        name: What would be mended.
        marginal: Errors fewer if only this were perfect.
        step: Errors fewer when it is mended after all items before it.
        marginal_points: ``marginal`` as a share of the reference words; None without any.
        points: ``step`` as a share of the reference words; the points of all items sum to the headline.
        marginal_interval: Bootstrap interval of ``marginal_points``; None if none was asked for or there is none.
        interval: Bootstrap interval of ``points``.
    """

    name: str
    marginal: int
    step: int
    marginal_points: float | None
    points: float | None
    marginal_interval: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Ledger:
    """The ledger of a set of recordings.

    Args:
        metric: Name of the metric.
        options: Its options.
        errors: The headline in errors.
        length: Reference words.
        rate: ``errors / length``; None without reference words.
        items: In the order of the repairs; ``other`` only where there is any.
        accounts: One entry a recording, for slices.
    """

    metric: str
    options: Mapping[str, Any]
    errors: int
    length: int
    rate: float | None
    items: tuple[Item, ...]
    accounts: tuple[Account, ...]


def account(reference: Sequence[Segment], hypothesis: Sequence[Segment], plan: Plan) -> Account:
    """Account for the errors of one recording.

    Args:
        reference: The reference segments of the session, as the metric compares them: normalised, with what the metric needs.
        hypothesis: The system's segments.
        plan: What is accounted for, and how.

    Returns:
        Counts by item; the steps sum to the errors that the metric counts.

    Raises:
        InputError: As the metric's ``stats``.

    >>> said, late = [Segment("v1", "A", 0.0, 2.0, "दवा ली")], [Segment("v1", "p", 60.0, 62.0, "दवा ली")]
    >>> found = account(said, late, Plan(Setup("hi")))
    >>> found.errors, found.steps["timing"]
    (4, 4)
    """
    scene = scene_of(reference, hypothesis, plan.metric, plan.options)
    errors, length = (int(scene.headline[key]) for key in ("errors", "length"))
    session_id = next((segment.session_id for segment in (*reference, *hypothesis)), "")
    nothing = dict.fromkeys(plan.items, 0)
    if not errors:
        return Account(session_id, errors, length, nothing, nothing)
    marginals, steps = _Repairs(scene, plan).counts()
    return Account(session_id, errors, length, nothing | marginals, nothing | steps)


@dataclass(frozen=True)
class _Repairs:
    """The repairs of one recording, each counted by the metric."""

    scene: Scene
    plan: Plan

    def counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """Marginals and steps by item; an item that changes nothing is left out."""
        scene, heard = self.scene, self.scene.heard
        headline = int(scene.headline["errors"])
        base = headline if scene.metric == "wer" else scene.errors(heard)
        marginals, left, placed = self._placed(headline, base)
        before = _Mending(scene, self._slots(heard))
        for item in before.items(self.plan):
            marginals[item] = base - before.errors({item})
        if scene.metric == "wer":
            after = before
        else:
            slots = before.slots if placed == heard else self._slots(placed)
            after = _Mending(scene, slots, scene.collar)
            left[SPEAKER] = after.errors(())
        mended: set[str] = set()
        for item in after.items(self.plan):
            mended.add(item)
            left[item] = after.errors(mended)
        passed = [headline, *left.values(), 0]
        steps = {item: one - other for item, (one, other) in zip((*left, OTHER), pairwise(passed), strict=True)}
        return marginals, steps

    def _placed(self, headline: int, base: int) -> tuple[dict[str, int], dict[str, int], Sequence[Word]]:
        """Marginals of times and speakers, the errors left with perfect times, and the words with both mended."""
        scene, heard = self.scene, self.scene.heard
        if scene.metric == "wer":
            return {}, {}, heard
        steps = aligned(scene, heard)
        found = find(scene, heard, steps)
        attributed = with_speakers(scene, heard, steps, found.moved)
        marginals = {SPEAKER: base - scene.errors(attributed)}
        left = {}
        if scene.timed:
            timed = with_times(scene, heard, found.said)
            if (left_over := scene.errors(timed)) > headline:
                timed = with_times(scene, heard, ())
                left_over = scene.errors(timed)
            left[TIMING] = left_over
            marginals[TIMING] = headline - left[TIMING]
            steps = aligned(scene, timed)
            attributed = with_speakers(scene, timed, steps, find(scene, timed, steps).moved)
        return marginals, left, attributed

    def _slots(self, words: Sequence[Word]) -> list[Slot]:
        segments, groups = as_heard(self.scene, words)
        pairs = align_session(self.scene.reference, segments, self.plan.setup, collar=self.scene.collar)
        return slots_of(self.scene, (segments, groups), pairs, Naming(self.plan.kinds, BOUNDARY, PUNCTUATION, ENCODING))


@dataclass(frozen=True)
class _Mending:
    """The errors left of a hypothesis with some kinds of difference mended.

    Args:
        scene: The recording.
        slots: The pairs of its alignment in pieces.
        reach: Seconds within which a word may stand from what it meets, as ``written`` takes it.
    """

    scene: Scene
    slots: Sequence[Slot]
    reach: float | None = None
    counted: dict[frozenset[str], int] = field(default_factory=dict)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Every kind of difference."""
        return frozenset[str]().union(*(kinds for slot in self.slots for kinds in (slot.kinds, slot.gap)))

    def items(self, plan: Plan) -> list[str]:
        """The items that are mended word by word and of which there is a difference, in order."""
        return [item for item in plan.writing if item in self.kinds]

    def errors(self, kinds: Collection[str]) -> int:
        """Errors with these kinds of difference mended; the first step is a marginal too, and counted once."""
        key = frozenset(kinds)
        if key not in self.counted:
            self.counted[key] = self.scene.errors(written(self.slots, key, self.reach))
        return self.counted[key]


def ledger(accounts: Sequence[Account], plan: Plan, resampler: Resampler | None = None) -> Ledger:
    """The ledger of a set of recordings, or of any slice of it.

    Args:
        accounts: Of each recording.
        plan: What they were made by.
        resampler: Draws the same recordings, in the same order, for intervals; None makes none.

    Returns:
        Sums over the recordings; shares are ratios of the reference words.

    >>> found = Account("v1", 3, 10, {"timing": 2}, {"timing": 2, "deletions": 1})
    >>> [(item.name, item.marginal, item.step, item.points) for item in ledger([found], Plan(Setup())).items if item.step]
    [('timing', 2, 2, 0.2), ('deletions', 0, 1, 0.1)]
    """
    errors, length = (sum(getattr(one, key) for one in accounts) for key in ("errors", "length"))
    items = [_item(name, accounts, resampler) for name in plan.items]
    shown = tuple(item for item in items if item.name != OTHER or item.step)
    return Ledger(plan.metric, dict(plan.options), errors, length, ratio(errors, length), shown, tuple(accounts))


def _item(name: str, accounts: Sequence[Account], resampler: Resampler | None) -> Item:
    marginals, steps = ([getattr(one, key).get(name, 0) for one in accounts] for key in ("marginals", "steps"))
    lengths = [one.length for one in accounts]

    def interval(counts: Sequence[int]) -> tuple[float, float] | None:
        stats = [Stats(errors=count, length=length) for count, length in zip(counts, lengths, strict=True)]
        return resampler.interval(stats, error_rate) if resampler and any(counts) else None

    points = [ratio(sum(counts), sum(lengths)) for counts in (marginals, steps)]
    return Item(name, sum(marginals), sum(steps), points[0], points[1], interval(marginals), interval(steps))


def best_next(found: Ledger) -> Item | None:
    """What to work on next: the item with the largest marginal, the first of equals.

    What is left of the words (substitutions, deletions, insertions) is no one thing to mend, so it is named only where nothing
    else would lower the errors.

    Args:
        found: The ledger.

    Returns:
        The item; None where no repair alone lowers the errors.

    >>> counts = {"timing": 2, "punctuation": 3, "deletions": 9}
    >>> best_next(ledger([Account("v1", 14, 90, counts, counts)], Plan(Setup()))).name
    'punctuation'
    """
    gains = [item for item in found.items if item.marginal > 0 and item.name != OTHER]
    named = [item for item in gains if item.name not in REST]
    return max(named or gains, key=lambda item: item.marginal, default=None)

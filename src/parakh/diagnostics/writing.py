"""What differs in writing between words that are the same: the events of a pair that is no error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from parakh.diagnostics import Event, EventKind, Unit
from parakh.diagnostics.boundaries import solid
from parakh.languages import Language
from parakh.text import tiers
from parakh.text.folds import canonical
from parakh.text.sandhi import PLAIN, joined_forms

COMPOSITION, VARIANTS = "composition", "variants"


def letters(units: Sequence[Unit]) -> str:
    """The words of units written together, without hyphens."""
    return solid("".join(unit.text for unit in units))


@lru_cache(maxsize=65536)
def spelling(reference: str, hypothesis: str, used: tuple[str, ...]) -> tuple[Event, ...]:
    """The event that makes two spellings of a word, numeral or mark the same; none where nothing differs.

    Args:
        reference: As the reference writes it.
        hypothesis: As the hypothesis does; equal to it after the tiers and the list of variants.
        used: The tiers that hold.

    >>> [(str(event.kind), event.rule) for event in spelling("हूँ", "हूं", ("chandrabindu",))]
    [('orthographic', 'chandrabindu')]
    """
    if reference == hypothesis:
        return ()
    names = tiers.differences(reference, hypothesis, used)
    if names == ():
        return (Event(EventKind.ENCODING, COMPOSITION, reference, hypothesis),)
    rule = VARIANTS if names is None else "+".join(names)
    other_notation = names is not None and all(tiers.TIERS[name].kind == "format" for name in names)
    return (Event(EventKind.FORMAT if other_notation else EventKind.ORTHOGRAPHIC, rule, reference, hypothesis),)


def joined_spelling(
    reference: Sequence[Unit], hypothesis: Sequence[Unit], rule: str, used: tuple[str, ...], language: Language
) -> tuple[Event, ...]:
    """What differs in spelling beside the boundary, of words that are written together on one side.

    Args:
        reference: Words of the reference.
        hypothesis: Words of the hypothesis.
        rule: The sandhi rule of the boundary, or ``PLAIN``.
        used: The tiers that hold.
        language: For its sandhi rules.
    """
    first, second = letters(reference), letters(hypothesis)
    if rule == PLAIN:
        return spelling(first, second, used)
    for names in ((), *((name,) for name in used)):
        forms = [{form for form, _ in joined_forms(_words(side, names), language.rules)} for side in (reference, hypothesis)]
        if forms[0] & forms[1]:
            return (Event(EventKind.ORTHOGRAPHIC, names[0], first, second),) if names else _recomposed(first, second)
    return (Event(EventKind.ORTHOGRAPHIC, "+".join(used), first, second),)


def _words(units: Sequence[Unit], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(solid(tiers.fold(word, names)) for unit in units for word in unit.words)


def _recomposed(*texts: str) -> tuple[Event, ...]:
    """An event where a text is not in canonical composition."""
    changed = any(canonical(text) != text for text in texts)
    return (Event(EventKind.ENCODING, COMPOSITION, texts[0], texts[1]),) if changed else ()

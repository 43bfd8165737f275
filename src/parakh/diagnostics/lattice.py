"""References that accept several wordings: the fewest errors over all choices.

A reference text may hold slots, in the alternation syntax of NIST's STM files, of which one wording is taken:

    मुझे { दवाई / दवा } लेनी है        two words that are both right
    { भाई साहब / भाईसाहब / @ }          several words; ``@``, or nothing between two strokes, is no word
    डॉक्टर ने कहा {*} कल आना            speech nobody understands: any words, or none, are right

A stroke has white space or a brace on both sides, so that 120/80 is a wording. Slots do not nest. Text without braces is words.

The number of errors is exact: the least over every choice of wordings and every alignment, by one pass over the graph of words.
The length is that of the first wording of each slot (none for ``{*}``), so that it never depends on the hypothesis. Tokens are
compared by the tiers and variants of the language; a mark stands only for a mark. Words written together or apart and numbers in
another notation are errors here unless a slot lists them.

Source: the alternations of the STM files of NIST's sclite; lattices of spellings after OIWER, arXiv 2603.00941 and 2604.19151;
the wildcard after arXiv 2601.20992.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from parakh.diagnostics._lattice_paths import Link, cheapest
from parakh.diagnostics.setup import Setup
from parakh.errors import Fault, InputError
from parakh.results import ratio
from parakh.text import tiers
from parakh.text.tokens import Kind, Token, tokenize
from parakh.types import Segment

_STROKE = re.compile(r"(?:(?<=\s)|^)/(?=\s|$)")
_BRACES = "Write alternatives as { one / other }, speech nobody understands as {*}."


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch of a reference.

    Args:
        alternatives: Its wordings: one for plain words, several for a slot, none for any words.
        start: Offset of its first code point.
        end: Offset after its last one.
    """

    alternatives: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Taken:
    """What a slot of the reference was taken for.

    Args:
        alternative: Index of the wording taken; None for a slot of any words.
        words: That wording; of any words, what the hypothesis has there.
    """

    alternative: int | None
    words: str


@dataclass(frozen=True, slots=True)
class LatticeCounts:
    """The errors against a reference with slots.

    Args:
        errors: The least over all choices; substitutions + deletions + insertions.
        substitutions: Tokens that became another.
        deletions: Tokens of the wordings taken that were left out.
        insertions: Tokens that no wording has.
        length: Tokens of the first wording of each slot.
        taken: For each slot in order, not for plain words.
    """

    errors: int
    substitutions: int
    deletions: int
    insertions: int
    length: int
    taken: tuple[Taken, ...]

    @property
    def rate(self) -> float | None:
        """The errors over the length, >= 0; None where the length is 0."""
        return ratio(self.errors, self.length)


def parse_lattice(text: str, path: str = "reference", line: int | None = None) -> tuple[Slot, ...]:
    """The slots of a reference, and the words between them.

    Args:
        text: The reference.
        path: Where it stands, for faults.
        line: The line it stands in.

    Returns:
        Stretches in order; plain words between two slots are one.

    Raises:
        InputError: A brace has no partner or is within others, or a slot has fewer than two wordings or no word at all.

    >>> [slot.alternatives for slot in parse_lattice("मुझे { दवाई / दवा / @ } दो {*}")]
    [('मुझे',), ('दवाई', 'दवा', ''), ('दो',), ()]
    """
    slots: list[Slot] = []
    at = 0

    def fault(offset: int, found: str, expected: str) -> InputError:
        return InputError(Fault(path, "words", f"{found} at offset {offset}", expected, _BRACES, line))

    for start, end in _braces(text, fault):
        slots += _plain(text, at, start)
        inside = text[start + 1 : end - 1].strip()
        wordings = tuple("" if (one := part.strip()) == "@" else one for part in _STROKE.split(inside))
        if inside != "*" and (len(wordings) < 2 or "*" in wordings or not any(wordings)):
            raise fault(start, repr(text[start:end]), "two wordings or more with ' / ' between them, one of them with a word")
        slots.append(Slot(() if inside == "*" else wordings, start, end))
        at = end
    return (*slots, *_plain(text, at, len(text)))


def _plain(text: str, start: int, end: int) -> list[Slot]:
    words = text[start:end]
    left, right = len(words) - len(words.lstrip()), len(words.rstrip())
    return [Slot((words.strip(),), start + left, start + right)] if right else []


def _braces(text: str, fault: Callable[[int, str, str], InputError]) -> Iterator[tuple[int, int]]:
    """Where each pair of braces begins and ends."""
    start = None
    for match in re.finditer("[{}]", text):
        if match[0] == "{" and start is not None:
            raise fault(match.start(), "'{' within a slot", "slots that do not nest")
        if match[0] == "}" and start is None:
            raise fault(match.start(), "'}' that nothing opens", "'{' before it")
        if start is None:
            start = match.start()
        else:
            yield start, match.end()
            start = None
    if start is not None:
        raise fault(start, "'{' that nothing closes", "'}' after it")


def first_wording(text: str) -> str:
    """The reference with the first wording of each slot: the text that plain scoring takes.

    >>> first_wording("मुझे { दवाई / दवा } दो {*}")
    'मुझे दवाई दो'
    """
    return " ".join(slot.alternatives[0] for slot in parse_lattice(text) if slot.alternatives and slot.alternatives[0])


def lattice_errors(reference: str, hypothesis: str, setup: Setup, *, marks: bool = False) -> LatticeCounts:
    """The fewest errors of a hypothesis against a reference with slots.

    errors = min over choices c of the edit distance between the tokens of c and of the hypothesis

    Args:
        reference: What was said, with slots.
        hypothesis: What the system wrote; braces in it are marks like any other.
        setup: Language, tiers and variants; its categories, boundaries and numbers play no part.
        marks: Whether punctuation counts.

    Returns:
        The counts. Among choices with as few errors, that with most matches; then the wording that comes first.

    Raises:
        InputError: The reference cannot be read; see ``parse_lattice``.

    >>> counts = lattice_errors("मुझे { दवाई / दवा } लेनी है", "मुझे दवा लेना है", Setup("hi"))
    >>> counts.errors, counts.length, counts.taken
    (1, 4, (Taken(alternative=1, words='दवा'),))
    """
    slots = parse_lattice(reference)
    used = setup.tiers(setup.language_of([Segment("", words=reference)]).tag)
    heard = _counted(hypothesis, marks)
    said = [tuple(_keys(_counted(wording, marks), setup, used) for wording in slot.alternatives) for slot in slots]
    links: list[Link] = []
    owners: list[Slot | None] = []
    for slot, link in zip(slots, said, strict=True):
        several = [link] if len(link) != 1 else [((token,),) for token in link[0]]
        links += several
        owners += [slot if len(link) != 1 else None] * len(several)
    path = cheapest(links, _keys(heard, setup, used))
    taken = tuple(
        Taken(None, _between(hypothesis, heard[start:stop])) if wording < 0 else Taken(wording, owner.alternatives[wording])
        for owner, (wording, start, stop) in zip(owners, path.choices, strict=True)
        if owner is not None
    )
    errors = path.substitutions + path.deletions + path.insertions
    length = sum(len(link[0]) for link in said if link)
    return LatticeCounts(errors, path.substitutions, path.deletions, path.insertions, length, taken)


def _counted(text: str, marks: bool) -> list[Token]:
    return [token for token in tokenize(text) if marks or token.kind is not Kind.PUNCT]


def _keys(tokens: list[Token], setup: Setup, used: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    return tuple((setup.canonical(tiers.fold(token.text, used), used), token.kind is Kind.PUNCT) for token in tokens)


def _between(text: str, tokens: list[Token]) -> str:
    return text[tokens[0].start : tokens[-1].end] if tokens else ""

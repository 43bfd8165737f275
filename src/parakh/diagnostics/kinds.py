"""Of what kind each error of an alignment of words is: of a number, a medical word, a denial, of writing alone ...

This looks at the alignment that a metric counted and leaves it as it is, so that the kinds of a recording add up to its
errors. What a word is, the bundled lists tell (``categories.bundled``), in the language of its segment; the word of the
reference decides, else that of the hypothesis. What is no other word comes first: the same word in another writing, marks,
the right word under the wrong speaker.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from parakh.diagnostics.boundaries import solid
from parakh.diagnostics.categories import Category, bundled, find_terms
from parakh.diagnostics.setup import Setup
from parakh.diagnostics.units import folding, pieces_of
from parakh.text import tiers
from parakh.text.tokens import Kind, Token
from parakh.types import AlignedWord, Op, Segment

_LONGEST = 4
"""Steps that are looked at together for words written apart, together, or in figures."""


class WordErrorKind(StrEnum):
    """What an error is about."""

    NUMBER = "number"
    MEDICAL = "medical"
    NEGATION = "negation"
    SPEAKER = "speaker"
    ENGLISH = "english"
    FILLER = "filler"
    SPELLING = "spelling"
    MARK = "mark"
    OTHER = "other"


_LISTS = {
    "NUMBER": WordErrorKind.NUMBER,
    "MEDICAL": WordErrorKind.MEDICAL,
    "NEGATION": WordErrorKind.NEGATION,
    "FILLER": WordErrorKind.FILLER,
    "ENGLISH": WordErrorKind.ENGLISH,
}
"""The bundled lists; of equally long terms that of the list named first counts."""
Position = tuple[str, int, int, str]
"""Side, index of a segment, number of a word among its aligned words, and the word: other forms of it may be aligned."""


def error_kinds(
    alignment: Sequence[AlignedWord],
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    moved: Collection[Position] = frozenset(),
    language: str | None = None,
) -> list[WordErrorKind | None]:
    """The kind of each step of an alignment.

    Args:
        alignment: Words of one session, as a metric aligned them.
        reference: The reference segments that its indices count.
        hypothesis: The system's segments.
        moved: Words that are right and under the wrong speaker, as ``moved_words`` finds them.
        language: BCP-47 primary tag of segments that carry none; None guesses it by script.

    Returns:
        One for each step; None where the words match.

    Source: Parakh; the lists are those of the diagnosis.

    >>> from parakh.metrics import wer
    >>> said = [Segment("v1", words="दो गोली नहीं ली रोज", language="hi")]
    >>> heard = [Segment("v1", words="तीन गोली ली रोज़", language="hi")]
    >>> [str(kind) for kind in error_kinds(wer.align(said, heard), said, heard)]
    ['number', 'None', 'negation', 'None', 'spelling']
    """
    setup = Setup(language)
    language = setup.language_of(reference).tag
    letters = _Letters(setup.tiers(language))
    said = _side(alignment, "reference", reference, language, moved, letters.used)
    heard = _side(alignment, "hypothesis", hypothesis, language, moved, letters.used)
    alike = set(_alike(alignment, letters, said.kinds, heard.kinds, language))
    return [_kind(step, at, at in alike, letters, said, heard) for at, step in enumerate(alignment)]


def moved_words(stream: Sequence[AlignedWord], mapping: Mapping[str, str]) -> set[Position]:
    """The words that are right and under the wrong speaker.

    Args:
        stream: An alignment that does not mind the speakers (``wer.align``, ``tcwder.align``).
        mapping: ``{hypothesis speaker: reference speaker}``; every word of a speaker left out is under the wrong one.

    Returns:
        Where they stand, on either side.

    Source: C_IS of the word diarization error rate (Shafey, Soltau, Shafran, Interspeech 2019).

    >>> from parakh.metrics import wer
    >>> stream = wer.align([Segment("v1", "A", words="जी")], [Segment("v1", "q", words="जी")])
    >>> sorted(moved_words(stream, {"p": "A"}))
    [('hypothesis', 0, 0, 'जी'), ('reference', 0, 0, 'जी')]
    """
    seen: Counter[tuple[str, int]] = Counter()
    moved: set[Position] = set()
    for step in stream:
        sides = (("reference", step.reference_segment), ("hypothesis", step.hypothesis_segment))
        places = [(side, index, seen[side, index]) for side, index in sides if index is not None]
        seen.update((side, index) for side, index, _ in places)
        if step.op is Op.MATCH and mapping.get(step.hypothesis_speaker or "") != step.reference_speaker:
            moved.update((*place, step.reference or "") for place in places)
    return moved


class _Letters(dict[str, str]):
    """What a word is compared by: folded, without marks and hyphens; remembered, as words recur."""

    def __init__(self, used: tuple[str, ...]) -> None:
        super().__init__()
        self.used = used

    def __missing__(self, word: str) -> str:
        pieces = pieces_of(word)
        plain = word if len(pieces) == 1 else "".join(one.text for one in pieces if one.kind is not Kind.PUNCT)
        is_mark = all(one.kind is Kind.PUNCT for one in pieces)
        found = self[word] = "" if is_mark else solid(tiers.fold(plain, self.used))
        return found


@cache
def _lists(tag: str, session: str) -> tuple[Category, ...]:
    """The lists of a language; in a conversation in English no word is an English one."""
    return tuple(bundled(name, (tag,)) for name in _LISTS if name != "ENGLISH" or session != "en")


@dataclass(frozen=True)
class _Side:
    """What is known of the words of one side, by the step that they stand in."""

    kinds: Mapping[int, WordErrorKind]
    moved: Collection[int]


def _side(
    alignment: Sequence[AlignedWord],
    side: str,
    segments: Sequence[Segment],
    language: str,
    moved: Collection[Position],
    used: tuple[str, ...],
) -> _Side:
    words: dict[int, list[tuple[int, str]]] = defaultdict(list)
    errors: set[int] = set()
    for at, step in enumerate(alignment):
        index, word = (
            (step.reference_segment, step.reference) if side == "reference" else (step.hypothesis_segment, step.hypothesis)
        )
        if index is not None and word is not None:
            words[index].append((at, word))
            if step.op is not Op.MATCH:
                errors.add(index)
    kinds: dict[int, WordErrorKind] = {}
    for index in errors:
        kinds |= _named(words[index], _lists(segments[index].language or language, language), used)
    return _Side(kinds, set(_places(words, side, moved)))


def _places(words: Mapping[int, Sequence[tuple[int, str]]], side: str, moved: Collection[Position]) -> Iterator[int]:
    """The steps of the words of a side that stand under the wrong speaker."""
    for own, index, number, word in moved:
        aligned = words.get(index, ()) if own == side else ()
        if number < len(aligned) and aligned[number][1] == word:
            yield aligned[number][0]


def _named(words: Sequence[tuple[int, str]], lists: tuple[Category, ...], used: tuple[str, ...]) -> dict[int, WordErrorKind]:
    """What the words of a segment are, by their step; nothing for plain ones."""
    tokens: list[Token] = []
    owners: list[int] = []
    start = 0
    for at, word in words:
        for text, kind, first, last in pieces_of(word):
            tokens.append(Token(text, kind, start + first, start + last))
            owners.append(at)
        start += len(word) + 1
    found = {at: WordErrorKind.NUMBER for at, token in zip(owners, tokens, strict=True) if token.kind is Kind.NUMERAL}
    for span in find_terms(tokens, lists, folding(used)):
        for at in owners[span.start : span.stop]:
            found.setdefault(at, _LISTS[span.category])
    return found


Kinds = Mapping[int, WordErrorKind]


def _alike(alignment: Sequence[AlignedWord], letters: _Letters, said: Kinds, heard: Kinds, language: str) -> Iterator[int]:
    """The steps that together are the same on both sides, in another writing; of several readings the shortest."""
    at = 0
    while at < len(alignment):
        stop = at if alignment[at].op is Op.MATCH else _stop(alignment, at, letters, said, heard, language)
        yield from range(at, stop)
        at = max(stop, at + 1)


def _stop(alignment: Sequence[AlignedWord], start: int, letters: _Letters, said: Kinds, heard: Kinds, language: str) -> int:
    """Where the shortest stretch from ``start`` ends that is the same on both sides; ``start`` where none is."""
    first = second = ""
    numbers = True
    for at in range(start, min(start + _LONGEST, len(alignment))):
        step = alignment[at]
        if step.op is Op.MATCH or (at > start and _is_apart(alignment[at - 1], step)):
            break
        if step.reference is not None:
            first += letters[step.reference]
            numbers = numbers and said.get(at) is WordErrorKind.NUMBER
        if step.hypothesis is not None:
            second += letters[step.hypothesis]
            numbers = numbers and heard.get(at) is WordErrorKind.NUMBER
        same = first == second and not _is_lost_and_gained(alignment[start : at + 1])
        if first and second and (same or (numbers and _same_value(alignment[start : at + 1], language))):
            return at + 1
    return start


def _is_lost_and_gained(steps: Sequence[AlignedWord]) -> bool:
    """Whether both sides are the same to the letter: words of two speakers, as those of one would match."""
    return [one.reference for one in steps if one.reference] == [one.hypothesis for one in steps if one.hypothesis]


def _is_apart(one: AlignedWord, other: AlignedWord) -> bool:
    """Whether two steps are of other pairs of speakers, as far as they tell."""
    said, heard = {one.reference_speaker, other.reference_speaker}, {one.hypothesis_speaker, other.hypothesis_speaker}
    return len(said - {None}) > 1 or len(heard - {None}) > 1


def _same_value(steps: Sequence[AlignedWord], language: str) -> bool:
    """Whether figures of one side say the number of the other."""
    sides = [step.reference for step in steps], [step.hypothesis for step in steps]
    pieces = [[piece for word in words if word is not None for piece in pieces_of(word)] for words in sides]
    if all(piece.kind is Kind.LEXICAL for side in pieces for piece in side):
        return False
    from parakh.diagnostics.notations import values_of  # takes a while to load, and is seldom needed

    keys = []
    for side in pieces:
        texts = tuple(piece.text for piece in side)
        keys.append({key for span in values_of(texts, language) if span.stop - span.start == len(texts) for key in span.alike})
    return not keys[0].isdisjoint(keys[1])


def _kind(step: AlignedWord, at: int, is_alike: bool, letters: _Letters, said: _Side, heard: _Side) -> WordErrorKind | None:
    if step.op is Op.MATCH:
        return None
    words = [word for word in (step.reference, step.hypothesis) if word is not None]
    if not any(letters[word] for word in words) or (is_alike and _marks(words[0]) != _marks(words[-1])):
        return WordErrorKind.MARK
    if is_alike:
        return WordErrorKind.SPELLING
    if at in (heard if step.op is Op.INSERTION else said).moved:
        return WordErrorKind.SPEAKER
    return said.kinds.get(at) or heard.kinds.get(at) or WordErrorKind.OTHER


def _marks(word: str) -> list[str]:
    return [piece.text for piece in pieces_of(word) if piece.kind is Kind.PUNCT]

"""Where the concept list's forms stand in a segment: longest first, tolerant of a recogniser's spelling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import Levenshtein

from parakh.clinical.cues import endings, phrases
from parakh.clinical.folding import Word, loose, tight
from parakh.clinical.lexicon import DATA, Concept, Form, Slot, forms

_GAP = 3
_LOOSE_SIGNS = 4
_FUZZY_SIGNS = 5
_FAR_SIGNS = 9


@dataclass(frozen=True, slots=True)
class Match:
    """A form found in a row of words.

    Args:
        concept: What it says.
        places: Indices of the matched words; words in a gap are not among them.
        normal: It says the healthy opposite of the concept.
        denies: A "not" is part of the form ("no sleep"), so that it denies nothing else.
    """

    concept: Concept
    places: tuple[int, ...]
    normal: bool = False
    denies: bool = False

    @property
    def start(self) -> int:
        """Index of the first matched word."""
        return self.places[0]

    @property
    def end(self) -> int:
        """Index after the last matched word."""
        return self.places[-1] + 1


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """All words of all forms; an entry is written "word" or "stem*"."""

    exact: frozenset[str]
    prefixes: frozenset[str]
    loosened: dict[str, frozenset[str]]
    by_letter: dict[str, tuple[tuple[str, str], ...]]
    common: frozenset[str]


def find(words: Sequence[Word], language: str | None) -> list[Match]:
    """All concepts said in ``words``, in order; a match within a longer one of its group is dropped.

    Args:
        words: One segment's words.
        language: Its BCP-47 primary tag: in English text the Latin-letter forms of Hindi words do not count.
    """
    entries = [_entries(word.tight) for word in words]
    found: list[Match] = []
    for start, have in enumerate(entries):
        candidates = {order: form for entry in have for order, form in _by_first().get(entry, ())}
        for _, form in sorted(candidates.items()):
            if language == "en" and form.column == "roman":
                continue
            places = _follow(form.slots, words, entries, start)
            if places is not None:
                denies = any(_is_denial(slot) and denial_at(words, at) for slot, at in zip(form.slots, places, strict=True))
                found.append(Match(form.concept, places, form.column == "normal", denies))
    return [match for match in _settle(found, words) if match.concept.kind != "decoy"]


def _follow(
    slots: tuple[Slot, ...], words: Sequence[Word], entries: Sequence[frozenset[str]], start: int
) -> tuple[int, ...] | None:
    places = [start]
    for slot in slots[1:]:
        place = next((at for at in _reach(words, places[-1], slot.after_gap) if _fills(slot, entries[at])), None)
        if place is None:
            return None
        places.append(place)
    return tuple(places)


def _reach(words: Sequence[Word], last: int, gap: bool) -> Iterator[int]:
    for at in range(last + 1, min(last + 2 + (_GAP if gap else 0), len(words))):
        if words[at].sentence != words[last].sentence or words[at].after_comma:
            return
        yield at
        if _ends_clause(words, at):
            return


def _ends_clause(words: Sequence[Word], at: int) -> bool:
    return phrases("clause", "end").at(words, at, at + 1) is not None


def _fills(slot: Slot, have: frozenset[str]) -> bool:
    return not have.isdisjoint(_slot_entries(slot))


@cache
def _slot_entries(slot: Slot) -> frozenset[str]:
    return slot.exact | {f"{stem}*" for stem in slot.prefixes}


@cache
def _is_denial(slot: Slot) -> bool:
    suffixes = endings("deny", "suffix")
    return any(entry.endswith(suffixes) or (entry,) in _denials() for entry in slot.exact | slot.prefixes)


@cache
def _denials() -> frozenset[tuple[str, ...]]:
    known = phrases("deny", "after").exact.values(), phrases("deny", "before").exact.values()
    return frozenset(row for group in known for rows in group for row in rows)


def denial_at(words: Sequence[Word], at: int) -> bool:
    """Whether a word says "not", by itself or by its ending."""
    text = words[at].tight
    if text.endswith(endings("deny", "suffix")):
        return not text.endswith(endings("deny", "not_suffix"))
    return (text,) in _denials()


def _settle(found: list[Match], words: Sequence[Word]) -> list[Match]:
    unique = {(match.concept.id, match.places): match for match in found}
    kept = [match for match in unique.values() if not any(_covers(other, match) for other in unique.values())]
    kept = [match for match in kept if not any(_nearer(other, match, words) for other in kept)]
    kept.sort(key=lambda match: (match.start, match.end))
    return [match for at, match in enumerate(kept) if not _repeats(match, kept[:at])]


def _covers(other: Match, match: Match) -> bool:
    """A longer match swallows a shorter one of its group; tests and advice also the problem they name, decoys all."""
    if other.concept.kind == "decoy":
        return match.concept.kind != "decoy" and not set(match.places).isdisjoint(other.places)
    if other.concept.is_problem == match.concept.is_problem or other.concept.kind in ("procedure", "advice"):
        return set(match.places) < set(other.places)
    return False


def _nearer(other: Match, match: Match, words: Sequence[Word]) -> bool:
    """Of two matches that share their last word the nearer wins, unless a conjunction joins the two ("knees and back hurt")."""
    if other.places[-1] != match.places[-1] or other.start <= match.start or len(other.places) < 2:
        return False
    if (
        match.concept.broader == other.concept.id
        or other.concept.is_problem != match.concept.is_problem
        or set(match.places) & set(other.places) != {match.places[-1]}
    ):
        return False
    return not phrases("clause", "join").within(words, match.start, other.start)


def _repeats(match: Match, earlier: Sequence[Match]) -> bool:
    """The same words say one thing of a group, and a concept is said once by words it shares."""
    for other in earlier:
        same_words = set(match.places) == set(other.places) and match.concept.is_problem == other.concept.is_problem
        if same_words or (other.concept == match.concept and set(other.places) & set(match.places)):
            return True
    return False


@cache
def _by_first() -> dict[str, list[tuple[int, Form]]]:
    """Forms, numbered in the order of the list, by the entries of their first slot."""
    table: dict[str, list[tuple[int, Form]]] = defaultdict(list)
    for order, form in enumerate(forms()):
        for entry in _slot_entries(form.slots[0]):
            table[entry].append((order, form))
    return table


@cache
def _vocabulary() -> _Vocabulary:
    slots = [slot for form in forms() for slot in form.slots]
    exact = frozenset(word for slot in slots for word in slot.exact)
    prefixes = frozenset(stem for slot in slots for stem in slot.prefixes)
    loosened: dict[str, set[str]] = defaultdict(set)
    by_letter: dict[str, list[tuple[str, str]]] = defaultdict(list)
    english = {entry for form in forms() if form.column == "en" for slot in form.slots for entry in _slot_entries(slot)}
    for entry in sorted((exact | {f"{stem}*" for stem in prefixes}) - english):
        plain = loose(entry.rstrip("*"))
        loosened[plain + "*" * entry.endswith("*")].add(entry)
        if len(plain) >= _FUZZY_SIGNS and not plain.isascii():
            by_letter[plain[0]].append((plain, entry))
    lines = (DATA / "common.txt").read_text("utf-8").splitlines()
    return _Vocabulary(
        exact,
        prefixes,
        {plain: frozenset(entries) for plain, entries in loosened.items()},
        {letter: tuple(pairs) for letter, pairs in by_letter.items()},
        frozenset(tight(line) for line in lines if not line.startswith("#")),
    )


@lru_cache(maxsize=65536)
def _entries(word: str) -> frozenset[str]:
    """The vocabulary entries a tight word stands for: equal, else equal when loosened, else one or two signs away."""
    known = _vocabulary()
    heads = [word[:length] for length in range(1, len(word) + 1)]
    found = {f"{head}*" for head in heads if head in known.prefixes} | ({word} & known.exact)
    if word in known.exact or len(word) < _LOOSE_SIGNS or word in known.common:
        return frozenset(found)
    plain = loose(word)
    found |= known.loosened.get(plain, frozenset())
    for length in range(_LOOSE_SIGNS, len(plain) + 1):
        found |= known.loosened.get(plain[:length] + "*", frozenset())
    return frozenset(found or _fuzzy(plain, known))


def _fuzzy(plain: str, known: _Vocabulary) -> set[str]:
    if len(plain) < _FUZZY_SIGNS or plain.isascii() or plain.endswith(endings("deny", "suffix")):
        return set()
    near: set[str] = set()
    for entry_plain, entry in known.by_letter.get(plain[0], ()):
        allowed = 2 if min(len(entry_plain), len(plain)) >= _FAR_SIGNS else 1
        if Levenshtein.distance(plain, entry_plain, score_cutoff=allowed) <= allowed:
            near.add(entry)
    return near

"""What holds for the diagnosis of any two texts: its books balance, its errors are the fewest, and nothing hangs on names."""

import os
from collections import Counter
from itertools import chain

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from parakh import languages
from parakh.diagnostics import EventKind, Pair, Unit
from parakh.diagnostics.alignment import align_texts
from parakh.diagnostics.categories import parse_terms
from parakh.diagnostics.setup import Setup
from parakh.diagnostics.units import units_of
from parakh.languages.values import value_spans
from parakh.text import tiers
from parakh.text.sandhi import joined_forms
from parakh.text.tokens import Kind, Token
from parakh.types import Op, Segment

SCALE = int(os.environ.get("PARAKH_EXAMPLES", "1"))
"""How many times as many examples as usual."""

# Words that join, fold, count, deny, and look like markers of some program.
HINDI = "भाई साहब भाईसाहब भाई-साहब न होना नहोना आप के लिए आपके आपकेलिए जगत् नाथ जगन्नाथ हूँ हूं क़लम कलम दो सौ पचास ढाई साढ़े तीन बजे मई पौने"
OTHERS = "പൊൻ കുടം പൊൻകുടം അവൻ അവന്\u200d ആയിട്ടാണ് മരുന്ന് ഉപയോഗിച്ച് മരുന്നുപയോഗിച്ച് ಅಂದ್ರೆ ಅಂದರೆ ಮನೆ ಅಲ್ಲಿ ಮನೆಯಲ್ಲಿ பொன் குடம் பொற்குடம் ٹھیک ہے"
LATIN = "a b ab a-b ba abc Ab two hundred and fifty half mg MERGE SPLIT: xMERGE:y __ENTITY__ ** GAP <eps> None nan"
NUMBERS = "1 2 12 250 २५० 1,00,000 3,4 1.50 1.5 22.05.2023 22/5/2023 10:30 -5 5 500mg 500 ₹ % 1/2"
MARKS = '. , । ? ! - ‘ ’ " ( ) ۔ ॥ : / \u200d \u200b'
WORDS = {"hi": HINDI, "ml": OTHERS, "kn": OTHERS, "en": LATIN, "ur": OTHERS}


def words_of(language: str) -> st.SearchStrategy[str]:
    own = st.sampled_from(WORDS[language].split())
    return st.one_of(own, own, own, st.sampled_from(f"{LATIN} {NUMBERS}".split()), st.sampled_from(MARKS.split()))


@st.composite
def likely(draw: st.DrawFn, language: str) -> tuple[str, str]:
    """A text and what a recogniser may make of it: words lost, invented, changed, written together and apart."""
    words = draw(st.lists(words_of(language), max_size=9))
    heard: list[str] = []
    for word in words:
        other = draw(words_of(language))
        heard += draw(st.sampled_from([[word], [word], [word], [], [other], [word, other], [word[:1], word[1:]]]))
    return tuple(
        "".join(word + draw(st.sampled_from([" ", " ", " ", "", "  ", "\n", ", "])) for word in side) for side in (words, heard)
    )  # type: ignore[return-value]


ANY = st.text(max_size=25)
PAIRS = st.sampled_from(sorted(WORDS)).flatmap(
    lambda language: st.tuples(st.just(language), st.one_of(likely(language), likely(language), st.tuples(ANY, ANY)))
)
CATEGORIES = (
    parse_terms("MEDICAL", ["साहब ने", "भाई साहब", "two hundred", "a b c", "500 mg", "u/s"]),
    parse_terms("FILLER", ["न", "b"]),
)
CHOICES = st.builds(
    dict,
    boundaries=st.booleans(),
    numbers=st.booleans(),
    categories=st.sampled_from([(), CATEGORIES]),
    views=st.sampled_from([(), CATEGORIES]),
    variants=st.sampled_from([{}, {"साब": "साहब", "ab": "abc"}]),
)


def charges(pairs: list[Pair]) -> Counter[tuple[str, str]]:
    return Counter((charge.category, charge.op.value) for pair in pairs for charge in pair.errors)


def total(pairs: list[Pair]) -> int:
    return sum(len(pair.errors) for pair in pairs)


def told(pairs: list[Pair]) -> list[tuple[object, ...]]:
    """What pairs say, wherever they stand in the text."""
    return [
        (
            *([unit.text for unit in side] for side in (pair.reference, pair.hypothesis)),
            [(charge.op, charge.category) for charge in pair.errors],
            pair.events,
        )
        for pair in pairs
    ]


def units(text: str, setup: Setup) -> list[Unit]:
    language = languages.get(setup.language).tag
    return units_of(Segment("", words=text), 0, setup, setup.tiers(language), language)


@settings(max_examples=200 * SCALE)
@given(PAIRS, CHOICES)
def test_the_books_balance(pair, choices):
    language, (reference, hypothesis) = pair
    setup = Setup(language, **choices)
    pairs = align_texts(reference, hypothesis, setup)
    said, heard = (list(chain.from_iterable(getattr(pair, side) for pair in pairs)) for side in ("reference", "hypothesis"))
    assert said == units(reference, setup)
    assert heard == units(hypothesis, setup)
    charged = [charge.reference for pair in pairs for charge in pair.errors if charge.reference is not None]
    assert len(set(charged)) == len(charged)
    counts, right = charges(pairs), Counter(unit.category for unit in set(said) - set(charged))
    for category, count in Counter(unit.category for unit in said).items():
        wrong = counts[category, Op.SUBSTITUTION.value] + counts[category, Op.DELETION.value]
        assert wrong + right[category] == count
    assert sum(right.values()) + len(charged) == len(said)
    for pair in pairs:
        check(pair)


def check(pair: Pair) -> None:
    for charge in pair.errors:
        given = charge.hypothesis if charge.op is Op.INSERTION else charge.reference
        assert given is not None
        assert charge.category == given.category
        assert (charge.reference is None) == (charge.op is Op.INSERTION)
        assert (charge.hypothesis is None) == (charge.op is Op.DELETION)
        assert charge.reference is None or charge.reference in pair.reference
        assert charge.hypothesis is None or charge.hypothesis in pair.hypothesis
        if charge.op is Op.SUBSTITUTION:
            marks = [unit.kind is Kind.PUNCT for unit in (charge.reference, charge.hypothesis) if unit]
            assert marks[0] == marks[1], "a mark meets a word"
        if pair.events:
            assert pair.events[0].kind is EventKind.BOUNDARY
            assert given.kind is Kind.PUNCT
            assert charge.op is not Op.SUBSTITUTION
    if not pair.errors and not pair.events:
        assert [unit.text.split() for unit in pair.reference] == [unit.text.split() for unit in pair.hypothesis]
    for event in pair.events:
        assert event.rule
        assert event.before != event.after


@settings(max_examples=100 * SCALE)
@given(PAIRS, CHOICES)
def test_a_text_is_the_same_as_itself(pair, choices):
    language, (reference, _) = pair
    pairs = align_texts(reference, reference, Setup(language, **choices))
    assert all(len(pair.reference) == len(pair.hypothesis) == 1 and not pair.errors and not pair.events for pair in pairs)


def fewest(language: str, reference: list[Unit], hypothesis: list[Unit], *, whole: bool) -> int:
    """The fewest errors, by trying every step from every cell; stretches meet as a whole, or not."""
    used = Setup(language).tiers(language)
    keys = [[tiers.fold(unit.text, used) for unit in side] for side in (reference, hypothesis)]
    values = [value_spans([Token(unit.text, unit.kind, 0, 0) for unit in side], language) for side in (reference, hypothesis)]
    rows, columns = len(reference), len(hypothesis)
    best = {(i, j): i + j for i in range(rows + 1) for j in range(columns + 1)}
    blocks = list(boundary_blocks(language, reference, hypothesis, keys)) + list(value_blocks(values)) if whole else []
    for i in range(rows + 1):
        for j in range(columns + 1):
            steps = [(i1, j1, cost) for i0, i1, j0, j1, cost in blocks if (i0, j0) == (i, j)]
            steps += [(i + 1, j, 1), (i, j + 1, 1)]
            if i < rows and j < columns:
                marks = [unit.kind is Kind.PUNCT for unit in (reference[i], hypothesis[j])]
                if keys[0][i] == keys[1][j]:
                    steps.append((i + 1, j + 1, 0))
                elif marks[0] == marks[1]:
                    steps.append((i + 1, j + 1, 1))
            for i1, j1, cost in steps:
                if i1 <= rows and j1 <= columns:
                    best[i1, j1] = min(best[i1, j1], best[i, j] + cost)
    return best[rows, columns]


def boundary_blocks(language, reference, hypothesis, keys):
    rules = languages.get(language).rules
    forms = [list(joined_stretches(side, folded, rules)) for side, folded in zip((reference, hypothesis), keys, strict=True)]
    for i0, i1, one, marks in forms[0]:
        for j0, j1, other, others in forms[1]:
            if one & other:
                yield i0, i1, j0, j1, marks + others


def joined_stretches(side, folded, rules):
    """One to four words with up to two marks between neighbours, and the ways to write them as one."""
    for start in range(len(side)):
        for stop in range(start + 1, len(side) + 1):
            kinds = [unit.kind for unit in side[start:stop]]
            words = tuple(
                "".join(sign for sign in key if sign not in "- \u2010\u2011")
                for key, unit in zip(folded[start:stop], side[start:stop], strict=True)
                if unit.kind is not Kind.PUNCT
            )
            shape = "".join("w" if kind is Kind.LEXICAL else "m" if kind is Kind.PUNCT else "n" for kind in kinds)
            if "n" in shape or "mmm" in shape or shape[0] + shape[-1] != "ww" or len(words) > 4:
                continue
            if "".join(words):
                yield start, stop, {"".join(words), *(form for form, _ in joined_forms(words, rules))}, shape.count("m")


def value_blocks(values):
    counted = {"number", "date", "time", "ratio", "currency", "ordinal", "digits", "range"}
    for one in values[0]:
        for other in values[1]:
            if set(one.keys) & set(other.keys):
                yield one.start, one.stop, other.start, other.stop, 0
            elif {one.kind, other.kind} <= counted and other.stop - other.start > one.stop - one.start:
                yield one.start, one.stop, other.start, other.stop, one.stop - one.start


@settings(max_examples=100 * SCALE)
@given(PAIRS)
def test_errors_are_the_fewest(pair):
    language, (reference, hypothesis) = pair
    setup = Setup(language)
    sides = units(reference, setup), units(hypothesis, setup)
    assume(len(sides[0]) * len(sides[1]) < 500)
    errors = total(align_texts(reference, hypothesis, setup))
    least = fewest(language, *sides, whole=True)
    assert least <= errors <= fewest(language, *sides, whole=False)
    if not languages.get(language).rules:
        assert errors == least


@st.composite
def rejoined(draw: st.DrawFn) -> tuple[str, str]:
    """A text twice, with other spaces."""
    words = draw(st.lists(st.sampled_from(f"{HINDI} {LATIN}".split()), min_size=1, max_size=8))
    gaps = st.sampled_from(["", " ", " ", " "])
    return tuple("".join(word + draw(gaps) for word in words) for _ in "12")  # type: ignore[return-value]


@settings(max_examples=100 * SCALE)
@given(st.one_of(PAIRS, st.tuples(st.sampled_from(["hi", "en"]), rejoined())))
def test_sides_may_be_swapped(pair):
    language, texts = pair
    setup = Setup(language, numbers=False)
    there, back = align_texts(*texts, setup), align_texts(*texts[::-1], setup)
    assert total(there) == total(back)
    if not total(there):  # with errors, alignments may tie: a boundary here, a match there
        assert boundaries(there) == [sides[::-1] for sides in boundaries(back)]


def boundaries(pairs: list[Pair]) -> list[tuple[int, int]]:
    return [(len(pair.reference), len(pair.hypothesis)) for pair in pairs if len(pair.reference) != len(pair.hypothesis)]


@settings(max_examples=100 * SCALE)
@given(PAIRS, st.sampled_from(["ꓐꓑꓒ", "ꓐꓑꓒ ꓓꓔ"]))
def test_the_same_word_at_both_ends_changes_nothing(pair, word):
    language, (reference, hypothesis) = pair
    inner = align_texts(reference, hypothesis, Setup(language))
    outer = align_texts(f"{word} {reference} {word}", f"{word} {hypothesis} {word}", Setup(language))
    count = len(word.split())
    assert told(outer[count:-count]) == told(inner)


@settings(max_examples=100 * SCALE)
@given(
    st.lists(st.sampled_from(["xqz", "b", "MERGE:", ".", "5"]), max_size=8),
    st.lists(st.sampled_from(["xqz", "b", ",", "5", "xqzb"]), max_size=8),
)
def test_a_name_that_programs_use_is_a_word_like_any_other(said, heard):
    plain = align_texts(" ".join(said), " ".join(heard), Setup("en"))
    counts = Counter(unit.category for pair in plain for unit in pair.reference)
    for name in ("SPLIT", "GAP", "None", "nan", "EOS"):
        named = (" ".join(side).replace("xqz", name) for side in (said, heard))
        pairs = align_texts(*named, Setup("en"))
        assert total(pairs) == total(plain)  # which of two categories a tie is charged to depends on what looks alike
        assert Counter(unit.category for pair in pairs for unit in pair.reference) == counts

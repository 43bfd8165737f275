"""Aksharas equal the extended grapheme clusters of the regex package where those are right; the differences, with the reason.

The akshara error rate equals rapidfuzz 3.14.6 on lists of aksharas.
"""

import random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.metrics import akser
from parakh.text.graphemes import aksharas
from parakh.types import Segment

distance = pytest.importorskip("rapidfuzz.distance")
CLUSTER = regex.compile(r"\X")
# Where UAX #29 (GB9c) joins consonants: consonants, independent vowels, vowel signs, modifiers, nukta, virama.
SCRIPTS = {
    "Devanagari": ("कखतदनपमरवषहळ", "अइउए", "ािीुूृेैोौ", "ंःँ", "\u093c", "\u094d"),
    "Bengali": ("কগতদনপমরষহৰ", "অইউএ", "ািীুূৃেৈোৌ", "ংঃঁ", "\u09bc", "\u09cd"),
    "Gujarati": ("કખતદનપમરષહળ", "અઇઉએ", "ાિીુૂૃેૈોૌ", "ંઃ", "\u0abc", "\u0acd"),
    "Odia": ("କଖତଦନପମରଷହଳ", "ଅଇଉଏ", "ାିୀୁୂୃେୈୋୌ", "ଂଃଁ", "\u0b3c", "\u0b4d"),
    "Telugu": ("కఖతదనపమరషహళ", "అఇఉఎ", "ాిీుూృెేైొ", "ంః", "", "\u0c4d"),
    "Malayalam": ("കഖതദനപമരഷഹള", "അഇഉഎൻർൽ", "ാിീുൂൃെേൈൊൗ", "ംഃ", "", "\u0d4d"),
}


def well_formed(script):
    """Texts of well-formed aksharas, with ZWNJ and ZWJ where they belong, digits and marks."""
    consonants, vowels, signs, modifiers, nukta, virama = SCRIPTS[script]
    bare = st.builds(str.__add__, st.sampled_from(consonants), st.sampled_from(["", nukta]))
    join = st.sampled_from([virama] if script == "Malayalam" else [virama, virama + "\u200d"])
    cluster = st.builds(
        lambda parts, last: "".join(map("".join, parts)) + last, st.lists(st.tuples(bare, join), max_size=3), bare
    )
    ending = st.one_of(
        st.builds(str.__add__, st.sampled_from(["", *signs]), st.sampled_from(["", *modifiers])), st.just(virama + "\u200c")
    )
    vowel = st.builds(str.__add__, st.sampled_from(vowels), st.just(""))
    return st.lists(st.one_of(st.builds(str.__add__, cluster, ending), vowel, st.sampled_from(" 5।a")), max_size=6).map("".join)


@pytest.mark.parametrize("script", SCRIPTS)
@settings(max_examples=300)
@given(data=st.data())
def test_equal_on_well_formed_text(script, data):
    text = data.draw(well_formed(script))
    assert aksharas(text) == CLUSTER.findall(text)


@given(
    st.text(st.characters(max_codepoint=0x8FF) | st.characters(min_codepoint=0xE00, categories=("L", "M", "N", "S")), max_size=8)
)
def test_equal_in_other_scripts(text):
    assert aksharas(text) == CLUSTER.findall(text)


# Ours, the clusters of regex 2026.11 (UAX #29), and why.
DIFFERENT = [
    ("ನ ನ್ಮ್ಮ", "ನ ನ್ ಮ್ ಮ", "GB9c leaves Kannada out"),
    ("ਪ੍ਰੇ ਮ", "ਪ੍ ਰੇ ਮ", "GB9c leaves Gurmukhi out"),
    ("ப க்ஷி", "ப க் ஷி", "a conjunct of Tamil; GB9c leaves Tamil out"),
    ("ஸ்ரீ", "ஸ் ரீ", "the other conjunct of Tamil"),
    ("അ വ ന്\u200d റെ", "അ വ ന്\u200dറെ", "a chillu in its old encoding, cut as the atomic one is"),
    ("അ തു് കൊ ണ്ട്", "അ തു്കൊ ണ്ട്", "a virama after a vowel sign is half-u and joins nothing"),
]


@pytest.mark.parametrize(("ours", "theirs", "reason"), DIFFERENT)
def test_differences_are_those_on_purpose(ours, theirs, reason):
    text = ours.replace(" ", "")
    assert (aksharas(text), CLUSTER.findall(text)) == (ours.split(), theirs.split()), reason


def test_error_counts_equal_rapidfuzz():
    rng = random.Random(7)
    words = ["दर्द", "क्षत्रिय", "ನನ್ಮ್ಮ", "അവൻ", "தண்ணீர்", "है", "doctor", "थोड़ा", "5", "स्त्री"]
    for _ in range(300):
        pair = [" ".join("".join(rng.sample(words, 2)) for _ in range(rng.randint(0, 8))) for _ in range(2)]
        counted = akser.stats(*([Segment("s", words=text)] for text in pair))
        units = [aksharas(text) for text in pair]
        assert counted["errors"] == distance.Levenshtein.distance(*units)
        assert counted["length"] == len(units[0])
        kinds = [edit.tag for edit in distance.Levenshtein.editops(*units)]
        assert [counted[key] for key in ("substitutions", "deletions", "insertions")] == [
            kinds.count(tag) for tag in ("replace", "delete", "insert")
        ]

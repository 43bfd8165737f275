"""Sounds of any text whatever: no crash, no dependence on encoding, few keys."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from parakh.text.scripts import PARALLEL
from parakh.text.sounds import sound_alike, sounds
from parakh.text.transliteration import letters, script_in, transliterate

BLOCK = st.sampled_from(sorted(PARALLEL.values())).flatmap(
    lambda start: st.text(st.characters(min_codepoint=start, max_codepoint=start + 0x7F), max_size=8)
)
WORDS = st.one_of(st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz-'"), max_size=10), BLOCK, st.text(max_size=6))


@given(WORDS)
def test_canonically_equal_words_sound_the_same(word: str) -> None:
    other = unicodedata.normalize("NFD", word)
    assert sounds(other) == sounds(word)
    assert letters(other) == letters(word)
    assert len(sounds(word)) <= 1024


@given(WORDS)
def test_latin_letters_stay_as_they_are(word: str) -> None:
    latin = transliterate(word)
    if script_in(latin) == "Latn":
        assert transliterate(latin) == unicodedata.normalize("NFC", latin)


@given(WORDS, WORDS)
def test_the_order_of_two_words_does_not_matter(one: str, other: str) -> None:
    assert sound_alike(one, other) == sound_alike(other, one)
    assert not sound_alike(one, one)

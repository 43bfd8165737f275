"""Normalisation profiles: idempotent, and never shredding an Indic word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.errors import UnknownNameError
from parakh.text.normalize import PROFILES, get_profile

indic_text = st.text(
    st.characters(min_codepoint=0x0900, max_codepoint=0x0DFF, categories=("L", "M", "N")) | st.sampled_from(" .,।<>-")
)


@pytest.mark.parametrize("name", PROFILES)
@given(text=indic_text)
def test_profiles_are_idempotent(name: str, text: str) -> None:
    profile = get_profile(name)
    once = profile(text)
    assert profile(once) == once


@pytest.mark.parametrize("name", sorted(set(PROFILES) - {"ascii"}))
@pytest.mark.parametrize("text", ["हिन्दी में दर्द है", "ಕನ್ನಡ ನನ್ಮ್ಮ", "മലയാളം", "क्‍ष", "ನನ್‌ಗೆ"])
def test_vowel_signs_viramas_and_joiners_stay(name: str, text: str) -> None:
    # Whisper's basic normaliser deletes vowel signs: kurianbenoy/whisper_normalizer#25.
    assert get_profile(name)(text) == text


def test_challenge_profile_does_what_its_scorer_does() -> None:
    # The organisers' normaliser: lower case, `. ? ! , ।` and <tags> removed, no Unicode normalisation.
    assert get_profile("displace-2026")("<noise> BP, 140/90 है।  ठीक?") == "bp 140/90 है ठीक"
    assert get_profile("displace-2026")("\u095c") == "\u095c"


def test_indic_profile_joins_equal_letters() -> None:
    indic = get_profile("indic")
    assert indic("\u095c") == indic("\u0921\u093c")
    assert indic("അവന്\u200d") == "അവൻ"
    assert indic("२५०") == indic("೨೫೦") == "250"


def test_unknown_profile_lists_close_matches() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'indic'"):
        get_profile("indik")

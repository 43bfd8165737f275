"""What holds for every rule of every language, on generated words.

The consonants are read off the names of the letters in Unicode, not off the engine's offsets.
"""

import unicodedata
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh import languages
from parakh.languages import Language
from parakh.text.sandhi import PLAIN, SandhiRule, closed, joined_forms, joins, open_end, open_start
from parakh.text.scripts import PARALLEL

WITH_RULES = [language for language in map(languages.get, languages.names()) if language.rules]
VOWELS = {"A", "AA", "I", "II", "U", "UU", "E", "EE", "AI", "O", "OO", "AU", "VOCALIC R", "VOCALIC RR", "VOCALIC L", "VOCALIC LL"}
VOWELS |= {"SHORT E", "SHORT O", "CANDRA E", "CANDRA O", "SHORT A", "OE", "OOE", "AW", "UE", "UUE", "ARCHAIC II", "CANDRA A"}


def block(language: Language) -> list[str]:
    return [chr(PARALLEL[language.scripts[0]] + offset) for offset in range(0x80)]


def named(signs: list[str], what: str) -> list[str]:
    return [sign for sign in signs if f" {what} " in unicodedata.name(sign, "")]


@cache
def letters(language: Language) -> tuple[list[str], list[str], list[str]]:
    """Independent vowels, consonants, vowel signs."""
    signs = [sign for sign in block(language) if unicodedata.normalize("NFC", sign) == sign]
    independent = [s for s in named(signs, "LETTER") if unicodedata.name(s).partition(" LETTER ")[2] in VOWELS]
    consonants = [s for s in named(signs, "LETTER") if s not in independent and unicodedata.category(s) == "Lo"]
    closed_ones = [s for s in consonants if "CHILLU" in unicodedata.name(s) or "KHANDA" in unicodedata.name(s)]
    return independent, [s for s in consonants if s not in closed_ones], named(signs, "VOWEL SIGN")


@st.composite
def words(draw: st.DrawFn, language: Language) -> str:
    """A word of the script: a vowel or not, some consonants with signs, and an ending."""
    independent, consonants, signs = letters(language)
    virama = chr(PARALLEL[language.scripts[0]] + 0x4D)
    word = draw(st.sampled_from(["", *independent, *independent[:8]]))
    for _ in range(draw(st.integers(0, 3))):
        word += draw(st.sampled_from(consonants)) + draw(st.sampled_from(["", "", virama, *signs]))
    final = ["", "", "", virama, chr(PARALLEL[language.scripts[0]] + 2), chr(PARALLEL[language.scripts[0]] + 3)]
    word += draw(st.sampled_from(consonants)) + draw(st.sampled_from([*final, *signs]))
    own = [pattern.rstrip("*") for pattern in language.negations] + list(language.particles)
    return draw(st.one_of(st.just(unicodedata.normalize("NFC", word)), st.sampled_from(own)))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Language, str, str]:
    """Two words of a language; often made to meet at sounds that some rule speaks of."""
    language = draw(st.sampled_from(WITH_RULES))
    first, second = draw(words(language)), draw(words(language))
    if draw(st.booleans()):
        rule = draw(st.sampled_from(language.rules))
        junction = draw(st.sampled_from(rule.junctions))
        left, right = draw(st.sampled_from(junction.left)), draw(st.sampled_from(junction.right))
        body, rest = closed(open_end(first)[:-1] + left), draw(words(language))
        first = draw(st.sampled_from(rule.first)).rstrip("*") if rule.first else body
        vowel = chr(PARALLEL[language.scripts[0]] + 0x06) if right[-1] == chr(PARALLEL[language.scripts[0]] + 0x4D) else ""
        second = (
            draw(st.sampled_from(rule.second)).rstrip("*")
            if rule.second
            else closed(right + vowel + rest.lstrip("".join(letters(language)[0])))
        )
    return language, unicodedata.normalize("NFC", first), unicodedata.normalize("NFC", second)


def consonants_of(text: str) -> list[str]:
    """Names of the consonants, in order; anusvara is the nasal that it writes."""
    found = []
    for sign in text:
        name = unicodedata.name(sign, "")
        rest = name.partition(" LETTER ")[2]
        if rest and rest not in VOWELS and unicodedata.category(sign) == "Lo":
            found.append(rest.removeprefix("CHILLU ").removeprefix("KHANDA ").removesuffix("A"))
        elif name.endswith("SIGN ANUSVARA"):
            found.append("ANUSVARA")
    return found


def declared(rule: SandhiRule, first: list[str], second: list[str]) -> list[list[str]]:
    """The consonants that each junction of a rule makes of those of two words."""
    made = []
    for junction in rule.junctions:
        for left in junction.left:
            for right in junction.right:
                one, two = consonants_of(left), consonants_of(right)
                if first[len(first) - len(one) :] == one and second[: len(two)] == two:
                    middle = consonants_of(junction.joined.replace("1", left).replace("2", right))
                    made.append([*first[: len(first) - len(one)], *middle, *second[len(two) :]])
    return made


@settings(deadline=None, max_examples=400)
@given(pairs())
def test_no_consonant_is_lost_but_what_the_rule_declares(pair: tuple[Language, str, str]) -> None:
    language, first, second = pair
    one, two = consonants_of(first), consonants_of(second)
    for form, name in joins(first, second, language.rules):
        found = consonants_of(form)
        assert len(found) >= len(one) + len(two)
        assert any(found in declared(rule, one, two) for rule in language.rules if rule.name == name), (form, name)


@settings(deadline=None, max_examples=400)
@given(pairs())
def test_negations_keep_their_letters_and_none_appears(pair: tuple[Language, str, str]) -> None:
    language, first, second = pair
    denies = [pattern.rstrip("*") for pattern in language.negations]
    for form, _ in joins(first, second, language.rules):
        if second in denies:
            assert form.endswith(second[1:])
            assert consonants_of(form)[-len(consonants_of(second)) :] == consonants_of(second)
        if first in denies:
            assert form.startswith(open_end(first)[:-1].rstrip(chr(PARALLEL[language.scripts[0]] + 0x4D)))


@settings(deadline=None, max_examples=300)
@given(pairs())
def test_opened_words_close_again(pair: tuple[Language, str, str]) -> None:
    _, first, second = pair
    assert closed(open_start(second)) == second
    if "CHILLU" not in unicodedata.name(first[-1], "") and first[-1] != "\u0d4c":
        assert closed(open_end(first)) == first


@settings(deadline=None, max_examples=300)
@given(pairs(), st.data())
def test_forms_of_several_words(pair: tuple[Language, str, str], data: st.DataObject) -> None:
    language, first, second = pair
    third = data.draw(words(language))
    rules = language.rules
    forms = joined_forms((first, second, third), rules)
    assert forms[0] == (first + second + third, (PLAIN, PLAIN))
    assert len({form for form, _ in forms}) == len(forms) <= 64
    assert all(len(used) == 2 for _, used in forms)
    two = joined_forms((first, second), rules)
    assert set(two[1:]) == {(form, (name,)) for form, name in joins(first, second, rules)}
    assert {(form + third, (*used, PLAIN)) for form, used in two} <= set(forms) or len(two) > 1


@pytest.mark.parametrize("count", [1, 5, 9])
def test_other_numbers_of_words_are_only_written_together(count: int) -> None:
    parts = ("ಊರು", "ಅಲ್ಲಿ", "ಇಲ್ಲ", "ಎಂದು", "ಅವನು", "ಇದ್ದ", "ಊರು", "ಎಲ್ಲ", "ಇದು")[:count]
    assert joined_forms(parts, languages.get("kn").rules) == (("".join(parts), (PLAIN,) * (count - 1)),)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(WITH_RULES), st.data())
def test_one_syllable_that_denies_is_never_touched(language: Language, data: st.DataObject) -> None:
    second = data.draw(words(language))
    for first in (pattern for pattern in language.negations if len(open_end(pattern)) <= 3 and not pattern.endswith("*")):
        assert all(form.startswith(first) for form, _ in joins(first, second, language.rules))

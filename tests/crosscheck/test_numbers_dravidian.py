"""Number words of two independent packages are read back, but for their faults: docs/numbers.md says who is right.

indic-numtowords 1.1.0 (kn, ml, ta, te; every variation it gives up to 3,000) and num2words 0.5.14 (kn, te), 0 to 10,000.
"""

import re
from collections import Counter
from collections.abc import Iterable

import pytest

from parakh.languages.number_words import grammar, read

LIMIT = 10_000
VARIED = 3000
MALFORMED_TAMIL = {"பன்னன்டு": 12, "இருபதெட்டு": 28, "ஓம்போது": 49, "ஓன்று": 81, "ஓன்பது": 89, "தொண்ணூரெட்டு": 98, "முனனூத்தி": 300}
"""What is misspelt in the word lists of indic-numtowords for Tamil, and the number it is meant for."""


def disagreements(tag: str, said: Iterable[tuple[int, str]]) -> dict[tuple[int, str], tuple[int, ...]]:
    """What each form that is not read as its number is read as."""
    found = {(number, form): tuple(map(int, read(form, grammar(tag)))) for number, form in said}
    return {case: values for case, values in found.items() if values != (case[0],)}


def indic_numtowords(tag: str) -> list[tuple[int, str]]:
    package = pytest.importorskip("indic_numtowords")
    varied = [(number, form) for number in range(VARIED + 1) for form in package.num2words(number, lang=tag, variations=True)]
    return [*varied, *((number, package.num2words(number, lang=tag)) for number in range(VARIED + 1, LIMIT + 1))]


def num2words(tag: str) -> list[tuple[int, str]]:
    package = pytest.importorskip("num2words")
    forms = [(number, package.num2words(number, lang=tag)) for number in range(LIMIT + 1)]
    return [(number, form.replace("-", " ")) for number, form in forms]


def test_kannada_equals_indic_numtowords_but_for_its_faults() -> None:
    said = indic_numtowords("kn")
    found = disagreements("kn", said)
    truncated = {case for case in said if case[0] % 1000 > 100 and case[0] % 100 in {10, 20, 30, 50, 60, 70, 90}}
    genitive = {case for case in said if case[0] >= 1000 and case[0] % 1000 == 0}
    eighty_three = {case for case in said if case[0] % 100 == 83}
    several = {case for case in said if "ನಾಲ್ಕು ನಾಕು" in case[1] or "ಏಳು ಯೋಳು" in case[1] or "ನೂರೊಂದುನೂರಾ" in case[1]}
    assert all(form.endswith("ನೂ") for _, form in truncated)
    assert all(form.endswith("ಸಾವಿರದ") for _, form in genitive)
    assert {number % 1000 for number, _ in several} == {4, 7, 101}
    assert set(found) == truncated | genitive | eighty_three | several
    assert {case: found[case] for case in eighty_three} == {case: (case[0] - 1,) for case in eighty_three}
    assert {found[case] for case in truncated | genitive | several} == {()}


def test_malayalam_equals_indic_numtowords_but_for_its_faults() -> None:
    said = indic_numtowords("ml")
    fifty_three = {case for case in said if case[0] % 100 == 53 and case[1].endswith("ൻപത്തിനാല്")}
    assert {number for number, _ in fifty_three} == {n for n in range(VARIED) if n % 100 == 53 and 100 < n % 1000 < 900}
    assert disagreements("ml", said) == {case: (case[0] + 1,) for case in fifty_three}


def test_tamil_equals_indic_numtowords_but_for_its_faults() -> None:
    said = indic_numtowords("ta")
    malformed = re.compile("|".join(MALFORMED_TAMIL))
    wrong = {case: () for case in said if malformed.search(case[1])}
    assert disagreements("ta", said) == wrong
    meant = Counter(MALFORMED_TAMIL[match] for case in wrong for match in set(malformed.findall(case[1])))
    assert set(meant) == set(MALFORMED_TAMIL.values())
    assert {number % 1000 // 100 for number, form in wrong if "முனனூத்தி" in form} == {3}
    assert {number % 100 for number, form in wrong if "முனனூத்தி" not in form} == {12, 28, 49, 81, 89, 98}


def test_telugu_equals_indic_numtowords() -> None:
    assert disagreements("te", indic_numtowords("te")) == {}


def test_kannada_equals_num2words() -> None:
    assert disagreements("kn", num2words("kn")) == {}


def test_telugu_equals_num2words_but_for_its_faults() -> None:
    said = num2words("te")
    no_word = {case: () for case in said if "వేయిల" in case[1]}
    assert {number for number, _ in no_word} == {number for number in range(1000, LIMIT) if 0 < number % 1000 < 100}
    assert disagreements("te", said) == no_word

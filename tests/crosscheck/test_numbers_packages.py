"""Words that indic-numtowords 1.1.0 and num2words 0.5.14 say for a number read back as it, but for their slips (docs/numbers.md)."""

import random
from unicodedata import normalize

import pytest

from parakh.languages.number_words import grammar, read

indic = pytest.importorskip("indic_numtowords")
general = pytest.importorskip("num2words")
SLIPS = {
    ("indic-numtowords", "hi"): {"सावा"},
    ("indic-numtowords", "bn"): {"একাদশ", "দ্বাদশ", "ত্রয়োদশ"},
    ("indic-numtowords", "ne"): {"एघाह्र", "साोह्र"},
    ("indic-numtowords", "pa"): {"ਪਨਤਾਲੀ", "ਸਨਤਾਲੀ", "ਚਰਵੰਜਾ", "ਉਨਾਹਟ", "ਤਹੇਹਰ", "ਚਹੱਤਰ", "ਪਚਹੱਤ", "ਚਰੱਨਵੇ"},
    ("indic-numtowords", "ur"): {"تےيس", "چھببیس", "ستااس", "اٹھااس", "اٹھسٹھ"},
    ("indic-numtowords", "or"): {"ସତୂରି"},
    ("indic-numtowords", "as"): {"পঁঞ্চল্লিশ"},
    ("num2words", "bn"): {"পঁইত্রিশ", "সাতত্রিশ", "চৌচল্লিশ"},
}
"""Words that only one package has: no dictionary's form of the number."""


def sample() -> list[int]:
    rng = random.Random(3)
    return [*range(10_001), *(rng.randrange(10**9) for _ in range(500))]


def check(package: str, tag: str, said: list[tuple[int, str]]) -> None:
    known = grammar(tag)
    slips = {normalize("NFC", slip) for slip in SLIPS.get((package, tag), ())}
    wrong = [(number, normalize("NFC", words)) for number, words in said if read(words, known) != (number,)]
    assert [pair for pair in wrong if not any(slip in pair[1] for slip in slips)] == []
    assert {slip for slip in slips if any(slip in words for _, words in wrong)} == slips  # a slip that is mended leaves the list


@pytest.mark.parametrize("tag", ["hi", "mr", "gu", "bn", "en", "ne", "pa", "ur", "or", "as"])
def test_indic_numtowords(tag):
    said = []
    for number in sample():
        for varied in (False, True) if number <= 1000 or number % 10 == 0 else (False,):
            words = indic.num2words(number, lang=tag, variations=varied)
            said += [(number, one) for one in (words if isinstance(words, list) else [words])]
    assert len(said) > 11_000
    check("indic-numtowords", tag, said)


@pytest.mark.parametrize(("tag", "name"), [("en", "en_IN"), ("en", "en"), ("bn", "bn")])
def test_num2words(tag, name):
    said = [(number, general.num2words(number, lang=name).replace(",", " ")) for number in sample() if number < 10**7]
    check("num2words", tag, said)

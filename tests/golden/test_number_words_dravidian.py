"""Kannada, Malayalam, Tamil and Telugu number words: every number to 10,000, lakhs and crores, halves, ordinals.

The numbers are spelt here by the rules of the grammars (Sridhar 1990; Asher & Kumari 1997; Lehmann 1993; Krishnamurti & Gwynn
1985), which the spell-out rules of Unicode CLDR (rbnf kn, ml, te) also follow, and read back from the tables.
"""

import random
from collections.abc import Callable
from decimal import Decimal

import pytest

from parakh.languages.number_words import Parser, grammar, read, written
from parakh.languages.values import value_spans
from parakh.text.tokens import tokenize

Spell = Callable[[int, bool], str]
KN = "ಒಂದು ಎರಡು ಮೂರು ನಾಲ್ಕು ಐದು ಆರು ಏಳು ಎಂಟು ಒಂಬತ್ತು ಹತ್ತು ಹನ್ನೊಂದು ಹನ್ನೆರಡು ಹದಿಮೂರು ಹದಿನಾಲ್ಕು ಹದಿನೈದು ಹದಿನಾರು ಹದಿನೇಳು ಹದಿನೆಂಟು ಹತ್ತೊಂಬತ್ತು"
ML = "ഒന്ന് രണ്ട് മൂന്ന് നാല് അഞ്ച് ആറ് ഏഴ് എട്ട് ഒമ്പത് പത്ത് പതിനൊന്ന് പന്ത്രണ്ട് പതിമൂന്ന് പതിനാല് പതിനഞ്ച് പതിനാറ് പതിനേഴ് പതിനെട്ട് പത്തൊമ്പത്"
TA = "ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது பத்து பதினொன்று பன்னிரண்டு பதிமூன்று பதினான்கு பதினைந்து பதினாறு பதினேழு பதினெட்டு பத்தொன்பது"
TE = "ఒకటి రెండు మూడు నాలుగు ఐదు ఆరు ఏడు ఎనిమిది తొమ్మిది పది పదకొండు పన్నెండు పదమూడు పద్నాలుగు పదిహేను పదహారు పదిహేడు పద్దెనిమిది పంతొమ్మిది"
KN_TENS = "ಇಪ್ಪತ್ತ ಮೂವತ್ತ ನಲವತ್ತ ಐವತ್ತ ಅರವತ್ತ ಎಪ್ಪತ್ತ ಎಂಬತ್ತ ತೊಂಬತ್ತ"
ML_TENS = "ഇരുപത മുപ്പത നാൽപ്പത അമ്പത അറുപത എഴുപത എൺപത തൊണ്ണൂറ"
TA_TENS = "இருபத முப்பத நாற்பத ஐம்பத அறுபத எழுபத எண்பத தொண்ணூற"
TE_TENS = "ఇరవై ముప్పై నలభై యాభై అరవై డెబ్బై ఎనభై తొంభై"
KN_HUNDREDS = "ನೂರ ಇನ್ನೂರ ಮುನ್ನೂರ ನಾನೂರ ಐನೂರ ಆರುನೂರ ಏಳುನೂರ ಎಂಟುನೂರ ಒಂಬೈನೂರ"
ML_HUNDREDS = "നൂറ ഇരുനൂറ മുന്നൂറ നാനൂറ അഞ്ഞൂറ അറുനൂറ എഴുനൂറ എണ്ണൂറ"
TA_HUNDREDS = "நூற இருநூற முந்நூற நானூற ஐந்நூற அறுநூற எழுநூற எண்ணூற"
ML_THOUSANDS = "ആയിരം രണ്ടായിരം മൂവായിരം നാലായിരം അയ്യായിരം ആറായിരം ഏഴായിരം എണ്ണായിരം ഒമ്പതിനായിരം പതിനായിരം"
TA_THOUSANDS = "ஆயிரம் இரண்டாயிரம் மூவாயிரம் நான்காயிரம் ஐயாயிரம் ஆறாயிரம் ஏழாயிரம் எட்டாயிரம் ஒன்பதாயிரம் பத்தாயிரம்"
VOWELS = {
    ord(letter): letter for block in (0x0B80, 0x0C00, 0x0C80, 0x0D00) for letter in map(chr, range(block + 5, block + 0x15))
}


def onto(stem: str, word: str) -> str:
    """A word written onto a stem that ends in the vowel a: a vowel takes its place as a sign."""
    if ord(word[0]) not in VOWELS:
        return stem + word
    sign = "" if ord(word[0]) & 0x7F == 5 else chr(ord(word[0]) + 0x38)
    return stem + sign + word[1:]


def begins_with_vowel(word: str) -> bool:
    return ord(word[0]) in VOWELS


def kannada(number: int, solid: bool) -> str:
    """ಇನ್ನೂರೈವತ್ತೊಂದು or ಇನ್ನೂರ ಐವತ್ತೊಂದು."""

    def after(stem: str, rest: int) -> str:
        return onto(stem, kannada(rest, solid)) if solid else f"{stem} {kannada(rest, solid)}"

    if number < 20:
        return KN.split()[number - 1] if number else "ಸೊನ್ನೆ"
    if number < 100:
        stem, unit = KN_TENS.split()[number // 10 - 2], number % 10
        return onto(stem, KN.split()[unit - 1]) if unit else stem + "ು"
    if number < 1000:
        stem = KN_HUNDREDS.split()[number // 100 - 1]
        return after(stem, number % 100) if number % 100 else stem + "ು"
    for scale, word in ((10**7, "ಕೋಟಿ"), (10**5, "ಲಕ್ಷ"), (1000, "ಸಾವಿರ")):
        if number >= scale:
            times = kannada(number // scale, solid) + ("" if solid else " ") if number >= 2 * scale or scale > 1000 else ""
            stem = times + word + ("ಯ" if scale == 10**7 else "ದ")
            return after(stem, number % scale) if number % scale else times + word
    raise AssertionError(number)


def malayalam(number: int, solid: bool) -> str:
    """ഇരുനൂറ്റമ്പത്തൊന്ന് or ഇരുനൂറ്റി അമ്പത്തിയൊന്ന്."""

    def after(stem: str, rest: int) -> str:
        word = malayalam(rest, solid)
        if not solid:
            return f"{stem}ി {word}"
        doubled = word[0] + "്" if word[0] in "പത" else ""
        return onto(stem, word) if begins_with_vowel(word) else f"{stem}ി{doubled}{word}"

    if number < 20:
        return ML.split()[number - 1] if number else "പൂജ്യം"
    if number < 100:
        stem, unit = ML_TENS.split()[number // 10 - 2], number % 10
        if not unit:
            return stem + "്"
        word, link = ML.split()[unit - 1], stem + ("്ത" if number < 90 else "്റ")
        if not begins_with_vowel(word):
            return link + "ി" + word
        return onto(link, word) if solid else onto(link + "ിയ", word)
    if number < 900:
        stem = ML_HUNDREDS.split()[number // 100 - 1]
        return after(stem + "്റ", number % 100) if number % 100 else stem + "്"
    if number < 1000:
        return after("തൊള്ളായിരത്ത", number % 100) if number % 100 else "തൊള്ളായിരം"
    if number < 11_000:
        word = ML_THOUSANDS.split()[number // 1000 - 1]
    elif number < 100_000:
        times, unit = malayalam(number // 1000, solid).removesuffix("്"), number // 1000 % 10
        word = onto(times + ("ിന" if unit in (0, 9) and times[-1] == "ത" else ""), "ആയിരം")
    else:
        scale = 10**7 if number >= 10**7 else 10**5
        times = "ഒരു" if number < 2 * scale else malayalam(number // scale, solid)
        word = times + " " + ("കോടി" if scale == 10**7 else "ലക്ഷം")
        if scale == 10**7:
            return f"{word} {malayalam(number % scale, solid)}" if number % scale else word
        return after(word.removesuffix("ം") + "ത്ത", number % scale) if number % scale else word
    return after(word.removesuffix("ം") + "ത്ത", number % 1000) if number % 1000 else word


def tamil(number: int, solid: bool) -> str:
    """இருநூற்றைம்பத்தொன்று or இருநூற்று ஐம்பத்து ஒன்று."""

    def after(stem: str, rest: int) -> str:
        word = tamil(rest, solid)
        if not solid:
            return f"{stem}ு {word}"
        doubled = word[0] + "்" if word[0] in "பத" else ""
        return onto(stem, word) if begins_with_vowel(word) else f"{stem}ு{doubled}{word}"

    if number < 20:
        return TA.split()[number - 1] if number else "பூஜ்ஜியம்"
    if number < 100:
        stem, unit = TA_TENS.split()[number // 10 - 2], number % 10
        return after(stem.removesuffix("த") + "த்த" if number < 90 else stem + "்ற", unit) if unit else stem + "ு"
    if number < 900:
        stem = TA_HUNDREDS.split()[number // 100 - 1]
        return after(stem + "்ற", number % 100) if number % 100 else stem + "ு"
    if number < 1000:
        return after("தொள்ளாயிரத்த", number % 100) if number % 100 else "தொள்ளாயிரம்"
    if number < 11_000:
        word = TA_THOUSANDS.split()[number // 1000 - 1]
    elif number < 100_000:
        word = onto(tamil(number // 1000, solid).removesuffix("ு"), "ஆயிரம்")
    else:
        scale = 10**7 if number >= 10**7 else 10**5
        times = "ஒரு" if number < 2 * scale else tamil(number // scale, solid)
        word = times + " " + ("கோடி" if scale == 10**7 else "லட்சம்")
        if scale == 10**7:
            return f"{word}யே {tamil(number % scale, solid)}" if number % scale else word
        return after(word.removesuffix("ம்") + "த்த", number % scale) if number % scale else word
    return after(word.removesuffix("ம்") + "த்த", number % 1000) if number % 1000 else word


def telugu(number: int, solid: bool) -> str:
    """రెండువందలయాభైఒకటి or రెండు వందల యాభై ఒకటి."""
    gap = "" if solid else " "
    if number < 20:
        return TE.split()[number - 1] if number else "సున్నా"
    if number < 100:
        ten, unit = TE_TENS.split()[number // 10 - 2], number % 10
        return f"{ten}{gap}{TE.split()[unit - 1]}" if unit else ten
    names = {
        100: ("వంద", "నూట", "వందల"),
        1000: ("వెయ్యి", "వెయ్యి", "వేల"),
        10**5: ("ఒక లక్ష", "ఒక లక్షా", "లక్షల"),
        10**7: ("ఒక కోటి", "ఒక కోటి", "కోట్ల"),
    }
    scale = max(scale for scale in names if scale <= number)
    one, one_before, many = names[scale]
    times, rest = divmod(number, scale)
    if times == 1:
        return f"{one_before}{gap}{telugu(rest, solid)}" if rest else one
    head = telugu(times, solid) + gap + many
    return f"{head}{gap}{telugu(rest, solid)}" if rest else head + "ు"


SPELL: dict[str, Spell] = {"kn": kannada, "ml": malayalam, "ta": tamil, "te": telugu}


@pytest.mark.parametrize("solid", [True, False], ids=["solid", "spaced"])
@pytest.mark.parametrize("tag", SPELL)
def test_every_number_to_ten_thousand_is_read_back(tag: str, solid: bool) -> None:
    words = {number: SPELL[tag](number, solid) for number in range(10_001)}
    assert {number: said for number, said in words.items() if read(said, grammar(tag)) != (number,)} == {}


@pytest.mark.parametrize("tag", SPELL)
def test_lakhs_and_crores_are_read_back(tag: str) -> None:
    rng = random.Random(20)
    numbers = [rng.randrange(10 ** rng.randint(4, 8), 10**9) for _ in range(500)] + [10**5, 10**7, 12_34_56_789]
    words = [(number, SPELL[tag](number, solid)) for number in numbers for solid in (True, False)]
    assert [(number, said) for number, said in words if read(said, grammar(tag)) != (number,)] == []


@pytest.mark.parametrize(
    ("tag", "said", "number"),
    [
        # Pairs of the tests of SMC's morphological analyser of Malayalam (mlmorph, tests/data.tsv and README).
        ("ml", "തൊള്ളായിരത്തിത്തൊണ്ണൂറ്റിയൊമ്പത്", 999),
        ("ml", "ആയിരത്തിത്തൊള്ളായിരത്തിത്തൊണ്ണൂറ്റിയൊമ്പത്", 1999),
        ("ml", "ഏഴായിരത്തിനാനൂറ്റിമുപ്പത്തിനാല്", 7434),
        ("ml", "അമ്പത്തെട്ടായിരത്തിനാനൂറ്റൊമ്പത്", 58_409),
        ("ml", "എഴുപത്തൊന്ന്", 71),
        ("ml", "പത്തുലക്ഷം", 1_000_000),
        ("ml", "രണ്ടുലക്ഷത്തിയൊന്ന്", 200_001),
        ("ml", "എഴുപതര", "70.5"),
        ("ml", "പതിനൊന്നര", "11.5"),
        # Spell-out rules of Unicode CLDR (rbnf).
        ("ml", "അഞ്ചായിരത്തിയഞ്ഞൂറ്റിരണ്ട്", 5502),
        ("kn", "ಒಂದು ಕೋಟಿಯ ಎರಡು", 10_000_002),
        ("te", "వెయ్యి ఒకటి", 1001),
        ("ta", "முப்பத்தேழு புள்ளி ஐந்து", "37.5"),
        ("te", "ఋణ రెండు", -2),
        ("ta", "எதிர்ம இரண்டு", -2),
    ],
)
def test_published_spellings_are_read(tag: str, said: str, number: int | str) -> None:
    assert read(said, grammar(tag)) == (Decimal(number),)


@pytest.mark.parametrize(
    ("tag", "said", "number"),
    [
        ("kn", "ಅರ್ಧ", "0.5"), ("kn", "ಕಾಲು", "0.25"), ("kn", "ಮುಕ್ಕಾಲು", "0.75"), ("kn", "ಒಂದೂವರೆ", "1.5"), ("kn", "ಎರಡೂವರೆ ಸಾವಿರ", "2500"),
        ("kn", "ಎರಡೂಕಾಲು", "2.25"), ("kn", "ಎರಡೂ ಮುಕ್ಕಾಲು", "2.75"), ("kn", "ಮೂವತ್ತೇಳೂವರೆ", "37.5"), ("kn", "ಒಂದೂವರೆ ಲಕ್ಷ", "150000"),
        ("ml", "അര", "0.5"), ("ml", "കാൽ", "0.25"), ("ml", "മുക്കാൽ", "0.75"), ("ml", "ഒന്നര", "1.5"), ("ml", "രണ്ടര ലക്ഷം", "250000"),
        ("ml", "രണ്ടേകാൽ", "2.25"), ("ml", "രണ്ടേമുക്കാൽ", "2.75"), ("ml", "മുപ്പത്തിയേഴര", "37.5"), ("ml", "തൊണ്ണൂറ്റെട്ടര", "98.5"),
        ("ta", "அரை", "0.5"), ("ta", "கால்", "0.25"), ("ta", "முக்கால்", "0.75"), ("ta", "ஒன்றரை", "1.5"), ("ta", "இரண்டரை லட்சம்", "250000"),
        ("ta", "இரண்டேகால்", "2.25"), ("ta", "இரண்டே முக்கால்", "2.75"), ("ta", "முப்பத்தேழரை", "37.5"),
        ("te", "అర", "0.5"), ("te", "పావు", "0.25"), ("te", "ముప్పావు", "0.75"), ("te", "ఒకటిన్నర", "1.5"), ("te", "రెండున్నర వేలు", "2500"),
        ("te", "రెండుంబావు", "2.25"), ("te", "రెండు ముప్పావు", "2.75"), ("te", "ముప్పై ఏడున్నర", "37.5"),
    ],
)  # fmt: skip
def test_halves_and_quarters(tag: str, said: str, number: str) -> None:
    assert read(said, grammar(tag)) == (Decimal(number),)


@pytest.mark.parametrize(
    ("tag", "said", "number"),
    [
        ("kn", "ಮೊದಲನೇ", 1), ("kn", "ಎರಡನೇ", 2), ("kn", "ಇಪ್ಪತ್ತೊಂದನೇ", 21), ("kn", "ನೂರನೇ", 100), ("kn", "ಎರಡು ಸಾವಿರನೇ", 2000),
        ("ml", "ഒന്നാം", 1), ("ml", "പത്താമത്തെ", 10), ("ml", "പത്തൊമ്പതാം", 19), ("ml", "നൂറാമത്", 100), ("ml", "പതിനായിരത്തിയൊന്നാമത്", 10_001),
        ("ml", "രണ്ടായിരാമത്തെ", 2000), ("ta", "இரண்டாயிரமாவது", 2000),
        ("ta", "முதலாவது", 1), ("ta", "இரண்டாவது", 2), ("ta", "பதினான்காவது", 14), ("ta", "இருபத்தொன்றாம்", 21),
        ("te", "మొదటి", 1), ("te", "రెండవ", 2), ("te", "ఇరవయ్యవ", 20), ("te", "ఇరవై ఒకటవ", 21), ("te", "వందవ", 100), ("te", "నూట రెండో", 102),
    ],
)  # fmt: skip
def test_ordinals(tag: str, said: str, number: int) -> None:
    pieces = [written(word) for word in said.split()]
    readings = [reading for end, reading in Parser(grammar(tag), pieces).readings(0) if end == len("".join(pieces))]
    assert {reading.value for reading in readings if reading.ordinal} == {number}
    assert read(said, grammar(tag)) == ()


@pytest.mark.parametrize(
    ("tag", "spellings", "number"),
    [
        ("kn", "ಇನ್ನೂರ ಐವತ್ತು|ಇನ್ನೂರಐವತ್ತು|ಇನ್ನೂರೈವತ್ತು|ಇನ್ನೂರಾ ಐವತ್ತು|ಎರಡು ನೂರ ಐವತ್ತು|ಇನ್ನೂರ 50", 250),
        ("kn", "ಇಪ್ಪತ್ಮೂರು|ಇಪ್ಪತ್ತ ಮೂರು|ಇಪ್ಪತ್ತು ಮೂರು|ಇಪ್ಪತ್ತ್ಮೂರು|ಇಪ್ಪತ್ತಮೂರು|ಟ್ವೆಂಟಿ ತ್ರೀ", 23),
        ("ml", "നൂറ്റമ്പത്|നൂറ്റി അമ്പത്|നൂറ്റിയമ്പത്|നൂറ്റി അൻപത്|നൂറ്റിയൻപതു", 150),
        ("ml", "ഇരുപത്തയ്യായിരം|ഇരുപത്തിയയ്യായിരം|ഇരുപത്തി അയ്യായിരം|ഇരുപത്തിയഞ്ചായിരം|25 ആയിരം", 25_000),
        ("ta", "நூற்றைம்பது|நூற்று ஐம்பது|நூத்தி அம்பது|நூற்றியைம்பது|நூற்றி ஐம்பது", 150),
        ("ta", "இருபத்தைந்தாயிரம்|இருபத்து ஐந்தாயிரம்|இருவத்தி அஞ்சாயிரம்|25 ஆயிரம்", 25_000),
        ("te", "నూట యాభై|నూటయాభై|ఒక వంద యాభై|నూట ఏభై|నూటయాబై", 150),
        ("te", "ఇరవై ఒకటి|ఇరవైఒకటి|ఇరవయ్యొకటి|ఇరవయి ఒకటి|ఇరవై ఒక్కటి|ట్వెంటీ వన్", 21),
        ("te", "వెయ్యి నూట పదహారు|వెయ్యిన్నూట పదహారు|వేయి నూట పదహారు", 1116),
        ("te", "రెండు వేల|రెండు వేలు|రెండువేలు", 2000),
    ],
)  # fmt: skip
def test_spellings_of_one_number(tag: str, spellings: str, number: int) -> None:
    assert {said: read(said, grammar(tag)) for said in spellings.split("|")} == dict.fromkeys(spellings.split("|"), (number,))


@pytest.mark.parametrize(
    ("tag", "said", "number"),
    [
        ("kn", "ಟ್ವೆಂಟಿ ಫೈವ್ ಥೌಸಂಡ್", 25_000), ("kn", "ಹಂಡ್ರೆಡ್", 100), ("kn", "ನೂರ ಟ್ವೆಂಟಿ", 120),
        ("ml", "ഫൈവ് ഹൺഡ്രഡ്", 500), ("ml", "ട്വന്റി ടൂ", 22), ("ta", "ஃபைவ் ஹண்ட்ரட்", 500), ("ta", "ட்வென்டி டூ", 22),
        ("te", "ఫైవ్ హండ్రెడ్", 500), ("te", "ట్వెంటీ టూ", 22), ("te", "two thousand five", 2005),
    ],
)  # fmt: skip
def test_english_words_of_code_mixed_speech(tag: str, said: str, number: int) -> None:
    assert read(said, grammar(tag)) == (number,)


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("kn", "ಎರಡು ಮೂರು|ಹತ್ತು ಎರಡು|ಐವತ್ತು ಐವತ್ತು|ಒಂದು ಎರಡು ನೂರು|ಯಾರು|ರವತ್ತು"),
        ("ml", "രണ്ട് മൂന്ന്|പത്ത് രണ്ട്|അമ്പത് അമ്പത്|ര|യാറ്|ഞ്ച്"),
        ("ta", "இரண்டு மூன்று|பத்து இரண்டு|ஐம்பது ஐம்பது|இருபது ஒன்று|வாறு|யாரு|ஒன்றும்|இரண்டும்"),
        ("te", "రెండు మూడు|పది రెండు|యాభై యాభై|వందలు|ర|వారు|యారు"),
    ],
)
def test_words_that_are_no_one_number_do_not_combine(tag: str, words: str) -> None:
    assert {said: read(said, grammar(tag)) for said in words.split("|")} == dict.fromkeys(words.split("|"), ())


@pytest.mark.parametrize("tag", SPELL)
def test_no_form_says_two_numbers(tag: str) -> None:
    """A written form stands for one value only, as a count or a half."""
    meant = {form: {row.value for row in rows if row.role in ("value", "fixed")} for form, rows in grammar(tag).forms.items()}
    assert {form: values for form, values in meant.items() if len(values) > 1} == {}


@pytest.mark.parametrize(
    ("tag", "spoken", "written_out"),
    [
        ("kn", "ಇನ್ನೂರೈವತ್ತು ರೂಪಾಯಿ", "250 ರೂಪಾಯಿ"), ("kn", "ಎರಡನೇ", "2ನೇ"), ("kn", "ಮೂವತ್ತೇಳೂವರೆ", "37.5"), ("kn", "ನೂರಾ ಇಪ್ಪತ್ತು ಬೈ ಎಂಬತ್ತು", "120/80"),
        ("kn", "ಇಪ್ಪತ್ತೆರಡು ಮೇ 2023", "22-05-2023"), ("kn", "ಐದು ಗಂಟೆಗೆ", "5:00 ಗಂಟೆಗೆ"),
        ("ml", "അഞ്ഞൂറ് മില്ലിഗ്രാം", "500 mg"), ("ml", "രണ്ട് മുതൽ മൂന്ന്", "2-3"), ("ml", "രണ്ടെണ്ണം", "2 എണ്ണം"), ("ml", "പത്തര മണിക്ക്", "10:30 മണിക്ക്"),
        ("ta", "நூற்றைம்பது ரூபாய்", "₹150"), ("ta", "இரண்டாவது", "2வது"), ("te", "రెండు వందల యాభై రూపాయలు", "₹250"), ("te", "రెండవ", "2వ"),
        ("te", "పదిన్నర గంటలకు", "10:30 గంటలకు"),
    ],
)  # fmt: skip
def test_words_and_digits_share_a_key(tag: str, spoken: str, written_out: str) -> None:
    said, digits = ({key for span in value_spans(tokenize(text), tag) for key in span.keys} for text in (spoken, written_out))
    assert said & digits


@pytest.mark.parametrize(("tag", "text"), [("kn", "ಯಾರು ಬಂದರು"), ("kn", "ಅರೆ ಹೌದಾ"), ("ta", "ஒன்றும் இல்லை"), ("ta", "இரண்டும்")])
def test_words_that_only_look_like_numbers_say_no_value(tag: str, text: str) -> None:
    assert value_spans(tokenize(text), tag) == []

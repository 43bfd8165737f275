"""Number words mean what grammars and dictionaries say, and every number spelled from the tables reads back as itself."""

import random
import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files

import pytest

from parakh.languages.number_tables import fold
from parakh.languages.number_words import Parser, grammar, numeral, read, written

# McGregor, Outline of Hindi Grammar, "Numerals": the tens and their irregular units, fractions (सवा, डेढ़, ढाई, पौने, साढ़े).
HINDI = {
    "शून्य": 0, "उन्नीस": 19, "उनतीस": 29, "उनासी": 79, "नवासी": 89, "निन्यानवे": 99, "पचहत्तर": 75, "एक सौ एक": 101,
    "दो सौ पचास": 250, "दोसौपचास": 250, "ढाई सौ": 250, "अढ़ाई सौ": 250, "डेढ़ सौ": 150, "सवा सौ": 125, "सवा तीन सौ": 325,
    "पौने दो सौ": 175, "साढ़े तीन हज़ार": 3500, "साढे तीन हजार": 3500, "डेढ़ लाख": 150000, "सवा लाख": 125000,
    "बारह सौ": 1200, "उन्नीस सौ सैंतालीस": 1947, "दो लाख पचास हज़ार": 250000, "एक करोड़ दो लाख तीन हज़ार चार सौ पाँच": 10203405,
    "2 लाख 50 हज़ार": 250000, "2.5 लाख": 250000, "5 सौ": 500, "सौ": 100, "तीन दशमलव पाँच": "3.5", "अट्ठानवे पॉइंट छह": "98.6",
    "तीन दशमलव दो पाँच": "3.25", "शून्य दशमलव पाँच": "0.5", "सवा दो": "2.25", "पौने तीन": "2.75", "साढ़े दस": "10.5", "ढाई": "2.5",
    "माइनस पाँच": -5, "फाइव हंड्रेड": 500, "फिफ्टी फाइव": 55, "five सौ": 500, "१२": 12, "1,00,000": 100000,
}  # fmt: skip
# Oxford English Dictionary, s.vv. lakh, crore, hundred.
ENGLISH = {
    "twenty-five": 25, "one hundred and five": 105, "a hundred": 100, "two lakh fifty thousand": 250000, "one crore": 10**7,
    "twelve hundred": 1200, "two hundred fifty thousand": 250000, "two and a half lakh": 250000, "three point one four": "3.14",
    "minus five": -5, "one million two hundred thousand": 1200000,
}  # fmt: skip
# Marathi: Dhongde and Wali, Marathi (2009), numerals: -शे for the hundreds, शंभर alone; अडीच, दीड, साडे, पावणे.
MARATHI = {
    "शंभर": 100, "एकशे एक": 101, "दोनशे पन्नास": 250, "अडीचशे": 250, "दीडशे": 150, "सव्वाशे": 125, "साडेतीनशे": 350,
    "पावणे दोनशे": 175, "एकोणपन्नास": 49, "नव्व्याण्णव": 99, "त्र्याहत्तर": 73, "चौऱ्याण्णव": 94, "चौर्‍याण्णव": 94, "एक कोटी": 10**7,
}  # fmt: skip
# Gujarati: Cardona, A Gujarati Reference Grammar (1965), numerals; બસો is બે before સો.
GUJARATI = {
    "બસો પચાસ": 250, "અઢીસો": 250, "દોઢસો": 150, "સવા સો": 125, "સાડા ત્રણ હજાર": 3500, "પોણા બસો": 175, "ઓગણીસ": 19,
    "નવ્વાણું": 99, "નવ્વાણુ": 99, "એંસી": 80,
}  # fmt: skip
# Bengali: Thompson, Bengali (2012), numerals; দেড়, আড়াই, সাড়ে, পৌনে; দু before শো.
BENGALI = {
    "দুশো পঞ্চাশ": 250, "আড়াইশো": 250, "দেড়শো": 150, "সাড়ে তিন হাজার": 3500, "পৌনে দুই": "1.75", "একশত এক": 101,
    "ঊনআশি": 79, "নিরানব্বই": 99, "আটাশ": 28, "এক কোটি": 10**7, "দু'শ": 200,
}  # fmt: skip
# Schmidt, Urdu (1999); Bhatia, Punjabi (1993); Acharya, Nepali (1991); Neukom and Patnaik, Oriya (2003); Goswami and Tamuli, Asamiya.
URDU = {"ڈھائی سو": 250, "دو سو پچاس": 250, "ساڑھے تین ہزار": 3500, "پانچ": 5, "ننانوے": 99, "سوا سو": 125, "انتيس": 29}
PUNJABI = {"ਢਾਈ ਸੌ": 250, "ਡੇਢ ਲੱਖ": 150000, "ਸਾਢੇ ਤਿੰਨ ਹਜ਼ਾਰ": 3500, "ਇਕੱਨਵੇਂ": 91, "ਇਕਾਨਵੇਂ": 91, "ਪੰਜਾਹ": 50, "ਸੱਤ": 7}
NEPALI = {"दुई सय पचास": 250, "डेढ सय": 150, "साढे तीन हजार": 3500, "उनान्सय": 99, "पैंतालिस": 45}
ODIA = {"ଅଢ଼େଇ ଶହ": 250, "ଶହେ": 100, "ଏକୋଇଶ": 21, "ସାଢ଼େ ତିନି ହଜାର": 3500}
ASSAMESE = {"দুশ পঞ্চাশ": 250, "আঢ়ৈশ": 250, "এশ এক": 101, "নিৰানব্বৈ": 99, "দুহেজাৰ": 2000, "এক নিযুত": 1000000}
LANGUAGES = {
    "hi": HINDI, "en": ENGLISH, "mr": MARATHI, "gu": GUJARATI, "bn": BENGALI, "ur": URDU, "pa": PUNJABI, "ne": NEPALI, "or": ODIA,
    "as": ASSAMESE,
}  # fmt: skip


@pytest.mark.parametrize(("tag", "words"), [(tag, words) for tag, table in LANGUAGES.items() for words in table])
def test_words_mean_what_grammars_say(tag, words):
    assert read(words, grammar(tag)) == (Decimal(LANGUAGES[tag][words]),)


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("hi", "दो तीन"), ("hi", "दो दो"), ("hi", "एक दो"), ("hi", "एक सौ दो सौ"), ("hi", "5 20"), ("hi", "पाँच सौ हज़ार"),
        ("hi", "बीस पाँच"), ("hi", "दवा"), ("hi", ""), ("hi", "दशमलव"), ("en", "five twenty"), ("mr", "शे"), ("bn", "দুই তিন"),
        ("gu", "બે ત્રણ"), (None, "दो सौ"),
    ],
)  # fmt: skip
def test_words_that_are_not_one_number_do_not_combine(tag, words):
    assert read(words, grammar(tag)) == ()


@pytest.mark.parametrize(
    ("tag", "words", "value"),
    [
        ("hi", "पाँचवाँ", 5), ("hi", "पांचवीं", 5), ("hi", "5 वें", 5), ("hi", "पहली", 1), ("hi", "दो सौ पचासवाँ", 250),
        ("en", "22 nd", 22), ("en", "twenty first", 21), ("mr", "सहावा", 6), ("gu", "પાંચમો", 5), ("bn", "পঞ্চম", 5),
        ("ur", "پانچواں", 5), ("pa", "ਪੰਜਵਾਂ", 5), ("ne", "पाँचौँ", 5), ("or", "ଦଶମ", 10), ("as", "পঞ্চম", 5),
    ],
)  # fmt: skip
def test_ordinals(tag, words, value):
    pieces = [written(word) for word in words.split()]
    whole = sum(map(len, pieces))
    found = [reading for end, reading in Parser(grammar(tag), pieces).readings(0) if end == whole]
    assert {(reading.value, reading.ordinal) for reading in found} == {(value, True)}


def test_digits_need_a_legal_grouping():
    legal = {
        "1,00,000": 100000,
        "100,000": 100000,
        "12,34,567": 1234567,
        "-5": -5,
        "1.50": Decimal("1.5"),
        "½": Decimal("0.5"),
        "௰": 10,
    }
    assert {text: numeral(text) for text in legal} == legal
    assert [numeral(text) for text in ("3,4", "1,00", "22.05.2023", "10:30", "x", "१,२")] == [None] * 6


def test_spellings_that_vary_freely_are_one():
    for one, other in (("पाँच", "पांच"), ("साढ़े", "साढे"), ("पन्द्रह", "पंद्रह"), ("चौर्‍या", "चौऱ्या"), ("দু'শ", "দু’শ")):
        assert fold(one) == fold(other)
    assert len({fold("सात"), fold("साठ"), fold("सत्तर"), fold("सत्रह")}) == 4


@cache
def table_of(tag):
    return tomllib.loads((files("parakh.languages") / "numbers" / f"{tag}.toml").read_text("utf-8"))


def spell(number, tag):
    """A speller of its own: crores, lakhs, thousands, hundreds and the rest, each with the table's first form."""
    table = table_of(tag)
    values, words = table["values"], []
    for scale in (10**7, 10**5, 1000):
        count, number = divmod(number, scale)
        if count:
            entry = table["scales"][str(scale)]
            words += [below_hundred(count, table), (entry.get("before") if number and entry.get("before") else entry["final"])[0]]
    hundreds, rest = divmod(number, 100)
    if hundreds:
        entry = table["scales"]["100"]
        times = table.get("times", {}).get(str(hundreds), values[str(hundreds)]) if tag != "en" else values[str(hundreds)]
        alone = tag == "mr" and hundreds == 1 and not rest
        words += [entry["final"][0]] if alone else [times[0], (entry.get("joined") or entry["final"])[0]]
    return " ".join([*words, below_hundred(rest, table)] if rest or not words else words)


def below_hundred(number, table):
    values = table["values"]
    if str(number) in values:
        return values[str(number)][0]
    return f"{table['before'][str(number // 10 * 10)][0]} {values[str(number % 10)][0]}"


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_number_reads_back(tag):
    rng = random.Random(7)
    known = grammar(tag)
    all_of_them = range(10_001) if tag in {"hi", "mr", "gu", "bn"} else (*range(1001), *range(1001, 10_001, 7))
    for number in (*all_of_them, *(rng.randrange(10**9) for _ in range(1000))):
        words = spell(number, tag)
        assert read(words, known) == (number,), words
        if number % 5 == 0:
            assert read(words.replace(" ", ""), known) == (number,), words


@pytest.mark.parametrize("tag", LANGUAGES)
def test_no_form_says_two_values(tag):
    """A form of a table that says two numbers below 100 would make either wrong."""
    ambiguous = {
        form: sorted(values)
        for form, rows in grammar(tag).forms.items()
        if len(values := {row.value for row in rows if row.role == "value"}) > 1
    }
    assert ambiguous == {}

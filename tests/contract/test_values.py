"""The same value, however it is written: which stretches of two texts share a key, and which must not."""

import csv
import time
from decimal import Decimal
from pathlib import Path

import pytest

from parakh.languages.values import ValueSpan, value_of, value_spans
from parakh.text.tokens import tokenize

VECTORS = Path(__file__).parents[2] / ".." / "shared" / "data" / "indic-vectors.tsv"


def spans(text: str, tag: str | None = "hi") -> list[ValueSpan]:
    return value_spans(tokenize(text), tag)


def keys(text: str, tag: str | None = "hi") -> dict[str, tuple[str, ...]]:
    tokens = tokenize(text)
    return {" ".join(token.text for token in tokens[span.start : span.stop]): span.keys for span in value_spans(tokens, tag)}


def whole(text: str, tag: str | None = "hi") -> set[str]:
    """The keys of the whole text as one value."""
    return {key for span in spans(text, tag) if span.start == 0 and span.stop == len(tokenize(text)) for key in span.keys}


SAME = [
    ("250", "२५०"), ("250", "೨೫೦"), ("250", "ढाई सौ"), ("250", "दो सौ पचास"), ("250", "दोसौ पचास"), ("150", "डेढ़ सौ"),
    ("3,500", "साढ़े तीन हज़ार"), ("1,00,000", "100,000"), ("1,00,000", "एक लाख"), ("1.50", "1.5"), ("-5", "माइनस पाँच"),
    ("-5", "−5"), ("2,50,000", "2 लाख 50 हज़ार"), ("2.5 लाख", "ढाई लाख"), ("98.6", "अट्ठानवे पॉइंट छह"), ("½", "आधा"), ("1/2", "आधी"),
    ("22.05.2023", "22/5/2023"), ("2023-05-22", "22-05-2023"), ("22 मई 2023", "22.05.2023"), ("22nd May, 2023", "22/05/2023"),
    ("२२/५/२०२३", "22.05.2023"), ("22 मई दो हज़ार तेईस", "22.05.2023"), ("May 22, 2023", "2023-05-22"), ("22 मई", "22 May"),
    ("5/22/2023", "22.05.2023"), ("22.05.23", "22/5/23"), ("मई 2023", "05/2023"), ("10:30", "साढ़े दस"), ("10:30", "10.30"), ("10:15", "सवा दस"),
    ("10:45", "पौने ग्यारह"), ("10:30", "10 बजकर 30 मिनट"), ("10:30", "दस बजके तीस"), ("2:30", "ढाई"), ("10:30", "half past ten"),
    ("₹250", "250 रुपये"), ("₹250", "Rs 250"), ("₹250", "Rs. 250"), ("₹250", "रु. 250"), ("₹250", "ढाई सौ रुपये"),
    ("₹2.5 लाख", "2,50,000 रुपये"), ("$5", "पाँच डॉलर"), ("120/80", "120 by 80"), ("120/80", "120 बटा 80"), ("120/80", "120 over 80"),
    ("120/80", "एक सौ बीस बटा अस्सी"), ("2-3", "दो-तीन"), ("2–3", "दो से तीन"), ("1-0-1", "एक-शून्य-एक"), ("5वाँ", "पाँचवाँ"),
    ("5th", "पाँचवीं"), ("fifth", "5वें"), ("98765 43210", "9876543210"), ("98765-43210", "नौ आठ सात छह पाँच चार तीन दो एक शून्य"),
    ("98765", "9 8 7 6 5"), ("98765", "नौ आठ सात छह पाँच"), ("998765", "डबल नौ आठ सात छह पाँच"), ("9876543210", "अट्ठानवे छिहत्तर चौवन बत्तीस दस"), ("twenty-five", "पच्चीस"),
    ("0.5", ".5"), ("-.5", "-0.5"), ("२.५", "2½"), ("1½", "डेढ़"), ("1 ½", "1.5"), ("1 1/2", "डेढ़"), ("2½", "two and a half"), ("⅓", "1/3"),
    ("22.05.2023", "22.05.23"), ("4/28/07", "4/28/2007"), ("22 May 07", "22/5/2007"), ("22/5/07", "22 मई 07"), ("4थी", "चौथी"), ("2रा", "दूसरा"),
    ("6ठे", "छठे"), ("50%", "50 प्रतिशत"), ("₹250", "ರೂ 250"),
]  # fmt: skip
DIFFERENT = [
    ("250", "205"), ("3500", "साढ़े तीन सौ"), ("22.05.2023", "23.05.2023"), ("23", "दो तीन"), ("34", "3,4"), ("98.6", "98 6"), ("-5", "5"),
    ("22.05.1923", "22.05.2023"), ("22.05.24", "22.05.2023"), ("22.06.23", "22.05.2023"), ("10.30", "साढ़े दस"), ("10:30", "10:03"), ("₹250", "$250"), ("₹250", "205 रुपये"), ("120/80", "80/120"),
    ("2-3", "दो तीन"), ("2-3", "3-2"), ("5", "पाँचवाँ"), ("10:30", "साढ़े ग्यारह"), ("250", "25.0"), ("9876543210", "98765 43211"),
    ("1,00", "100"), ("32.05.2023", "32/5/2023"), ("5", "पाँच-छह"), ("3:30", "तीन दशमलव पाँच"), ("10:30", "10.5"),
    (".5", "5"), ("1½", "1/2"), ("1/2", "1-2"), ("2 0.5", "2.5"), ("दो ½", "2.5"), ("9 8 7 6", "9876"), ("4 थी", "चौथी"), ("4री", "चौथी"), ("2-3", "2 3"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_value(one, other):
    assert whole(one) & whole(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_value(one, other):
    assert not whole(one) & whole(other)


@pytest.mark.parametrize(
    ("tag", "one", "other"),
    [
        ("mr", "अडीचशे रुपये", "₹250"), ("mr", "साडे दहा", "10:30"), ("mr", "दहा वाजून तीस मिनिटे", "10:30"), ("mr", "दोन ते तीन", "2-3"),
        ("gu", "અઢીસો રૂપિયા", "₹250"), ("gu", "સાડા દસ", "10:30"), ("gu", "બે થી ત્રણ", "2-3"), ("gu", "એક સો વીસ બાય એંસી", "120/80"),
        ("bn", "আড়াইশো টাকা", "₹250"), ("bn", "দশটা", "১০টা"), ("bn", "দুটো", "2 টি"), ("bn", "সাড়ে দশটায়", "10:30"), ("bn", "২২শে মে ২০২৩", "22.05.2023"),
        ("mr", "चौथा", "4था"), ("mr", "पहिला", "1ला"), ("bn", "চতুর্থ", "৪র্থ"), ("gu", "ચોથો", "4થો"),
        ("kn", "ಶೇಕಡಾ 50", "50%"), ("kn", "ಶೇಕಡ ಐವತ್ತು", "50%"), ("bn", "শতকরা ৫০", "50%"), ("kn", "ರೂ. 250", "₹250"),
        ("en", "two hundred and fifty rupees", "₹250"), (None, "five hundred", "500"), ("xx", "२५०", "250"),
    ],
)  # fmt: skip
def test_the_same_value_in_other_languages(tag, one, other):
    assert whole(one, tag) & whole(other, tag)


def alike(text: str, tag: str) -> set[str]:
    """The keys by which the whole text may stand for another in writing."""
    return {key for span in spans(text, tag) if span.start == 0 and span.stop == len(tokenize(text)) for key in span.alike}


@pytest.mark.parametrize(
    ("tag", "one", "other", "same"),
    [
        ("hi", "पहला", "पहली", False), ("hi", "पहला", "1st", True), ("hi", "पाँचवाँ", "5वाँ", True), ("hi", "पाँचवीं", "5वाँ", False),
        ("hi", "पाँचवाँ", "5th", True), ("hi", "आधा", "आधी", False), ("hi", "आधी", "1/2", True), ("hi", "आधा", "0.5", True),
        ("hi", "ढाई सौ", "250", True), ("hi", "छह", "छः", True), ("bn", "একটা", "একটি", False), ("bn", "দশটা", "১০টা", True),
        ("kn", "ಐದನೇ", "5ನೇ", True), ("hi", "चौथा", "4थी", False),
        ("hi", "चौथी", "4थी", True), ("en", "first", "1st", True),
    ],
)  # fmt: skip
def test_words_that_only_differ_in_inflection_are_not_alike(tag, one, other, same):
    assert bool(alike(one, tag) & alike(other, tag)) is same
    assert whole(one, tag) & whole(other, tag)


def test_a_number_is_never_part_of_a_larger_one():
    assert keys("दो सौ पचास") == {"दो सौ पचास": ("n:250",)}
    assert keys("एक सौ दो सौ") == {"एक सौ": ("n:100",), "दो सौ": ("n:200",)}


def test_numbers_that_do_not_combine_stand_each_for_themselves():
    assert [(span.start, span.stop, span.keys) for span in spans("दो दो गोली")] == [(0, 1, ("n:2",)), (1, 2, ("n:2",))]
    assert [span.keys for span in spans("दो, तीन दिन")] == [("n:2",), ("n:3",)]


def test_of_equally_short_cuts_the_one_with_fewer_bare_scale_words_counts():
    assert keys("पाँच सौ पचास हज़ार") == {"पाँच सौ": ("n:500",), "पचास हज़ार": ("n:50000",)}
    assert keys("सौ दो सौ") == {"सौ": ("n:100",), "दो सौ": ("n:200",)}


def test_times_of_plain_numbers_need_a_word_for_it():
    assert keys("10.30 बजे")["10.30"] == ("n:10.3", "t:10:30")
    assert keys("10.30 पर")["10.30"] == ("n:10.3", "s:10:30")
    assert keys("दस बजे")["दस"] == ("n:10", "t:10:00")
    assert "t:10:30" in keys("ten thirty am")["ten thirty"]


def test_units_count_only_beside_a_number():
    assert keys("500 एमजी")["एमजी"] == keys("500mg")["mg"] == keys("पाँच सौ मिलीग्राम")["मिलीग्राम"] == ("u:mg",)
    assert keys("50 %")["%"] == keys("पचास प्रतिशत")["प्रतिशत"] == keys("50 percent")["percent"] == ("u:%",)
    assert keys("100°F")["° F"] == keys("100 डिग्री")["डिग्री"]
    assert keys("मिलीग्राम और प्रतिशत") == {}


@pytest.mark.parametrize(
    ("tag", "beside", "reading"),
    [
        ("hi", "2.15 mg", "2.15"), ("hi", "डेढ़ गोली", "डेढ़"), ("hi", "ढाई किलो", "ढाई"), ("hi", "सवा दो किलो", "सवा दो"), ("kn", "ಒಂದೂವರೆ ಮಾತ್ರೆ", "ಒಂದೂವರೆ"),
        ("en", "10.30 kg", "10.30"), ("hi", "₹10.30", "10.30"), ("hi", "रु. 10.30", "10.30"), ("hi", "10.30 रुपये", "10.30"), ("hi", "10.30%", "10.30"),
        ("kn", "ಶೇಕಡಾ 10.30", "10.30"), ("hi", "2.15 मि.ग्रा.", "2.15"), ("bn", "দেড়টা ট্যাবলেট", "দেড়টা"), ("te", "10.30 మాత్రలు", "10.30"),
    ],
)  # fmt: skip
def test_a_number_with_a_unit_is_no_time(tag, beside, reading):
    assert [key for key in keys(beside, tag)[reading] if key[0] in "ts"] == []


@pytest.mark.parametrize(
    ("tag", "text", "reading", "time"),
    [
        ("hi", "साढ़े दस", "साढ़े दस", "t:10:30"), ("hi", "साढ़े दस तक", "साढ़े दस", "t:10:30"), ("hi", "साढ़े दस बजे", "साढ़े दस", "t:10:30"),
        ("kn", "10.30 ಗಂಟೆಗೆ", "10.30", "t:10:30"), ("en", "10.30 am", "10.30", "t:10:30"), ("hi", "5 mg . साढ़े दस", "साढ़े दस", "t:10:30"),
        ("hi", "50 रुपये, साढ़े दस", "साढ़े दस", "t:10:30"),
    ],
)  # fmt: skip
def test_a_number_without_a_unit_may_be_a_time(tag, text, reading, time):
    assert time in keys(text, tag)[reading]


@pytest.mark.parametrize(
    ("tag", "written", "unit"),
    [
        ("kn", "5 ಎಂ.ಜಿ.", "mg"), ("hi", "5 एम.जी.", "mg"), ("hi", "5 मि.ग्रा.", "mg"), ("en", "5 m.g.", "mg"), ("hi", "5 मि.ली.", "ml"), ("hi", "5 कि.ग्रा.", "kg"),
        ("ta", "5 மி.கி.", "mg"), ("te", "5 మి.గ్రా.", "mg"), ("ml", "5 മി.ഗ്രാം", "mg"), ("en", "5 \u00b5g", "mcg"), ("en", "5 \u03bcg", "mcg"),
        ("hi", "5 लीटर", "litre"), ("hi", "5L", "litre"), ("en", "5 l", "litre"), ("en", "2 tbsp", "tablespoon"), ("en", "2 tablespoons", "tablespoon"),
        ("hi", "2 बड़े चम्मच", "tablespoon"), ("en", "2 tsp", "spoon"), ("en", "2 teaspoons", "spoon"), ("hi", "2 चम्मच", "spoon"),
    ],
)  # fmt: skip
def test_units_however_written(tag, written, unit):
    tokens = tokenize(written)
    assert [span.keys for span in value_spans(tokens, tag) if (span.start, span.stop) == (1, len(tokens))] == [(f"u:{unit}",)]


def test_dots_make_a_unit_only_of_its_parts():
    assert "ಎಂ . ಜಿ" in keys("5 ಎಂ.ಜಿ. ತಗೋ", "kn")
    assert not any("ತಗೋ" in text for text in keys("5 ಎಂ.ಜಿ.ತಗೋ 5 ಎಂಜಿ.ತಗೋ", "kn"))
    assert "mg ." not in keys("5 mg.", "en")


def test_the_kinds_of_what_slash_and_dash_join():
    assert [(span.kind, span.keys) for span in spans("1/2") if (span.start, span.stop) == (0, 3)] == [
        ("ratio", ("r:1/2", "n:0.5", "d:--02-01"))
    ]
    assert [(span.kind, span.keys) for span in spans("1-2") if (span.start, span.stop) == (0, 3)] == [("range", ("g:1-2",))]


def test_money_belongs_to_the_number_it_follows():
    assert keys("50 रुपये 2 बार") == {"50": ("n:50",), "50 रुपये": ("c:INR:50",), "2": ("n:2",)}


def test_kinds():
    text = "₹250 50% 5वाँ 22.05.2023 10:30 120/80 2-3 5 mg 98765 43210"
    kinds = {"currency", "number", "percent", "ordinal", "date", "time", "ratio", "range", "unit", "digits", "link"}
    assert {span.kind for span in spans(text)} == kinds


def test_text_without_numbers_has_none():
    assert spans("बच्चे को बुखार है, दवा मत दो ना") == [ValueSpan(7, 8, ("n:2",), "number", ("n:2",))]
    assert spans("बच्चे को बुखार है, दवा मत लो") == []
    assert spans("") == []


def test_the_factor_of_a_changed_number():
    assert value_of(spans("25")[0].keys) / value_of(spans("ढाई सौ")[0].keys) == Decimal("0.1")
    assert value_of(whole("₹250")) == 250
    assert value_of(("d:2023-05-22",)) is None


def test_words_that_only_look_like_numbers_are_none():
    assert spans("અહીં બેસો", "gu") == []  # "sit here"; 200 is બસો, or બે સો in two words
    assert keys("બે સો", "gu") == {"બે સો": ("n:200",)}
    assert [span for span in spans("સારું પામી", "gu") if span.kind == "ordinal"] == []  # પા is a quarter, મી makes ordinals


def test_long_runs_stay_fast():
    tokens = tokenize("नौ आठ सात सौ छह हज़ार पाँच " * 500)
    started = time.process_time()
    found = value_spans(tokens, "hi")
    assert len(found) > 1000
    assert time.process_time() - started < 20


def vectors() -> list[dict[str, str]]:
    with VECTORS.open(encoding="utf-8") as table:
        return [row for row in csv.DictReader(table, delimiter="\t") if "v067" < row["id"] < "v102"]


@pytest.mark.skipif(not VECTORS.exists(), reason="the vectors of Indic scoring are not here")
def test_vectors():
    """A vector with format events has a stretch on each side with a common key."""
    rows = [row for row in vectors() if row["format_events"] != "0"]
    assert len(rows) >= 20
    for row in rows:
        one = {key for span in spans(row["ref"], row["lang"]) for key in span.keys}
        other = {key for span in spans(row["hyp"], row["lang"]) for key in span.keys}
        assert one & other, row["id"]

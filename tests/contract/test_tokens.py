"""Tokens: words keep their signs, numerals their separators, and every other mark stands alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.text.tokens import INVISIBLE, Kind, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("हिन्दी में दर्द है।", ["हिन्दी", "में", "दर्द", "है", "।"]),
        ("क्\u200dष ನನ್ಮ್ಮ അവന്\u200d", ["क्\u200dष", "ನನ್ಮ್ಮ", "അവന്\u200d"]),
        ("भाई-साहब don't", ["भाई-साहब", "don't"]),
        ("500mg B12 H1N1", ["500", "mg", "B", "12", "H", "1", "N", "1"]),
        ("22.05.2023 22/5/2023 2023-05-22", ["22.05.2023", "22/5/2023", "2023-05-22"]),
        ("10:30 10.30 98.6", ["10:30", "10.30", "98.6"]),
        ("1,00,000 100,000 12,34,567.5", ["1,00,000", "100,000", "12,34,567.5"]),
        ("3,4 120/80 2-3", ["3", ",", "4", "120", "/", "80", "2", "-", "3"]),
        ("-5 (-5) x-5", ["-5", "(", "-5", ")", "x", "-", "5"]),
        ("₹250 50%", ["₹", "250", "50", "%"]),
        ("दु:ख नाम: xMERGE:y", ["दु:ख", "नाम", ":", "xMERGE", ":", "y"]),
        ("क\u00a0ख \u200b \ufeff", ["क", "ख"]),
        ("है... “हाँ”", ["है", ".", ".", ".", "“", "हाँ", "”"]),
        ("take .5 mg (.25) $.50", ["take", ".5", "mg", "(", ".25", ")", "$", ".50"]),
        (".५ ೧.೫ -.5", [".५", "೧.೫", "-.5"]),
        ("है.5 x.5 ).5 ...5", ["है", ".", "5", "x", ".", "5", ")", ".", "5", ".", ".", ".", "5"]),
        ("10:30-11:30 10:30:5", ["10:30", "-", "11:30", "10", ":", "30", ":", "5"]),
        (".22.05.2023", [".", "22.05.2023"]),
        ("1½ १½ ½ 1 ½", ["1½", "१½", "½", "1", "½"]),
        ("", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == tokens


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("गोली", Kind.LEXICAL),
        ("२५०", Kind.NUMERAL),
        ("௰", Kind.NUMERAL),
        ("₹", Kind.NUMERAL),
        ("۔", Kind.PUNCT),
        ("_", Kind.PUNCT),
    ],
)
def test_kinds(text: str, kind: Kind) -> None:
    assert [token.kind for token in tokenize(text)] == [kind]


@given(st.text())
def test_nothing_visible_is_lost(text: str) -> None:
    tokens = tokenize(text)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    left = "".join(text[a:b] for a, b in zip([0, *(t.end for t in tokens)], [*(t.start for t in tokens), len(text)], strict=True))
    assert not [sign for sign in left if not sign.isspace() and sign not in INVISIBLE]

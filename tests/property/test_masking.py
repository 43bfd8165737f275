"""No personal number is ever printed unmasked."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from parakh import qc
from parakh.qc import Material, Settings, Source
from parakh.text.masking import masked
from parakh.text.personal import find, verhoeff
from parakh.types import Entry, Recording, Segment, Speaker, Summary, Topics

ZEROS = [ord(first) for first in "0०০੦૦୦௦౦೦൦٠۰\uff10"]
FILLING = st.sampled_from(
    ["", " ", "-", " - ", "\u200b", "\u00a0", "\u200c ", " <noise> ", ".", "\u2013", "  ", "\u2011", "[x]", "।", "_"]
)
WORDS = st.text(alphabet="abc कखಗ,.।:<>[]()@/-_\n\u200d", max_size=12)


@st.composite
def numbers(draw: st.DrawFn) -> tuple[str, str]:
    """A telephone or Aadhaar number as ASCII digits, and as somebody writes it: in any script, grouped by one separator."""
    if draw(st.booleans()):
        digits = draw(st.sampled_from("6789")) + draw(st.text("0123456789", min_size=9, max_size=9))
        shape = draw(st.sampled_from([(10,), (5, 5), (3, 3, 4), (4, 3, 3), (4, 6)]))
    else:
        head = draw(st.sampled_from("23456789")) + draw(st.text("0123456789", min_size=10, max_size=10))
        digits = next(head + last for last in "0123456789" if verhoeff(head + last))
        shape = draw(st.sampled_from([(12,), (4, 4, 4)]))
    zero, gap = draw(st.sampled_from(ZEROS)), draw(FILLING)
    groups, at = [], 0
    for length in shape:
        groups.append("".join(chr(zero + int(digit)) for digit in digits[at : at + length]))
        at += length
    return digits, gap.join(groups)


def digits_in(text: str) -> str:
    return "".join(str(unicodedata.decimal(sign)) for sign in text if sign.isdecimal())


@given(numbers(), WORDS, WORDS)
def test_two_digits_of_a_number_are_left_at_most(number: tuple[str, str], before: str, after: str) -> None:
    digits, text = number
    shown = masked(f"{before} {text} {after}")
    assert len(shown) == len(f"{before} {text} {after}")
    left = digits_in(shown)
    assert len(left) <= 2
    assert digits.endswith(left)


@given(numbers())
def test_a_number_with_an_ending_written_onto_it(number: tuple[str, str]) -> None:
    assert len(digits_in(masked(f"{number[1]}वां"))) <= 2


@given(st.text())
def test_masking_keeps_the_length_and_is_done_once(text: str) -> None:
    once = masked(text)
    assert len(once) == len(text)
    assert masked(once) == once
    assert not re.search(r"\d{7,}", once) or re.search(r"(?:19|20)\d{6}|[0-9a-f]{64}| (?:bytes|samples|frames|Hz|ms)\b", once)


@given(st.text())
def test_what_is_found_lies_in_the_text_and_does_not_overlap(text: str) -> None:
    end = 0
    for one in find(text, name=True, strict=False):
        assert end <= one.start < one.end <= len(text)
        end = one.end


@given(numbers(), st.text(alphabet="abकಗ<> |।@", max_size=8))
def test_no_finding_of_any_check_of_text_shows_a_number(number: tuple[str, str], around: str) -> None:
    digits, text = number
    text = f"{around} {text} {around}"
    segments = [
        Segment("v1", text, 1.0, 2.0, words, forms=(words,))
        for words in (text, f"मेरा नाम {text}", f"<{text}> [{text}] <{text}", f"क{text}a")
    ]
    entry = Entry(
        Recording(text, f"{text}.wav", language="hi", metadata={text: text}), {"rttm": text}, (Speaker(text, text, person=text),)
    )
    material = Material(
        entry,
        transcript=Source("t", segments),
        native=Source("n", segments[1:]),
        topics=Source("o", [Topics("v1", (text,))]),
        summary=Source("s", [Summary("v1", text)]),
    )
    for code, check in qc.all_checks().items():
        if check.recording and code[:4] in ("QC11", "QC12", "QC22", "QC30"):
            for finding in check.findings(material, Settings()):
                assert digits[:-2] not in digits_in(re.sub(r"at \d+\.\d+ s|U\+[0-9A-F]+", "", finding.message)), (
                    code,
                    finding.message,
                )

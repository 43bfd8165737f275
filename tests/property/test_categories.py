"""Lists of terms against whatever is written in them, and the finder against a plain search of every term at every place."""

from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.diagnostics.categories import find_terms, parse_terms, read_terms
from parakh.errors import InputError
from parakh.text.tokens import tokenize

SIGNS = "ab*.|=#@: \t\u0915\u093c\u094d\u093f\u200d\ufeff1/-()[]{}\\+?^$"
LINES = st.one_of(
    st.text(SIGNS, max_size=12),
    st.text(max_size=12),
    st.builds("REGEX: {}".format, st.text(SIGNS + "dsw<>!", max_size=8)),
    st.builds(
        "@{}: {}".format, st.sampled_from(["name", "category", "case_sensitive", "language", "x"]), st.text(SIGNS, max_size=4)
    ),
)
Read = TypeVar("Read")
WORDS = ["a", "b", "ab", "abc", "."]


def read_or_refused(read: Callable[[], Read]) -> tuple[Read | None, list[str]]:
    """What is read, or the faults that are told; any other exception is a crash."""
    try:
        return read(), []
    except InputError as error:
        return None, [str(fault) for fault in error.faults]


@given(st.lists(LINES, max_size=4), st.text(SIGNS, max_size=20))
def test_a_list_is_read_or_refused(lines: list[str], text: str) -> None:
    category, faults = read_or_refused(lambda: parse_terms("A", lines, "list.txt"))
    assert all(fault.startswith("list.txt") and "\n" not in fault for fault in faults)
    if category is None:
        return
    tokens = tokenize(text)
    spans = find_terms(tokens, [category], str)
    assert all(0 <= one.start < one.stop <= len(tokens) for one in spans)
    assert all(one.stop <= after.start for one, after in pairwise(spans))


@settings(max_examples=50)
@given(content=st.one_of(st.binary(max_size=40), st.text(SIGNS + "\n", max_size=40).map(str.encode)))
def test_a_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("lists") / "list.txt"
    path.write_bytes(content)
    categories, faults = read_or_refused(lambda: read_terms(path))
    assert all(fault.startswith(str(path)) for fault in faults)
    assert all(one.terms for one in categories or ())
    assert bool(faults) != bool(categories)


def slow(words: list[str], terms: list[list[str]]) -> list[tuple[int, int]]:
    """Every term tried at every place."""
    spans, at = [], 0
    while at < len(words):
        lengths = [
            len(term)
            for term in terms
            if len(words[at : at + len(term)]) == len(term)
            and all(
                word.startswith(part[:-1]) if part.endswith("*") else word == part
                for part, word in zip(term, words[at:], strict=False)
            )
        ]
        if lengths:
            spans.append((at, at + max(lengths)))
        at += max(lengths, default=1)
    return spans


@given(
    st.lists(st.sampled_from(WORDS), max_size=10),
    st.lists(st.lists(st.sampled_from(["a", "b", "ab", "a*", "ab*"]), min_size=1, max_size=3), min_size=1, max_size=5),
)
def test_the_index_finds_what_a_plain_search_finds(words: list[str], terms: list[list[str]]) -> None:
    category = parse_terms("A", [" ".join(term) for term in terms])
    spans = find_terms(tokenize(" ".join(words)), [category], str)
    assert [(one.start, one.stop) for one in spans] == slow(words, terms)

"""Biased decoding against brute force: every alignment, every occurrence, every token."""

import itertools
import math
import re
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.cascade.biasing import Fusion, HotWord
from parakh.cascade.biasing.ctc import align, decode
from parakh.cascade.biasing.tokens import TokenBias
from parakh.cascade.biasing.trie import HotTrie
from parakh.ngram import Preparation, count, estimate

MODEL = estimate(count(["a b a", "ab a", "b ab ab", "a b ab"], 3, Preparation("none"))).model
WORDS = st.lists(
    st.builds(
        HotWord, st.sampled_from(["a", "ab", "a b", "b ab a", "ba", "aa", "bab"]), st.sampled_from([0.5, 1.0, 2.0]), st.booleans()
    ),
    max_size=4,
    unique_by=lambda word: word.text,
)
CTC = ["", "▁a", "▁b", "b"]


def fusion(words: list[HotWord], weight: float = 0.7) -> Fusion:
    return Fusion(MODEL, weight, 0.3, words, boost=1.5)


def occurrences(text: str, words: list[HotWord], boost: float) -> float:
    spellings = {(form, word.stem): word for word in words for form in (word.text,)}
    total = 0.0
    for (form, stem), word in spellings.items():
        end = "" if stem else r"(?![a-z])"
        total += boost * word.weight * len(re.findall(rf"(?<![a-z])(?={re.escape(form)}{end})", text))
    return total


@given(WORDS, st.lists(st.sampled_from(["a", "b", "ab", "ba", "aa", "bab"]), max_size=6).map(" ".join), st.data())
def test_a_text_gets_what_occurs_in_it_however_it_is_cut(words: list[HotWord], text: str, data: st.DataObject) -> None:
    trie = HotTrie(words, boost=1.5)
    assert trie.worth(text) == pytest.approx(occurrences(text, words, 1.5))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    led, position, gain = fusion(words), fusion(words).start(), 0.0
    for start, end in itertools.pairwise((0, *cuts, len(text))):
        more, position = led.advance(position, text[start:end].encode())
        gain += more
    assert gain + led.finish(position) == pytest.approx(led.bias(text))


def log_softmax(frames: np.ndarray) -> np.ndarray:
    return frames - np.log(np.exp(frames).sum(axis=1, keepdims=True))


MATRICES = (
    st.integers(1, 5)
    .flatmap(lambda frames: st.lists(st.lists(st.floats(-3, 3), min_size=4, max_size=4), min_size=frames, max_size=frames))
    .map(lambda rows: log_softmax(np.array(rows)))
)


def collapsed(path: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(token for token, _ in itertools.groupby(path) if token)


def text_of(tokens: tuple[int, ...]) -> str:
    return " ".join("".join(CTC[token] for token in tokens).replace("▁", " ").split())


@settings(max_examples=40)
@given(MATRICES, WORDS)
def test_beam_search_is_exact_where_nothing_is_pruned(frames: np.ndarray, words: list[HotWord]) -> None:
    led = fusion(words)
    sums: dict[tuple[int, ...], float] = defaultdict(float)
    for path in itertools.product(range(4), repeat=len(frames)):
        sums[collapsed(path)] += math.exp(sum(frames[at, token] for at, token in enumerate(path)))
    scored = {tokens: math.log(p) + led.bias(text_of(tokens)) for tokens, p in sums.items()}
    found = decode(frames, CTC, 0, led, beam=10_000, floor=-math.inf, count=10_000)
    assert {one.tokens: one.score for one in found} == pytest.approx(scored)
    assert all(one.text == text_of(one.tokens) for one in found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


@settings(max_examples=40)
@given(MATRICES, st.lists(st.integers(1, 3), max_size=3))
def test_the_alignment_is_the_most_probable_one(frames: np.ndarray, tokens: list[int]) -> None:
    ways = [path for path in itertools.product(range(4), repeat=len(frames)) if collapsed(path) == tuple(tokens)]
    if not ways:
        return
    best = max(sum(frames[at, token] for at, token in enumerate(path)) for path in ways)
    path = [0] * len(frames)
    for token, (first, last) in zip(tokens, align(frames, tokens, 0), strict=True):
        path[first:last] = [token] * (last - first)
    assert collapsed(tuple(path)) == tuple(tokens)
    assert sum(frames[at, token] for at, token in enumerate(path)) == pytest.approx(best)


PIECES = [b"a", b"b", b" a", b" b", b"ab", b" ab", b" a b", b" ", b",", b"b,", b", a", b"c", b" c", None, None]
END = 13


@given(WORDS, st.lists(st.integers(0, 12), max_size=6))
def test_every_token_gains_what_its_bytes_gain(words: list[HotWord], tokens: list[int]) -> None:
    led = fusion(words)
    bias = TokenBias(led, PIECES, END)
    position = bias.position(tuple(tokens))
    gains = bias.gains(position)
    for token, piece in enumerate(PIECES[:END]):
        assert gains[token] == pytest.approx(led.advance(position, piece)[0], abs=1e-5), piece
    assert gains[END] == pytest.approx(led.finish(position), abs=1e-5)
    assert gains[END + 1] == 0.0
    after, total = led.start(), 0.0
    for at, token in enumerate(tokens):
        total += bias.gains(bias.position(tuple(tokens[:at])))[token]
        after = led.advance(after, PIECES[token])[1]
    text = b"".join(PIECES[token] for token in tokens).decode()
    assert total + bias.gains(position)[END] == pytest.approx(led.bias(text), abs=1e-4)

"""Counting, smoothing, scoring and mixing against slow twins that follow the formulas word for word."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.ngram import Model, Preparation, count, estimate, mix, mixing_weights, perplexity, read_arpa, write_arpa
from parakh.ngram.counts import flat
from parakh.ngram.estimate import FALLBACK
from parakh.ngram.model import BEGIN, END

TEXTS = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12)
ORDERS = st.integers(1, 4)
PLAIN = Preparation("none")


def counted(texts: list[str], order: int):
    return count(texts, order, PLAIN)


class SlowKneserNey:
    """Chen and Goodman's interpolated modified Kneser-Ney by dictionaries of tuples."""

    def __init__(self, texts: list[str], order: int) -> None:
        self.order = order
        grams: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(order + 1)]
        for text in texts:
            words = ("<s>", *text.split(), "</s>")
            for length in range(1, order + 1):
                grams[length].update(words[at : at + length] for at in range(len(words) - length + 1))
        del grams[1]["<s>",]
        self.counts = [{}, *[self._adjusted(grams, length) for length in range(1, order + 1)]]
        self.discounts = [self._discounts(self.counts[length]) for length in range(order + 1)]
        self.words = {word for (word,) in grams[1]} | {"<unk>"}

    def _adjusted(self, grams, length: int) -> dict[tuple[str, ...], int]:
        if length == self.order:
            return dict(grams[length])
        before = Counter(gram[1:] for gram in grams[length + 1])
        return {gram: grams[length][gram] if gram[0] == "<s>" else before[gram] for gram in grams[length]}

    @staticmethod
    def _discounts(counts) -> tuple[float, float, float]:
        n = Counter(counts.values())
        if not (n[1] and n[2] and n[3]):
            return FALLBACK
        y = n[1] / (n[1] + 2 * n[2])
        found = (1 - 2 * y * n[2] / n[1], 2 - 3 * y * n[3] / n[2], 3 - 4 * y * n[4] / n[3])
        return found if all(0 <= d <= k for k, d in enumerate(found, 1)) else FALLBACK

    def p(self, context: tuple[str, ...], word: str) -> float:
        length = len(context) + 1
        lower = self.p(context[1:], word) if context else 1 / len(self.words)
        after = {gram[-1]: a for gram, a in self.counts[length].items() if gram[:-1] == context}
        if not after:
            return lower
        total, discounts = sum(after.values()), (0.0, *self.discounts[length])
        gamma = sum(discounts[min(a, 3)] for a in after.values()) / total
        a = after.get(word, 0)
        return (a - discounts[min(a, 3)]) / total + gamma * lower


@settings(max_examples=30)
@given(TEXTS, ORDERS, st.data())
def test_the_estimate_is_the_formula(texts: list[str], order: int, data: st.DataObject) -> None:
    slow, model = SlowKneserNey(texts, order), estimate(counted(texts, order)).model
    words = data.draw(st.lists(st.sampled_from([*sorted(slow.words - {"</s>"}), "zz"]), max_size=6))
    state, before = model.start(), ["<s>"]
    for word in (*words, "</s>"):
        logprob, state = model.score(state, word)
        context = tuple(before[max(0, len(before) - order + 1) :]) if order > 1 else ()
        while context and context not in slow.counts[len(context)] and context != ("<s>",):
            context = context[1:]  # what was never said gives no evidence
        known = word if word in slow.words else "<unk>"
        assert logprob == pytest.approx(math.log10(slow.p(context, known)), abs=1e-9)
        before.append(known)


@settings(max_examples=30)
@given(TEXTS, ORDERS, st.lists(st.integers(0, 2), max_size=3).map(sorted))
def test_probabilities_after_any_context_add_up_to_one(texts: list[str], order: int, prune: list[int]) -> None:
    model = estimate(counted(texts, order), prune[:order]).model
    assert_sums(model, texts)


def assert_sums(model: Model, texts: list[str]) -> None:
    for text in (*texts[:4], "e d c b a", "zz a"):
        state = model.start()
        for word in text.split():
            total = sum(10 ** model.score(state, one)[0] for one in model.vocabulary if one != "<s>")
            assert total == pytest.approx(1.0, abs=1e-6)
            state = model.score(state, word)[1]


@settings(max_examples=30)
@given(TEXTS, ORDERS, TEXTS)
def test_a_whole_text_costs_what_its_words_cost(texts: list[str], order: int, others: list[str]) -> None:
    model = estimate(counted(texts, order)).model
    told = [*others, "zz a zz"]
    costs = [model.sentence(text.split()) for text in told]
    length = sum(len(text.split()) + 1 for text in told)
    assert perplexity(model, told).perplexity == pytest.approx(10 ** (-math.fsum(costs) / length))


@settings(max_examples=30)
@given(texts=TEXTS, order=ORDERS)
def test_a_file_is_the_model(texts: list[str], order: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    model = estimate(counted(texts, order)).model
    path = tmp_path_factory.mktemp("lm") / "a.arpa"
    write_arpa(model, path)
    back = read_arpa(path)
    assert back.preparation == model.preparation
    assert [len(level.keys) for level in back.levels] == [len(level.keys) for level in model.levels]
    for text in (*texts, "e d zz c"):
        assert back.sentence(text.split()) == pytest.approx(model.sentence(text.split()), abs=1e-5)


@settings(max_examples=30)
@given(TEXTS, TEXTS, ORDERS, ORDERS, st.floats(0.05, 0.95))
def test_a_mixture_is_the_weighted_sum(one: list[str], two: list[str], first: int, second: int, weight: float) -> None:
    models = [estimate(counted(texts, order)).model for texts, order in ((one, first), (two, second))]
    mixed = mix(models, (weight, 1 - weight))
    assert_sums(mixed, [*one, *two])
    for text in (*one, *two):
        states, state = [model.start() for model in models], mixed.start()
        words, offsets = flat([[BEGIN, *mixed.encode(text.split()), END]])
        nodes = mixed.nodes(words, offsets)
        for at, word in enumerate((*text.split(), "</s>")):
            parts = [model.score(own, word) for model, own in zip(models, states, strict=True)]
            known = [word in model.numbers for model in models]
            wanted = sum(w * 10**p * k for w, (p, _), k in zip((weight, 1 - weight), parts, known, strict=True))
            logprob, state = mixed.score(state, word)
            if nodes[min(mixed.order, at + 2) - 1][at + 1] >= 0:  # what is not listed is backed off to
                assert logprob == pytest.approx(math.log10(wanted), abs=1e-6)
            states = [own for _, own in parts]


@settings(max_examples=30)
@given(TEXTS, TEXTS, TEXTS)
def test_the_weights_of_a_mixture_are_the_best(one: list[str], two: list[str], held: list[str]) -> None:
    models = [estimate(counted(texts, 2)).model for texts in (one, two)]
    found = mixing_weights(models, held)
    assert sum(found) == pytest.approx(1.0)

    def cost(weight: float) -> float:
        known = set().union(*(model.vocabulary for model in models))
        total = 0.0
        for text in held:
            states = [model.start() for model in models]
            for word in (*text.split(), "</s>"):
                parts = [model.score(state, word) for model, state in zip(models, states, strict=True)]
                seen = [word in model.numbers or word not in known for model in models]
                total += math.log(sum(w * 10**p * s for w, (p, _), s in zip((weight, 1 - weight), parts, seen, strict=True)))
                states = [state for _, state in parts]
        return -total

    best = cost(min(max(found[0], 1e-9), 1 - 1e-9))
    assert all(best <= cost(other / 20) + 0.05 for other in range(1, 20))

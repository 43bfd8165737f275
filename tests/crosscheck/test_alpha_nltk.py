"""Krippendorff's alpha: the worked examples of his own paper, and nltk's implementation on random labels."""

import random
import warnings

import pytest

from parakh.agreement import alpha, coincidences

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from nltk.metrics.agreement import AnnotationTask

# Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), sections A and C; a dot is a missing label.
BINARY = ("0100000010", "1110010000")
NOMINAL = ("123321412...", "1233224125.3", ".3332342251.", "1233244125" + "1.")


def units(coders: tuple[str, ...]) -> list[list[str]]:
    return [[label for label in labels if label != "."] for labels in zip(*coders, strict=True)]


def test_published_examples() -> None:
    assert alpha(coincidences(units(BINARY))) == pytest.approx(0.095, abs=5e-4)
    assert alpha(coincidences(units(NOMINAL))) == pytest.approx(0.743, abs=5e-4)


@pytest.mark.parametrize("seed", range(40))
def test_equal_to_nltk(seed: int) -> None:
    draw = random.Random(seed)
    coders, labels = draw.randint(2, 5), "abcd"[: draw.randint(2, 4)]
    table = [[draw.choice(labels) for _ in range(coders)] for _ in range(draw.randint(3, 30))]
    ours = alpha(coincidences(table))
    task = AnnotationTask([(str(c), str(u), label) for u, unit in enumerate(table) for c, label in enumerate(unit)])
    if ours is not None:
        assert ours == pytest.approx(task.alpha())


def test_where_there_is_nothing_to_agree_on() -> None:
    assert alpha(coincidences([])) is None
    assert alpha(coincidences([["a"], ["b"]])) is None
    assert alpha(coincidences([["a", "a"], ["a", "a"]])) is None
    assert alpha(coincidences([["a", "b"], ["b", "a"]])) < 0  # type: ignore[operator]

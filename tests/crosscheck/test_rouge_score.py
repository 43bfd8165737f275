"""ROUGE equals rouge_score 0.1.2 on ASCII text, to the last digit that floating point gives."""

import random

import pytest

from parakh.metrics import get
from parakh.text.porter import porter_stem

rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
NAMES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PIECES = [
    "fever",
    "Fever",
    "three",
    "days",
    "BP",
    "140/90",
    "don't",
    "x_y",
    "the",
    "the",
    "\n",
    "\n\n",
    ".",
    " - ",
    "\t",
    "2%",
    "no",
]


def text(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) + rng.choice([" ", " ", " ", ""]) for _ in range(rng.choice([0, 1, 5, 40, 150])))


@pytest.mark.parametrize("stemmer", [False, True])
def test_values_equal_rouge_score(stemmer):
    scorer = rouge_scorer.RougeScorer(NAMES, use_stemmer=stemmer)
    rng = random.Random(7)
    for _ in range(300):
        reference, hypothesis = text(rng), text(rng)
        theirs = scorer.score(reference, hypothesis)
        for name in NAMES:
            ours = get(name).stats(reference, hypothesis, stemmer=stemmer)
            expected = (theirs[name].precision, theirs[name].recall, theirs[name].fmeasure)
            assert (ours["precision"], ours["recall"], ours["f1"]) == pytest.approx(expected, abs=1e-12), (reference, hypothesis)


@pytest.mark.parametrize("stemmer", [False, True])
def test_the_best_of_several_references_equals_rouge_score(stemmer):
    scorer = rouge_scorer.RougeScorer(NAMES, use_stemmer=stemmer)
    rng = random.Random(13)
    for _ in range(100):
        references, hypothesis = [text(rng) for _ in range(rng.randint(1, 4))], text(rng)
        theirs = scorer.score_multi(references, hypothesis)
        for name in NAMES:
            ours = get(name).stats(references, hypothesis, stemmer=stemmer)
            expected = (theirs[name].precision, theirs[name].recall, theirs[name].fmeasure)
            assert (ours["precision"], ours["recall"], ours["f1"]) == pytest.approx(expected, abs=1e-12), (references, hypothesis)


def test_the_same_subsequence_is_taken_beyond_one_block():
    scorer = rouge_scorer.RougeScorer(["rougeLsum"])
    rng = random.Random(11)
    for _ in range(10):
        reference, hypothesis = (
            "\n".join(" ".join(rng.choices("abcdef", k=rng.choice([63, 64, 65, 130]))) for _ in range(3)) for _ in range(2)
        )
        theirs = scorer.score(reference, hypothesis)["rougeLsum"].fmeasure
        assert get("rougeLsum").stats(reference, hypothesis)["f1"] == pytest.approx(theirs, abs=1e-12)


def test_stems_equal_nltk():
    stemmer = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    endings = [
        "s",
        "ies",
        "sses",
        "ss",
        "ed",
        "ied",
        "eed",
        "ing",
        "y",
        "alli",
        "ational",
        "izer",
        "bli",
        "logi",
        "ation",
        "ness",
        "ful",
        "icate",
        "ment",
        "ion",
        "sion",
        "e",
        "ll",
        "er",
        "ous",
    ]
    rng = random.Random(3)
    words = [
        "".join(rng.choices("abeilostyz1nd", k=rng.randint(1, 5))) + "".join(rng.choices(endings, k=rng.randint(0, 2)))
        for _ in range(5000)
    ]
    assert [porter_stem(word) for word in words] == [stemmer.stem(word) for word in words]
    for whole in ("sky", "skies", "dying", "news", "innings", "canning", "howe", "proceed", "succeed"):
        assert porter_stem(whole) == stemmer.stem(whole)

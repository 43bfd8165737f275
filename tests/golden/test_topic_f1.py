"""Topics as a set, and what their folding joins and keeps apart. Every expectation is the definition worked by hand."""

import itertools
from pathlib import Path

import pytest

from parakh.errors import InputError
from parakh.metrics import get
from parakh.metrics.topic_f1 import Synonyms, topic_f1, topic_f1_folded
from parakh.results import Stats
from parakh.types import Topics


def topics(*names: str) -> Topics:
    return Topics("visit", names)


COUNTS = [
    (("Fever", "Cough"), ("Cough", "Fever"), (2, 0, 0)),
    (("Fever", "Cough"), (" Cough ", "Fever\t"), (2, 0, 0)),
    (("Fever", "Fever", "Cough"), ("Fever", "Fever", "Fever"), (1, 0, 1)),
    (("Fever",), ("fever",), (0, 1, 1)),
    ((), (), (1, 0, 0)),
    ((), ("None",), (1, 0, 0)),
    ((), ("Fever",), (0, 1, 1)),
    (("Fever", "Cough"), (), (0, 1, 2)),
    (("Fever", "  "), ("Fever",), (1, 0, 0)),
]


@pytest.mark.parametrize(("reference", "hypothesis", "expected"), COUNTS)
def test_counts(reference, hypothesis, expected):
    assert topic_f1(topics(*reference), topics(*hypothesis)) == Stats(dict(zip(("tp", "fp", "fn"), expected, strict=True)))


@pytest.mark.parametrize("stats", [topic_f1, topic_f1_folded])
def test_a_missing_answer_is_not_the_answer_none(stats):
    assert stats(topics(), None) == Stats(tp=0, fp=0, fn=1)
    assert stats(topics("Fever", "Cough"), None) == Stats(tp=0, fp=0, fn=2)
    assert get("topic_f1").score(stats(topics(), None)) == 0.0


def test_counts_add_and_are_scored_once():
    found = topic_f1(topics("Fever", "Cough"), topics("Fever")) + topic_f1(topics("Fever"), topics("Fever", "Pain"))
    assert found == Stats(tp=2, fp=1, fn=1)
    assert get("topic_f1").score(found) == pytest.approx(2 / 3)
    assert get("topic_f1").parts(found) == pytest.approx({"precision": 2 / 3, "recall": 2 / 3})


def test_the_best_reference_counts():
    references = [topics("Fever"), topics("Fever", "Cough"), topics("Cough", "Fever")]
    assert topic_f1(references, topics("Cough", "Fever", "Pain")) == Stats(tp=2, fp=1, fn=0)
    with pytest.raises(InputError, match="reference: found no reference"):
        topic_f1([], topics())


SAME = [
    ("Headaches", "headache"),
    ("Loose-Motion", "loose  motions"),
    ("Skin rashes", "Skin rash"),
    ("Allergies", "allergy"),
    ("Breast abscesses", "breast abscess"),
    ("Viral infections", "Viral infection"),
    ("Swollen feet", "swollen foot"),
    ("Kidney stones", "Kidney stone"),
    ("Type २ diabetes", "Type 2 Diabetes"),
    ("Parkinson\u2019s disease", "Parkinson disease"),
    ("Me\u0301nie\u0300re disease", "M\u00e9ni\u00e8re disease"),
    ("\u095b\u0941काम", "ज\u093c\u0941काम"),
    ("Metastases", "metastasis"),
    ("Palpitations", "palpitation"),
    ("Itchy patches", "itchy patch"),
    ("Cavities", "cavity"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_folding_joins(one, other):
    assert topic_f1_folded(topics(one), topics(other)) == Stats(tp=1, fp=0, fn=0)
    assert topic_f1(topics(one), topics(other))["tp"] == 0


# Singulars of clinical topics that look like plurals, and words that stay apart.
SINGULAR = """diabetes pus sinusitis herpes measles mumps rabies scabies rickets ascites caries tinnitus typhus tetanus
arthritis weakness dizziness paralysis psoriasis thrombosis pancreas uterus fetus menses shingles stress abscess loss
pertussis hydrocephalus thyroiditis lens AIDS virus sinus gas"""


@pytest.mark.parametrize("word", SINGULAR.split())
def test_a_singular_in_s_stays(word):
    from parakh.metrics._synonyms import fold

    assert fold(word) == word.casefold()


def test_folding_keeps_other_topics_apart():
    names = [
        "Fever",
        "Chills",
        "Cough",
        "Dry cough",
        "Acidity",
        "Acne",
        "Anemia",
        "Anemia in pregnancy",
        "Asthma",
        "Mass",
        "Mask",
    ]
    names += ["Hypertension", "Hypotension", "Cyst", "Cystitis", "Type 1 diabetes", "Type 2 diabetes", "Ear pain", "Heart pain"]
    names += ["बुखार", "खांसी", "ಜ್ವರ", "ಕೆಮ್ಮು", "दिन", "दीन"]
    for one, other in itertools.combinations(names, 2):
        assert topic_f1_folded(topics(one), topics(other))["tp"] == 0, (one, other)


def test_synonyms_of_a_users_file(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text("# name\tothers\nHypertension\tHigh BP\tRaised blood pressures\n\nFever\tPyrexia\n", encoding="utf-8")
    synonyms = Synonyms.read(path)
    found = topic_f1_folded(topics("high bp", "Fever"), topics("Raised Blood Pressure", "pyrexia"), synonyms=synonyms)
    assert found == Stats(tp=2, fp=0, fn=0)
    assert str(synonyms).startswith("names.tsv:")
    path.write_text("Fever\tHigh temperature\n", encoding="utf-8")
    assert str(Synonyms.read(path)) != str(synonyms)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# c\nFever\n", r"names.tsv:2: found one name, expected the name to keep, a tab, and another name"),
        ("\tFever\n", r"names.tsv:1: found one name"),
        ("Fever\tHeat\nSunburn\theats\n", r"names.tsv:2: other name: found 'heat', which already means 'fever'"),
        ("Fever\tHeat\nHeat\tWarmth\n", r"names.tsv:2: name to keep: found 'heat', which is already another name of 'fever'"),
        ("Fever\tHeat\nSunburn\tFever\n", r"names.tsv:2: other name: found 'fever', which already means 'fever'"),
    ],
)
def test_a_wrong_file_of_synonyms_is_told_with_its_line(tmp_path, content, message):
    path = tmp_path / "names.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Synonyms.read(path)


def test_what_was_missed_and_what_is_extra_is_told():
    told = get("topic_f1_folded").findings(topics("Fevers", "Cough"), topics("fever", "Pain"))
    assert [(one.code, one.message) for one in told] == [
        ("missed-topic", "topic missed: 'Cough'"),
        ("extra-topic", "extra topic: 'Pain'"),
    ]
    assert [one.code for one in get("topic_f1").findings(topics(), None)] == ["missed-topic"]


def test_the_example_file_of_synonyms_can_be_read():
    synonyms = Synonyms.read(Path(__file__).parent.parent.parent / "examples" / "synonyms.tsv")
    assert topic_f1_folded(topics("Pedal edema"), topics("swelling of the feet"), synonyms=synonyms)["tp"] == 0
    assert topic_f1_folded(topics("Pedal edema"), topics("Leg swellings"), synonyms=synonyms)["tp"] == 1

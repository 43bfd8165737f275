"""What holds of topic and summary metrics whatever the input, and their slow twins."""

import itertools
import math
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.clinical.quantities import Quantity, backs, quantities, quantity_words
from parakh.metrics import get
from parakh.metrics._synonyms import fold
from parakh.metrics.topic_f1 import topic_f1, topic_f1_folded
from parakh.types import Segment, Topics

names = st.lists(
    st.sampled_from(["Fever", "fever ", "Fevers", "Cough", "None", "बुखार", "", "Loose motion", "loose-motions"]), max_size=6
)
pieces = st.sampled_from(
    [
        "BP",
        "140",
        "/",
        "90",
        "mg",
        "500",
        "paracetamol",
        "no",
        "fever",
        ",",
        ".",
        "दो",
        "तीन",
        "दिन",
        "से",
        "बुखार",
        "नहीं",
        "ಐನೂರು",
        "ಎಂಜಿ",
        "1-0-1",
        "\n",
        "10:30",
        "%",
        "type",
        "denies",
    ]
)
texts = st.lists(pieces, max_size=15).map(" ".join)
SAFETY = ["summary_numbers", "summary_medicines", "summary_negations"]


@settings(deadline=None)
@given(names, names)
def test_topics_equal_the_definition_and_their_order_does_not_matter(reference, hypothesis):
    said = {name.strip() for name in reference if name.strip()} or {"None"}
    found = {name.strip() for name in hypothesis if name.strip()} or {"None"}
    stats = topic_f1(Topics("v", tuple(reference)), Topics("v", tuple(hypothesis)))
    assert (stats["tp"], stats["fp"], stats["fn"]) == (len(said & found), len(found - said), len(said - found))
    assert stats == topic_f1(Topics("v", tuple(reference[::-1])), Topics("v", tuple(hypothesis[::-1] * 2)))
    precision, recall = Fraction(len(said & found), len(found)), Fraction(len(said & found), len(said))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    assert math.isclose(get("topic_f1").score(stats), f1)


@settings(deadline=None)
@given(names, names)
def test_folding_is_stable_and_finds_no_fewer_of_what_is_equal(reference, hypothesis):
    assert [fold(fold(name)) for name in reference] == [fold(name) for name in reference]
    exact, folded = (one(Topics("v", tuple(reference)), Topics("v", tuple(hypothesis))) for one in (topic_f1, topic_f1_folded))
    assert (exact["tp"] > 0) <= (folded["tp"] > 0)


@settings(max_examples=60, deadline=None)
@given(texts, texts, st.lists(texts, max_size=3))
def test_what_a_text_states_it_bears_out_itself(reference, hypothesis, turns):
    transcript = [Segment("v", "s", words=one) for one in turns]
    for name in SAFETY:
        metric = get(name)
        assert metric.score(metric.stats(hypothesis, hypothesis)) in (None, 1.0)
        alone, best = metric.stats(reference, hypothesis), metric.stats([reference, hypothesis], hypothesis)
        assert (metric.score(best) or 1.0) >= (metric.score(alone) or 0.0)
        found = metric.stats(reference, hypothesis, transcript=transcript)
        told = metric.findings(reference, hypothesis, transcript=transcript)
        offences = [one for one in told if not one.code.startswith(("missed", "no-transcript", "transcript"))]
        assert len(offences) == found["unsupported"]
        assert sum(one.code.startswith("missed") for one in told) == found["missed"]
        assert found["contradicted"] <= found["unsupported"]


@settings(deadline=None)
@given(st.floats(0.5, 999).map(lambda value: round(value, 1)), st.sampled_from(["mg", "day", "", "kg", "time"]))
def test_a_number_backs_itself_and_no_other_value(value, unit):
    one = Quantity((value,), unit, bool(unit), 0, 1)
    assert backs(one, one)
    assert not backs(one, Quantity((value + 0.1,), unit, bool(unit), 0, 1))


@settings(deadline=None)
@given(texts)
def test_numbers_stand_in_order_and_apart(text):
    found = list(quantities(quantity_words(text)))
    assert all(one.start < one.end for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))

"""Spot audits: what makes a recording risky, and a draw that is seeded, stratified and looks where the risk is."""

import random
from collections import Counter

import pytest

from parakh.dataset.audit import Risk, draw, risk
from parakh.errors import InputError
from parakh.types import Segment


def turns(*spans: tuple[str, float, float]) -> list[Segment]:
    return [Segment("v1", *span) for span in spans]


def test_signs_by_hand() -> None:
    """6 s of speech of which 0.9 s overlap (15 %: half of 30 %); 3 speakers; 1 of 4 turns under a second (half of half)."""
    found = risk(
        "v1",
        turns(("a", 0.0, 3.0), ("b", 2.1, 4.0), ("c", 4.0, 5.1), ("a", 5.1, 6.0)),
        snr_db=15.0,
        word_error_rate=1.4,
        history=(8, 1),
    )
    assert found.signs["overlap"] == pytest.approx(0.5)
    assert found.signs["speakers"] == pytest.approx(1 / 3)
    assert found.signs["noise"] == pytest.approx(0.25)
    assert found.signs["words"] == 1.0
    assert found.signs["short_turns"] == pytest.approx(0.5)
    assert found.signs["annotator"] == pytest.approx(0.2)
    assert found.score == pytest.approx((0.5 + 1 / 3 + 0.25 + 1.0 + 0.5 + 0.2) / 6)


def test_what_is_not_known_counts_for_nothing() -> None:
    assert risk("v1", []).score is None
    assert risk("v1", [], snr_db=20.0).score == 0.0
    assert risk("v1", [Segment("v1", words="जी")], snr_db=0.0).score == 1.0


def test_each_stratum_has_its_share_whatever_the_order() -> None:
    risks = [Risk(f"v{k:02}", {"noise": 0.5}) for k in range(20)]
    strata = {f"v{k:02}": "hi" if k < 15 else "kn" for k in range(20)}
    drawn = draw(risks, strata, "20%", seed=3)
    assert Counter(strata[one] for one in drawn) == {"hi": 3, "kn": 1}
    random.Random(1).shuffle(risks)
    assert draw(risks, strata, "4", seed=3) == drawn
    assert draw(risks, strata, "4", seed=4) != drawn


def test_the_riskier_the_likelier() -> None:
    risks = [Risk("calm", {"noise": 0.0}), Risk("risky", {"noise": 0.95}), Risk("unknown", {"noise": None})]
    counts = Counter(draw(risks, {}, "1", seed)[0] for seed in range(2000))
    weights = {"calm": 0.05, "risky": 1.0, "unknown": 0.525}
    for name, weight in weights.items():
        assert counts[name] / 2000 == pytest.approx(weight / 1.575, abs=0.035)


@pytest.mark.parametrize(("size", "count"), [("0", 0), ("3", 3), ("10%", 1), ("34%", 2), ("100%", 3), ("0%", 0)])
def test_sizes(size: str, count: int) -> None:
    assert len(draw([Risk(f"v{k}", {}) for k in range(3)], {}, size, 1)) == count


@pytest.mark.parametrize("size", ["4", "-1", "x", "1.5", "101%", "nan", "%", "inf"])
def test_sizes_that_cannot_be(size: str) -> None:
    with pytest.raises(InputError, match="--size"):
        draw([Risk(f"v{k}", {}) for k in range(3)], {}, size, 1)

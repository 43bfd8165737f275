"""The measurement of the checks of personal data: what docs/personal-data.md says of it still holds."""

import random

from benchmarks import personal_data
from parakh.text.personal import verhoeff

LEAST = {"aadhaar": 1.0, "phone": 1.0, "pan": 1.0, "voter": 1.0, "abha": 1.0, "email": 1.0, "spoken": 0.95, "name": 0.55}


def recalls(name: str) -> dict[str, tuple[int, int, int]]:
    """(found, said, wrong) by kind, over all languages."""
    counts = dict.fromkeys(LEAST, (0, 0, 0))
    for one in personal_data.sentences(name, 2, 11):
        heard = personal_data.found(one)
        for kind, (found, said, wrong) in counts.items():
            there = kind in one.kinds
            counts[kind] = found + (there and kind in heard), said + there, wrong + (kind in heard and not there)
    return counts


def test_recall_and_precision_do_not_fall() -> None:
    for name in ("tuned", "held_out"):
        for kind, (found, said, wrong) in recalls(name).items():
            assert said >= 6
            assert found >= LEAST[kind] * said, (name, kind, found, said)
            assert wrong <= 0.02 * said, (name, kind, wrong)


def test_numbers_are_what_they_claim_to_be() -> None:
    rng = random.Random(1)
    assert all(verhoeff(personal_data.aadhaar_number(rng)) for _ in range(50))
    assert {len(personal_data.mobile(rng)) for _ in range(50)} == {10}


def test_the_same_seed_gives_the_same_sentences_and_there_are_enough() -> None:
    first, second = (list(personal_data.sentences("tuned", 12, 7)) for _ in range(2))
    assert first == second
    assert all(sum(one.language == tag for one in first) >= 500 for tag in ("hi", "kn", "en"))

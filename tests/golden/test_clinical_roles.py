"""Who is the health worker, from the file's roles or from how people talk."""

import pytest

from parakh.clinical import assign_roles
from parakh.clinical.roles import canonical_role, worker_probabilities
from parakh.types import Segment


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("health_worker", "health_worker"),
        ("Doctor", "health_worker"),
        ("ASHA", "health_worker"),
        ("HW", "health_worker"),
        ("PATIENT", "health_seeker"),
        ("health-seeker", "health_seeker"),
        ("health_seeker_attendant", "health_seeker"),
        ("hs", "health_seeker"),
        ("narrator", None),
        ("", None),
        (None, None),
    ],
)
def test_a_files_role_is_understood(name: str | None, role: str | None) -> None:
    assert canonical_role(name) == role


def test_the_files_roles_win() -> None:
    turns = [Segment("v", "a", words="आपको क्या तकलीफ है?", role="patient"), Segment("v", "b", words="मुझे बुखार है", role="doctor")]
    assert assign_roles(turns) == {"a": "health_seeker", "b": "health_worker"}


@pytest.mark.parametrize(
    ("asking", "telling"),
    [
        ("आपको क्या तकलीफ है? कब से है? दवा लीजिए।", "मुझे बुखार है दीदी। मेरा सिर दुखता है।"),
        ("ನಿಮಗೆ ಏನು ತೊಂದರೆ? ಎಷ್ಟು ದಿನದಿಂದ? ಮಾತ್ರೆ ತಗೊಳ್ಳಿ.", "ನನಗೆ ಜ್ವರ ಮೇಡಂ. ನನ್ನ ತಲೆ ನೋವು."),
        ("What is your trouble? How long have you had it? You should take rest.", "I have fever, doctor. My head hurts."),
    ],
)
def test_questions_and_advice_make_the_health_worker(asking: str, telling: str) -> None:
    assert assign_roles([Segment("v", "a", words=telling), Segment("v", "b", words=asking)]) == {
        "a": "health_seeker",
        "b": "health_worker",
    }


@pytest.mark.parametrize(
    "turns",
    [
        [Segment("v", "a", words="नमस्ते"), Segment("v", "b", words="नमस्ते")],  # nothing tells them apart
        [Segment("v", "a", words="आपको क्या तकलीफ है?")],  # one voice
    ],
)
def test_unsure_is_none(turns: list[Segment]) -> None:
    assert set(assign_roles(turns).values()) == {None}


def test_turns_without_a_speaker_have_no_role() -> None:
    assert assign_roles([Segment("v", words="आपको क्या तकलीफ है?")]) == {}


def visit(*lengths: float, words: str = "") -> list[Segment]:
    """Turns of two speakers in turn, each so many seconds long."""
    turns, now = [], 0.0
    for k, length in enumerate(lengths):
        turns.append(Segment("v", "ab"[k % 2], now, now + length, words))
        now += length
    return turns


def test_turns_without_text_tell_who_opens_and_talks_at_length() -> None:
    turns = visit(*[9.0, 1.5] * 6)
    assert assign_roles(turns) == {"a": "health_worker", "b": "health_seeker"}
    assert assign_roles(visit(*[3.0, 2.0] * 6)) == {"a": None, "b": None}
    assert assign_roles(turns[:6]) == {"a": None, "b": None}  # too few turns


def test_probabilities_sum_to_one_and_follow_names() -> None:
    turns = visit(*[9.0, 1.5, 4.0] * 5)
    likely = worker_probabilities(turns)
    assert sum(likely.values()) == pytest.approx(1.0)
    swapped = [Segment("v", {"a": "y", "b": "x"}[turn.speaker or ""], turn.start_time, turn.end_time) for turn in turns]
    assert list(worker_probabilities(swapped).values()) == list(likely.values())
    assert worker_probabilities(turns[::-1]) == likely


def test_of_three_speakers_one_is_the_health_worker() -> None:
    turns = [
        Segment("v", who, 5.0 * k, 5.0 * k + length)
        for k, (who, length) in enumerate([("w", 4.9), ("s", 0.8), ("w", 4.5), ("t", 0.5)] * 4)
    ]
    assert assign_roles(turns) == {"w": "health_worker", "s": "health_seeker", "t": "health_seeker"}


def test_nobody_or_one_speaker_has_no_probabilities() -> None:
    assert worker_probabilities([]) == {}
    assert worker_probabilities([Segment("v", "a", 0.0, 4.0), Segment("v", "b", 4.0, 4.0)]) == {}

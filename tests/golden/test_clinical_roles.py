"""Who is the health worker, from the file's roles or from how people talk."""

import pytest

from parakh.clinical import assign_roles
from parakh.clinical.roles import canonical_role
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

"""From windows to the words of turns: what is common to all recognisers, and what the guards do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from parakh import formats
from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade import hearing, noticing
from parakh.cascade.guards import COMPRESSION, compression_ratio, is_looping, phrases, without_loops, without_silence
from parakh.cascade.hearing import Hearing, Hypothesis, Samples, transcribed, transcribed_apart
from parakh.cascade.windows import Word, apart
from parakh.types import Segment

EXAMPLES = Path(__file__).parents[2] / "examples" / "transcripts"


def spread(text: str, start: float = 0.0, step: float = 0.5) -> list[Word]:
    return [Word(word, start + i * step, start + (i + 1) * step) for i, word in enumerate(text.split())]


EVERYWHERE = ((0.0, 1000.0),)


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.txt")), ids=lambda path: path.stem)
def test_true_talk_passes_the_guards(file: Path) -> None:
    """Whisper's own measure, over UTF-8, would call all of it a loop."""
    words = [word for turn in formats.load(file, Segment).items for word in turn.words.split()]
    for first in range(0, len(words), 40):
        piece = words[first : first + 80]
        assert not is_looping(piece)
        assert compression_ratio(" ".join(piece)) < 1.75
    timed = spread(" ".join(words))
    assert without_loops(timed) == (timed, [])
    assert without_silence(timed, EVERYWHERE, 9.0) == (timed, [])


@pytest.mark.parametrize(
    ("said", "kept", "told"),
    [
        ("हाँ हाँ हाँ हाँ हाँ ठीक है", "हाँ हाँ हाँ हाँ हाँ ठीक है", []),
        ("दवा लो दवा लो दवा लो", "दवा लो दवा लो दवा लो", []),
        ("बुखार है हाँ हाँ, हाँ हाँ। हाँ हाँ", "बुखार है हाँ", ["'हाँ' 6 times in a row, 1 kept"]),
        ("आप दवा लो दवा लो दवा लो दवा लो जी", "आप दवा लो जी", ["'दवा लो' 4 times in a row, 1 kept"]),
        ("ಹೌದು " * 30, "ಹೌದು", ["'ಹೌದು' 30 times in a row, 1 kept"]),
        (
            "क ख ग " * 4 + "बीच में " + "जी " * 7,
            "क ख ग बीच में जी",
            ["'क ख ग' 4 times in a row, 1 kept", "'जी' 7 times in a row, 1 kept"],
        ),
        ("नंबर 0000000000 है", "नंबर 0000000000 है", []),
        ("हाहाहाहाहाहाहाहाहाहाहाहा जी", "हा जी", ["'हा' written for a word of 24 letters that repeat"]),
        ("- - - - - - - -", "- - - - - - - -", []),
    ],
)
def test_loops_are_cut_and_told(said: str, kept: str, told: list[str]) -> None:
    words, acts = without_loops(spread(said))
    assert " ".join(word.text for word in words) == kept
    assert [act.message for act in acts] == told
    assert is_looping(said.split()) == bool(told)
    assert {act.code for act in acts} <= {"loop"}
    assert without_loops(words) == (words, [])


def test_a_loop_that_is_never_twice_the_same_is_known_by_its_compression() -> None:
    words = [f"मरीज को दवा देनी है {i % 10}" for i in range(30)]
    assert is_looping(" ".join(words).split())
    assert COMPRESSION == 2.4


@pytest.mark.parametrize(
    ("said", "speech", "doubt", "kept"),
    [
        ("बुखार है", EVERYWHERE, {}, True),
        ("बुखार है", (), {}, True),  # the window has speech: times of words are not that exact
        ("बुखार है", EVERYWHERE, {"spoken_s": 0.05}, False),
        ("बुखार है", EVERYWHERE, {"no_speech": 0.9, "score": -1.5}, False),
        ("बुखार है", EVERYWHERE, {"no_speech": 0.9, "score": -0.3}, True),
        ("Thanks for watching!", EVERYWHERE, {}, False),
        ("हमारे चैनल को सब्सक्राइब करें।", EVERYWHERE, {}, False),
        ("धन्यवाद", EVERYWHERE, {}, True),
        ("धन्यवाद", (), {}, False),
        ("Thank you.", ((0.0, 0.2),), {}, False),
        ("जी आप कल दवा के बाद आना फिर सब्सक्राइब", EVERYWHERE, {}, True),
    ],
)
def test_what_nobody_said_is_dropped_and_told(
    said: str, speech: hearing.speech.Spans, doubt: dict[str, float], kept: bool
) -> None:
    words = spread(said, step=0.4)
    found, acts = without_silence(words, speech, **{"spoken_s": 5.0, **doubt})
    assert found == (words if kept else [])
    assert [act.code for act in acts] == ([] if kept else ["no-speech"])
    assert all(repr(said) in act.message for act in acts)


def test_a_phrase_goes_without_the_talk_before_it() -> None:
    words = [*spread("हाँ दवा ले ली", step=0.4), *spread("देखने के लिए धन्यवाद", start=5.0)]
    found, (act,) = without_silence(words, ((0.0, 2.0),), 2.0)
    assert [word.text for word in found] == ["हाँ", "दवा", "ले", "ली"]
    assert act.time == 5.0


def test_phrases_are_of_either_kind_and_none_of_both() -> None:
    assert len(phrases("strong")) > 20
    assert not phrases("strong") & phrases("weak")
    assert ("धन्यवाद",) in phrases("weak")


@dataclass
class Scripted:
    """A recogniser whose answers are written down: by the level of the window, and whether it is asked again."""

    answers: dict[float, str]
    again: dict[float, str] = field(default_factory=dict)
    asked: list[tuple[int, bool]] = field(default_factory=list)

    def recognise(self, windows: Sequence[Samples], language: str, *, strict: bool = False) -> list[Hypothesis]:
        self.asked.append((len(windows), strict))
        answers = self.again if strict else self.answers
        return [
            Hypothesis(tuple(spread(text, 0.2, (len(one) / SAMPLE_RATE - 0.4) / max(1, len(text.split())))))
            for one in windows
            for text in [answers[round(float(np.abs(one).max()), 1)]]
        ]


def levels(*each: float, seconds: float = 4.0) -> tuple[Audio, list[Segment]]:
    """Turns that each have a level of their own, with quiet in between."""
    quiet = np.zeros(2 * SAMPLE_RATE, np.float32)
    parts = [part for level in each for part in (quiet, np.full(int(seconds * SAMPLE_RATE), level, np.float32))]
    step = seconds + 2.0
    return Audio("v", np.concatenate([*parts, quiet]), "hi"), [
        Segment("v", "ab"[i % 2], step * i + 2.0, step * (i + 1)) for i in range(len(each))
    ]


def test_windows_are_asked_in_batches_and_words_go_to_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "speech_spans", lambda audio: EVERYWHERE)
    audio, turns = levels(0.1, 0.2, 0.3)
    recogniser = Scripted({0.1: "एक दो", 0.2: "तीन", 0.3: "चार पाँच"})
    heard = transcribed(audio, turns, "hi", recogniser, Hearing(6.0, 2))
    assert [turn.words for turn in heard] == ["एक दो", "तीन", "चार पाँच"]
    assert recogniser.asked == [(2, False), (1, False)]
    assert heard[2].word_times == (pytest.approx((14.0, 16.0)), pytest.approx((16.0, 18.0)))
    assert {turn.language for turn in heard} == {"hi"}


def test_a_text_that_loops_is_heard_once_more_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "speech_spans", lambda audio: EVERYWHERE)
    audio, turns = levels(0.1, 0.2, 0.3)
    recogniser = Scripted({0.1: "जी " * 9, 0.2: "तीन", 0.3: "दवा " * 9}, {0.1: "जी हाँ", 0.3: "दवा " * 8})
    with noticing.collected() as findings:
        heard = transcribed(audio, turns, "hi", recogniser, Hearing(6.0, 4))
    assert [turn.words for turn in heard] == ["जी हाँ", "तीन", "दवा"]
    assert recogniser.asked == [(3, False), (2, True)]
    assert [str(one) for one in findings] == [
        "note loop: at 0:01.8: a text that loops was heard again with stricter settings",
        "note loop: at 0:13.8: a text that loops was heard again with stricter settings",
        "warning loop: at 0:14.0: 'दवा' 8 times in a row, 1 kept",
    ]


def test_without_guards_nothing_is_changed() -> None:
    audio, turns = levels(0.1)
    recogniser = Scripted({0.1: "जी " * 9})
    with noticing.collected() as findings:
        heard = transcribed(audio, turns, "hi", recogniser, Hearing(6.0, 4, guarded=False))
    assert heard[0].words.split() == ["जी"] * 9
    assert findings == []


def test_the_detector_hears_nobody_in_quiet() -> None:
    from parakh.models import store

    if store.path(hearing.DETECTOR) is None:
        pytest.skip("silero-vad is not in the model store; run: parakh models get silero-vad")
    pytest.importorskip("onnxruntime")
    audio, turns = levels(0.1)
    with noticing.collected() as findings:
        heard = transcribed(audio, turns, "hi", Scripted({0.1: "बुखार है"}), Hearing(6.0, 4))
    assert heard[0].words == ""
    assert [str(one) for one in findings] == [
        "warning no-speech: at 0:02.0: 'बुखार है' dropped, where the speech detector hears nobody"
    ]


def test_recognisers_without_times_hear_each_turn_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "speech_spans", lambda audio: EVERYWHERE)
    audio, turns = levels(0.1, 0.2)
    heard = transcribed_apart(audio, turns, "hi", Scripted({0.1: "एक दो", 0.2: "तीन"}), Hearing(60.0, 4))
    assert [(turn.words, turn.word_times) for turn in heard] == [("एक दो", ()), ("तीन", ())]


def test_speech_of_two_at_once_belongs_to_the_one_that_began() -> None:
    audio = Audio("v", np.zeros(20 * SAMPLE_RATE, np.float32))
    turns = [Segment("v", "a", 1.0, 5.0), Segment("v", "b", 2.0, 3.0), Segment("v", "b", 4.0, 8.0), Segment("v", "a", 8.1, 9.0)]
    spans = [(i, w.stretches[0].start / SAMPLE_RATE, w.stretches[-1].end / SAMPLE_RATE) for i, w in apart(audio, turns, 60.0)]
    assert spans == [(0, 0.8, 5.2), (2, 5.2, 8.1), (3, 8.1, 9.2)]
    assert apart(audio, [Segment("v", "a")], 60.0) == []
    parts = apart(audio, [Segment("v", "a", 0.0, 20.0)], 6.0)
    assert all(window.length <= 6 * SAMPLE_RATE for _, window in parts)
    assert sum(window.length for _, window in parts) == 20 * SAMPLE_RATE

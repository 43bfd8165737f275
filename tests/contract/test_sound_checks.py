"""The checks of sound: nothing on the examples as they are, and each planted fault gives its own finding and no other."""

from __future__ import annotations

import wave
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from parakh import qc
from parakh.audio.decode import SAMPLE_RATE, load_audio
from parakh.audio.facts import AudioFacts, Header
from parakh.audio.inspect import inspect
from parakh.formats import challenge_tsv, rttm
from parakh.models import store
from parakh.qc import Material, Settings, Source
from parakh.types import Entry, Finding, Recording, Region, Segment

pytest.importorskip("av", reason="the cascade extra is not installed")
pytestmark = pytest.mark.skipif(store.path("silero-vad") is None, reason="needs `parakh models get silero-vad`")

CODES = ("QC101", "QC102", "QC103", "QC104", "QC105", "QC211", "QC212", "QC311", "QC312", "QC411", "QC412")
EXAMPLES = ("hi_anc_01", "hi_child_02", "hi_elder_03", "kn_fever_04")
DATA = Path("../shared/data")
QUIET_S = 4.0


@dataclass
class Visit:
    """A recording and its annotations, to plant faults in."""

    samples: np.ndarray
    turns: list[Segment]
    transcript: list[Segment]
    rate: int = SAMPLE_RATE
    channels: int = 1
    promised: float = 1.0

    @property
    def seconds(self) -> float:
        return len(self.samples) / SAMPLE_RATE

    def material(self, folder: Path) -> Material:
        path = folder / "v1.wav"
        with wave.open(str(path), "wb") as out:
            out.setparams((self.channels, 2, self.rate, 0, "NONE", ""))
            out.writeframes((np.clip(self.samples, -1, 1) * 32767).astype("<i2").repeat(self.channels).tobytes())
        if self.promised != 1.0:
            content = bytearray(path.read_bytes())
            content[40:44] = int(self.promised * (len(content) - 44)).to_bytes(4, "little")
            path.write_bytes(content)
        entry = Entry(Recording("v1", str(path)))
        turns, words = Source("v1.rttm", self.turns, range(1, 999)), Source("v1.txt", self.transcript, range(2, 999))
        return Material(entry, inspect(path, decode=True), turns, words)


@cache
def example(session_id: str) -> tuple[np.ndarray, tuple[Segment, ...], tuple[Segment, ...]]:
    samples = load_audio(Path(f"examples/audio/{session_id}.flac")).samples
    turns = rttm.read(Path(f"examples/rttm/{session_id}.rttm")).items
    return samples, turns, challenge_tsv.read(Path(f"examples/transcripts/{session_id}.txt")).items


@pytest.fixture
def visit() -> Visit:
    """The antenatal visit, and four quiet seconds after it."""
    samples, turns, transcript = example("hi_anc_01")
    noise = np.random.default_rng(1).normal(size=round(QUIET_S * SAMPLE_RATE)) * 0.02
    return Visit(np.concatenate([samples, noise]), list(turns), list(transcript))


def found(material: Material, settings: Settings | None = None) -> list[Finding]:
    checks = [qc.get(code) for code in CODES]
    return [finding for check in checks for finding in check.findings(material, settings or Settings())]


@pytest.mark.parametrize("session_id", EXAMPLES)
def test_nothing_is_found_in_the_examples(session_id: str) -> None:
    _, turns, transcript = example(session_id)
    path = Path(f"examples/audio/{session_id}.flac")
    facts = inspect(path, decode=True)
    entry = Entry(Recording(session_id, str(path)))
    both = Material(entry, facts, Source("a.rttm", turns), Source("a.txt", transcript))
    assert found(both) == []
    assert found(replace(both, turns=None)) == []


@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")
@pytest.mark.parametrize("name", ["hi_real_008_029", "hi_real_086_003"])
def test_nothing_is_found_in_real_hindi_conversations(name: str) -> None:
    folder = DATA / "hindi-two-voices"
    turns = rttm.read(folder / f"{name}.rttm").items
    facts = inspect(folder / f"{name}.wav", decode=True)
    assert found(Material(Entry(Recording(name)), facts, Source("a.rttm", turns))) == []


def test_nothing_is_found_before_a_fault_is_planted(visit: Visit, tmp_path: Path) -> None:
    assert found(visit.material(tmp_path)) == []


def test_another_form_of_audio(visit: Visit, tmp_path: Path) -> None:
    visit.channels = 2
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.path, finding.line) == ("QC101", str(tmp_path / "v1.wav"), None)
    assert finding.message.startswith(
        "the audio is 16000 Hz, 2 channels, 16 bits, pcm_s16le in wav; expected 16000 Hz, 1 channel"
    )
    assert found(visit.material(tmp_path), Settings(limits={"channels": 2})) == []


def test_a_copy_that_broke_off(visit: Visit, tmp_path: Path) -> None:
    visit.promised = 1.5
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.severity) == ("QC102", "error")
    assert finding.message == "the audio: holds 82.5 s of the 123.8 s that its header promises"


def test_cut_off_peaks(visit: Visit, tmp_path: Path) -> None:
    visit.samples = visit.samples * 3
    (finding,) = found(visit.material(tmp_path))
    assert finding.code == "QC103"


def test_twelve_dead_seconds(visit: Visit, tmp_path: Path) -> None:
    visit.samples = np.concatenate([visit.samples, np.zeros(12 * SAMPLE_RATE)])
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.message) == ("QC104", "dead silence from 1:22.6 to 1:34.6")


def test_a_muted_microphone_is_told_once_and_not_for_each_label(visit: Visit, tmp_path: Path) -> None:
    visit.samples = visit.samples * 0
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.message) == ("QC104", "nothing can be heard: the loudest 10 ms are at -120 dB")


def test_a_recording_of_a_fan(visit: Visit, tmp_path: Path) -> None:
    visit.samples = np.random.default_rng(2).normal(size=5 * SAMPLE_RATE) * 0.02
    visit.turns, visit.transcript = [], []
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.message) == ("QC104", "nobody speaks in 0:05.0")


def test_a_long_wait(visit: Visit, tmp_path: Path) -> None:
    noise = np.random.default_rng(3).normal(size=70 * SAMPLE_RATE) * 0.02
    visit.samples = np.concatenate([visit.samples, noise])
    (finding,) = found(visit.material(tmp_path))
    assert finding.code == "QC104"
    assert finding.message.startswith("nobody speaks from 1:1")
    assert finding.message.endswith("to 2:32.5")


def test_speech_in_noise(visit: Visit, tmp_path: Path) -> None:
    noise = np.random.default_rng(4).normal(size=len(visit.samples))
    visit.samples = visit.samples * 0.5 + noise * visit.samples.std() * 0.5 * 10 ** (-5 / 20)
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.message) == ("QC105", "speech is 5 dB above the noise; expected 10 dB or more")


def test_a_turn_that_is_missing(visit: Visit, tmp_path: Path) -> None:
    gone = visit.turns.pop(9)
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.path, finding.line) == ("QC211", "v1.rttm", None)
    assert finding.message.startswith(f"speech from 0:{gone.start_time:.0f}")


def test_a_label_over_the_quiet(visit: Visit, tmp_path: Path) -> None:
    visit.turns.insert(5, replace(visit.turns[0], start_time=visit.seconds - 3, end_time=visit.seconds - 1))
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.path, finding.line) == ("QC212", "v1.rttm", 6)
    assert finding.message == "no speech is heard in the label from 1:19.5 to 1:21.5"


def tagged(visit: Visit, words: str, start: float, end: float) -> None:
    visit.transcript.append(Segment("v1", "spk0", start, end, words))


def test_a_tag_over_the_quiet_and_one_over_a_sound(visit: Visit, tmp_path: Path) -> None:
    tagged(visit, "<cough>", visit.seconds - 2.0, visit.seconds - 1.5)
    line = len(visit.transcript) + 1
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.path, finding.line) == ("QC311", "v1.txt", line)
    assert finding.message == "<cough> from 1:20.5 to 1:21.0 is as quiet as the silence around it"
    at = len(visit.samples) - round(1.8 * SAMPLE_RATE)
    visit.samples[at : at + 1600] += np.random.default_rng(5).normal(size=1600) * 0.1
    assert found(visit.material(tmp_path)) == []


def test_a_tag_among_words_has_no_time_of_its_own(visit: Visit, tmp_path: Path) -> None:
    visit.transcript[3] = replace(visit.transcript[3], words=f"<noise> {visit.transcript[3].words}")
    assert found(visit.material(tmp_path)) == []


def test_a_tag_of_silence_over_speech(visit: Visit, tmp_path: Path) -> None:
    one = visit.turns[4]
    tagged(visit, "<Silence>", one.start_time + 0.5, one.start_time + 2.0)
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.path, finding.message[:9]) == ("QC312", "v1.txt", "<silence>")
    assert finding.message.endswith("but somebody speaks")


def test_a_tag_of_silence_over_a_bang_and_over_the_quiet(visit: Visit, tmp_path: Path) -> None:
    tagged(visit, "<silence>", visit.seconds - 2.0, visit.seconds - 1.0)
    assert found(visit.material(tmp_path)) == []
    at = len(visit.samples) - round(1.8 * SAMPLE_RATE)
    visit.samples[at : at + 1600] += np.random.default_rng(5).normal(size=1600) * 0.2
    (finding,) = found(visit.material(tmp_path))
    assert (finding.code, finding.message.rpartition(", ")[2]) == ("QC312", "but something sounds")


def test_labels_and_regions_that_end_after_the_recording(visit: Visit, tmp_path: Path) -> None:
    visit.samples = visit.samples[: round(78.4 * SAMPLE_RATE)]
    last = max(range(len(visit.turns)), key=lambda k: visit.turns[k].end_time)
    visit.turns[last] = replace(visit.turns[last], end_time=visit.seconds + 2)
    material = replace(visit.material(tmp_path), regions=Source("a.uem", [Region("v1", 0, 78.4), Region("v1", 0, 99)], [1, 3]))
    one, other = found(material)
    assert (one.code, one.path, one.line, one.severity) == ("QC411", "v1.rttm", last + 1, "error")
    assert one.message == "it ends at 1:20.4, 2.0 s after the recording"
    assert (other.code, other.path, other.line) == ("QC411", "a.uem", 3)


def test_labels_that_cut_through_a_word(visit: Visit, tmp_path: Path) -> None:
    """0.4 s off each edge that no other turn is near; where that leaves a pause outside there is nothing to tell."""
    whole = visit.material(tmp_path)
    told = planted = 0
    for index, one in enumerate(visit.turns):
        for at_end in (True, False):
            lost = (one.end_time - 0.4, one.end_time) if at_end else (one.start_time, one.start_time + 0.4)
            others = visit.turns[:index] + visit.turns[index + 1 :]
            if one.duration < 1 or any(turn.start_time < lost[1] and lost[0] < turn.end_time for turn in others):
                continue
            planted += 1
            cut = replace(one, end_time=lost[0]) if at_end else replace(one, start_time=lost[1])
            turns = [*visit.turns[:index], cut, *visit.turns[index + 1 :]]
            findings = found(replace(whole, turns=Source("v1.rttm", turns)))
            told += len(findings)
            for finding in findings:
                assert (finding.code, finding.path, finding.line) == ("QC412", "v1.rttm", index + 1)
                assert ("after the label's end at" if at_end else "before the label's start at") in finding.message
    assert planted >= 20
    assert 0.6 * planted < told <= planted


def test_missing_turns_are_told_once_each(visit: Visit, tmp_path: Path) -> None:
    whole = visit.material(tmp_path)
    for index, one in enumerate(visit.turns):
        others = visit.turns[:index] + visit.turns[index + 1 :]
        if one.duration < 1 or any(turn.start_time < one.end_time and one.start_time < turn.end_time for turn in others):
            continue
        findings = found(replace(whole, turns=Source("v1.rttm", others)))
        assert [finding.code for finding in findings] == ["QC211"]


def test_checks_that_hear_say_nothing_where_nothing_was_heard(visit: Visit) -> None:
    facts = AudioFacts(Header("wav", "pcm_s16le", 16_000, 1, 16, 60.0), duration=60.0)
    silent = Material(Entry(Recording("v1", "v1.wav")), facts, Source("a.rttm", visit.turns), Source("a.txt", visit.transcript))
    assert {one.code for one in found(silent)} == {"QC411"}
    assert found(replace(silent, audio=None)) == []
    levels = replace(facts, level_db=np.full(6000, -30, np.float16))
    assert {one.code for one in found(replace(silent, audio=levels))} == {"QC411"}


@pytest.mark.parametrize("code", CODES)
def test_every_check_declares_what_it_needs(code: str) -> None:
    check = qc.get(code)
    assert check.recording is not None
    assert check.whole is None
    assert check.hears == (code not in {"QC101", "QC102", "QC411"})
    assert qc.get(check.name) is check

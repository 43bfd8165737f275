"""One fault for each check of sound, as ``tests/plantings.py``."""

from __future__ import annotations

import wave
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from parakh.audio.decode import SAMPLE_RATE
from parakh.files import write_atomic
from parakh.types import Segment
from tests.planted import WHOLE, Copy, write_wav
from tests.plantings import Place, at, native, planting, rttm, transcript

AUDIO = f"audio/{WHOLE}.wav"
ALONE = 62.230
"""Start of a turn of 3 s next to which nobody else speaks; it is line 24."""


def heard(copy: Copy, change: Callable[[np.ndarray], np.ndarray]) -> None:
    """Change the samples of the whole recording, in [-1, 1]."""
    path = copy.root / AUDIO
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
    path.unlink()
    write_wav(path, change(samples))


def within(start: float, end: float) -> slice:
    return slice(round(start * SAMPLE_RATE), round(end * SAMPLE_RATE))


def labelled(copy: Copy, change: Callable[[list[Segment]], list[Segment]]) -> None:
    """Change turns and segments of the whole recording alike."""
    copy.turns(WHOLE, change)
    copy.segments(WHOLE, change)


def quiet(samples: np.ndarray, count: int) -> np.ndarray:
    """The noise before anybody speaks, over and over."""
    return np.resize(samples[within(0.1, 0.7)], count)


@planting("QC101")
def audio_header(copy: Copy) -> Place:
    """Two channels with the same sound."""
    path = copy.root / AUDIO
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    path.unlink()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(np.repeat(samples, 2).tobytes())
    return AUDIO, None


@planting("QC102")
def damaged_audio(copy: Copy) -> Place:
    """A header whose bytes a second do not follow from its other numbers."""
    data = bytearray((copy.root / AUDIO).read_bytes())
    data[28:32] = (12345).to_bytes(4, "little")
    write_atomic(copy.root / AUDIO, bytes(data))
    return AUDIO, None


@planting("QC103")
def clipping(copy: Copy) -> Place:
    """So loud that one sample in two hundred is cut off."""
    heard(copy, lambda samples: samples / np.quantile(np.abs(samples), 0.995))
    return AUDIO, None


@planting("QC104")
def silent_audio(copy: Copy) -> Place:
    heard(copy, np.zeros_like)
    return AUDIO, None


@planting("QC105")
def low_snr(copy: Copy) -> Place:
    """Noise, 8 dB below the speech."""

    def noisy(samples: np.ndarray) -> np.ndarray:
        level = samples.std() * 10 ** (-8 / 20)
        return samples + np.random.default_rng(0).normal(0, level, len(samples))

    heard(copy, noisy)
    return AUDIO, None


@planting("QC211")
def speech_without_label(copy: Copy) -> Place:
    labelled(copy, lambda own: [one for one in own if one.start_time != ALONE])
    return rttm(WHOLE), None


@planting("QC212")
def label_without_speech(copy: Copy) -> Place:
    """Nobody says what the first turn says."""

    def emptied(samples: np.ndarray) -> np.ndarray:
        samples = samples.copy()
        inside = within(0.7, 4.0)
        samples[inside] = quiet(samples, len(samples[inside]))
        return samples

    heard(copy, emptied)
    return rttm(WHOLE), 1


@planting("QC311")
def tag_without_sound(copy: Copy) -> Place:
    """A tag for noise in five seconds at the end in which nothing happens."""
    heard(copy, lambda samples: np.concatenate((samples, quiet(samples, 5 * SAMPLE_RATE))))
    copy.entry(WHOLE, lambda entry: entry.update(duration=entry["duration"] + 5))
    last = Segment(WHOLE, "spk0", 80.0, 80.4, "<noise>", "health_worker", segment_id=f"{WHOLE}_029")
    copy.segments(WHOLE, lambda own: [*own, last])
    return transcript(WHOLE), 29


@planting("QC312")
def silence_tag_with_sound(copy: Copy) -> Place:
    """A tag for silence where somebody speaks."""
    tags = ["<noise>", "<laugh>", "<overlap>", "<silence>"]
    copy.write("parakh.toml", [*copy.lines("parakh.toml"), "[check.vocabulary]", f"tags = {tags}".replace("'", '"')])
    copy.segments(WHOLE, lambda own: [replace(one, words="<silence>") if one.start_time == ALONE else one for one in own])
    return transcript(WHOLE), 24


@planting("QC411")
def label_past_the_end(copy: Copy) -> list[Place]:
    labelled(copy, at(27, end_time=78.8))
    return [(name, 28) for name in (native(WHOLE), rttm(WHOLE), transcript(WHOLE))]


@planting("QC412")
def cut_speech(copy: Copy) -> Place:
    """The first turn begins in the middle of its first word."""
    labelled(copy, at(0, start_time=1.02))
    return rttm(WHOLE), 1

"""The room and the recorder: reverberation, background noise, a phone's frequency band, levels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from voices import SAMPLE_RATE, Samples

SOUND_SPEED = 343.0


def room_response(distance_m: float, reverberation_s: float, generator: np.random.Generator) -> Samples:
    """An impulse response: the direct sound at sample 0, a few early echoes, an exponentially decaying tail.

    Args:
        distance_m: Metres from the microphone; the direct sound falls as 1/distance, the tail does not.
        reverberation_s: Seconds until the tail has fallen by 60 dB.
        generator: Source of the echoes and of the tail.

    Returns:
        Samples at 16 kHz, the direct sound being 1 at one metre.
    """
    length = int(reverberation_s * SAMPLE_RATE)
    time = np.arange(length) / SAMPLE_RATE
    response = generator.standard_normal(length) * 10 ** (-3 * time / reverberation_s) * 0.012
    response[: int(0.004 * SAMPLE_RATE)] = 0.0
    for detour_m in generator.uniform(0.8, 7.0, size=6):
        sign = generator.choice([-1.0, 1.0])
        response[int(detour_m / SOUND_SPEED * SAMPLE_RATE)] += sign * 0.5 / (distance_m + detour_m)
    response[0] = 1.0 / distance_m
    return response


def convolve(samples: Samples, response: Samples) -> Samples:
    """Linear convolution by FFT; the result keeps the tail."""
    length = len(samples) + len(response) - 1
    size = 1 << (length - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(response, size), size)[:length]


def background(kind: str, length: int, generator: np.random.Generator) -> Samples:
    """Noise of unit RMS: "fan" (mains hum and blades), "babble" (a murmur) or "village" (wind and a far murmur)."""
    if kind == "fan":
        noise = 0.55 * _hum(length, generator) + 1.0 * _blades(length, generator) + 0.15 * _murmur(length, 3, generator)
    elif kind == "babble":
        noise = 1.0 * _murmur(length, 8, generator) + 0.2 * _coloured(length, -1.0, generator)
    elif kind == "village":
        noise = 0.8 * _wind(length, generator) + 0.6 * _murmur(length, 4, generator)
    else:
        raise SystemExit(f"noise kind is {kind!r}; expected fan, babble or village")
    return _unit(noise)


def phone_band(samples: Samples) -> Samples:
    """A phone's microphone: nothing under about 120 Hz or over about 6.8 kHz, a gentle lift at 2.5 kHz."""
    spectrum = np.fft.rfft(samples)
    frequency = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)
    high_pass = frequency**4 / (frequency**4 + 120.0**4)
    low_pass = 1 / (1 + (frequency / 6800.0) ** 16)
    lift = 1 + 0.4 * np.exp(-(((frequency - 2500.0) / 1200.0) ** 2))
    return np.fft.irfft(spectrum * high_pass * low_pass * lift, len(samples))


def to_pcm(samples: Samples, peak: float = 0.8) -> NDArray[np.int16]:
    """16-bit samples with the given peak, after a soft limit 14 dB over the RMS so that one loud word does not set the level."""
    limit = _rms(samples) * 10 ** (14 / 20)
    limited = limit * np.tanh(samples / limit)
    return np.asarray(np.round(limited * (peak * 32767 / np.abs(limited).max())), np.int16)


def _rms(samples: Samples) -> float:
    return float(np.sqrt(np.mean(samples**2)))


def _unit(samples: Samples) -> Samples:
    return samples / _rms(samples)


def _coloured(length: int, power: float, generator: np.random.Generator) -> Samples:
    """Noise whose power falls as frequency to the given power, flat under 60 Hz."""
    spectrum = np.fft.rfft(generator.standard_normal(length))
    frequency = np.maximum(np.fft.rfftfreq(length, 1 / SAMPLE_RATE), 60.0)
    return _unit(np.fft.irfft(spectrum * frequency ** (power / 2), length))


def _slow(length: int, rate_hz: float, generator: np.random.Generator) -> Samples:
    """A smooth random curve between 0 and 1 that changes about ``rate_hz`` times a second."""
    knots = generator.uniform(0.0, 1.0, size=int(length / SAMPLE_RATE * rate_hz) + 2)
    return np.interp(np.linspace(0, len(knots) - 1, length), np.arange(len(knots)), knots)


def _hum(length: int, generator: np.random.Generator) -> Samples:
    time = np.arange(length) / SAMPLE_RATE
    partials = ((100, 1.0), (150, 0.4), (200, 0.6), (300, 0.3), (400, 0.15))
    waves = [gain * np.sin(2 * np.pi * (hz * time + generator.uniform())) for hz, gain in partials]
    return _unit(np.sum(waves, axis=0))


def _blades(length: int, generator: np.random.Generator) -> Samples:
    time = np.arange(length) / SAMPLE_RATE
    return _unit(_coloured(length, -1.6, generator) * (1 + 0.35 * np.sin(2 * np.pi * 11.0 * time)))


def _wind(length: int, generator: np.random.Generator) -> Samples:
    return _unit(_coloured(length, -2.2, generator) * (0.3 + _slow(length, 0.7, generator)))


def _murmur(length: int, people: int, generator: np.random.Generator) -> Samples:
    """Speech-shaped noise with the loudness curve of several people talking; no words in it."""
    total = np.zeros(length)
    for _ in range(people):
        syllables = _slow(length, 8.0, generator) ** 2
        talking = np.clip(3 * _slow(length, 0.4, generator) - 0.8, 0, 1)
        total += phone_band(_coloured(length, -1.5, generator)) * syllables * talking
    return _unit(total)

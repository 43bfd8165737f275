"""What happens to speech between a mouth and a file: rooms, noises, bands, levels, other voices' pitch; all drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from room import background, convolve, phone_band, room_response
from voices import SAMPLE_RATE, Samples

Room = Callable[[Samples, np.random.Generator], Samples]


def room_of(draw: random.Random) -> Room:
    """A room, or none; each utterance in it has a distance, a level and half of them another pitch and speed."""
    reverberation = draw.uniform(0.12, 0.55) if draw.random() < 0.6 else None

    def within(samples: Samples, generator: np.random.Generator) -> Samples:
        if draw.random() < 0.5:
            step = draw.uniform(0.88, 1.13)
            samples = np.interp(np.arange(0, len(samples) - 1, step), np.arange(len(samples)), samples)
        if reverberation is not None:
            heard = convolve(samples, room_response(draw.uniform(0.4, 1.8), reverberation, generator))
            samples = heard[: len(samples) + int(0.15 * SAMPLE_RATE)]
        return samples * 10 ** (draw.uniform(-6, 3) / 20)

    return within


def noise(draw: random.Random, generator: np.random.Generator, length: int) -> Samples:
    """Noise of unit RMS: fan, babble, village, white or pink."""
    kind = draw.choice(("fan", "babble", "village", "white", "pink"))
    if kind == "white":
        return generator.standard_normal(length)
    if kind == "pink":
        frequency = np.maximum(np.fft.rfftfreq(length, 1 / SAMPLE_RATE), 30)
        pink = np.fft.irfft(np.fft.rfft(generator.standard_normal(length)) / np.sqrt(frequency), length)
        return np.asarray(pink / np.sqrt(np.mean(pink**2)))
    return background(kind, length, generator)


def distorted(samples: Samples, draw: random.Random, generator: np.random.Generator) -> Samples:
    """Noise, an uneven frequency response, the band of a phone or of a dull microphone, a level."""
    if draw.random() < 0.7:
        loudness = np.sqrt(np.mean(samples**2))
        samples = samples + noise(draw, generator, len(samples)) * loudness * 10 ** (-draw.uniform(8, 32) / 20)
    if draw.random() < 0.6:
        knots, gains = np.sort(generator.uniform(100, 7500, 5)), generator.uniform(-9, 9, 5)
        samples = _filtered(samples, lambda frequency: 10 ** (np.interp(frequency, knots, gains) / 20))
    band = draw.random()
    if band < 0.3:
        samples = phone_band(samples)
    elif band < 0.4:
        edge = draw.uniform(3000, 5000)
        samples = _filtered(samples, lambda frequency: 1 / (1 + (frequency / edge) ** 12))
    return np.asarray(samples * (draw.uniform(0.1, 0.9) / np.abs(samples).max()))


def _filtered(samples: Samples, gain: Callable[[Samples], Samples]) -> Samples:
    frequency = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)
    return np.fft.irfft(np.fft.rfft(samples) * gain(frequency), len(samples))

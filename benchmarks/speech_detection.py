"""Compare ways to detect speech: errors on references, noise called speech, false findings, and what they cost.

    python benchmarks/speech_detection.py [DATA]

DATA (default ../shared/data) holds ``hindi-two-voices`` and ``pyannote-audio``; the project's own examples are added. Candidates:
Silero VAD 6 as the project uses it, and with the thresholds of its authors; webrtcvad in its modes (package webrtcvad-wheels,
left out where it is not installed); pyannote segmentation 3.0 over windows of 10 s; energy in the speech band over an adaptive
floor, with spectral flatness. All of them join pauses under 0.3 s and drop sounds under 0.1 s. Error = (missed + false speech) /
reference speech on a grid of 10 ms, no collar. The last table plants faults in the labels and asks the checks.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from diarization import Case, _examples, _hindi, _pyannote
from numpy.typing import NDArray

from parakh import qc
from parakh.audio import speech
from parakh.audio.decode import SAMPLE_RATE, load_audio
from parakh.audio.inspect import inspect
from parakh.audio.levels import BLOCK_S, Meter, even, frames
from parakh.audio.noise import signal_to_noise
from parakh.qc import Material, Settings, Source
from parakh.qc._sound import around, runs
from parakh.types import Entry, Recording, Segment

Samples = NDArray[np.float32]
Mask = NDArray[np.bool_]
FRAME = SAMPLE_RATE // 100


@dataclass(frozen=True)
class Heard:
    """A case with its samples, the frames with reference speech, and those that are scored."""

    case: Case
    samples: Samples
    said: Mask
    scored: Mask


def main() -> None:
    """Print one table a question."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    cases = [_heard(case) for case in (*_hindi(data), *_pyannote(data), *_examples(Path("examples")))]
    candidates = dict(_candidates())
    _errors("as recorded", cases, candidates)
    for snr in (10, 0):
        _errors(f"with pink noise at {snr} dB", [replace(one, samples=_noisy(one.samples, snr)) for one in cases], candidates)
    quiet = np.float32(0.01)
    _errors("40 dB quieter", [replace(one, samples=one.samples * quiet) for one in cases], candidates)
    _noises(candidates)
    _planted([one.case for one in cases])
    _ratios(cases)


def _heard(case: Case) -> Heard:
    samples = load_audio(case.audio).samples
    count = len(samples) // FRAME
    said = frames([(one.start_time or 0.0, one.end_time or 0.0) for one in case.turns], count)
    spans = [(one.start_time, one.end_time) for one in case.regions] if case.regions else [(0.0, count / 100)]
    return Heard(case, samples, said, frames(spans, count))


def _candidates() -> Iterator[tuple[str, Callable[[Samples], Mask]]]:
    yield "Silero, 0.2 / 0.1", _silero
    yield "Silero, 0.5 / 0.35", _silero_as_published
    for mode in (0, 2, 3):
        try:
            import webrtcvad  # noqa: F401
        except ImportError:
            break
        yield f"webrtcvad, mode {mode}", lambda samples, mode=mode: _webrtc(samples, mode)  # type: ignore[misc]
    yield "pyannote segmentation", _segmentation
    yield "energy over a floor", _energy


def _silero(samples: Samples) -> Mask:
    return frames(_stretches(samples), len(samples) // FRAME)


def _stretches(samples: Samples) -> speech.Spans:
    detector = speech.Detector(SAMPLE_RATE)
    for start in range(0, len(samples), BLOCK_S * SAMPLE_RATE):
        detector.hear(samples[start : start + BLOCK_S * SAMPLE_RATE])
    return detector.stretches(len(samples) / SAMPLE_RATE)


def _silero_as_published(samples: Samples) -> Mask:
    usual = speech._ON, speech._OFF
    speech._ON, speech._OFF = 0.5, 0.35
    try:
        return _silero(samples)
    finally:
        speech._ON, speech._OFF = usual


def _webrtc(samples: Samples, mode: int) -> Mask:
    import webrtcvad

    detector = webrtcvad.Vad(mode)
    data = (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()
    size = 2 * 3 * FRAME
    found = [detector.is_speech(data[at : at + size], SAMPLE_RATE) for at in range(0, len(data) - size + 1, size)]
    mask = np.zeros(len(samples) // FRAME, np.bool_)
    mask[: 3 * len(found)] = np.repeat(found, 3)
    return _joined(mask)


def _segmentation(samples: Samples) -> Mask:
    from parakh.cascade.networks import segmentation as net
    from parakh.cascade.networks.runtime import network

    run = network(net.MODEL, net.build, 1)
    count = len(samples) // FRAME
    whole = np.pad(samples, (0, -len(samples) % net.WINDOW_SAMPLES)).reshape(-1, 1, net.WINDOW_SAMPLES)
    silent = np.exp(np.concatenate([run(window[None])[:, :, 0] for window in whole]))
    at = (np.arange(silent.shape[1]) * net.FRAME_STEP + net.FRAME_FIELD // 2) / SAMPLE_RATE
    grid = (np.arange(net.WINDOW_SAMPLES // FRAME) + 0.5) / 100
    return _joined(np.concatenate([np.interp(grid, at, row) < 0.5 for row in silent])[:count])


def _energy(samples: Samples) -> Mask:
    """300 to 3,400 Hz, 6 dB over the 8th percentile within 10 s, where the spectrum is not flat."""
    count = len(samples) // FRAME
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(samples, (0, 512)), 512)[::FRAME][:count]
    hann = np.hanning(512).astype(np.float32)
    parts = [np.abs(np.fft.rfft(windows[k : k + 3000] * hann))[:, 10:110] ** 2 + 1e-12 for k in range(0, count, 3000)]
    power = np.concatenate(parts)
    mean = power.mean(axis=1)
    level = np.convolve(10 * np.log10(mean + 1e-9), np.ones(5) / 5, "same")
    peaked = np.exp(np.log(power).mean(axis=1)) / mean < 0.4
    places = np.arange(0, count, 100)
    floor = np.interp(np.arange(count), places, [np.percentile(level[max(0, k - 1000) : k + 1000], 8) for k in places])
    often = np.convolve(peaked, np.ones(15) / 15, "same") > 0.3
    return _joined(often & (level - floor > 6))


def _joined(mask: Mask) -> Mask:
    """Pauses under 0.3 s filled, then sounds under 0.1 s dropped."""
    made = mask.copy()
    for start, end in runs(~mask):
        made[start:end] |= end - start < 30 and start > 0 and end < len(mask)
    for start, end in runs(made):
        made[start:end] = end - start >= 10
    return made


def _errors(title: str, cases: Sequence[Heard], candidates: dict[str, Callable[[Samples], Mask]]) -> None:
    groups = list(dict.fromkeys(one.case.group for one in cases))
    print(
        f"\n{title}: missed + false = error, % of the reference speech\n{'':22} ms/s  "
        + "".join(f"{name:>24}" for name in groups)
    )
    seconds = sum(len(one.samples) for one in cases) / SAMPLE_RATE
    for name, detect in candidates.items():
        detect(cases[0].samples)
        began = time.process_time()
        masks = [detect(one.samples) for one in cases]
        cost = 1000 * (time.process_time() - began) / seconds
        print(f"{name:22} {cost:4.1f}  " + "".join(f"{_rates(cases, masks, group):>24}" for group in groups), flush=True)


def _rates(cases: Sequence[Heard], masks: Sequence[Mask], group: str) -> str:
    own = [(one, mask) for one, mask in zip(cases, masks, strict=True) if one.case.group == group]
    said = sum(np.count_nonzero(one.said & one.scored) for one, _ in own)
    missed = 100 * sum(np.count_nonzero(one.said & ~mask & one.scored) for one, mask in own) / said
    false = 100 * sum(np.count_nonzero(~one.said & mask & one.scored) for one, mask in own) / said
    return f"{missed:.1f} + {false:.1f} = {missed + false:.1f}"


def _noisy(samples: Samples, snr: float) -> Samples:
    noise = _pink(len(samples), np.random.default_rng(0))
    return (samples + noise * samples.std() * 10 ** (-snr / 20)).astype(np.float32)


def _pink(count: int, generator: np.random.Generator) -> NDArray[np.float64]:
    spectrum = np.fft.rfft(generator.normal(size=count))
    noise = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 1)), count)
    return np.asarray(noise / noise.std())


def _noises(candidates: dict[str, Callable[[Samples], Mask]]) -> None:
    generator = np.random.default_rng(0)
    count = 30 * SAMPLE_RATE
    time_s = np.arange(count) / SAMPLE_RATE
    tones = (220, 277, 330, 440, 880)
    gusts = np.convolve(generator.normal(size=count // 1600), np.ones(8) / 8, "same").repeat(1600)
    noises = {
        "white": generator.normal(size=count),
        "pink": _pink(count, generator),
        "hum": np.sin(100 * np.pi * time_s) + 0.5 * np.sin(300 * np.pi * time_s) + 0.05 * generator.normal(size=count),
        "tone": np.sin(880 * np.pi * time_s),
        "bangs": _pink(count, generator) * (generator.random(count // 1600) < 0.2).repeat(1600)
        + 0.02 * generator.normal(size=count),
        "chords": sum(np.sin(2 * np.pi * tone * time_s) for tone in tones) * np.exp(-4 * ((2 * time_s) % 1)),
        "beeps": np.sin(2000 * np.pi * time_s) * (time_s % 1 < 0.3) + 0.01 * generator.normal(size=count),
        "wind": _pink(count, generator) * (1 + 3 * gusts),
    }
    print("\nnoise without speech at -20 dB: % called speech\n" + " " * 22 + "".join(f"{name:>8}" for name in noises))
    for name, detect in candidates.items():
        shares = [100 * detect((0.1 * noise / noise.std()).astype(np.float32)).mean() for noise in noises.values()]
        print(f"{name:22}" + "".join(f"{share:8.0f}" for share in shares))


def _ratios(cases: Sequence[Heard]) -> None:
    """Estimates of the signal-to-noise ratio beside the ratio that pink noise was mixed at."""
    print("\nsignal-to-noise ratio, dB: as recorded, then mixed with pink noise at that ratio of speech to noise")
    for one in cases:
        spoken = np.sqrt(np.mean(one.samples[: len(one.said) * FRAME].reshape(-1, FRAME)[one.said] ** 2))
        noise = _pink(len(one.samples), np.random.default_rng(0)) * spoken
        mixed = {snr: one.samples + (noise * 10 ** (-snr / 20)).astype(np.float32) for snr in (20, 10, 5, 0)}
        found = [f"{snr}: {_ratio(samples)}" for snr, samples in mixed.items()]
        print(f"{one.case.audio.stem:22}{_ratio(one.samples):>6}   " + "   ".join(found))


def _ratio(samples: Samples) -> str:
    meter = Meter(SAMPLE_RATE, 1, 2.0)
    for block in even([samples[:, None]], BLOCK_S * SAMPLE_RATE):
        meter.hear(block)
    found = signal_to_noise(meter.level_db, _stretches(samples))
    return "n/a" if found is None else f"{found:.1f}"


def _planted(cases: Sequence[Case]) -> None:
    """Labels removed or cut, one at a time, where no other label is: how many are told, and what is told before."""
    print("\nlabels: false findings / labels, then told / planted")
    told: dict[tuple[str, str], list[int]] = {}
    for case in cases:
        facts = inspect(case.audio, decode=True)
        whole = Material(Entry(Recording(case.audio.stem)), facts, Source("turns", case.turns))
        before = _told(whole)
        _count(told, case.group, "false", len(before), len(case.turns))
        for what, turns in _faults(case.turns, facts.duration or 0.0):
            found = _told(replace(whole, turns=Source("turns", turns)))
            _count(told, case.group, what, len(found) > len(before), 1)
    kinds = list(dict.fromkeys(what for _, what in told))
    print(f"{'':22}" + "".join(f"{what:>14}" for what in kinds))
    for group in dict.fromkeys(group for group, _ in told):
        print(f"{group:22}" + "".join(f"{'{} / {}'.format(*told.get((group, what), (0, 0))):>14}" for what in kinds))


def _count(told: dict[tuple[str, str], list[int]], group: str, what: str, found: int, of: int) -> None:
    sums = told.setdefault((group, what), [0, 0])
    sums[0] += found
    sums[1] += of


def _told(material: Material) -> list[str]:
    checks = [qc.get(code) for code in ("QC211", "QC212", "QC412")]
    return [one.message for check in checks if check.recording for one in check.findings(material, Settings())]


def _faults(turns: Sequence[Segment], duration: float) -> Iterator[tuple[str, list[Segment]]]:
    count = round(100 * duration)
    for index, one in enumerate(turns):
        rest = [*turns[:index], *turns[index + 1 :]]
        others = frames([(turn.start_time or 0.0, turn.end_time or 0.0) for turn in rest], count)
        start, end = one.start_time or 0.0, one.end_time or 0.0
        if end > duration:
            continue
        if np.count_nonzero(frames([(start, end)], count) & ~others) >= 60:
            yield "removed", rest
        for cut in (0.3, 0.5, 1.0):
            for kept in ((start + cut, end), (start, end - cut)):
                lost = frames([(start, end)], count) & ~frames([kept], count)
                if kept[1] - kept[0] >= 0.5 and not (lost & others).any():
                    yield f"cut by {cut}", [*rest, replace(one, start_time=kept[0], end_time=kept[1])]
        free = ~around(others | frames([(start, end)], count), 30)
        for first, after in runs(free):
            if after - first >= 60:
                yield "over silence", [*turns, replace(one, start_time=first / 100, end_time=after / 100)]
                break


if __name__ == "__main__":
    main()

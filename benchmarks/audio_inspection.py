"""Time the inspection of ten hours of audio: header, checksum, levels, clipping, speech and noise.

    python benchmarks/audio_inspection.py [--hours 10] [--jobs 2] [--folder DIR]

The recordings are the project's examples one after the other with noise added, half of the hours WAV and half FLAC, 16 kHz mono
16 bits: one recording of 2 hours and the rest of 12 minutes in each form. They are made in DIR (default: a temporary folder;
about 0.9 GB for ten hours) before the clock starts.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE, load_audio
from parakh.audio.facts import AudioFacts
from parakh.audio.inspect import inspect
from parakh.parallel import in_parallel

SHORT_MIN, LONG_MIN = 12, 120
PIECE = 60 * SAMPLE_RATE
"""Samples made and written at once."""


def main() -> None:
    """Make the recordings, inspect them, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        paths = make(options.folder or Path(scratch), options.hours)
        load_network(paths[-1])
        began = time.perf_counter()
        facts = in_parallel(lambda k: inspect(paths[k], decode=True), len(paths), options.jobs)
        report(facts, time.perf_counter() - began, options.jobs)


def make(folder: Path, hours: float) -> list[Path]:
    """The recordings, long ones first so that no process waits for one at the end."""
    speech = np.concatenate([load_audio(path).samples for path in sorted(Path("examples/audio").glob("*.flac"))])
    minutes = round(hours * 30)
    lengths = [LONG_MIN] * (minutes > LONG_MIN)
    lengths += [SHORT_MIN] * ((minutes - sum(lengths)) // SHORT_MIN)
    made = []
    for number, length in enumerate(lengths):
        for suffix, write in (("wav", _write_wav), ("flac", _write_flac)):
            path = folder / f"r{number:03d}.{suffix}"
            if not path.exists():
                write(path, speech, length, np.random.default_rng(number))
            made.append(path)
    return made


def load_network(path: Path) -> None:
    """So that fetching the weights, once in the life of a machine, is not timed; the processes load them themselves."""
    in_parallel(lambda _: inspect(path, decode=True).duration, 2, 2)


def _piece(speech: NDArray[np.float32], minute: int, generator: np.random.Generator) -> NDArray[np.int16]:
    samples = np.take(speech, np.arange(minute * PIECE, (minute + 1) * PIECE), mode="wrap")
    noisy = samples + generator.normal(size=PIECE).astype(np.float32) * np.float32(0.005)
    return (np.clip(noisy, -1, 1) * 32767).astype(np.int16)


def _write_wav(path: Path, speech: NDArray[np.float32], minutes: int, generator: np.random.Generator) -> None:
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        for minute in range(minutes):
            out.writeframes(_piece(speech, minute, generator).tobytes())


def _write_flac(path: Path, speech: NDArray[np.float32], minutes: int, generator: np.random.Generator) -> None:
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream("flac", rate=SAMPLE_RATE)
        stream.layout = "mono"
        resampler = av.AudioResampler("s16", "mono", SAMPLE_RATE, 4096)
        for minute in range(minutes):
            frame = av.AudioFrame.from_ndarray(_piece(speech, minute, generator)[None], format="s16", layout="mono")
            frame.sample_rate = SAMPLE_RATE
            for part in resampler.resample(frame):
                container.mux(stream.encode(part))
        for part in [*resampler.resample(None), None]:
            container.mux(stream.encode(part))


def report(facts: list[AudioFacts], wall: float, jobs: int) -> None:
    """Wall time and memory, and that something was found."""
    hours = sum(one.duration or 0.0 for one in facts) / 3600
    heard = sum(end - start for one in facts for start, end in one.speech or ()) / 3600
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, peak = children.ru_utime + children.ru_stime, children.ru_maxrss * 1024 / 1e6
    print(f"{len(facts)} recordings, {hours:.2f} h, {heard:.2f} h of speech, {sum(len(one.findings) for one in facts)} findings")
    print(
        f"{jobs} processes: {wall:.1f} s, {3600 * hours / wall:.0f} times real time; CPU {cpu:.1f} s; peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()

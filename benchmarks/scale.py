"""How the embedded cascade scales: real-time factor, memory over time, start-up, and what several workers buy.

    python benchmarks/scale.py [--minutes 120] [--jobs 2] [--limit 1.5GB]

Runs ``parakh run`` as anybody would, on the bundled conversations one after the other, then with several workers, then on one
long recording made of them. Prints wall and processor seconds a second of audio, the highest sampled memory of all processes of
the run that the system cannot take back (RssAnon) and with mapped files (Rss), and the seconds to the first stage of the first
recording. Figures by the clock mean something on an idle machine only; those of the processor nearly always.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

import numpy as np

from parakh.audio.decode import SAMPLE_RATE, load_audio
from parakh.cost import load_cost

EXAMPLES = Path(__file__).parent.parent / "examples"
_SAMPLE_S = 0.2


def main() -> None:
    """Run all three and print a row each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120.0, help="length of the long recording; 0 leaves it out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", default="1.5GB", help="--max-memory of the long recording")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        bundled = str(EXAMPLES / "recordings.jsonl")
        print(f"{'run':24} {'audio s':>8} {'RTF':>6} {'CPU/s':>6} {'anon MB':>8} {'RSS MB':>7} {'first stage s':>13}")
        row("bundled, 1 worker", [bundled, "--jobs", "1"], place / "one")
        row(f"bundled, {chosen.jobs} workers", [bundled, "--jobs", str(chosen.jobs)], place / "several")
        if chosen.minutes:
            write_long(place / "long.wav", chosen.minutes)
            long = [str(place / "long.wav"), "--language", "hi", "--max-memory", chosen.limit]
            row(f"{chosen.minutes:g} minutes", long, place / "long", over_time=True)


def row(name: str, arguments: list[str], out: Path, *, over_time: bool = False) -> None:
    """One run, watched from outside."""
    command = [sys.executable, "-m", "parakh.cli.main", "run", *arguments, "--out", str(out)]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    samples = []
    while process.poll() is None:
        samples.append((time.monotonic() - started, *held(process.pid)))
        time.sleep(_SAMPLE_S)
    if not (out / "run.json").is_file():
        sys.exit(process.stderr.read() if process.stderr else "no run card")
    cost, latest = load_cost(out), json.loads((out / "run.json").read_text())["latest"]
    seconds = time.monotonic() - started
    anonymous, resident = (max(sample[place] for sample in samples) for place in (1, 2))
    before = seconds - latest["seconds"] + cold_start(out)
    print(
        f"{name:24} {cost.audio_seconds:8.0f} {latest['real_time_factor']:6.3f} {cost.cpu_seconds / cost.audio_seconds:6.3f} "
        f"{anonymous:8.0f} {resident:7.0f} {before:13.1f}",
        flush=True,
    )
    if over_time:
        for time_s, anonymous, resident in samples[:: max(1, len(samples) // 24)]:
            print(f"    {time_s:7.0f} s  anon {anonymous:6.0f} MB  RSS {resident:6.0f} MB")


def cold_start(out: Path) -> float:
    """Seconds by which the first diarization of a run is slower, by its rate, than the others: loading and first use."""
    cards = [json.loads(path.read_text()) for path in (out / "runs").glob("*.json")]
    rates = sorted((card["stages"][0]["seconds"] / card["duration"], card["duration"]) for card in cards)
    return (rates[-1][0] - rates[0][0]) * rates[-1][1]


def held(pid: int) -> tuple[float, float]:
    """Megabytes of a process and of those it started: anonymous, and resident."""
    anonymous = resident = 0.0
    left = [pid]
    while left:
        one = left.pop()
        try:
            status = Path(f"/proc/{one}/status").read_text()
            left += [
                int(child) for listed in Path(f"/proc/{one}/task").glob("*/children") for child in listed.read_text().split()
            ]
        except OSError:
            continue
        fields = dict(line.split(":", 1) for line in status.splitlines() if line.startswith(("RssAnon", "VmRSS")))
        anonymous += int(fields.get("RssAnon", "0 kB").split()[0]) / 1000
        resident += int(fields.get("VmRSS", "0 kB").split()[0]) / 1000
    return anonymous, resident


def write_long(path: Path, minutes: float) -> None:
    """The bundled Hindi conversations one after the other, again and again, for so long."""
    talk = np.concatenate([load_audio(one).samples for one in sorted((EXAMPLES / "audio").glob("hi_*.flac"))])
    data = (talk * 32767).clip(-32768, 32767).astype("<i2").tobytes()
    left = int(minutes * 60 * SAMPLE_RATE) * 2
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        while left > 0:
            file.writeframes(data[:left])
            left -= len(data)


if __name__ == "__main__":
    main()

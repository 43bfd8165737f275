"""Measure the embedded transcriber and translator on the reference turns of recordings that others made.

    python benchmarks/asr.py [DATA] [--beam N] [--threads N] [--show]

DATA is the folder of test recordings (../shared/data beside the project). Rows: read speech of two real Hindi voices
with overlap, a real doctor-patient talk in Hindi (one turn, no times), the project's synthetic visits, and 30 s of real
English. Texts are scored after the profile displace-2026. Cost is CPU and wall seconds a second of audio, models
loaded before.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from parakh import formats, metrics
from parakh.audio.decode import Audio, load_audio
from parakh.cascade.transcribers import whisper_base as transcriber
from parakh.cascade.translators import whisper_base as translator
from parakh.results import Stats, total
from parakh.text.normalize import get_profile
from parakh.types import Segment

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Case:
    """One recording of a row, with its reference turns."""

    row: str
    audio: Audio
    turns: list[Segment]


def cases(data: Path) -> Iterator[Case]:
    for path in sorted((data / "hindi-two-voices").glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))["segments"]
        turns = [Segment(path.stem, s["speaker"], s["start"], s["end"], s["text"]) for s in told]
        yield Case("hi read, real", load_audio(path.with_suffix(".wav"), language="hi"), turns)
    talk = data / "doctor-patient-indic"
    if talk.is_dir():
        audio = load_audio(talk / "audio/hindi/convo_001.mp3", language="hi")
        text = " ".join((talk / "transcripts/hindi/convo_001.txt").read_text(encoding="utf-8").split())
        yield Case("hi clinic, real", audio, [Segment(audio.session_id, "all", 0.0, audio.duration, text)])
    for path in sorted((ROOT / "examples/audio").glob("hi_*.flac")):
        turns = list(formats.load(ROOT / f"examples/transcripts/{path.stem}.txt", Segment).items)
        yield Case("hi visit, synthetic", load_audio(path, language="hi"), turns)
    sample = data / "pyannote-audio/src/pyannote/audio/sample/sample.wav"
    if sample.is_file():
        yield Case("en talk, real", load_audio(sample), list(formats.load(sample.with_suffix(".stm"), Segment).items))


@dataclass
class Row:
    """Sums over the recordings of a row."""

    seconds: float
    turns: int
    errors: dict[str, list[Stats]]
    cpu: list[float]
    wall: list[float]


NAMES = {"wer": "WER", "cer": "CER", "cpwer": "cpWER", "tcpwer": "tcpWER"}


def measure(case: Case, threads: int, beam: int, show: bool) -> Row:
    bare = [replace(turn, words="") for turn in case.turns]
    cpu, wall = [time.process_time()], [time.perf_counter()]
    heard = transcriber.Backend(threads=threads, beam=beam).transcribe(case.audio, bare)
    cpu.append(time.process_time())
    wall.append(time.perf_counter())
    english = translator.Backend(threads=threads, beam=beam).translate(case.audio, bare)
    cpu.append(time.process_time())
    wall.append(time.perf_counter())
    if show:
        for said, found, translated in zip(case.turns, heard, english, strict=True):
            print(f"{said.speaker}: {said.words}\n   > {found.words}\n   > {translated.words}")
    profile = get_profile("displace-2026")
    reference, hypothesis = ([replace(s, words=profile(s.words)) for s in side] for side in (case.turns, heard))
    errors = {name: [metrics.get(name).stats(reference, hypothesis)] for name in NAMES}
    return Row(case.audio.duration, len(bare), errors, _steps(cpu), _steps(wall))


def _steps(times: list[float]) -> list[float]:
    return [after - before for before, after in itertools.pairwise(times)]


def add(rows: dict[str, Row], name: str, row: Row) -> None:
    known = rows.setdefault(name, Row(0.0, 0, {metric: [] for metric in NAMES}, [0.0, 0.0], [0.0, 0.0]))
    known.seconds += row.seconds
    known.turns += row.turns
    for metric, stats in row.errors.items():
        known.errors[metric] += stats
    known.cpu = [a + b for a, b in zip(known.cpu, row.cpu, strict=True)]
    known.wall = [a + b for a, b in zip(known.wall, row.wall, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print every turn")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    for i, case in enumerate(cases(options.data)):
        if not i:
            measure(case, options.threads, 1, show=False)  # loads the models
        add(rows, case.row, measure(case, options.threads, options.beam, options.show))
    print(
        "| data | s | turns |",
        *(f"{title} % |" for title in NAMES.values()),
        "transcribe cpu/s, wall/s | translate cpu/s, wall/s |",
    )
    print("|---|" + "---|" * (len(NAMES) + 4))
    for name, row in rows.items():
        scores = [metrics.get(metric).score(total(row.errors[metric])) for metric in NAMES]
        rates = " | ".join("n/a" if score is None else f"{100 * score:.1f}" for score in scores)
        costs = " | ".join(f"{c / row.seconds:.3f}, {w / row.seconds:.3f}" for c, w in zip(row.cpu, row.wall, strict=True))
        print(f"| {name} | {row.seconds:.0f} | {row.turns} | {rates} | {costs} |")


if __name__ == "__main__":
    main()

"""Run the embedded diarizer on real and synthetic recordings and print its errors and what it costs.

    python benchmarks/diarization.py [DATA] [--embedding NAME] [--step SECONDS]

DATA (default ../shared/data) holds ``hindi-two-voices`` and ``pyannote-audio``; the project's own examples are added.
Rates are percent, no collar, overlap scored, with the number of speakers estimated and given. CPU is user + system
time a second of audio, wall the same by the clock.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parakh import formats
from parakh.audio.decode import load_audio
from parakh.cascade.diarizers.segmentation_clustering import Backend
from parakh.cli.tables import percent
from parakh.metrics.der import parts, score, stats
from parakh.results import Stats, total
from parakh.types import Region, Segment

FAR_FIELD = {"dev00": "development", "tst00": "test", "trñ00": "train"}


@dataclass(frozen=True)
class Case:
    """A recording with its reference."""

    group: str
    audio: Path
    turns: Sequence[Segment]
    regions: Sequence[Region] | None = None


def main() -> None:
    """Score every recording that is there, and the total of each group."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--embedding", default=Backend.embedding)
    parser.add_argument("--step", type=float, default=Backend.step)
    options = parser.parse_args()
    backend = Backend(embedding=options.embedding, step=options.step)
    columns = " ".join(f"{name:>6}" for name in ("DER", "miss", "false", "conf.", "given", "CPU", "wall"))
    print(f"{'recording':20} {'s':>4} {'speakers':>8} {columns}")
    cases = [*_hindi(options.data), *_pyannote(options.data), *_examples(Path("examples"))]
    for group in dict.fromkeys(case.group for case in cases):
        rows = [_row(case, backend) for case in cases if case.group == group]
        estimated, given = (percent(score(total([row[i] for row in rows]))) for i in (0, 1))
        print(f"{group + ', together':34} {estimated:>6} {'':20} {given:>6}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6:.0f} MB")


def _row(case: Case, backend: Backend) -> tuple[Stats, Stats]:
    audio = load_audio(case.audio)
    wall, cpu = time.perf_counter(), time.process_time()
    found = backend.diarize(audio)
    wall, cpu = ((now - then) / audio.duration for now, then in ((time.perf_counter(), wall), (time.process_time(), cpu)))
    speakers = len({turn.speaker for turn in case.turns})
    given = stats(case.turns, replace(backend, num_speakers=speakers).diarize(audio), regions=case.regions)
    estimated = stats(case.turns, found, regions=case.regions)
    heard = f"{len({turn.speaker for turn in found})} of {speakers}"
    errors = [percent(parts(estimated)[name]) for name in ("miss", "false_alarm", "confusion")]
    shown = " ".join(f"{value:>6}" for value in (percent(score(estimated)), *errors, percent(score(given))))
    print(f"{case.audio.stem:20} {audio.duration:4.0f} {heard:>8} {shown} {cpu:6.3f} {wall:6.3f}", flush=True)
    return estimated, given


def _hindi(data: Path) -> Iterator[Case]:
    for rttm in sorted((data / "hindi-two-voices").glob("*.rttm")):
        yield Case("Hindi, real voices", rttm.with_suffix(".wav"), _turns(rttm, rttm.stem))


def _pyannote(data: Path) -> Iterator[Case]:
    sample = data / "pyannote-audio/src/pyannote/audio/sample/sample.rttm"
    if sample.is_file():
        yield Case("English telephone", sample.with_suffix(".wav"), _turns(sample, "sample"))
    folder = data / "pyannote-audio/tests/data"
    for name, part in FAR_FIELD.items():
        if (folder / f"{name}.wav").is_file():
            session = name.replace("ñ", "n")
            regions = formats.get("uem").read(folder / f"debug.{part}.uem").items
            inside = [region for region in regions if region.session_id == session]
            yield Case("English, far field", folder / f"{name}.wav", _turns(folder / f"debug.{part}.rttm", session), inside)


def _examples(folder: Path) -> Iterator[Case]:
    for rttm in sorted((folder / "rttm").glob("*.rttm")):
        yield Case("own examples", folder / "audio" / f"{rttm.stem}.flac", _turns(rttm, rttm.stem))


def _turns(path: Path, session: str) -> list[Segment]:
    return [turn for turn in formats.get("rttm").read(path).items if turn.session_id == session]


if __name__ == "__main__":
    main()

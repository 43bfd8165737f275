"""Time scoring a whole corpus from files to a table, beside meeteval's command on the same files.

    python benchmarks/corpus.py [--rounds N] [--sessions N]

40 generated sessions of 5,000 words between two speakers (21 hours) lie in a temporary folder as one STM a side and as a
folder of 40 a side. Figures are the least of N rounds, every process that a command starts included. The counts of both
tools are compared first: one that disagrees stops the run.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path

from commands import PARAKH, Took, fastest, once, script
from sessions import conversation

from parakh import formats
from parakh.types import Segment

MEETEVAL = script("meeteval.wer.__main__", "cli")
COUNTS = ("errors", "length", "insertions", "deletions", "substitutions")
SAME = ["--metric", "tcpwer", "--collar", "5", "--normalize", "none"]


def write_corpus(folder: Path, sessions: int) -> int:
    """Write both sides in both layouts; returns the number of utterances."""
    sides: dict[str, list[Segment]] = {"ref": [], "hyp": []}
    for seed in range(1, sessions + 1):
        made, name = conversation(f"s{seed:02d}", words=5000, speakers=2, seed=seed), f"s{seed:02d}"
        for side, turns in (("ref", made.reference), ("hyp", made.hypothesis)):
            sides[side] += [replace(turn, session_id=name) for turn in turns]
    for side, turns in sides.items():
        formats.get("stm").write(turns, folder / f"{side}.stm")
        formats.write_each(turns, folder / side, "stm")
    return sum(map(len, sides.values()))


def theirs(folder: Path, reference: list[Path], hypothesis: list[Path]) -> list[str]:
    out = ["--average-out", str(folder / "average.json"), "--per-reco-out", str(folder / "each.json")]
    return [*MEETEVAL, "tcpwer", "--collar", "5", "-r", *map(str, reference), "-h", *map(str, hypothesis), *out]


def ours(folder: Path, *options: str, form: str = ".stm") -> list[str]:
    return [*PARAKH, "score", "asr", "-r", str(folder / f"ref{form}"), "-h", str(folder / f"hyp{form}"), *options]


def check_counts(folder: Path) -> None:
    """Both tools count the same, or the run ends."""
    once(theirs(folder, [folder / "ref.stm"], [folder / "hyp.stm"]))
    once(ours(folder, *SAME, "--json", str(folder / "ours.json")))
    average = json.loads((folder / "average.json").read_text())
    stats = json.loads((folder / "ours.json").read_text())["metrics"]["tcpwer"]["stats"]
    if any(average[name] != stats[name] for name in COUNTS):
        raise SystemExit(f"counts differ: meeteval {average}, parakh {stats}")
    print(f"  tcpWER, collar 5 s: {stats['errors']} errors in {stats['length']} words by both")


def beside(label: str, folder: Path, rounds: int, reference: list[Path], hypothesis: list[Path], form: str) -> None:
    """One layout of the files, both tools."""
    other, own = fastest([theirs(folder, reference, hypothesis), ours(folder, *SAME, form=form)], rounds)
    show(f"{label}, meeteval", other)
    show(f"{label}, parakh", own, f"{other.cpu / own.cpu:6.1f} x less CPU")


def show(label: str, took: Took, note: str = "") -> None:
    print(f"  {label:58} {took.cpu:9.0f} ms CPU {took.wall:9.0f} ms {note}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sessions", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        count = write_corpus(folder, arguments.sessions)
        print(f"{arguments.sessions} sessions, {count} utterances")
        check_counts(folder)
        rounds = arguments.rounds
        beside("one file a side", folder, rounds, [folder / "ref.stm"], [folder / "hyp.stm"], ".stm")
        files = [sorted((folder / side).iterdir()) for side in ("ref", "hyp")]
        beside("a file a session", folder, rounds, files[0], files[1], "")
        runs = {
            "parakh, tcpWER, default normalisation": ("--metric", "tcpwer"),
            "parakh, all by default": (),
            "parakh, all by default, --jobs 2": ("--jobs", "2"),
        }
        for label, took in zip(runs, fastest([ours(folder, *options) for options in runs.values()], rounds), strict=True):
            show(label, took)


if __name__ == "__main__":
    main()

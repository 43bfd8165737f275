"""Time what a user waits for before any work: ``--version``, ``--help``, scoring one line; beside other tools' ``--help``.

python benchmarks/startup.py [--rounds N]
"""

from __future__ import annotations

import argparse
import tempfile
from importlib.util import find_spec
from pathlib import Path

from commands import PARAKH, fastest, script

FILES = {
    "ref.rttm": "SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>\n",
    "hyp.rttm": "SPEAKER v1 1 0 2.5 <NA> <NA> s0 <NA> <NA>\n",
    "ref.stm": "v1 1 asha 0 2 नमस्ते दीदी\n",
    "hyp.stm": "v1 1 s0 0 2 नमस्ते\n",
}
OTHERS = {
    "meeteval-wer --help": ("meeteval", "meeteval.wer.__main__", "cli"),
    "jiwer --help": ("jiwer", "jiwer.cli", "cli"),
    "agwer --help": ("agwer", "agwer.cli", "main"),
    "spyder --help": ("spyder", "spyder.der", "compute_der_from_rttm"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, text in FILES.items():
            (folder / name).write_text(text, encoding="utf-8")
        pair = {kind: ["-r", str(folder / f"ref.{kind}"), "-h", str(folder / f"hyp.{kind}")] for kind in ("rttm", "stm")}
        commands = {
            "parakh --version": [*PARAKH, "--version"],
            "parakh --help": [*PARAKH, "--help"],
            "parakh score diarization, one turn": [*PARAKH, "score", "diarization", *pair["rttm"]],
            "parakh score asr, one utterance": [*PARAKH, "score", "asr", *pair["stm"]],
            **{label: [*script(*call), "--help"] for label, (package, *call) in OTHERS.items() if find_spec(package)},
        }
        for label, took in zip(commands, fastest(list(commands.values()), rounds), strict=True):
            print(f"  {label:36} {took.wall:7.0f} ms {took.cpu:7.0f} ms CPU")


if __name__ == "__main__":
    main()

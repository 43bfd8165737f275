"""How well the health worker is told from the turns, with and without what was said.

    python benchmarks/roles.py DATA [--fit]

DATA is the folder with primock57, aci-bench and doctor-patient-indic. ``--fit`` prints the weights that the first half of the
visits of primock57 gives (conditional logit with a ridge of 0.3); nothing else is ever fitted. Three sights of each conversation:
text and turns, text alone (the weights of the turns 0), turns alone (the words taken out).
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np

from parakh import formats
from parakh.clinical import roles
from parakh.types import Segment

DIALOGUES = ("train", "valid", "clinicalnlp_taskB_test1", "clinicalnlp_taskC_test2", "clef_taskC_test3")
LANGUAGES = {"bengali": "bn", "english": "en", "gujarati": "gu", "hindi": "hi", "kannada": "kn", "malayalam": "ml",
             "marathi": "mr", "punjabi": "pa", "tamil": "ta", "telugu": "te"}  # fmt: skip
Visit = list[Segment]


def primock(data: Path) -> list[Visit]:
    visits = []
    for path in sorted((data / "primock57" / "transcripts").glob("*_doctor.TextGrid")):
        turns: Visit = []
        for who in ("doctor", "patient"):
            tier = path.with_name(path.name.replace("doctor", who))
            read = formats.get("textgrid").read(tier).items
            said = [(one, re.sub(r"<[^>]*>", "", one.words).strip()) for one in read]
            turns += [Segment(path.name, who, one.start_time, one.end_time, text, language="en") for one, text in said if text]
        visits.append(sorted(turns, key=lambda turn: turn.start_time or 0.0))
    return visits


def aci(data: Path) -> list[Visit]:
    csv.field_size_limit(10**9)
    visits = []
    for name in DIALOGUES:
        path = data / "aci-bench" / "data" / "challenge_data" / f"{name}.csv"
        for row in csv.DictReader(path.open(encoding="utf-8")):
            said = re.findall(r"\[(doctor|patient)\]\s*(.*?)(?=\[(?:doctor|patient)\]|\Z)", row["dialogue"], re.S)
            visits.append(
                [Segment(row["encounter_id"], who, words=text.strip(), language="en") for who, text in said if text.strip()]
            )
    return visits


def indic(data: Path) -> list[Visit]:
    visits = []
    for path in sorted((data / "doctor-patient-indic" / "transcripts").glob("*/*.txt")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        speakers = ("doctor", "patient")
        tag = LANGUAGES[path.parent.name]
        visits.append([Segment(path.parent.name, speakers[k % 2], words=line, language=tag) for k, line in enumerate(lines)])
    return visits


def examples() -> list[Visit]:
    folder = Path(__file__).parent.parent / "examples" / "transcripts"
    visits: dict[str, Visit] = defaultdict(list)
    for turn in formats.load(folder, Segment).items:
        worker = roles.canonical_role(turn.role) == roles.HEALTH_WORKER
        visits[turn.session_id].append(replace(turn, speaker="doctor" if worker else turn.speaker, role=None))
    return list(visits.values())


def without(*names: str) -> Mapping[str, float]:
    return {name: 0.0 if name in names else weight for name, weight in roles._WEIGHTS.items()}


def with_words_out(visit: Visit) -> Visit:
    """The turns without text; of untimed ones each word is kept as a word that no language knows."""
    return [replace(turn, words="" if turn.duration else " ".join("x" for _ in turn.words.split())) for turn in visit]


SIGHTS: dict[str, tuple[Mapping[str, float], Callable[[Visit], Visit]]] = {
    "text and turns": (without(), list),
    "text": (without("opens", "talk", "length"), list),
    "turns": (without("text"), with_words_out),
}


def outcome(visits: Sequence[Visit], weights: Mapping[str, float], prepared: Callable[[Visit], Visit]) -> str:
    told = {"right": 0, "unsure": 0, "wrong": 0}
    with mock.patch.object(roles, "_WEIGHTS", weights):
        for visit in visits:
            role = roles.assign_roles(prepared(visit)).get("doctor")
            told["unsure" if role is None else "right" if role == roles.HEALTH_WORKER else "wrong"] += 1
    return " / ".join(str(number) for number in told.values())


def fit(visits: Sequence[Visit]) -> dict[str, float]:
    """The weights under which the doctors of some visits are likeliest, with a ridge of 0.3."""
    names = list(roles._WEIGHTS)
    rows = []
    for visit in visits:
        turns = {who: [turn for turn in visit if turn.speaker == who] for who in ("doctor", "patient")}
        own = roles._features(visit, turns)
        rows.append([own["doctor"].get(name, 0.0) - own["patient"].get(name, 0.0) for name in names])
    differences, weights = np.array(rows), np.zeros(len(names))
    for _ in range(100):
        p = 1 / (1 + np.exp(-differences @ weights))
        slope = differences.T @ (1 - p) - 0.3 * weights
        curve = (differences.T * (p * (1 - p))) @ differences + 0.3 * np.eye(len(names))
        weights += np.linalg.solve(curve, slope)
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    visits = primock(args.data)
    half = len(visits) // 2
    if args.fit:
        print(fit(visits[:half]))
        return
    sets = {"primock57, fitted on": visits[:half], "primock57, held out": visits[half:], "aci-bench": aci(args.data),
            "doctor-patient-indic": indic(args.data), "examples": examples()}  # fmt: skip
    print("right / unsure / wrong |", " | ".join(SIGHTS))
    for name, chosen in sets.items():
        print(f"{name} ({len(chosen)}) |", " | ".join(outcome(chosen, *sight) for sight in SIGHTS.values()))


if __name__ == "__main__":
    main()

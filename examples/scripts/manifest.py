"""The manifest of the example conversations: recordings.jsonl and metadata.csv, from the TOML files and the files made of them.

python examples/scripts/manifest.py writes it anew and keeps the durations that it states.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from scenario import Scenario, read_scenario

HERE = Path(__file__).resolve().parent
OF_RECORDINGS = ("state", "district", "place", "environment", "group", "device", "visit", "background", "snr_db", "source")
OF_SPEAKERS = ("person", "role", "age", "sex", "language", "dialect", "consent")


def write_manifest(out: Path, scenarios: Sequence[Scenario], durations: Mapping[str, float]) -> None:
    """Write both files.

    Args:
        out: The folder with the audio and the annotations.
        scenarios: The conversations.
        durations: Seconds of each, by id.
    """
    lines = [json.dumps(_line(out, one, durations[one.id]), ensure_ascii=False) + "\n" for one in scenarios]
    (out / "recordings.jsonl").write_text("".join(lines), encoding="utf-8")
    with (out / "metadata.csv").open("w", encoding="utf-8", newline="") as stream:
        columns = ("session_id", "speaker", *OF_SPEAKERS, *OF_RECORDINGS)
        writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
        writer.writeheader()
        for scenario in scenarios:
            writer.writerows(_rows(scenario))


def _line(out: Path, scenario: Scenario, duration: float) -> dict[str, object]:
    own = {"rttm": f"rttm/{scenario.id}.rttm", "transcript": f"transcripts/{scenario.id}.txt"}
    paths = {"audio": f"audio/{scenario.id}.flac", **own}
    return {
        "session_id": scenario.id,
        "audio": paths["audio"],
        "duration": round(duration, 3),
        "language": scenario.language,
        "files": {**own, "topics": "topics.csv", "summary": "summaries.csv"},
        "sha256": {kind: hashlib.sha256((out / path).read_bytes()).hexdigest() for kind, path in paths.items()},
    }


def _rows(scenario: Scenario) -> list[dict[str, object]]:
    """The row of a conversation and those of its speakers; nobody real speaks, so nobody's consent is lacking."""
    about = {"session_id": scenario.id, **scenario.metadata, "snr_db": scenario.snr_db, "source": "synthetic", "consent": "yes"}
    rows: list[dict[str, object]] = [about]
    for name, one in scenario.speakers.items():
        known = {"person": one.person, "role": one.role, "age": one.age, "sex": one.sex, "dialect": one.dialect}
        rows.append({"session_id": scenario.id, "speaker": name, **known, "language": scenario.language, "consent": "yes"})
    return rows


def main() -> None:
    """Write the manifest of the folder above this one."""
    out = HERE.parent
    stated = [json.loads(line) for line in (out / "recordings.jsonl").read_text(encoding="utf-8").splitlines()]
    scenarios = [read_scenario(path) for path in sorted(HERE.glob("*_[0-9][0-9].toml"))]
    write_manifest(out, scenarios, {one["session_id"]: one["duration"] for one in stated})


if __name__ == "__main__":
    main()

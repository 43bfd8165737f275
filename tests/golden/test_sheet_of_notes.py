"""The sheet for clinicians raises few alarms at notes that physicians wrote of consultations: PriMock57."""

import json
from collections import Counter
from pathlib import Path

import pytest

from parakh import formats
from parakh.metrics._support import ADVICE, PROBLEM, support
from parakh.types import Segment

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "primock57"
ROLES = {"doctor": "health_worker", "patient": "health_seeker"}
MOST = 10


@pytest.mark.skipif(not DATA.is_dir(), reason="needs PriMock57 in ../shared/data")
def test_problems_and_advice_in_notes_by_physicians_were_said() -> None:
    verdicts = Counter[str]()
    for path in sorted((DATA / "notes").glob("*.json"))[:MOST]:
        turns = [
            Segment(path.stem, who, one.start_time, one.end_time, words=one.words, role=role, language="en")
            for who, role in ROLES.items()
            for one in formats.load([str(DATA / "transcripts" / f"{path.stem}_{who}.TextGrid")], Segment).items
            if one.words.strip()
        ]
        turns.sort(key=lambda one: one.start_time or 0.0)
        note = json.loads(path.read_text("utf-8"))["note"]
        verdicts.update(mark.verdict for mark in support([note], note, turns).marks if mark.kind in (PROBLEM, ADVICE))
    assert verdicts["contradicted"] == 0
    assert verdicts["supported"] > 30
    assert verdicts["unsupported"] <= 0.1 * verdicts.total()

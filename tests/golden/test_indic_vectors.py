"""Hand-reasoned scoring vectors (indic-vectors.tsv, each row with its reason): counts per category, N and events, exactly."""

import csv
import json
from pathlib import Path

import pytest

from parakh.diagnostics.text_pairs import answer, read_pairs

VECTORS = Path(__file__).parents[2] / ".." / "shared" / "data" / "indic-vectors.tsv"


def rows() -> list[dict[str, str]]:
    if not VECTORS.exists():
        return []
    with VECTORS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.skipif(not VECTORS.exists(), reason="needs the shared data: indic-vectors.tsv")
@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_vector(row: dict[str, str], tmp_path: Path) -> None:
    pair = {"id": row["id"], "language": row["lang"], "reference": row["ref"], "hypothesis": row["hyp"], "config": row["config"]}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(pair) + "\n", encoding="utf-8")
    found = answer(read_pairs(tmp_path / "pairs.jsonl"))
    (one,) = found["pairs"]
    names = {"lex": "LEXICAL", "num": "NUMERAL", "punct": "PUNCT"}
    own = [name for name in one["categories"] if name not in names.values()]
    names |= {"dom": own[0]} if own else {}
    for short, name in names.items():
        counts = one["categories"][name]
        kinds = "/".join(str(counts[kind]) for kind in ("substitutions", "deletions", "insertions"))
        assert (counts["n"], kinds) == (int(row[f"n_{short}"]), row[f"{short}_SDI"]), name
    assert len(own) == bool(int(row["n_dom"]) or row["dom_SDI"] != "0/0/0") or not any(one["categories"][own[0]].values())
    columns = {"boundary": "boundary_events", "orthographic": "orth_events", "format": "format_events"}
    assert one["events"] == {kind: int(row[column]) for kind, column in columns.items()}
    assert found["total"]["errors"] == int(row["total_errors"])
    n = found["total"]["n"]
    assert found["total"]["rate"] == (None if row["rate"] == "undefined" else int(row["total_errors"]) / n if n else 0.0)

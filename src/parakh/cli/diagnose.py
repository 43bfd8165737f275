"""``parakh diagnose``: what kind of error each one is, whose, and what mending it would buy."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from parakh.cli.settings import check_json
from parakh.files import write_atomic


def pairs(path: str, json_out: str | None) -> int:
    """Count what differs in each pair of a file, and print it for people or programs."""
    from parakh.diagnostics.text_pairs import answer, read_pairs

    check_json(json_out, [path])
    found = answer(read_pairs(Path("/dev/stdin" if path == "-" else path)))
    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    if json_out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        return 0
    if json_out:
        write_atomic(Path(json_out), text)
    from parakh.cli.diagnosis_tables import print_pairs

    print_pairs(found)
    return 0

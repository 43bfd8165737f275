"""``parakh validate``: the leaderboard's check of a submission, on this machine alone."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from parakh.cli.settings import check_json, put_json
from parakh.errors import Fault, InputError, counted, printable
from parakh.formats._text import shown
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.validation import Checked, check

SCHEMA = "parakh.validation/1"


def run(path: str, kit: str | None, challenge: str | None, phase: str | None, track: str | None, json_out: str | None) -> int:
    """Check, print, and return the exit code: 1 where the submission would be refused."""
    check_json(json_out, [path, *filter(None, (kit, challenge))])
    asked = _kit(kit, challenge, phase, track)
    if not Path(path).is_file():
        found = "a folder" if Path(path).is_dir() else "no such file"
        raise InputError(Fault(path, "", found, "a zip, a tar.gz or a single file", "Pack the files of a folder into a zip."))
    checked = check(Path(path), asked)
    if put_json(json_out, lambda: _json(path, asked, checked)):
        _print(asked, checked)
    return int(bool(checked.faults))


def _kit(kit: str | None, challenge: str | None, phase: str | None, track: str | None) -> Kit:
    """The kit that is named, or that of a challenge on this machine.

    Raises:
        InputError: Both or neither are named, or there is no such phase or track.
    """
    given = {"--phase": phase, "--track": track}
    if (kit is None) == (challenge is None):
        found = "nothing" if kit is None else "it and --challenge"
        raise InputError(Fault("--kit", "", found, "a kit, or --challenge with --phase and --track"))
    if kit is not None:
        if not any(given.values()):
            return Kit.load(kit)
        raise InputError(Fault(name, "", repr(value), "nothing: the kit says it") for name, value in given.items() if value)
    from parakh.leaderboard.challenge_file import load_challenge

    path = Path(challenge or "")
    rules = load_challenge(path)
    known = {"--phase": [one.key for one in rules.phases], "--track": [one.key for one in rules.tracks]}
    if phase in known["--phase"]:
        known["--track"] = list(rules.phase(phase or "").tracks)
    wrong = {name: ", ".join(keys) for name, keys in known.items() if given[name] not in keys}
    if wrong:
        raise InputError(Fault(name, "", shown(given[name] or ""), expected) for name, expected in wrong.items())
    return Kit.of(rules, path.parent, phase or "", track or "")


def _print(kit: Kit, checked: Checked) -> None:
    for finding in checked.findings:
        print(printable(str(finding)))
    if checked.faults:
        from parakh.text.masking import masked  # only a mistake needs it

        for fault in checked.faults:
            print(masked(str(fault)), file=sys.stderr)
        return
    recordings = counted(len(kit.recordings), "recording")
    print(f"Fine: an answer to each of the {recordings} of {kit.challenge}, phase {kit.phase}, track {kit.track_rules.key}.")


def _json(path: str, kit: Kit, checked: Checked) -> str:
    document = {
        "schema": SCHEMA,
        "file": path,
        "challenge": kit.challenge,
        "phase": kit.phase,
        "track": kit.track_rules.key,
        "is_valid": not checked.faults,
        "faults": [{**dataclasses.asdict(one), "text": str(one)} for one in checked.faults],
        "findings": [{**dataclasses.asdict(one), "text": str(one)} for one in checked.findings],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"

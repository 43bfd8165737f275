"""A track of a challenge as a competition bundle of Codabench, whose scoring program calls Parakh.

    competition.yaml  logo.png  pages/*.md  scoring_program.zip  reference_data/PHASE.zip  starting_kit/PHASE.zip

Codabench knows neither phases that overlap nor several tracks in one ranking: a bundle is of one track, and a phase ends before
the next one starts. Source: Codabench's documentation, "Yaml structure", "Competition bundle structure", "Submission Docker
container layout"; and what its unpacker does with dates and absent limits.
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from parakh import metrics
from parakh.dataset.exporting._bundles import entry, yaml
from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.leaderboard import _codabench_pages as pages
from parakh.leaderboard.challenge import Challenge, PhaseRules, Sight
from parakh.leaderboard.challenge_file import to_dict
from parakh.leaderboard.codabench_scoring import RULES, column_key
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.references import copy_files, needs_transcripts, transcript_track
from parakh.metrics import Better

SCORING = """\"\"\"Scores a submission: what is in input/res against what is in input/ref, into output/scores.json.\"\"\"

import sys

from parakh.leaderboard.codabench_scoring import score

sys.exit(score(sys.argv[1], sys.argv[2]))
"""
METADATA = "command: python3 /app/program/scoring.py /app/input/ /app/output/\n"
_UNLIMITED = 10_000
"""Submissions where a challenge has no limit: Codabench takes 5 a day and 100 in all where a bundle says nothing."""
_SUBMISSION_RULES = {"best": "Force_Best", "last": "Force_Last", "chosen": "Add_And_Delete"}
_TITLE, _COLUMN_TITLE = 64, 36
"""Characters that Codabench's database has for the titles of a leaderboard and of a column."""
_SECONDS = 3600
_ALWAYS = datetime(2020, 1, 1, tzinfo=UTC)


def _no_notice(line: str) -> None:
    """Where nobody wants to know."""


def export(
    challenge: Challenge,
    folder: Path,
    out: Path,
    track: str,
    image: str,
    phases: Sequence[str] = (),
    notice: Callable[[str], None] = _no_notice,
) -> Path:
    """Write the bundle of one track, for its owner alone to read; the same challenge gives the same bytes.

    Args:
        challenge: The rules.
        folder: Where their paths start from.
        out: The zip to write.
        track: Key of the track.
        image: Name of a Docker image with Python and Parakh installed, in which submissions are scored.
        phases: Keys of the phases to take; empty for all that have the track.
        notice: Takes a line for each thing that Codabench cannot do as the challenge says.

    Raises:
        InputError: There is no such track or phase, phases start together, or a reference has faults.
    """
    own = _phases(challenge, track, phases)
    spans = _spans(own, notice)
    files = {"logo.png": pages.logo(challenge.name), **pages.texts(challenge, track)}
    files["scoring_program.zip"] = zipped({"scoring.py": SCORING.encode(), "metadata.yaml": METADATA.encode()})
    for phase in own:
        files[f"reference_data/{phase.key}.zip"] = _reference_data(challenge, folder, phase, track)
        kit = Kit.of(challenge, folder, phase.key, track)
        files[f"starting_kit/{phase.key}.zip"] = zipped(
            {"kit.json": kit.to_json().encode(), "README.md": pages.kit_text(kit).encode()}
        )
    files["competition.yaml"] = (yaml(_competition(challenge, track, own, spans, image, notice)) + "\n").encode()
    write_atomic(out, zipped(files), is_private=True)
    return out


def _phases(challenge: Challenge, track: str, asked: Sequence[str]) -> list[PhaseRules]:
    """The phases of a track that were asked for, in the order of their start."""
    faults = []
    if track not in {one.key for one in challenge.tracks}:
        faults.append(Fault("--track", "", repr(track), f"one of {', '.join(one.key for one in challenge.tracks)}"))
    having = [one for one in challenge.phases if track in one.tracks]
    known = ", ".join(one.key for one in having)
    faults += [Fault("--phase", "", repr(key), f"a phase of the track: {known}") for key in asked if key not in known.split(", ")]
    if faults:
        raise InputError(faults)
    return sorted((one for one in having if not asked or one.key in asked), key=lambda one: one.opens or _ALWAYS)


def _spans(phases: Sequence[PhaseRules], notice: Callable[[str], None]) -> list[tuple[datetime, datetime | None]]:
    """When each phase starts and ends; each ends before the next starts.

    Raises:
        InputError: Two start at the same moment.
    """
    starts = [one.opens or _ALWAYS for one in phases]
    spans: list[tuple[datetime, datetime | None]] = []
    for phase, start, following in zip(phases, starts, [*starts[1:], None], strict=True):
        end = phase.closes
        if following is not None and (end is None or end >= following):
            end = following - timedelta(seconds=1)
            if end <= start:
                expected = "a start of its own: on Codabench one phase follows another"
                raise InputError(
                    Fault("--phase", phase.key, f"a start at {start.isoformat()} like the next", expected, "Name fewer.")
                )
            notice(f"{phase.key} ends as the next phase starts: on Codabench phases do not overlap.")
        spans.append((start, end))
    return spans


def _competition(
    challenge: Challenge,
    track: str,
    phases: Sequence[PhaseRules],
    spans: Sequence[tuple[datetime, datetime | None]],
    image: str,
    notice: Callable[[str], None],
) -> dict[str, Any]:
    rules = challenge.track(track)
    blind = [one.key for one in phases if one.shows is Sight.NOTHING]
    if blind:
        notice(f"{', '.join(blind)}: the leaderboard is hidden in all phases, as Codabench hides it in all or none.")
    if any(one.freezes for one in phases):
        notice("The leaderboard does not freeze: Codabench has no freeze.")
    is_address = re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", challenge.contact)
    return {
        "version": 2,
        "title": f"{challenge.title}: {rules.title}",
        "description": challenge.description.split("\n\n")[0] or challenge.title,
        "image": "logo.png",
        "terms": "pages/terms.md",
        "registration_auto_approve": False,
        "docker_image": image,
        "make_programs_available": False,
        "make_input_data_available": False,
        "enable_detailed_results": False,
        **({"contact_email": challenge.contact} if is_address else {}),
        "pages": [{"title": title, "file": f"pages/{name}.md"} for name, title in pages.TITLES.items()],
        "tasks": [_task(place, phase, rules.title) for place, phase in enumerate(phases)],
        "phases": [_phase(place, phase, *span) for place, (phase, span) in enumerate(zip(phases, spans, strict=True))],
        "leaderboards": [_leaderboard(challenge, track, hidden=bool(blind))],
    }


def _task(place: int, phase: PhaseRules, title: str) -> dict[str, Any]:
    return {
        "index": place,
        "name": f"{title}: {phase.title}",
        "description": f"{title}, recordings of {phase.title}",
        "scoring_program": "scoring_program.zip",
        "reference_data": f"reference_data/{phase.key}.zip",
    }


def _phase(place: int, phase: PhaseRules, start: datetime, end: datetime | None) -> dict[str, Any]:
    return {
        "index": place,
        "name": phase.title,
        "description": phase.title,
        "start": _moment(start),
        **({} if end is None else {"end": _moment(end)}),
        "max_submissions_per_day": phase.limits.day or _UNLIMITED,
        "max_submissions": phase.limits.total or _UNLIMITED,
        "execution_time_limit": _SECONDS,
        "hide_score_output": phase.shows is Sight.NOTHING,
        "starting_kit": f"starting_kit/{phase.key}.zip",
        "accepts_only_result_submissions": True,
        "tasks": [place],
    }


def _moment(moment: datetime) -> str:
    """In UTC, to be quoted: Codabench takes a bare one as a date and loses the time of day."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _leaderboard(challenge: Challenge, track: str, *, hidden: bool) -> dict[str, Any]:
    """The first column ranks, those after it order equals from left to right."""
    rules = challenge.track(track).metric_set
    first = (rules.rank_by, *rules.tie_break)
    names = [*first, *(name for name in rules.metrics if name not in first)]
    return {
        "title": challenge.track(track).title[:_TITLE],
        "key": "main",
        "submission_rule": _SUBMISSION_RULES[challenge.represents],
        "hidden": hidden,
        "columns": [_column(place, name) for place, name in enumerate(names)],
    }


def _column(place: int, name: str) -> dict[str, Any]:
    metric = metrics.get(name)
    titles = [f"{one} ({metric.unit})" for one in (metric.title, name)]
    return {
        "title": next(title for title in [*titles, name[:_COLUMN_TITLE]] if len(title) <= _COLUMN_TITLE),
        "key": column_key(name),
        "index": place,
        "sorting": "asc" if metric.better is Better.LOWER else "desc",
        "precision": 2,
        "hidden": False,
    }


def _reference_data(challenge: Challenge, folder: Path, phase: PhaseRules, track: str) -> bytes:
    """What the scoring program finds in ``input/ref``: the rules of one track in one phase, and the files they name."""
    said = transcript_track(challenge, phase) if needs_transcripts(challenge.track(track).metric_set) else None
    needed = {track, said}
    keys = tuple(one for one in phase.tracks if one in needed)
    own = dataclasses.replace(phase, tracks=keys, references={key: phase.references[key] for key in keys})
    reduced = dataclasses.replace(challenge, tracks=tuple(challenge.track(key) for key in keys), phases=(own,), terms=None)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        rules = {"challenge": to_dict(copy_files(reduced, folder, root, audio=False)), "phase": phase.key, "track": track}
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    return zipped({**files, RULES: (json.dumps(rules, ensure_ascii=False, indent=1) + "\n").encode()})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """An archive whose bytes depend on names and contents alone.

    >>> zipped({"b": b"2", "a": b"1"}) == zipped({"a": b"1", "b": b"2"})
    True
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in sorted(files):
            archive.writestr(entry(name), files[name])
    return made.getvalue()

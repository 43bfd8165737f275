"""What lies behind a submission's scores, as far as a viewer may see it: a recording, its sound, a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import BoundedSemaphore
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.comparison import Comparison, compare
from parakh.errors import Fault, InputError
from parakh.leaderboard import challenges
from parakh.leaderboard.challenge import Challenge, MetricSet, Sight
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import ScoreRow, State, Submission
from parakh.leaderboard.diagnoses import Place
from parakh.leaderboard.references import audio_of
from parakh.leaderboard.store import Store
from parakh.leaderboard.views_submission import is_own, score_of, submission_row
from parakh.leaderboard.visibility import Viewer, knows_of, sight
from parakh.resample import Bootstrap
from parakh.results import Results

MOST_CHOICES = 500
"""Submissions offered for a comparison, the newest first."""
_room = BoundedSemaphore(1)
"""Comparisons resample, which takes a processor for a moment: one at a time leaves the others to everybody else."""


@dataclass(frozen=True)
class Choice:
    """A submission that a viewer may compare.

    Args:
        id: Its key.
        label: What it is called in a list.
        group: Challenge, phase and track: submissions to the same references compare.
    """

    id: str
    label: str
    group: str


@dataclass(frozen=True)
class Compared:
    """Two submissions side by side.

    Args:
        a: The first.
        b: The second.
        comparison: Their differences; the systems are called "first" and "second".
        metric_set: What they were scored by.
        shows_recordings: Whether the viewer may see single recordings of both.
    """

    a: Choice
    b: Choice
    comparison: Comparison
    metric_set: MetricSet
    shows_recordings: bool


def recording(
    database: Database, store: Store, viewer: Viewer, submission_id: str, session_id: str, at: datetime
) -> Results | None:
    """The results of one recording with its detail; None where there is none that the viewer may see.

    Raises:
        InputError: The results are damaged.
    """
    found = _seen(database, viewer, submission_id, at, Sight.DIAGNOSIS)
    if found is None or found[1].detail is None:
        return None
    results = Results.load(store.path(found[1].detail))
    one = next((one for one in results.recordings if one.id == session_id), None)
    unscored = tuple(one for one in results.unscored if one.id == session_id)
    if one is None and not unscored:
        return None
    findings = tuple(finding for finding in results.findings if finding.session_id == session_id)
    return replace(results, recordings=() if one is None else (one,), unscored=unscored, findings=findings)


def audio(database: Database, data: Path, viewer: Viewer, submission_id: str, session_id: str, at: datetime) -> Path | None:
    """The sound of a recording; None where there is none, or the viewer may not see what is said in it."""
    found = _seen(database, viewer, submission_id, at, Sight.DIAGNOSIS)
    if found is None:
        return None
    contest = found[0].contest
    row = contest.phase.challenge
    try:
        files = audio_of(challenges.rules_of(row).phase(contest.phase.key), challenges.folder_of(data, row))
    except (KeyError, InputError):  # the phase was dropped by a reload, or its files are gone
        return None
    return files.get(session_id)


def diagnosis(database: Database, data: Path, viewer: Viewer, submission_id: str, at: datetime) -> Place | None:
    """Where the diagnosis of a submission lies; None where the viewer may not see it, or its track has none."""
    found = _seen(database, viewer, submission_id, at, Sight.DIAGNOSIS)
    if found is None or found[0].contest.metric_set.rules["track"] != "asr":
        return None
    return Place.of(data, found[0].file, found[0].contest.references)


def choices(database: Database, viewer: Viewer, at: datetime) -> list[Choice]:
    """The scored submissions that a viewer may compare: their teams', or all for organisers; the newest first."""
    if viewer.user_id is None:
        return []
    query = select(Submission).where(Submission.state == State.SCORED.value).order_by(Submission.number.desc())
    if not viewer.organises:
        query = query.where(Submission.team_id.in_(viewer.teams))
    with database.read() as session:
        found = session.scalars(query.limit(MOST_CHOICES)).unique().all()
        return _choices([one for one in found if _may_compare(viewer, one, at)])


def compared(database: Database, store: Store, viewer: Viewer, a: str, b: str, at: datetime) -> Compared | None:
    """Two submissions side by side; None where there is one that the viewer may not compare.

    Raises:
        InputError: They belong to different boards, or are the same.
    """
    if a == b:
        raise InputError(Fault("compare", "", "the same submission twice", "two that differ"))
    with database.read() as session:
        one, other = (_scored(session, viewer, submission_id, at) for submission_id in (a, b))
    if one is None or other is None:
        return None
    (first, mine), (second, theirs) = one, other
    rules = MetricSet.from_dict(first.contest.metric_set.rules)
    loaded = [
        replace(Results.load(store.path(score.results)), system=name) for name, score in (("first", mine), ("second", theirs))
    ]
    plan = Bootstrap(level=rules.level or 0.95, samples=rules.samples)
    with _room:
        found = compare(loaded, plan=plan)
    seen = min(sight(viewer, one.contest.phase, one.team_id, at) for one in (first, second))
    if seen < Sight.RECORDINGS:
        found = replace(found, pairs=tuple(replace(pair, flipped=(), largest=()) for pair in found.pairs))
    a_choice, b_choice = _choices([first, second])
    return Compared(a_choice, b_choice, found, rules, seen >= Sight.RECORDINGS)


def _scored(session: Session, viewer: Viewer, submission_id: str, at: datetime) -> tuple[Submission, ScoreRow] | None:
    row = submission_row(session, submission_id)
    if row is None or not _may_compare(viewer, row, at):
        return None
    score = score_of(session, row)
    return None if score is None else (row, score)


def _may_compare(viewer: Viewer, row: Submission, at: datetime) -> bool:
    return is_own(viewer, row) and sight(viewer, row.contest.phase, row.team_id, at) >= Sight.SCORE


def _choices(rows: Sequence[Submission]) -> list[Choice]:
    known = {one.id: one for one in (row.contest.phase.challenge for row in rows)}
    rules = {key: challenges.rules_of(one) for key, one in known.items()}
    return [_choice(row, rules[row.contest.phase.challenge_id]) for row in rows]


def _choice(row: Submission, rules: Challenge) -> Choice:
    contest = row.contest
    phase, track = contest.phase.key, contest.track
    titles = (
        {one.key: one.title for one in rules.phases}.get(phase, phase),
        {one.key: one.title for one in rules.tracks}.get(track, track),
    )
    name = f"{row.team.name}: {row.system or row.file_name}"
    made = row.made_at.astimezone(ZoneInfo(rules.time_zone))
    return Choice(row.id, f"{name} ({made:%Y-%m-%d %H:%M}, {row.id})", f"{rules.title}: {titles[1]}, {titles[0]}")


def _seen(
    database: Database, viewer: Viewer, submission_id: str, at: datetime, least: Sight
) -> tuple[Submission, ScoreRow] | None:
    """A submission and its score in force, where the viewer may see at least so much of it."""
    with database.read() as session:
        row = submission_row(session, submission_id)
        if row is None or not knows_of(viewer, row, at) or sight(viewer, row.contest.phase, row.team_id, at) < least:
            return None
        score = score_of(session, row)
        return None if score is None else (row, score)

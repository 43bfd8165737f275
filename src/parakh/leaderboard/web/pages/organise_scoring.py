"""The organisers' console: jobs and workers, and scoring again under other rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from parakh.errors import Fault, InputError
from parakh.leaderboard import challenge_file, queue, rescoring, views_console, views_contests, views_rescoring
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.database import Database
from parakh.leaderboard.refusals import Conflict, NotThere
from parakh.leaderboard.rescoring import Change, Difference, Side
from parakh.leaderboard.views_console import SubmissionRow, WorkerLine
from parakh.leaderboard.views_contests import ContestLine
from parakh.leaderboard.visibility import Viewer
from parakh.leaderboard.web.pages.organise import challenge_of, contests_of
from parakh.leaderboard.web.security import inner_path
from parakh.leaderboard.web.visit import ThisVisit, Visit
from parakh.leaderboard.web.wording import KINDS, figure, span

router = APIRouter()
_LONGEST_RULES = 20_000
"""Characters of a metric set as it is typed."""


@router.get("/organise/jobs")
def jobs(visit: ThisVisit) -> Response:
    """What waits, runs and failed, and the workers."""
    visit.organiser()
    database, viewer = visit.service.database, visit.viewer
    running = [_job(one) for one in queue.jobs(visit.service.queue)]
    failed = views_console.submissions(database, viewer, state="failed")
    workers = [_worker(one, visit) for one in views_console.workers(database, viewer, visit.at)]
    values = {"jobs": running, "failed": [_failed(one) for one in failed], "workers": workers}
    return visit.page("organise/jobs.html", values)


@router.post("/organise/jobs/{submission_id}/retry")
def retry(visit: ThisVisit, submission_id: str) -> Response:
    """Have a submission tried again that failed or was refused."""
    visit.organiser()
    queue.retry(visit.service.database, visit.viewer, submission_id)
    return visit.redirect(inner_path(visit.form.text("back") or "/organise/jobs"), "retried")


@router.get("/organise/c/{challenge}/rescoring")
def rescorings(visit: ThisVisit, challenge: str) -> Response:
    """The re-scorings of a challenge, and a form for a new one."""
    return visit.page("organise/rescorings.html", _rescorings_page(visit, challenge))


@router.post("/organise/c/{challenge}/rescoring")
def start(visit: ThisVisit, challenge: str) -> Response:
    """Begin to score the submissions of a contest by other rules."""
    challenge_of(visit, challenge)
    service = visit.service
    try:
        contest = visit.form.number("contest") or 0
        if contest not in {one.id for one in contests_of(visit, challenge)}:
            raise NotThere("board", contest)
        begun = rescoring.start(service.database, service.queue, visit.viewer, contest, _tried(visit))
    except (InputError, Conflict) as error:
        return visit.again("organise/rescorings.html", _rescorings_page(visit, challenge), error)
    return visit.redirect(f"/organise/c/{challenge}/rescoring/{begun.id}", "rescoring")


@router.get("/organise/c/{challenge}/rescoring/{rescoring_id}")
def one_rescoring(visit: ThisVisit, challenge: str, rescoring_id: str) -> Response:
    """How far a re-scoring is, and what it would change."""
    return visit.page("organise/rescoring.html", _rescoring_page(visit, challenge, rescoring_id))


@router.post("/organise/c/{challenge}/rescoring/{rescoring_id}/apply")
def apply(visit: ThisVisit, challenge: str, rescoring_id: str) -> Response:
    """Put the rules of a re-scoring in force."""
    path = f"/organise/c/{challenge}/rescoring/{rescoring_id}"
    return _end(visit, challenge, rescoring_id, rescoring.apply, path, "applied")


@router.post("/organise/c/{challenge}/rescoring/{rescoring_id}/drop")
def drop(visit: ThisVisit, challenge: str, rescoring_id: str) -> Response:
    """Give a re-scoring up."""
    return _end(visit, challenge, rescoring_id, rescoring.drop, f"/organise/c/{challenge}/rescoring", "dropped")


def _end(
    visit: Visit, challenge: str, rescoring_id: str, end: Callable[[Database, Viewer, str], object], path: str, notice: str
) -> Response:
    page = _rescoring_page(visit, challenge, rescoring_id)
    try:
        end(visit.service.database, visit.viewer, rescoring_id)
    except Conflict as error:
        return visit.again("organise/rescoring.html", page, error)
    return visit.redirect(path, notice)


def _job(one: queue.RunningJob) -> dict[str, Any]:
    return {
        "id": one.submission_id,
        "state": one.state,
        "age": span(timedelta(seconds=one.seconds)),
        "attempts": one.attempts,
        "worker": f"{one.worker} on {one.host}" if one.worker else "none yet",
        "is_gone": one.is_gone,
        "reason": _first_line(one.reason or ""),
    }


def _failed(one: SubmissionRow) -> dict[str, Any]:
    reason = one.reason or "no reason was noted"
    return {
        "id": one.id,
        "challenge": one.challenge,
        "contest": one.contest,
        "team": one.team,
        "ended_at": one.ended_at,
        "reason": reason,
        "first_line": _first_line(reason),
    }


def _first_line(text: str) -> str:
    """What a reason comes down to: the last line of a traceback, the first of anything else."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    line = "" if not lines else lines[-1] if lines[0].startswith("Traceback") else lines[0]
    return line if len(line) <= 160 else f"{line[:159]}…"


def _worker(one: WorkerLine, visit: Visit) -> dict[str, Any]:
    return {
        "id": one.id,
        "host": one.host,
        "pid": one.pid,
        "started_at": one.started_at,
        "heard": span(visit.at - one.heard_at),
        "is_gone": one.is_gone,
        "is_silent": one.is_silent,
    }


def _rescorings_page(visit: Visit, challenge: str) -> dict[str, Any]:
    found = challenge_of(visit, challenge)
    rows = views_rescoring.rescorings(visit.service.database, visit.viewer, challenge)
    contests = [_contest(one) for one in contests_of(visit, challenge) if one.scored]
    return {"challenge": found, "rows": rows, "contests": contests}


def _contest(one: ContestLine) -> dict[str, Any]:
    rules = {key: False if value is None else value for key, value in one.rules.items()}
    return {
        "id": one.id,
        "title": one.title,
        "metric_set": one.metric_set,
        "scored": one.scored,
        "others": [(digest, f"{version} ({digest})") for digest, version in one.others],
        "rules": json.dumps(rules, ensure_ascii=False, indent=2),
    }


def _tried(visit: Visit) -> MetricSet:
    """The metric set that was chosen among the known, or typed."""
    known = visit.form.text("known")
    if known:
        return views_contests.metric_set(visit.service.database, visit.viewer, known)
    text = visit.form.text("rules", _LONGEST_RULES)
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(Fault("rules", "", "no JSON", "an object as it stood in the form", "Mend it, or begin anew.")) from error
    return challenge_file.read_metric_set(values)


def _rescoring_page(visit: Visit, challenge: str, rescoring_id: str) -> dict[str, Any]:
    found = challenge_of(visit, challenge)
    one = views_rescoring.rescoring_view(visit.service.database, visit.viewer, challenge, rescoring_id)
    return {"challenge": found, "one": one, "difference": _difference(one.difference) if one.difference else None}


def _difference(found: Difference) -> dict[str, Any]:
    return {
        "rank_by": found.rank_by,
        "rank_by_before": "" if found.rank_by_before == found.rank_by else found.rank_by_before,
        "moved": len(found.moved),
        "rows": [_change(one, found) for one in found.changes],
        "ties": [", ".join(one) for one in found.ties],
        "failures": [(key, _first_line(why)) for key, why in found.failures.items()],
    }


def _change(one: Change, found: Difference) -> Mapping[str, str]:
    moved = one.moved
    moves, direction = "", ""
    if one.before is None or one.after is None:
        moves = "comes" if one.before is None else "goes"
    elif moved:
        moves, direction = (f"↑ {moved}", "up") if moved > 0 else (f"↓ {-moved}", "down")
    return {
        "team": one.team,
        "kind": KINDS.get(one.kind, one.kind),
        "rank_before": _rank(one.before),
        "rank_after": _rank(one.after),
        "moves": moves,
        "direction": direction,
        "before": "–" if one.before is None else figure(found.rank_by, one.before.value),
        "after": "–" if one.after is None else figure(found.rank_by, one.after.value),
        "ranked_by": "–" if one.before is None else figure(found.rank_by_before, one.before.ranked_by),
    }


def _rank(side: Side | None) -> str:
    return "–" if side is None or side.rank is None else str(side.rank)

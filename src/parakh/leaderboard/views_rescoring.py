"""Re-scorings as organisers see them: how far they are, and which rules differ from those in force."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from parakh.leaderboard import rescoring
from parakh.leaderboard.contests import row_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, MetricSetRow, PhaseRow, Rescoring, ScoreRow
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.rescoring import Difference
from parakh.leaderboard.rights import needs_organiser
from parakh.leaderboard.visibility import Viewer


@dataclass(frozen=True)
class RescoringView:
    """One re-scoring.

    Args:
        id: Its key.
        contest: Phase and track.
        metric_set: Version of the metric set that is tried.
        other_references: Whether other references are tried than those in force.
        state: "running", "ready", "applied" or "dropped".
        made_at: When it began.
        done: How many of its submissions have their score.
        of: How many it has.
        rules: What differs from the rules in force: name, before, after.
        absent: Ids of scored submissions that are not in it: applying it scores them first.
        difference: What it would change; None until it is ready.
    """

    id: str
    contest: str
    metric_set: str
    other_references: bool
    state: str
    made_at: datetime
    done: int
    of: int
    rules: tuple[tuple[str, str, str], ...]
    absent: tuple[str, ...]
    difference: Difference | None


def rescorings(database: Database, viewer: Viewer, challenge: str) -> list[RescoringView]:
    """The re-scorings of a challenge, the newest first.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = row_named(session, challenge)
        query = select(Rescoring).join(Contest, Contest.id == Rescoring.contest_id)
        query = query.join(PhaseRow, PhaseRow.id == Contest.phase_id).where(PhaseRow.challenge_id == row.id)
        return [_view(session, one) for one in session.scalars(query.order_by(Rescoring.made_at.desc()).limit(100))]


def rescoring_view(database: Database, viewer: Viewer, challenge: str, rescoring_id: str) -> RescoringView:
    """One re-scoring.

    Raises:
        Refused: They do not organise.
        NotThere: There is none of that challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = session.get(Rescoring, rescoring_id)
        contest = session.get(Contest, row.contest_id) if row is not None else None
        if row is None or contest is None or contest.phase.challenge.name != challenge:
            raise NotThere("re-scoring", rescoring_id)
        return _view(session, row)


def _view(session: Session, row: Rescoring) -> RescoringView:
    contest, tried = session.get_one(Contest, row.contest_id), session.get_one(MetricSetRow, row.metric_set_id)
    scored = select(func.count()).select_from(ScoreRow).where(ScoreRow.submission_id.in_(row.submissions))
    scored = scored.where(ScoreRow.metric_set_id == row.metric_set_id, ScoreRow.references == row.references)
    present = contest.metric_set.rules
    changed = [(key, str(present.get(key)), str(value)) for key, value in tried.rules.items() if value != present.get(key)]
    if row.references != contest.references:
        changed.append(("references", contest.references, row.references))
    return RescoringView(
        id=row.id,
        contest=f"{contest.phase.key}/{contest.track}",
        metric_set=tried.version,
        other_references=row.references != contest.references,
        state=row.state,
        made_at=row.made_at,
        done=session.scalar(scored) or 0,
        of=len(row.submissions),
        rules=tuple(changed),
        absent=tuple(rescoring.absent(session, row)) if row.state in {"running", "ready"} else (),
        difference=rescoring.difference(row),
    )

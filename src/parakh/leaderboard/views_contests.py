"""The tracks of a challenge's phases as organisers see them, and the rules that they were ever scored by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from parakh.leaderboard import challenges
from parakh.leaderboard.challenge import Challenge, Limits, MetricSet
from parakh.leaderboard.contests import row_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, MetricSetRow, State, Submission
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.rights import needs_organiser
from parakh.leaderboard.views_console import counted_by
from parakh.leaderboard.visibility import Viewer


@dataclass(frozen=True)
class ContestLine:
    """One track of one phase.

    Args:
        id: Its key.
        phase: Key of the phase.
        track: Key of the track.
        title: Both for people.
        limits: Of the phase.
        metric_set: Version of the metric set in force.
        rules: The same as JSON.
        others: Further metric sets that were ever in force or tried on its track: digest and version.
        scored: How many scored submissions it has.
    """

    id: int
    phase: str
    track: str
    title: str
    limits: Limits
    metric_set: str
    rules: dict[str, object]
    others: tuple[tuple[str, str], ...]
    scored: int


def contests(database: Database, viewer: Viewer, challenge: str) -> list[ContestLine]:
    """Every track of every phase of a challenge.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = row_named(session, challenge)
        scored = counted_by(
            session,
            select(Submission.contest_id, func.count())
            .where(Submission.state == State.SCORED.value)
            .group_by(Submission.contest_id),
        )
        sets = session.scalars(select(MetricSetRow).order_by(MetricSetRow.made_at)).all()
        rules = challenges.rules_of(row)
        return [_contest(rules, one, sets, scored.get(one.id, 0)) for phase in row.phases for one in phase.contests]


def metric_set(database: Database, viewer: Viewer, digest: str) -> MetricSet:
    """A metric set that was ever in force or tried.

    Raises:
        Refused: They do not organise.
        NotThere: There is none.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = session.get(MetricSetRow, digest)
    if row is None:
        raise NotThere("metric set", digest)
    return MetricSet.from_dict(row.rules)


def _contest(rules: Challenge, one: Contest, sets: Sequence[MetricSetRow], scored: int) -> ContestLine:
    phase = next((held for held in rules.phases if held.key == one.phase.key), None)
    titles = {held.key: held.title for held in rules.tracks}
    track = one.metric_set.rules["track"]
    others = [(held.id, held.version) for held in sets if held.id != one.metric_set_id and held.rules["track"] == track]
    return ContestLine(
        id=one.id,
        phase=one.phase.key,
        track=one.track,
        title=f"{titles.get(one.track, one.track)}, {phase.title if phase else one.phase.key}",
        limits=phase.limits if phase else Limits(),
        metric_set=one.metric_set.version,
        rules=one.metric_set.rules,
        others=tuple(others),
        scored=scored,
    )

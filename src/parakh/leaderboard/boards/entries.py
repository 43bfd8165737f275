"""The submissions that may stand on a board, and which of them do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.database.tables import Contest, Kind, ScoreRow, State, Submission, Team
from parakh.leaderboard.ranking import sort_key


@dataclass(frozen=True)
class Entry:
    """A submission that was scored with what is in force, and not withdrawn; ``results`` is a key of the store."""

    number: int
    submission: str
    team_id: str
    team: str
    kind: str
    system: str
    tags: tuple[str, ...]
    paper: str
    made_at: datetime
    is_chosen: bool
    value: float | None
    results: str

    @property
    def stands_with(self) -> tuple[str, str, str]:
        """What has one row: a team, but each system of those that the organiser puts up to measure by."""
        return self.kind, self.team_id, "" if self.kind == Kind.SUBMISSION else self.system


def entries(session: Session, contest: Contest) -> list[Entry]:
    """All entries of a contest, in the order they came in."""
    query = (
        select(Submission.number, Submission.id, Submission.team_id, Team.name, Submission.kind, Submission.system)
        .add_columns(Submission.tags, Submission.paper, Submission.made_at, Submission.is_chosen, ScoreRow.value)
        .add_columns(ScoreRow.results)
        .join(Team, Team.id == Submission.team_id)
        .join(ScoreRow, ScoreRow.submission_id == Submission.id)
        .where(Submission.contest_id == contest.id, Submission.state == State.SCORED.value, ~Submission.is_withdrawn)
        .where(ScoreRow.metric_set_id == contest.metric_set_id, ScoreRow.references == contest.references)
        .order_by(Submission.number)
    )
    return [_entry(*row) for row in session.execute(query)]


def representatives(
    every: Sequence[Entry], rule: str, metric_set: MetricSet, ties: Callable[[Entry], Sequence[float | None]]
) -> list[tuple[Entry, int]]:
    """Which entries stand on a board.

    Args:
        every: The entries, in the order they came in.
        rule: ``Challenge.represents``.
        metric_set: What is better.
        ties: The values of an entry by the metrics that break ties; asked only of entries that are equal.

    Returns:
        Each with the number of entries it stands for, in the order they came in.
    """
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for one in every:
        groups.setdefault(one.stands_with, []).append(one)

    def best(group: Sequence[Entry]) -> Entry:
        values = [sort_key([one.value], [metric_set.rank_by]) for one in group]
        equal = [one for one, value in zip(group, values, strict=True) if value == min(values)]
        return equal[0] if len(equal) == 1 else min(equal, key=lambda one: sort_key(ties(one), metric_set.tie_break))

    def representative(group: Sequence[Entry]) -> Entry:
        chosen = [one for one in group if one.is_chosen]
        return group[-1] if rule == "last" else chosen[-1] if rule == "chosen" and chosen else best(group)

    return sorted(((representative(group), len(group)) for group in groups.values()), key=lambda pair: pair[0].number)


def _entry(*values: Any) -> Entry:
    entry = Entry(*values)
    return replace(entry, tags=tuple(map(str, entry.tags)))

"""Who would stand where under given rules, for a re-scoring; a board proper is made in ``boards``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from parakh.leaderboard.boards.entries import Entry, entries, representatives
from parakh.leaderboard.boards.scored import scored
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.database.tables import Contest, Kind, MetricSetRow
from parakh.leaderboard.ranking import ranks, sort_key
from parakh.leaderboard.store import Store


@dataclass(frozen=True)
class Standing:
    """One row.

    Args:
        row: What has one row: kind, team, and the system where it is marked.
        team: Name of the team.
        kind: What the row is.
        submission: Id of the submission that stands for it.
        system: Name of the system.
        value: Of the ranking metric; None where undefined.
        rank: From 1, equals share it; None for a row that is not ranked.
        values: Of every metric, for all recordings.
    """

    row: tuple[str, str, str]
    team: str
    kind: str
    submission: str
    system: str
    value: float | None
    rank: int | None
    values: Mapping[str, float | None]


def standings(
    session: Session, store: Store, contest: Contest, metric_set_id: str, references: str, among: Collection[str]
) -> list[Standing]:
    """The rows of a contest under given rules, the best first.

    Args:
        session: Where the scores are.
        store: Where the Results are.
        contest: Which contest.
        metric_set_id: Digest of the metric set.
        references: Digest of the references.
        among: Ids of the submissions that count.

    Raises:
        InputError: Results are not in the store.
    """
    rules = MetricSet.from_dict(session.get_one(MetricSetRow, metric_set_id).rules)
    under = Contest(id=contest.id, metric_set_id=metric_set_id, references=references)
    every = [one for one in entries(session, under) if one.submission in among]

    def values(entry: Entry) -> dict[str, float | None]:
        return scored(store, entry.results, rules.rank_by, rules.metrics).totals

    def ties(entry: Entry) -> list[float | None]:
        return [values(entry).get(name) for name in rules.tie_break]

    stand = [one for one, _ in representatives(every, contest.phase.challenge.rules["represents"], rules, ties)]
    keys = [sort_key([one.value, *ties(one)], [rules.rank_by, *rules.tie_break]) for one in stand]
    found = ranks(keys, [one.kind != Kind.BASELINE for one in stand])
    rows = [
        Standing(one.stands_with, one.team, one.kind, one.submission, one.system, one.value, rank, values(one))
        for one, rank in zip(stand, found, strict=True)
    ]
    return [row for _, row in sorted(zip(keys, rows, strict=True), key=lambda pair: pair[0])]

"""What ``parakh admin`` does with scoring: jobs, what failed, and what other rules would change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from parakh.cli.admin_service import AsJson, Challenge, minute, service, show
from parakh.cli.leaderboard import Config, Data, DatabaseUrl
from parakh.errors import Fault, InputError

if TYPE_CHECKING:
    from parakh.leaderboard.rescoring import Change, Difference, Side

verbs = typer.Typer()


@verbs.command("jobs")
def list_jobs(as_json: AsJson = False, data: Data = None, config: Config = None, database_url: DatabaseUrl = None) -> None:
    """List what waits and what is being scored."""
    with service(data, config, database_url) as (settings, database):
        from parakh.leaderboard import queue

        line = queue.Queue(database, settings)
        try:
            waiting = queue.jobs(line)
        finally:
            line.close()
    rows = [(one.submission_id, one.state, one.attempts, one.host, minute(one.since), one.reason) for one in waiting]
    show(("submission", "state", "attempts", "host", "since", "last_failure"), rows, as_json=as_json)


@verbs.command()
def retry(
    submission: Annotated[str, typer.Argument(help="Id of the submission.")],
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Have a submission tried again that failed or was refused."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import queue, rights

        queue.retry(database, rights.COMMAND_LINE, submission)
    typer.echo(f"{submission} waits again; a worker takes it within seconds")


@verbs.command("rescorings")
def list_rescorings(
    challenge: Challenge, as_json: AsJson = False, data: Data = None, config: Config = None, database_url: DatabaseUrl = None
) -> None:
    """List re-scorings of a challenge, which loading it opens."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import rights, views_rescoring

        every = views_rescoring.rescorings(database, rights.COMMAND_LINE, challenge)
    rows = [
        (one.id, one.contest, one.metric_set, one.state, f"{one.done} of {one.of}", ", ".join(name for name, _, _ in one.rules))
        for one in every
    ]
    show(("id", "contest", "metric_set", "state", "scored", "changed"), rows, as_json=as_json)


@verbs.command()
def rescoring(
    challenge: Challenge,
    rescoring: Annotated[str, typer.Argument(help="Id of the re-scoring.")],
    apply: Annotated[bool, typer.Option("--apply", help="Put its rules in force.")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Give it up.")] = False,
    as_json: AsJson = False,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show what a re-scoring would change, apply or drop it."""
    if apply and drop:
        raise InputError(Fault("--apply", "", "--drop beside it", "one of the two"))
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import rescoring as work
        from parakh.leaderboard import rights, views_rescoring

        seen = views_rescoring.rescoring_view(database, rights.COMMAND_LINE, challenge, rescoring)
        if apply:
            work.apply(database, rights.COMMAND_LINE, seen.id)
        if drop:
            work.drop(database, rights.COMMAND_LINE, seen.id)
    if apply or drop:
        typer.echo(f"{seen.id} is {'in force' if apply else 'dropped'} now")
    elif seen.difference is None:
        typer.echo(f"{seen.id} is {seen.state}: {seen.done} of {seen.of} are scored")
    else:
        _show_difference(seen.difference, as_json)
    for submission in seen.absent:
        typer.echo(f"{submission}: is scored and not in it; applying it scores this one first", err=True)


def _show_difference(found: Difference, as_json: bool) -> None:
    headings = ["team", "kind", "rank", "rank_then", found.rank_by, f"{found.rank_by}_then"]
    rows = [_row(one) for one in found.changes]
    if found.rank_by_before != found.rank_by:
        headings.append(f"ranked_by_{found.rank_by_before}")
        rows = [(*row, _ratio(one.before.ranked_by) if one.before else "") for row, one in zip(rows, found.changes, strict=True)]
    show(headings, rows, as_json=as_json)
    for submission, reason in found.failures.items():
        typer.echo(f"{submission}: {reason}", err=True)


def _row(change: Change) -> tuple[object, ...]:
    sides = (change.before, change.after)
    return (change.team, change.kind, *(side.rank if side else None for side in sides), *map(_value, sides))


def _value(side: Side | None) -> str:
    return "" if side is None else _ratio(side.value)


def _ratio(value: float | None) -> str:
    """A value as it is, a ratio: what it stands for depends on the metric."""
    return "n/a" if value is None else f"{value:.4f}"

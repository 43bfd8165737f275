"""What ``parakh admin`` does with challenges: load, open and close, reveal, teams, quotas, the log of changes."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parakh.cli.admin_service import AsJson, Challenge, minute, service, show
from parakh.cli.leaderboard import Config, Data, DatabaseUrl
from parakh.errors import Fault, InputError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from parakh.leaderboard.challenge import Limits, Sight
    from parakh.leaderboard.challenges import Unchanged
    from parakh.leaderboard.views_console import Person

verbs = typer.Typer()

Phase = Annotated[str, typer.Argument(help="Key of the phase.")]
Track = Annotated[str, typer.Argument(help="Key of the track.")]
Moment = "a date and time of the challenge's zone, as 2026-03-01T23:59, or never"


@verbs.command()
def load(
    toml: Annotated[Path, typer.Argument(metavar="CHALLENGE.TOML", help="The challenge's file.")],
    hidden: Annotated[bool, typer.Option("--hidden", help="Show a new challenge to organisers alone.")] = False,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Load a challenge, or what changed of it."""
    with service(data, config, database_url, is_new=True) as (settings, database):
        from parakh.leaderboard import challenges, rights

        row = challenges.load(database, settings.data, toml, rights.COMMAND_LINE.name, typer.echo, is_public=not hidden)
    typer.echo(f"loaded {row.name}: {row.title}")


@verbs.command("challenges")
def list_challenges(as_json: AsJson = False, data: Data = None, config: Config = None, database_url: DatabaseUrl = None) -> None:
    """List challenges and their phases."""
    with service(data, config, database_url) as (_, database):
        from sqlalchemy import select

        from parakh.leaderboard.challenge import Sight
        from parakh.leaderboard.contests import zone_of
        from parakh.leaderboard.database.tables import PhaseRow

        with database.read() as session:
            phases = session.scalars(select(PhaseRow).order_by(PhaseRow.challenge_id, PhaseRow.id)).all()
    rows = []
    for one in phases:
        moments = (one.opens, one.freezes, one.closes, one.revealed_at)
        dates = (minute(moment and moment.astimezone(zone_of(one.challenge))) for moment in moments)
        public = "yes" if one.challenge.is_public else "no"
        rows.append((one.challenge.name, public, one.key, *dates, Sight(one.shows).name.lower()))
    show(("challenge", "public", "phase", "opens", "freezes", "closes", "revealed", "shows"), rows, as_json=as_json)


@verbs.command()
def publish(
    challenge: Challenge,
    back: Annotated[bool, typer.Option("--undo", help="Show it to organisers alone.")] = False,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show a challenge to everybody."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import challenges, rights

        challenges.set_public(database, rights.COMMAND_LINE, challenge, not back)
    typer.echo(f"{challenge} is {'for organisers alone' if back else 'public'} now")


@verbs.command()
def phase(
    challenge: Challenge,
    phase: Phase,
    opens: Annotated[str | None, typer.Option("--opens", help=f"From when submissions are taken: {Moment}.")] = None,
    closes: Annotated[str | None, typer.Option("--closes", help="Until when.")] = None,
    freezes: Annotated[str | None, typer.Option("--freezes", help="From when on the public board stands still.")] = None,
    shows: Annotated[str | None, typer.Option("--shows", help="To a team: nothing, score, recordings or diagnosis.")] = None,
    shows_revealed: Annotated[str | None, typer.Option("--shows-revealed", help="The same after the reveal.")] = None,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Change dates of a phase, or what it shows."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import challenges, rights
        from parakh.leaderboard.contests import row_named, zone_of

        with database.read() as session:
            zone = zone_of(row_named(session, challenge))
        challenges.set_phase(
            database,
            rights.COMMAND_LINE,
            challenge,
            phase,
            opens=_moment("--opens", opens, zone),
            closes=_moment("--closes", closes, zone),
            freezes=_moment("--freezes", freezes, zone),
            shows=_sight("--shows", shows),
            shows_revealed=_sight("--shows-revealed", shows_revealed),
        )
    typer.echo(f"changed {challenge}, {phase}")


@verbs.command()
def reveal(
    challenge: Challenge,
    phase: Phase,
    back: Annotated[bool, typer.Option("--undo", help="Hide it again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Reveal without asking.")] = False,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make the outcome of a phase public."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import challenges, rights
        from parakh.leaderboard.contests import phase_named

        with database.read() as session:
            phase_named(session, challenge, phase)  # whether there is one, before anybody is asked
        if not back and not yes and not _agreed(f"Show the final board of {challenge}, {phase}, to everybody?"):
            typer.echo("nothing was changed")
            return
        (challenges.hide if back else challenges.reveal)(database, rights.COMMAND_LINE, challenge, phase)
    typer.echo(f"{challenge}, {phase} is {'hidden' if back else 'revealed'} now")


@verbs.command("teams")
def list_teams(
    challenge: Challenge, as_json: AsJson = False, data: Data = None, config: Config = None, database_url: DatabaseUrl = None
) -> None:
    """List the teams of a challenge; who leads one has an asterisk."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import rights, views_console

        every = views_console.teams(database, rights.COMMAND_LINE, challenge)
    rows = [(one.id, one.name, " ".join(map(_member, one.members)), one.submissions, minute(one.made_at)) for one in every]
    show(("id", "name", "members", "submissions", "made_at"), rows, as_json=as_json)


@verbs.command()
def quota(
    challenge: Challenge,
    phase: Phase,
    track: Track,
    team: Annotated[
        str | None,
        typer.Option("--team", help="Name or id of a team that gets other limits; without a number, the phase's again."),
    ] = None,
    day: Annotated[int | None, typer.Option("--day", help="Submissions a day.")] = None,
    total: Annotated[int | None, typer.Option("--total", help="Submissions in all.")] = None,
    concurrent: Annotated[int | None, typer.Option("--concurrent", help="Submissions waiting or being scored at a time.")] = None,
    as_json: AsJson = False,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show what teams used, or give one other limits."""
    if team is None and (day, total, concurrent) != (None, None, None):
        raise InputError(
            Fault("--team", "", "nothing", "the team that gets these limits", "A phase's are in its challenge.toml.")
        )
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import challenges, quotas, rights, views_console
        from parakh.leaderboard.challenge import Limits
        from parakh.leaderboard.contests import contest_named
        from parakh.leaderboard.refusals import NotThere

        with database.read() as session:
            contest = contest_named(session, challenge, phase, track)
        every = views_console.teams(database, rights.COMMAND_LINE, challenge)
        chosen = [one for one in every if team is None or team in {one.id, one.name}]
        if team is not None:
            if not chosen:
                raise NotThere("team", team)
            challenges.set_override(database, rights.COMMAND_LINE, chosen[0].id, contest.id, Limits(day, total, concurrent))
        used = [(one, quotas.quota(database, one.id, contest.id)) for one in chosen]
    rows = [(one.name, *_pairs(found.limits, found.used_today, found.used, found.running)) for one, found in used]
    show(("team", "today", "in_all", "at_a_time"), rows, as_json=as_json)


@verbs.command()
def audit(
    challenge: Annotated[str | None, typer.Option("--challenge", help="Only of this challenge.")] = None,
    actor: Annotated[str | None, typer.Option("--actor", help="Only of this e-mail address.")] = None,
    action: Annotated[str | None, typer.Option("--action", help="Only this, as submission or submission.made.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Not before, as 2026-03-01T09:30, in UTC unless it has a zone.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", help="Before.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Lines of the table, the newest.")] = 50,
    form: Annotated[str, typer.Option("--format", help="table, csv or jsonl; the latter two hold all lines.")] = "table",
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show or export who changed what."""
    if form not in {"table", "csv", "jsonl"}:
        raise InputError(Fault("--format", "", repr(form), "table, csv or jsonl"))
    with service(data, config, database_url) as (_, database):
        from zoneinfo import ZoneInfo

        from parakh.leaderboard import audit as log

        utc = ZoneInfo("UTC")
        which = log.Filter(challenge, actor, action, None, _time("--since", since, utc), _time("--until", until, utc))
        if form == "table":
            events = reversed(log.read(database, which, limit=limit))
            rows = [(minute(one.at), one.actor, one.action, one.subject, one.challenge, _details(one.detail)) for one in events]
            show(("at", "actor", "action", "subject", "challenge", "detail"), rows, as_json=False)
            return
        for piece in log.export(database, form, which):
            sys.stdout.write(piece)


def _agreed(question: str) -> bool:
    """Whether somebody at the terminal says yes.

    Raises:
        InputError: Nobody is there.
    """
    if not sys.stdin.isatty():
        raise InputError(Fault("--yes", "", "nothing", "it, where nobody is here to be asked"))
    return typer.confirm(question)


def _moment(flag: str, text: str | None, zone: ZoneInfo) -> datetime | Unchanged | None:
    from parakh.leaderboard.challenges import KEEP

    return KEEP if text is None else None if text == "never" else _time(flag, text, zone)


def _time(flag: str, text: str | None, zone: ZoneInfo) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(Fault(flag, "", repr(text), "a date and time, as 2026-03-01T23:59")) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _sight(flag: str, text: str | None) -> Sight | Unchanged:
    from parakh.leaderboard.challenge import Sight
    from parakh.leaderboard.challenges import KEEP

    if text is None:
        return KEEP
    known = {one.name.lower(): one for one in Sight}
    if text not in known:
        raise InputError(Fault(flag, "", repr(text), f"one of {', '.join(known)}"))
    return known[text]


def _member(one: Person) -> str:
    return f"{one.email}{'*' * one.leads}"


def _pairs(limits: Limits, *used: int) -> list[str]:
    most = (limits.day, limits.total, limits.concurrent)
    return [f"{count}" if limit is None else f"{count} of {limit}" for count, limit in zip(used, most, strict=True)]


def _details(detail: object) -> str:
    import json

    return json.dumps(detail, ensure_ascii=False) if detail else ""

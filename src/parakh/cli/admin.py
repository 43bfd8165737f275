"""``parakh admin``: what an organiser does without a browser; accounts and backups are here, the rest in ``admin_...``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parakh.cli import admin_challenges, admin_scoring
from parakh.cli.admin_service import AsJson, minute, service, settings_of, show
from parakh.cli.leaderboard import Config, Data, DatabaseUrl
from parakh.errors import Fault, InputError, counted

if TYPE_CHECKING:
    from parakh.leaderboard.backup import Report
    from parakh.leaderboard.database.tables import Role

app = typer.Typer(
    help="Look after a leaderboard: accounts, challenges, backups.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.registered_commands += [*admin_challenges.verbs.registered_commands, *admin_scoring.verbs.registered_commands]

Email = Annotated[str, typer.Argument(help="The account's e-mail address.")]
PasswordFile = Annotated[str | None, typer.Option("--password-file", help="File with the password; - for standard input.")]


@app.command()
def create(
    email: Email,
    role: Annotated[str, typer.Option("--role", help="member, organiser or admin.")] = "member",
    name: Annotated[str, typer.Option("--name", help="What others see; otherwise what stands before the @.")] = "",
    password_file: PasswordFile = None,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make an account."""
    with service(data, config, database_url, is_new=True) as (_, database):
        from parakh.leaderboard import accounts, rights

        kind = _role(role)
        password = _password(password_file)
        user = accounts.sign_up(database, email, name or email.partition("@")[0], password, kind, rights.COMMAND_LINE.name)
    typer.echo(f"made the account {user.email}, {user.role}")


@app.command()
def users(as_json: AsJson = False, data: Data = None, config: Config = None, database_url: DatabaseUrl = None) -> None:
    """List the accounts."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import account_admin, rights

        every = account_admin.users(database, rights.COMMAND_LINE)
    headings = ("email", "name", "role", "is_disabled", "locked_until", "made_at")
    rows = [
        (
            one.email,
            one.name,
            one.role,
            "yes" if one.is_disabled else "no",
            minute(account_admin.locked_until(one)),
            minute(one.made_at),
        )
        for one in every
    ]
    show(headings, rows, as_json=as_json)


@app.command()
def role(
    email: Email,
    role: Annotated[str, typer.Argument(help="member, organiser or admin.")],
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Give an account another role."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import account_admin, rights

        account_admin.set_role(database, rights.COMMAND_LINE, email, _role(role))
    typer.echo(f"{email} is {role} now")


@app.command()
def password(
    email: Email, password_file: PasswordFile = None, data: Data = None, config: Config = None, database_url: DatabaseUrl = None
) -> None:
    """Give an account a new password, and unlock it."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import account_admin, rights

        account_admin.set_password(database, rights.COMMAND_LINE, email, _password(password_file))
    typer.echo(f"{email} has a new password; who was logged in has to log in again")


@app.command()
def unlock(email: Email, data: Data = None, config: Config = None, database_url: DatabaseUrl = None) -> None:
    """Let in an account that wrong passwords locked."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import account_admin, rights

        account_admin.unlock(database, rights.COMMAND_LINE, email)
    typer.echo(f"{email} may log in again")


@app.command()
def disable(
    email: Email,
    back: Annotated[bool, typer.Option("--undo", help="Open it again.")] = False,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Shut an account; its sessions and tokens end."""
    with service(data, config, database_url) as (_, database):
        from parakh.leaderboard import account_admin, rights

        account_admin.set_disabled(database, rights.COMMAND_LINE, email, not back)
    typer.echo(f"{email} is {'open' if back else 'shut'} now")


@app.command()
def backup(
    out: Annotated[Path, typer.Argument(help="The archive to write: .tar, or .tar.gz.")],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write a backup of everything, while the service runs."""
    settings = settings_of(data, config, database_url)
    from parakh.leaderboard import backup as backups

    if out.exists() and not force:
        raise InputError(Fault(str(out), "", "a file that is there already", "a new one", "Take another name, or --force."))
    _tell(f"wrote {out}", backups.backup(settings, out))


@app.command()
def restore(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="What `parakh admin backup` wrote.")],
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Fill an empty place with a backup, in either database."""
    settings = settings_of(data, config, database_url)
    from parakh.leaderboard import backup as backups

    _tell(f"restored {path} of {{:%Y-%m-%d %H:%M %Z}}", backups.restore(settings, path))


@app.command()
def tidy(data: Data = None, config: Config = None, database_url: DatabaseUrl = None) -> None:
    """Remove files that nothing refers to, and ended sessions."""
    with service(data, config, database_url) as (settings, database):
        from parakh.leaderboard import accounts, limits, store_housekeeping
        from parakh.leaderboard.store import Store

        limits.sweep(database)
        accounts.sweep(database)

        count = store_housekeeping.sweep(database, Store(settings.store))
    typer.echo(f"removed {counted(count, 'file')}")


def _role(text: str) -> Role:
    from parakh.leaderboard.database.tables import Role

    try:
        return Role(text)
    except ValueError:
        raise InputError(Fault("role", "", repr(text), ", ".join(Role))) from None


def _password(path: str | None) -> str:
    if path is None:
        if not sys.stdin.isatty():
            raise InputError(Fault("--password-file", "", "nothing", "a file, or -", "Nobody is here to be asked."))
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    if path == "-":
        return sys.stdin.readline().rstrip("\r\n")
    from parakh.files import read_text

    return read_text(path).rstrip("\r\n")


def _tell(what: str, report: Report) -> None:
    typer.echo(what.format(report.made_at))
    rows = ", ".join(counted(report.rows.get(f"{name}s", 0), name) for name in ("challenge", "team", "submission", "score"))
    typer.echo(f"{rows}; {counted(report.files, 'file')}, {report.size / 1e6:.1f} MB")

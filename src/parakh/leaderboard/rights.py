"""Who may do what: asked at the beginning of everything that changes something."""

from __future__ import annotations

from parakh.leaderboard.database.tables import Role
from parakh.leaderboard.refusals import Refused
from parakh.leaderboard.visibility import Viewer

SCOPES = ("read", "submit", "organise")
"""What a token may allow."""

COMMAND_LINE = Viewer(0, "command line", Role.ADMIN)
"""Whoever may run commands on the machine; no account has its id."""


def needs_account(viewer: Viewer, scope: str | None = None) -> int:
    """The id of somebody who has an account and may do what a scope allows.

    Args:
        viewer: Who it is.
        scope: What a token has to allow; None where no token is enough.

    Raises:
        Refused: They have no account, or come with a token that does not allow it.

    >>> needs_account(Viewer(7, "a@example.org"))
    7
    """
    if viewer.user_id is None:
        raise Refused("log in first.")
    if viewer.scopes is not None and scope not in viewer.scopes:
        raise Refused(f"this token does not allow to {scope}." if scope else "no token allows this: log in with a browser.")
    return viewer.user_id


def needs_organiser(viewer: Viewer) -> None:
    """See that somebody organises.

    Raises:
        Refused: They do not.

    >>> needs_organiser(COMMAND_LINE)
    >>> needs_organiser(Viewer(7, "a@example.org"))
    Traceback (most recent call last):
    parakh.leaderboard.refusals.Refused: only organisers may do this.
    """
    needs_account(viewer, "organise")
    if not viewer.organises:
        raise Refused("only organisers may do this.")


def needs_admin(viewer: Viewer) -> None:
    """See that somebody is an admin, with a browser or at the command line.

    Raises:
        Refused: They are not.
    """
    needs_account(viewer)
    if viewer.role != Role.ADMIN:
        raise Refused("only admins may do this.")


def account_id(viewer: Viewer) -> int | None:
    """What a row holds of who made it; None for the command line.

    >>> account_id(COMMAND_LINE) is None
    True
    """
    return viewer.user_id or None

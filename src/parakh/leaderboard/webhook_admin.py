"""The addresses that are told of every new best: an organiser adds and removes them."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlalchemy import select

from parakh.errors import Fault
from parakh.leaderboard import audit, entries
from parakh.leaderboard.contests import row_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Webhook
from parakh.leaderboard.posting import leads_inward, new_secret
from parakh.leaderboard.refusals import Conflict, NotThere
from parakh.leaderboard.rights import needs_organiser
from parakh.leaderboard.visibility import Viewer

MOST = 20
"""Addresses that one challenge may have."""


def webhooks(database: Database, viewer: Viewer, challenge: str) -> Sequence[Webhook]:
    """The addresses of a challenge, in the order they were added.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = row_named(session, challenge)
        return session.scalars(select(Webhook).where(Webhook.challenge_id == row.id).order_by(Webhook.made_at)).all()


def add(database: Database, viewer: Viewer, challenge: str, address: str, *, allow_private: bool = False) -> Webhook:
    """Have an address told of every new best of a challenge; a secret to sign by is made for it.

    Args:
        database: Where everything is.
        viewer: Who asks for it.
        challenge: Name of the challenge.
        address: Where messages go.
        allow_private: Whether it may be of this machine and its network. A name is looked up when a message is sent.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
        InputError: It is no http or https address, holds a password, or is of the own network.
        Conflict: It is there already, or there are too many.
    """
    needs_organiser(viewer)
    entries.check(_address_faults(address, allow_private))
    with database.write() as session:
        row = row_named(session, challenge)
        present = session.scalars(select(Webhook.address).where(Webhook.challenge_id == row.id)).all()
        if address in present:
            raise Conflict("this address is told already.")
        if len(present) >= MOST:
            raise Conflict(f"a challenge has at most {MOST} webhooks: remove one first.")
        made = Webhook(challenge_id=row.id, address=address, secret=new_secret())
        session.add(made)
        session.flush()
        audit.record(session, viewer.name, "webhook.added", made.id, challenge, {"address": address})
    return made


def _address_faults(address: str, allow_private: bool) -> list[Fault]:
    if not address:
        return [Fault("webhook", "address", "nothing", "an http or https address")]
    faults = entries.address_faults("webhook", "address", address)
    if faults:
        return faults
    parts = urlsplit(address)
    if parts.username is not None or parts.password is not None:
        found = "a name or password in it"  # which is not told: organisers read each other's messages
        return [Fault("webhook", "address", found, "an address without them", "Messages are signed instead.")]
    if not allow_private and leads_inward(parts.hostname or ""):
        found = f"{parts.hostname}, an address of the own network"
        return [Fault("webhook", "address", found, "a public address", "The setting private_webhooks allows them.")]
    return []


def remove(database: Database, viewer: Viewer, challenge: str, webhook_id: str) -> None:
    """Tell an address nothing more.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such webhook of the challenge.
    """
    needs_organiser(viewer)
    with database.write() as session:
        row = row_named(session, challenge)
        found = session.get(Webhook, webhook_id)
        if found is None or found.challenge_id != row.id:
            raise NotThere("webhook", webhook_id)
        session.delete(found)
        audit.record(session, viewer.name, "webhook.removed", webhook_id, challenge, {"address": found.address})

"""Templates: one environment, which escapes whatever a value holds, and the sentences that one page leaves for the next."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

import parakh
from parakh.errors import as_bytes
from parakh.leaderboard.web import wording
from parakh.markup import language, percent

NOTICES = {
    "signed-up": "Your account is ready.",
    "logged-out": "You are logged out.",
    "password": "Your password is changed; every other browser of yours is logged out.",
    "token-revoked": "The token is revoked.",
    "accepted": "You accepted the terms.",
    "team-made": "Your team is ready. Share the invite code with the others.",
    "joined": "You joined the team.",
    "left": "You left the team.",
    "invite": "There is a new invite code; the old one lets nobody in any more.",
    "renamed": "The team has a new name.",
    "removed": "They are no longer in the team.",
    "uploaded": "Your submission was taken.",
    "edited": "Your changes are kept.",
    "withdrawn": "The submission is withdrawn.",
    "chosen": "This submission now stands for your team.",
    "phase-changed": "The phase is changed.",
    "revealed": "The outcome is revealed.",
    "hidden": "The reveal is taken back.",
    "shown": "Who sees the challenge is changed.",
    "quota": "The team's limits are set.",
    "retried": "It is in the queue again.",
    "rescoring": "Scoring under the other rules has begun.",
    "applied": "These rules are in force now.",
    "dropped": "The re-scoring is dropped.",
    "role": "The role is set.",
    "account": "The account is changed.",
    "webhook-added": "The address will be told of new bests.",
    "webhook-removed": "The address is told nothing more.",
    "diagnosis": "The diagnosis is being made.",
}
"""Sentences that a page may find left by the one before it, by name."""


class Typed(dict[str, str]):
    """What was typed into a form before; "" for every field that was not.

    >>> Typed(name="a")["name"], Typed()["name"], bool(Typed())
    ('a', '', False)
    """

    def __missing__(self, name: str) -> str:
        return ""


@cache
def environment() -> Environment:
    """The environment of all templates."""
    made = Environment(
        loader=PackageLoader("parakh.leaderboard.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["parakh"] = parakh.__version__
    made.globals |= {"notice": "", "faults": (), "typed": Typed()}
    made.filters |= {"percent": percent, "language": language, "moment": wording.moment, "day": wording.day}
    made.filters |= {"figure": wording.figure, "paragraphs": wording.paragraphs, "as_bytes": as_bytes}
    return made


def rendered(template: str, values: Mapping[str, Any]) -> str:
    """A page from its template."""
    return environment().get_template(template).render(values)

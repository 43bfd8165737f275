"""A challenge's addresses are told of every new best that everybody may see: once each, and again while it does not arrive."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.leaderboard import audit
from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, Event, Submission, Webhook
from parakh.leaderboard.feeds import Best, bests
from parakh.leaderboard.posting import NotDeliveredError, post, signed

PAUSES = (5.0, 60.0, 600.0, 3600.0, 6 * 3600.0)
"""Seconds between attempts; after the last one the message is given up."""
_TOLD, _GIVEN_UP = "webhook.told", "webhook.given-up"


@dataclass(frozen=True)
class Call:
    """One message to one address.

    Args:
        webhook_id: Of the address.
        submission_id: The new best.
        attempt: From 1.
    """

    webhook_id: str
    submission_id: str
    attempt: int = 1

    @property
    def key(self) -> str:
        """What it is, whichever attempt: it arrives once."""
        return f"{self.webhook_id}-{self.submission_id}"

    @property
    def pause(self) -> float:
        """Seconds to wait before it."""
        return 0.0 if self.attempt == 1 else PAUSES[self.attempt - 2]


def due(database: Database, contest_id: int, at: datetime) -> list[Call]:
    """The messages that a contest's addresses were not told yet.

    Args:
        database: Where everything is.
        contest_id: Of which contest.
        at: When: what a freeze hides is not told.

    Returns:
        One for every address and new best that could be seen after the address was added.
    """
    with database.read() as session:
        contest = session.get_one(Contest, contest_id)
        hooks = list(session.scalars(select(Webhook).filter_by(challenge_id=contest.phase.challenge_id)))
        if not hooks or not contest.phase.challenge.is_public:
            return []
        done = _done(session)
    found = [one.submission for one in bests(database, contest, at)]
    with database.read() as session:
        since = {one.id: _visible_since(one) for one in session.scalars(select(Submission).where(Submission.id.in_(found)))}
    calls = (Call(hook.id, one) for one in found for hook in hooks if one in since and since[one] >= hook.made_at)
    return [call for call in calls if call.key not in done]


def deliver(database: Database, call: Call, base_url: str, *, allow_private: bool = False) -> Call | None:
    """Send one message, and note in the audit log how it went.

    Args:
        database: Where everything is.
        call: The message.
        base_url: The address of the service, without a slash at the end.
        allow_private: Whether it may go to this machine and its network.

    Returns:
        The next attempt where it did not arrive; None where it did, or was given up, or nobody is to be told any more.
    """
    with database.read() as session:
        hook = session.get(Webhook, call.webhook_id)
        submission = session.scalars(select(Submission).filter_by(id=call.submission_id)).one_or_none()
        if hook is None or submission is None or call.key in _done(session, [call.key]):
            return None
    best = next((one for one in bests(database, submission.contest, now()) if one.submission == call.submission_id), None)
    if best is None:  # withdrawn, or scored otherwise since
        return None
    body = json.dumps(_message(best, base_url), ensure_ascii=False).encode()
    try:
        post(hook.address, body, signed(call.key, body, hook.secret, now()), allow_private=allow_private)
    except NotDeliveredError as error:
        if call.attempt <= len(PAUSES) and not error.for_good:
            return replace(call, attempt=call.attempt + 1)
        _note(database, call, hook, best, _GIVEN_UP, str(error))
    else:
        _note(database, call, hook, best, _TOLD, "")
    return None


def _done(session: Session, keys: Iterable[str] | None = None) -> set[str]:
    query = select(Event.subject).where(Event.action.in_((_TOLD, _GIVEN_UP)))
    return set(session.scalars(query if keys is None else query.where(Event.subject.in_(keys))))


def _visible_since(submission: Submission) -> datetime:
    """When everybody could first see its score."""
    phase = submission.contest.phase
    hidden = phase.shows < Sight.SCORE or (phase.freezes is not None and submission.made_at >= phase.freezes)
    scored = submission.ended_at or submission.made_at
    return max(scored, phase.revealed_at) if hidden and phase.revealed_at is not None else scored


def _message(best: Best, base_url: str) -> dict[str, object]:
    return {
        "type": "best.new",
        "timestamp": best.moment.isoformat(),
        "data": {
            "challenge": best.challenge,
            "phase": best.phase,
            "track": best.track,
            "team": best.team,
            "submission": best.submission,
            "metric": best.metric,
            "value": best.value,
            "before": best.before,
            "board": f"{base_url}/c/{best.challenge}/{best.phase}/{best.track}",
        },
    }


def _note(database: Database, call: Call, hook: Webhook, best: Best, action: str, reason: str) -> None:
    detail = {"address": hook.address, "submission": call.submission_id, "attempts": call.attempt}
    with database.write() as session:
        audit.record(session, audit.SYSTEM, action, call.key, best.challenge, detail | ({"reason": reason} if reason else {}))

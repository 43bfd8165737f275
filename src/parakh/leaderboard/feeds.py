"""New bests: the submissions that everybody may see and that were better than all before them, as a list and as RSS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from xml.etree import ElementTree

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh import metrics as metric_registry
from parakh.leaderboard.boards.reading import Point, history
from parakh.leaderboard.challenges import rules_of
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import ChallengeRow, Contest, PhaseRow
from parakh.leaderboard.refusals import NotThere
from parakh.leaderboard.visibility import ANYBODY

MOST = 50
"""Entries of a feed."""
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Best:
    """A submission that was better than all before it.

    Args:
        challenge: Name of the challenge.
        phase: Key of the phase.
        track: Key of the track.
        title: The track and the phase, for people.
        submission: Its key.
        team: Name of its team.
        metric: Name of the metric that ranks.
        value: In the metric's unit, rates as ratios.
        before: The best until then; None for the first.
        moment: When it was handed in.
    """

    challenge: str
    phase: str
    track: str
    title: str
    submission: str
    team: str
    metric: str
    value: float
    before: float | None
    moment: datetime

    @property
    def shown(self) -> str:
        """The value as people read it."""
        metric = metric_registry.get(self.metric)
        return f"{metric.name} {metric.shown(self.value)}{' %' if metric.unit == '%' else ''}"


def bests(database: Database, contest: Contest, at: datetime) -> list[Best]:
    """The new bests of a contest that everybody may see, in the order in which they came in.

    Args:
        database: Where they are.
        contest: Of which contest.
        at: When somebody looks: a freeze hides what came in since, until the reveal.
    """
    title = _title(contest.phase, contest.track)
    found: list[Best] = []
    before: float | None = None
    for point in history(database, contest, ANYBODY, at):
        if point.value is not None and point.best != before:
            found.append(_best(contest, title, point, point.value, before))
        before = point.best
    return found


def rss(database: Database, challenge: str, base_url: str) -> str:
    """The new bests of a public challenge as RSS 2.0, the newest first.

    Args:
        database: Where they are.
        challenge: Its name.
        base_url: The address of the service, without a slash at the end.

    Raises:
        NotThere: There is none of the name that everybody may see.
    """
    at = now()
    with database.read() as session:
        row = session.scalars(select(ChallengeRow).filter_by(name=challenge, is_public=True)).one_or_none()
        if row is None:
            raise NotThere("challenge", challenge)
        contests = _contests(session, row.id)
    found = sorted((one for contest in contests for one in bests(database, contest, at)), key=lambda one: one.moment)
    return _document(row.title, f"{base_url}/c/{challenge}", found[: -MOST - 1 : -1])


def _contests(session: Session, challenge_id: int) -> Sequence[Contest]:
    return session.scalars(select(Contest).join(PhaseRow).where(PhaseRow.challenge_id == challenge_id)).unique().all()


def _best(contest: Contest, title: str, point: Point, value: float, before: float | None) -> Best:
    phase = contest.phase
    return Best(
        challenge=phase.challenge.name,
        phase=phase.key,
        track=contest.track,
        title=title,
        submission=point.submission,
        team=point.team,
        metric=contest.metric_set.rules["rank_by"],
        value=value,
        before=before,
        moment=point.moment,
    )


def _title(phase: PhaseRow, track: str) -> str:
    rules = rules_of(phase.challenge)
    return f"{rules.track(track).title}, {rules.phase(phase.key).title}"


def _document(title: str, address: str, found: Sequence[Best]) -> str:
    feed = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(feed, "channel")
    _add(channel, "title", f"{title}: new bests")
    _add(channel, "link", address)
    _add(channel, "description", f"Systems that were better than all before them: {title}")
    for one in found:
        metric = metric_registry.get(one.metric)
        before = "the first score" if one.before is None else f"the best before had {metric.shown(one.before)}"
        item = ElementTree.SubElement(channel, "item")
        _add(item, "title", f"{one.team}: {one.shown} ({one.title})")
        _add(item, "link", f"{address}/{one.phase}/{one.track}")
        _add(item, "description", f"{one.team}: {one.shown}; {before}.")
        _add(item, "pubDate", format_datetime(one.moment))
        ElementTree.SubElement(item, "guid", isPermaLink="false").text = f"{one.phase}/{one.track}/{one.submission}"
    ElementTree.indent(feed, "")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(feed, encoding="unicode")}\n'


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    """A child with text; what XML cannot hold becomes the sign for that."""
    ElementTree.SubElement(parent, name).text = _NO_XML.sub("\ufffd", text)

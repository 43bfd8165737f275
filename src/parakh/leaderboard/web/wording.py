"""How moments, spans of time, figures and states are said on the pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from parakh import metrics
from parakh.errors import UnknownNameError, counted
from parakh.leaderboard.challenge import Limits
from parakh.markup import Html, join, language, tag
from parakh.metrics import Metric

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
SHOWS = {
    "nothing": "that it was scored, no figures",
    "score": "scores",
    "recordings": "scores and each recording's",
    "diagnosis": "everything: alignments, diagnosis",
}
"""What a team may see of its own submissions, by the name of the sight."""
STATES = {
    "queued": "waiting",
    "scoring": "scoring",
    "scored": "scored",
    "refused": "refused",
    "failed": "failed",
}
REPRESENTS = {
    "best": "A team's best submission stands for it on a board.",
    "last": "A team's last scored submission stands for it on a board.",
    "chosen": "A team chooses the submission that stands for it on a board; until then its best does.",
}
KINDS = {"submission": "", "baseline": "baseline", "closed": "closed system"}


def moment(at: datetime | None, zone: str = "UTC") -> Html:
    """A moment in a time zone as an element; a dash for None.

    >>> moment(datetime(2026, 11, 30, 18, 29, tzinfo=UTC), "Asia/Kolkata")
    '<time datetime="2026-11-30T18:29:00+00:00">30 Nov 2026, 23:59 IST</time>'
    """
    if at is None:
        return Html("–")
    there = at.astimezone(ZoneInfo(zone))
    return _time(at, f"{short_day(there)} {there.year}, {there:%H:%M %Z}")


def day(at: datetime, zone: str = "UTC") -> Html:
    """The day of a moment in a time zone as an element.

    >>> day(datetime(2026, 11, 30, 18, 31, tzinfo=UTC), "Asia/Kolkata")
    '<time datetime="2026-11-30T18:31:00+00:00">1 Dec 2026</time>'
    """
    there = at.astimezone(ZoneInfo(zone))
    return _time(at, f"{short_day(there)} {there.year}")


def short_day(there: datetime) -> str:
    """The day of a moment that is in its time zone already, without the year.

    >>> short_day(datetime(2026, 11, 30, tzinfo=UTC))
    '30 Nov'
    """
    return f"{there.day} {_MONTHS[there.month - 1]}"


def _time(at: datetime, said: str) -> Html:
    return tag("time", {"datetime": at.astimezone(UTC).isoformat(timespec="seconds")}, said)


def span(length: timedelta) -> str:
    """A length of time in its largest whole unit.

    >>> span(timedelta(days=3, hours=5)), span(timedelta(minutes=61)), span(timedelta(seconds=2))
    ('3 days', '1 hour', '2 seconds')
    """
    seconds = max(0, int(length.total_seconds()))
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return counted(seconds // size, unit)
    return counted(seconds, "second")


def standing(opens: datetime | None, closes: datetime | None, at: datetime) -> tuple[str, str]:
    """Whether something is "open", "coming" or "closed" at a moment, and in words for how long.

    >>> standing(None, datetime(2026, 1, 3, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))
    ('open', '2 days left')
    """
    if opens is not None and at < opens:
        return "coming", f"opens in {span(opens - at)}"
    if closes is not None and at >= closes:
        return "closed", f"closed {span(at - closes)} ago"
    return "open", f"{span(closes - at)} left" if closes is not None else "open, no end"


def figure(metric: str, value: float | None) -> str:
    """A value of a metric as a table shows it: percent without its sign, or in the metric's unit; n/a where undefined.

    >>> figure("der", 0.12345), figure("der", None)
    ('12.35', 'n/a')
    """
    if value is None:
        return "n/a"
    known = _installed(metric)
    return known.shown(value) if known else f"{100 * value:.2f}"


def unit(metric: str) -> str:
    """The unit that the values of a metric are written in; "" for none.

    >>> unit("der")
    '%'
    """
    known = _installed(metric)
    return known.unit if known else "%"


def metric_title(metric: str) -> str:
    """The full name of a metric, or the one it goes by where it is not installed.

    >>> metric_title("der")
    'Diarization error rate'
    """
    known = _installed(metric)
    return known.title if known else metric


def better(metric: str) -> str:
    """Which values of a metric are better: "lower", as of one that is not installed, or "higher".

    >>> better("der")
    'lower'
    """
    known = _installed(metric)
    return (known.better if known else metrics.Better.LOWER).value


def _installed(metric: str) -> Metric | None:
    """A metric by its name; None for one that a plugin brought which is gone."""
    try:
        return metrics.get(metric)
    except UnknownNameError:
        return None


def limits_said(limits: Limits) -> str:
    """The limits of a phase in words.

    >>> limits_said(Limits(2, 30, 1)), limits_said(Limits())
    ('2 a day, 30 in all, 1 at a time', 'no limit')
    """
    given: Sequence[tuple[int | None, str]] = ((limits.day, "a day"), (limits.total, "in all"), (limits.concurrent, "at a time"))
    return ", ".join(f"{number} {what}" for number, what in given if number is not None) or "no limit"


def paragraphs(text: str) -> Html:
    r"""Somebody's plain text as paragraphs, parted at blank lines.

    >>> paragraphs("one\n\ntwo")
    '<p dir="auto">one</p><p dir="auto">two</p>'
    """
    parts = (part.strip() for part in text.replace("\r\n", "\n").split("\n\n"))
    return join(tag("p", {"dir": "auto", "lang": language(part)}, part) for part in parts if part)

"""New bests as RSS: what everybody may see, and nothing else."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sqlalchemy import select

from parakh.leaderboard import feeds
from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, Kind, PhaseRow
from parakh.leaderboard.refusals import NotThere
from tests.service import sites
from tests.service.made_boards import START, Made

ADDRESS = "https://example.org"


def items(made: Made) -> list[ElementTree.Element]:
    channel = ElementTree.fromstring(feeds.rss(made.database, "visits", ADDRESS)).find("channel")
    assert channel is not None
    assert [child.tag for child in channel][:3] == ["title", "link", "description"]
    return channel.findall("item")


def titles(made: Made) -> list[str | None]:
    return [item.findtext("title") for item in items(made)]


def test_every_new_best_is_told_newest_first(database: Database, tmp_path: Path) -> None:
    made = Made(database, tmp_path)
    first = made.hand_in("one", [0.5] * 4)
    made.hand_in("two", [0.6] * 4, days=1)
    made.hand_in("two", [0.5] * 4, days=2)  # as good is no better
    made.hand_in("organisers", [0.1] * 4, days=3, kind=Kind.BASELINE.value)
    made.hand_in("nothing", None, days=4)
    made.hand_in("two", [0.25] * 4, days=5)
    assert titles(made) == [
        "two: wer 25.00 % (What was said, Evaluation)",
        "one: wer 50.00 % (What was said, Evaluation)",
    ]
    newest, oldest = items(made)
    assert newest.findtext("description") == "two: wer 25.00 %; the best before had 50.00."
    assert newest.findtext("link") == "https://example.org/c/visits/eval/asr"
    assert parsedate_to_datetime(oldest.findtext("pubDate") or "") == START
    assert oldest.findtext("guid") == f"eval/asr/{first}"


def test_a_freeze_and_blind_scores_are_kept_until_the_reveal(database: Database, tmp_path: Path) -> None:
    made = Made(database, tmp_path, freezes=START + timedelta(days=1))
    made.hand_in("early", [0.5] * 4)
    made.hand_in("late", [0.2] * 4, days=2)
    assert [title.split(":")[0] for title in titles(made) if title] == ["early"]
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "shows", int(Sight.NOTHING)))
    assert titles(made) == []
    made.change(lambda session: setattr(session.scalars(select(PhaseRow)).one(), "revealed_at", now()))
    assert [title.split(":")[0] for title in titles(made) if title] == ["late", "early"]


def test_a_challenge_that_is_not_public_has_no_feed(database: Database, tmp_path: Path) -> None:
    made = Made(database, tmp_path)
    made.change(lambda session: setattr(session.get_one(Contest, made.contest_id).phase.challenge, "is_public", False))
    for name in ("visits", "other"):
        with pytest.raises(NotThere):
            feeds.rss(database, name, ADDRESS)


def test_any_name_makes_a_document_that_reads(database: Database, tmp_path: Path) -> None:
    made = Made(database, tmp_path)
    made.hand_in("<b>&amp; ]]> \x00\x0b दल", [0.5] * 4)
    assert titles(made) == ["<b>&amp; ]]> \ufffd\ufffd दल: wer 50.00 % (What was said, Evaluation)"]


def test_a_feed_is_short(database: Database, tmp_path: Path) -> None:
    made = Made(database, tmp_path)
    for place in range(60):
        made.hand_in("one", [0.9 - place / 100] * 2, days=place)
    assert len(items(made)) == feeds.MOST
    assert (titles(made)[0] or "").startswith("one: wer 31.00 %")


def test_the_feed_has_an_address(tmp_path: Path) -> None:
    site = sites.site(tmp_path)
    best = site.hand_in("one@example.org", "each", "diarization", sites.answer())
    site.hand_in("one@example.org", "silent", "diarization", sites.answer())
    site.score()
    answer = site.program().get(f"/c/{sites.NAME}/feed.xml")
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    assert [item.findtext("guid") for item in ElementTree.fromstring(answer.text).iter("item")] == [f"each/diarization/{best}"]
    assert site.program().get("/c/nowhere/feed.xml").status_code == 404
    site.close()

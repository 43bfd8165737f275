"""``challenge.toml``: a challenge as a file; and the same as JSON, as the database holds it.

    name = "home-visits-2026"                 # in addresses
    title = "Home visits 2026"
    description = "Two paragraphs at most."
    contact = "organisers@example.org"
    time_zone = "Asia/Kolkata"

    [tracks.asr]
    title = "What was said"

    [phases.eval]
    title = "Evaluation"
    tracks = ["asr"]
    recordings = "recordings.jsonl"
    opens = 2026-03-01T00:00:00               # of time_zone
    [phases.eval.references]
    asr = "transcripts"

docs/challenges.md tells every key.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from parakh.errors import Fault, InputError, ParakhError
from parakh.files import read_text
from parakh.formats._text import shown
from parakh.leaderboard._rules import track_rules
from parakh.leaderboard._tables import SIGHTS, Table
from parakh.leaderboard.challenge import Challenge, Limits, MetricSet, PhaseRules, Sight, Terms, TrackRules
from parakh.leaderboard.references import References, check_references, load_references, missing_files

__all__ = ["References", "from_dict", "load_challenge", "load_references", "read_metric_set", "to_dict"]

_CHALLENGE = ("name", "title", "description", "contact", "time_zone", "represents", "terms", "tracks", "phases")
_PHASE = (
    "title tracks recordings references uem audio opens closes freezes shows shows_revealed open_book limits".split()  # noqa: SIM905
)
_REPRESENTS = {name: name for name in ("best", "last", "chosen")}


def load_challenge(path: str | Path) -> Challenge:
    """Read a ``challenge.toml`` and check every reference that it names.

    Args:
        path: The file.

    Raises:
        InputError: All faults of the file and of the references: unknown keys, wrong types, tracks that no phase has, references
            that are missing or do not fit their recordings.
    """
    file = Path(path)
    try:
        values = tomllib.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        found = "values nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(Fault(str(file), "", found, "TOML", "Mend the file.")) from error
    faults: list[Fault] = []
    challenge = _challenge(Table(faults, str(file), "", values, _CHALLENGE), file.parent)
    more = 0
    for phase in challenge.phases:
        faults += missing_files(phase, file.parent)
        for track in phase.tracks:
            try:
                check_references(challenge, file.parent, phase.key, track)
            except InputError as error:
                faults += error.faults
                more += error.more
    if faults:
        raise InputError(dict.fromkeys(faults), more)
    return challenge


def _challenge(table: Table, folder: Path) -> Challenge:
    zone = _zone(table)
    tracks = {key: track_rules(key, one) for key, one in table.tables("tracks", None)}
    known = {key: one for key, one in tracks.items() if one is not None}
    phases = [_phase(key, one, known, list(tracks), zone) for key, one in table.tables("phases", tuple(_PHASE))]
    used = {key for phase in phases for key in phase.tracks}
    for key in known.keys() - used:
        table.fault(f"tracks.{key}", "a track of no phase", "a phase that has it", "Name it in a phase's tracks, or take it out.")
    return Challenge(
        name=table.key_text("name"),
        title=table.text("title"),
        description=table.text("description", "", lines=True),
        contact=table.text("contact"),
        time_zone=zone.key if zone else "UTC",
        tracks=tuple(known.values()),
        phases=tuple(phases),
        terms=_terms(table, folder) if "terms" in table.values else None,
        represents=table.one_of("represents", _REPRESENTS, "best"),
    )


def _zone(table: Table) -> ZoneInfo | None:
    name = table.text("time_zone")
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        table.fault("time_zone", shown(name), "the IANA name of a time zone, as Asia/Kolkata")
        return None


def _terms(table: Table, folder: Path) -> Terms | None:
    own = table.table("terms", ("version", "file"))
    version, name = own.text("version"), own.text("file")
    if not name:
        return None
    try:
        text = read_text(folder / name)
    except InputError as error:
        table.faults += error.faults
        return None
    if not text.strip():
        own.fault("file", f"{name}, which is empty", "the text of the terms")
    return Terms(version, text)


def _phase(key: str, table: Table, known: Mapping[str, TrackRules], named: list[str], zone: ZoneInfo | None) -> PhaseRules:
    tracks = table.texts("tracks")
    for track in tracks:
        if track not in named:
            table.fault("tracks", shown(track), f"a track: {', '.join(named)}")
    shows = table.one_of("shows", SIGHTS, Sight.SCORE)
    revealed = table.one_of("shows_revealed", SIGHTS, max(shows, Sight.RECORDINGS))
    if revealed < shows:
        table.fault("shows_revealed", revealed.name.lower(), f"{shows.name.lower()} or more, which it shows before the reveal")
    references = _references(table, tracks)
    opens, closes, freezes = _moments(table, zone)
    limits = table.table("limits", ("day", "total", "concurrent"))
    return PhaseRules(
        key=key,
        title=table.text("title"),
        tracks=tuple(track for track in tracks if track in known and track in references),
        references=references,
        recordings=_path(table, "recordings", table.text("recordings")),
        uem=_path(table, "uem", table.text("uem")) if "uem" in table.values else None,
        audio=_path(table, "audio", table.text("audio")) if "audio" in table.values else None,
        opens=opens,
        closes=closes,
        shows=shows,
        shows_revealed=revealed,
        open_book=table.switch("open_book"),
        freezes=freezes,
        limits=Limits(*(limits.whole(one, 1, None) for one in ("day", "total", "concurrent"))),
    )


def _moments(table: Table, zone: ZoneInfo | None) -> list[datetime | None]:
    """When a phase opens, closes and freezes; without a zone, whose fault is told, only moments of one kind are compared."""
    names = ("opens", "closes", "freezes")
    is_local = {value.tzinfo is None for one in names if isinstance(value := table.values.get(one), datetime)}
    opens, closes, freezes = moments = [table.moment(one, zone or UTC) for one in names]
    if zone is None and len(is_local) > 1:
        return moments
    if opens and closes and closes <= opens:
        table.fault("closes", closes.isoformat(), f"a moment after it opens ({opens.isoformat()})")
    if freezes and ((opens and freezes < opens) or (closes and freezes > closes)):
        table.fault("freezes", freezes.isoformat(), "a moment between opens and closes")
    return moments


def _references(table: Table, tracks: tuple[str, ...]) -> dict[str, str]:
    own = table.table("references", tracks)
    return {track: path for track in tracks if (path := _path(own, track, own.text(track)))}


def _path(table: Table, key: str, path: str) -> str:
    if Path(path).is_absolute():
        table.fault(key, shown(path), "a path that starts from the folder of this file")
        return ""
    return path


def read_metric_set(values: object, path: str = "rules") -> MetricSet:
    """A metric set as an organiser writes it, with the keys of a track's table.

    Args:
        values: What was written.
        path: Where, for messages.

    Raises:
        InputError: Everything that is wrong with it.

    >>> read_metric_set({"track": "asr", "version": "2", "metrics": ["cer"], "level": False}).rank_by
    'cer'
    """
    faults: list[Fault] = []
    table = Table(faults, path, "", values, None)
    rules = track_rules(table.text("track"), table)
    if rules is None or faults:
        raise InputError(faults)
    return rules.metric_set


def to_dict(challenge: Challenge) -> dict[str, Any]:
    """A challenge as JSON holds it; ``from_dict`` is the way back.

    >>> from parakh.leaderboard.challenge import Challenge
    >>> one = Challenge("visits", "Visits", "", "me@example.org", "UTC", (), ())
    >>> from_dict(to_dict(one)) == one
    True
    """
    document = {one.name: getattr(challenge, one.name) for one in dataclasses.fields(challenge)}
    document["tracks"] = [one.to_dict() for one in challenge.tracks]
    document["phases"] = [_phase_to_dict(one) for one in challenge.phases]
    document["terms"] = None if challenge.terms is None else dataclasses.asdict(challenge.terms)
    return document


def _phase_to_dict(rules: PhaseRules) -> dict[str, Any]:
    document = {**dataclasses.asdict(rules), "tracks": list(rules.tracks), "references": dict(rules.references)}
    for name in ("opens", "closes", "freezes"):
        document[name] = None if document[name] is None else document[name].isoformat()
    return {**document, "shows": int(rules.shows), "shows_revealed": int(rules.shows_revealed)}


def from_dict(document: Mapping[str, Any]) -> Challenge:
    """A challenge from what ``to_dict`` made.

    Raises:
        ParakhError: It is nothing of that kind.
    """
    try:
        terms = document["terms"]
        return Challenge(
            **{name: document[name] for name in ("name", "title", "description", "contact", "time_zone", "represents")},
            tracks=tuple(TrackRules.from_dict(one) for one in document["tracks"]),
            phases=tuple(_phase_from_dict(one) for one in document["phases"]),
            terms=None if terms is None else Terms(**terms),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ParakhError(f"a challenge that this version of Parakh does not read ({error})") from error


def _phase_from_dict(document: Mapping[str, Any]) -> PhaseRules:
    moments = {name: document[name] and datetime.fromisoformat(document[name]) for name in ("opens", "closes", "freezes")}
    sights = {name: Sight(document[name]) for name in ("shows", "shows_revealed")}
    own = {"tracks": tuple(document["tracks"]), "limits": Limits(**document["limits"])}
    return PhaseRules(**{**document, **moments, **sights, **own})

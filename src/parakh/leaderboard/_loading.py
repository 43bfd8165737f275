"""``challenge.toml`` into the service: its files are copied, rows are made; what has submissions stays until it is scored anew.

data/challenges/NAME/REVISION/    every state that was ever loaded, with the files that its rules name; never changed
    loaded.json                   the rules with paths in this folder, and a digest of the references of each contest
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from parakh.errors import Fault, InputError, counted
from parakh.files import write_atomic
from parakh.leaderboard import audit, challenge_file, small_slices
from parakh.leaderboard.challenge import Challenge, PhaseRules, Sight
from parakh.leaderboard.contests import metric_set_row, phase_faults, touch
from parakh.leaderboard.database.tables import UNDER_WAY, ChallengeRow, Contest, PhaseRow, Rescoring, State, Submission
from parakh.leaderboard.references import contents_digest, copy_files

_LOADED = "loaded.json"
_DAY = 24 * 3600
_DATES = ("opens", "closes", "freezes")
_SIGHTS = ("shows", "shows_revealed")


@dataclass(frozen=True)
class Stored:
    """What ``loaded.json`` holds.

    Args:
        rules: The rules with paths in its folder.
        references: Digest of the references of each contest.
        small: Of each phase and track the fields with a slice of few recordings; counted at a load and not kept.
    """

    rules: dict[str, Any]
    references: Mapping[str, str]
    small: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)

    def withheld(self, phase: str, shows: Sight) -> list[str]:
        """A line for each track of a phase with fields that are for organisers alone while it shows no more."""
        found = [(track, fields) for (key, track), fields in self.small.items() if key == phase and fields]
        until = f"to organisers alone while the phase shows {shows.name.lower()}: a value has fewer than"
        least = counted(small_slices.LEAST_RECORDINGS, "recording")
        lines = [f"phase {phase}, track {track}: slices by {', '.join(fields)} are shown" for track, fields in found]
        return [f"{line} {until} {least}" for line in lines] if shows < Sight.RECORDINGS else []


def stored(folder: Path) -> Stored | None:
    """What a folder of a loaded state tells of itself; None where it is none."""
    try:
        document = json.loads((folder / _LOADED).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return Stored(document["challenge"], document["references"])


def copied(challenge: Challenge, folder: Path, place: Path) -> tuple[str, Stored]:
    """A folder with all that the rules name, named after what is in it."""
    new = place / f".{os.urandom(6).hex()}.new"
    new.mkdir(parents=True)
    for left in place.glob(".*.new"):  # by a load that was killed
        if left.stat().st_mtime < time.time() - _DAY:
            shutil.rmtree(left, ignore_errors=True)
    try:
        own = copy_files(challenge, folder, new)
        _share_audio(new, place)
        pairs = [(phase.key, track) for phase in own.phases for track in phase.tracks]
        read = {pair: challenge_file.load_references(own, new, *pair) for pair in pairs}
        digests = {f"{phase}/{track}": one.digest for (phase, track), one in read.items()}
        small = {pair: small_slices.in_references(one, own.track(pair[1]).metric_set) for pair, one in read.items()}
        held = Stored(challenge_file.to_dict(own), digests, small)
        document = {"challenge": held.rules, "references": digests}
        write_atomic(new / _LOADED, json.dumps(document, ensure_ascii=False, sort_keys=True))
        revision = contents_digest(new)
        if (place / revision).is_dir():
            (place / revision).touch()
        else:
            new.rename(place / revision)
        return revision, held
    except OSError as error:
        raise InputError(Fault(str(error.filename or place), "", error.strerror or str(error), "a place to copy to")) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _share_audio(new: Path, place: Path) -> None:
    """Let audio that an earlier state has as well take no room of its own, where the file system can."""
    others = sorted((path for path in place.glob("[!.]*") if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for path in new.glob("*/audio/*") if others else ():
        earlier = others[-1] / path.relative_to(new)
        if earlier.is_file() and filecmp.cmp(earlier, path, shallow=False):
            linked = path.with_name(f".{path.name}")
            with suppress(OSError):
                linked.hardlink_to(earlier)
                linked.replace(path)


@dataclass
class Load:
    """One load: what is there, what comes, and what changed."""

    session: Session
    row: ChallengeRow
    challenge: Challenge
    old: Challenge | None
    references: Mapping[str, str]
    path: str
    by: str
    changes: list[str]
    faults: list[Fault] = field(default_factory=list)

    def run(self) -> None:
        """Make and change rows.

        Raises:
            InputError: Something goes that has submissions.
        """
        self.session.flush()
        there = {phase.key: phase for phase in self.row.phases}
        for rules in self.challenge.phases:
            phase = there.pop(rules.key, None) or self._new_phase(rules)
            self._contests(phase, rules)
            if self.old is not None:
                self._dates(phase, rules)
        for phase in there.values():
            self._remove(phase, phase.contests, f"phases.{phase.key}")
        if self.old is not None:
            texts = ("title", "description", "contact", "time_zone", "represents", "terms")
            self.changes += [f"{key} changed" for key in texts if getattr(self.old, key) != getattr(self.challenge, key)]
        if self.faults:
            raise InputError(self.faults)

    def _new_phase(self, rules: PhaseRules) -> PhaseRow:
        values = {key: getattr(rules, key) for key in _DATES} | {key: int(getattr(rules, key)) for key in _SIGHTS}
        phase = PhaseRow(challenge_id=self.row.id, key=rules.key, **values)
        self.session.add(phase)
        self.session.flush()
        if self.old is not None:
            self.changes.append(f"phase {rules.key} is new")
        return phase

    def _dates(self, phase: PhaseRow, rules: PhaseRules) -> None:
        """What the file changed since it was last loaded; else what the organiser set stays."""
        assert self.old is not None
        before = {one.key: one for one in self.old.phases}.get(rules.key)
        for key in (*_DATES, *_SIGHTS) if before else ():
            value = getattr(rules, key)
            if value != getattr(before, key):
                self.changes.append(f"phase {rules.key}: {key} is now {value if value is None else _plain(value)}")
                setattr(phase, key, value if key in _DATES else int(value))
                touch(self.session, Contest.phase_id == phase.id)
        self.faults += phase_faults(f"{self.path}: phase {rules.key}", {key: getattr(phase, key) for key in (*_DATES, *_SIGHTS)})

    def _contests(self, phase: PhaseRow, rules: PhaseRules) -> None:
        there = {contest.track: contest for contest in phase.contests}
        for key in rules.tracks:
            digest = self.references[f"{rules.key}/{key}"]
            metric_set = metric_set_row(self.session, self.challenge.track(key).metric_set).id
            contest = there.pop(key, None)
            if contest is None:
                self.session.add(Contest(phase_id=phase.id, track=key, references=digest, metric_set_id=metric_set))
                if self.old is not None:
                    self.changes.append(f"phase {rules.key}: track {key} is new")
                continue
            self._supersede(contest, digest, metric_set)
            if (contest.references, contest.metric_set_id) != (digest, metric_set):
                self._scored_otherwise(contest, f"phase {rules.key}, track {key}", digest, metric_set)
        for contest in there.values():
            self._remove(contest, [contest], f"phases.{rules.key}.tracks")

    def _supersede(self, contest: Contest, references: str, metric_set: str) -> None:
        """Drop what an earlier load opened and this one would not: of several that wait nobody knew which is the file's."""
        pending = select(Rescoring).where(Rescoring.contest_id == contest.id, Rescoring.state.in_(["running", "ready"]))
        for one in self.session.scalars(pending.where(Rescoring.by_id.is_(None))).all():
            if (one.references, one.metric_set_id) != (references, metric_set):
                one.state = "dropped"
                detail = {"phase": contest.phase.key, "track": contest.track, "reason": "the challenge was loaded anew"}
                audit.record(self.session, self.by, "rescoring.dropped", one.id, self.row.name, detail)

    def _scored_otherwise(self, contest: Contest, where: str, references: str, metric_set: str) -> None:
        live = (*UNDER_WAY, State.SCORED)
        query = select(Submission.id).where(Submission.contest_id == contest.id, Submission.state.in_(live))
        submissions = list(self.session.scalars(query.order_by(Submission.number)))
        what = "other references" if contest.references != references else "another metric set"
        if not submissions:
            contest.references, contest.metric_set_id = references, metric_set
            self.changes.append(f"{where}: {what}, in force at once as nothing is scored or waits")
            touch(self.session, Contest.id == contest.id)
            return
        same = select(Rescoring).where(Rescoring.contest_id == contest.id, Rescoring.state.in_(["running", "ready"]))
        same = same.where(Rescoring.references == references, Rescoring.metric_set_id == metric_set)
        if self.session.scalar(same) is None:
            tried = Rescoring(contest_id=contest.id, metric_set_id=metric_set, references=references, submissions=submissions)
            self.session.add(tried)
            self.session.flush()
            told = {"phase": contest.phase.key, "track": contest.track, "metric_set": metric_set, "references": references}
            audit.record(self.session, self.by, "rescoring.started", tried.id, self.row.name, told)
        found = f"a rescoring of {counted(len(submissions), 'submission')} is open"
        self.changes.append(f"{where}: {what}; {found}; look at it and apply it")

    def _remove(self, row: PhaseRow | Contest, contests: list[Contest], where: str) -> None:
        name = row.key if isinstance(row, PhaseRow) else row.track
        query = select(func.count()).select_from(Submission).where(Submission.contest_id.in_([one.id for one in contests]))
        handed_in = self.session.scalar(query) or 0
        if handed_in:
            found = f"no {name} any more, which has {counted(handed_in, 'submission')}"
            self.faults.append(Fault(self.path, where, found, "it to stay", "Put it back; a phase ends by its date."))
            return
        self.changes.append(f"{name} of {where} is gone")
        self.session.execute(delete(Contest).where(Contest.id.in_([one.id for one in contests])))
        if isinstance(row, PhaseRow):
            self.session.execute(delete(PhaseRow).where(PhaseRow.id == row.id))


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value.name).lower()

"""Handing in, and what a team does with what it handed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from parakh.errors import Fault
from parakh.leaderboard import audit, entries, teams
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import contest_held, touch, zone_of
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Contest, Kind, PhaseRow, State, Submission, Team
from parakh.leaderboard.quotas import quota_of
from parakh.leaderboard.refusals import Conflict, NotThere, Refused
from parakh.leaderboard.rights import account_id, needs_account
from parakh.leaderboard.store import Store
from parakh.leaderboard.visibility import Viewer, is_revealed

if TYPE_CHECKING:
    from parakh.leaderboard.queue import Queue

_NO_NAME = Fault("submission", "file name", "none", "the file's name")


def make(
    database: Database,
    store: Store,
    viewer: Viewer,
    contest_id: int,
    team_id: str,
    stream: Iterable[bytes],
    file_name: str,
    system: str = "",
    description: str = "",
    tags: Sequence[str] = (),
    paper: str = "",
    kind: Kind = Kind.SUBMISSION,
    queue: Queue | None = None,
) -> Submission:
    """Hand in a file. It is asked twice whether that may be: before the file is read, and when its row is made.

    Args:
        database: Where.
        store: Where files are kept.
        viewer: Who hands it in: somebody of the team, or an organiser.
        contest_id: To which track of which phase.
        team_id: For which team.
        stream: The file in pieces, read once.
        file_name: As its makers call it.
        system: What the system is called; "" for what the team is called.
        description: About the system, in plain text.
        tags: Short words about the system.
        paper: Address of a paper; "" for none.
        kind: What it is; only organisers hand in baselines, which no date and no limit holds back.
        queue: Takes the job; None leaves it to a worker to find.

    Returns:
        The submission, queued.

    Raises:
        Refused: They may not, the terms are not accepted, the phase is not open, or no submission is left.
        NotThere: There is no such contest or team for them.
        TooMany: No submission is left today, or too many run.
        InputError: A text is too long, a tag or an address is none, the file is empty; one line a fault.
        OSError: There is no room, or the file did not come to its end; nothing is left of it.
    """
    check_words(system, description, tags, paper, file_name)
    check(database, viewer, contest_id, team_id, kind)
    counted = _Counted(stream)
    key = store.put(counted)
    entries.check([Fault("submission", "file", "an empty file", "an archive or a file with answers")] if not counted.size else [])
    with database.write() as session:
        contest = _allowed(session, viewer, contest_id, team_id, kind, hold=True)
        submission = Submission(
            contest_id=contest_id,
            team_id=team_id,
            user_id=account_id(viewer),
            kind=kind.value,
            file=key,
            file_name=file_name,
            size=counted.size,
            system=system,
            description=description,
            tags=list(tags),
            paper=paper,
        )
        session.add(submission)
        session.flush()
        session.refresh(submission)
        detail = {"contest": f"{contest.phase.key}/{contest.track}", "team": team_id, "kind": kind.value, "bytes": counted.size}
        audit.record(session, viewer.name, "submission.made", submission.id, contest.phase.challenge.name, detail)
    if queue is not None:
        from parakh.leaderboard.queue import submit

        submit(queue, submission)
    return submission


def check(database: Database, viewer: Viewer, contest_id: int, team_id: str, kind: Kind = Kind.SUBMISSION) -> None:
    """See that somebody may hand in now; asked before a file is read, so that nobody sends it in vain.

    Raises:
        Refused: They may not, the terms are not accepted, the phase is not open, or no submission is left.
        NotThere: There is no such contest or team for them.
        TooMany: No submission is left today, or too many run.
    """
    with database.read() as session:
        _allowed(session, viewer, contest_id, team_id, kind)


def check_words(system: str, description: str, tags: Sequence[str], paper: str, file_name: str = "file") -> None:
    """See that what is told of a submission can be kept.

    Raises:
        InputError: A text is too long or has control characters, a tag or an address is none; one line a fault.
    """
    entries.check(
        entries.text_faults("submission", "file name", file_name, 255, lines=False) if file_name else [_NO_NAME],
        entries.name_faults("submission", "system", system) if system else [],
        entries.text_faults("submission", "description", description, 10_000),
        entries.tag_faults("submission", tags),
        entries.address_faults("submission", "paper", paper),
    )


def withdraw(database: Database, viewer: Viewer, submission_id: str) -> None:
    """Take a submission off the board; it stays charged. Its team may do so until the phase closes, organisers always.

    Raises:
        NotThere: It is not theirs.
        Refused: The phase is over.
    """
    with database.write() as session:
        submission = _own(session, viewer, submission_id)
        _while_open(viewer, submission, "withdraw it")
        if not submission.is_withdrawn:
            submission.is_withdrawn, submission.is_chosen = True, False
            _changed(session, viewer, submission, "submission.withdrawn")


def choose(database: Database, viewer: Viewer, submission_id: str) -> None:
    """Let a submission stand for its team, in place of the one chosen before.

    Raises:
        NotThere: It is not theirs.
        Refused: The phase is over.
        Conflict: It is withdrawn or not scored, or the board goes by another rule.
    """
    with database.write() as session:
        submission = _own(session, viewer, submission_id)
        _while_open(viewer, submission, "choose it")
        if submission.contest.phase.challenge.rules["represents"] != "chosen":
            raise Conflict("in this challenge the organiser's rule picks the submission that stands for a team.")
        if submission.is_withdrawn or submission.state != State.SCORED.value:
            raise Conflict("only a submission that is scored and not withdrawn stands for its team.")
        if not submission.is_chosen:
            others = update(Submission).where(
                Submission.contest_id == submission.contest_id, Submission.team_id == submission.team_id
            )
            session.execute(others.values(is_chosen=False))
            submission.is_chosen = True
            _changed(session, viewer, submission, "submission.chosen")


def edit(
    database: Database,
    viewer: Viewer,
    submission_id: str,
    *,
    system: str | None = None,
    description: str | None = None,
    tags: Sequence[str] | None = None,
    paper: str | None = None,
) -> None:
    """Change what is told of a submission; None leaves it.

    Raises:
        NotThere: It is not theirs.
        InputError: A text is too long, a tag or an address is none; one line a fault.
    """
    check_words(system or "", description or "", tags or (), paper or "")
    asked: Mapping[str, object] = {
        "system": system,
        "description": description,
        "tags": None if tags is None else list(tags),
        "paper": paper,
    }
    with database.write() as session:
        submission = _own(session, viewer, submission_id)
        changes = {key: value for key, value in asked.items() if value is not None and value != getattr(submission, key)}
        for key, value in changes.items():
            setattr(submission, key, value)
        if changes:
            _changed(session, viewer, submission, "submission.edited", changes)


class _Counted:
    """Pieces of a file, counted as they pass."""

    def __init__(self, stream: Iterable[bytes]) -> None:
        self.stream = stream
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.stream:
            self.size += len(piece)
            yield piece


def _allowed(session: Session, viewer: Viewer, contest_id: int, team_id: str, kind: Kind, *, hold: bool = False) -> Contest:
    """The contest, where somebody may hand in to it; with ``hold`` its team's row is held, so that two never take one place."""
    needs_account(viewer, "submit")
    contest = session.get(Contest, contest_id)
    team = session.get(Team, team_id, with_for_update=True if hold else None)
    if contest is None or not (contest.phase.challenge.is_public or viewer.organises):
        raise NotThere("contest", contest_id)
    if (
        team is None
        or team.challenge_id != contest.phase.challenge_id
        or not (viewer.organises or teams.is_in(session, viewer, team_id))
    ):
        raise NotThere("team", team_id)
    if kind is Kind.BASELINE:
        if not viewer.organises:
            raise Refused("only organisers hand in baselines.")
        return contest
    if viewer.user_id and not teams.has_accepted(session, viewer, contest.phase.challenge):
        raise Refused(f"first accept the terms of {contest.phase.challenge.title}.")
    _check_dates(contest.phase)
    quota_of(session, team_id, contest).check()
    return contest


def _check_dates(phase: PhaseRow) -> None:
    moment, zone = now(), zone_of(phase.challenge)
    if phase.opens is not None and moment < phase.opens:
        raise Refused(f"this phase opens {phase.opens.astimezone(zone):%Y-%m-%d %H:%M %Z}.")
    if phase.closes is not None and moment >= phase.closes:
        raise Refused(f"this phase closed {phase.closes.astimezone(zone):%Y-%m-%d %H:%M %Z}.")


def _own(session: Session, viewer: Viewer, submission_id: str) -> Submission:
    """A submission of somebody's team, or any for organisers; its team's row and its contest's are held."""
    needs_account(viewer, "organise" if viewer.organises else "submit")
    submission = session.scalar(select(Submission).where(Submission.id == submission_id))
    if submission is None or not (viewer.organises or teams.is_in(session, viewer, submission.team_id)):
        raise NotThere("submission", submission_id)
    session.get_one(Team, submission.team_id, with_for_update=True)
    contest_held(session, submission.contest_id)
    session.refresh(submission)
    return submission


def _while_open(viewer: Viewer, submission: Submission, what: str) -> None:
    phase, moment = submission.contest.phase, now()
    over = phase.closes is not None and moment >= phase.closes
    if not viewer.organises and (over or is_revealed(phase, moment)):
        raise Refused(f"this phase is over: ask the organiser to {what}.")


def _changed(
    session: Session, viewer: Viewer, submission: Submission, action: str, detail: dict[str, object] | None = None
) -> None:
    touch(session, Contest.id == submission.contest_id)
    audit.record(session, viewer.name, action, submission.id, submission.contest.phase.challenge.name, detail)

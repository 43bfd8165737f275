"""Teams: who takes part in a challenge together, and who accepted its terms."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.leaderboard import audit, entries
from parakh.leaderboard.contests import row_named, touch
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Acceptance, ChallengeRow, Contest, Membership, PhaseRow, Submission, Team, new_key
from parakh.leaderboard.refusals import Conflict, NotThere, Refused
from parakh.leaderboard.rights import needs_account
from parakh.leaderboard.visibility import Viewer


def make_team(database: Database, viewer: Viewer, challenge_name: str, name: str) -> Team:
    """Found a team and lead it.

    Args:
        database: Where.
        viewer: Who.
        challenge_name: Of which challenge.
        name: What the board calls it.

    Raises:
        InputError: It is no name.
        NotThere: There is no such challenge.
        Refused: They have not accepted the terms.
        Conflict: They are in a team already, or another has the name.
    """
    user_id = needs_account(viewer, "submit")
    entries.check(entries.name_faults("team", "name", name), entries.mixed_faults("team", "name", name))
    with database.write() as session:
        challenge = _entered(session, viewer, challenge_name)
        _check_name(session, challenge, name)
        team = Team(challenge_id=challenge.id, name=name)
        session.add(team)
        session.flush()
        session.add(Membership(team_id=team.id, user_id=user_id, challenge_id=challenge.id, leads=True))
        audit.record(session, viewer.name, "team.made", team.id, challenge.name, {"name": name})
        return team


def join(database: Database, viewer: Viewer, invite: str) -> Team:
    """Enter a team by its invite code.

    Raises:
        NotThere: No team has the code.
        Refused: They have not accepted the terms.
        Conflict: They are in a team already.
    """
    user_id = needs_account(viewer, "submit")
    code = invite.strip()
    with database.write() as session:
        found = session.scalar(select(Team).where(Team.invite == code)) if code.isalnum() and code.isascii() else None
        if found is None:
            raise NotThere("team with the invite code", invite)
        challenge = _entered(session, viewer, session.get_one(ChallengeRow, found.challenge_id).name)
        team = session.get_one(Team, found.id, with_for_update=True, populate_existing=True)
        if team.invite != code:
            raise NotThere("team with the invite code", invite)
        leads = not session.scalars(select(Membership.user_id).where(Membership.team_id == team.id)).all()
        session.add(Membership(team_id=team.id, user_id=user_id, challenge_id=challenge.id, leads=leads))
        audit.record(session, viewer.name, "team.joined", team.id, challenge.name)
        return team


def leave(database: Database, viewer: Viewer, team_id: str) -> None:
    """Leave a team; who leads it hands it to the one who is in it for longest, and an empty one without submissions goes.

    Raises:
        NotThere: They are not in it.
        Refused: They made a submission in it: only an organiser can let them go, so that nobody gets a second quota.
    """
    user_id = needs_account(viewer, "submit")
    with database.write() as session:
        _take_out(session, viewer, _own(session, viewer, team_id), user_id, "team.left")


def remove_member(database: Database, viewer: Viewer, team_id: str, user_id: int) -> None:
    """Take somebody out of a team: its leader may, and organisers.

    Raises:
        NotThere: The team is not theirs, or nobody like that is in it.
        Refused: They do not lead it, or the one to go made a submission and they do not organise.
    """
    with database.write() as session:
        team = session.get(Team, team_id, with_for_update=True) if viewer.organises else _led(session, viewer, team_id)
        if team is None:
            raise NotThere("team", team_id)
        _take_out(session, viewer, team, user_id, "team.member-removed")


def new_invite(database: Database, viewer: Viewer, team_id: str) -> str:
    """Another invite code, which shuts the door on the old; its leader may ask for it.

    Raises:
        NotThere: They are not in it.
        Refused: They do not lead it.
    """
    with database.write() as session:
        team = _led(session, viewer, team_id)
        team.invite = new_key()
        audit.record(session, viewer.name, "team.invite-renewed", team.id, _challenge_of(session, team).name)
        return team.invite


def rename(database: Database, viewer: Viewer, team_id: str, name: str) -> None:
    """Another name for a team: its leader may give it, and organisers.

    Raises:
        InputError: It is no name.
        NotThere: They are not in it.
        Refused: They do not lead it.
        Conflict: Another has the name.
    """
    entries.check(entries.name_faults("team", "name", name), entries.mixed_faults("team", "name", name))
    with database.write() as session:
        there = session.get(Team, team_id)
        if there is None:
            raise NotThere("team", team_id)
        challenge = session.get_one(ChallengeRow, there.challenge_id, with_for_update=True)  # before the team, as everywhere
        team = there if viewer.organises else _led(session, viewer, team_id)
        _check_name(session, challenge, name, team.id)
        audit.record(session, viewer.name, "team.renamed", team.id, challenge.name, {"from": team.name, "to": name})
        team.name = name
        phases = select(PhaseRow.id).where(PhaseRow.challenge_id == challenge.id)
        touch(session, Contest.phase_id.in_(phases))


def accept_terms(database: Database, viewer: Viewer, challenge_name: str, version: str) -> None:
    """Accept the terms of a challenge as they are now; a second time changes nothing.

    Raises:
        NotThere: There is no such challenge.
        Conflict: The terms have another version by now.
    """
    user_id = needs_account(viewer)
    with database.write() as session:
        challenge = named(session, viewer, challenge_name)
        if challenge.terms_version != version:
            raise Conflict(f"the terms are now version {challenge.terms_version}: read them again.")
        if session.get(Acceptance, (user_id, challenge.id, version)) is None:
            session.add(Acceptance(user_id=user_id, challenge_id=challenge.id, version=version))
            audit.record(session, viewer.name, "terms.accepted", challenge.name, challenge.name, {"version": version})


def accepted(database: Database, viewer: Viewer, challenge_name: str) -> bool:
    """Whether somebody accepted the terms of a challenge as they are now; yes where there are none."""
    with database.read() as session:
        return has_accepted(session, viewer, named(session, viewer, challenge_name))


def has_accepted(session: Session, viewer: Viewer, challenge: ChallengeRow) -> bool:
    """The same within a transaction."""
    version = challenge.terms_version
    return version is None or session.get(Acceptance, (viewer.user_id, challenge.id, version)) is not None


def is_in(session: Session, viewer: Viewer, team_id: str) -> bool:
    """Whether somebody is in a team at this moment."""
    return viewer.user_id is not None and session.get(Membership, (team_id, viewer.user_id)) is not None


def named(session: Session, viewer: Viewer, challenge_name: str) -> ChallengeRow:
    """The challenge of a name, as far as somebody may know of it.

    Raises:
        NotThere: There is none, or it is not public yet.
    """
    challenge = row_named(session, challenge_name)
    if not (challenge.is_public or viewer.organises):
        raise NotThere("challenge", challenge_name)
    return challenge


def _entered(session: Session, viewer: Viewer, challenge_name: str) -> ChallengeRow:
    """A challenge that somebody may take part in; held, so that nobody takes a name or enters twice meanwhile."""
    challenge = named(session, viewer, challenge_name)
    session.refresh(challenge, with_for_update=True)
    if not has_accepted(session, viewer, challenge):
        raise Refused(f"first accept the terms of {challenge.title}, version {challenge.terms_version}.")
    mine = select(Membership).where(Membership.user_id == viewer.user_id, Membership.challenge_id == challenge.id)
    if session.scalar(mine) is not None:
        raise Conflict("you are in a team of this challenge already: leave it first.")
    return challenge


def _check_name(session: Session, challenge: ChallengeRow, name: str, but: str = "") -> None:
    others = session.execute(select(Team.id, Team.name).where(Team.challenge_id == challenge.id))
    if any(entries.same_name(other) == entries.same_name(name) for team_id, other in others if team_id != but):
        raise Conflict(f"there is a team {name!r} already: take another name.")


def _own(session: Session, viewer: Viewer, team_id: str) -> Team:
    """A team that somebody is in, held."""
    team = session.get(Team, team_id, with_for_update=True)
    if team is None or not is_in(session, viewer, team_id):
        raise NotThere("team", team_id)
    return team


def _led(session: Session, viewer: Viewer, team_id: str) -> Team:
    """A team that somebody leads, held."""
    needs_account(viewer, "submit")
    team = _own(session, viewer, team_id)
    if not session.get_one(Membership, (team_id, viewer.user_id)).leads:
        raise Refused("only who leads the team may do this.")
    return team


def _take_out(session: Session, viewer: Viewer, team: Team, user_id: int, action: str) -> None:
    membership = session.get(Membership, (team.id, user_id))
    if membership is None:
        raise NotThere("member", user_id)
    handed_in = select(Submission.number).where(Submission.team_id == team.id)
    if not viewer.organises and session.scalar(handed_in.where(Submission.user_id == user_id).limit(1)) is not None:
        raise Refused("who made a submission stays in the team: ask the organiser.")
    audit.record(session, viewer.name, action, team.id, _challenge_of(session, team).name, {"member": membership.user.email})
    session.delete(membership)
    session.flush()
    left = session.scalars(select(Membership).where(Membership.team_id == team.id).order_by(Membership.joined_at)).all()
    if left and not any(one.leads for one in left):
        left[0].leads = True
    if not left and session.scalar(handed_in.limit(1)) is None:
        session.expire(team)
        session.delete(team)


def _challenge_of(session: Session, team: Team) -> ChallengeRow:
    return session.get_one(ChallengeRow, team.challenge_id)

"""Teams: founding, inviting, leaving, leading."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from sqlalchemy.exc import NoResultFound

from parakh.errors import InputError
from parakh.leaderboard import accounts, audit, challenges, teams
from parakh.leaderboard.database.tables import Membership, Team
from parakh.leaderboard.refusals import Conflict, NotThere, Refused
from parakh.leaderboard.visibility import ANYBODY, Viewer
from tests.service.worlds import NAME, PASSWORD, World


def members(world: World, team: Team) -> dict[str, bool]:
    """Who is in a team, and who of them leads it."""
    with world.database.read() as session:
        rows = session.scalars(select(Membership).where(Membership.team_id == team.id)).all()
    return {row.user.email.partition("@")[0]: row.leads for row in rows}


def team(world: World, name: str = "Team A") -> Team:
    with world.database.read() as session:
        return session.get_one(Team, world.teams[name].id)


def stranger(world: World, name: str = "chitra", has_accepted: bool = True) -> Viewer:
    """Somebody with an account and no team."""
    accounts.sign_up(world.database, f"{name}@example.org", name, PASSWORD)
    viewer = accounts.viewer_named(world.database, f"{name}@example.org")
    if has_accepted:
        teams.accept_terms(world.database, viewer, NAME, "1")
    return viewer


def test_who_founds_a_team_leads_it_and_others_come_by_its_code(world: World) -> None:
    assert members(world, team(world)) == {"asha": True, "anil": False}
    actions = [(event.actor, event.action) for event in audit.read(world.database, audit.Filter(action="team"), newest=False)]
    assert actions == [
        ("asha@example.org", "team.made"),
        ("anil@example.org", "team.joined"),
        ("binod@example.org", "team.made"),
    ]


def test_terms_come_before_a_team(world: World) -> None:
    viewer = stranger(world, has_accepted=False)
    assert not teams.accepted(world.database, viewer, NAME)
    for enter in (
        lambda: teams.make_team(world.database, viewer, NAME, "New"),
        lambda: teams.join(world.database, viewer, team(world).invite),
    ):
        with pytest.raises(Refused, match="first accept the terms of Parakh example challenge, version 1"):
            enter()
    teams.accept_terms(world.database, viewer, NAME, "1")
    assert teams.accepted(world.database, viewer, NAME)


def test_nobody_is_in_two_teams_of_a_challenge(world: World) -> None:
    for enter in (
        lambda: teams.make_team(world.database, world.members["asha"], NAME, "New"),
        lambda: teams.join(world.database, world.members["asha"], team(world, "Team B").invite),
        lambda: teams.join(world.database, world.members["asha"], team(world).invite),
    ):
        with pytest.raises(Conflict, match="you are in a team of this challenge already"):
            enter()


@pytest.mark.parametrize("name", ["Team A", "team  a", "ＴＥＡＭ a"])
def test_no_two_teams_have_names_that_look_alike(world: World, name: str) -> None:
    with pytest.raises(Conflict, match="there is a team"):
        teams.make_team(world.database, stranger(world), NAME, name)
    with pytest.raises(Conflict, match="there is a team"):
        teams.rename(world.database, world.members["binod"], world.teams["Team B"].id, name)


def test_a_joiner_is_right_in_an_indic_word_and_makes_no_other_name(world: World) -> None:
    viewer = stranger(world)
    made = teams.make_team(world.database, viewer, NAME, "क्\u200dष टीम")
    assert made.name == "क्\u200dष टीम"
    with pytest.raises(Conflict, match="there is a team"):
        teams.rename(world.database, world.members["binod"], world.teams["Team B"].id, "क्ष टीम")
    teams.rename(world.database, world.members["binod"], world.teams["Team B"].id, "Команда Ελλάς Team")


@pytest.mark.parametrize(
    "name",
    [
        *("", " A", "A\n", "\u202eA", "A" * 81),
        *("Team\u200b A", "Te\u2060am A", "Team A\u3164", "Team\u00ad A", "Team \u200dA"),
        *("T\u0435am A", "\u0391lpha", "\uff34\u0435am"),
    ],
)
def test_what_is_no_name_is_none(world: World, name: str) -> None:
    with pytest.raises(InputError, match="team: name: found"):
        teams.make_team(world.database, stranger(world), NAME, name)


def test_a_new_code_shuts_the_door_on_the_old(world: World) -> None:
    old = team(world).invite
    with pytest.raises(Refused, match="only who leads the team"):
        teams.new_invite(world.database, world.members["anil"], team(world).id)
    new = teams.new_invite(world.database, world.members["asha"], team(world).id)
    viewer = stranger(world)
    for code in (old, "", "x" * 1000):
        with pytest.raises(NotThere, match="there is no team with the invite code"):
            teams.join(world.database, viewer, code)
    assert teams.join(world.database, viewer, f" {new} ").id == team(world).id


def test_who_leads_hands_it_on_by_leaving(world: World) -> None:
    teams.leave(world.database, world.members["asha"], team(world).id)
    assert members(world, team(world)) == {"anil": True}
    teams.leave(world.database, world.members["anil"], team(world).id)
    with pytest.raises(NoResultFound):
        team(world)


def test_a_team_with_submissions_stays_and_so_does_who_made_them(world: World) -> None:
    world.submit("binod")
    with pytest.raises(Refused, match="who made a submission stays in the team"):
        teams.leave(world.database, world.members["binod"], team(world, "Team B").id)
    user_id = world.members["binod"].user_id
    assert user_id is not None
    teams.remove_member(world.database, world.organiser, team(world, "Team B").id, user_id)
    assert members(world, team(world, "Team B")) == {}
    event = audit.read(world.database, limit=1)[0]
    assert (event.actor, event.action, event.detail) == (
        "organiser@example.org",
        "team.member-removed",
        {"member": "binod@example.org"},
    )


def test_only_who_leads_removes_members_and_renames(world: World) -> None:
    asha, anil = world.members["asha"], world.members["anil"]
    assert asha.user_id is not None
    assert anil.user_id is not None
    for act in (
        lambda: teams.remove_member(world.database, anil, team(world).id, asha.user_id or 0),
        lambda: teams.rename(world.database, anil, team(world).id, "Ours"),
    ):
        with pytest.raises(Refused, match="only who leads the team"):
            act()
    for act in (
        lambda: teams.remove_member(world.database, world.members["binod"], team(world).id, anil.user_id or 0),
        lambda: teams.rename(world.database, world.members["binod"], team(world).id, "Ours"),
        lambda: teams.leave(world.database, world.members["binod"], team(world).id),
        lambda: teams.rename(world.database, world.organiser, "nothing", "Ours"),
    ):
        with pytest.raises(NotThere, match="there is no team"):
            act()
    teams.remove_member(world.database, asha, team(world).id, anil.user_id)
    assert members(world, team(world)) == {"asha": True}
    version = world.contest().version
    teams.rename(world.database, asha, team(world).id, "Ours")
    assert team(world).name == "Ours"
    assert world.contest().version == version + 1


def test_without_an_account_nothing_is_done(world: World) -> None:
    for act in (
        lambda: teams.make_team(world.database, ANYBODY, NAME, "New"),
        lambda: teams.join(world.database, ANYBODY, team(world).invite),
        lambda: teams.leave(world.database, ANYBODY, team(world).id),
        lambda: teams.accept_terms(world.database, ANYBODY, NAME, "1"),
    ):
        with pytest.raises(Refused, match="log in first"):
            act()


def test_a_challenge_that_is_not_public_is_not_there(world: World) -> None:
    challenges.set_public(world.database, world.organiser, NAME, False)
    viewer = stranger(world, has_accepted=False)
    with pytest.raises(NotThere, match=f"there is no challenge '{NAME}'"):
        teams.accept_terms(world.database, viewer, NAME, "1")
    with pytest.raises(NotThere):
        world.submit()

"""Every change of the people's part writes its line in the same transaction: where the line cannot be written, nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from parakh.leaderboard import account_admin, accounts, audit, challenges, submissions, teams
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.clock import now
from parakh.leaderboard.database.tables import ChallengeRow, Role, State, Submission
from parakh.leaderboard.rights import COMMAND_LINE
from tests.service import backups
from tests.service.worlds import CHALLENGE, NAME, PASSWORD, World

Change = Callable[[World], object]


def stranger(world: World) -> None:
    accounts.sign_up(world.database, "chitra@example.org", "Chitra", PASSWORD)
    teams.accept_terms(world.database, accounts.viewer_named(world.database, "chitra@example.org"), NAME, "1")


def scored(world: World) -> str:
    """A scored submission of Asha's, in a challenge whose teams choose."""
    submission = world.submit()
    with world.database.write() as session:
        session.execute(update(Submission).values(state=State.SCORED.value))
        row = session.get_one(ChallengeRow, world.challenge.id)
        row.rules = {**row.rules, "represents": "chosen"}
    return submission.id


def once(world: World) -> Submission:
    """The one submission."""
    return world.submission(next(iter(backups.submissions(world.settings))))


CHANGES: dict[str, tuple[Change, Change]] = {
    "account.made": (lambda _: None, lambda w: accounts.sign_up(w.database, "new@example.org", "New", PASSWORD)),
    "session.opened": (lambda _: None, lambda w: accounts.log_in(w.database, "asha@example.org", PASSWORD)),
    "account.password-changed": (
        lambda _: None,
        lambda w: accounts.change_password(w.database, w.members["asha"], PASSWORD, "another long password"),
    ),
    "token.made": (lambda _: None, lambda w: accounts.make_token(w.database, w.members["asha"], "laptop")),
    "token.revoked": (
        lambda w: accounts.make_token(w.database, w.members["asha"], "laptop"),
        lambda w: accounts.revoke_token(w.database, w.members["asha"], accounts.tokens(w.database, w.members["asha"])[0].id),
    ),
    "account.role-changed": (
        lambda _: None,
        lambda w: account_admin.set_role(w.database, COMMAND_LINE, "asha@example.org", Role.ADMIN),
    ),
    "account.disabled": (
        lambda _: None,
        lambda w: account_admin.set_disabled(w.database, COMMAND_LINE, "asha@example.org", True),
    ),
    "account.unlocked": (lambda _: None, lambda w: account_admin.unlock(w.database, COMMAND_LINE, "asha@example.org")),
    "terms.accepted": (
        lambda w: accounts.sign_up(w.database, "chitra@example.org", "Chitra", PASSWORD),
        lambda w: teams.accept_terms(w.database, accounts.viewer_named(w.database, "chitra@example.org"), NAME, "1"),
    ),
    "team.made": (
        stranger,
        lambda w: teams.make_team(w.database, accounts.viewer_named(w.database, "chitra@example.org"), NAME, "New"),
    ),
    "team.joined": (
        stranger,
        lambda w: teams.join(w.database, accounts.viewer_named(w.database, "chitra@example.org"), w.teams["Team A"].invite),
    ),
    "team.left": (lambda _: None, lambda w: teams.leave(w.database, w.members["anil"], w.teams["Team A"].id)),
    "team.member-removed": (
        lambda _: None,
        lambda w: teams.remove_member(w.database, w.members["asha"], w.teams["Team A"].id, w.members["anil"].user_id or 0),
    ),
    "team.invite-renewed": (lambda _: None, lambda w: teams.new_invite(w.database, w.members["asha"], w.teams["Team A"].id)),
    "team.renamed": (lambda _: None, lambda w: teams.rename(w.database, w.members["asha"], w.teams["Team A"].id, "Ours")),
    "submission.made": (lambda _: None, lambda w: w.submit()),
    "submission.withdrawn": (scored, lambda w: submissions.withdraw(w.database, w.members["asha"], once(w).id)),
    "submission.chosen": (scored, lambda w: submissions.choose(w.database, w.members["asha"], once(w).id)),
    "submission.edited": (scored, lambda w: submissions.edit(w.database, w.members["asha"], once(w).id, system="New")),
    "phase.changed": (
        lambda _: None,
        lambda w: challenges.set_phase(w.database, w.organiser, NAME, "eval", closes=now() + timedelta(days=1)),
    ),
    "phase.revealed": (lambda _: None, lambda w: challenges.reveal(w.database, w.organiser, NAME, "eval")),
    "phase.hidden": (
        lambda w: challenges.reveal(w.database, w.organiser, NAME, "eval"),
        lambda w: challenges.hide(w.database, w.organiser, NAME, "eval"),
    ),
    "challenge.withdrawn": (lambda _: None, lambda w: challenges.set_public(w.database, w.organiser, NAME, False)),
    "challenge.reloaded": (lambda _: None, lambda w: challenges.load(w.database, w.settings.data, CHALLENGE, "test")),
    "quota.overridden": (
        lambda _: None,
        lambda w: challenges.set_override(w.database, w.organiser, w.teams["Team A"].id, w.contest().id, Limits(day=9)),
    ),
}


@pytest.mark.parametrize("action", CHANGES)
def test_without_its_line_nothing_changes(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, action: str) -> None:
    prepare, change = CHANGES[action]
    prepare(world)
    before = {name: rows for name, rows in backups.rows(world.settings).items() if name != "attempts"}

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the log cannot be written")

    with monkeypatch.context() as context:
        context.setattr(audit, "record", broken)
        with pytest.raises(RuntimeError, match="the log cannot be written"):
            change(world)
    after = {name: rows for name, rows in backups.rows(world.settings).items() if name != "attempts"}
    assert after == before
    change(world)
    assert audit.read(world.database, limit=1)[0].action == action

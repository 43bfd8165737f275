"""Every table. Moments are in UTC; keys of submissions, teams and the like are random, so that nobody can count or guess them."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, ForeignKey, Index, TypeDecorator, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from parakh.leaderboard.clock import now

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_key() -> str:
    """Twelve random letters and digits that cannot be mistaken for each other.

    >>> len(new_key())
    12
    """
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


class Moment(TypeDecorator[datetime]):
    """A moment with its time zone; the databases hold UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC, without the zone where the database keeps none."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """With the zone again."""
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """What all tables share."""

    type_annotation_map = {datetime: Moment(), dict[str, Any]: JSON(), list[Any]: JSON()}  # noqa: RUF012


class Role(StrEnum):
    """What somebody may do on the whole service; each includes the ones before it."""

    MEMBER = "member"
    ORGANISER = "organiser"
    ADMIN = "admin"


class State(StrEnum):
    """Where a submission stands."""

    QUEUED = "queued"
    SCORING = "scoring"
    SCORED = "scored"
    REFUSED = "refused"
    """It has faults, which its makers are told; it costs no quota."""
    FAILED = "failed"
    """Scoring itself went wrong; the organiser can have it tried again; it costs no quota."""


UNDER_WAY = (State.QUEUED, State.SCORING)
"""States of a submission that has no outcome yet."""


class Kind(StrEnum):
    """What a row of a board is."""

    SUBMISSION = "submission"
    BASELINE = "baseline"
    """The organiser's, to measure by; marked and not ranked."""
    CLOSED = "closed"
    """Of a system that others cannot run; marked and ranked."""


class User(Base):
    """Somebody with an account."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    password: Mapped[str | None]
    """An argon2 hash; None for one who comes by OpenID Connect."""
    subject: Mapped[str | None] = mapped_column(unique=True)
    """Issuer and subject of OpenID Connect."""
    role: Mapped[str] = mapped_column(default=Role.MEMBER.value)
    is_disabled: Mapped[bool] = mapped_column(default=False)
    failures: Mapped[int] = mapped_column(default=0)
    """Wrong passwords since the last right one."""
    locked_until: Mapped[datetime | None]
    made_at: Mapped[datetime] = mapped_column(default=now)


class WebSession(Base):
    """Somebody's browser that is logged in."""

    __tablename__ = "sessions"
    digest: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of the cookie's value."""
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime]
    made_at: Mapped[datetime] = mapped_column(default=now)
    user: Mapped[User] = relationship(lazy="joined")


class Token(Base):
    """A key of the API."""

    __tablename__ = "tokens"
    id: Mapped[str] = mapped_column(primary_key=True, default=new_key)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    digest: Mapped[str] = mapped_column(unique=True)
    scopes: Mapped[list[Any]]
    """Any of "read", "submit", "organise"."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    user: Mapped[User] = relationship(lazy="joined")


class ChallengeRow(Base):
    """A challenge that was loaded; its rules are the file's, what the organiser changes since is in ``PhaseRow``."""

    __tablename__ = "challenges"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    revision: Mapped[str]
    """Digest of the files that were loaded: the folder in the data folder that holds them."""
    rules: Mapped[dict[str, Any]]
    """The challenge as JSON; ``challenge_file.from_dict`` reads it."""
    terms_version: Mapped[str | None]
    is_public: Mapped[bool] = mapped_column(default=True)
    made_at: Mapped[datetime] = mapped_column(default=now)
    phases: Mapped[list[PhaseRow]] = relationship(back_populates="challenge", order_by="PhaseRow.id")


class PhaseRow(Base):
    """What an organiser may change of a phase while it runs."""

    __tablename__ = "phases"
    __table_args__ = (UniqueConstraint("challenge_id", "key"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id", ondelete="CASCADE"))
    key: Mapped[str]
    opens: Mapped[datetime | None]
    closes: Mapped[datetime | None]
    freezes: Mapped[datetime | None]
    revealed_at: Mapped[datetime | None]
    shows: Mapped[int]
    shows_revealed: Mapped[int]
    challenge: Mapped[ChallengeRow] = relationship(back_populates="phases", lazy="joined")
    contests: Mapped[list[Contest]] = relationship(back_populates="phase", order_by="Contest.id")


class Contest(Base):
    """One track of one phase: what a submission is made to and a board is of."""

    __tablename__ = "contests"
    __table_args__ = (UniqueConstraint("phase_id", "track"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    phase_id: Mapped[int] = mapped_column(ForeignKey("phases.id", ondelete="CASCADE"))
    track: Mapped[str]
    """Key of the track."""
    references: Mapped[str]
    """Digest of the reference items, regions and manifest."""
    metric_set_id: Mapped[str] = mapped_column(ForeignKey("metric_sets.id"))
    """The one in force."""
    version: Mapped[int] = mapped_column(default=0)
    """Grows with every change that a board may show."""
    phase: Mapped[PhaseRow] = relationship(back_populates="contests", lazy="joined")
    metric_set: Mapped[MetricSetRow] = relationship(lazy="joined")


class MetricSetRow(Base):
    """A metric set that was ever in force or tried."""

    __tablename__ = "metric_sets"
    id: Mapped[str] = mapped_column(primary_key=True)
    """``MetricSet.digest``."""
    version: Mapped[str]
    rules: Mapped[dict[str, Any]]
    """``MetricSet.to_dict()``."""
    made_at: Mapped[datetime] = mapped_column(default=now)


class Acceptance(Base):
    """That somebody accepted the terms of a challenge in a version."""

    __tablename__ = "acceptances"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)


class Team(Base):
    """Who takes part in a challenge together."""

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("challenge_id", "name"),)
    id: Mapped[str] = mapped_column(primary_key=True, default=new_key)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id", ondelete="CASCADE"))
    name: Mapped[str]
    invite: Mapped[str] = mapped_column(default=new_key)
    """The code that lets somebody in; a new one shuts the door on the old."""
    made_at: Mapped[datetime] = mapped_column(default=now)
    members: Mapped[list[Membership]] = relationship(back_populates="team", cascade="all, delete-orphan")


class Membership(Base):
    """That somebody is in a team; at most one team a challenge."""

    __tablename__ = "memberships"
    __table_args__ = (UniqueConstraint("user_id", "challenge_id"),)
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id", ondelete="CASCADE"))
    leads: Mapped[bool] = mapped_column(default=False)
    joined_at: Mapped[datetime] = mapped_column(default=now)
    team: Mapped[Team] = relationship(back_populates="members")
    user: Mapped[User] = relationship(lazy="joined")


class Override(Base):
    """Other limits for one team; None leaves the phase's."""

    __tablename__ = "overrides"
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[int | None]
    total: Mapped[int | None]
    concurrent: Mapped[int | None]


class Submission(Base):
    """What a team handed in to one contest, as it was."""

    __tablename__ = "submissions"
    __table_args__ = (Index("submissions_of_team", "contest_id", "team_id"), Index("submissions_by_state", "state"))
    number: Mapped[int] = mapped_column(primary_key=True)
    """The order they came in, whatever the clocks said."""
    id: Mapped[str] = mapped_column(unique=True, default=new_key)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    kind: Mapped[str] = mapped_column(default=Kind.SUBMISSION.value)
    made_at: Mapped[datetime] = mapped_column(default=now)
    file: Mapped[str]
    """Its key in the store."""
    file_name: Mapped[str]
    size: Mapped[int]
    """Bytes."""
    state: Mapped[str] = mapped_column(default=State.QUEUED.value)
    faults: Mapped[list[Any]] = mapped_column(default=list)
    """Lines for its makers."""
    reason: Mapped[str | None]
    """Why scoring failed, for the organiser."""
    attempts: Mapped[int] = mapped_column(default=0)
    system: Mapped[str] = mapped_column(default="")
    description: Mapped[str] = mapped_column(default="")
    tags: Mapped[list[Any]] = mapped_column(default=list)
    paper: Mapped[str] = mapped_column(default="")
    """An http or https address."""
    is_chosen: Mapped[bool] = mapped_column(default=False)
    is_withdrawn: Mapped[bool] = mapped_column(default=False)
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    contest: Mapped[Contest] = relationship(lazy="joined")
    team: Mapped[Team] = relationship(lazy="joined")


class ScoreRow(Base):
    """The outcome of one submission under one metric set and one state of the references; made once and kept."""

    __tablename__ = "scores"
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True)
    metric_set_id: Mapped[str] = mapped_column(ForeignKey("metric_sets.id"), primary_key=True)
    references: Mapped[str] = mapped_column(primary_key=True)
    results: Mapped[str]
    """Key in the store of the Results JSON without detail."""
    detail: Mapped[str | None]
    """Key in the store of the Results JSON with detail."""
    value: Mapped[float | None]
    """Of the ranking metric on all recordings; None where undefined."""
    parakh: Mapped[str]
    """Version that made it."""
    made_at: Mapped[datetime] = mapped_column(default=now)


FILE_COLUMNS = (Submission.file, ScoreRow.results, ScoreRow.detail)
"""Every column that holds a key of the store."""


class BoardRow(Base):
    """A board as it was last made; what each viewer sees of it is decided in ``visibility``."""

    __tablename__ = "boards"
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"), primary_key=True)
    is_frozen: Mapped[bool] = mapped_column(primary_key=True, default=False)
    """Whether it holds only what came before the freeze."""
    version: Mapped[int]
    """``Contest.version`` that it was made from."""
    document: Mapped[dict[str, Any]]
    """``boards.Board`` as JSON."""
    made_at: Mapped[datetime] = mapped_column(default=now)


class Rescoring(Base):
    """A new metric set or new references tried on a contest, and perhaps applied."""

    __tablename__ = "rescorings"
    id: Mapped[str] = mapped_column(primary_key=True, default=new_key)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    metric_set_id: Mapped[str] = mapped_column(ForeignKey("metric_sets.id"))
    references: Mapped[str]
    submissions: Mapped[list[Any]]
    """Ids of those that are scored again."""
    state: Mapped[str] = mapped_column(default="running")
    """"running", "ready", "applied" or "dropped"."""
    difference: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Ranks and values before and after, once it is ready."""
    by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    made_at: Mapped[datetime] = mapped_column(default=now)
    applied_at: Mapped[datetime | None]


class Event(Base):
    """One line of the audit log: who changed what. Lines are only ever added."""

    __tablename__ = "events"
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now, index=True)
    actor: Mapped[str]
    """E-mail address, "system" or "command line"."""
    action: Mapped[str] = mapped_column(index=True)
    """"submission.made", "phase.revealed" ..."""
    subject: Mapped[str]
    """Of what: key or name."""
    challenge: Mapped[str | None] = mapped_column(index=True)
    detail: Mapped[dict[str, Any]] = mapped_column(default=dict)


class Worker(Base):
    """A process that scores, and when it was last heard of."""

    __tablename__ = "workers"
    id: Mapped[str] = mapped_column(primary_key=True)
    """Its executor id in the queue; a new one for every start."""
    host: Mapped[str]
    pid: Mapped[int]
    started_at: Mapped[datetime] = mapped_column(default=now)
    heard_at: Mapped[datetime] = mapped_column(default=now)
    is_gone: Mapped[bool] = mapped_column(default=False)
    """Whether its jobs were handed to others."""


class Webhook(Base):
    """An address that an organiser has told of every new best."""

    __tablename__ = "webhooks"
    id: Mapped[str] = mapped_column(primary_key=True, default=new_key)
    challenge_id: Mapped[int] = mapped_column(ForeignKey("challenges.id", ondelete="CASCADE"))
    address: Mapped[str]
    secret: Mapped[str]
    made_at: Mapped[datetime] = mapped_column(default=now)


class Attempt(Base):
    """A count within a window of time, for rate limits: of log-ins from an address, of uploads of a person."""

    __tablename__ = "attempts"
    key: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]
    since: Mapped[datetime]

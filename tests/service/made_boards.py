"""A contest with made Results of many systems, whose true error rates are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from parakh import metrics as metric_registry
from parakh.aggregate import About, Interval, score_all
from parakh.leaderboard import boards
from parakh.leaderboard.boards import Board
from parakh.leaderboard.challenge import Challenge, MetricSet, PhaseRules, Sight, TrackRules
from parakh.leaderboard.challenge_file import to_dict
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import (
    ChallengeRow,
    Contest,
    Kind,
    MetricSetRow,
    PhaseRow,
    ScoreRow,
    State,
    Submission,
    Team,
)
from parakh.leaderboard.store import Store
from parakh.leaderboard.visibility import ANYBODY, Viewer
from parakh.resample import Bootstrap
from parakh.results import RecordingResult, Results, Signature, Stats

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
METRICS = MetricSet("2026.1", "asr", ("wer", "cer"), "wer", tie_break=("cer",), slice_by=("language", "place"))
SLICES = {"language": ("hi", "kn"), "place": ("clinic", "home", "phone", "van")}
ORGANISER = Viewer(1, "organiser@example.org", "organiser")


def results(rates: Sequence[float], *, system: str = "made", metrics: MetricSet = METRICS, samples: int = 0) -> Results:
    """Results of a system that errs at these rates, one a recording; the last word on characters is the same.

    Args:
        rates: Share of wrong words of each recording of 100 words.
        system: Its name.
        metrics: What it was scored with.
        samples: Resamples of the intervals; 0 for none.
    """
    recordings = [_recording(place, rate, metrics) for place, rate in enumerate(rates)]
    interval = Interval(Bootstrap(samples=samples)) if samples else None

    def scores(chosen: Sequence[RecordingResult]) -> Mapping[str, Any]:
        about = [About(one.id, 60.0, None) for one in chosen]
        return score_all([metric_registry.get(name) for name in metrics.metrics], [one.stats for one in chosen], about, interval)

    return Results(
        track=metrics.track,
        system=system,
        signature=Signature(
            {"track": metrics.track, "reference": "abc", "metrics": ",".join(metrics.metrics), "parakh": "0.1.0"}
        ),
        metrics=scores(recordings),
        recordings=tuple(recordings),
        slices={
            by: {value: scores([one for one in recordings if value in one.slices[by]]) for value in SLICES[by]}
            for by in metrics.slice_by
        },
    )


def _recording(place: int, rate: float, metrics: MetricSet) -> RecordingResult:
    wrong = round(100 * rate)
    stats = {
        name: Stats(errors=wrong, length=100, substitutions=wrong, deletions=0, insertions=0, hits=100 - wrong)
        for name in metrics.metrics
    }
    slices = {by: (SLICES[by][place % len(SLICES[by])],) for by in metrics.slice_by}
    return RecordingResult(f"v{place:03d}", dict.fromkeys(metrics.metrics, wrong / 100), stats, slices=slices)


def noisy(rate: float, seed: int, recordings: int = 40) -> list[float]:
    """Rates of recordings of one difficulty for every system, around the rate of one."""
    hard = np.random.default_rng(1).normal(0, 0.08, recordings)
    own = np.random.default_rng(seed + 10).normal(0, 0.03, recordings)
    return [float(one) for one in np.clip(rate + hard + own, 0, 1)]


@dataclass
class Made:
    """A contest, and ways to hand in to it as if the queue had scored everything."""

    database: Database
    folder: Path
    represents: str = "best"
    shows: Sight = Sight.SCORE
    freezes: datetime | None = None
    metrics: MetricSet = field(default_factory=lambda: METRICS)
    contest_id: int = 0

    def __post_init__(self) -> None:
        with self.database.write() as session:
            challenge = ChallengeRow(name="visits", title="Visits", revision="1", rules=self.rules())
            phase = PhaseRow(challenge=challenge, key="eval", shows=int(self.shows), shows_revealed=int(Sight.RECORDINGS))
            phase.freezes = self.freezes
            kept = MetricSetRow(id=self.metrics.digest, version=self.metrics.version, rules=self.metrics.to_dict())
            contest = Contest(phase=phase, track="asr", references="abc", metric_set=kept, version=1)
            session.add_all([challenge, phase, kept, contest])
            session.flush()
            self.contest_id = contest.id

    def rules(self) -> dict[str, Any]:
        """The challenge as its row holds it."""
        track = TrackRules("asr", "What was said", self.metrics)
        phase = PhaseRules("eval", "Evaluation", ("asr",), {"asr": "stm"}, "recordings.jsonl")
        return to_dict(
            Challenge("visits", "Visits", "", "a@example.org", "Asia/Kolkata", (track,), (phase,), represents=self.represents)
        )

    @cached_property
    def store(self) -> Store:
        return Store(self.folder / "files")

    @property
    def contest(self) -> Contest:
        with self.database.read() as session:
            return session.get_one(Contest, self.contest_id)

    def team(self, name: str) -> str:
        """The key of a team, made where there is none of the name."""
        with self.database.write() as session:
            challenge = session.get_one(Contest, self.contest_id).phase.challenge
            for one in session.query(Team).filter_by(name=name):
                return one.id
            team = Team(challenge_id=challenge.id, name=name)
            session.add(team)
            session.flush()
            return team.id

    def hand_in(
        self,
        team: str,
        rates: Sequence[float] | None,
        *,
        kind: str = Kind.SUBMISSION.value,
        days: float = 0,
        system: str = "",
        made: Results | None = None,
        samples: int = 0,
        **columns: Any,
    ) -> str:
        """A scored submission; without rates one whose score is undefined. Returns its key."""
        made = made or (results(rates, metrics=self.metrics, samples=samples) if rates is not None else undefined(self.metrics))
        key = self.store.put([made.to_json().encode()])
        with self.database.write() as session:
            contest = session.get_one(Contest, self.contest_id)
            one = Submission(
                contest_id=contest.id,
                team_id=self.team_of(session, team),
                kind=kind,
                made_at=START + timedelta(days=days),
                file="f" * 64,
                file_name="a.zip",
                size=1,
                state=State.SCORED.value,
                system=system,
                **columns,
            )
            session.add(one)
            session.flush()
            score = ScoreRow(submission_id=one.id, metric_set_id=contest.metric_set_id, references=contest.references)
            score.results, score.value, score.parakh = key, made.metrics[self.metrics.rank_by].value, "0.1.0"
            session.add(score)
            contest.version += 1
            return one.id

    def team_of(self, session: Any, name: str) -> str:
        challenge = session.get_one(Contest, self.contest_id).phase.challenge
        for one in session.query(Team).filter_by(name=name):
            return str(one.id)
        team = Team(challenge_id=challenge.id, name=name)
        session.add(team)
        session.flush()
        return team.id

    def change(self, change: Any) -> None:
        """Change something in a session as the service would, and let the board know."""
        with self.database.write() as session:
            change(session)
            session.get_one(Contest, self.contest_id).version += 1

    def board(self, viewer: Viewer = ANYBODY, at: datetime = START) -> Board:
        boards.refresh(self.database, self.store, self.contest_id)
        found = boards.load(self.database, self.contest, viewer, at)
        assert found is not None
        return found


def undefined(metrics: MetricSet = METRICS) -> Results:
    """Results whose scores are all undefined: nothing of the reference is left to score."""
    nothing = Stats(errors=0, length=0, substitutions=0, deletions=0, insertions=0, hits=0)
    recording = RecordingResult("v000", dict.fromkeys(metrics.metrics), dict.fromkeys(metrics.metrics, nothing))
    scores = score_all(
        [metric_registry.get(name) for name in metrics.metrics], [recording.stats], [About("v000", 60.0, None)], None
    )
    return Results(metrics.track, "nothing", Signature({"track": metrics.track, "parakh": "0.1.0"}), scores, (recording,))
